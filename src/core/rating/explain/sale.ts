/**
 * Explains the price of a product that is sold at a margin: what it depends on, and the price itself. A partner reads
 * this text, so it has neither the cost, nor the margin, nor any figure of the card that the cost comes from.
 */
import { billedShipmentGrams } from '../book/chargeable-weight.ts'
import type { PricingCase } from '../price/price.ts'
import { type AppliedRule, input, weighingInputs } from './applied-rule.ts'
import { euroText, weightText } from './figure-text.ts'
import { routeInputs, rowInputs } from './freight.ts'

export function explainSale(
  pricing: PricingCase,
  priceCents: number,
): Pick<AppliedRule, 'formula' | 'inputs'> {
  const { product, zoneNumber, chargeable } = pricing
  const price = euroText(priceCents)
  const billed = weightText(billedShipmentGrams(product.terms, chargeable), product.terms.units)
  return {
    formula: `${price} for ${billed} in zone ${zoneNumber}, with all surcharges and services`,
    inputs: [
      ...routeInputs(pricing),
      ...weighingInputs(product.weighing),
      ...chargeable.flatMap((row) => rowInputs(pricing, row)),
      input('weight billed', billed),
      input('agreed price', price),
    ],
  }
}
