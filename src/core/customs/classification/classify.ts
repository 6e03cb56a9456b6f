/**
 * Which HS subheading a description in everyday words falls under. Terms of the lexicon found in the text decide,
 * the longer and the nearer to the head of the phrase the more; where a family of goods splits over several codes, what
 * the text says of the goods chooses among them. A word model trained on the same terms breaks ties and is the
 * fall-back. Source: our own lexicon; design/classification.md has the measurements behind the shape.
 */

import type { ClassifierWeights } from './classifier-weights.ts'
import type { Lexicon } from './compile-lexicon.ts'
import { type LexiconWord, readDescription } from './lexicon-text.ts'
import { type CodeHit, coverageIn, hitsByCode, hitsIn } from './phrases.ts'
import { UNKNOWN } from './vocabulary.ts'
import { scoreWords, wordsThatSpeakFor } from './word-model.ts'

/** One HS code a description may fall under. */
export type HsCandidate = {
  /** Six digits, HS 2022. */
  readonly code: string
  /** Our own words for the subheading. */
  readonly label: string
  /** Our own words for its heading; absent where a classifier has none. */
  readonly heading?: string | undefined
  /** 0 to 1: see `classify`. */
  readonly confidence: number
  /** What was found in the description, best first: its words that name the goods, or single words that led here. */
  readonly matchedTerms: readonly string[]
  /** What would have to be known: for the first candidate to be sure of it, for another to choose it. May be empty. */
  readonly questions: readonly string[]
}

/** What speaks for one code, in nats of information. */
type Standing = { readonly code: number; readonly score: number }

/**
 * The codes a description may fall under, best first, at most `limit`; equals stand in the order of their codes.
 * Empty where nothing in the text names goods that the lexicon knows.
 *
 * The first one's confidence is the share of descriptions like this one that it was right for (see confidence.ts); the
 * others share what is left by their scores, so that the confidences of one answer never add up to more than 1.
 */
export function classify(lexicon: Lexicon, description: string, limit: number): readonly HsCandidate[] {
  const found = standingsOf(lexicon, description)
  if (found === undefined) return []
  const { byCode, ranked } = found
  const confidences = confidenceOf(lexicon.weights, evidence(lexicon, found))
  const terms = matchedTerms(lexicon, found)
  const chosen = byCode.get(ranked[0]!.code)
  const candidates: HsCandidate[] = []
  for (const [nth, { code }] of ranked.entries()) {
    if (candidates.length >= limit) break
    const matched = terms(code)
    // A sister code that none of the words speak for has nothing to show.
    if (matched.length === 0) continue
    candidates.push({
      code: lexicon.codes[code]!,
      label: lexicon.labels[code]!,
      heading: lexicon.headings.get(lexicon.codes[code]!.slice(0, 4)),
      confidence: confidences[nth]!,
      matchedTerms: matched,
      questions: questionsFor(lexicon, chosen, code),
    })
  }
  return candidates
}

/** What the confidence of an answer is read from, for fitting it; undefined where there is no answer. */
export function evidenceOf(lexicon: Lexicon, description: string): Evidence | undefined {
  const found = standingsOf(lexicon, description)
  return found && evidence(lexicon, found)
}

/** What speaks for which code. */
type Standings = {
  readonly text: readonly LexiconWord[]
  readonly byCode: ReadonlyMap<number, readonly CodeHit[]>
  /** The best first; at least one. */
  readonly ranked: readonly Standing[]
}

function standingsOf(lexicon: Lexicon, description: string): Standings | undefined {
  const text = readDescription(
    lexicon.index.vocabulary,
    lexicon.attributes.words,
    description,
    lexicon.reading,
  )
  const byCode = hitsByCode(hitsIn(lexicon, text))
  const words = modelWords(text)
  if (byCode.size === 0 && !namesGoods(lexicon, words)) return undefined
  const ranked = rank(lexicon, byCode, scoreWords(lexicon.model, words))
  return ranked.length === 0 ? undefined : { text, byCode, ranked }
}

function evidence({ codes, index }: Lexicon, { text, byCode, ranked }: Standings): Evidence {
  const hits = byCode.get(ranked[0]!.code) ?? []
  const covered = new Set(hits.flatMap(({ hit }) => hit.at))
  return {
    scores: ranked.map(({ score }) => score),
    codes: ranked.map(({ code }) => codes[code]!),
    coverage: coverageIn(index.vocabulary, text)([...covered].sort((a, b) => a - b)),
    hit: hits[0],
    words: text.length,
  }
}

/** The words the word model hears, by number, with their say. */
function modelWords(text: readonly LexiconWord[]): Map<number, number> {
  const words = new Map<number, number>()
  for (const { number, part, isLittle } of text)
    if (number !== UNKNOWN && !isLittle) words.set(number, Math.max(words.get(number) ?? 0, part))
  return words
}

