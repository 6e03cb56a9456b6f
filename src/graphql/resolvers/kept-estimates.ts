/** The resolvers of `saveEstimate` and `keptEstimate`. */
import { readKeptEstimate, saveEstimate } from '../../operations/save-estimate.ts'
import type { MutationResolvers, QueryResolvers } from '../generated.ts'
import { presentKeptEstimate } from '../presenters/kept-estimate.ts'
import { presentInputProblem, typed } from '../presenters/typed.ts'
import { codeFinder, dutiesInput } from './duties.ts'

export const keptEstimateQueries: Required<Pick<QueryResolvers, 'keptEstimate'>> = {
  keptEstimate: async (_root, { id }, { ports, caller }) => {
    const estimate = await readKeptEstimate(ports, caller, id)
    return estimate === undefined ? null : presentKeptEstimate(estimate)
  },
}

export const keptEstimateMutations = {
  saveEstimate: async (_root, { input }, { ports, caller, loaders }) => {
    const { estimate, shipmentId, reference, idempotencyKey } = input
    const outcome = await saveEstimate(
      ports,
      caller,
      { estimate: dutiesInput(estimate), shipmentId, reference, idempotencyKey },
      codeFinder(loaders),
    )
    switch (outcome.kind) {
      case 'EstimateSaved':
        return typed({ ...outcome, estimate: presentKeptEstimate(outcome.estimate) })
      case 'IdempotencyConflict':
      case 'EstimateQuotaExceeded':
        return typed(outcome)
      case 'InputProblem':
        return presentInputProblem(outcome)
    }
  },
} satisfies Required<Pick<MutationResolvers, 'saveEstimate'>>
