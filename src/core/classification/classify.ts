/**
 * Finds the HS subheading for a description in everyday words. The text is searched for terms of the lexicon. Longer
 * terms, and terms close to the head of the phrase, score more. If a family of goods has several codes, the attributes
 * in the text select one of them. The text model, which is trained on labelled texts, gives probabilities that are
 * combined with these scores.
 * docs/hs-classification.md explains the method with an example.
 */

import type { DescribedGoods } from '../goods-facts.ts'
import type { HsCandidate, Interview } from '../hs-candidate.ts'
import type { Attributes } from './attributes.ts'
import type { Lexicon } from './compile-lexicon.ts'
import { hasConflict } from './conflict.ts'
import { isContradicted } from './families.ts'
import { type CompiledSet, noteOn, setsIn, wordsForNotes } from './legal-notes.ts'
import { combine } from './models/combine.ts'
import { confidenceOf, type Evidence, isWrittenAsTitle, type ModelOpinion } from './models/confidence.ts'
import {
  clearlyPointsTo,
  pointsTo,
  probabilityOf,
  type TextChances,
  textChances,
} from './models/text-model.ts'
import { type CodeHit, hitsByCode, hitsIn, type PhraseHit } from './phrases.ts'
import { NO_ANSWERS, questionsAbout, type ReadAnswers, readAnswers } from './questions.ts'
import { MAX_CANDIDATES, rank, type ScoredCode } from './ranking.ts'
import { readGoods } from './read-goods.ts'
import type { LexiconWord } from './text/lexicon-text.ts'
import { hasDigit, UNKNOWN } from './text/vocabulary.ts'

/**
 * The codes that a description may fall under, best first, at most `limit`. Equal scores are ordered by code. Empty if
 * the text names no goods of the lexicon.
 *
 * The confidence of the first candidate is the estimated probability that it is right. The remaining probability is
 * divided among the others by score, so that all confidences add up to at most 1.
 */
export function classify(lexicon: Lexicon, description: string, limit: number): readonly HsCandidate[] {
  const found = rankCodes(lexicon, { description })
  return found === undefined ? [] : candidatesFrom(lexicon, found, limit)
}

/** Like `classify`, with facts and answers. Answers to questions that the goods do not raise are ignored. */
export function interview(lexicon: Lexicon, goods: DescribedGoods, limit: number): Interview {
  const answers = readAnswers(lexicon.attributes, goods.answers ?? [])
  const found = rankCodes(lexicon, goods, answers)
  if (found === undefined) return { candidates: [], questions: [], hasConflict: false }
  const candidates = candidatesFrom(lexicon, found, MAX_CANDIDATES)
  const chosen = found.byCode.get(found.ranked[0]!.code) ?? []
  return {
    candidates: candidates.slice(0, limit),
    questions: questionsAbout(lexicon, candidates, chosen, answers),
    hasConflict: hasConflict(lexicon.codes, found.ranked, found.byCode),
  }
}

function candidatesFrom(lexicon: Lexicon, found: Ranking, limit: number): readonly HsCandidate[] {
  const { byCode, ranked } = found
  const confidences = confidenceOf(lexicon.weights, evidence(lexicon, found))
  const chosen = byCode.get(ranked[0]!.code)
  const isNamed = (code: number): boolean => byCode.get(code)?.some((hit) => hit.code.share === 1) ?? false
  const leastScore = lexicon.weights.listedShare * ranked[0]!.score
  const candidates: HsCandidate[] = []
  for (const [nth, { code, score }] of ranked.entries()) {
    if (candidates.length >= limit || score < leastScore) break
    const matched = matchedTerms(lexicon, found, code)
    // Such a code got its score from its siblings only.
    if (matched.length === 0 && nth > 0) continue
    candidates.push({
      code: lexicon.codes[code]!,
      label: lexicon.labels[code]!,
      heading: lexicon.headings.get(lexicon.codes[code]!.slice(0, 4)),
      confidence: confidences[nth]!,
      matchedTerms: matched,
      questions: questionsFor(lexicon, chosen, code),
      becauseOf: noteOn(lexicon.notes, code, found.noteWords, found.sets, isNamed),
    })
  }
  return candidates
}

export { MAX_CANDIDATES }

/** What the confidence is calculated from, for fitting its parameters. Undefined if there are no candidates. */
export function evidenceOf(lexicon: Lexicon, description: string): Evidence | undefined {
  const found = rankCodes(lexicon, { description })
  return found && evidence(lexicon, found)
}

