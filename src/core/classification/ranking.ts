/**
 * Adds up the scores of each code and selects the best ones. Codes of the same heading and chapter support each other.
 * A description scores few of the codes, but all of them are visited, so the loops are plain and their arrays are
 * reused.
 */
import type { ClassifierWeights } from './classifier-weights.ts'
import { openWordScores, scoreWords, type WordModel, type WordScores } from './models/word-model.ts'
import type { CodeHit } from './phrases.ts'

/** Of one description. */
export const MAX_CANDIDATES = 20

/** `score` is in nats of information. */
export type ScoredCode = { readonly code: number; readonly score: number }

type HitsByCode = ReadonlyMap<number, readonly CodeHit[]>

/** Codes of parts, and of the things they belong to. */
export type AccessoryCodes = { readonly parts: readonly number[]; readonly things: readonly number[] }

export type RankingTables = {
  readonly model: WordModel
  readonly weights: ClassifierWeights
  readonly accessories: readonly AccessoryCodes[]
}

/** Arrays that every ranking overwrites. */
export type RankingSpace = {
  readonly words: WordScores
  /** The scores of terms, by code and added up by heading and chapter. */
  readonly terms: WordScores
  /** 1 for headings with a code that scores by itself, and not only through its heading or chapter. */
  readonly hasOwnScores: Uint8Array
  readonly best: BestCodes
  /** The codes of heading `n` are from `starts[n]` to before `starts[n + 1]`. Never changes. */
  readonly starts: Uint16Array
}

export function openRankingSpace(model: WordModel): RankingSpace {
  return {
    words: openWordScores(model),
    terms: openWordScores(model),
    hasOwnScores: new Uint8Array(model.headings.size),
    starts: startsOfHeadings(model),
    best: { codes: new Uint16Array(MAX_CANDIDATES), scores: new Float64Array(MAX_CANDIDATES), size: 0 },
  }
}

function startsOfHeadings({ headings, codeCount }: WordModel): Uint16Array {
  const starts = new Uint16Array(headings.size + 1).fill(codeCount)
  for (let code = codeCount - 1; code >= 0; code--) starts[headings.groupOf[code]!] = code
  return starts
}

/**
 * The best codes for the terms found and the words of the word model with their weight, at most 20. Equal scores are
 * ordered by code. `sets`: goods that give a set its character (`parts`), and goods that come with them (`things`).
 */
export function rank(
  tables: RankingTables,
  space: RankingSpace,
  hits: HitsByCode,
  modelWords: ReadonlyMap<number, number>,
  sets: readonly AccessoryCodes[] = [],
): readonly ScoredCode[] {
  const { model, weights } = tables
  const { words, terms, best, hasOwnScores, starts } = space
  scoreWords(model, modelWords, words)
  scoreTerms(tables, hits, sets, terms)
  markHeadings(model, hits, modelWords, hasOwnScores)
  const { sameHeading, sameChapter, wordModel } = weights
  best.size = 0
  for (let heading = 0; heading < hasOwnScores.length; heading++) {
    const start = starts[heading]!
    const end = starts[heading + 1]!
    const chapter = model.chapters.groupOf[start]!
    const ofHeading = terms.headings[heading]!
    const fromChapter = sameChapter * (terms.chapters[chapter]! - ofHeading)
    const fromWords = words.chapters[chapter]! + words.headings[heading]!
    if (hasOwnScores[heading] === 0) {
      const score = sameHeading * ofHeading + fromChapter + wordModel * fromWords
      for (let code = start; code < end && isAmongBest(best, score); code++) keepBest(best, code, score)
      continue
    }
    for (let code = start; code < end; code++) {
      const direct = terms.codes[code]!
      const siblings = sameHeading * (ofHeading - direct) + fromChapter
      const score = direct + siblings + wordModel * (fromWords + words.codes[code]!)
      if (isAmongBest(best, score)) keepBest(best, code, score)
    }
  }
  return listOf(best, weights.minScoreShare)
}

