/**
 * Which HS subheading a description in everyday words falls under. Terms of the lexicon found in the text decide,
 * the longer and the nearer to the head of the phrase the more; a word model trained on the same terms breaks ties
 * and is the fall-back. Source: our own lexicon; design/classification.md has the measurements behind the shape.
 */
import { type ClassifierWeights, classifierWeights } from './classifier-weights.ts'
import type { GoodsWord } from './goods-text.ts'
import { goodsWords } from './goods-text.ts'
import type { LexiconEntry } from './lexicon.ts'
import { namesAnything, saysLittle } from './noise-words.ts'
import { indexPhrases, type PhraseIndex, wordsAsInLexicon } from './phrase-index.ts'
import { coverage, hitsByCode, type PhraseHit } from './phrases.ts'
import { scoreWords, type TrainingWords, trainWordModel, type WordModel } from './word-model.ts'

export type { LexiconEntry } from './lexicon.ts'

/** A compiled lexicon, for `classify`; build it once and keep it. */
export type Lexicon = {
  readonly entries: readonly LexiconEntry[]
  readonly index: PhraseIndex
  readonly training: readonly TrainingWords[]
  readonly model: WordModel
  readonly weights: ClassifierWeights
}

/** One HS code a description may fall under. */
export type HsCandidate = {
  /** Six digits, HS 2022. */
  readonly code: string
  /** Our own words for the subheading. */
  readonly label: string
  /** 0 to 1: see `classify`. */
  readonly confidence: number
  /** The lexicon terms found in the description, best first; where there is none, the words that led here. */
  readonly matchedTerms: readonly string[]
}

/** Prepares a lexicon for `classify`. Entries of the same code (from several files) become one. */
export function compileLexicon(
  entries: readonly LexiconEntry[],
  weights: ClassifierWeights = classifierWeights,
): Lexicon {
  const merged = mergeByCode(entries)
  const index = indexPhrases(merged)
  const training = trainingWords(merged, index, weights)
  return { entries: merged, index, training, model: trainWordModel(training, weights), weights }
}

