/**
 * Customs data compiled for estimates: maps that are built once from the rows. New data is compiled into a new object,
 * which replaces the old one as a whole. See docs/customs-data.md and docs/architecture.md#principles.
 */
import { groupBy, mapValues } from '../group-by.ts'
import { decimal } from '../quantity.ts'
import { latestFirst } from '../validity.ts'
import { compileExchangeRates, type ExchangeRates } from './data/exchange-rate.ts'
import type { PackedCustoms } from './data/layers.ts'
import { type PackedTables, packRows, packSet, unpackRows, valuesInUse } from './data/packed-rows.ts'
import type { ClearanceFeeRow, FeeRow } from './data/row-types/fees.ts'
import type { MeasureTypeRow } from './data/row-types/measures.ts'
import type { JurisdictionRow } from './data/row-types/places.ts'
import type { RestrictionRow } from './data/row-types/restrictions.ts'
import type { SellerSchemeRow } from './data/row-types/seller-schemes.ts'
import type { TaxRateRow, TaxRow } from './data/row-types/taxes.ts'
import type { ThresholdRow } from './data/row-types/thresholds.ts'
import {
  CUSTOMS_TABLE_NAMES,
  type CustomsRows,
  type DataSetRow,
  LARGE_TABLES,
  mapTables,
} from './data/rows.ts'
import { type CountryTerritories, compileTerritories } from './data/territory.ts'
import { type Exact, exactOf } from './exact.ts'
import { type CodeCache, openCodeCache } from './tariff/code-facts.ts'
import { type ConditionalDuties, compileConditionalDuties } from './tariff/conditional-duty.ts'
import { compileExciseRates, type ExciseRates } from './tariff/excise-rate.ts'
import { compileHsSuccessors, type HsSuccessors } from './tariff/hs-code.ts'
import { compileOriginGroups, type OriginGroups, openSharedParts, rateOf } from './tariff/measure.ts'
import {
  compileCodeLists,
  indexByPrefix,
  type MeasureIndex,
  type MeasureRuns,
  type PrefixIndex,
  sortMeasures,
} from './tariff/measure-index.ts'
import {
  type CodeLists,
  checkRates,
  type MeasureStore,
  openMeasureStore,
  type RowsByRole,
  rowsByArea,
} from './tariff/measure-store.ts'
import { openTariff, sortLines, type Tariff, type TariffLines } from './tariff/tariff.ts'
import { compileTradeDefence, type TradeDefence } from './tariff/trade-defence.ts'

/** Amounts are in units of the row's currency. */
export type Threshold = {
  readonly row: ThresholdRow
  /** Undefined: the rule has no limit. */
  readonly limit: Exact | undefined
  readonly flat: Exact
  readonly deduct: Exact
  readonly rate: Exact
}

/** Amounts are in units of the row's currency. */
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

/** The limit is in units of the row's currency. Undefined: there is none. */
export type SellerScheme = { readonly row: SellerSchemeRow; readonly limit: Exact | undefined }

export type TaxRate = { readonly row: TaxRateRow; readonly rate: Exact }

export type Tax = {
  readonly row: TaxRow
  readonly uplift: Exact
  readonly rates: PrefixIndex<TaxRate>
  /**
   * The rates of an excise duty. If the tax itself is not estimated, they are lower bounds, such as the minimum rates
   * of the European Union. Undefined if none are loaded.
   */
  readonly excise: ExciseRates | undefined
}

