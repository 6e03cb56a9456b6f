/**
 * Finds descriptions that name two kinds of goods, of which only one can be the head noun: "shampoo" and "oil" in
 * "beard oil shampoo". The classifier chooses one of them, and a person or a model should look at the choice.
 */
import type { CodeHit } from './phrases.ts'
import type { ScoredCode } from './ranking.ts'

/** Words with less weight follow "for" or "with", so they are not the head noun. */
const MIN_HEAD_WEIGHT = 0.5

/** The score of the other goods, relative to the first code. */
const MIN_SHARE = 0.12

/**
 * True if other words of the text than those of the first code name goods of another heading. `ranked`: best first, at
 * least one. `codes`: the codes by number.
 */
export function hasConflict(
  codes: readonly string[],
  ranked: readonly ScoredCode[],
  byCode: ReadonlyMap<number, readonly CodeHit[]>,
): boolean {
  const [first, ...others] = ranked
  const chosen = byCode.get(first!.code)?.[0]
  if (chosen === undefined) return false
  const heading = codes[first!.code]!.slice(0, 4)
  return others.some(
    ({ code, score }) =>
      score >= MIN_SHARE * first!.score &&
      codes[code]!.slice(0, 4) !== heading &&
      (byCode.get(code) ?? []).some((hit) => namesOther(hit, chosen)),
  )
}

function namesOther({ hit, code }: CodeHit, chosen: CodeHit): boolean {
  return (
    code.share === 1 &&
    !hit.phrase.goods.possible &&
    hit.headWeight > MIN_HEAD_WEIGHT &&
    hit.nameAt.every((place) => !chosen.hit.at.includes(place))
  )
}
