/**
 * Scores the terms found in a description for their codes. Families choose their code by the attributes mentioned. A
 * term inside a longer one scores less. A term that covers more of the text scores more.
 */
import { type Attributes, groupMentions, type Mentions, proximity } from './attributes.ts'
import type { ClassifierWeights } from './classifier-weights.ts'
import { codesOfFamily, type FamilyCode, type GivenValues, type ValueByDimension } from './families.ts'
import { findPhrases, insertSorted, type Phrase, type PhraseIndex, type PhraseMatch } from './phrase-index.ts'
import { CONTAINERS } from './text/goods-text.ts'
import type { LexiconWord } from './text/lexicon-text.ts'
import { UNKNOWN, type Vocabulary } from './text/vocabulary.ts'

/** A term found in a description. */
export type PhraseHit = {
  readonly phrase: Phrase
  /** The positions of its words and of the mentions that its family used, ascending. */
  readonly at: readonly number[]
  /** The positions of its words, ascending. */
  readonly nameAt: readonly number[]
  /** Above 0. */
  readonly score: number
  /** The weight of its head, as in `GoodsWord`. */
  readonly headWeight: number
  /** Its code, or the codes of its family, best first. */
  readonly codes: readonly FamilyCode[]
  /** The values of its family that lead to the best code. Empty without a family. */
  readonly values: readonly number[]
}

/** The score of a hit for one code. */
export type CodeHit = { readonly hit: PhraseHit; readonly code: FamilyCode; readonly score: number }

export type PhraseTables = {
  readonly index: PhraseIndex
  readonly attributes: Attributes
  readonly weights: ClassifierWeights
  /** By code: 1 for materials and ingredients. */
  readonly isMaterial: Uint8Array
  /** As in `findPhrases`. */
  readonly isPresent: Uint8Array
}

/**
 * The terms found with their codes and scores, longest first. A term inside a longer one scores little: "jacket" in
 * "leather jacket". Generic words ("gift") are not found on their own. `factWords`: the number of words in front that
 * are facts and not part of the description.
 */
export function hitsIn(
  tables: PhraseTables,
  text: readonly LexiconWord[],
  given: GivenValues,
  factWords = 0,
): readonly PhraseHit[] {
  const { weights, attributes } = tables
  const { vocabulary } = tables.index
  const mentions = groupMentions(attributes, text)
  const matches = findPhrases(tables.index, weights, text, tables.isPresent).map((match) =>
    applyFamily(tables, match, mentions, text, given),
  )
  const covering = matchesByPlace(matches, text.length)
  const coverageOf = coverageIn(vocabulary, text)
  const isContained = containedMaterials(tables, matches, text)
  const isContradicted = contradictedBy(attributes, mentions, given.facts, factWords)
  return matches
    .map(({ phraseMatch, at, codes, values, information }) => {
      const isInside = shortestListAt(covering, phraseMatch.at).some((other) =>
        covers(other, phraseMatch, text),
      )
      const attributeFactor =
        1 + (weights.attributeBonus * information) / Math.max(1, phraseMatch.phrase.information)
      const coverageFactor = 1 + weights.coverage * coverageOf(at)
      const score =
        phraseMatch.score *
        attributeFactor *
        coverageFactor *
        (isInside ? weights.insideLonger : 1) *
        (isContained(phraseMatch) ? weights.containedMaterial : 1) *
        (isContradicted(phraseMatch) ? CONTRADICTED : 1)
      const headWeight = text[phraseMatch.headAt]!.weight
      return { phrase: phraseMatch.phrase, at, nameAt: phraseMatch.at, codes, values, headWeight, score }
    })
    .sort((a, b) => b.at.length - a.at.length)
}

/**
 * A match after its family was applied: the resulting positions and codes, and the information of the mentions used, in
 * nats.
 */
type FamilyMatch = Pick<PhraseHit, 'at' | 'codes' | 'values'> & {
  readonly phraseMatch: PhraseMatch
  readonly information: number
}

