/**
 * The rows of the customs reference data, as files and the database hold them. Decided here: what is a fact in
 * data, so that no rule of the engine names a country. Rates are in parts per million (1% = 10,000), amounts
 * decimal text, dates 'YYYY-MM-DD' and validity half-open: from `validFrom` until the day before `validTo`.
 */

/** What a tax line is. */
export type TaxKind = 'DUTY' | 'VAT' | 'GST' | 'EXCISE' | 'FEE'

/** The tables a data set may fill: the names of their lists in `CustomsRows`. */
export type CustomsTableName = Exclude<keyof CustomsRows, 'dataSets'>

/** Where figures come from; every other row names one. */
export type DataSetRow = {
  readonly name: string
  /** Short, for the description of a line. */
  readonly title: string
  readonly source: string
  /** The day the figures were published or gathered. */
  readonly date: string
  /**
   * Which of several sets decides: 0 for shipped ones, counting up with every set an operator publishes. Within a
   * scope (see reference-layers.ts) the rows of the highest layer decide alone.
   */
  readonly layer: number
}

/** Freight and insurance to the border are part of the customs value (CIF) or not (FOB). */
export type Valuation = 'CIF' | 'FOB'

/** How an amount is brought to a multiple of a unit: to the nearest, half up, or cut off. */
export type RoundingMode = 'half_up' | 'down'

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
  /** Duties and taxes are charged in multiples of this amount of its currency; empty: a hundredth of a euro. */
  readonly roundingUnit: string
  readonly roundingMode: RoundingMode
  /** What duty and tax are worked out on is cut down to a multiple of this amount; empty: not at all. */
  readonly valueUnit: string
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

/** What a tax is a share of: value, duty and fees, or that sum with the tax itself inside. */
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
  /** Freight and insurance are in the base even where they are not in the customs value. */
  readonly includesFreight: boolean
  /** Added to the customs value in the base. */
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

/** A rate of a tax for the codes that begin with `codePrefix` (empty: all). */
export type TaxRateRow = Dated & {
  readonly dataSet: string
  readonly jurisdiction: string
  readonly tax: string
  readonly codePrefix: string
  readonly ratePpm: number
  /** "standard", or what the rate is for in a word or two: "food", "books". */
  readonly kind: string
  readonly confidence: Confidence
  readonly note: string
}

/**
 * What a threshold does to the duty or tax of a consignment. `flat_per_item`: an amount for each different code in
 * place of the tariff. `flat_rate`: a share of the value less `deductAmount` once per consignment, in place of the
 * tariff. `taxed_excess`: only what exceeds the limit counts. `not_levied_up_to` and `not_levied_below` look at the
 * amount instead of the value.
 */
export type ThresholdKind =
  | 'relief_up_to'
  | 'flat_per_item'
  | 'flat_rate'
  | 'taxed_excess'
  | 'not_levied_up_to'
  | 'not_levied_below'

/** A dated low-value rule of a customs area (duty) or jurisdiction (tax). The first row that fits decides. */
export type ThresholdRow = Dated & {
  readonly dataSet: string
  readonly jurisdiction: string
  readonly appliesTo: 'duty' | 'tax'
  readonly kind: ThresholdKind
  /** Inclusive; empty: none. */
  readonly limitAmount: string
  /** What the limit is compared with: the goods alone, or the customs value with freight and insurance. */
  readonly valueBasis: 'goods' | 'customs_value'
  /** Of the limit, the flat amount and the deduction. */
  readonly currency: string
  readonly flatAmount: string
  readonly deductAmount: string
  /** Of a flat rate, or on the excess. */
  readonly ratePpm: number | null
  readonly recipient: 'any' | 'individual' | 'business'
  /** Country, customs area or group the goods are sent from; empty: any. */
  readonly sentFrom: readonly string[]
  /** Codes that begin so are inside the rule; empty: all. */
  readonly includedPrefixes: readonly string[]
  /** Codes that begin so are outside the rule. */
  readonly excludedPrefixes: readonly string[]
  /** A preference that the origin allows is claimed in its place. */
  readonly yieldsToPreference: boolean
  /** The charge stands for the taxes of the jurisdiction as well. */
  readonly replacesTaxes: boolean
  readonly reason: string
  /** False for rules that are unverified or not in force for sure; an operator may switch them on. */
  readonly enabled: boolean
  readonly confidence: Confidence
}

/** What a fee is charged on. */
export type FeeKind = 'per_consignment' | 'per_line' | 'share_of_value'

