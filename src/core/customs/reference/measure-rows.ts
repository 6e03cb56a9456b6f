/**
 * The rows that duties are worked out from: types of measures, the measures themselves, and the groups and lists that
 * they name. Decided here: what of a tariff is a fact in data. Source: design note on customs, "Never code a tariff".
 */

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
