/**
 * Finds the HS subheading for a description in everyday words. Terms of the lexicon in the text decide. Longer terms, and
 * terms close to the head of the phrase, score more. If a family of goods has several codes, the attributes that the text
 * mentions choose among them. A word model trained on the same terms breaks ties and is the fallback.
 * docs/hs-classification.md explains the method with an example.
 */

import type { ClassifierWeights } from './classifier-weights.ts'
import type { Lexicon } from './compile-lexicon.ts'
import { type LexiconWord, readDescription } from './lexicon-text.ts'
import { type CodeHit, coverageIn, hitsByCode, hitsIn } from './phrases.ts'
import { UNKNOWN } from './vocabulary.ts'
import { scoreWords, wordsSupporting } from './word-model.ts'

/** An HS code that a description may fall under. */
export type HsCandidate = {
  /** Six digits, HS 2022. */
  readonly code: string
  /** A short name of the subheading, in our own words. */
  readonly label: string
  /** A short name of its heading, if the classifier has one. */
  readonly heading?: string | undefined
  /** 0 to 1: see `classify`. */
  readonly confidence: number
  /** What was found in the description, best first: terms that name the goods, or single words. */
  readonly matchedTerms: readonly string[]
  /** Questions to the sender. For the first candidate: what is open. For another: what would decide for it. */
  readonly questions: readonly string[]
}

/** `score` is in nats of information. */
type ScoredCode = { readonly code: number; readonly score: number }

/**
 * The codes that a description may fall under, best first, at most `limit`. Equal scores are in the order of the codes.
 * Empty if the text names no goods of the lexicon.
 *
 * The confidence of the first candidate estimates how often such an answer is right. The others share the rest by their
 * scores. All confidences add up to 1 at most.
 */
