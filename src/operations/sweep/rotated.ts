/** The list from a random item on, followed by the items before it. `random` is 0 to 1. */
export function rotated<Item>(list: readonly Item[], random: number): readonly Item[] {
  const first = Math.floor(random * list.length)
  return [...list.slice(first), ...list.slice(0, first)]
}