/** Single words lead to a code only if one of them names goods: it is the head noun of some of its terms. */
function namesGoods({ index }: Lexicon, words: ReadonlyMap<number, number>): boolean {
  return [...words.keys()].some((word) => index.vocabulary.headness[word]! > 0.1)
}

/**
 * Adds up what speaks for each code and keeps the ones within sight of the best, at most twenty. Every code is looked
 * at, so this is plain loops; `wordScores` is written over.
 */
function rank(
  lexicon: Lexicon,
  hits: ReadonlyMap<number, readonly CodeHit[]>,
  wordScores: Float64Array,
): readonly Standing[] {
  const { weights, model } = lexicon
  const own = new Float64Array(model.codeCount)
  const headings = new Float64Array(model.headings.size)
  const chapters = new Float64Array(model.chapters.size)
  for (const [code, list] of hits)
    for (let nth = 0; nth < list.length; nth++) own[code]! += list[nth]!.worth * weights.repeated ** nth
  yieldToParts(lexicon, own, hits)
  for (const code of hits.keys()) {
    const worth = own[code]!
    headings[model.headings.groupOf[code]!]! += worth
    chapters[model.chapters.groupOf[code]!]! += worth
  }
  const scores = wordScores
  const { sameHeading, sameChapter, wordModel } = weights
  const headingOf = model.headings.groupOf
  const chapterOf = model.chapters.groupOf
  let most = 0
  for (let code = 0; code < scores.length; code++) {
    const heading = headings[headingOf[code]!]!
    const chapter = chapters[chapterOf[code]!]!
    const siblings = sameHeading * (heading - own[code]!) + sameChapter * (chapter - heading)
    const score = own[code]! + siblings + wordModel * scores[code]!
    scores[code] = score
    if (score > most) most = score
  }
  return highest(scores, weights.inSight * most)
}

const MOST_STANDINGS = 20

/** The highest scores above 0 that reach the least, the highest first; of equal ones that of the lower code. */
function highest(scores: Float64Array, least: number): readonly Standing[] {
  const list: Standing[] = []
  for (let code = 0; code < scores.length; code++) {
    const score = scores[code]!
    if (score <= 0 || score < least) continue
    if (list.length === MOST_STANDINGS) {
      if (score <= list[MOST_STANDINGS - 1]!.score) continue
      list.pop()
    }
    let at = list.length
    while (at > 0 && list[at - 1]!.score < score) at--
    list.splice(at, 0, { code, score })
  }
  return list
}

/** A part with no more say than this only comes with the thing. */
const MENTIONED = 0.5

/** A text that names a part and the thing it is for sells the part: the thing counts for less. */
function yieldToParts(
  { accessories, weights }: Lexicon,
  own: Float64Array,
  hits: ReadonlyMap<number, readonly CodeHit[]>,
): void {
  const least = new Float64Array(own.length).fill(1)
  const most = (codes: readonly number[]): number => codes.reduce((sum, code) => Math.max(sum, own[code]!), 0)
  // "Phone with case" sells the phone.
  const isNamed = (code: number): boolean => (hits.get(code)?.[0]?.hit.part ?? 0) > MENTIONED
  for (const { parts, things } of accessories) {
    const thing = most(things)
    if (thing === 0 || most(parts.filter(isNamed)) < weights.partInSight * thing) continue
    for (const code of things) least[code] = weights.thingBesidePart
  }
  for (let code = 0; code < own.length; code++) own[code]! *= least[code]!
}

const MOST_TERMS = 5

/** Gives the terms that led to a code, or the single words where no term did; at most five. */
function matchedTerms({ model }: Lexicon, { text, byCode, ranked }: Standings): (code: number) => string[] {
  const withoutTerm = ranked.flatMap(({ code }) => (byCode.has(code) ? [] : [code]))
  const heard = withoutTerm.length === 0 ? new Map<number, number>() : modelWords(text)
  const speaking = wordsThatSpeakFor(model, withoutTerm, heard.keys())
  return (code) => {
    const terms = new Set<string>()
    for (const { hit } of byCode.get(code) ?? []) {
      if (terms.size === MOST_TERMS) break
      terms.add(hit.phrase.goods.family === undefined ? hit.phrase.term : textAt(text, hit.at))
    }
    for (const word of speaking.has(code) ? text : []) {
      if (terms.size === MOST_TERMS) break
      if (!word.isLittle && speaking.get(code)!.has(word.number)) terms.add(word.text)
    }
    return [...terms]
  }
}

