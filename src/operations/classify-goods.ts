/** Operation: finds HS codes for goods. See docs/hs-classification.md. */
import { MAX_CANDIDATES } from '../core/classification/classify.ts'
import { hasFacts, readFacts, readGoodsAnswers } from '../core/goods-facts.ts'
import type { GoodsQuestion, HsCandidate, Interview } from '../core/hs-candidate.ts'
import { note, type ProblemList, readNumber, readText } from '../core/input.ts'
import { type InputProblem, inputProblem } from '../core/problem.ts'
import type { Ports } from './ports/ports.ts'

export type ClassifyInput = {
  readonly description: unknown
  readonly limit: unknown
  readonly facts?: unknown
  /** Answers to questions of an earlier result. Those that do not apply to the goods are ignored. */
  readonly answers?: unknown
}

/** Best candidate first; empty if nothing fits. */
export type HsCandidates = {
  readonly kind: 'HsCandidates'
  readonly candidates: readonly HsCandidate[]
  /** The questions that remain, most decisive first. Empty if the classifier asks nothing. */
  readonly questions: () => Promise<readonly GoodsQuestion[]>
}

const CANDIDATES_LIMIT = { places: 0, max: MAX_CANDIDATES }

/** `limit` is 1 to 20. */
export async function classifyGoods(
  { classifier }: Pick<Ports, 'classifier'>,
  input: ClassifyInput,
): Promise<HsCandidates | InputProblem> {
  const problems: ProblemList = []
  const description = readText(problems, ['description'], input.description)
  if (problems.length === 0 && description === undefined)
    note(problems, ['description'], 'REQUIRED', 'required')
  const limit = readNumber(problems, ['limit'], input.limit, CANDIDATES_LIMIT)
  const facts = readFacts(problems, ['facts'], input.facts)
  const answers = readGoodsAnswers(problems, ['answers'], input.answers)
  if (problems.length > 0 || description === undefined || limit === undefined) return inputProblem(problems)
  const goods = { description, facts, answers }
  const ask = async (): Promise<Interview> =>
    (await classifier.interview?.(goods, limit)) ?? { candidates: [], questions: [], hasConflict: false }
  const asked = hasFacts(goods) && classifier.interview !== undefined ? await ask() : undefined
  const [candidates = []] = asked ? [asked.candidates] : await classifier.classify([description], limit)
  return {
    kind: 'HsCandidates',
    candidates,
    questions: async () => (asked ?? (await ask())).questions,
  }
}
