/** Random choices from a seed, so that a failure can be reproduced. */

/** All bounds are inclusive. */
export type Dice = {
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Between `min` and `max` different items, in the order of the list. */
  some<Item>(items: readonly Item[], min: number, max: number): Item[]
  /** The result of `make` with a probability, else undefined. */
  maybe<Item>(probability: number, make: () => Item): Item | undefined
}

/** The same seed gives the same choices (mulberry32). */
export function diceOf(seed: number): Dice {
  let state = (seed * 2_654_435_761) | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  const pick = <Item>(items: readonly Item[]): Item => items[int(0, items.length - 1)]!
  const some = <Item>(items: readonly Item[], min: number, max: number): Item[] => {
    const wanted = Math.min(items.length, int(min, max))
    const chosen = new Set<number>()
    while (chosen.size < wanted) chosen.add(int(0, items.length - 1))
    return items.filter((_, index) => chosen.has(index))
  }
  return {
    int,
    pick,
    some,
    chance: (probability) => next() < probability,
    maybe: (probability, make) => (next() < probability ? make() : undefined),
  }
}

/** An object without its undefined fields, as `exactOptionalPropertyTypes` requires. */
export function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]: Defined<Fields[Key]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Key in keyof Fields]: Defined<Fields[Key]> }
}

type Defined<Value> = Exclude<Value, undefined>
