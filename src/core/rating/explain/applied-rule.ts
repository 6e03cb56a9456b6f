/**
 * What the explanation of a price line is made of: the rule's shape, and how figures are written in it. Every
 * value is exact text with its unit, so that it can be read back and computed with.
 */

import type { ChargeableParcel, WeighingRule } from '../book/chargeable-weight.ts'
import { type ContractRow, scopeText } from '../contract.ts'
import type { Parcel, ParcelType } from '../request.ts'
import { euroText, kilogramsText } from './figure-text.ts'

/** One figure a rule was applied to, as text with its unit: "12.4 kg", "19.50 EUR", "9.5%", "ES", "2". */
export type RuleInput = { readonly name: string; readonly value: string }

/** The rule that made a price line, and all that it was applied to. */
export type AppliedRule = {
  /** Unique within the version: "demo@1/rondeel/ISLAND_DOM". That of an agreement does not name the card. */
  readonly id: string
  /** The code of the card that priced the product, and its version. */
  readonly card: string
  readonly versionNo: number
  /** The calculation in words and figures; `inputs` has the same figures by name. */
  readonly formula: string
  /** Names are unique within a rule; explain.ts lists them. */
  readonly inputs: readonly RuleInput[]
  /** The first day the rule holds, 'YYYY-MM-DD'. */
  readonly validFrom: string
}

/** What a kind of line says of its rule; the card is the same for all lines of an option. */
export type RuleText = Omit<AppliedRule, 'card' | 'versionNo'>

/** One figure with its name. */
export function input(name: string, value: string | number): RuleInput {
  return { name, value: String(value) }
}

/** What to add to a calculation that does not come to whole cents; '' where it does. */
export function roundingText(factor: number, numerator: number | bigint, denominator: number): string {
  const isWhole = (BigInt(factor) * BigInt(numerator)) % BigInt(denominator) === 0n
  return isWhole ? '' : ', rounded half up to the cent'
}

/** "at least 22.00 EUR", for each of several units: "at least 2 × 22.00 EUR"; '' without a minimum. */
export function minimumText(minimumCents: number, times = 1): string {
  return minimumCents === 0 ? '' : `, at least ${timesText(times)}${euroText(minimumCents)}`
}

/** "2 × " before what is counted more than once. */
export function timesText(times: number): string {
  return times === 1 ? '' : `${times} × `
}

/** Whose agreement it is, about what, from when: "account acme, product 1201, from 2026-01-01". */
export function agreementText(contract: ContractRow): string {
  return `account ${contract.accountId}, ${scopeText(contract)}, from ${contract.validFrom}`
}

const UNIT_WORDS = {
  NONDOC: ['parcel', 'parcels'],
  DOC: ['document', 'documents'],
  PALLET: ['pallet', 'pallets'],
} as const

/** What one unit of a parcel type is called. */
export function unitWord(type: ParcelType): string {
  return UNIT_WORDS[type][0]
}

/** A number of units: "2 parcels". */
export function unitsText(units: number, type: ParcelType): string {
  return `${units} ${UNIT_WORDS[type][units === 1 ? 0 : 1]}`
}

/** Rows of the request are counted from 1: "row 1 units". */
export function rowName(parcelIndex: number, name: string): string {
  return `row ${parcelIndex + 1} ${name}`
}

// How a weight came about, for the explanation of what is charged by it: measured, counted by volume or floor
// space, rounded up.
// Source: chargeable-weight.ts.

/** How a product weighs: its step, and what it counts volume, floor space and documents as. */
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

/** What one unit of a row measures and weighs, before the product rounds it up; `rows` are the request's. */
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

/** The size of one unit: "120 × 80 × 110 cm". */
export function sizeText({ lengthCm, widthCm, heightCm }: Parcel): string {
  return `${lengthCm} × ${widthCm} × ${heightCm} cm`
}

/** What makes up the weight of some rows: the units of each, and what one of them counts as. */
export function weightInputs(rows: readonly ChargeableParcel[]): RuleInput[] {
  return rows.flatMap(({ parcelIndex, count, chargeableGrams }) => [
    input(rowName(parcelIndex, 'units'), count),
    input(rowName(parcelIndex, 'chargeable weight'), kilogramsText(chargeableGrams)),
  ])
}
