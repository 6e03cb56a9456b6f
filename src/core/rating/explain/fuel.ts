/** Explains where the fuel figure of a day comes from, and fuel that is an amount per unit. See docs/fuel.md. */
import { formatDecimal } from '../../quantity.ts'
import { type FuelInForce, indexText } from '../fuel/fuel-table.ts'
import { fuelAmount, fuelGrams, fuelUnits } from '../price/fuel.ts'
import type { PricingCase } from '../price/price.ts'
import type { ApplicableSurcharge } from '../price/price-line.ts'
import type { FuelUnit } from '../rate-card.ts'
import {
  type AppliedRule,
  amountTexts,
  contractText,
  input,
  type RuleInput,
  unitsText,
} from './applied-rule.ts'
import { kilogramsText, percentText } from './figure-text.ts'

/** Since when the figure applies, and the index value and step that it follows from. */
export function fuelInputs({ fuel }: Pick<ApplicableSurcharge, 'fuel'>): RuleInput[] {
  if (fuel === undefined) return []
  const { validFrom, index } = fuel
  return [
    input('rate since', validFrom),
    ...(index === undefined
      ? []
      : [
          input('fuel index', index.indexCode),
          input('index value', `${indexText(index.valueE4)} of ${index.day}`),
          ...(index.step === undefined ? [] : [input('index step', index.step)]),
          ...(index.keptSince === undefined ? [] : [input('index value missing since', index.keptSince)]),
        ]),
  ]
}

/** Fuel as an amount per parcel or per kilogram: "3 parcels × 0.35 EUR". */
export function explainFuelAmount(
  pricing: PricingCase,
  charge: ApplicableSurcharge,
  per: FuelUnit,
): Pick<AppliedRule, 'formula' | 'inputs'> {
  const { parcelType } = pricing.facts.request
  const texts = amountTexts(pricing)
  const agreed = pricing.contract?.fuel
  const { factor, numerator, denominator } = fuelAmount(charge, pricing, charge.fuel!.rateBps!, per)
  const units = fuelUnits(charge, pricing)
  const billed = per === 'kg' ? kilogramsText(fuelGrams(charge, pricing)) : unitsText(units, parcelType)
  const { currency } = texts
  const amount = `${formatDecimal(charge.fuel!.rateBps!, 4)} ${currency}`
  const changed = `${formatDecimal(numerator, 8)} ${currency}`
  const rate =
    agreed === undefined
      ? amount
      : `${changed} (${amount}, changed by ${percentText(agreed.bps)} by contract)`
  return {
    formula: `${billed} × ${rate}${texts.rounding(factor, numerator, denominator)}${texts.limits(charge.surcharge)}`,
    inputs: [
      per === 'kg' ? input('weight billed', billed) : input('units', units),
      input(per === 'kg' ? 'fuel per kg' : 'fuel per unit', amount),
      ...fuelInputs(charge),
      ...(agreed === undefined
        ? []
        : [input('contract change', percentText(agreed.bps)), input('contract', contractText(agreed.row))]),
    ],
  }
}

/** "9.5%", "0.35 per parcel", "0.085 per kg" or "none". */
export function fuelText(fuel: Pick<FuelInForce, 'rateBps' | 'per'> | undefined): string {
  if (fuel?.rateBps === undefined) return 'none'
  if (fuel.per === undefined) return percentText(fuel.rateBps)
  return `${formatDecimal(fuel.rateBps, 4)} per ${fuel.per}`
}
