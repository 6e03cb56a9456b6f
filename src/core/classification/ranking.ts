/**
 * Adds up the scores of each code and selects the best ones. Codes of the same heading and chapter support each other.
 */
import type { ClassifierWeights } from './classifier-weights.ts'
import { headingsOf } from './models/text-model.ts'
import type { CodeHit } from './phrases.ts'

/** Of one description. */
export const MAX_CANDIDATES = 20

/** `score` is in nats of information. */
export type ScoredCode = { readonly code: number; readonly score: number }

type HitsByCode = ReadonlyMap<number, readonly CodeHit[]>
type Scores = Map<number, number>

/** Codes of parts, and of the things they belong to. */
export type AccessoryCodes = { readonly parts: readonly number[]; readonly things: readonly number[] }

/** The groups of codes. See `headingsOf`. */
export type CodeGroups = ReturnType<typeof headingsOf> & {
  /** Two digits. */
  readonly chapterOf: Uint8Array
}

export type RankingTables = {
  readonly groups: CodeGroups
  readonly weights: ClassifierWeights
  readonly accessories: readonly AccessoryCodes[]
}

/** The groups of ascending codes. */
export function groupsOf(codes: readonly string[]): CodeGroups {
  return { ...headingsOf(codes), chapterOf: Uint8Array.from(codes, (code) => Number(code.slice(0, 2))) }
}

/**
 * The best codes for the terms found, at most 20: those of their headings. Equal scores are ordered by code. `sets`:
 * goods that give a set its character (`parts`), and goods that come with them (`things`).
 */
export function rank(
  tables: RankingTables,
  hits: HitsByCode,
  sets: readonly AccessoryCodes[] = [],
): readonly ScoredCode[] {
  const { headingOf, firstOf, chapterOf } = tables.groups
  const { sameHeading, sameChapter, minScoreShare } = tables.weights
  const scores = scoreTerms(tables, hits, sets)
  const headings: Scores = new Map()
  const chapters: Scores = new Map()
  for (const [code, score] of scores) {
    add(headings, headingOf[code]!, score)
    add(chapters, chapterOf[code]!, score)
  }
  const list: ScoredCode[] = []
  for (const [heading, ofHeading] of headings) {
    const first = firstOf[heading]!
    const fromChapter = sameChapter * (chapters.get(chapterOf[first]!)! - ofHeading)
    for (let code = first; code < firstOf[heading + 1]!; code++) {
      const direct = scores.get(code) ?? 0
      list.push({ code, score: direct + sameHeading * (ofHeading - direct) + fromChapter })
    }
  }
  list.sort((a, b) => b.score - a.score || a.code - b.code)
  const least = minScoreShare * (list[0]?.score ?? 0)
  return list.slice(0, MAX_CANDIDATES).filter(({ score }) => score > 0 && score >= least)
}

function add(sums: Scores, group: number, score: number): void {
  sums.set(group, (sums.get(group) ?? 0) + score)
}

function scoreTerms(
  { accessories, weights }: RankingTables,
  hits: HitsByCode,
  sets: readonly AccessoryCodes[],
): Scores {
  const scores: Scores = new Map()
  for (const [code, list] of hits)
    scores.set(
      code,
      list.reduce((sum, { score }, nth) => sum + score * weights.repeated ** nth, 0),
    )
  const inSet = thingsBesideParts(sets, weights.minEssentialShare, hits, scores)
  const besideParts = thingsBesideParts(accessories, weights.minPartShare, hits, scores)
  for (const code of besideParts) scores.set(code, weights.thingBesidePart * (scores.get(code) ?? 0))
  for (const code of inSet) scores.set(code, weights.otherInSet * (scores.get(code) ?? 0))
  return scores
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
  scores: Scores,
): ReadonlySet<number> {
  const found = new Set<number>()
  const isNamed = (code: number): boolean => (hits.get(code)?.[0]?.hit.headWeight ?? 0) > MAX_MENTION_WEIGHT
  for (const { parts, things } of rules) {
    const thingScore = maxScoreOf(things, scores)
    if (thingScore === 0) continue
    if (maxScoreOf(parts.filter(isNamed), scores) < minShare * thingScore) continue
    for (const code of things) if (scores.has(code)) found.add(code)
  }
  return found
}

function maxScoreOf(codes: readonly number[], scores: Scores): number {
  let highest = 0
  for (const code of codes) highest = Math.max(highest, scores.get(code) ?? 0)
  return highest
}
