/**
 * Finds the attributes that a text mentions: who wears the goods, what they are made of, how they work. Mentions are
 * found once per text. Each goods family then uses the mention closest to its goods.
 * See docs/hs-classification.md.
 */

import type { Dimension } from './lexicon.ts'
import { componentsOf, valuesByShare } from './text/composition.ts'
import { type GoodsWord, goodsWords } from './text/goods-text.ts'
import { isWithin, type MeasureRange, measureAt } from './text/measures.ts'

/** A compiled dimension. Values are numbers, in the order of the lexicon. */
export type CompiledDimension = {
  readonly name: string
  readonly question: string
  readonly appliesAnywhere: boolean
  readonly ranked: boolean
  readonly lastOfEquals: boolean
  readonly valueNames: readonly string[]
  /** For each value: itself and all values below it. */
  readonly valuesUnder: readonly ReadonlySet<number>[]
}

/** Words that name an attribute, as folded keys. Ambiguous words have meanings in several dimensions. */
type AttributePhrase = {
  readonly keys: readonly string[]
  /** Further words, which follow after any number of others. Empty for most phrases. */
  readonly later: readonly string[]
  readonly meanings: readonly Meaning[]
}

/** `isPossible` as in `Mention`. */
type Meaning = { readonly dimension: number; readonly value: number; readonly isPossible: boolean }

type OpenAttributePhrase = {
  readonly keys: readonly string[]
  readonly later: readonly string[]
  readonly meanings: Meaning[]
}

/** All dimensions. `phrases` is by the first folded word, longer phrases first. */
export type Attributes = {
  readonly dimensions: readonly CompiledDimension[]
  readonly numberOf: ReadonlyMap<string, number>
  readonly phrases: ReadonlyMap<string, readonly AttributePhrase[]>
  /** The values that quantities express. */
  readonly ranges: readonly {
    readonly dimension: number
    readonly value: number
    readonly range: MeasureRange
  }[]
  /** Every folded word of all phrases. */
  readonly words: ReadonlySet<string>
}

/** An attribute that the text mentions, with the positions of its first and last word. */
export type Mention = {
  readonly dimension: number
  readonly value: number
  readonly first: number
  readonly last: number
  /** True if words of other values take precedence. */
  readonly isPossible: boolean
  /** As in `GoodsWord`. */
  readonly weight: number
  /** A percentage next to the words: "60% cotton", "cotton 60%". */
  readonly percentBefore: number | undefined
  readonly percentAfter: number | undefined
}

/** In words of a value: any number of other words. */
const GAP = '…'

/** Compiles dimensions. Dimensions with the same name are merged. Throws on an unknown parent. */
export function compileAttributes(dimensions: readonly Dimension[]): Attributes {
  const merged = mergeDimensions(dimensions)
  const numberOf = new Map(merged.map(({ name }, number) => [name, number]))
  const byKeys = new Map<string, OpenAttributePhrase>()
  merged.forEach(({ values }, dimension) => {
    values.forEach(({ words, possibleWords = [] }, value) => {
      for (const text of [...words, ...possibleWords]) {
        const [keys = [], later = []] = text.split(GAP).map((part) => goodsWords(part).map(({ key }) => key))
        const joined = [...keys, GAP, ...later].join(' ')
        const phrase = byKeys.get(joined) ?? { keys, later, meanings: [] }
        if (!phrase.meanings.some((meaning) => meaning.dimension === dimension))
          phrase.meanings.push({ dimension, value, isPossible: possibleWords.includes(text) })
        byKeys.set(joined, phrase)
      }
    })
  })
  const phrases = new Map<string, AttributePhrase[]>()
  for (const phrase of byKeys.values()) {
    const first = phrase.keys[0]
    if (first !== undefined) phrases.set(first, [...(phrases.get(first) ?? []), phrase])
  }
  for (const list of phrases.values())
    list.sort((a, b) => b.keys.length + b.later.length - a.keys.length - a.later.length)
  const words = new Set([...byKeys.values()].flatMap(({ keys, later }) => [...keys, ...later]))
  const ranges = merged.flatMap(({ values }, dimension) =>
    values.flatMap((value, number) =>
      (value.ranges ?? []).map((range) => ({ dimension, value: number, range })),
    ),
  )
  return { dimensions: merged.map(compileDimension), numberOf, phrases, ranges, words }
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
        known === undefined
          ? value
          : {
              ...known,
              words: [...known.words, ...value.words],
              possibleWords: [...(known.possibleWords ?? []), ...(value.possibleWords ?? [])],
              ranges: [...(known.ranges ?? []), ...(value.ranges ?? [])],
            },
      )
    }
    byName.set(dimension.name, { ...(before ?? dimension), values: [...values.values()] })
  }
  return [...byName.values()]
}

