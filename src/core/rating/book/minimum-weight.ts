/**
 * The smallest weight that a unit is billed for because of its size, packaging or floor place, and the size class that
 * a parcel is priced by. Rules: docs/rate-card-files.md#smallest-weights and #size-classes.
 */
import type { Weight } from '../../expressions/expression.ts'
import type { ListUnits, MinimumWeightRow, SizeClassRow } from '../rate-card.ts'
import type { Parcel } from '../request.ts'
import { ceilNumber, unitOfWeight } from './list-units.ts'
import { compileRuleCondition, compileRuleWeight, type RuleCondition, usesFreightClass } from './rule.ts'
import type { RuleFacts } from './rule-measures.ts'
import type { RuleVocabularies } from './rule-vocabulary.ts'
import type { ShipmentFacts } from './trigger.ts'

export type MinimumWeight = {
  readonly row: MinimumWeightRow
  readonly condition: RuleCondition | undefined
  readonly weight: Weight<RuleFacts>
  readonly needsFreightClass: boolean
}

/** A unit of a shipment, and the units of the price list. */
export type WeighedUnit = {
  readonly parcel: Parcel
  readonly shipment: ShipmentFacts
  readonly units: ListUnits | undefined
}

/** Throws an ExpressionFault. */
export function compileMinimumWeight(row: MinimumWeightRow, vocabularies: RuleVocabularies): MinimumWeight {
  const condition =
    row.condition === undefined ? undefined : compileRuleCondition(row.condition, vocabularies)
  const weight = compileRuleWeight(row.weight, vocabularies)
  const needsFreightClass = condition?.needsFreightClass === true || usesFreightClass(weight.syntax)
  return { row, condition, weight, needsFreightClass }
}

/** The largest smallest weight that applies, in thousandths of the unit of the price list; undefined if none does. */
export function largestMinimum(
  minimums: readonly MinimumWeight[],
  { parcel, shipment, units }: WeighedUnit,
): { readonly minimum: MinimumWeight; readonly thousandths: number } | undefined {
  const facts = unitFacts(parcel, shipment)
  let largest: { readonly minimum: MinimumWeight; readonly thousandths: number } | undefined
  for (const minimum of minimums) {
    if (minimum.condition?.holds(facts) === false) continue
    const thousandths = thousandthsOf(minimum.weight, facts, units)
    if (thousandths > (largest?.thousandths ?? 0)) largest = { minimum, thousandths }
  }
  return largest
}

/** Rounded up. A weight below 0 is 0. */
function thousandthsOf(
  { numerator, denominator }: Weight<RuleFacts>,
  facts: RuleFacts,
  units: ListUnits | undefined,
): number {
  const kilograms = BigInt(numerator.read(facts))
  if (kilograms <= 0n) return 0
  const { grams } = unitOfWeight(units)
  return ceilNumber(kilograms * 1000n * grams.denominator, denominator * grams.numerator)
}

export type SizeClass = { readonly row: SizeClassRow; readonly condition: RuleCondition }

/** Throws an ExpressionFault. */
export function compileSizeClass(row: SizeClassRow, vocabularies: RuleVocabularies): SizeClass {
  return { row, condition: compileRuleCondition(row.condition, vocabularies) }
}

/**
 * The first class whose condition the unit meets; undefined if there is none. A unit that states no freight class does
 * not meet a condition that uses it.
 */
export function sizeClassOf(
  classes: readonly SizeClass[],
  parcel: Parcel,
  shipment: ShipmentFacts,
): SizeClass | undefined {
  const facts = unitFacts(parcel, shipment)
  const hasFreightClass = parcel.freightClassTenths !== undefined
  return classes.find(
    ({ condition }) => (hasFreightClass || !condition.needsFreightClass) && condition.holds(facts),
  )
}

function unitFacts(unit: Parcel, shipment: ShipmentFacts): RuleFacts {
  return { shipment, unit, billedGrams: 0, freightCents: 0 }
}
