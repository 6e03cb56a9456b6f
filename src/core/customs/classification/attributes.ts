/**
 * What a text says of the goods: who wears them, of what they are made, how they work. Words that say it are found
 * once per text; each family then takes the saying that stands nearest to its goods.
 */
import { type GoodsWord, goodsWords } from './goods-text.ts'
import type { Dimension } from './lexicon.ts'

/** A dimension ready for use; values by number, in the order of the lexicon. */
export type CompiledDimension = {
  readonly name: string
  readonly question: string
  readonly anywhere: boolean
  readonly ranked: boolean
  readonly valueNames: readonly string[]
  /** For each value, itself and the values below it. */
  readonly within: readonly ReadonlySet<number>[]
}

/** Words that say a value, as folded keys. */
type Saying = {
  readonly keys: readonly string[]
  readonly says: readonly { dimension: number; value: number }[]
}

/** All dimensions, and what says them, by the first folded word; the longer first. */
export type Attributes = {
  readonly dimensions: readonly CompiledDimension[]
  readonly numberOf: ReadonlyMap<string, number>
  readonly sayings: ReadonlyMap<string, readonly Saying[]>
  /** Every folded word of a saying. */
  readonly words: ReadonlySet<string>
}

/** One thing the text says: the places of its words and the value. */
export type Observation = {
  readonly dimension: number
  readonly value: number
  readonly first: number
  readonly last: number
  /** The say of the words, as in `GoodsWord`. */
  readonly part: number
  /** The percentage that stands beside the words, where one does: "60% cotton", "cotton 60%". */
  readonly percentBefore: number | undefined
  readonly percentAfter: number | undefined
}

/** Compiles dimensions; the same name twice is one dimension with the values of both. Throws on an unknown parent. */
export function compileAttributes(dimensions: readonly Dimension[]): Attributes {
  const merged = mergeDimensions(dimensions)
  const numberOf = new Map(merged.map(({ name }, number) => [name, number]))
  const byKeys = new Map<string, Saying & { says: { dimension: number; value: number }[] }>()
  merged.forEach(({ values }, dimension) => {
    values.forEach(({ words }, value) => {
      for (const text of words) {
        const keys = goodsWords(text).map((word) => word.key)
        const joined = keys.join(' ')
        const saying = byKeys.get(joined) ?? { keys, says: [] }
        if (!saying.says.some((said) => said.dimension === dimension)) saying.says.push({ dimension, value })
        byKeys.set(joined, saying)
      }
    })
  })
  const sayings = new Map<string, Saying[]>()
  for (const saying of byKeys.values()) {
    const first = saying.keys[0]
    if (first !== undefined) sayings.set(first, [...(sayings.get(first) ?? []), saying])
  }
  for (const list of sayings.values()) list.sort((a, b) => b.keys.length - a.keys.length)
  const words = new Set([...byKeys.values()].flatMap(({ keys }) => keys))
  return { dimensions: merged.map(compileDimension), numberOf, sayings, words }
}

function mergeDimensions(dimensions: readonly Dimension[]): Dimension[] {
  const byName = new Map<string, Dimension>()
  for (const dimension of dimensions) {
    const before = byName.get(dimension.name)
    const values = new Map(before?.values.map((value) => [value.name, value]) ?? [])
    for (const value of dimension.values) {
      const known = values.get(value.name)
      values.set(
        value.name,
        known === undefined ? value : { ...known, words: [...known.words, ...value.words] },
      )
    }
    byName.set(dimension.name, { ...(before ?? dimension), values: [...values.values()] })
  }
  return [...byName.values()]
}

function compileDimension({ name, question, anywhere, ranked, values }: Dimension): CompiledDimension {
  const within = values.map((_, number) => new Set([number]))
  const numbers = new Map(values.map((value, number) => [value.name, number]))
  values.forEach((value, number) => {
    let parent = value.parent
    for (let depth = 0; parent !== undefined && depth < values.length; depth++) {
      const above = numbers.get(parent)
      if (above === undefined) throw new Error(`${name}: ${value.name} is below ${parent}, which is no value`)
      within[above]!.add(number)
      parent = values[above]!.parent
    }
  })
  return { name, question, anywhere, ranked, valueNames: values.map((value) => value.name), within }
}

/** What a text says, in the order of its words; of several sayings of a dimension at one place the longest counts. */
export function observe(
  { sayings, dimensions }: Attributes,
  text: readonly GoodsWord[],
): readonly Observation[] {
  const observations: Observation[] = []
  /** Per dimension, the first place that its last saying does not cover. */
  const free = new Uint8Array(dimensions.length)
  text.forEach(({ key, part }, first) => {
    for (const { keys, says } of sayings.get(key) ?? []) {
      if (!standsAt(keys, text, first)) continue
      const last = first + keys.length - 1
      const beside = { percentBefore: percent(text[first - 1]), percentAfter: percent(text[last + 1]) }
      for (const { dimension, value } of says) {
        if (free[dimension]! > first) continue
        free[dimension] = last + 1
        observations.push({ dimension, value, first, last, part, ...beside })
      }
    }
  })
  return observations
}

