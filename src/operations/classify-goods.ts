/** Operation: finds HS codes for a description of goods. See docs/hs-classification.md. */
import { type HsCandidate, MAX_CANDIDATES } from '../core/customs/classification/classify.ts'
import { note, type ProblemList, readNumber, readText } from '../core/input.ts'
import { type InputProblem, inputProblem } from '../core/problem.ts'
import type { Ports } from './ports/ports.ts'
import type { Turns } from './ports/work.ts'

export type ClassifyInput = { readonly description: unknown; readonly limit: unknown }

/** Best candidate first; empty if nothing fits. */
export type HsCandidates = { readonly kind: 'HsCandidates'; readonly candidates: readonly HsCandidate[] }

const LIMIT = { places: 0, max: MAX_CANDIDATES }

/** `limit` is 1 to 20. Yields between `turns`; without them it runs uninterrupted. */
export async function classifyGoods(
  { classifier }: Pick<Ports, 'classifier'>,
  { description, limit }: ClassifyInput,
  turns?: Turns,
): Promise<HsCandidates | InputProblem> {
  const problems: ProblemList = []
  const text = readText(problems, ['description'], description)
  if (problems.length === 0 && text === undefined) note(problems, ['description'], 'REQUIRED', 'required')
  const maxCandidates = readNumber(problems, ['limit'], limit, LIMIT)
  if (problems.length > 0 || text === undefined || maxCandidates === undefined) return inputProblem(problems)
  const [candidates = []] = await classifier.classify([text], maxCandidates, turns)
  return { kind: 'HsCandidates', candidates }
}
