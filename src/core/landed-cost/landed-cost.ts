/**
 * Landed cost: goods, transport, insurance, duties and taxes together. The whole price of a rate option counts as
 * freight to the border, so it is part of every customs value that includes freight. The insurance of the request is
 * added to it. Options with the same price share one estimate. The fees of their carriers are added.
 * Rules: docs/graphql.md#landed-cost.
 */
import { valueItems } from '../customs/estimate/consignment.ts'
import type { DutiesEstimate } from '../customs/estimate/estimate.ts'
import { centsOf } from '../customs/exact.ts'
import type { DutiesRequest } from '../customs/request.ts'
import { sumCents } from '../money.ts'
import type { RateOption } from '../rating/quote.ts'
import { type ClearanceFee, clearanceFees } from './clearance-fee.ts'
import { type DeliveryTerms, type Payment, paymentsOf } from './payment.ts'

/** A rate option with the duties on the goods. */
export type LandedOption<Estimate extends DutiesEstimate = DutiesEstimate> = {
  readonly rate: RateOption
  readonly duties: Estimate
  /** The sum of `cost` × `numberOfItems` over all items, rounded once. */
  readonly goodsCents: number
  /** Insurance of the request. */
  readonly insuranceCents: number
  readonly clearanceFees: readonly ClearanceFee[]
  /** Exactly the sum of goods, price of the option, insurance of the request, estimate and clearance fees. */
  readonly totalCents: number
  /** They add up to the total. */
  readonly payments: readonly Payment[]
}

/** The duties requests to estimate, one for each price among the options, by price in cents. */
export function requestsByPrice(
  options: readonly RateOption[],
  request: DutiesRequest,
): ReadonlyMap<number, DutiesRequest> {
  return new Map(options.map(({ priceCents }) => [priceCents, { ...request, shippingCents: priceCents }]))
}

/** Adds the estimate for its price to each option. Throws if `estimates` lacks a price. */
export function landOptions<Estimate extends DutiesEstimate>(
  options: readonly RateOption[],
  request: DutiesRequest,
  estimates: ReadonlyMap<number, Estimate>,
  terms: DeliveryTerms = 'DAP',
): readonly LandedOption<Estimate>[] {
  const goodsCents = centsOf(valueItems(request).totalGoods)
  const insuranceCents = request.insuranceCents ?? 0
  return options.map((rate) => {
    const { priceCents } = rate
    const duties = estimates.get(priceCents)
    if (duties === undefined) throw new Error(`there is no estimate for the price of ${priceCents} cents`)
    const { carrierCode, productId } = rate.product
    const shipment = { carrierCode, productId: String(productId), destination: request.to.country }
    const fees = clearanceFees(duties, shipment)
    const feeCents = sumCents(fees.map(({ amountCents }) => amountCents))
    const totalCents = goodsCents + priceCents + insuranceCents + duties.estimateCents + feeCents
    const dutiesCents = duties.estimateCents
    const { checkoutCents } = duties
    const parts = { goodsCents, priceCents, insuranceCents, dutiesCents, checkoutCents, feeCents }
    const payments = paymentsOf(terms, parts)
    return { rate, duties, goodsCents, insuranceCents, clearanceFees: fees, totalCents, payments }
  })
}
