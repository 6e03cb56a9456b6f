/** Validity of dated rows: half-open, from the first day until the day before the last. Days are UTC. */

/** When a row holds; what is absent or null is open. Dates are 'YYYY-MM-DD', which sort as text. */
export type Validity = { readonly validFrom: string | null; readonly validTo?: string | null }

/** True when the row holds on that day. */
export function isInForce({ validFrom, validTo }: Validity, date: string): boolean {
  return (validFrom === null || validFrom <= date) && (validTo == null || date < validTo)
}

/** Sorts the row with the later first day before the other; rows without one come last. */
export function latestFirst(a: Validity, b: Validity): number {
  const [first, second] = [a.validFrom ?? '', b.validFrom ?? '']
  return first === second ? 0 : first < second ? 1 : -1
}
