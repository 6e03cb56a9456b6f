/** Row types of the customs tables (migration 0004). Rates in parts per million; amounts are decimal text. */
import type { Generated } from 'kysely'
import type {
  Confidence,
  MeasureCondition,
  MeasureKind,
  TaxBase,
  TaxRateRow,
  TaxStatus,
  ThresholdKind,
  ThresholdRow,
  Valuation,
} from '../../core/customs/reference-rows.ts'
import type { TaxKind } from '../../core/customs/tax-line.ts'

/** `sort_no` is the line of the shipped file; a data set is replaced as a whole. */
type DataSetLine = { data_set: string; sort_no: number }

/** The tables of the customs room. Dates are 'YYYY-MM-DD', null is open. */
export interface CustomsTableRows {
  customs_data_set: DataSetLine & {
    table_name: string
    title: string
    source: string
    published_on: string
    content_hash: string
    is_shipped: boolean
    loaded_at: Generated<Date>
  }
  customs_jurisdiction: DataSetLine & {
    code: string
    name: string
    currency: string
    customs_areas: string[]
    tax_areas: string[]
    valuation: Valuation
    rounding_unit: string
    reliefs: 'considered' | 'not_considered'
    note: string
  }
  customs_territory: DataSetLine & {
    country: string
    postal_from: string
    postal_to: string
    name: string
    jurisdiction: string
  }
  customs_tax: DataSetLine & {
    jurisdiction: string
    tax: string
    name: string
    kind: TaxKind
    status: TaxStatus
    base: TaxBase
    uplift_ppm: number
    rates_of: string
    reason: string
    note: string
    note_prefixes: string[]
    code_prefixes: string[]
  }
  customs_tax_rate: DataSetLine & {
    jurisdiction: string
    tax: string
    code_prefix: string
    rate_ppm: number
    kind: TaxRateRow['kind']
    valid_from: string | null
    valid_to: string | null
    confidence: Confidence
    note: string
  }
  customs_measure: DataSetLine & {
    jurisdiction: string
    code_prefix: string
    measure_type: string
    kind: MeasureKind
    origin_group: string
    ad_valorem_ppm: number | null
    specific: string
    minimum: string
    maximum: string
    condition: MeasureCondition
    text: string
    lowest_ppm: number | null
    highest_ppm: number | null
    line_count: number | null
    valid_from: string | null
    valid_to: string | null
    note: string
  }
  customs_threshold: DataSetLine & {
    jurisdiction: string
    applies_to: ThresholdRow['appliesTo']
    kind: ThresholdKind
    limit_amount: string
    currency: string
    flat_amount: string | null
    rate_ppm: number | null
    recipient: ThresholdRow['recipient']
    excluded_prefixes: string[]
    reason: string
    valid_from: string | null
    valid_to: string | null
    confidence: Confidence
  }
  customs_exchange_rate: DataSetLine & {
    currency: string
    units_per_euro: string
    valid_from: string
    confidence: Confidence
    note: string
  }
}
