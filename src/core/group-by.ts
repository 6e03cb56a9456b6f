/** Grouping of rows by a key, and changes to the values of a map. */

/** `Map.groupBy` needs Node 21. Groups and rows keep their order. */
export function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return groups
}

export function mapValues<Key, From, To>(
  map: ReadonlyMap<Key, From>,
  change: (value: From) => To,
): ReadonlyMap<Key, To> {
  return new Map([...map].map(([key, value]) => [key, change(value)]))
}
