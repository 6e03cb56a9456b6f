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
  /** The other codes of the family of the best code. Its table decides among them, so the text model does not. */
  readonly family: { has(code: number): boolean }
  /** The share of the text that leaves open which goods come first, 0 to 1. */
  readonly open: number
  /** By code: 1 for a material. It does not become the first code instead of goods. */
  readonly isMaterial: Uint8Array
  /** Facts or answers decide between subheadings, so the probabilities of subheadings are not used. */
  readonly isFamilyDecided: boolean
}

/**
 * The codes of both, best first, at most 20; equal scores by code. Each score is multiplied with powers of the
 * probabilities of the heading and the subheading, relative to the most probable of the codes. A code that only the
 * text model proposes gets a share of the best score. For the choice of the first code, the powers are multiplied
 * with `open`, so that at 0 the best code of the terms stays the first.
 */
export function combine(
  ranked: readonly ScoredCode[],
  { proposed, chanceOf }: TextChances,
  { textModel, minScoreShare }: Pick<ClassifierWeights, 'textModel' | 'minScoreShare'>,
  { byCode, family, open, isMaterial, isFamilyDecided }: Terms,
): readonly ScoredCode[] {
  const best = ranked[0]?.score ?? 1
  const found = new Set(ranked.map(({ code }) => code))
  const added = proposed.filter((code) => !found.has(code) && !byCode.has(code) && !family.has(code))
  const all = [...ranked, ...added.map((code) => ({ code, score: textModel.proposedShare * best }))]
  const support = all.map(({ code }) =>
    supportOf(chanceOf(family.has(code) ? ranked[0]!.code : code), textModel, isFamilyDecided),
  )
  const most = Math.max(...support)
  const supported = all.map(({ code, score }, nth) => {
    const reason = support[nth]! - most
    return { code, score: score * Math.exp(reason), forFirst: score * Math.exp(open * reason) }
  })
  const isGoods = ranked[0] !== undefined && isMaterial[ranked[0].code] === 0
  const canBeFirst = supported.filter(({ code }) => !isGoods || isMaterial[code] === 0)
  const first = canBeFirst.reduce((a, b) => (b.forFirst > a.forFirst ? b : a))
  const highest = Math.max(...supported.map(({ score }) => score))
  return supported
    .map(({ code, score }) => ({ code, score: code === first.code ? highest : score }))
    .filter(({ score }) => score >= minScoreShare * highest)
    .sort(
      (a, b) =>
        Number(b.code === first.code) - Number(a.code === first.code) || b.score - a.score || a.code - b.code,
    )
    .slice(0, MAX_CANDIDATES)
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
