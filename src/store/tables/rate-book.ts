/** Row types of the rate book's tables (migration 0002). Weights in grams, money in cents, rates in basis points. */
import type { Generated } from 'kysely'
import type {
  AreaClass,
  PricingBasis,
  Scope,
  SurchargeMethod,
  SurchargePer,
  SurchargePhase,
} from '../../core/rating/rate-card.ts'
import type { ParcelType, Recipient } from '../../core/rating/request.ts'

/** The tables of the rate book. Dates are 'YYYY-MM-DD'. */
export interface RateBookTableRows {
  carrier: { carrier_code: string; name: string; connector: string }
  rate_card: { rate_card_code: string; name: string }
  rate_card_version: {
    version_id: Generated<number>
    rate_card_code: string
    version_no: number
    status: 'draft' | 'published' | 'withdrawn'
    valid_from: string
    valid_to: string | null
    published_at: Date | null
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
    max_girth_cm: number | null
    max_shipment_grams: number | null
    scope: Scope
    from_countries: string[] | null
    recipient: Recipient | 'any'
    max_insured_cents: number | null
  }
  country_group: { version_id: number; country: string; group_code: string }
  lane_zone: { version_id: number; from_group: string; to_group: string; zone: number }
  zone_price: {
    version_id: number
    product_id: number
    zone: number
    unit: 'KG' | 'PER100KG' | 'PALLET'
    pallet_class: string
    over_grams: number
    up_to_grams: number
    price_cents: number
    step_grams: number | null
    step_cents: number | null
  }
  transit: { version_id: number; product_id: number; zone: number; min_days: number; max_days: number }
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
  area: {
    version_id: number
    country: string
    postal_from: string
    postal_to: string
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
    per: SurchargePer
    trigger: string
    fuelable: boolean
    valid_from: string
  }
  insurance: {
    version_id: number
    carrier_code: string
    free_cover_cents: number
    rate_bps: number
    minimum_cents: number
    max_value_cents: number
  }
  fuel_rate: { carrier_code: string; valid_from: string; rate_bps: number }
  capital: { country: string; city: string; postal_code: string }
}
