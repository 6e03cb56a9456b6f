/**
 * Whether a code that a caller gave fits what the goods are called. Only said where the classifier is sure and the given
 * code is not among what it thinks possible: a warning that is wrong half of the time is no help.
 */
import type { HsCandidate } from './classify.ts'

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
