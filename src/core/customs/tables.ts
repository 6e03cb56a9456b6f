/**
 * The customs reference data in the form estimates read: Maps by jurisdiction, built once and never changed.
 * A new edition is a new object, swapped as one reference.
 */
import { groupBy } from '../group-by.ts'
import { decimal } from '../quantity.ts'
import { type Exact, exactOf } from './exact.ts'
import { compileExchangeRates, type ExchangeRates } from './exchange-rate.ts'
import type {
  CustomsRows,
  DataSetRow,
  JurisdictionRow,
  MeasureRow,
  TaxRateRow,
  TaxRow,
  ThresholdRow,
} from './reference-rows.ts'
import { BASE_MEASURE_TYPE, compileTariff, type Tariff } from './tariff.ts'
import { type CountryTerritories, compileTerritories } from './territory.ts'

/** A threshold with its amounts read, in units of its currency. */
export type Threshold = ThresholdRow & { readonly limit: Exact; readonly flat: Exact }

/** Everything an estimate needs to know. */
export type CustomsTables = {
  readonly dataSets: ReadonlyMap<string, DataSetRow>
  readonly jurisdictions: ReadonlyMap<string, JurisdictionRow>
  readonly territories: ReadonlyMap<string, CountryTerritories>
  /** Most-favoured-nation duties by customs area; an area without one has no tariff loaded. */
  readonly tariffs: ReadonlyMap<string, Tariff>
  /** The taxes of a jurisdiction, in the order they are shown. */
  readonly taxes: ReadonlyMap<string, readonly TaxRow[]>
  /** By jurisdiction and tax ("NL VAT"), then by code prefix. */
  readonly taxRates: ReadonlyMap<string, ReadonlyMap<string, readonly TaxRateRow[]>>
  /** By jurisdiction and what it applies to ("EU duty"). */
  readonly thresholds: ReadonlyMap<string, readonly Threshold[]>
  readonly exchangeRates: ExchangeRates
}

/** Compiles the rows; a figure that cannot be read is a bug of the data and throws. */
export function compileCustomsTables(rows: CustomsRows): CustomsTables {
  const taxRates = new Map<string, ReadonlyMap<string, readonly TaxRateRow[]>>()
  for (const [key, rates] of groupBy(rows.taxRates, taxRatesKey))
    taxRates.set(
      key,
      groupBy(rates, (rate) => rate.codePrefix),
    )
  const tariffs = new Map<string, Tariff>()
  for (const [jurisdiction, measures] of groupBy(rows.measures.filter(isBase), (row) => row.jurisdiction))
    tariffs.set(jurisdiction, compileTariff(measures))
  return {
    dataSets: new Map(rows.dataSets.map((row) => [row.name, row])),
    jurisdictions: new Map(rows.jurisdictions.map((row) => [row.code, row])),
    territories: compileTerritories(rows.territories),
    tariffs,
    taxes: groupBy(rows.taxes, (row) => row.jurisdiction),
    taxRates,
    thresholds: groupBy(
      rows.thresholds.map(compileThreshold),
      (row) => `${row.jurisdiction} ${row.appliesTo}`,
    ),
    exchangeRates: compileExchangeRates(rows.exchangeRates),
  }
}

/** Additional duties and preferences have rows of other types; estimates do not apply them yet. */
function isBase(row: MeasureRow): boolean {
  return row.measureType === BASE_MEASURE_TYPE && row.originGroup === 'ALL'
}

/** The key of a tax in `taxRates`. */
export function taxRatesKey(tax: { readonly jurisdiction: string; readonly tax: string }): string {
  return `${tax.jurisdiction} ${tax.tax}`
}

function compileThreshold(row: ThresholdRow): Threshold {
  return {
    ...row,
    limit: exactOf(decimal(row.limitAmount, 4), 4),
    flat: exactOf(row.flatAmount === '' ? 0 : decimal(row.flatAmount, 4), 4),
  }
}
