/**
 * Combines the scores of terms with the probabilities of the text model: a conditional logit. Its parameters were
 * chosen on texts for development. See docs/decisions/classification.md#d380.
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
  /**
   * Undefined if there is only a description. With facts or answers, the text model adds no codes and its probabilities
   * of subheadings are not used. With facts, those of headings count less, too.
   */
  readonly decidedBy: 'facts' | 'answers' | undefined
}

/**
 * The codes of both, best first, at most 20. Each score is multiplied with powers of the probabilities of the heading
 * and the subheading, relative to the most probable code. The powers that choose the first code are higher than those
 * that order the others, because where the first code is wrong, the text model is mostly wrong too. The first code gets
 * the highest score of all. A code that only the text model proposes gets a share of the best score. Equal scores are
 * ordered by code.
 */
export function combine(
  ranked: readonly ScoredCode[],
  { proposed, chanceOf }: TextChances,
  { textModel }: Pick<ClassifierWeights, 'textModel'>,
  { byCode, contradicted, decidedBy }: Terms,
): readonly ScoredCode[] {
  const best = ranked[0]?.score ?? 1
  const found = new Set(ranked.map(({ code }) => code))
  const isNew = (code: number): boolean => !found.has(code) && !byCode.has(code) && !contradicted.has(code)
  const added = decidedBy === undefined ? proposed.filter(isNew) : []
  const all = [...ranked, ...added.map((code) => ({ code, score: textModel.proposedShare * best }))]
  const ofBest = ranked[0] && likeliest([ranked[0].code, ...contradicted].map(chanceOf))
  const support = all.map(({ code }) =>
    supportOf(code === ranked[0]?.code ? ofBest : chanceOf(code), textModel, decidedBy),
  )
  const most = Math.max(...support)
  const scoredWith = (power: number): readonly ScoredCode[] =>
    all
      .map(({ code, score }, nth) => ({ code, score: score * Math.exp(power * (support[nth]! - most)) }))
      .sort((a, b) => b.score - a.score || a.code - b.code)
  const first = scoredWith(1)[0]?.code
  const scored = scoredWith(textModel.alternatives)
  if (first === undefined) return []
  const highest = scored[0]!.score
  const others = scored.filter(({ code, score }) => code !== first && score >= textModel.minShare * highest)
  return [{ code: first, score: highest }, ...others].slice(0, MAX_CANDIDATES)
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
  { heading, subheading, withFacts }: ClassifierWeights['textModel'],
  decidedBy: Terms['decidedBy'],
): number {
  const ofHeading = Math.max(LEAST_HEADING, chance?.heading ?? LEAST_HEADING)
  if (decidedBy !== undefined) return (decidedBy === 'facts' ? withFacts : heading) * ofHeading
  return heading * ofHeading + subheading * Math.max(LEAST_SUBHEADING, chance?.subheading ?? LEAST_SUBHEADING)
}
