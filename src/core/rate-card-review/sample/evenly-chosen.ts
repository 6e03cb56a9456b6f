/** At most `limit` of the values, at equal distances in their order. */
export function evenlyChosen<Value>(values: readonly Value[], limit: number): readonly Value[] {
  const step = Math.max(1, values.length / limit)
  return Array.from(
    { length: Math.min(values.length, limit) },
    (_, index) => values[Math.floor(index * step)]!,
  )
}
