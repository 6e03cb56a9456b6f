/**
 * The lines of a contract: changes of the freight, the minimum net charge, and changes of surcharges.
 * Rules: docs/rate-cards.md#contracts.
 */
import { mulDivToStep } from '../../money.ts'
import { billedShipmentGrams } from '../book/chargeable-weight.ts'
import { gramsOf } from '../book/list-units.ts'
import type { AgreedPercentage, AgreedTable } from '../contract.ts'
import { valueAt } from '../price-cell.ts'
import { freightParts } from './freight.ts'
import type { ApplicableSurcharge, PriceLine } from './price-line.ts'
import type { PricingCase } from './pricing-case.ts'

const NO_LINES: readonly PriceLine[] = []

/** The lines that follow the freight. `step` is the step that lines are rounded to, in cents. */
export function freightChanges(
  pricing: PricingCase,
  freightCents: number,
  step: number,
): readonly PriceLine[] {
  const { contract } = pricing
  if (contract === undefined) return NO_LINES
  const { freight, freightTable, minimum } = contract
  const lines: PriceLine[] = []
  if (freight !== undefined) lines.push(changeLine(freight, freightCents, step))
  if (freightTable !== undefined)
    for (const [change, baseCents] of partsOf(pricing, freightTable, freightCents))
      if (change.bps !== 0) lines.push(changeLine(change, baseCents, step))
  if (minimum === undefined) return lines
  let netCents = freightCents
  for (const { amountCents } of lines) netCents += amountCents
  if (netCents < minimum.cents)
    lines.push({
      kind: 'DISCOUNT',
      item: 'Minimum net charge',
      amountCents: minimum.cents - netCents,
      cause: { kind: 'minimum', minimum, netCents },
    })
  return lines
}

function changeLine(change: AgreedPercentage, baseCents: number, step: number): PriceLine {
  const item = change.bps < 0 ? 'Contract discount' : 'Contract surcharge'
  const amountCents = changeCents(change, baseCents, step)
  return { kind: 'DISCOUNT', item, amountCents, cause: { kind: 'contract', change, baseCents } }
}

/** A discount that is rounded to a step can exceed the amount. It is at most the amount. */
function changeCents({ bps }: AgreedPercentage, baseCents: number, step: number): number {
  return Math.max(mulDivToStep(baseCents, bps, 10_000, step), -baseCents)
}

/**
 * The part of the freight that each percentage applies to. Units that are priced one by one have discounts by their own
 * weight; otherwise the weight of the shipment counts.
 */
function partsOf(
  pricing: PricingCase,
  table: AgreedTable,
  freightCents: number,
): ReadonlyMap<AgreedPercentage, number> {
  const { product, zoneNumber } = pricing
  const parts = new Map<AgreedPercentage, number>()
  for (const { weight, cents } of freightParts(pricing, freightCents)) {
    const change = valueAt(table, zoneNumber, gramsOf(weight, product.terms.units))
    if (change !== undefined) parts.set(change, (parts.get(change) ?? 0) + cents)
  }
  return parts
}

/** The line that follows the line of a surcharge; undefined if the contract does not change the surcharge. */
export function surchargeChange(
  { contract, product, zoneNumber, chargeable }: PricingCase,
  { surcharge }: ApplicableSurcharge,
  baseCents: number,
  step: number,
): PriceLine | undefined {
  const table = contract?.surcharges?.get(surcharge.service ?? surcharge.code)
  if (table === undefined) return undefined
  const { terms } = product
  const change = valueAt(table, zoneNumber, gramsOf(billedShipmentGrams(terms, chargeable), terms.units))
  if (change === undefined || change.bps === 0) return undefined
  return {
    kind: 'DISCOUNT',
    item: `Contract ${change.bps < 0 ? 'discount' : 'surcharge'} on ${surcharge.name}`,
    amountCents: changeCents(change, baseCents, step),
    cause: { kind: 'surcharge-discount', change, surcharge, baseCents },
  }
}