type Ranking = {
  readonly text: readonly LexiconWord[]
  readonly isTitle: boolean
  /** As in `wordsForNotes`. */
  readonly noteWords: ReadonlySet<string>
  /** The rules for sets that apply to the text. */
  readonly sets: readonly CompiledSet[]
  readonly byCode: ReadonlyMap<number, readonly CodeHit[]>
  /** Best first; at least one. */
  readonly ranked: readonly ScoredCode[]
  readonly opinion: ModelOpinion | undefined
}

/** If nothing but the brand names goods, it is read as a part of the description. */
function rankCodes(
  lexicon: Lexicon,
  goods: DescribedGoods,
  answers: ReadAnswers = NO_ANSWERS,
): Ranking | undefined {
  const found = rankGoods(lexicon, goods, answers)
  if (found !== undefined || goods.facts?.brand === undefined) return found
  return rankGoods(lexicon, { ...goods, facts: { ...goods.facts, brand: undefined } }, answers)
}

function rankGoods(
  lexicon: Lexicon,
  goods: DescribedGoods,
  { values, code }: ReadAnswers,
): Ranking | undefined {
  const { text, factWords, values: facts } = readGoods(lexicon, goods)
  const answered = lexicon.codes.indexOf(code ?? '')
  const hits = hitsIn(lexicon, text, { answers: values, facts }, factWords)
  const byCode = hitsByCode(answered === -1 ? hits : hits.map((hit) => withoutOtherGoods(hit, answered)))
  const hasFacts = goods.facts !== undefined
  const noteWords = wordsForNotes(lexicon.attributes, text, lexicon.read(goods.facts?.composition ?? ''))
  const sets = setsIn(lexicon.notes, noteWords, text, byCode)
  const byTerms = rank(lexicon, byCode, sets)
  if (byTerms.length === 0 && (hasFacts || !isClear(lexicon, text))) return undefined
  // Read after `isClear`, because the chances of a text are valid only until another text is read.
  const chances = lexicon.textModel && textChances(lexicon.textModel, text)
  const decidedBy = hasFacts ? 'facts' : decidesAmong(hits, values) ? 'answers' : undefined
  const contradicted = contradictedBy(byCode.get(byTerms[0]?.code ?? UNKNOWN)?.[0])
  const scored =
    chances === undefined
      ? byTerms
      : combine(byTerms, chances, lexicon.weights, { byCode, contradicted, decidedBy })
  const ranked = values.size === 0 ? withFirst(scored, answered) : scored
  const opinion = chances && opinionOn(ranked[0]!.code, chances)
  const isTitle = isWrittenAsTitle(goods.description)
  return { text, isTitle, noteWords, sets, byCode, ranked, opinion }
}

/** The codes of the family of a hit that the text contradicts. */
function contradictedBy(best: CodeHit | undefined): ReadonlySet<number> {
  const codes = new Set(best?.hit.phrase.goods.family?.family.codes)
  for (const found of best?.hit.codes ?? []) if (!isContradicted(found)) codes.delete(found.code)
  return codes
}

/** True if an answer is about a dimension of goods that were found. */
function decidesAmong(hits: readonly PhraseHit[], answers: ReadAnswers['values']): boolean {
  return hits.some(({ phrase: { goods } }) =>
    goods.family?.family.dimensions.some((dimension) => answers.has(dimension)),
  )
}

/**
 * True if the text model may propose codes for a text without a term. A heading must be probable, also without the
 * numbers and quantities of the text, and a word that is no number must point to it clearly. The checks are needed
 * because unknown words and numbers share weights with known words, and can make a heading probable by chance.
 */
function isClear({ textModel, weights }: Lexicon, text: readonly LexiconWord[]): boolean {
  if (textModel === undefined) return false
  const { alone, withoutNumbers } = weights.textModel
  const { proposed, chanceOf } = textChances(textModel, text)
  const [first] = proposed
  if (first === undefined || Math.exp(chanceOf(first)!.heading) < alone) return false
  const others = text.filter(({ key }) => !hasDigit(key))
  if (!others.some(({ key, isNoise }) => !isNoise && clearlyPointsTo(textModel, key, first))) return false
  if (others.length === text.length) return true
  return Math.exp(textChances(textModel, others).chanceOf(first)!.heading) >= withoutNumbers
}

function opinionOn(first: number, { proposed, chanceOf }: TextChances): ModelOpinion {
  const rival = proposed.find((code) => code !== first)
  return {
    chance: probabilityOf(chanceOf(first)),
    rival: rival === undefined ? 0 : probabilityOf(chanceOf(rival)),
  }
}

/** The score of a hit for other goods than those of an answer. */
const OTHER_GOODS = 0.1

/** The hit with a low score, unless it may lead to the code of an answer. */
function withoutOtherGoods(hit: PhraseHit, code: number): PhraseHit {
  const { family, code: usual } = hit.phrase.goods
  const leadsThere = family === undefined ? usual === code : family.family.codes.includes(code)
  return leadsThere ? hit : { ...hit, score: OTHER_GOODS * hit.score }
}

