/**
 * The rows of the customs reference data, as the shipped files and the database hold them. Decided here: what is
 * a fact in data, so that no rule of the engine names a country. Rates are in parts per million (1% = 10,000),
 * amounts decimal text, dates 'YYYY-MM-DD' and validity half-open: from `validFrom` until the day before `validTo`.
 */
import type { TaxKind } from './tax-line.ts'

/** Where figures come from; every other row names one. */
export type DataSetRow = {
  readonly name: string
  /** Short, for the description of a line. */
  readonly title: string
  readonly source: string
  /** The day the figures were published or gathered. */
  readonly date: string
}

/** Freight and insurance to the border are part of the customs value (CIF) or not (FOB). */
export type Valuation = 'CIF' | 'FOB'

/** A customs or tax jurisdiction: a state, a customs union, or a territory with rules of its own. */
export type JurisdictionRow = {
  readonly dataSet: string
  readonly code: string
  readonly name: string
  readonly currency: string
  /** Customs areas it belongs to; the first is the one whose tariff and reliefs apply. */
  readonly customsAreas: readonly string[]
  readonly taxAreas: readonly string[]
  readonly valuation: Valuation
  /** The smallest amount its currency is charged in, where that is not a hundredth. */
  readonly roundingUnit: string
  /** Whether the threshold rows hold all low-value rules there are. */
  readonly reliefs: 'considered' | 'not_considered'
  readonly note: string
}

/** A country, or a postal range of it, and the jurisdiction it lies in. Empty range: the whole country. */
export type TerritoryRow = {
  readonly dataSet: string
  readonly country: string
  readonly postalFrom: string
  readonly postalTo: string
  readonly name: string
  readonly jurisdiction: string
}

/** Levied by the rate rows; levied by nobody; or levied at rates that are not loaded. */
export type TaxStatus = 'levied' | 'none' | 'not_estimated'

/** What a tax is a share of: value and duty, or that sum with the tax itself inside. */
export type TaxBase = 'value_and_duty' | 'inside'

/** A tax on import of one jurisdiction. */
export type TaxRow = {
  readonly dataSet: string
  readonly jurisdiction: string
  readonly tax: string
  readonly name: string
  readonly kind: TaxKind
  readonly status: TaxStatus
  readonly base: TaxBase
  /** Added to the goods value in the base. */
  readonly upliftPpm: number
  /** The jurisdiction whose rate rows apply. */
  readonly ratesOf: string
  /** Why the amount is zero, for a tax that is not levied or not loaded. */
  readonly reason: string
  readonly note: string
  /** The note is told for codes that begin so; empty: for all. */
  readonly notePrefixes: readonly string[]
  /** The tax concerns codes that begin so; empty: all. */
  readonly codePrefixes: readonly string[]
}

/** How sure a figure is. */
export type Confidence = 'high' | 'medium' | 'low'

/** A rate of a tax for the codes that begin with `codePrefix` (empty: all). */
export type TaxRateRow = {
  readonly dataSet: string
  readonly jurisdiction: string
  readonly tax: string
  readonly codePrefix: string
  readonly ratePpm: number
  readonly kind: 'standard' | 'food' | 'books' | 'medicines'
  readonly validFrom: string | null
  readonly validTo: string | null
  readonly confidence: Confidence
  readonly note: string
}

/** How a measure joins what applies already. */
export type MeasureKind = 'additive' | 'cap_total' | 'floor_total' | 'replace_base'

/** What makes the rate of a measure depend on more than the goods' value and number. */
export type MeasureCondition = '' | 'seasonal' | 'entry_price' | 'meursing'

/** A dated duty rate of one jurisdiction for the codes that begin with `codePrefix`. */
export type MeasureRow = {
  readonly dataSet: string
  readonly jurisdiction: string
  readonly codePrefix: string
  /** 'third_country_duty' is the most-favoured-nation duty. */
  readonly measureType: string
  readonly kind: MeasureKind
  /** 'ALL', or a country or group of countries of origin. */
  readonly originGroup: string
  readonly adValoremPpm: number | null
  /** Amounts per quantity in the words of duty-text.ts; empty when there are none. */
  readonly specific: string
  readonly minimum: string
  readonly maximum: string
  readonly condition: MeasureCondition
  /** The published text, where the columns cannot hold all of it. */
  readonly text: string
  /** For a rate worked out from several lines: the lowest and highest of them, and how many. */
  readonly lowestPpm: number | null
  readonly highestPpm: number | null
  readonly lineCount: number | null
  readonly validFrom: string | null
  readonly validTo: string | null
  readonly note: string
}

/** What a threshold does to the duty or tax of a consignment. */
export type ThresholdKind = 'relief_up_to' | 'flat_per_item' | 'not_levied_up_to' | 'taxed_excess'

/** A dated low-value rule of a customs area (duty) or jurisdiction (tax). */
export type ThresholdRow = {
  readonly dataSet: string
  readonly jurisdiction: string
  readonly appliesTo: 'duty' | 'tax'
  readonly kind: ThresholdKind
  readonly limitAmount: string
  /** Of the limit and the flat amount. */
  readonly currency: string
  readonly flatAmount: string
  /** The rate on the excess, for a duty that has one of its own. */
  readonly ratePpm: number | null
  readonly recipient: 'any' | 'individual' | 'business'
  /** Codes that begin so are outside the rule. */
  readonly excludedPrefixes: readonly string[]
  readonly reason: string
  readonly validFrom: string | null
  readonly validTo: string | null
  readonly confidence: Confidence
}

/** Units of a currency for one euro, from a day on. */
export type ExchangeRateRow = {
  readonly dataSet: string
  readonly currency: string
  readonly unitsPerEuro: string
  readonly validFrom: string
  readonly confidence: Confidence
  readonly note: string
}

/** All customs reference data. */
export type CustomsRows = {
  readonly dataSets: readonly DataSetRow[]
  readonly jurisdictions: readonly JurisdictionRow[]
  readonly territories: readonly TerritoryRow[]
  readonly taxes: readonly TaxRow[]
  readonly taxRates: readonly TaxRateRow[]
  readonly measures: readonly MeasureRow[]
  readonly thresholds: readonly ThresholdRow[]
  readonly exchangeRates: readonly ExchangeRateRow[]
}