/** All data that an estimate reads. Never changed after compilation, except for caches. */
export type CompiledCustoms = {
  readonly dataSets: ReadonlyMap<string, DataSetRow>
  /** The sets that have rows in effect. */
  readonly setsInUse: readonly DataSetRow[]
  readonly jurisdictions: ReadonlyMap<string, JurisdictionRow>
  readonly territories: ReadonlyMap<string, CountryTerritories>
  readonly originGroups: OriginGroups
  readonly hsSuccessors: HsSuccessors
  readonly measureTypes: ReadonlyMap<string, MeasureTypeRow>
  /** All measures, which the indexes below refer to. */
  readonly measures: MeasureStore
  /** Base duties by customs area. An area that is missing has no tariff loaded. */
  readonly tariffs: ReadonlyMap<string, Tariff>
  /** Averages of groups of goods, and ranges of averages, by customs area. They apply to codes without a base duty. */
  readonly averages: ReadonlyMap<string, MeasureIndex>
  readonly preferences: ReadonlyMap<string, MeasureIndex>
  readonly additional: ReadonlyMap<string, MeasureIndex>
  /** Duties by additional code, and quotas, by customs area. */
  readonly conditional: ReadonlyMap<string, ConditionalDuties>
  /** Trade defence measures without rates, by customs area. */
  readonly tradeDefence: ReadonlyMap<string, TradeDefence>
  /** By jurisdiction, in the order of their lines. */
  readonly taxes: ReadonlyMap<string, readonly Tax[]>
  /** Enabled rules by jurisdiction and what they apply to ("EU duty"). */
  readonly thresholds: ReadonlyMap<string, readonly Threshold[]>
  /** The other rules, which are not verified, in the same way. */
  readonly unverifiedThresholds: ReadonlyMap<string, readonly Threshold[]>
  /** By jurisdiction, including fees that are not verified. */
  readonly fees: ReadonlyMap<string, readonly Fee[]>
  /** Enabled fees by carrier, in the order of their files. */
  readonly clearanceFees: ReadonlyMap<string, readonly ClearanceFeeRow[]>
  /** By jurisdiction or tax area, in the order of their files. */
  readonly sellerSchemes: ReadonlyMap<string, readonly SellerScheme[]>
  /** The names of all of them. */
  readonly sellerSchemeNames: ReadonlySet<string>
  /** Restricted goods, which src/core/restrictions compiles. */
  readonly restrictions: readonly RestrictionRow[]
  readonly exchangeRates: ExchangeRates
  readonly codes: CodeCache
}

/** @throws Error if a figure cannot be read, or a measure has an unknown type. */
export function compileCustoms({ dataSets, ...rows }: CustomsRows): CompiledCustoms {
  const tables = packSet(rows)
  if (tables.measures !== undefined) checkRates(tables.measures)
  return compilePackedCustoms({ tables, dataSets })
}

/**
 * The rows, and what takes longest to compile: measures and code lists, sorted by code. Plain data, so that a worker
 * thread can compile it and send it.
 */
export type SortedCustoms = PackedCustoms & {
  readonly sorted: SortedMeasures
  /** The names of the sets that have rows. */
  readonly setsInUse: readonly string[]
}

type SortedMeasures = {
  readonly lists: CodeLists
  /** By customs area. */
  readonly base: ReadonlyMap<string, TariffLines>
  readonly average: ReadonlyMap<string, MeasureRuns>
  readonly preference: ReadonlyMap<string, MeasureRuns>
  readonly additional: ReadonlyMap<string, MeasureRuns>
}

/** Takes about 100 ms. @throws Error if a measure has an unknown type. */
export function sortCustoms(packed: PackedCustoms): SortedCustoms {
  const lists = compileCodeLists(packed.tables.codeLists)
  const { measures, types } = openMeasures(packed.tables, lists)
  const areas = rowsByArea(measures)
  const sort = (rows: readonly number[]): MeasureRuns => sortMeasures(measures, rows, types, lists)
  const sorted = {
    lists,
    base: mapValues(rowsOfRole(areas, 'base'), (rows) => sortLines(measures, rows)),
    average: mapValues(rowsOfRole(areas, 'average'), sort),
    preference: mapValues(rowsOfRole(areas, 'preference'), sort),
    additional: mapValues(rowsOfRole(areas, 'additional'), sort),
  }
  return { ...packed, sorted, setsInUse: namesInUse(packed.tables) }
}

/** The names of the sets that have rows. */
export function namesInUse(tables: PackedTables): readonly string[] {
  return [...new Set(CUSTOMS_TABLE_NAMES.flatMap((table) => valuesInUse(tables[table], 'dataSet')))]
}

/** Rates of measures are parsed when they are used. @throws Error if a measure has an unknown type. */
export function compilePackedCustoms(packed: PackedCustoms): CompiledCustoms {
  return openCompiledCustoms(sortCustoms(packed))
}

function openMeasures(tables: PackedTables, lists: CodeLists) {
  const types = unpackRows(tables.measureTypes)
  const originGroups = compileOriginGroups(unpackRows(tables.originGroups))
  const measureTypes = new Map(types.map((row) => [row.measureType, row]))
  const shared = openSharedParts(originGroups)
  const measures = openMeasureStore(tables.measures ?? packRows('measures', []), measureTypes, shared, lists)
  return { types, originGroups, measureTypes, shared, measures }
}

