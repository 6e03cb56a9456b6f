/**
 * Explains a surcharge: the units or weight that it is charged for, the base of a percentage, minimum and maximum.
 */

import { billedShipmentGrams, sumOfWeights } from '../book/chargeable-weight.ts'
import { type ChargeLimits, type PricingCase, perUnitThousandths } from '../price/price.ts'
import type { ApplicableSurcharge, LineCause, PriceLine } from '../price/price-line.ts'
import {
  type AmountTexts,
  type AppliedRule,
  amountTexts,
  contractText,
  input,
  type RuleInput,
  rowName,
  shipmentWeighingInputs,
  timesText,
  unitsText,
  unitWord,
  weightInputs,
} from './applied-rule.ts'
import { cellSuffix } from './contract.ts'
import { kilogramsText, percentText } from './figure-text.ts'
import { conditionInputs, explainFormula } from './formula.ts'

type Explained = Pick<AppliedRule, 'formula' | 'inputs'>

/** `before` are the lines of the price that precede the surcharge. */
export function explainSurcharge(
  pricing: PricingCase,
  charge: ApplicableSurcharge,
  before: readonly PriceLine[],
): Explained {
  const { formula, inputs } = calculationOf(pricing, charge, before)
  const { trigger } = charge.surcharge
  return {
    formula,
    inputs: uniqueByName([
      input('trigger', trigger),
      ...conditionInputs(pricing, charge),
      input('method', methodText(pricing, charge)),
      ...inputs,
    ]),
  }
}

/** A condition and a formula may use the same measure. */
function uniqueByName(inputs: readonly RuleInput[]): RuleInput[] {
  const seen = new Set<string>()
  return inputs.filter(({ name }) => !seen.has(name) && seen.add(name))
}

function calculationOf(
  pricing: PricingCase,
  charge: ApplicableSurcharge,
  before: readonly PriceLine[],
): Explained {
  switch (charge.surcharge.method) {
    case 'flat':
      return flat(pricing, charge)
    case 'per_kg':
      return perKilogram(pricing, charge)
    case 'pct':
      return percentage(pricing, charge, before)
    case 'fuel':
      return fuel(pricing, charge, before)
    case 'formula':
      return formulaOf(pricing, charge, before)
  }
}

function methodText(pricing: PricingCase, { surcharge }: ApplicableSurcharge): string {
  const { request } = pricing.facts
  const { method, phase, per, kind } = surcharge
  const word = unitWord(request.parcelType)
  const units = kind === 'SERVICE' ? word : `${word} that triggers it`
  const base = phase === 'accessorial' ? 'the freight' : 'freight and fuelable accessorials'
  const limits = amountTexts(pricing).limits(surcharge)
  switch (method) {
    case 'flat':
      return per === 'unit' ? `flat, for each ${units}` : 'flat, once for the shipment'
    case 'per_kg': {
      if (per === 'shipment') return `per kilogram of the shipment${limits}`
      return `per kilogram of each ${units}${limits}${limits === '' ? '' : ` for each ${word}`}`
    }
    case 'pct':
      return `percent of ${base}${limits}`
    case 'fuel':
      return `fuel percentage of ${base}${limits}`
    case 'formula':
      return per === 'unit' ? `formula, for each ${units}` : 'formula, once for the shipment'
  }
}

function flat(pricing: PricingCase, { surcharge, rows, times }: ApplicableSurcharge): Explained {
  const { request } = pricing.facts
  const amount = amountTexts(pricing).money(surcharge.amount)
  if (surcharge.per === 'shipment')
    return { formula: `${amount} for the shipment`, inputs: [input('amount', amount)] }
  return {
    formula: `${unitsText(times, request.parcelType)} × ${amount}`,
    inputs: [
      ...rows.map((row) => input(rowName(row, 'units'), request.parcels[row]!.count)),
      input('units', times),
      input('amount', amount),
    ],
  }
}

function perKilogram(pricing: PricingCase, charge: ApplicableSurcharge): Explained {
  const { product, chargeable } = pricing
  const texts = amountTexts(pricing)
  const { surcharge, times } = charge
  const { amount, per } = surcharge
  const rows = charge.rows.map((row) => chargeable[row]!)
  const grams = per === 'shipment' ? billedShipmentGrams(product.terms, rows) : sumOfWeights(rows)
  const [rate, weight] = [texts.money(amount), kilogramsText(grams)]
  const limits = texts.limits(surcharge)
  const isPerUnit = per === 'unit' && limits !== ''
  const perRow = rows.map(
    (row) => `${timesText(row.count)}(${rate} × ${kilogramsText(row.chargeableGrams)}${limits})`,
  )
  return {
    formula: isPerUnit
      ? perRow.join(' + ') + texts.rounding(1, perUnitThousandths(surcharge, rows), 1000)
      : `${rate} × ${weight}${texts.rounding(amount, grams, 1000)}${limits}`,
    inputs: [
      ...weightInputs(rows),
      ...(per === 'shipment' ? shipmentWeighingInputs(product.terms) : []),
      input('weight billed', weight),
      input('rate per kg', rate),
      ...(isPerUnit ? [input('units', times)] : []),
      ...limitInputs(texts, surcharge),
    ],
  }
}

