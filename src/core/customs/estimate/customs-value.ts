/**
 * The value duty and tax are worked out on. Decided here: cost per item times number of items, exact, in euro;
 * freight and insurance are spread over the items by value, and belong to the customs value where the destination
 * values goods at its border. Source: specification 2.6; design note on customs, "What the request does not carry".
 */

import type { Valuation } from '../data/rows.ts'
import { dividedBy, type Exact, exactOf, isZero, plus, sumOf, times, timesWhole } from '../exact.ts'
import { COST_PLACES, type ContentItem, type DutiesRequest } from '../request.ts'

/** What the items of a request are worth, in euro, and what bringing them costs. */
export type ConsignmentValues = {
  /** Of each item, in the order of the request. */
  readonly goods: readonly Exact[]
  /** Freight and insurance of each item. */
  readonly freight: readonly Exact[]
  readonly totalGoods: Exact
  readonly totalFreight: Exact
}

/** Values a request; items without a value share the freight equally. */
export function valueItems({
  items,
  shippingCents = 0,
  insuranceCents = 0,
}: DutiesRequest): ConsignmentValues {
  const goods = items.map(goodsValue)
  const totalGoods = sumOf(goods)
  const totalFreight = exactOf(shippingCents + insuranceCents, 2)
  return { goods, freight: spread(totalFreight, goods, totalGoods), totalGoods, totalFreight }
}

/** The value of one content item. */
function goodsValue({ costSteps, numberOfItems }: ContentItem): Exact {
  return timesWhole(exactOf(costSteps, COST_PLACES), numberOfItems)
}

/** An amount spread over shares whose sum is `total`; equally when that is nothing. */
export function spread(amount: Exact, shares: readonly Exact[], total: Exact): readonly Exact[] {
  if (isZero(amount)) return shares.map(() => amount)
  if (isZero(total)) return shares.map(() => dividedBy(amount, exactOf(shares.length, 0)))
  const factor = dividedBy(amount, total)
  return shares.map((share) => times(share, factor))
}

/** The customs value: with freight and insurance where the basis is CIF. */
export function customsValue(goods: Exact, freight: Exact, valuation: Valuation): Exact {
  return valuation === 'CIF' ? plus(goods, freight) : goods
}