/** Overwrites `hasOwnScores`. */
function markHeadings(
  { headings, codes }: WordModel,
  hits: HitsByCode,
  modelWords: ReadonlyMap<number, number>,
  hasOwnScores: Uint8Array,
): void {
  hasOwnScores.fill(0)
  for (const code of hits.keys()) hasOwnScores[headings.groupOf[code]!] = 1
  for (const word of modelWords.keys()) {
    const end = codes.starts[word + 1]!
    for (let at = codes.starts[word]!; at < end; at++) hasOwnScores[headings.groupOf[codes.groups[at]!]!] = 1
  }
}

/** Overwrites `scores` with those of the terms. */
function scoreTerms(
  tables: RankingTables,
  hits: HitsByCode,
  sets: readonly AccessoryCodes[],
  scores: WordScores,
): void {
  const { model } = tables
  const { chapters, headings, codes } = scores
  for (const sums of [chapters, headings, codes]) sums.fill(0)
  for (const [code, list] of hits)
    for (let nth = 0; nth < list.length; nth++)
      codes[code]! += list[nth]!.score * tables.weights.repeated ** nth
  const { accessories, weights } = tables
  const inSet = thingsBesideParts(sets, weights.minEssentialShare, hits, codes)
  const besideParts = thingsBesideParts(accessories, weights.minPartShare, hits, codes)
  for (const code of besideParts) codes[code]! *= weights.thingBesidePart
  for (const code of inSet) codes[code]! *= weights.otherInSet
  for (const code of hits.keys()) {
    headings[model.headings.groupOf[code]!]! += codes[code]!
    chapters[model.chapters.groupOf[code]!]! += codes[code]!
  }
}

/** Up to this head weight, a part only comes with the thing: "phone with case" describes the phone. */
const MAX_MENTION_WEIGHT = 0.5

/**
 * The things whose parts the text also names, because such a text describes the part. The part needs at least
 * `minShare` of the thing's score.
 */
function thingsBesideParts(
  rules: readonly AccessoryCodes[],
  minShare: number,
  hits: HitsByCode,
  scores: Float64Array,
): ReadonlySet<number> {
  const found = new Set<number>()
  const isNamed = (code: number): boolean => (hits.get(code)?.[0]?.hit.headWeight ?? 0) > MAX_MENTION_WEIGHT
  for (const { parts, things } of rules) {
    const thingScore = maxScoreOf(things, scores)
    if (thingScore === 0) continue
    if (maxScoreOf(parts.filter(isNamed), scores) < minShare * thingScore) continue
    for (const code of things) found.add(code)
  }
  return found
}

function maxScoreOf(codes: readonly number[], scores: Float64Array): number {
  let highest = 0
  for (const code of codes) highest = Math.max(highest, scores[code]!)
  return highest
}

/** The best codes found so far, highest score first. */
type BestCodes = { readonly codes: Uint16Array; readonly scores: Float64Array; size: number }

/** A code with the same score as the last one of a full list is not added, so the earlier code is kept. */
function isAmongBest({ scores, size }: BestCodes, score: number): boolean {
  return size < MAX_CANDIDATES ? score > 0 : score > scores[MAX_CANDIDATES - 1]!
}

/** Inserts a code in the order of scores. If the list is full, the last code is dropped. */
function keepBest(best: BestCodes, code: number, score: number): void {
  const { codes, scores } = best
  if (best.size < MAX_CANDIDATES) best.size++
  let at = best.size - 1
  for (; at > 0 && scores[at - 1]! < score; at--) {
    codes[at] = codes[at - 1]!
    scores[at] = scores[at - 1]!
  }
  codes[at] = code
  scores[at] = score
}

/** The codes whose score is at least `minShare` of the highest score. */
function listOf({ codes, scores, size }: BestCodes, minShare: number): readonly ScoredCode[] {
  const list: ScoredCode[] = []
  for (let at = 0; at < size && scores[at]! >= minShare * scores[0]!; at++)
    list.push({ code: codes[at]!, score: scores[at]! })
  return list
}
