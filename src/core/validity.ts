/** Validity of dated rows: from `validFrom`, inclusive, to `validTo`, exclusive. Days are UTC days, 'YYYY-MM-DD'. */

/** Null and absent mean no bound. */
export type Validity = { readonly validFrom: string | null; readonly validTo?: string | null }

export function isInForce({ validFrom, validTo }: Validity, date: string): boolean {
  return (validFrom === null || validFrom <= date) && (validTo == null || date < validTo)
}

/** Compares by first day, latest first. Rows without one come last. */
export function latestFirst(a: Validity, b: Validity): number {
  const [first, second] = [a.validFrom ?? '', b.validFrom ?? '']
  return first === second ? 0 : first < second ? 1 : -1
}
