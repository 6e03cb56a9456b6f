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

/**
 * The first of rows sorted latest first that begins on or before a day. A binary search, because percentages and rates
 * accumulate for years, and a request looks up many.
 */
export function latestOn<Row extends { readonly validFrom: string }>(
  latestFirst: readonly Row[],
  date: string,
): Row | undefined {
  let low = 0
  let high = latestFirst.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (latestFirst[middle]!.validFrom <= date) high = middle
    else low = middle + 1
  }
  return latestFirst[low]
}
