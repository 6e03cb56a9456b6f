/** Operation: signs the token of a rate option. Callers do so only for options whose token is requested. */
import type { RateOption } from '../core/rating/quote.ts'
import type { RatesRequest } from '../core/rating/request.ts'
import { promiseOf, type RequestTexts, requestTexts } from '../core/shipments/option-token.ts'
import { type Ports, today } from './ports/ports.ts'
import { type PricedCaller, seesContract } from './quote-rates.ts'

/** The options of a quote share their request. */
const textsOfRequests = new WeakMap<RatesRequest, RequestTexts>()

export function optionToken(
  {
    optionTokens,
    optionTokenMinutes: minutes,
    clock,
  }: Pick<Ports, 'optionTokens' | 'optionTokenMinutes' | 'clock'>,
  caller: PricedCaller,
  option: RateOption,
): string {
  const { request } = option.pricing.facts
  const texts = textsOfRequests.get(request) ?? requestTexts(request, today(clock))
  textsOfRequests.set(request, texts)
  const seconds = Math.floor(clock().getTime() / 1000)
  return optionTokens.sign(
    caller.accountId,
    texts,
    promiseOf(option, { seconds, minutes, isAccountPrice: seesContract(caller) }),
  )
}