function textAt(text: readonly LexiconWord[], places: readonly number[]): string {
  return places.map((at) => text[at]!.text).join(' ')
}

/** The questions that part a code from the chosen one, as far as they are of one family. */
function questionsFor(
  lexicon: Lexicon,
  chosen: readonly CodeHit[] | undefined,
  code: number,
): readonly string[] {
  const decisive = chosen?.find(({ code: { share } }) => share === 1)
  const near = decisive?.hit.codes.find((each) => each.code === code)
  return (near?.differsIn ?? []).map((dimension) => lexicon.attributes.dimensions[dimension]!.question)
}

// How sure the first answer is: the share of texts like this one for which it was right. A logistic curve over a few
// plain signs, fitted on the development set (npm run bench:classify prints how well it holds).

/** What the confidence is read from. */
export type Evidence = {
  /** Of all candidates, best first; at least one. */
  readonly scores: readonly number[]
  /** Their codes. */
  readonly codes: readonly string[]
  /** The share of the text's information that the best code's terms cover, 0 to 1. */
  readonly coverage: number
  /** The best term of the best code; undefined where only single words led to it. */
  readonly hit: CodeHit | undefined
  /** How many words the text has. */
  readonly words: number
}

/** The signs, each about 0 to 1. In the order of the weights. */
export function signsOf({ scores, codes, coverage, hit, words }: Evidence): readonly number[] {
  const [first = 0, second = 0] = scores
  const heading = codes[0]?.slice(0, 4)
  const rival = scores.find((_, nth) => codes[nth]?.slice(0, 4) !== heading) ?? 0
  const hasTerm = hit !== undefined
  return [
    Math.min(3, Math.log(first / Math.max(second, 0.01))) / 3,
    Math.min(3, Math.log(first / Math.max(rival, 0.01))) / 3,
    coverage,
    hasTerm && hit.code.share === 1 && !hit.hit.phrase.goods.possible ? 1 : 0,
    Math.min(5, Math.log(1 + first)) / 5,
    hasTerm ? Math.min(4, hit.hit.at.length) / 4 : 0,
    hasTerm && hit.code.differsIn.length > 0 ? 1 : 0,
    Math.min(30, words) / 30,
  ]
}

/** The confidences of the candidates, each 0 to 1, together at most 1. */
export function confidenceOf(
  { confidence }: Pick<ClassifierWeights, 'confidence'>,
  evidence: Evidence,
): readonly number[] {
  const signs = signsOf(evidence)
  const sum = signs.reduce((total, sign, nth) => total + confidence.signs[nth]! * sign, confidence.bias)
  const first = 1 / (1 + Math.exp(-sum))
  const [, ...others] = evidence.scores.map((score) => score ** confidence.sharpness)
  const rest = others.reduce((total, other) => total + other, 0)
  return [first, ...others.map((other) => Math.min(first, ((1 - first) * other) / rest))]
}

// Whether a code that a caller gave fits what the goods are called. Only said where the classifier is sure and the given
// code is not among what it thinks possible: a warning that is wrong half of the time is no help.

/** What disagrees with a given code. */
export type SecondOpinion = {
  readonly level: 'HEADING' | 'SUBHEADING'
  readonly message: string
  /** The best first; at least one. */
  readonly candidates: readonly HsCandidate[]
}

/** From here on a first answer is right more often than not by far. */
const SURE = 0.5
/** Of the same heading the texts rarely say enough, so more is asked for. */
const VERY_SURE = 0.65
/** A code that the classifier gives at least this much is possible: what the text is silent on, not what it denies. */
const POSSIBLE = 0.005

/** The opinion on a code (its first six digits count; `also` are codes it stands for) from what the goods may be. */
export function secondOpinion(
  given: string,
  also: readonly string[],
  candidates: readonly HsCandidate[],
): SecondOpinion | undefined {
  const [best] = candidates
  if (best === undefined || best.confidence < SURE) return undefined
  const codes = [given, ...also].map((code) => code.slice(0, 6))
  const isPossible = ({ code, confidence }: HsCandidate): boolean =>
    codes.includes(code) && (code === best.code || confidence >= POSSIBLE)
  if (candidates.some(isPossible)) return undefined
  const sameHeading = candidates.filter(({ code }) =>
    codes.some((each) => each.slice(0, 4) === code.slice(0, 4)),
  )
  const isSameGoods = sameHeading.some(({ code, confidence }) => code === best.code || confidence >= POSSIBLE)
  if (isSameGoods && (best.confidence < VERY_SURE || !sameHeading.includes(best))) return undefined
  return {
    level: isSameGoods ? 'SUBHEADING' : 'HEADING',
    message: `The description rather means ${best.code} (${best.label}) than ${given}; the given code was used.`,
    candidates,
  }
}
