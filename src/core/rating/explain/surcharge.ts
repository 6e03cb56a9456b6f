/**
 * Explains a surcharge: the units or weight that it is charged for, the base of a percentage, minimum and maximum.
 */

import { billedShipmentGrams, type ChargeableParcel, sumOfWeights } from '../book/chargeable-weight.ts'
import { unitOfWeight } from '../book/list-units.ts'
import { jointRate } from '../price/percentages.ts'
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
  stepInputs,
  timesText,
  unitsText,
  unitWord,
  weightInputs,
} from './applied-rule.ts'
import { cellSuffix } from './contract.ts'
import { percentText, weightText } from './figure-text.ts'
import { conditionInputs, explainFormula, serviceInputs } from './formula.ts'
import { explainFuelAmount, fuelInputs } from './fuel.ts'

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
      ...serviceInputs(pricing, charge),
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
      return jointly(pricing, charge, before, percentage(pricing, charge, before))
    case 'fuel':
      return jointly(pricing, charge, before, fuel(pricing, charge, before))
    case 'formula':
      return formulaOf(pricing, charge, before)
  }
}

function methodText(pricing: PricingCase, { surcharge, fuel }: ApplicableSurcharge): string {
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
      const unit = UNIT_NAMES[unitOfWeight(pricing.product.terms.units).sign]
      if (per === 'shipment') return `per ${unit} of the shipment${limits}`
      return `per ${unit} of each ${units}${limits}${limits === '' ? '' : ` for each ${word}`}`
    }
    case 'pct':
      return `percent of ${base}${limits}`
    case 'fuel':
      if (fuel?.per === undefined) return `fuel percentage of ${base}${limits}`
      return `fuel amount per ${fuel.per === 'kg' ? 'kilogram' : word}${limits}`
    case 'formula':
      return per === 'unit' ? `formula, for each ${units}` : 'formula, once for the shipment'
  }
}

const UNIT_NAMES = { kg: 'kilogram', lb: 'pound', oz: 'ounce' } as const

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
  const { units } = product.terms
  const [rate, weight] = [texts.money(amount), weightText(grams, units)]
  const limits = texts.limits(surcharge)
  const isPerUnit = per === 'unit' && limits !== ''
  const perRow = rows.map(
    (row) => `${timesText(row.count)}(${rate} × ${weightText(row.chargeableGrams, units)}${limits})`,
  )
  return {
    formula: isPerUnit
      ? perRow.join(' + ') + texts.rounding(1, perUnitThousandths(surcharge, rows), 1000)
      : `${rate} × ${weight}${texts.rounding(amount, grams, 1000)}${limits}`,
    inputs: [
      ...weightInputs(rows, units),
      ...(per === 'shipment' ? weighingOfShipment(pricing, rows) : []),
      input('weight billed', weight),
      input(`rate per ${unitOfWeight(units).sign}`, rate),
      ...(isPerUnit ? [input('units', times)] : []),
      ...limitInputs(texts, surcharge),
    ],
  }
}

/** With totals of the shipment, the steps of a unit apply to the total. */
function weighingOfShipment(
  { product: { terms } }: PricingCase,
  rows: readonly ChargeableParcel[],
): RuleInput[] {
  const steps = terms.volumetricPer === undefined ? [] : stepInputs(terms)
  return [...steps, ...shipmentWeighingInputs(terms, rows)]
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

function fuel(pricing: PricingCase, charge: ApplicableSurcharge, before: readonly PriceLine[]): Explained {
  const { contract } = pricing
  const texts = amountTexts(pricing)
  const { surcharge } = charge
  if (charge.fuel?.per !== undefined) {
    const { formula, inputs } = explainFuelAmount(pricing, charge, charge.fuel.per)
    return { formula, inputs: [...inputs, ...limitInputs(texts, surcharge)] }
  }
  const base = baseOf(surcharge, before, texts)
  const since = fuelInputs(charge)
  const rateBps = charge.fuel?.rateBps
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

/** Adds how the line is rounded, if its percentage is rounded with those before it. */
function jointly(
  pricing: PricingCase,
  charge: ApplicableSurcharge,
  before: readonly PriceLine[],
  alone: Explained,
): Explained {
  const { contract, shared } = pricing
  const rate = jointRate(charge, contract)
  if (shared.group.priceTerms?.percentagesTogether !== true || rate === undefined) return alone
  const earlier = before.flatMap((line) => {
    const other = line.cause.kind === 'surcharge' ? jointRate(line.cause, contract) : undefined
    return other === undefined ? [] : { line, rate: other }
  })
  if (earlier.length === 0) return alone
  const { money } = amountTexts(pricing)
  const total = percentText(Number(earlier.reduce((sum, other) => sum + other.rate, rate)), 6)
  const names = listText(earlier.map(({ line }) => nameOf(line)))
  const cents = earlier.reduce((sum, { line }) => sum + line.amountCents, 0)
  return {
    formula: `${alone.formula}, together with ${names}: ${total} of the same, less ${money(cents)}`,
    inputs: [
      ...alone.inputs,
      input('rate with earlier percentages', total),
      ...earlier.map(({ line }) => input(`less: ${inputName(line)}`, money(line.amountCents))),
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