function applyFamily(
  { attributes, index, weights }: PhraseTables,
  phraseMatch: PhraseMatch,
  mentions: Mentions,
  text: readonly LexiconWord[],
  given: GivenValues,
): FamilyMatch {
  const { code, family } = phraseMatch.phrase.goods
  if (family === undefined)
    return {
      phraseMatch,
      at: phraseMatch.at,
      codes: [{ code, share: 1, differsIn: [] }],
      values: [],
      information: 0,
    }
  const chosen = codesOfFamily(attributes, family, mentions, phraseMatch, weights, given)
  const { codes, values, used } = chosen
  if (used.length === 0) return { phraseMatch, at: phraseMatch.at, codes, values, information: 0 }
  const at = [...phraseMatch.at]
  let information = 0
  for (const mention of used) {
    const closeness = proximity(mention, mentions.phraseEnds, phraseMatch.headAt)
    for (let place = mention.first; place <= mention.last; place++) {
      if (insertSorted(at, place)) information += closeness * informationOf(index.vocabulary, text[place]!)
    }
  }
  return { phraseMatch, at, codes, values, information }
}

/**
 * Returns a function that is true for materials and ingredients of the goods: their name is in front of the goods in
 * the same phrase ("argan oil shampoo"), or next to a percentage ("chocolate bar 70% cocoa").
 */
function containedMaterials(
  { isMaterial }: PhraseTables,
  matches: readonly FamilyMatch[],
  text: readonly LexiconWord[],
): (match: PhraseMatch) => boolean {
  const goods = matches.filter(
    ({ phraseMatch: { phrase, headAt } }) =>
      isMaterial[phrase.goods.code] === 0 && !phrase.goods.possible && !CONTAINERS.has(text[headAt]!.text),
  )
  if (goods.length === 0) return () => false
  const lastHead = lastHeadsOfPhrases(goods, text)
  return ({ phrase, headAt }) =>
    isMaterial[phrase.goods.code] === 1 && (headAt < lastHead[headAt]! || isPercentage(text, headAt))
}

/** The factor for a term that names another value than a fact. */
const CONTRADICTED = 0.3

/**
 * Returns a function that is true for terms that name another value than a fact: "wooden spoon", if the material is
 * plastic. Terms of a family that has this dimension use the fact instead.
 */
function contradictedBy(
  { dimensions }: Attributes,
  { byDimension }: Mentions,
  facts: ValueByDimension,
  factWords: number,
): (match: PhraseMatch) => boolean {
  const contrary = [...facts].flatMap(([dimension, fact]) => {
    const { valuesUnder } = dimensions[dimension]!
    const isContrary = (value: number): boolean =>
      !valuesUnder[fact]!.has(value) && !valuesUnder[value]!.has(fact)
    return (byDimension.get(dimension) ?? []).filter(
      ({ first, value }) => first >= factWords && isContrary(value),
    )
  })
  if (contrary.length === 0) return () => false
  return ({ phrase, at }) => {
    const decided = phrase.goods.family?.family.dimensions ?? []
    return contrary.some(
      ({ dimension, first, last }) => at.includes(first) && at.includes(last) && !decided.includes(dimension),
    )
  }
}

/** For each position: that of the last head noun of some goods in the same phrase. -1 if there is none. */
function lastHeadsOfPhrases(goods: readonly FamilyMatch[], text: readonly LexiconWord[]): Int16Array {
  const last = new Int16Array(text.length).fill(-1)
  for (const { phraseMatch } of goods) last[phraseMatch.headAt] = phraseMatch.headAt
  for (let at = text.length - 2; at >= 0; at--)
    if (!text[at]!.endsPhrase) last[at] = Math.max(last[at]!, last[at + 1]!)
  return last
}

function isPercentage(text: readonly LexiconWord[], at: number): boolean {
  return (text[at - 1]?.key.endsWith('%') || text[at + 1]?.key.endsWith('%')) ?? false
}

