/** The queries `dutiesEstimate` and `classify`. */

import type { DutiesDraft } from '../../core/customs/request.ts'
import { type ProblemList, readNumber, readText } from '../../core/draft.ts'
import { inputProblem } from '../../core/problem.ts'
import { classifyGoods } from '../../operations/classify-goods.ts'
import { estimateDuties } from '../../operations/estimate-duties.ts'
import { badArguments } from '../errors.ts'
import type { DutiesEstimateInput, QueryResolvers } from '../generated.ts'
import { presentCandidate, presentEstimate } from '../presenters/duties.ts'
import { presentInputProblem } from '../presenters/input-problem.ts'

const DEFAULT_CANDIDATES = 5
const LIMIT = { places: 0, max: 20 }

/** `Query.dutiesEstimate` and `Query.classify`. */
export const dutiesQueries: Required<Pick<QueryResolvers, 'dutiesEstimate' | 'classify'>> = {
  dutiesEstimate: (_root, { input }, { ports }) => {
    const outcome = estimateDuties(ports, dutiesDraft(input))
    switch (outcome.kind) {
      case 'DutiesEstimate':
        return presentEstimate(outcome)
      case 'InputProblem':
        return presentInputProblem(outcome)
    }
  },
  classify: (_root, { description, limit }, { ports }) => {
    const problems: ProblemList = []
    const text = readText(problems, ['description'], description)
    const most = readNumber(problems, ['limit'], limit ?? DEFAULT_CANDIDATES, LIMIT)
    if (problems.length > 0) throw badArguments(inputProblem(problems))
    return text === undefined || most === undefined
      ? []
      : classifyGoods(ports, text, most).map(presentCandidate)
  },
}

function dutiesDraft({ from, to, contentItems, asOf }: DutiesEstimateInput): DutiesDraft {
  return { from, to, contentItems, asOf }
}
