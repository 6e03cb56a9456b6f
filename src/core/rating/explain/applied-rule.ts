/**
 * The shape of an explained price line, and the inputs and texts that freight and surcharges have in common. Values
 * are exact, so that the amount can be recalculated from them.
 */

import {
  type ChargeableParcel,
  type Fraction,
  inUnits,
  type ShipmentWeighing,
  totalsOf,
  volumetricOf,
  type WeighingRule,
} from '../book/chargeable-weight.ts'
import { ceilNumber, FIFTIETHS_PER_INCH, fiftiethsOf } from '../book/list-units.ts'
import { largestMinimum } from '../book/minimum-weight.ts'
import { type ContractRow, scopeText } from '../contract.ts'
import { type ChargeLimits, type PricingCase, roundingStep } from '../price/price.ts'
import type { ListUnits } from '../rate-card.ts'
import type { Parcel, ParcelType } from '../request.ts'
import { kilogramsText, moneyText, weightText } from './figure-text.ts'

/** A named figure. `value` has its unit: "12.4 kg", "19.50 EUR", "9.5%", "ES", "2". */
export type RuleInput = { readonly name: string; readonly value: string }

/** The rule that a price line comes from, and the figures that it was applied to. */
export type AppliedRule = {
  /** "demo@1/rondeel/ISLAND_DOM", unique within the version. The id of a contract does not contain the card. */
  readonly id: string
  /** The card that the price of the product comes from. */
  readonly card: string
  readonly versionNo: number
  /** The calculation in words and figures. */
  readonly formula: string
  /** Names are unique within a rule. explain.ts lists them. */
  readonly inputs: readonly RuleInput[]
  /** The first day the rule applies, 'YYYY-MM-DD'. */
  readonly validFrom: string
}

export type RuleText = Omit<AppliedRule, 'card' | 'versionNo'>

export function input(name: string, value: string | number): RuleInput {
  return { name, value: String(value) }
}

/** Writes amounts of a price, which are in the currency of the rate card. */
export type AmountTexts = {
  /** Of the rate card. */
  readonly currency: string
  /** "12.50 EUR". */
  readonly money: (cents: number) => string
  /** ", at least 22.00 EUR", or '' without a minimum. */
  readonly minimum: (minimumCents: number) => string
  /** ", at least 22.00 EUR, at most 560.00 EUR", or one of both, or ''. */
  readonly limits: (limits: ChargeLimits) => string
  /** The suffix of a calculation that is rounded; '' if `factor × numerator / denominator` needs no rounding. */
  readonly rounding: (factor: number, numerator: number | bigint, denominator: number | bigint) => string
}

export function amountTexts(pricing: Pick<PricingCase, 'shared'>): AmountTexts {
  const step = roundingStep(pricing)
  const currency = pricing.shared.group.priceTerms?.currency ?? 'EUR'
  const money = (cents: number): string => moneyText(cents, currency)
  const unit = step === 1 ? 'the cent' : `a multiple of ${money(step)}`
  const minimum = (minimumCents: number): string =>
    minimumCents === 0 ? '' : `, at least ${money(minimumCents)}`
  return {
    currency,
    money,
    minimum,
    limits: ({ minimumCents, maximumCents }) =>
      minimum(minimumCents) + (maximumCents === undefined ? '' : `, at most ${money(maximumCents)}`),
    rounding(factor, numerator, denominator) {
      const isWhole = (BigInt(factor) * BigInt(numerator)) % (BigInt(denominator) * BigInt(step)) === 0n
      return isWhole ? '' : `, rounded half up to ${unit}`
    },
  }
}

/** "2 × ", or '' for 1. */
export function timesText(times: number): string {
  return times === 1 ? '' : `${times} × `
}

/** "account acme, product 1201, from 2026-01-01". */
export function contractText(contract: ContractRow): string {
  return `account ${contract.accountId}, ${scopeText(contract)}, from ${contract.validFrom}`
}

const UNIT_WORDS = {
  NONDOC: ['parcel', 'parcels'],
  DOC: ['document', 'documents'],
  PALLET: ['pallet', 'pallets'],
} as const

export function unitWord(type: ParcelType): string {
  return UNIT_WORDS[type][0]
}

/** "2 parcels". */
export function unitsText(units: number, type: ParcelType): string {
  return `${units} ${UNIT_WORDS[type][units === 1 ? 0 : 1]}`
}

/** "row 1 units". Rows are counted from 1. */
export function rowName(parcelIndex: number, name: string): string {
  return `row ${parcelIndex + 1} ${name}`
}

/** The weighing rule of a product. */
export function weighingInputs(rule: WeighingRule): RuleInput[] {
  const { volumetricDivisor, kilogramsPerCubicMetre, kilogramsPerLoadingMetre, documentGrams } = rule
  const { minBilledUnitGrams, units, sideRounding } = rule
  const inputs = stepInputs(rule)
  if (minBilledUnitGrams !== undefined)
    inputs.push(input('smallest weight of a unit', weightText(minBilledUnitGrams, units)))
  if (sideRounding !== undefined) inputs.push(input('sides rounded', SIDE_ROUNDING_TEXTS[sideRounding]))
  if (volumetricDivisor !== undefined)
    inputs.push(
      input('volumetric divisor', `${volumetricDivisor} ${units === undefined ? 'cm³/kg' : 'in³/lb'}`),
    )
  if (kilogramsPerCubicMetre !== undefined)
    inputs.push(input('weight of a cubic metre', `${kilogramsPerCubicMetre} kg`))
  if (kilogramsPerLoadingMetre !== undefined)
    inputs.push(input('weight of a loading metre', `${kilogramsPerLoadingMetre} kg`))
  if (documentGrams !== undefined) inputs.push(input('weight of a document', kilogramsText(documentGrams)))
  return inputs
}