/** The matches at each position of a text. */
function matchesByPlace(
  matches: readonly FamilyMatch[],
  places: number,
): readonly (readonly FamilyMatch[])[] {
  const byPlace: FamilyMatch[][] = Array.from({ length: places }, () => [])
  for (const match of matches) for (const place of match.at) byPlace[place]!.push(match)
  return byPlace
}

/** The shortest of the lists at some positions. It is enough to search one list for a match that covers all of them. */
function shortestListAt(
  covering: readonly (readonly FamilyMatch[])[],
  places: readonly number[],
): readonly FamilyMatch[] {
  let shortest = covering[places[0]!]!
  for (const place of places) if (covering[place]!.length < shortest.length) shortest = covering[place]!
  return shortest
}

/**
 * True if a longer match covers another one: "leather jacket" covers "jacket", and a sweater that uses the mention
 * "wool" covers the term "wool". A match with a better arrangement or a head with more weight is not covered. Two
 * matches do not cover each other. Of two terms with the same words, the one in the order of the text covers the other:
 * "coffee filters" are not filter coffee.
 */
function covers(
  other: Pick<FamilyMatch, 'phraseMatch' | 'at'>,
  { at, headAt, arrangement }: PhraseMatch,
  text: readonly LexiconWord[],
): boolean {
  const { phraseMatch } = other
  if (text[phraseMatch.headAt]!.weight < text[headAt]!.weight || !includesAll(other.at, at)) return false
  const isLonger = other.at.length > at.length && !includesAll(at, phraseMatch.at)
  const isInOrder = phraseMatch.headAt !== headAt && phraseMatch.at.length === at.length
  return isLonger
    ? phraseMatch.arrangement >= arrangement
    : isInOrder && phraseMatch.arrangement > arrangement
}

function includesAll(places: readonly number[], wanted: readonly number[]): boolean {
  for (const place of wanted) if (!places.includes(place)) return false
  return true
}

/** The hits for each code, by code number, best first. */
export function hitsByCode(hits: readonly PhraseHit[]): ReadonlyMap<number, readonly CodeHit[]> {
  const byCode = new Map<number, CodeHit[]>()
  for (const hit of hits) {
    for (const code of hit.codes) {
      const list = byCode.get(code.code)
      const codeHit = { hit, code, score: hit.score * code.share }
      if (list === undefined) byCode.set(code.code, [codeHit])
      else list.push(codeHit)
    }
  }
  for (const list of byCode.values())
    if (list.length > 1)
      list.sort((a, b) => b.score - a.score || (a.hit.phrase.term < b.hit.phrase.term ? -1 : 1))
  return byCode
}

/**
 * Returns a function that calculates the share, 0 to 1, of the text's information that is at given positions
 * (ascending). Unknown words count as fairly rare. Noise words at other positions do not count.
 */
export function coverageIn(
  vocabulary: Vocabulary,
  text: readonly LexiconWord[],
): (places: readonly number[]) => number {
  const information = text.map((word) => informationOf(vocabulary, word) * word.weight)
  /** The information of the whole text, with the noise words at the given positions only. */
  const wholeWith = (places: readonly number[]): number => {
    let whole = 0
    let next = 0
    for (let at = 0; at < text.length; at++) {
      if (places[next] === at) next++
      else if (text[at]!.isNoise) continue
      whole += information[at]!
    }
    return whole
  }
  const wholeWithoutNoise = wholeWith([])
  return (places) => {
    let found = 0
    let hasNoise = false
    for (const at of places) {
      found += information[at]!
      if (text[at]!.isNoise) hasNoise = true
    }
    const whole = hasNoise ? wholeWith(places) : wholeWithoutNoise
    return whole === 0 ? 0 : found / whole
  }
}

/** The information of a word that no term contains (often a brand), in nats. */
const UNKNOWN_WORD_INFORMATION = 4

function informationOf({ information }: Vocabulary, { number }: LexiconWord): number {
  return number === UNKNOWN ? UNKNOWN_WORD_INFORMATION : information[number]!
}
