/**
 * Reads goods: the description, and facts about them. A fact gives values of dimensions. Its words are also added to
 * the text, at the place and with the weight that a title would give them: "leather … for women". The brand is left
 * out, unless it is also the name of goods ("Lego"). See docs/hs-classification.md#facts.
 */
import type { DescribedGoods, GoodsFacts } from '../goods-facts.ts'
import { type Attributes, type CompiledDimension, groupMentions, type Mention } from './attributes.ts'
import { NOTHING_GIVEN, type ValueByDimension } from './families.ts'
import { componentsOf, valuesByShare } from './text/composition.ts'
import { foldWords } from './text/goods-text.ts'
import type { LexiconWord, TextReader } from './text/lexicon-text.ts'

type ReadingTables = {
  readonly attributes: Attributes
  readonly read: TextReader
  readonly productNames: ReadonlySet<string>
}

export type ReadGoods = {
  readonly text: readonly LexiconWord[]
  /** The number of words in front of the description. */
  readonly factWords: number
  /** The values that facts give. */
  readonly values: ValueByDimension
}

/** As many as one text has. */
const MAX_WORDS = 120

/** The weight of the category. It names wider groups than the description. */
const CATEGORY_WEIGHT = 0.5

export function readGoods(tables: ReadingTables, { description, facts }: DescribedGoods): ReadGoods {
  const { attributes, read, productNames } = tables
  if (facts === undefined) return { text: read(description), factWords: 0, values: NOTHING_GIVEN.facts }
  const { material = '', construction = '', composition = '', madeFor, use, brand } = facts
  const composed = read(composition)
  const made = [read(material), read(construction)]
  const meant = [wordsFor(read, madeFor), wordsFor(read, use)]
  const values = new Map<number, number>()
  // The first text that gives a value counts.
  for (const words of [composed, ...made, ...meant]) addValues(attributes, words, values)

  const isName = brand !== undefined && productNames.has(foldWords(brand))
  const named = read(description, isName ? undefined : brand)
  const isNew = ({ key }: LexiconWord): boolean => named.every((word) => word.key !== key)
  const substance = material === '' ? mainComponent(attributes, composed) : made[0]!
  const before = [...substance, ...made[1]!].filter(isNew).map(openPhrase)
  const text = [...before, ...named, ...meant.flat(), ...categoryWords(read, facts)]
  return { text: withEnd(text.slice(0, MAX_WORDS)), factWords: before.length, values }
}

/** The last word ends a phrase, also if the next one was cut off, or if the description has no words. */
function withEnd(text: readonly LexiconWord[]): readonly LexiconWord[] {
  const last = text.at(-1)
  return last === undefined || last.endsPhrase ? text : text.with(-1, { ...last, endsPhrase: true })
}

/** The words of a text, as they count in a title after "for". */
function wordsFor(read: TextReader, text: string | undefined): readonly LexiconWord[] {
  return text === undefined ? [] : read(`item for ${text}`).slice(1)
}

/** The words are part of the phrase that follows. */
function openPhrase(word: LexiconWord): LexiconWord {
  return { ...word, endsPhrase: false }
}

function categoryWords(read: TextReader, { category = '' }: GoodsFacts): readonly LexiconWord[] {
  const words = read(category.replaceAll(SEPARATORS, ','))
  return words.map((word) => ({ ...word, weight: CATEGORY_WEIGHT * word.weight }))
}

/** Between the steps of a category, in addition to those that end any phrase. */
const SEPARATORS = /[>»›/\\]/g

function addValues(attributes: Attributes, words: readonly LexiconWord[], values: Map<number, number>): void {
  for (const [dimension, mentions] of groupMentions(attributes, words).byDimension)
    if (!values.has(dimension))
      values.set(dimension, statedValue(attributes.dimensions[dimension]!, mentions))
}

/** The value that a fact states: that of the largest share, of a ranked dimension the first, otherwise as mentioned. */
function statedValue(dimension: CompiledDimension, mentions: readonly Mention[]): number {
  const components = componentsOf(mentions)
  if (components.length > 0) return valuesByShare(dimension, components)[0]!
  const values = mentions.map(({ value }) => value)
  return dimension.ranked ? Math.min(...values) : values[0]!
}

/** The words of the component with the largest percentage; of the first one if there are none. */
function mainComponent(attributes: Attributes, words: readonly LexiconWord[]): readonly LexiconWord[] {
  const mentions = [...groupMentions(attributes, words).byDimension.values()]
  // Most materials are values of several dimensions, so those of one dimension are all components.
  const [first = []] = mentions.toSorted((a, b) => b.length - a.length)
  const components = componentsOf(first)
  const largestShare = Math.max(0, ...components.map(({ share }) => share))
  const main = components.find(({ share }) => share === largestShare)?.mention ?? first[0]
  return main === undefined ? [] : words.slice(main.first, main.last + 1)
}