/** The steps that weights are rounded up to. */
export function stepInputs({
  weightStepGrams,
  heavyOverGrams,
  heavyStepGrams,
  units,
}: Pick<WeighingRule, 'weightStepGrams' | 'heavyOverGrams' | 'heavyStepGrams' | 'units'>): RuleInput[] {
  const inputs = [input('weight rounded up to', weightText(weightStepGrams, units))]
  if (heavyOverGrams !== undefined)
    inputs.push(
      input('heavy above', weightText(heavyOverGrams, units)),
      input('heavy weight rounded up to', weightText(heavyStepGrams!, units)),
    )
  return inputs
}

const SIDE_ROUNDING_TEXTS = { up: 'up to whole inches', 'half-up': 'half up to whole inches' } as const

/** How a product weighs the shipment, if not by the sum of its units. */
export function shipmentWeighingInputs(
  terms: ShipmentWeighing,
  rows: readonly ChargeableParcel[],
): RuleInput[] {
  const { shipmentStepGrams, minBilledShipmentGrams, volumetricPer, units } = terms
  const inputs: RuleInput[] = []
  if (volumetricPer !== undefined) {
    const { actual, volumetric } = totalsOf(terms, rows)
    const total = ({ numerator, denominator }: Fraction): string =>
      weightText(ceilNumber(numerator, denominator), units)
    inputs.push(
      input('total actual weight', total(actual)),
      input('total volumetric weight', total(volumetric)),
    )
  }
  if (shipmentStepGrams !== undefined)
    inputs.push(input('weight of the shipment rounded up to', weightText(shipmentStepGrams, units)))
  if (minBilledShipmentGrams !== undefined)
    inputs.push(input('smallest weight of the shipment', weightText(minBilledShipmentGrams, units)))
  return inputs
}

/** The size and weights of one unit of a row, before rounding to the step. */
export function measuredInputs(
  { product, facts, shared }: PricingCase,
  { parcelIndex, actualGrams, volumetricGrams }: ChargeableParcel,
): RuleInput[] {
  const { kilogramsPerLoadingMetre, minimums, units, sideRounding } = product.weighing
  const parcel = facts.request.parcels[parcelIndex]!
  const named = (name: string, value: string): RuleInput => input(rowName(parcelIndex, name), value)
  const exactText = ({ numerator, denominator }: Fraction): string =>
    weightText(ceilNumber(numerator, denominator), units)
  const inputs = [named('actual weight', exactText(inUnits(actualGrams, { units })))]
  if (volumetricGrams > 0) {
    inputs.push(named('size', sizeText(parcel)))
    if (units !== undefined)
      inputs.push(
        named(
          'size in inches',
          [parcel.lengthCm, parcel.widthCm, parcel.heightCm]
            .map((side) => inchesText(fiftiethsOf(side, sideRounding)))
            .join(' × '),
        ),
      )
    if (kilogramsPerLoadingMetre !== undefined)
      inputs.push(named('stackable', parcel.stackable ? 'yes' : 'no'))
    inputs.push(named('volumetric weight', exactText(volumetricOf(product.weighing, parcel))))
  }
  const { shipment } = shared.route.surchargeFacts
  const applied = minimums && largestMinimum(minimums, { parcel, shipment, units })
  if (applied === undefined) return inputs
  const { name, condition, weight } = applied.minimum.row
  return [
    ...inputs,
    named('smallest weight', weightText(applied.thousandths, units)),
    named('smallest weight by', `${name}: ${weight}${condition === undefined ? '' : ` if ${condition}`}`),
  ]
}

/** Fiftieths of a centimetre in inches: "16", or "15 95/127" for a side that is not rounded. */
function inchesText(fiftieths: number): string {
  const [whole, rest] = [Math.floor(fiftieths / FIFTIETHS_PER_INCH), fiftieths % FIFTIETHS_PER_INCH]
  return rest === 0 ? String(whole) : `${whole} ${rest}/${FIFTIETHS_PER_INCH}`
}

/** "120 × 80 × 110 cm". */
export function sizeText({ lengthCm, widthCm, heightCm }: Parcel): string {
  return `${lengthCm} × ${widthCm} × ${heightCm} cm`
}

/** The number of units and the chargeable weight of one unit, for each row. */
export function weightInputs(rows: readonly ChargeableParcel[], units: ListUnits | undefined): RuleInput[] {
  return rows.flatMap(({ parcelIndex, count, chargeableGrams }) => [
    input(rowName(parcelIndex, 'units'), count),
    input(rowName(parcelIndex, 'chargeable weight'), weightText(chargeableGrams, units)),
  ])
}
