/**
 * A rate card as a carrier publishes it: plain rows, one type per table of the import format. The book that
 * quotes are made from is compiled out of these (rate-book.ts).
 * Source: the model of real price lists in src/reference/README.md.
 */
import type { ParcelType, Recipient } from './request.ts'

/** How freight is priced. */
export type PricingBasis =
  /** One price on the sum of the units' chargeable weights. */
  | 'shipment'
  /** Each unit priced by its chargeable weight, then summed. */
  | 'parcel'
  /** Each pallet priced by the class it fits. */
  | 'pallet-class'
  /** A rate per 100 kg on the sum of the units' chargeable weights, with deficit weight. */
  | 'per-100kg'

/** What a place may be to a carrier, by its postal code. */
export type AreaClass = 'NORMAL' | 'REMOTE' | 'ISLAND' | 'OVERSEAS'

/** Whether a product runs within a country, between countries, or both. */
export type Scope = 'any' | 'domestic' | 'international'

/** A product and its limits. Weights in grams, sides in cm, money in cents; an absent limit is none. */
export type ProductTerms = {
  readonly productId: number
  readonly carrierCode: string
  readonly name: string
  readonly parcelType: ParcelType
  readonly pricingBasis: PricingBasis
  /** Cubic centimetres that count as one kilogram. */
  readonly volumetricDivisor?: number
  /** Kilograms that a cubic metre counts as. */
  readonly kilogramsPerCubicMetre?: number
  /** Kilograms that a loading metre (2.4 m of floor width) counts as; a stackable pallet takes half of one. */
  readonly kilogramsPerLoadingMetre?: number
  readonly weightStepGrams: number
  /** What one document counts as. */
  readonly documentGrams?: number
  readonly maxUnitGrams?: number
  readonly maxLengthCm?: number
  readonly maxWidthCm?: number
  readonly maxHeightCm?: number
  /** Longest side plus twice the sum of the other two. */
  readonly maxLengthPlusGirthCm?: number
  readonly maxShipmentGrams?: number
  readonly scope: Scope
  /** Countries it can be sent from; absent: all. */
  readonly fromCountries?: readonly string[]
  readonly recipient: Recipient | 'any'
  /** Highest value it can be insured for. */
  readonly maxInsuredCents?: number
}

/** A country's group; country '*' stands for all that are not listed. */
export type CountryGroupRow = { readonly country: string; readonly group: string }

/** The price zone of a lane; the row '=' to '=' is the lane within one country. */
export type LaneRow = { readonly fromGroup: string; readonly toGroup: string; readonly zone: number }

/** One price: a weight band of a zone, or a pallet class. `upToGrams` is inclusive. */
export type PriceRow = {
  readonly productId: number
  readonly zone: number
  readonly unit: 'KG' | 'PER100KG' | 'PALLET'
  readonly palletClass?: string
  readonly overGrams: number
  readonly upToGrams: number
  readonly priceCents: number
  /** Within the band, `stepCents` more for each begun step above `overGrams`. */
  readonly stepGrams?: number
  readonly stepCents?: number
}

/** What fits a pallet class; several rows may share a name. `spaces` multiplies the class's price. */
export type PalletClassRow = {
  readonly carrierCode: string
  readonly palletClass: string
  readonly longSideCm: number
  readonly shortSideCm: number
  readonly maxHeightCm: number
  readonly maxGrams: number
  readonly spaces: number
}

/** A postal range and what it is to carriers; both ends are codes or prefixes, inclusive. */
export type AreaRow = {
  readonly country: string
  readonly from: string
  readonly to: string
  readonly areaClass: AreaClass
}

/** Working days that an area class at either end adds; carrier '*' stands for all. */
export type AreaTransitRow = {
  readonly carrierCode: string
  readonly areaClass: AreaClass
  readonly extraMinDays: number
  readonly extraMaxDays: number
}

/** When in the build-up a surcharge comes: see price.ts. */
export type SurchargePhase = 'accessorial' | 'percent' | 'fixed'

/** How a surcharge's amount is worked out; `fuel` is a percentage from the dated fuel table. */
export type SurchargeMethod = 'flat' | 'per_kg' | 'pct' | 'fuel'

/** What a surcharge is counted by; `unit` is each parcel or pallet its trigger holds for. */
export type SurchargePer = 'shipment' | 'unit'

/** The kinds a price line can be of; `OTHER` is any surcharge without a kind of its own. */
export type PriceLineKind =
  | 'BASE'
  | 'FUEL'
  | 'REMOTE_AREA'
  | 'RESIDENTIAL'
  | 'OVERSIZE'
  | 'HANDLING'
  | 'INSURANCE'
  | 'OTHER'

/** A surcharge and the trigger it applies on (surcharge.ts describes the vocabulary). */
export type SurchargeRow = {
  readonly carrierCode: string
  readonly code: string
  readonly name: string
  readonly reason: string
  readonly phase: SurchargePhase
  readonly method: SurchargeMethod
  /** Cents, cents per kilogram, or basis points, by the method; unused for `fuel`. */
  readonly amount: number
  readonly minimumCents: number
  readonly per: SurchargePer
  readonly trigger: string
  readonly fuelable: boolean
  readonly validFrom: string
}

/** A carrier's insurance. `rateBps` is a share of the declared value. */
export type InsuranceRow = {
  readonly carrierCode: string
  readonly freeCoverCents: number
  readonly rateBps: number
  readonly minimumCents: number
  readonly maxValueCents: number
}

/** Working days of a product in a zone. */
export type TransitRow = {
  readonly productId: number
  readonly zone: number
  readonly minDays: number
  readonly maxDays: number
}

/** A fuel surcharge from a day on, in basis points: a table of its own, since it changes without a new card. */
export type FuelRate = { readonly carrierCode: string; readonly validFrom: string; readonly rateBps: number }

/** A carrier. */
export type CarrierRow = { readonly code: string; readonly name: string }

/** A published version of a rate card. Days are 'YYYY-MM-DD'. */
export type RateCard = {
  readonly code: string
  readonly versionNo: number
  readonly validFrom: string
  /** The first day it no longer prices; absent while it is open. */
  readonly validTo?: string
  readonly products: readonly ProductTerms[]
  readonly countryGroups: readonly CountryGroupRow[]
  readonly lanes: readonly LaneRow[]
  readonly prices: readonly PriceRow[]
  readonly palletClasses: readonly PalletClassRow[]
  readonly areas: readonly AreaRow[]
  readonly areaTransit: readonly AreaTransitRow[]
  readonly surcharges: readonly SurchargeRow[]
  readonly insurance: readonly InsuranceRow[]
  readonly transit: readonly TransitRow[]
}

/** The capital that stands for a country when a request names neither postal code nor city. */
export type CapitalRow = {
  readonly country: string
  readonly city: string
  /** Empty where the country has no postal codes. */
  readonly postalCode: string
}
