/**
 * A rate card as a carrier publishes it: plain rows, one type per table of the import format. The book that
 * quotes are made from is compiled out of these (rate-book.ts).
 * Source: the model of real price lists in src/reference/README.md.
 */

import { groupBy } from '../group-by.ts'
import { isInForce } from '../validity.ts'
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

/** What a place may be to a carrier, by its postal code or city. */
export type AreaClass = 'NORMAL' | 'REMOTE' | 'ISLAND' | 'OVERSEAS'

/** Whether a product runs within a country, between countries, or both. */
export type Scope = 'any' | 'domestic' | 'international'

/** A product and its limits. Weights in grams, sides in cm, money in cents; an absent limit is none. */
export type ProductTerms = {
  readonly productId: number
  readonly carrierCode: string
  readonly name: string
  /** A word for people, such as "economy"; pricing does not need it. */
  readonly serviceLevel: string
  readonly parcelType: ParcelType
  readonly pricingBasis: PricingBasis
  /** Which of the card's zone charts tells its price zones; '' is the common one. */
  readonly zoneChart: string
  /** Which of the card's area lists tells remote and other areas; '' is the common one. */
  readonly areaList: string
  /** The zones it is meant to be priced in; absent: those that have prices. */
  readonly zones?: readonly number[]
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
  /** Units of a shipment at most. */
  readonly maxUnits?: number
  readonly scope: Scope
  /** Countries it can be sent from; absent: all. */
  readonly fromCountries?: readonly string[]
  readonly recipient: Recipient | 'any'
  /** Highest value it can be insured for. */
  readonly maxInsuredCents?: number
}

/** A part of a country: all of it, a postal range (codes or prefixes, both inclusive), or a city by name. */
export type PlaceRange = {
  readonly country: string
  readonly from?: string
  readonly to?: string
  readonly city?: string
}

/**
 * The group of a country, or of a part of it that carriers treat apart (the Canaries); the narrowest range wins.
 * Country '*' stands for all that are not listed.
 */
export type CountryGroupRow = PlaceRange & { readonly zoneChart: string; readonly group: string }

/** The price zone of a lane; the row '=' to '=' is the lane within one country. */
export type LaneRow = {
  readonly zoneChart: string
  readonly fromGroup: string
  readonly toGroup: string
  readonly zone: number
}

/**
 * How a price is meant: for the whole band (and its steps), as a rate per 100 kg of the weight billed, or for a
 * pallet of a class.
 */
export type PriceUnit = 'KG' | 'PER100KG' | 'PALLET'

/** One price: a weight band of a zone, or a pallet class. `upToGrams` is inclusive. */
export type PriceRow = {
  readonly productId: number
  readonly zone: number
  readonly unit: PriceUnit
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

/** A part of a country and what it is to carriers; the narrowest range wins, and NORMAL is the rest. */
export type AreaRow = PlaceRange & { readonly areaList: string; readonly areaClass: AreaClass }

/** Working days that an area class at either end adds; carrier '*' stands for all. */
export type AreaTransitRow = {
  readonly carrierCode: string
  readonly areaClass: AreaClass
  readonly extraMinDays: number
  readonly extraMaxDays: number
}

/** When in the build-up a surcharge comes: see price.ts. */
export type SurchargePhase = 'accessorial' | 'percent' | 'fixed'

/** How a surcharge's amount is worked out; `fuel` is a percentage from the dated fuel table, under its code. */
export type SurchargeMethod = 'flat' | 'per_kg' | 'pct' | 'fuel'

/** What a surcharge is counted by; `unit` is each parcel or pallet its trigger holds for. */
export type SurchargePer = 'shipment' | 'unit'

/** The kinds a price line can be of; `OTHER` is any surcharge without a kind of its own. */
export type PriceLineKind =
  | 'BASE'
  | 'DISCOUNT'
  | 'FUEL'
  | 'REMOTE_AREA'
  | 'RESIDENTIAL'
  | 'OVERSIZE'
  | 'HANDLING'
  | 'INSURANCE'
  | 'OTHER'

/** A surcharge and the trigger it applies on (trigger.ts describes the vocabulary). */
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
  /** Codes of the carrier's surcharges that are not charged for a unit that pays this one. */
  readonly excludes: readonly string[]
  /** The products it is charged on; absent: all of the carrier's. */
  readonly products?: readonly number[]
  readonly validFrom: string
  /** The first day it no longer holds; absent while it is open. */
  readonly validTo?: string
}