function compileDimension(dimension: Dimension): CompiledDimension {
  const { name, question, appliesAnywhere, ranked, lastOfEquals = false, values } = dimension
  const valuesUnder = values.map((_, number) => new Set([number]))
  const numbers = new Map(values.map((value, number) => [value.name, number]))
  values.forEach((value, number) => {
    let parent = value.parent
    for (let depth = 0; parent !== undefined && depth < values.length; depth++) {
      const above = numbers.get(parent)
      if (above === undefined)
        throw new Error(`${name}: ${value.name} is below ${parent}, which is not a value`)
      valuesUnder[above]!.add(number)
      parent = values[above]!.parent
    }
  })
  return {
    name,
    question,
    appliesAnywhere,
    ranked,
    lastOfEquals,
    valueNames: values.map((value) => value.name),
    valuesUnder,
  }
}

/**
 * Finds mentions. Those by words are in the order of the text, and those by quantities follow. Of overlapping phrases
 * of one dimension, the longest counts.
 */
export function findMentions(attributes: Attributes, text: readonly GoodsWord[]): readonly Mention[] {
  const { phrases } = attributes
  const mentions: Mention[] = []
  /** By dimension: the first position that no mention covers yet. */
  const firstFree = new Map<number, number>()
  for (let first = 0; first < text.length; first++) {
    const { key, weight } = text[first]!
    const beginning = phrases.get(key)
    if (beginning === undefined) continue
    for (const { keys, later, meanings } of beginning) {
      if (!matchesAt(keys, text, first) || !isLaterIn(text, first + keys.length, later)) continue
      const last = first + keys.length - 1
      const beside = { percentBefore: percent(text[first - 1]), percentAfter: percent(text[last + 1]) }
      for (const { dimension, value, isPossible } of meanings) {
        if ((firstFree.get(dimension) ?? 0) > first) continue
        firstFree.set(dimension, last + 1)
        mentions.push({ dimension, value, first, last, isPossible, weight, ...beside })
      }
    }
  }
  return [...mentions, ...findQuantities(attributes, text)]
}

function findQuantities({ ranges }: Attributes, text: readonly GoodsWord[]): readonly Mention[] {
  const mentions: Mention[] = []
  for (let at = 0; at < text.length; at++) {
    const measure = measureAt(text, at)
    if (measure === undefined) continue
    const place = { first: at, last: at + measure.words - 1, isPossible: false, weight: text[at]!.weight }
    for (const { dimension, value, range } of ranges)
      if (isWithin(measure, range))
        mentions.push({ dimension, value, ...place, percentBefore: undefined, percentAfter: undefined })
  }
  return mentions
}

function matchesAt(keys: readonly string[], text: readonly GoodsWord[], at: number): boolean {
  for (let nth = 0; nth < keys.length; nth++) if (text[at + nth]?.key !== keys[nth]) return false
  return true
}

/** True if words follow each other somewhere from a position. */
function isLaterIn(text: readonly GoodsWord[], from: number, words: readonly string[]): boolean {
  if (words.length === 0) return true
  for (let at = from; at < text.length; at++) if (matchesAt(words, text, at)) return true
  return false
}

function percent(word: GoodsWord | undefined): number | undefined {
  const digits = word === undefined ? undefined : /^(\d{1,3})%?$/.exec(word.key)?.[1]
  return digits !== undefined && Number(digits) <= 100 ? Number(digits) : undefined
}

/** The mentions of a text, grouped for fast lookup. */
export type Mentions = {
  /** By dimension, in the order of the text. Mentions that refer to other goods are left out. */
  readonly byDimension: ReadonlyMap<number, readonly Mention[]>
  /** For each position: how many phrases end before it. */
  readonly phraseEnds: Uint16Array
}

/** Words with less weight follow "for" or "with" and refer to something else. */
const MIN_WEIGHT = 0.5