/** A dated fee of an authority. */
export type FeeRow = Dated & {
  readonly dataSet: string
  readonly jurisdiction: string
  readonly fee: string
  readonly name: string
  readonly kind: FeeKind
  /** `not_estimated`: due, but its amount is not known (with the reason). */
  readonly status: 'levied' | 'not_estimated'
  readonly currency: string
  /** Per consignment or per line; empty for a share of the customs value. */
  readonly amount: string
  readonly ratePpm: number | null
  readonly minimum: string
  readonly maximum: string
  /** Not levied when it comes to less; empty: always levied. */
  readonly notLeviedBelow: string
  /** The value of the goods it concerns: above the first (empty: from nothing), up to the second (empty: any). */
  readonly valueAbove: string
  readonly valueUpTo: string
  readonly recipient: 'any' | 'individual' | 'business'
  /** The fee is part of the base of taxes. */
  readonly inTaxBase: boolean
  /** Not charged when a preference is claimed for all goods. */
  readonly waivedByPreference: boolean
  readonly reason: string
  readonly enabled: boolean
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
  readonly originGroups: readonly OriginGroupRow[]
  readonly codeLists: readonly CodeListRow[]
  readonly hsSuccessors: readonly HsSuccessorRow[]
  readonly taxes: readonly TaxRow[]
  readonly taxRates: readonly TaxRateRow[]
  readonly measureTypes: readonly MeasureTypeRow[]
  readonly measures: readonly MeasureRow[]
  readonly thresholds: readonly ThresholdRow[]
  readonly fees: readonly FeeRow[]
  readonly exchangeRates: readonly ExchangeRateRow[]
}

// The rows that duties are worked out from: types of measures, the measures themselves, and the groups and lists that
// they name. Decided here: what of a tariff is a fact in data. Source: design note on customs, "Never code a tariff".

/** How sure a figure is; anything but high is said in the answer. */
export type Confidence = 'high' | 'medium' | 'low'

/** When a row holds. Null is open. */
export type Dated = { readonly validFrom: string | null; readonly validTo: string | null }

/** A country that belongs to a group of origins ("EU", "CPTPP"). */
export type OriginGroupRow = {
  readonly dataSet: string
  readonly originGroup: string
  readonly country: string
}

/** A code on a list that measures name as their scope or their exemption. */
export type CodeListRow = { readonly dataSet: string; readonly codeList: string; readonly codePrefix: string }

/** A code of one edition of the HS that a later edition replaced; `isMain` is the usual successor. */
export type HsSuccessorRow = {
  readonly dataSet: string
  /** Six digits, of the edition that ended ("HS 2017"). */
  readonly endedCode: string
  readonly endedEdition: string
  readonly code: string
  readonly edition: string
  readonly isMain: boolean
}

/** What a type of measure is for goods: their duty, a lower one that may be claimed, or one that comes on top. */
export type MeasureRole = 'base' | 'preference' | 'additional'

/** A type of measure; the order of the rows is the order in which duties join each other. */
export type MeasureTypeRow = {
  readonly dataSet: string
  readonly measureType: string
  /** As a line names it: "Most-favoured-nation duty". */
  readonly name: string
  readonly role: MeasureRole
  /** Types above this one that keep it away when they concern the same goods. */
  readonly notWith: readonly string[]
}

/**
 * How a measure joins what applies already. `additive`: its own amount. `cap_total`: what the base duty (or the
 * types in `against`) leaves up to the rate, max(0, rate − base). `floor_total`: what all duties before it leave up
 * to the rate. `replace_base`: its amount, and the base duty is not charged.
 */
export type MeasureKind = 'additive' | 'cap_total' | 'floor_total' | 'replace_base'

/**
 * What keeps a rate from being worked out, or makes it depend on more than the request says. `not_loaded`: it is
 * looked up in a table that is not here; `not_parsed`: the published text is not understood.
 */
export type MeasureCondition = '' | 'seasonal' | 'entry_price' | 'meursing' | 'not_loaded' | 'not_parsed'

/** A dated duty rate of one customs area for the codes that begin with `codePrefix` (empty: all). */
export type MeasureRow = Dated & {
  readonly dataSet: string
  /** The customs area. */
  readonly jurisdiction: string
  readonly codePrefix: string
  /** A `MeasureTypeRow`; 'third_country_duty' is the most-favoured-nation duty. */
  readonly measureType: string
  readonly kind: MeasureKind
  /** 'ALL', a country, or a group of origins. */
  readonly originGroup: string
  /** Countries and groups the measure does not concern. */
  readonly excludedOrigins: readonly string[]
  /** The measure concerns the codes on this list only; empty: all. */
  readonly scopeList: string
  /** The codes on this list are exempt; empty: none. */
  readonly exemptList: string
  /** What the rate is a share of: the customs value, or the duties before it. */
  readonly basis: 'value' | 'duty'
  /** For `cap_total`: the measure types that count; empty: the base duty or the preference in its place. */
  readonly against: readonly string[]
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
  /** Agreement of a preference ("EU-UK TCA") or law of an additional duty; empty: none to name. */
  readonly agreement: string
  readonly confidence: Confidence
  readonly note: string
}