function standsAt(keys: readonly string[], text: readonly GoodsWord[], at: number): boolean {
  for (let nth = 0; nth < keys.length; nth++) if (text[at + nth]?.key !== keys[nth]) return false
  return true
}

function percent(word: GoodsWord | undefined): number | undefined {
  return word !== undefined && /^\d{1,3}$/.test(word.key) && Number(word.key) <= 100
    ? Number(word.key)
    : undefined
}

/** What a text says, sorted so that questions about many goods of it are quick to answer. */
export type Heard = {
  /** By dimension, in the order of the text; without those that only speak of something else. */
  readonly byDimension: readonly (readonly Observation[] | undefined)[]
  /** For each place, how many phrases end before it. */
  readonly phraseEnds: Uint16Array
}

/** Below this say a word stands after "for" or "with" and speaks of something else. */
const OWN_PART = 0.5

/** Observes a text and sorts what it says by dimension. */
export function hear(attributes: Attributes, text: readonly GoodsWord[]): Heard {
  const byDimension: Observation[][] = Array.from({ length: attributes.dimensions.length })
  for (const observation of observe(attributes, text)) {
    const { dimension, part } = observation
    if (part < OWN_PART && !attributes.dimensions[dimension]!.anywhere) continue
    const list = byDimension[dimension]
    if (list === undefined) byDimension[dimension] = [observation]
    else list.push(observation)
  }
  const phraseEnds = new Uint16Array(text.length + 1)
  text.forEach(({ endsPhrase }, at) => {
    phraseEnds[at + 1] = phraseEnds[at]! + (endsPhrase ? 1 : 0)
  })
  return { byDimension, phraseEnds }
}

/** Where goods stand in a text: the places of the words that name them, and of the head noun among them. */
export type GoodsPlace = { readonly at: readonly number[]; readonly headAt: number }

/**
 * What the text says of the goods at a place, the likeliest first: the greatest share where shares are given ("60%
 * cotton 40% polyester"), of a ranked dimension the value that is listed first, else what stands nearest, before the
 * goods rather than after them and in the same phrase rather than in another. Words of the name itself say nothing
 * that is not known of the goods by it. Every value is in the list once, with its likeliest saying.
 */
export function sayingsOf(
  { dimensions }: Attributes,
  heard: Heard,
  dimension: number,
  { at, headAt }: GoodsPlace,
): readonly Observation[] {
  const all = heard.byDimension[dimension]
  if (all === undefined) return []
  const sayings = all.filter(({ first, last }) => !(at.includes(first) && at.includes(last)))
  if (sayings.length < 2) return sayings
  for (const side of ['percentBefore', 'percentAfter'] as const) {
    if (sayings.every((saying) => saying[side] !== undefined))
      return likeliest(sayings, (saying) => saying[side]!)
  }
  if (dimensions[dimension]!.ranked) return likeliest(sayings, ({ value }) => -value)
  return likeliest(sayings, (saying) => nearness(saying, heard.phraseEnds, headAt))
}

/** The highest scored saying of each value, the highest first; of equals the one that comes first in the text. */
function likeliest(
  sayings: readonly Observation[],
  scoreOf: (saying: Observation) => number,
): readonly Observation[] {
  const best = new Map<
    number,
    { readonly saying: Observation; readonly score: number; readonly nth: number }
  >()
  sayings.forEach((saying, nth) => {
    const score = scoreOf(saying)
    const before = best.get(saying.value)
    if (before === undefined || score > before.score) best.set(saying.value, { saying, score, nth })
  })
  if (best.size === 1) return [best.get(sayings[0]!.value)!.saying]
  return [...best.values()].sort((a, b) => b.score - a.score || a.nth - b.nth).map(({ saying }) => saying)
}

/** How near a saying is to the goods at a place, from its say down to 0; `phraseEnds` as in `Heard`. */
export function nearness(
  { first, last, part }: Observation,
  phraseEnds: Uint16Array,
  headAt: number,
): number {
  const distance = last <= headAt ? headAt - last : 1.5 * (first - headAt)
  const [from, to] = last <= headAt ? [last, headAt] : [headAt, first]
  // A long saying may begin before the goods and end after them.
  const isSamePhrase = to <= from || phraseEnds[from] === phraseEnds[to]
  return (part * (isSamePhrase ? 1 : 0.5)) / (1 + 0.2 * Math.max(0, distance))
}
