/**
 * Landed cost: goods, transport, insurance, duties and taxes together. The price of a rate option counts as freight to
 * the border, so it is part of every customs value that includes freight; only the line of DUTIES_PAID does not count.
 * The insurance of the request is added to it. Options with the same freight share one estimate. The fees of their
 * carriers are added.
 * Rules: docs/graphql.md#landed-cost.
 */
import { valueItems } from '../customs/estimate/consignment.ts'
import type { DutiesEstimate } from '../customs/estimate/estimate.ts'
import { boundSentence, type EstimateRange } from '../customs/estimate/explain/estimate-range.ts'
import { centsOf } from '../customs/exact.ts'
import type { DutiesRequest } from '../customs/request.ts'
import { sumCents } from '../money.ts'
import { lineOfService } from '../rating/available-services.ts'
import type { RateOption } from '../rating/quote.ts'
import { type ClearanceFee, type ClearedShipment, clearanceFees } from './clearance-fee.ts'
import { type DeliveryTerms, type Payment, paymentsOf } from './payment.ts'

/** A rate option with the duties on the goods. */
export type LandedOption<Estimate extends DutiesEstimate = DutiesEstimate> = {
  readonly rate: RateOption
  readonly duties: Estimate
  readonly shipment: ClearedShipment
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

/** The freight to the border in cents. The service of paying duties is no transport. */
function freightOf(option: RateOption): number {
  return option.priceCents - (lineOfService(option, 'DUTIES_PAID')?.amountCents ?? 0)
}

/** The duties requests to estimate, one for each freight among the options, by freight in cents. */
export function requestsByFreight(
  options: readonly RateOption[],
  request: DutiesRequest,
): ReadonlyMap<number, DutiesRequest> {
  return new Map(
    options.map((option) => {
      const shippingCents = freightOf(option)
      return [shippingCents, { ...request, shippingCents }]
    }),
  )
}

/** Adds the estimate for its freight to each option. Throws if `estimates` lacks a freight. */
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
    const freightCents = freightOf(rate)
    const duties = estimates.get(freightCents)
    if (duties === undefined) throw new Error(`there is no estimate for the freight of ${freightCents} cents`)
    const { carrierCode, productId } = rate.product
    const shipment = { carrierCode, productId: String(productId), destination: request.to.country }
    const fees = clearanceFees(duties, shipment)
    const feeCents = sumOfFees(fees)
    const dutiesCents = duties.estimateCents
    const totalCents = goodsCents + priceCents + insuranceCents + dutiesCents + feeCents
    const { checkoutCents } = duties
    const parts = { goodsCents, priceCents, insuranceCents, dutiesCents, checkoutCents, feeCents }
    const payments = paymentsOf(terms, parts)
    return { rate, duties, shipment, goodsCents, insuranceCents, clearanceFees: fees, totalCents, payments }
  })
}

function sumOfFees(fees: readonly ClearanceFee[]): number {
  return sumCents(fees.map(({ amountCents }) => amountCents))
}

/** The range of the landed cost of an option. `range`: that of its duties. Clearance fees follow the duties. */
export function landedRange(option: LandedOption, range: EstimateRange): EstimateRange {
  const { rate, duties, shipment, goodsCents, insuranceCents, clearanceFees: likelyFees, totalCents } = option
  const other = goodsCents + rate.priceCents + insuranceCents
  const totalWith = (estimateCents: number): number =>
    other + estimateCents + sumOfFees(clearanceFees({ ...duties, estimateCents }, shipment))
  const unknown = likelyFees.flatMap(({ row, computed }) => (computed ? [] : [row.name]))
  const withoutBound = [...range.withoutBound, ...unknown]
  const isBounded = range.mostCents !== undefined && unknown.length === 0
  return {
    leastCents: Math.min(totalCents, totalWith(range.leastCents)),
    likelyCents: totalCents,
    mostCents: isBounded ? Math.max(totalCents, totalWith(range.mostCents)) : undefined,
    withoutBound,
    decision: range.decision ?? boundSentence(withoutBound),
  }
}
