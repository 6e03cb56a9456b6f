/**
 * What a worked case leaves unsaid about its destination, from the shipped reference data: whether freight is in the
 * customs value and in the base of the tax, and what a limit is compared with. No rate is taken from there.
 */
import type { JurisdictionRow, TaxRow, ThresholdRow, Valuation } from '../../../src/core/customs/data/rows.ts'
import { shippedDataSets } from '../../../src/reference/customs.ts'

const jurisdictions = shipped<JurisdictionRow>('jurisdictions')
const taxes = shipped<TaxRow>('taxes')
const thresholds = shipped<ThresholdRow>('thresholds')

function shipped<Row>(table: string): readonly Row[] {
  return shippedDataSets()
    .filter((set) => set.table === table)
    .flatMap((set) => [...set.rows()] as unknown as Row[])
}

/** How a destination values goods. */
export function usualValuation(destination: string): Valuation {
  return jurisdictions.find(({ code }) => code === destination)?.valuation ?? 'CIF'
}

/** Whether its taxes count freight that the customs value does not. */
export function usuallyTaxesFreight(destination: string): boolean {
  return taxes.some((tax) => tax.jurisdiction === destination && tax.includesFreight)
}

/** What its limits are compared with. */
export function usualLimitBasis(
  destination: string,
  appliesTo: ThresholdRow['appliesTo'],
): ThresholdRow['valueBasis'] {
  const rules = rulesOf(destination)
  return (rules.find((rule) => rule.appliesTo === appliesTo) ?? rules[0])?.valueBasis ?? 'goods'
}

/** Up to which value its amount per item holds; empty where it has none. */
export function usualFlatLimit(destination: string): string {
  return rulesOf(destination).find(({ kind }) => kind === 'flat_per_item')?.limitAmount ?? ''
}

function rulesOf(destination: string): readonly ThresholdRow[] {
  const areas = jurisdictions.find(({ code }) => code === destination)?.customsAreas ?? []
  return thresholds.filter(({ jurisdiction }) => jurisdiction === destination || areas.includes(jurisdiction))
}
