/** Operation: duties and taxes for goods on a route. Source: specification 4.2. */
import {
  classifierOf,
  classifyItems,
  type DutiesEstimate,
  estimateRequest,
} from '../core/customs/estimate.ts'
import { checkDutiesRequest, type DutiesDraft } from '../core/customs/request.ts'
import type { InputProblem } from '../core/problem.ts'
import type { Ports } from './ports.ts'
import { today } from './today.ts'

/** Estimates a draft with the rules of its day, or today's; reads memory only. */
export function estimateDuties(
  { reference, clock }: Pick<Ports, 'reference' | 'clock'>,
  draft: DutiesDraft,
): DutiesEstimate | InputProblem {
  const request = checkDutiesRequest(draft)
  if ('kind' in request) return request
  const codes = classifyItems(request.items, classifierOf(reference.lexicon()))
  return estimateRequest(reference.customsTables(), request, codes, request.date ?? today(clock))
}
