/**
 * Row types of rate cards, fuel rates and contracts. Weights in grams, money in cents, rates in basis points, dates
 * 'YYYY-MM-DD'. See migrations/002-rate-cards.ts.
 */
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { CardAudience } from '../../core/rating/card-version.ts'
import type { FuelTable } from '../../core/rating/fuel/fuel-table.ts'
import type {
  AreaClass,
  CapitalRow,
  CarrierRow,
  FuelRate,
  FuelUnit,
  ListUnits,
  PriceUnit,
  PricingBasis,
  Scope,
  ServiceMethod,
  SideRounding,
  SurchargeMethod,
  SurchargePer,
  SurchargePhase,
} from '../../core/rating/rate-card.ts'
import type { ParcelType, Recipient } from '../../core/rating/request.ts'
import type { Service } from '../../core/rating/sender-service.ts'

/** Only drafts can change. Only published versions apply to future days. */
export type VersionStatus = 'draft' | 'published' | 'withdrawn'

/** The part of an import that is not version content: the card's name, and rows of tables that all cards share. */
export type SharedRows = {
  /** Absent: the card keeps its name. */
  readonly name?: string
  readonly carriers: readonly CarrierRow[]
  readonly capitals: readonly CapitalRow[]
  readonly fuel: readonly FuelRate[]
}

/** A step table without what identifies it. */
export type FuelTableTerms = Omit<FuelTable, 'carrierCode' | 'code' | 'validFrom'>