/** Finds the mentions of a text and groups them by dimension. */
export function groupMentions(attributes: Attributes, text: readonly GoodsWord[]): Mentions {
  const byDimension = new Map<number, Mention[]>()
  for (const mention of findMentions(attributes, text)) {
    const { dimension, weight } = mention
    if (weight < MIN_WEIGHT && !attributes.dimensions[dimension]!.appliesAnywhere) continue
    const list = byDimension.get(dimension)
    if (list === undefined) byDimension.set(dimension, [mention])
    else list.push(mention)
  }
  const phraseEnds = new Uint16Array(text.length + 1)
  text.forEach(({ endsPhrase }, at) => {
    phraseEnds[at + 1] = phraseEnds[at]! + (endsPhrase ? 1 : 0)
  })
  return { byDimension, phraseEnds }
}

/** The positions of the words that name goods, and of the head noun among them. */
export type GoodsPosition = { readonly at: readonly number[]; readonly headAt: number }

/**
 * The mentions of a dimension that apply to goods at a position, best first, one per value. They are sorted
 * - by percentage, if every mention has one ("60% cotton 40% polyester"), those of a lining last;
 * - in the order of the lexicon, if the dimension is ranked;
 * - otherwise by proximity, those by possible words last. Mentions before the goods and in the same phrase are
 *   preferred.
 *
 * Words in the name of the goods do not count as mentions, because the family already covers what the name implies.
 */
export function mentionsOf(
  { dimensions }: Attributes,
  mentions: Mentions,
  dimension: number,
  { at, headAt }: GoodsPosition,
): readonly Mention[] {
  const ofDimension = mentions.byDimension.get(dimension)
  if (ofDimension === undefined) return []
  const candidates = ofDimension.filter(({ first, last }) => !(at.includes(first) && at.includes(last)))
  if (candidates.length < 2) return candidates
  const components = componentsOf(candidates)
  if (components.length > 0) {
    const order = valuesByShare(dimensions[dimension]!, components)
    // Values of another part, such as the lining, come last.
    return bestByValue(candidates, ({ value }) =>
      order.includes(value) ? -order.indexOf(value) : -order.length,
    )
  }
  if (dimensions[dimension]!.ranked) return bestByValue(candidates, ({ value }) => -value)
  return bestByValue(
    candidates,
    // Proximity is at most 1.
    (mention) => proximity(mention, mentions.phraseEnds, headAt) - (mention.isPossible ? 1 : 0),
  )
}

/** True if the name of the goods, whose words are at some positions, mentions a value of a dimension itself. */
export function isNamed(
  { byDimension }: Mentions,
  dimension: number,
  value: number,
  at: readonly number[],
): boolean {
  return (byDimension.get(dimension) ?? []).some(
    (mention) => mention.value === value && at.includes(mention.first) && at.includes(mention.last),
  )
}

/** The highest-scored mention of each value, highest first. Equal scores keep the order of the text. */
function bestByValue(
  mentions: readonly Mention[],
  scoreOf: (mention: Mention) => number,
): readonly Mention[] {
  const best = new Map<number, { readonly mention: Mention; readonly score: number; readonly nth: number }>()
  mentions.forEach((mention, nth) => {
    const score = scoreOf(mention)
    const before = best.get(mention.value)
    if (before === undefined || score > before.score) best.set(mention.value, { mention, score, nth })
  })
  if (best.size === 1) return [best.get(mentions[0]!.value)!.mention]
  return [...best.values()].sort((a, b) => b.score - a.score || a.nth - b.nth).map(({ mention }) => mention)
}

/**
 * The closeness of a mention to goods with their head noun at `headAt`: above 0, and at most the mention's weight.
 * `phraseEnds` as in `Mentions`.
 */
export function proximity({ first, last, weight }: Mention, phraseEnds: Uint16Array, headAt: number): number {
  const distance = last <= headAt ? headAt - last : 1.5 * (first - headAt)
  const [from, to] = last <= headAt ? [last, headAt] : [headAt, first]
  // A long mention may begin before the goods and end after them.
  const isSamePhrase = to <= from || phraseEnds[from] === phraseEnds[to]
  return (weight * (isSamePhrase ? 1 : 0.5)) / (1 + 0.2 * Math.max(0, distance))
}