function percentage(
  pricing: PricingCase,
  { surcharge }: ApplicableSurcharge,
  before: readonly PriceLine[],
): Explained {
  const { amount } = surcharge
  const texts = amountTexts(pricing)
  const base = baseOf(surcharge, before, texts)
  const rate = percentText(amount)
  return {
    formula: `${rate} of ${base.text}${texts.rounding(base.cents, amount, 10_000)}${texts.limits(surcharge)}`,
    inputs: [...base.inputs, input('rate', rate), ...limitInputs(texts, surcharge)],
  }
}

function fuel(
  pricing: PricingCase,
  { surcharge, rateBps, fuelSince }: ApplicableSurcharge,
  before: readonly PriceLine[],
): Explained {
  const { contract } = pricing
  const texts = amountTexts(pricing)
  const base = baseOf(surcharge, before, texts)
  const since = fuelSince === undefined ? [] : [input('rate since', fuelSince)]
  if (rateBps === undefined)
    return {
      formula: `${texts.money(0)}: no fuel rate is set for this day`,
      inputs: [...base.inputs, input('rate', 'none')],
    }
  const rate = percentText(rateBps)
  const agreed = contract?.fuel
  if (agreed === undefined)
    return {
      formula: `${rate} of ${base.text}${texts.rounding(base.cents, rateBps, 10_000)}${texts.limits(surcharge)}`,
      inputs: [...base.inputs, input('rate', rate), ...since, ...limitInputs(texts, surcharge)],
    }
  // The product of two rates in basis points is a percentage with six decimals.
  const changed = rateBps * (10_000 + agreed.bps)
  const change = percentText(agreed.bps)
  return {
    formula:
      `${percentText(changed, 6)} (${rate}, changed by ${change} by contract) of ${base.text}` +
      texts.rounding(base.cents, changed, 100_000_000) +
      texts.limits(surcharge),
    inputs: [
      ...base.inputs,
      input('rate', rate),
      ...since,
      ...limitInputs(texts, surcharge),
      input('contract change', change),
      input('contract', contractText(agreed.row)),
    ],
  }
}

function formulaOf(
  pricing: PricingCase,
  charge: ApplicableSurcharge,
  before: readonly PriceLine[],
): Explained {
  const freight = before.filter(({ cause }) => isOfFreight(cause))
  return explainFormula(
    pricing,
    charge,
    freight.reduce((cents, { amountCents }) => cents + amountCents, 0),
  )
}

function limitInputs({ money }: AmountTexts, { minimumCents, maximumCents }: ChargeLimits): RuleInput[] {
  return [
    ...(minimumCents === 0 ? [] : [input('minimum', money(minimumCents))]),
    ...(maximumCents === undefined ? [] : [input('maximum', money(maximumCents))]),
  ]
}

/** The base of a percentage: the sum of some of the preceding lines. */
type Base = { readonly cents: number; readonly text: string; readonly inputs: readonly RuleInput[] }

function baseOf(
  { phase }: ApplicableSurcharge['surcharge'],
  before: readonly PriceLine[],
  { money }: AmountTexts,
): Base {
  const counted = before.filter(
    ({ cause }) =>
      isOfFreight(cause) ||
      ((cause.kind === 'surcharge' || cause.kind === 'surcharge-discount') &&
        phase !== 'accessorial' &&
        cause.surcharge.phase === 'accessorial' &&
        cause.surcharge.fuelable),
  )
  let cents = 0
  for (const { amountCents } of counted) cents += amountCents
  const text = money(cents)
  return {
    cents,
    text: `${text} (${listText(counted.map(nameOf))})`,
    inputs: [
      ...counted.map((line) => input(`base: ${inputName(line)}`, money(line.amountCents))),
      input('base', text),
    ],
  }
}

function isOfFreight({ kind }: LineCause): boolean {
  return kind === 'freight' || kind === 'contract' || kind === 'minimum'
}

/** A surcharge has its name from the card. All other lines have fixed names, which are written in lower case here. */
function nameOf({ cause, item }: PriceLine): string {
  switch (cause.kind) {
    case 'surcharge':
      return item
    case 'surcharge-discount':
      return item.replace('Contract', 'contract')
    case 'freight':
    case 'contract':
    case 'minimum':
    case 'insurance':
    case 'sale':
      return item.toLowerCase()
  }
}

/**
 * Two surcharges of a card can have the same name, so the code is added. Several changes of the freight by weight have
 * the same name, so the weights and zones are added.
 */
function inputName(line: PriceLine): string {
  const { cause } = line
  if (cause.kind === 'surcharge' || cause.kind === 'surcharge-discount')
    return `${nameOf(line)} (${cause.surcharge.code})`
  return cause.kind === 'contract' ? nameOf(line) + cellSuffix(cause.change) : nameOf(line)
}

function listText(names: readonly string[]): string {
  if (names.length < 2) return names.join()
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