export function classify(lexicon: Lexicon, description: string, limit: number): readonly HsCandidate[] {
  const found = rankCodes(lexicon, description)
  if (found === undefined) return []
  const { byCode, ranked } = found
  const confidences = confidenceOf(lexicon.weights, evidence(lexicon, found))
  const terms = matchedTerms(lexicon, found)
  const chosen = byCode.get(ranked[0]!.code)
  const candidates: HsCandidate[] = []
  for (const [nth, { code }] of ranked.entries()) {
    if (candidates.length >= limit) break
    const matched = terms(code)
    // A code without matched terms got its score from its siblings only.
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

/** The evidence for the confidence of an answer, for fitting. Undefined if there is no answer. */
export function evidenceOf(lexicon: Lexicon, description: string): Evidence | undefined {
  const found = rankCodes(lexicon, description)
  return found && evidence(lexicon, found)
}

type Ranking = {
  readonly text: readonly LexiconWord[]
  readonly byCode: ReadonlyMap<number, readonly CodeHit[]>
  /** Best first; at least one. */
  readonly ranked: readonly ScoredCode[]
}

function rankCodes(lexicon: Lexicon, description: string): Ranking | undefined {
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

function evidence({ codes, index }: Lexicon, { text, byCode, ranked }: Ranking): Evidence {
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

/** The words for the word model, by number, with their weight. */
function modelWords(text: readonly LexiconWord[]): Map<number, number> {
  const words = new Map<number, number>()
  for (const { number, weight, isNoise } of text)
    if (number !== UNKNOWN && !isNoise) words.set(number, Math.max(words.get(number) ?? 0, weight))
  return words
}

/** Single words lead to a code only if one of them is the head noun of some terms. */
function namesGoods({ index }: Lexicon, words: ReadonlyMap<number, number>): boolean {
  return [...words.keys()].some((word) => index.vocabulary.headShare[word]! > 0.1)
}

/**
 * Adds up the scores of each code and returns the best, at most 20. It visits every code, so it uses plain loops and
 * overwrites `wordScores`.
 */
function rank(
  lexicon: Lexicon,
  hits: ReadonlyMap<number, readonly CodeHit[]>,
  wordScores: Float64Array,
): readonly ScoredCode[] {
  const { weights, model } = lexicon
  const direct = new Float64Array(model.codeCount)
  const headings = new Float64Array(model.headings.size)
  const chapters = new Float64Array(model.chapters.size)
  for (const [code, list] of hits)
    for (let nth = 0; nth < list.length; nth++) direct[code]! += list[nth]!.score * weights.repeated ** nth
  discountThingsBesideParts(lexicon, direct, hits)
  for (const code of hits.keys()) {
    const score = direct[code]!
    headings[model.headings.groupOf[code]!]! += score
    chapters[model.chapters.groupOf[code]!]! += score
  }
  const scores = wordScores
  const { sameHeading, sameChapter, wordModel } = weights
  const headingOf = model.headings.groupOf
  const chapterOf = model.chapters.groupOf
  let most = 0
  for (let code = 0; code < scores.length; code++) {
    const heading = headings[headingOf[code]!]!
    const chapter = chapters[chapterOf[code]!]!
    const siblings = sameHeading * (heading - direct[code]!) + sameChapter * (chapter - heading)
    const score = direct[code]! + siblings + wordModel * scores[code]!
    scores[code] = score
    if (score > most) most = score
  }
  return highest(scores, weights.minScoreShare * most)
}

/** Of one description. */
export const MAX_CANDIDATES = 20

/** The highest scores above 0 and at least `least`, highest first. Equal scores are in the order of the codes. */
function highest(scores: Float64Array, least: number): readonly ScoredCode[] {
  const list: ScoredCode[] = []
  for (let code = 0; code < scores.length; code++) {
    const score = scores[code]!
    if (score <= 0 || score < least) continue
    if (list.length === MAX_CANDIDATES) {
      if (score <= list[MAX_CANDIDATES - 1]!.score) continue
      list.pop()
    }
    let at = list.length
    while (at > 0 && list[at - 1]!.score < score) at--
    list.splice(at, 0, { code, score })
  }
  return list
}

/** A part whose head has no more weight only comes with the thing. */
const MAX_MENTION_WEIGHT = 0.5

/** A text that names a part and the thing it belongs to describes the part, so the thing scores less. */
function discountThingsBesideParts(
  { accessories, weights }: Lexicon,
  direct: Float64Array,
  hits: ReadonlyMap<number, readonly CodeHit[]>,
): void {
  const least = new Float64Array(direct.length).fill(1)
  const most = (codes: readonly number[]): number =>
    codes.reduce((sum, code) => Math.max(sum, direct[code]!), 0)
  // "Phone with case" describes the phone.
  const isNamed = (code: number): boolean => (hits.get(code)?.[0]?.hit.headWeight ?? 0) > MAX_MENTION_WEIGHT
  for (const { parts, things } of accessories) {
    const thing = most(things)
    if (thing === 0 || most(parts.filter(isNamed)) < weights.minPartShare * thing) continue
    for (const code of things) least[code] = weights.thingBesidePart
  }
  for (let code = 0; code < direct.length; code++) direct[code]! *= least[code]!
}

const MAX_MATCHED_TERMS = 5

/** Returns a function for the terms that led to a code, or the single words if no term did. At most five. */
function matchedTerms({ model }: Lexicon, { text, byCode, ranked }: Ranking): (code: number) => string[] {
  const withoutTerm = ranked.flatMap(({ code }) => (byCode.has(code) ? [] : [code]))
  const words = withoutTerm.length === 0 ? new Map<number, number>() : modelWords(text)
  const supporting = wordsSupporting(model, withoutTerm, words.keys())
  return (code) => {
    const terms = new Set<string>()
    for (const { hit } of byCode.get(code) ?? []) {
      if (terms.size === MAX_MATCHED_TERMS) break
      terms.add(hit.phrase.goods.family === undefined ? hit.phrase.term : textAt(text, hit.at))
    }
    for (const word of supporting.has(code) ? text : []) {
      if (terms.size === MAX_MATCHED_TERMS) break
      if (!word.isNoise && supporting.get(code)!.has(word.number)) terms.add(word.text)
    }
    return [...terms]
  }
}

function textAt(text: readonly LexiconWord[], places: readonly number[]): string {
  return places.map((at) => text[at]!.text).join(' ')
}

/** The questions that decide between a code and the chosen one, if both are of one family. */
function questionsFor(
  lexicon: Lexicon,
  chosen: readonly CodeHit[] | undefined,
  code: number,
): readonly string[] {
  const decisive = chosen?.find(({ code: { share } }) => share === 1)
  const near = decisive?.hit.codes.find((each) => each.code === code)
  return (near?.differsIn ?? []).map((dimension) => lexicon.attributes.dimensions[dimension]!.question)
}

// Confidence: an estimate of how often such an answer is right. A logistic function of a few features, fitted on the
// development set. `npm run bench:classify` prints how well it holds.

export type Evidence = {
  /** Scores of all candidates, best first; at least one. */
  readonly scores: readonly number[]
  /** Their codes. */
  readonly codes: readonly string[]
  /** The share of the text's information that the best code's terms cover, 0 to 1. */
  readonly coverage: number
  /** The best term of the best code. Undefined if only single words led to it. */
  readonly hit: CodeHit | undefined
  /** The number of words of the text. */
  readonly words: number
}

/** The features, each about 0 to 1, in the order of `classifierWeights.confidence.features`. */
export function featuresOf({ scores, codes, coverage, hit, words }: Evidence): readonly number[] {
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
  const features = featuresOf(evidence)
  const sum = features.reduce(
    (total, feature, nth) => total + confidence.features[nth]! * feature,
    confidence.bias,
  )
  const first = 1 / (1 + Math.exp(-sum))
  const [, ...others] = evidence.scores.map((score) => score ** confidence.sharpness)
  const rest = others.reduce((total, other) => total + other, 0)
  return [first, ...others.map((other) => Math.min(first, ((1 - first) * other) / rest))]
}

// Second opinion: whether a code that the caller gave fits the description. Given only if the classifier is confident and
// the code is not among the possible ones, because frequent false warnings would not help.

export type SecondOpinion = {
  readonly level: 'HEADING' | 'SUBHEADING'
  readonly message: string
  /** Best first; at least one. */
  readonly candidates: readonly HsCandidate[]
}

const MIN_CONFIDENCE = 0.5
/** Higher within one heading, since descriptions rarely decide between its subheadings. */
const MIN_CONFIDENCE_IN_HEADING = 0.65
/** A code with at least this confidence is possible: the text does not contradict it. */
const MIN_POSSIBLE = 0.005

/** The opinion on a given code, of which the first six digits count. `also` are further codes that it stands for. */
export function secondOpinion(
  given: string,
  also: readonly string[],
  candidates: readonly HsCandidate[],
): SecondOpinion | undefined {
  const [best] = candidates
  if (best === undefined || best.confidence < MIN_CONFIDENCE) return undefined
  const codes = [given, ...also].map((code) => code.slice(0, 6))
  const isPossible = ({ code, confidence }: HsCandidate): boolean =>
    codes.includes(code) && (code === best.code || confidence >= MIN_POSSIBLE)
  if (candidates.some(isPossible)) return undefined
  const sameHeading = candidates.filter(({ code }) =>
    codes.some((each) => each.slice(0, 4) === code.slice(0, 4)),
  )
  const isSameGoods = sameHeading.some(
    ({ code, confidence }) => code === best.code || confidence >= MIN_POSSIBLE,
  )
  if (isSameGoods && (best.confidence < MIN_CONFIDENCE_IN_HEADING || !sameHeading.includes(best)))
    return undefined
  return {
    level: isSameGoods ? 'SUBHEADING' : 'HEADING',
    message: `The description rather means ${best.code} (${best.label}) than ${given}; the given code was used.`,
    candidates,
  }
}