function mergeByCode(entries: readonly LexiconEntry[]): LexiconEntry[] {
  const byCode = new Map<string, LexiconEntry>()
  for (const entry of entries) {
    const before = byCode.get(entry.code)
    byCode.set(entry.code, {
      code: entry.code,
      label: before?.label ?? entry.label,
      terms: [...new Set([...(before?.terms ?? []), ...entry.terms])],
      possibleTerms: [...new Set([...(before?.possibleTerms ?? []), ...entry.possibleTerms])],
    })
  }
  return [...byCode.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
}

function trainingWords(
  entries: readonly LexiconEntry[],
  index: PhraseIndex,
  weights: ClassifierWeights,
): readonly TrainingWords[] {
  const training = entries.map((entry) => ({ code: entry.code, counts: new Map<string, number>() }))
  const add = (code: number, key: string, count: number): void => {
    const { counts } = training[code]!
    if (!namesAnything(key)) counts.set(key, (counts.get(key) ?? 0) + count)
  }
  for (const phrase of index.phrases) {
    for (const key of phrase.words) add(phrase.code, key, phrase.possible ? weights.possibleWord : 1)
  }
  entries.forEach((entry, code) => {
    for (const word of goodsWords(entry.label)) add(code, word.key, weights.labelWord)
  })
  return training
}

/** What speaks for one code (an index of the entries), in nats of information. */
type Standing = { readonly code: number; readonly score: number }

/**
 * The codes a description may fall under, best first, at most `limit`; equals stand in the order of their codes.
 * Empty where nothing in the text names goods that the lexicon knows.
 *
 * The confidence is a share times a coverage. The share: this code's score against all candidates' scores, so that a
 * close second halves it. The coverage: from a floor, where only single words point to the best code, up to 1, where its
 * terms cover the whole text. Confidences of one answer never add up to more than 1. The two numbers behind it were
 * fitted on the development set: among answers of about the same confidence, about that share was right there.
 */
export function classify(lexicon: Lexicon, description: string, limit: number): readonly HsCandidate[] {
  const { weights } = lexicon
  const text = wordsAsInLexicon(lexicon.index, description)
  const hits = hitsByCode(lexicon.index, text, weights)
  const words = modelWords(lexicon, text)
  if (hits.size === 0 && !namesGoods(lexicon, words)) return []
  const ranked = rank(lexicon, hits, scoreWords(lexicon.model, words))
  const sum = ranked.reduce((total, each) => total + each.score ** weights.shareSharpness, 0)
  const covered = coverage(lexicon.index, text, hits.get(ranked[0]?.code ?? -1) ?? [])
  const known = weights.coverageFloor + (1 - weights.coverageFloor) * covered
  const candidates = ranked.map(({ code, score }) => ({
    code: lexicon.entries[code]!.code,
    label: lexicon.entries[code]!.label,
    confidence: (known * score ** weights.shareSharpness) / sum,
    matchedTerms: matchedTerms(lexicon, code, hits.get(code) ?? [], text),
  }))
  // A sister code that none of the words speak for has nothing to show.
  return candidates.filter((each) => each.matchedTerms.length > 0).slice(0, Math.max(0, limit))
}

/** The words the word model hears, with their say. */
function modelWords(lexicon: Lexicon, text: readonly GoodsWord[]): Map<string, number> {
  const words = new Map<string, number>()
  for (const { key, part } of text) {
    if (lexicon.index.information.has(key) && !saysLittle(key))
      words.set(key, Math.max(words.get(key) ?? 0, part))
  }
  return words
}

/** Single words lead to a code only if one of them names goods: it is the head noun of some of its terms. */
function namesGoods(lexicon: Lexicon, words: ReadonlyMap<string, number>): boolean {
  return [...words.keys()].some((word) => lexicon.index.headness.get(word)! > 0.1)
}

/** Adds up what speaks for each code and keeps the ones within sight of the best, at most twenty. */
function rank(
  lexicon: Lexicon,
  hits: ReadonlyMap<number, readonly PhraseHit[]>,
  wordScores: Float64Array,
): readonly Standing[] {
  const { weights, model } = lexicon
  const own = new Float64Array(model.codeCount)
  const headings = new Float64Array(model.headings.size)
  const chapters = new Float64Array(model.chapters.size)
  for (const [code, list] of hits) {
    const worth = list.reduce((sum, hit, nth) => sum + hit.worth * weights.repeated ** nth, 0)
    own[code] = worth
    headings[model.headings.groupOf[code]!]! += worth
    chapters[model.chapters.groupOf[code]!]! += worth
  }
  const scores = wordScores.map((wordScore, code) => {
    const heading = headings[model.headings.groupOf[code]!]!
    const chapter = chapters[model.chapters.groupOf[code]!]!
    const siblings = weights.sameHeading * (heading - own[code]!) + weights.sameChapter * (chapter - heading)
    return own[code]! + siblings + weights.wordModel * wordScore
  })
  const least = weights.inSight * scores.reduce((most, score) => Math.max(most, score), 0)
  const inSight: Standing[] = []
  scores.forEach((score, code) => {
    if (score > 0 && score >= least) inSight.push({ code, score })
  })
  return inSight.sort((a, b) => b.score - a.score || a.code - b.code).slice(0, 20)
}

function matchedTerms(
  lexicon: Lexicon,
  code: number,
  hits: readonly PhraseHit[],
  text: readonly GoodsWord[],
): readonly string[] {
  if (hits.length > 0) return [...new Set(hits.map((hit) => hit.phrase.term))].slice(0, 5)
  const { counts } = lexicon.training[code]!
  const words = text.filter((word) => counts.has(word.key) && !saysLittle(word.key)).map((word) => word.text)
  return [...new Set(words)].slice(0, 5)
}
