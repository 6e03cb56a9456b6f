/**
 * The shape of an explained price line, and the inputs and texts that freight and surcharges have in common. Values
 * are exact, so that the amount can be recalculated from them.
 */

import type { ChargeableParcel, WeighingRule } from '../book/chargeable-weight.ts'
import { type ContractRow, scopeText } from '../contract.ts'
import type { Parcel, ParcelType } from '../request.ts'
import { euroText, kilogramsText } from './figure-text.ts'

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

/** The suffix of a calculation that is rounded; '' if `factor × numerator / denominator` is a whole number of cents. */
export function roundingText(factor: number, numerator: number | bigint, denominator: number): string {
  const isWhole = (BigInt(factor) * BigInt(numerator)) % BigInt(denominator) === 0n
  return isWhole ? '' : ', rounded half up to the cent'
}

/** ", at least 22.00 EUR", or '' without a minimum. */
export function minimumText(minimumCents: number): string {
  return minimumCents === 0 ? '' : `, at least ${euroText(minimumCents)}`
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
  const inputs = [input('weight rounded up to', kilogramsText(rule.weightStepGrams))]
  if (volumetricDivisor !== undefined) inputs.push(input('volumetric divisor', `${volumetricDivisor} cm³/kg`))
  if (kilogramsPerCubicMetre !== undefined)
    inputs.push(input('weight of a cubic metre', `${kilogramsPerCubicMetre} kg`))
  if (kilogramsPerLoadingMetre !== undefined)
    inputs.push(input('weight of a loading metre', `${kilogramsPerLoadingMetre} kg`))
  if (documentGrams !== undefined) inputs.push(input('weight of a document', kilogramsText(documentGrams)))
  return inputs
}

/** The size and weights of one unit of a row, before rounding to the step. `rows` are those of the request. */
export function measuredInputs(
  { kilogramsPerLoadingMetre }: WeighingRule,
  rows: readonly Parcel[],
  { parcelIndex, actualGrams, volumetricGrams }: ChargeableParcel,
): RuleInput[] {
  const parcel = rows[parcelIndex]!
  const named = (name: string, value: string): RuleInput => input(rowName(parcelIndex, name), value)
  const actual = named('actual weight', kilogramsText(actualGrams))
  if (volumetricGrams === 0) return [actual]
  const volumetric = named('volumetric weight', kilogramsText(volumetricGrams))
  if (kilogramsPerLoadingMetre === undefined) return [actual, named('size', sizeText(parcel)), volumetric]
  const stackable = named('stackable', parcel.stackable ? 'yes' : 'no')
  return [actual, named('size', sizeText(parcel)), stackable, volumetric]
}

/** "120 × 80 × 110 cm". */
export function sizeText({ lengthCm, widthCm, heightCm }: Parcel): string {
  return `${lengthCm} × ${widthCm} × ${heightCm} cm`
}

/** The number of units and the chargeable weight of one unit, for each row. */
export function weightInputs(rows: readonly ChargeableParcel[]): RuleInput[] {
  return rows.flatMap(({ parcelIndex, count, chargeableGrams }) => [
    input(rowName(parcelIndex, 'units'), count),
    input(rowName(parcelIndex, 'chargeable weight'), kilogramsText(chargeableGrams)),
  ])
}
