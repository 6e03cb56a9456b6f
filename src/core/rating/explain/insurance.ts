/** Explains the premium of insurance: the free cover, and the rate or the band of the value. */
import { bandOfValue, freeCovers, startedSteps, stepsAbove } from '../price/insurance.ts'
import { insuredValueOf, type PricingCase } from '../price/price.ts'
import type { InsuranceBandRow } from '../rate-card.ts'
import { type AppliedRule, amountTexts, input, type RuleInput, timesText } from './applied-rule.ts'
import { euroText, percentText } from './figure-text.ts'

export function explainInsurance(pricing: PricingCase): Pick<AppliedRule, 'formula' | 'inputs'> {
  const { product, shared, facts } = pricing
  const { money, minimum, rounding } = amountTexts(pricing)
  const terms = shared.group.carrier.insurance!
  const { freeCoverCents, rateBps, minimumCents } = terms
  const valueCents = insuredValueOf(pricing)!
  const covers = freeCovers(terms, product.terms.pricingBasis, facts.extremes.units)
  const freeCents = freeCoverCents * covers
  const [value, rate] = [money(valueCents), percentText(rateBps)]
  const cover = `the free cover of ${timesText(covers)}${money(freeCoverCents)}`
  const isFree = valueCents <= freeCents
  const over = freeCoverCents === 0 ? '' : ` (the whole value, because it exceeds ${cover})`
  const band = bandOfValue(terms, valueCents)
  const premium =
    band === undefined
      ? `${rate} of ${value}${over}${rounding(valueCents, rateBps, 10_000)}`
      : inBand(band, valueCents, freeCents, money)
  const isConverted = pricing.rate !== undefined && pricing.rate.currency !== 'EUR'
  return {
    formula: isFree ? `${money(0)}: ${value} is within ${cover}` : premium + minimum(minimumCents),
    inputs: [
      ...(isConverted ? [input('value in euro', euroText(facts.request.insuredValueCents!))] : []),
      input('value', value),
      input('free cover', money(freeCoverCents)),
      input('covers', covers),
      ...(band === undefined ? [input('rate', rate)] : []),
      ...(band === undefined || isFree ? [] : bandInputs(band, valueCents, freeCents, money)),
      input('minimum', money(minimumCents)),
    ],
  }
}

type MoneyText = (cents: number) => string

function inBand(band: InsuranceBandRow, valueCents: number, freeCents: number, money: MoneyText): string {
  const { priceCents, valueStepCents, stepPriceCents } = band
  const price = `${money(priceCents)} for a value ${bandText(band, money)}`
  if (valueStepCents === undefined) return price
  const steps = startedSteps(band, valueCents, freeCents)
  const above = stepsAbove(band, freeCents)
  const from = above === 0 ? '' : ` above ${money(above)}`
  const counted = `${steps} started ${steps === 1 ? 'step' : 'steps'} of ${money(valueStepCents)}${from}`
  return `${price} + ${counted} × ${money(stepPriceCents!)}`
}

function bandInputs(
  band: InsuranceBandRow,
  valueCents: number,
  freeCents: number,
  money: MoneyText,
): RuleInput[] {
  const { priceCents, valueStepCents, stepPriceCents } = band
  const inputs = [input('band', bandText(band, money)), input('band price', money(priceCents))]
  if (valueStepCents === undefined) return inputs
  return [
    ...inputs,
    input('step', money(valueStepCents)),
    input('steps above', money(stepsAbove(band, freeCents))),
    input('started steps', startedSteps(band, valueCents, freeCents)),
    input('step price', money(stepPriceCents!)),
  ]
}

/** "over 1000.00 EUR up to 5000.00 EUR", or "up to 1000.00 EUR". */
function bandText({ overCents, upToCents }: InsuranceBandRow, money: MoneyText): string {
  const upTo = `up to ${money(upToCents)}`
  return overCents === 0 ? upTo : `over ${money(overCents)} ${upTo}`
}