/** Puts the code of an answer first, with at least twice the score of the next one. */
function withFirst(ranked: readonly ScoredCode[], code: number): readonly ScoredCode[] {
  const answered = ranked.find((scored) => scored.code === code)
  if (answered === undefined) return ranked
  const others = ranked.filter((scored) => scored !== answered)
  return [{ code, score: Math.max(answered.score, 2 * (others[0]?.score ?? 0)) }, ...others]
}

function evidence(lexicon: Lexicon, { text, isTitle, byCode, ranked, opinion }: Ranking): Evidence {
  return {
    scores: ranked.map(({ score }) => score),
    codes: ranked.map(({ code }) => lexicon.codes[code]!),
    hit: byCode.get(ranked[0]!.code)?.[0],
    words: text.length,
    unknownWords: text.filter((word) => isUnknown(lexicon.attributes, word)).length,
    isTitle,
    opinion,
  }
}

function isUnknown({ words }: Attributes, { key, number, isNoise }: LexiconWord): boolean {
  return !isNoise && number === UNKNOWN && !words.has(key)
}

const MAX_MATCHED_TERMS = 5

/** The terms that led to a code, or the single words if no term did; at most five. */
function matchedTerms({ textModel }: Lexicon, { text, byCode }: Ranking, code: number): readonly string[] {
  const hits = byCode.get(code)
  const terms = new Set<string>()
  if (hits === undefined) {
    for (const { key, isNoise, text: word } of text) {
      if (terms.size === MAX_MATCHED_TERMS) break
      if (textModel !== undefined && !isNoise && pointsTo(textModel, key, code)) terms.add(word)
    }
  } else {
    for (const { hit } of hits) {
      if (terms.size === MAX_MATCHED_TERMS) break
      terms.add(hit.phrase.goods.family === undefined ? hit.phrase.term : textAt(text, hit.at))
    }
  }
  return [...terms]
}

function textAt(text: readonly LexiconWord[], places: readonly number[]): string {
  return places.map((at) => text[at]!.text).join(' ')
}

/** The questions whose answers decide between a code and the chosen one, if both belong to one family. */
function questionsFor(
  lexicon: Lexicon,
  chosen: readonly CodeHit[] | undefined,
  code: number,
): readonly string[] {
  const decisive = chosen?.find(({ code: { share } }) => share === 1)
  const near = decisive?.hit.codes.find((familyCode) => familyCode.code === code)
  return (near?.differsIn ?? []).map((dimension) => lexicon.attributes.dimensions[dimension]!.question)
}

// Second opinion: whether a code that the caller gave fits the description. It is given only if the classifier is
// confident and excludes the code, because frequent false warnings would be ignored.

export type SecondOpinion = {
  readonly level: 'HEADING' | 'SUBHEADING'
  readonly message: string
  /** Best first; at least one. */
  readonly candidates: readonly HsCandidate[]
}

const MIN_CONFIDENCE = 0.45
/** Higher within one heading, since descriptions rarely decide between its subheadings. */
const MIN_CONFIDENCE_IN_HEADING = 0.62
/** A code with at least this confidence is possible: the text does not contradict it. */
const MIN_POSSIBLE = 0.005

/**
 * Compares the first six digits of a given code with the candidates. `equivalents` are other codes for the same goods,
 * such as successors of an ended code. Undefined if the given code may be right.
 */
export function secondOpinion(
  given: string,
  equivalents: readonly string[],
  candidates: readonly HsCandidate[],
): SecondOpinion | undefined {
  const [best] = candidates
  if (best === undefined || best.confidence < MIN_CONFIDENCE) return undefined
  const codes = [given, ...equivalents].map((code) => code.slice(0, 6))
  const isPossible = ({ code, confidence }: HsCandidate): boolean =>
    codes.includes(code) && (code === best.code || confidence >= MIN_POSSIBLE)
  if (candidates.some(isPossible)) return undefined
  const sameHeading = candidates.filter(({ code }) =>
    codes.some((givenCode) => givenCode.slice(0, 4) === code.slice(0, 4)),
  )
  const isHeadingPossible = sameHeading.some(
    ({ code, confidence }) => code === best.code || confidence >= MIN_POSSIBLE,
  )
  if (isHeadingPossible && (best.confidence < MIN_CONFIDENCE_IN_HEADING || !sameHeading.includes(best)))
    return undefined
  return {
    level: isHeadingPossible ? 'SUBHEADING' : 'HEADING',
    message: `The description matches ${best.code} (${best.label}) better than ${given}; the given code was used.`,
    candidates,
  }
}