/** A carrier's insurance. `rateBps` is a share of the declared value. */
export type InsuranceRow = {
  readonly carrierCode: string
  readonly freeCoverCents: number
  /** What the free cover counts for; absent: the parcel where a product prices parcels, else the shipment. */
  readonly freeCoverPer?: SurchargePer
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

/** Working days of a product between two groups of its zone chart, in place of those of the zone. */
export type LaneTransitRow = {
  readonly productId: number
  readonly fromGroup: string
  readonly toGroup: string
  readonly minDays: number
  readonly maxDays: number
}

/**
 * A fuel surcharge from a day on, in basis points: a table of its own, since it changes without a new card.
 * `code` is that of the surcharge with method `fuel`; most carriers have one, 'FUEL'.
 */
export type FuelRate = {
  readonly carrierCode: string
  readonly code: string
  readonly validFrom: string
  readonly rateBps: number
}

/** A carrier; `connector` names what speaks to it. */
export type CarrierRow = { readonly code: string; readonly name: string; readonly connector: string }

/** Whom a card is for: every account, or those only whose contract points to it. */
export type CardAudience = 'everyone' | 'contract'

/** What a version of a rate card holds, one list per table of the import format. */
export type RateCardContent = {
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
  readonly laneTransit: readonly LaneTransitRow[]
}

/** A rate card as it is imported: what it holds, and what it says of the tables that all cards share. */
export type RateCardImport = {
  readonly content: RateCardContent
  readonly carriers: readonly CarrierRow[]
  readonly capitals: readonly CapitalRow[]
  readonly fuel: readonly FuelRate[]
}

/** How a version of a card is named: "demo@1". */
export function versionText({ code, versionNo }: Pick<RateCardHead, 'code' | 'versionNo'>): string {
  return `${code}@${versionNo}`
}

/** What names a version of a rate card, and the days it prices. Days are 'YYYY-MM-DD'. */
export type RateCardHead = {
  readonly code: string
  readonly versionNo: number
  readonly audience: CardAudience
  readonly validFrom: string
  /** The first day it no longer prices; absent while it is open. */
  readonly validTo?: string
}

/** The capital that stands for a country when a request names neither postal code nor city. */
export type CapitalRow = {
  readonly country: string
  readonly city: string
  /** Empty where the country has no postal codes. */
  readonly postalCode: string
}

// Which versions of a rate card are worth having in memory. A card that changes every week has long been replaced
// in most of its versions; only those that still price some day, now, later, or lately, are read.

/** The versions that price at least one day from `since` ('YYYY-MM-DD') on: no newer one of their card covers it. */
export function versionsThatPrice<Version extends RateCardHead>(
  versions: readonly Version[],
  since: string,
): Version[] {
  return [...groupBy(versions, ({ code }) => code).values()].flatMap((ofCard) => {
    const newestFirst = [...ofCard].sort((a, b) => b.versionNo - a.versionNo)
    return newestFirst.filter((version, index) => pricesSomeDay(version, newestFirst.slice(0, index), since))
  })
}

/** Coverage changes on first and last days only, so it is enough to look at those within the version's own days. */
function pricesSomeDay(version: RateCardHead, newer: readonly RateCardHead[], since: string): boolean {
  const first = version.validFrom > since ? version.validFrom : since
  const days = [first, ...newer.flatMap(({ validTo }) => validTo ?? [])]
  return days.some(
    (day) => day >= first && isInForce(version, day) && !newer.some((other) => isInForce(other, day)),
  )
}
