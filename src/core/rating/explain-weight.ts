/**
 * How a weight came about, for the explanation of what is charged by it: measured, counted by volume or floor
 * space, rounded up.
 * Source: chargeable-weight.ts.
 */
import { input, type RuleInput, rowName } from './applied-rule.ts'
import type { ChargeableParcel, WeighingRule } from './chargeable-weight.ts'
import { kilogramsText } from './figure-text.ts'
import type { Parcel } from './request.ts'

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