/** Takes a few milliseconds: the service answers no requests meanwhile. */
export function openCompiledCustoms({ tables, dataSets, sorted, setsInUse }: SortedCustoms): CompiledCustoms {
  const rows = {
    ...mapTables((table) => (LARGE_TABLES.includes(table) ? [] : unpackRows(tables[table]))),
    dataSets,
  }
  const { lists } = sorted
  const { originGroups, measureTypes, shared, measures } = openMeasures(tables, lists)
  const indexOf = (types: MeasureRuns): MeasureIndex => ({
    measures,
    types,
    groups: originGroups,
    lists,
    byOrigin: new Map(),
  })
  return {
    dataSets: new Map(rows.dataSets.map((row) => [row.name, row])),
    setsInUse: rows.dataSets.filter(({ name }) => setsInUse.includes(name)),
    jurisdictions: new Map(rows.jurisdictions.map((row) => [row.code, row])),
    territories: compileTerritories(rows.territories),
    originGroups,
    hsSuccessors: compileHsSuccessors(rows.hsSuccessors),
    measureTypes,
    measures,
    tariffs: mapValues(sorted.base, (lines) => openTariff(measures, lines)),
    averages: mapValues(sorted.average, indexOf),
    preferences: mapValues(sorted.preference, indexOf),
    additional: mapValues(sorted.additional, indexOf),
    conditional: mapValues(
      groupBy(rows.conditionalDuties, ({ jurisdiction }) => jurisdiction),
      (list) => compileConditionalDuties(list, measureTypes, shared),
    ),
    tradeDefence: mapValues(
      groupBy(rows.tradeDefence, ({ jurisdiction }) => jurisdiction),
      (list) => compileTradeDefence(list, shared),
    ),
    taxes: compileTaxes(rows),
    thresholds: compileThresholds(rows, true),
    unverifiedThresholds: compileThresholds(rows, false),
    fees: groupBy(rows.fees.map(compileFee), ({ row }) => row.jurisdiction),
    clearanceFees: groupBy(
      rows.clearanceFees.filter((row) => row.enabled),
      ({ carrier }) => carrier,
    ),
    sellerSchemes: groupBy(rows.sellerSchemes.map(compileScheme), ({ row }) => row.jurisdiction),
    sellerSchemeNames: new Set(rows.sellerSchemes.map(({ scheme }) => scheme)),
    restrictions: rows.restrictions,
    exchangeRates: compileExchangeRates(rows.exchangeRates),
    codes: openCodeCache(measures),
  }
}

/** The rows of a role by customs area. Areas without such rows are absent. */
function rowsOfRole(
  areas: ReadonlyMap<string, RowsByRole>,
  role: keyof RowsByRole,
): ReadonlyMap<string, readonly number[]> {
  return new Map([...areas].flatMap(([area, rows]) => (rows[role].length === 0 ? [] : [[area, rows[role]]])))
}

function compileTaxes(rows: CustomsRows): ReadonlyMap<string, readonly Tax[]> {
  // Rates with dates precede rates without, which apply only if no dated rate does.
  const datedFirst = [...rows.taxRates].sort(byTime)
  const rates = mapValues(groupBy(datedFirst, taxKey), (list) =>
    indexByPrefix(list.map((row) => [row.codePrefix, { row, rate: rateOf(row.ratePpm) }] as const)),
  )
  const excises = mapValues(
    groupBy(rows.exciseRates, ({ jurisdiction }) => jurisdiction),
    compileExciseRates,
  )
  const taxes = rows.taxes.map((row) => ({
    row,
    uplift: rateOf(row.upliftPpm),
    rates: rates.get(taxKey({ jurisdiction: row.ratesOf, tax: row.tax })) ?? NO_RATES,
    excise: row.kind === 'EXCISE' ? excises.get(row.ratesOf) : undefined,
  }))
  return groupBy(taxes, ({ row }) => row.jurisdiction)
}

/** Sorts by first day, latest first. If two rates have the same first day or none, the rate with an end comes first. */
function byTime(a: TaxRateRow, b: TaxRateRow): number {
  return latestFirst(a, b) || Number(a.validTo === null) - Number(b.validTo === null)
}

const NO_RATES: PrefixIndex<TaxRate> = indexByPrefix<TaxRate>([])

function taxKey(tax: { readonly jurisdiction: string; readonly tax: string }): string {
  return `${tax.jurisdiction} ${tax.tax}`
}

function compileThresholds(
  { thresholds }: Pick<CustomsRows, 'thresholds'>,
  isEnabled: boolean,
): ReadonlyMap<string, readonly Threshold[]> {
  return groupBy(
    thresholds.filter((row) => row.enabled === isEnabled).map(compileThreshold),
    ({ row }) => `${row.jurisdiction} ${row.appliesTo}`,
  )
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

function compileScheme(row: SellerSchemeRow): SellerScheme {
  return { row, limit: amountOf(row.limitAmount) }
}

/** At most six decimals; undefined for empty text. */
function amountOf(text: string): Exact | undefined {
  return text === '' ? undefined : exactOf(decimal(text, 6), 6)
}
