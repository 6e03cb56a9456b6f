/**
 * What goods cost when they have arrived: goods, transport, insurance, duties and taxes. Decided here: the whole
 * price of an option is transport cost to the border, so it is in the customs value wherever freight is; insurance
 * bought elsewhere comes on top of it; options of one price share one estimate.
 * Source: schema/landed-cost.graphql; design note on customs, "What the request does not carry".
 */
import { valueItems } from '../customs/estimate/consignment.ts'
import type { DutiesEstimate } from '../customs/estimate/estimate.ts'
import { centsOf } from '../customs/exact.ts'
import type { DutiesRequest } from '../customs/request.ts'
import type { RateOption } from '../rating/quote.ts'

/** A shipping option with the duties on goods that travel with it; cents. */
export type LandedOption<Estimate extends DutiesEstimate = DutiesEstimate> = {
  readonly rate: RateOption
  readonly duties: Estimate
  /** `cost` × `numberOfItems` of all items, rounded once. */
  readonly goodsCents: number
  /** Exactly the goods, the price of the option, the insurance of the request and the estimate. */
  readonly totalCents: number
}

/** What has to be estimated to land goods with these options: a request for each price there is, by its cents. */
export function requestsByPrice(
  options: readonly RateOption[],
  request: DutiesRequest,
): ReadonlyMap<number, DutiesRequest> {
  return new Map(options.map(({ priceCents }) => [priceCents, { ...request, shippingCents: priceCents }]))
}

/** The options in their order, each with the estimate for its price; an estimate that is not there throws. */
export function landOptions<Estimate extends DutiesEstimate>(
  options: readonly RateOption[],
  request: DutiesRequest,
  estimates: ReadonlyMap<number, Estimate>,
): readonly LandedOption<Estimate>[] {
  const goodsCents = centsOf(valueItems(request).totalGoods)
  const insuranceCents = request.insuranceCents ?? 0
  return options.map((rate) => {
    const { priceCents } = rate
    const duties = estimates.get(priceCents)
    if (duties === undefined) throw new Error(`nothing was estimated for the price of ${priceCents} cents`)
    const totalCents = goodsCents + priceCents + insuranceCents + duties.estimateCents
    return { rate, duties, goodsCents, totalCents }
  })
}
