/**
 * The value duty and tax are worked out on. Decided here: cost per item times number of items, exact, in euro;
 * a request carries no freight or insurance, so none is added, whatever the destination's basis.
 * Source: specification 2.6; design note on customs, "What the request does not carry".
 */
import { type Exact, exactOf, plus, ZERO } from './exact.ts'
import type { Valuation } from './reference-rows.ts'

/** Decimals a cost may have. */
export const COST_PLACES = 4

/** The customs value of one content item; `costSteps` in 10^-4 euro. */
export function customsValue(costSteps: number, numberOfItems: number): Exact {
  return exactOf(BigInt(costSteps) * BigInt(numberOfItems), COST_PLACES)
}

/** The value of a consignment: of all its items. */
export function consignmentValue(values: readonly Exact[]): Exact {
  return values.reduce(plus, ZERO)
}

/** What a description says of the basis: only where freight belongs to it does its absence matter. */
export function describeBasis(valuation: Valuation): string {
  return valuation === 'CIF' ? ' (freight and insurance not given)' : ''
}
