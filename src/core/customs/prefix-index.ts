/**
 * Rows by code prefix, looked up by the longest prefix of a code. Decided here: only the lengths that occur are
 * tried, since cutting and hashing a prefix is what a look-up costs.
 */

/** Rows by prefix; the lengths of the prefixes, longest first. */
export type PrefixIndex<Row> = {
  readonly byPrefix: ReadonlyMap<string, readonly Row[]>
  readonly lengths: readonly number[]
}

/** Builds an index; rows of one prefix stay in the order they are given. */
export function indexByPrefix<Row>(entries: Iterable<readonly [prefix: string, row: Row]>): PrefixIndex<Row> {
  const byPrefix = new Map<string, Row[]>()
  for (const [prefix, row] of entries) {
    const rows = byPrefix.get(prefix)
    if (rows === undefined) byPrefix.set(prefix, [row])
    else rows.push(row)
  }
  const lengths = new Set<number>()
  for (const prefix of byPrefix.keys()) lengths.add(prefix.length)
  return { byPrefix, lengths: [...lengths].sort((a, b) => b - a) }
}

/** True when one of the prefixes begins the code. */
export function hasPrefix({ byPrefix, lengths }: PrefixIndex<unknown>, code: string): boolean {
  return lengths.some((length) => length <= code.length && byPrefix.has(code.slice(0, length)))
}
