/**
 * The customs reference data in the form estimates read: Maps by jurisdiction, built once and never changed.
 * A new edition is a new object, swapped as one reference.
 */
import { groupBy } from '../group-by.ts'
import { decimal } from '../quantity.ts'
import { latestFirst } from '../validity.ts'
import { compileExchangeRates, type ExchangeRates } from './data/exchange-rate.ts'
import type {
  CustomsRows,
  DataSetRow,
  FeeRow,
  JurisdictionRow,
  MeasureRole,
  MeasureTypeRow,
  TaxRateRow,
  TaxRow,
  ThresholdRow,
} from './data/rows.ts'
import { type CountryTerritories, compileTerritories } from './data/territory.ts'
import { type Exact, exactOf } from './exact.ts'
import { compileHsSuccessors, type HsSuccessors } from './tariff/hs-code.ts'
import { compileMeasure, type Measure, openSharedParts, rateOf } from './tariff/measure.ts'
import {
  compileMeasureIndex,
  indexByPrefix,
  type MeasureIndex,
  type PrefixIndex,
} from './tariff/measure-index.ts'
import { compileOriginGroups, type OriginGroups } from './tariff/origin.ts'
import { compileTariff, type Tariff } from './tariff/tariff.ts'

/** A threshold with its amounts read, in units of its currency. */
export type Threshold = {
  readonly row: ThresholdRow
  readonly limit: Exact | undefined
  readonly flat: Exact
  readonly deduct: Exact
  readonly rate: Exact
}

/** A fee with its amounts read, in units of its currency. */
export type Fee = {
  readonly row: FeeRow
  readonly amount: Exact
  readonly rate: Exact
  readonly minimum: Exact | undefined
  readonly maximum: Exact | undefined
  readonly notLeviedBelow: Exact | undefined
  readonly valueAbove: Exact | undefined
  readonly valueUpTo: Exact | undefined
}

/** A rate of a tax ready for use. */
export type TaxRate = { readonly row: TaxRateRow; readonly rate: Exact }

/** A tax and its rates. */
export type Tax = { readonly row: TaxRow; readonly uplift: Exact; readonly rates: PrefixIndex<TaxRate> }

/** Everything an estimate needs to know. */
export type CustomsTables = {
  readonly dataSets: ReadonlyMap<string, DataSetRow>
  readonly jurisdictions: ReadonlyMap<string, JurisdictionRow>
  readonly territories: ReadonlyMap<string, CountryTerritories>
  readonly originGroups: OriginGroups
  readonly hsSuccessors: HsSuccessors
  readonly measureTypes: ReadonlyMap<string, MeasureTypeRow>
  /** Base duties by customs area; an area without one has no tariff loaded. */
  readonly tariffs: ReadonlyMap<string, Tariff>
  readonly preferences: ReadonlyMap<string, MeasureIndex>
  readonly additional: ReadonlyMap<string, MeasureIndex>
  /** The taxes of a jurisdiction, in the order they are shown. */
  readonly taxes: ReadonlyMap<string, readonly Tax[]>
  /** By jurisdiction and what it applies to ("EU duty"); those that are switched on. */
  readonly thresholds: ReadonlyMap<string, readonly Threshold[]>
  /** By jurisdiction; those that are switched on. */
  readonly fees: ReadonlyMap<string, readonly Fee[]>
  readonly exchangeRates: ExchangeRates
}

