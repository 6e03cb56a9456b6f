/** The queries `dutiesEstimate` and `classify`, and goods as the operations take them. */

import type { DutiesInput } from '../../core/customs/request.ts'
import { classifyGoods } from '../../operations/classify-goods.ts'
import { estimateDuties, type FindCodes } from '../../operations/estimate-duties.ts'
import type { Loaders } from '../context.ts'
import { badArguments } from '../errors.ts'
import type { ContentItemInput, DutiesEstimateInput, QueryResolvers } from '../generated.ts'
import { presentCandidate, presentEstimate } from '../presenters/duties.ts'
import { presentInputProblem } from '../presenters/input-problem.ts'
import { recipientInput } from './rates.ts'

const DEFAULT_CANDIDATES = 5

/** `Query.dutiesEstimate` and `Query.classify`. */
export const dutiesQueries: Required<Pick<QueryResolvers, 'dutiesEstimate' | 'classify'>> = {
  dutiesEstimate: async (_root, { input }, { ports, loaders, pause }) => {
    // A query may ask for ten estimates.
    await pause()
    const outcome = await estimateDuties(ports, dutiesDraft(input), findCodesWith(loaders))
    switch (outcome.kind) {
      case 'DutiesEstimate':
        return presentEstimate(outcome, pause)
      case 'InputProblem':
        return presentInputProblem(outcome)
    }
  },
  classify: async (_root, { description, limit }, { ports, pause }) => {
    await pause()
    const outcome = await classifyGoods(ports, { description, limit: limit ?? DEFAULT_CANDIDATES })
    if (outcome.kind === 'InputProblem') throw badArguments(outcome)
    return outcome.candidates.map(presentCandidate)
  },
}

/** Looks descriptions up through the request's loader, so that each is read once. */
export function findCodesWith({ codes }: Pick<Loaders, 'codes'>): FindCodes {
  return (descriptions) => Promise.all(descriptions.map((description) => codes.load(description)))
}

function dutiesDraft({ contentItems, recipientType, ...rest }: DutiesEstimateInput): DutiesInput {
  return {
    ...rest,
    contentItems: contentItems.map(itemInput),
    recipientType: recipientInput(recipientType),
  }
}

/** An item in core's words. */
export function itemInput({ weightKg, ...rest }: ContentItemInput) {
  return { ...rest, weight: weightKg }
}