export interface RateBookTableRows {
  carrier: { carrier_code: string; name: string; connector: string }
  rate_card: { rate_card_code: string; name: string; audience: Generated<CardAudience> }
  rate_card_version: {
    version_id: GeneratedAlways<number>
    rate_card_code: string
    version_no: number
    status: VersionStatus
    valid_from: string
    valid_to: string | null
    published_at: Date | null
    withdrawn_at: Date | null
    content_hash: string | null
    shared: JSONColumnType<SharedRows>
    created_at: GeneratedAlways<Date>
  }
  product: {
    version_id: number
    product_id: number
    carrier_code: string
    name: string
    service_level: string
    parcel_type: ParcelType
    pricing_basis: PricingBasis
    volumetric_divisor: number | null
    kilograms_per_cubic_metre: number | null
    kilograms_per_loading_metre: number | null
    weight_step_grams: number
    document_grams: number | null
    max_unit_grams: number | null
    max_length_cm: number | null
    max_width_cm: number | null
    max_height_cm: number | null
    max_length_plus_girth_cm: number | null
    max_shipment_grams: number | null
    scope: Scope
    from_countries: string[] | null
    recipient: Recipient | 'any'
    max_insured_cents: number | null
    zone_chart: string
    area_list: string
    zones: number[] | null
    max_units: number | null
    pickup_days: number[] | null
    cut_off_minutes: number | null
    heavy_over_grams: number | null
    heavy_step_grams: number | null
    min_billed_unit_grams: number | null
    shipment_step_grams: number | null
    min_billed_shipment_grams: number | null
    list_units: ListUnits | null
    side_rounding: SideRounding | null
    volumetric_per: 'shipment' | null
    deficit_weight: 'no' | null
  }
  country_group: {
    version_id: number
    zone_chart: string
    country: string
    postal_from: string | null
    postal_to: string | null
    city: string | null
    group_code: string
  }
  lane_zone: { version_id: number; zone_chart: string; from_group: string; to_group: string; zone: number }
  zone_price: {
    version_id: number
    product_id: number
    zone: number
    unit: PriceUnit
    pallet_class: string
    over_grams: number
    up_to_grams: number
    price_cents: number
    step_grams: number | null
    step_cents: number | null
    step_tenths: number | null
  }
  transit: { version_id: number; product_id: number; zone: number; min_days: number; max_days: number }
  lane_transit: {
    version_id: number
    product_id: number
    from_group: string
    to_group: string
    min_days: number
    max_days: number
  }
  price_terms: {
    version_id: number
    currency: string
    vat_included: boolean
    round_to_cents: number
    rate_days: number
    percentages_together: boolean | null
  }
  vat_rate: { version_id: number; zone_chart: string; zone: number; rate_bps: number }
  pallet_class: {
    version_id: number
    carrier_code: string
    pallet_class: string
    long_side_cm: number
    short_side_cm: number
    max_height_cm: number
    max_grams: number
    spaces: number
  }
  size_class: {
    version_id: number
    sort_no: number
    carrier_code: string
    size_class: string
    condition: string
    products: number[] | null
  }
  minimum_weight: {
    version_id: number
    sort_no: number
    carrier_code: string
    name: string
    condition: string | null
    weight: string
    products: number[] | null
  }
  area: {
    version_id: number
    area_list: string
    country: string
    postal_from: string | null
    postal_to: string | null
    city: string | null
    area_class: AreaClass
  }
  area_transit: {
    version_id: number
    carrier_code: string
    area_class: AreaClass
    extra_min_days: number
    extra_max_days: number
  }
  surcharge: {
    version_id: number
    sort_no: number
    carrier_code: string
    surcharge_code: string
    name: string
    reason: string
    phase: SurchargePhase
    method: SurchargeMethod
    amount: number
    minimum_cents: number
    maximum_cents: number | null
    per: SurchargePer
    trigger: string
    condition: string | null
    formula: string | null
    fuelable: boolean
    excludes: string[]
    products: number[] | null
    valid_from: string
    valid_to: string | null
  }
  service: {
    version_id: number
    sort_no: number
    carrier_code: string
    service: Service
    name: string
    method: ServiceMethod
    amount: number
    minimum_cents: number
    maximum_cents: number | null
    per: SurchargePer
    formula: string | null
    fuelable: boolean
    products: number[] | null
    from_countries: string[] | null
    to_countries: string[] | null
    zones: number[] | null
    min_shipment_grams: number | null
    max_shipment_grams: number | null
    max_unit_grams: number | null
    slot: string | null
    weekdays: readonly number[] | null
    max_collected_cents: number | null
    un_numbers: readonly string[] | null
    refused_un_numbers: readonly string[] | null
    condition: string | null
    requires: Service[]
    excludes: Service[]
  }
  insurance: {
    version_id: number
    carrier_code: string
    free_cover_cents: number
    free_cover_per: SurchargePer | null
    rate_bps: number
    minimum_cents: number
    max_value_cents: number
  }
  insurance_band: {
    version_id: number
    carrier_code: string
    over_cents: number
    up_to_cents: number
    price_cents: number
    value_step_cents: number | null
    step_price_cents: number | null
  }
  fuel_rate: {
    entry_id: GeneratedAlways<number>
    carrier_code: string
    fuel_code: string
    valid_from: string
    /** A percentage. If `unit_amount` is null too, the entry revokes those for the same carrier, code and day. */
    rate_bps: number | null
    /** Ten-thousandths of the currency of the rate card, for each `per`. */
    unit_amount: number | null
    per: FuelUnit | null
    entered_at: Generated<Date>
  }
  fuel_table: {
    entry_id: GeneratedAlways<number>
    carrier_code: string
    fuel_code: string
    valid_from: string
    /** Null revokes earlier entries for the same carrier, code and day. */
    terms: JSONColumnType<FuelTableTerms> | null
    entered_at: Generated<Date>
  }
  fuel_index_value: {
    entry_id: GeneratedAlways<number>
    index_code: string
    day: string
    /** Ten-thousandths. Null revokes earlier entries for the same index and day. */
    value_e4: number | null
    entered_at: Generated<Date>
  }
  capital: { country: string; city: string; postal_code: string }
  contract: {
    contract_id: GeneratedAlways<number>
    account_id: string
    product_id: number | null
    carrier_code: string | null
    valid_from: string
    valid_to: string | null
    freight_bps: number
    fuel_bps: number
    hidden: boolean
    rate_card_code: string | null
    inherited: Generated<string[]>
    /** Null: inherited. */
    minimum_cents: number | null
  }
  contract_discount: {
    contract_id: number
    applies_to: string
    zones: number[] | null
    over_grams: number
    up_to_grams: number | null
    turnover_cents: number
    change_bps: number
  }
  contract_turnover: {
    account_id: string
    carrier_code: string | null
    valid_from: string
    turnover_cents: number
  }
  margin: {
    account_id: string | null
    product_id: number | null
    carrier_code: string | null
    zones: number[] | null
    over_grams: number
    up_to_grams: number | null
    percent_bps: number
    amount_cents: number
    minimum_cents: number
    ending_cents: number | null
    valid_from: string
    valid_to: string | null
  }
  rate_book: { only_row: Generated<boolean>; revision: number }
  rate_book_change: { revision: number; changed_at: Generated<Date>; what: string }
}
