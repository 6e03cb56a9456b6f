/** Operation: shipping options for a route and parcels. Source: specification 4.1. */
import type { InputProblem } from '../core/problem.ts'
import { quote, type RateQuote } from '../core/rating/quote.ts'
import { checkRatesRequest, type RatesDraft } from '../core/rating/request.ts'
import type { Ports } from './ports.ts'
import { today } from './today.ts'

/** Prices a draft with the rate book of this instant; reads memory only. */
export function quoteRates(
  { reference, clock }: Pick<Ports, 'reference' | 'clock'>,
  draft: RatesDraft,
): RateQuote | InputProblem {
  const request = checkRatesRequest(draft)
  if ('kind' in request) return request
  return quote(reference.rateBook(), request, request.date ?? today(clock))
}