/** Compiles the rows; a figure that cannot be read, or a measure of no known type, throws. */
export function compileCustomsTables(rows: CustomsRows): CustomsTables {
  const originGroups = compileOriginGroups(rows.originGroups)
  const measureTypes = new Map(rows.measureTypes.map((row) => [row.measureType, row]))
  const byRole = measuresByRole(rows, measureTypes, originGroups)
  const lists = mapValues(
    groupBy(rows.codeLists, (row) => row.codeList),
    (list) => indexByPrefix(list.map((row) => [row.codePrefix, row] as const)),
  )
  const indexOf = (measures: readonly Measure[]): MeasureIndex =>
    compileMeasureIndex(measures, rows.measureTypes, originGroups, lists)
  return {
    dataSets: new Map(rows.dataSets.map((row) => [row.name, row])),
    jurisdictions: new Map(rows.jurisdictions.map((row) => [row.code, row])),
    territories: compileTerritories(rows.territories),
    originGroups,
    hsSuccessors: compileHsSuccessors(rows.hsSuccessors),
    measureTypes,
    tariffs: mapValues(byArea(byRole.base), compileTariff),
    preferences: mapValues(byArea(byRole.preference), indexOf),
    additional: mapValues(byArea(byRole.additional), indexOf),
    taxes: compileTaxes(rows),
    thresholds: groupBy(
      rows.thresholds.filter((row) => row.enabled).map(compileThreshold),
      ({ row }) => `${row.jurisdiction} ${row.appliesTo}`,
    ),
    fees: groupBy(rows.fees.filter((row) => row.enabled).map(compileFee), ({ row }) => row.jurisdiction),
    exchangeRates: compileExchangeRates(rows.exchangeRates),
  }
}

function measuresByRole(
  rows: CustomsRows,
  types: ReadonlyMap<string, MeasureTypeRow>,
  originGroups: OriginGroups,
): Readonly<Record<MeasureRole, readonly Measure[]>> {
  const byRole: Record<MeasureRole, Measure[]> = { base: [], preference: [], additional: [] }
  const shared = openSharedParts(originGroups)
  for (const row of rows.measures) {
    const type = types.get(row.measureType)
    if (type === undefined) throw new Error(`no such measure type: ${row.measureType}`)
    byRole[type.role].push(compileMeasure(row, type, shared))
  }
  return byRole
}

function byArea(measures: readonly Measure[]): ReadonlyMap<string, readonly Measure[]> {
  return groupBy(measures, ({ row }) => row.jurisdiction)
}

function mapValues<From, To>(
  map: ReadonlyMap<string, From>,
  change: (from: From) => To,
): ReadonlyMap<string, To> {
  return new Map([...map].map(([key, value]) => [key, change(value)]))
}

function compileTaxes(rows: CustomsRows): ReadonlyMap<string, readonly Tax[]> {
  // A rate with dates is said for its time; one without holds where there is none.
  const datedFirst = [...rows.taxRates].sort(byTime)
  const rates = mapValues(groupBy(datedFirst, taxKey), (list) =>
    indexByPrefix(list.map((row) => [row.codePrefix, { row, rate: rateOf(row.ratePpm) }] as const)),
  )
  const taxes = rows.taxes.map((row) => ({
    row,
    uplift: rateOf(row.upliftPpm),
    rates: rates.get(taxKey({ jurisdiction: row.ratesOf, tax: row.tax })) ?? NO_RATES,
  }))
  return groupBy(taxes, ({ row }) => row.jurisdiction)
}

/** The latest first; of those without a first day, the ones that ended. */
function byTime(a: TaxRateRow, b: TaxRateRow): number {
  return latestFirst(a, b) || Number(a.validTo === null) - Number(b.validTo === null)
}

const NO_RATES: PrefixIndex<TaxRate> = indexByPrefix<TaxRate>([])

function taxKey(tax: { readonly jurisdiction: string; readonly tax: string }): string {
  return `${tax.jurisdiction} ${tax.tax}`
}

function compileThreshold(row: ThresholdRow): Threshold {
  return {
    row,
    limit: amountOf(row.limitAmount),
    flat: amountOf(row.flatAmount) ?? exactOf(0, 0),
    deduct: amountOf(row.deductAmount) ?? exactOf(0, 0),
    rate: rateOf(row.ratePpm ?? 0),
  }
}

function compileFee(row: FeeRow): Fee {
  return {
    row,
    amount: amountOf(row.amount) ?? exactOf(0, 0),
    rate: rateOf(row.ratePpm ?? 0),
    minimum: amountOf(row.minimum),
    maximum: amountOf(row.maximum),
    notLeviedBelow: amountOf(row.notLeviedBelow),
    valueAbove: amountOf(row.valueAbove),
    valueUpTo: amountOf(row.valueUpTo),
  }
}

/** An amount of at most six decimals; undefined for empty text. */
function amountOf(text: string): Exact | undefined {
  return text === '' ? undefined : exactOf(decimal(text, 6), 6)
}
