/** Compiles a lexicon for the classifier. */
import { type Attributes, compileAttributes } from './attributes.ts'
import { type ClassifierWeights, classifierWeights } from './classifier-weights.ts'
import { compileFamily, compileUsual, type Family, usualCode } from './families.ts'
import { type CompiledNotes, compileNotes } from './legal-notes.ts'
import type { GoodsFamily, LexiconEntry, LexiconSource } from './lexicon.ts'
import { openTextModel, type TextModel } from './models/text-model.ts'
import { indexPhrases, type NamedGoods, type PhraseIndex } from './phrase-index.ts'
import { type AccessoryCodes, type CodeGroups, groupsOf } from './ranking.ts'
import { type FeatureWords, featureWordsOf } from './text/features.ts'
import { foldWords } from './text/goods-text.ts'
import { type TextReader, textReader } from './text/lexicon-text.ts'
import { type Dictionary, dictionaryOf } from './text/translation.ts'

/** A compiled lexicon for `classify`. Compiling takes about half a second. A code is an index of `codes`. */
export type Lexicon = {
  /** Six digits, ascending. */
  readonly codes: readonly string[]
  readonly labels: readonly string[]
  /** The label of every heading, by its four digits. */
  readonly headings: ReadonlyMap<string, string>
  readonly attributes: Attributes
  readonly index: PhraseIndex
  /** Codes of parts, and of the things they belong to. */
  readonly accessories: readonly AccessoryCodes[]
  readonly features: FeatureWords
  readonly notes: CompiledNotes
  /** Brands that are also the name of goods, as folded words. */
  readonly productNames: ReadonlySet<string>
  /** By code: 1 for materials and ingredients. */
  readonly isMaterial: Uint8Array
  readonly groups: CodeGroups
  readonly dictionaries: readonly Dictionary[]
  readonly weights: ClassifierWeights
  /** Remembers words that it has read. */
  readonly read: TextReader
  /** Every call of `classify` overwrites it: a search for terms marks the words of the text. */
  readonly isPresent: Uint8Array
  /** Undefined: only terms decide. */
  readonly textModel: TextModel | undefined
}

/** A lexicon without functions, so that it can be stored. Phrases share objects, which storage must preserve. */
export type LexiconData = Omit<Lexicon, 'read' | 'isPresent' | 'textModel'>

/** `textModel`: the bytes of a trained model. */
export function compileLexicon(
  source: LexiconSource,
  weights?: ClassifierWeights,
  textModel?: Uint8Array,
): Lexicon {
  return openLexicon(compileLexiconData(source, weights), textModel)
}

/** Every call returns a lexicon with its own memory of words, and shares everything else except the text model. */
export function openLexicon(data: LexiconData, textModel?: Uint8Array): Lexicon {
  return {
    ...data,
    read: textReader(data.index.vocabulary, data.attributes.words, data.dictionaries, data.features),
    isPresent: new Uint8Array(data.index.vocabulary.numbers.size),
    textModel: textModel && openTextModel(textModel, data.codes),
  }
}

/**
 * Compiles a lexicon. Entries with the same code are merged. Throws if a family uses a dimension or value that is not
 * declared, or if no row matches its default values.
 */
export function compileLexiconData(
  source: LexiconSource,
  weights: ClassifierWeights = classifierWeights,
): LexiconData {
  const labels = labelsByCode(source)
  const codes = [...labels.keys()].sort()
  const numbers = new Map(codes.map((code, number) => [code, number]))
  const codeOf = (code: string): number => numbers.get(code)!
  const attributes = compileAttributes(source.dimensions)
  const families = source.families.map((family) => compileFamily(attributes, family, codeOf))
  const goods = [
    ...source.entries.flatMap((entry) => entryGoods(entry, codeOf)),
    ...source.families.flatMap((family, nth) => familyGoods(attributes, family, families[nth]!)),
  ]
  const index = indexPhrases(goods)
  return {
    codes,
    labels: codes.map((code) => labels.get(code)!),
    headings: source.headings,
    attributes,
    index,
    accessories: source.accessories.map(({ parts, things }) => ({
      parts: codesBelow(codes, parts),
      things: codesBelow(codes, things),
    })),
    features: featureWordsOf(source.roles),
    notes: compileNotes(source.notes ?? [], source.sets ?? [], codes.length, (prefixes) =>
      codesBelow(codes, prefixes),
    ),
    productNames: new Set((source.productNames ?? []).map(foldWords)),
    isMaterial: marked(codes.length, codesBelow(codes, source.roles.materials)),
    groups: groupsOf(codes),
    dictionaries: source.languages.map(dictionaryOf),
    weights,
  }
}

function marked(size: number, numbers: readonly number[]): Uint8Array {
  const marks = new Uint8Array(size)
  for (const number of numbers) marks[number] = 1
  return marks
}

/** The indexes of the codes that begin with one of the prefixes. `codes` is ascending. */
function codesBelow(codes: readonly string[], prefixes: readonly string[]): readonly number[] {
  return prefixes.flatMap((prefix) => {
    const numbers: number[] = []
    for (let at = firstAtLeast(codes, prefix); codes[at]?.startsWith(prefix); at++) numbers.push(at)
    return numbers
  })
}

function firstAtLeast(codes: readonly string[], code: string): number {
  let [low, high] = [0, codes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (codes[middle]! < code) low = middle + 1
    else high = middle
  }
  return low
}

/** The label of every code in an entry or a row. Codes without an entry get the label of their heading. */
function labelsByCode({ entries, families, headings }: LexiconSource): Map<string, string> {
  const labels = new Map<string, string>()
  for (const { code, label } of entries) if (!labels.has(code)) labels.set(code, label)
  for (const { rows } of families)
    for (const { code } of rows)
      if (!labels.has(code)) labels.set(code, headings.get(code.slice(0, 4)) ?? code)
  return labels
}

function entryGoods(
  { code, terms, possibleTerms }: LexiconEntry,
  codeOf: (code: string) => number,
): NamedGoods[] {
  const goods = { code: codeOf(code), family: undefined }
  return [
    { ...goods, possible: false, terms },
    { ...goods, possible: true, terms: possibleTerms },
  ]
}

function familyGoods(attributes: Attributes, { names }: GoodsFamily, compiled: Family): NamedGoods[] {
  return names.flatMap((group) => {
    const family = compileUsual(attributes, compiled, group)
    const goods = { code: usualCode(family), family }
    return [
      { ...goods, possible: false, terms: group.terms },
      { ...goods, possible: true, terms: group.possibleTerms },
    ]
  })
}
