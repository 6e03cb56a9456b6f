/**
 * Combines the scores of terms with the probabilities of the text model: a conditional logit, whose parameters
 * test/bench/fit-combination.ts fits. The probability of a code grows with its score to the power `sharpness`.
 */
import type { ClassifierWeights } from '../classifier-weights.ts'
import { MAX_CANDIDATES, type ScoredCode } from '../ranking.ts'
import type { CodeChance, TextChances } from './text-model.ts'

/** Less probable headings and subheadings count like these natural logarithms. */
export const LEAST_HEADING = -8
export const LEAST_SUBHEADING = -4

/** What the terms say. */
export type Terms = {
  /** The codes that terms lead to. Those with a low score are not proposed again: the text contradicts them. */
  readonly byCode: { has(code: number): boolean }
  /** Codes of the family of the best code that the text contradicts. Texts of such goods speak for the best code. */
  readonly contradicted: ReadonlySet<number>
  /** Facts or answers decide between the codes of the terms. Probabilities of headings only order them. */
  readonly isFamilyDecided: boolean
}

/**
 * The codes of both, best first, at most 20; equal scores by code. Each score is multiplied with powers of the
 * probabilities of the heading and the subheading, relative to the most probable of the codes. A code that only the
 * text model proposes gets a share of the best score; there are none if facts or answers decide.
 */
export function combine(
  ranked: readonly ScoredCode[],
  { proposed, chanceOf }: TextChances,
  { textModel }: Pick<ClassifierWeights, 'textModel'>,
  { byCode, contradicted, isFamilyDecided }: Terms,
): readonly ScoredCode[] {
  const best = ranked[0]?.score ?? 1
  const found = new Set(ranked.map(({ code }) => code))
  const isNew = (code: number): boolean => !found.has(code) && !byCode.has(code) && !contradicted.has(code)
  const added = isFamilyDecided ? [] : proposed.filter(isNew)
  const all = [...ranked, ...added.map((code) => ({ code, score: textModel.proposedShare * best }))]
  const ofBest = ranked[0] && likeliest([ranked[0].code, ...contradicted].map(chanceOf))
  const support = all.map(({ code }) =>
    supportOf(code === ranked[0]?.code ? ofBest : chanceOf(code), textModel, isFamilyDecided),
  )
  const most = Math.max(...support)
  const supported = all.map(({ code, score }, nth) => ({
    code,
    score: score * Math.exp(support[nth]! - most),
  }))
  const highest = Math.max(...supported.map(({ score }) => score))
  return supported
    .filter(({ score }) => score >= textModel.minShare * highest)
    .sort((a, b) => b.score - a.score || a.code - b.code)
    .slice(0, MAX_CANDIDATES)
}

/** The highest of the chances; undefined if the model has none of the codes. */
function likeliest(chances: readonly (CodeChance | undefined)[]): CodeChance | undefined {
  let best: CodeChance | undefined
  for (const chance of chances)
    if (chance !== undefined && (best === undefined || sumOf(chance) > sumOf(best))) best = chance
  return best
}

function sumOf({ heading, subheading }: CodeChance): number {
  return heading + subheading
}

function supportOf(
  chance: CodeChance | undefined,
  { heading, subheading }: ClassifierWeights['textModel'],
  isFamilyDecided: boolean,
): number {
  const ofHeading = heading * Math.max(LEAST_HEADING, chance?.heading ?? LEAST_HEADING)
  if (isFamilyDecided) return ofHeading
  return ofHeading + subheading * Math.max(LEAST_SUBHEADING, chance?.subheading ?? LEAST_SUBHEADING)
}
