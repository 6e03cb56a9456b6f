/**
 * What the terms found in a description say for which codes: their families are asked, terms inside longer ones count for
 * little, and what a term is worth grows with the share of the text that it covers.
 */
import { type Attributes, type Heard, hear, nearness } from './attributes.ts'
import type { ClassifierWeights } from './classifier-weights.ts'
import { codesOfFamily, type FamilyCode } from './families.ts'
import type { LexiconWord } from './lexicon-text.ts'
import { type Find, findPhrases, insert, type Phrase, type PhraseIndex } from './phrase-index.ts'
import { UNKNOWN, type Vocabulary } from './vocabulary.ts'

/** A term found in a description. */
export type PhraseHit = {
  readonly phrase: Phrase
  /** The places of its words, and of the words its family heeded, ascending. */
  readonly at: readonly number[]
  /** Above 0. */
  readonly worth: number
  /** The say of its head, as in `GoodsWord`. */
  readonly part: number
  /** The codes it speaks for, the best first: one, or those of its family. */
  readonly codes: readonly FamilyCode[]
}

/** What a hit says for one code. */
export type CodeHit = { readonly hit: PhraseHit; readonly code: FamilyCode; readonly worth: number }

/** What descriptions are looked up in. */
export type PhraseTables = {
  readonly index: PhraseIndex
  readonly attributes: Attributes
  readonly weights: ClassifierWeights
}

/**
 * The terms found, each with the codes it speaks for, the longest first. A term inside a longer find counts for
 * little: "leather jacket" leaves next to nothing of "jacket". Words for goods of any kind ("gift") are no find.
 */
export function hitsIn(tables: PhraseTables, text: readonly LexiconWord[]): readonly PhraseHit[] {
  const { weights, attributes } = tables
  const { vocabulary } = tables.index
  const heard = hear(attributes, text)
  const heeding = findPhrases(tables.index, weights, text).map((find) =>
    heedFamily(tables, find, heard, text),
  )
  const covering = coveringByPlace(heeding, text.length)
  const coverageOf = coverageIn(vocabulary, text)
  return heeding
    .map(({ find, at, codes, said }) => {
      const isInside = fewestAt(covering, find.at).some((other) => hides(other, find, text))
      const saying = 1 + (weights.saidAttribute * said) / Math.max(1, find.phrase.information)
      const covered = 1 + weights.coverage * coverageOf(at)
      const worth = find.worth * saying * covered * (isInside ? weights.insideLonger : 1)
      return { phrase: find.phrase, at, codes, part: text[find.headAt]!.part, worth }
    })
    .sort((a, b) => b.at.length - a.at.length)
}

/** A find with the places of what its family heeded, the codes that gives, and the information heeded, in nats. */
type Heeding = Pick<PhraseHit, 'at' | 'codes'> & { readonly find: Find; readonly said: number }

function heedFamily(
  { attributes, index, weights }: PhraseTables,
  find: Find,
  heard: Heard,
  text: readonly LexiconWord[],
): Heeding {
  const { code, family } = find.phrase.goods
  if (family === undefined) return { find, at: find.at, codes: [{ code, share: 1, differsIn: [] }], said: 0 }
  const { codes, heeded } = codesOfFamily(attributes, family, heard, find, weights)
  if (heeded.length === 0) return { find, at: find.at, codes, said: 0 }
  const at = [...find.at]
  let said = 0
  for (const saying of heeded) {
    const near = nearness(saying, heard.phraseEnds, find.headAt)
    for (let place = saying.first; place <= saying.last; place++) {
      if (insert(at, place)) said += near * informationOf(index.vocabulary, text[place]!)
    }
  }
  return { find, at, codes, said }
}

/** The finds at each place of a text. */
function coveringByPlace(heeding: readonly Heeding[], places: number): readonly (readonly Heeding[])[] {
  const covering: Heeding[][] = Array.from({ length: places }, () => [])
  for (const each of heeding) for (const place of each.at) covering[place]!.push(each)
  return covering
}

/** Of the lists of some places the shortest: what covers all of the places is in each of them. */
function fewestAt(covering: readonly (readonly Heeding[])[], places: readonly number[]): readonly Heeding[] {
  let fewest = covering[places[0]!]!
  for (const place of places) if (covering[place]!.length < fewest.length) fewest = covering[place]!
  return fewest
}

/**
 * "Leather jacket" hides "jacket", and a sweater that heeds "wool" hides the wool; not what it is itself inside of, nor
 * words that stand better together, or nearer to the goods, than its own.
 */
function hides(
  other: Pick<Heeding, 'find' | 'at'>,
  { at, headAt, standing }: Find,
  text: readonly LexiconWord[],
): boolean {
  return (
    other.at.length > at.length &&
    other.find.standing >= standing &&
    text[other.find.headAt]!.part >= text[headAt]!.part &&
    includesAll(other.at, at) &&
    !includesAll(at, other.find.at)
  )
}

function includesAll(places: readonly number[], wanted: readonly number[]): boolean {
  for (const place of wanted) if (!places.includes(place)) return false
  return true
}

/** What the hits say for each code, by the code's number, each list best first. */
export function hitsByCode(hits: readonly PhraseHit[]): ReadonlyMap<number, readonly CodeHit[]> {
  const byCode = new Map<number, CodeHit[]>()
  for (const hit of hits) {
    for (const code of hit.codes) {
      const list = byCode.get(code.code)
      const codeHit = { hit, code, worth: hit.worth * code.share }
      if (list === undefined) byCode.set(code.code, [codeHit])
      else list.push(codeHit)
    }
  }
  for (const list of byCode.values())
    if (list.length > 1)
      list.sort((a, b) => b.worth - a.worth || (a.hit.phrase.term < b.hit.phrase.term ? -1 : 1))
  return byCode
}

/**
 * The share of the text's information that words at some places carry, 0 to 1; the places ascend. Unknown words count
 * as fairly rare. Words that say little count only at the places given.
 */
export function coverageIn(
  vocabulary: Vocabulary,
  text: readonly LexiconWord[],
): (places: readonly number[]) => number {
  const information = Float64Array.from(text, (word) => informationOf(vocabulary, word) * word.part)
  /** The information of the whole text, with those of the words that say little which are at the places. */
  const wholeWith = (places: readonly number[]): number => {
    let whole = 0
    let next = 0
    for (let at = 0; at < text.length; at++) {
      if (places[next] === at) next++
      else if (text[at]!.isLittle) continue
      whole += information[at]!
    }
    return whole
  }
  const wholeWithoutLittle = wholeWith([])
  return (places) => {
    let found = 0
    let withLittle = false
    for (const at of places) {
      found += information[at]!
      if (text[at]!.isLittle) withLittle = true
    }
    const whole = withLittle ? wholeWith(places) : wholeWithoutLittle
    return whole === 0 ? 0 : found / whole
  }
}

/** The information of a word that is in no term, in nats: often a brand. */
const UNKNOWN_WORD = 4

function informationOf({ information }: Vocabulary, { number }: LexiconWord): number {
  return number === UNKNOWN ? UNKNOWN_WORD : information[number]!
}
