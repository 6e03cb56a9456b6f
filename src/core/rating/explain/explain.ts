/**
 * Explains a line of a price: the rule it comes from, and every figure that is needed to recalculate it by hand. It
 * reads the figures that price.ts used; it does not price anything.
 *
 * Names of inputs. `row n` is the n-th parcel row of the request; its measures are those of one unit.
 * - Freight: product, pricing basis, pricing day, from, to, lane (its groups), zone.
 *   By weight: weight rounded up to, heavy above, heavy weight rounded up to, smallest weight of a unit, sides rounded,
 *   volumetric divisor, weight of a cubic metre, weight of a loading metre, weight of a document; total actual weight,
 *   total volumetric weight, weight of the shipment rounded up to, smallest weight of the shipment; row n actual
 *   weight, size, size in inches, stackable, volumetric weight, smallest weight, smallest weight by, units, chargeable
 *   weight. Then band, and either band price (with step, started steps, step price) or rate per 100 kg. These have the
 *   prefix `row n` if units are priced one by one; otherwise they are for the weight billed. With deficit weight:
 *   chargeable weight, weight billed, next band, next rate per 100 kg. Weights are in the unit of the price list, and
 *   names have `lb` or `oz` instead of `kg`.
 *   By pallet class: row n units, actual weight, size, pallet class, class limits, spaces, class price.
 *   By size class: row n units, actual weight, size, size class, class condition, class price.
 * - Contract: contract, freight or surcharge, change; for a discount by zone and weight: applies to, zones and weights,
 *   turnover from. Minimum: contract, net freight, minimum net charge.
 * - Sale at a margin: product, pricing day, from, to, lane, zone, the weights as for freight, weight billed, agreed
 *   price.
 * - Surcharge, and service: trigger, method. Services also: slot, dangerous goods, or amount to collect with the rates
 *   that convert it (`rate of PLN`, `rate of PLN of`, the day). Flat: amount; if it is charged per unit, row n units
 *   and units. Per kilogram: row n units, row n chargeable weight, both rules for the weight of the shipment (unless it
 *   is charged per unit), weight billed, rate per kg, minimum and maximum (per unit if `units` is given). Percent and
 *   fuel: `base: ` with the name of each line in the base, base, rate ("none" if no fuel percentage is set), rate
 *   since, minimum, maximum; contract change (of the rate), contract. Fuel as an amount: fuel per unit and units, or
 *   fuel per kg and weight billed, instead of base and rate. Fuel by an index: fuel index, index value, index step,
 *   index value missing since. Percentages that are rounded together: rate with earlier percentages, and `less: ` with
 *   the name of each earlier line. If the row has a condition: the condition. Formula: the formula as it is written; if
 *   it is charged per unit, row n units. Both: each measure that they use, with the prefix `row n` if it is that of a
 *   unit.
 * - Insurance: value, free cover, covers (how often it counts), minimum; rate, or band and band price (with step, steps
 *   above, started steps, step price). If the card is in another currency: value in euro.
 * - Conversion, if the card is not in euro without VAT: card amount, VAT included, exchange rate, exchange rate of,
 *   card total, price (of all lines).
 *
 * The formula shows where an amount is rounded to the nearest cent. Exactly half a cent is rounded up, for negative
 * amounts too: -1.5 cents becomes -1 cent.
 */

import { type RateCardHead, versionText } from '../card-version.ts'
import type { RateOption } from '../quote.ts'
import type { AppliedRule, RuleText } from './applied-rule.ts'
import { explainContract } from './contract.ts'
import { explainConversion } from './conversion.ts'
import { explainFreight } from './freight.ts'
import { explainInsurance } from './insurance.ts'
import { explainSale } from './sale.ts'
import { explainSurcharge } from './surcharge.ts'

export type { AppliedRule, RuleInput } from './applied-rule.ts'

/** Explains the line at `index`. Throws a RangeError if the option has no such line. */
export function explainLine(option: RateOption, index: number): AppliedRule {
  const { code, versionNo } = option.card
  const rule = ruleOf(option, index)
  const { formula, inputs } = explainConversion(option, index)
  return {
    card: code,
    versionNo,
    ...rule,
    formula: rule.formula + formula,
    inputs: inputs.length === 0 ? rule.inputs : [...rule.inputs, ...inputs],
  }
}

/** Explains the amount in the rate card. */
function ruleOf(option: RateOption, index: number): RuleText {
  const { card, pricing } = option
  const lines = option.cardPrice?.lines ?? option.lines
  const line = lines[index]
  if (line === undefined)
    throw new RangeError(`there is no line ${index}: the price has ${lines.length} lines`)
  const { cause } = line
  const { product, shared, zoneNumber } = pricing
  const { carrier } = shared.group
  const version = versionText(card)
  switch (cause.kind) {
    case 'freight': {
      const id = `${version}/${product.terms.productId}/zone ${zoneNumber}/freight`
      return { id, validFrom: card.validFrom, ...explainFreight(pricing) }
    }
    case 'contract':
    case 'minimum':
    case 'surcharge-discount':
      return explainContract(pricing, cause)
    case 'surcharge': {
      const id = `${version}/${carrier.code}/${cause.surcharge.code}${startSuffix(cause.surcharge, card)}`
      const { validFrom } = cause.surcharge
      return { id, validFrom, ...explainSurcharge(pricing, cause, lines.slice(0, index)) }
    }
    case 'insurance':
      return {
        id: `${version}/${carrier.code}/insurance`,
        validFrom: card.validFrom,
        ...explainInsurance(pricing),
      }
    case 'sale': {
      const id = `${version}/${product.terms.productId}/zone ${zoneNumber}/price`
      return { id, validFrom: card.validFrom, ...explainSale(pricing, line.amountCents) }
    }
  }
}

/**
 * A version can contain several rows of a surcharge. If a row starts on a later day than the version, its id has that
 * day.
 */
function startSuffix({ validFrom }: { readonly validFrom: string }, card: RateCardHead): string {
  return validFrom === card.validFrom ? '' : `/${validFrom}`
}
