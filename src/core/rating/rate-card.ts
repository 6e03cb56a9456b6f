/**
 * The rows of a rate card: one type per file of the import format, docs/rate-card-files.md. book/rate-book.ts compiles
 * them into the rate book that quotes read.
 */
import { type ParcelType, RECIPIENTS } from './request.ts'
import type { Service } from './sender-service.ts'

/** How freight is calculated. */
export const PRICING_BASES = [
  /** One price on the sum of the units' chargeable weights. */
  'shipment',
  /** The sum of the prices of all units by their chargeable weights. */
  'parcel',
  /** The sum of the prices of all pallets by the class that each fits. */
  'pallet-class',
  /** A rate per 100 kg on the sum of the units' chargeable weights, with deficit weight. */
  'per-100kg',
  /** The sum of the prices of all units by the size class that each fits. */
  'size-class',
  /** Rates per 100 kg by the freight class of each unit and the band of the shipment's weight, with deficit weight. */
  'freight-class',
] as const
export type PricingBasis = (typeof PRICING_BASES)[number]

/** The bases that use size classes. With `freight-class`, a product without size classes has those that are stated. */
export const CLASSIFYING_BASES: ReadonlySet<PricingBasis> = new Set(['size-class', 'freight-class'])

/** The units of a list that is not in kilograms and centimetres; see book/list-units.ts. */
export const LIST_UNITS = ['lb-in', 'oz-in'] as const
export type ListUnits = (typeof LIST_UNITS)[number]

/** How a list in inches rounds sides to whole inches: to the next inch, or half up. */
export const SIDE_ROUNDINGS = ['up', 'half-up'] as const
export type SideRounding = (typeof SIDE_ROUNDINGS)[number]

/** The class of a place, by its postal code or city. */
export const AREA_CLASSES = ['NORMAL', 'REMOTE', 'ISLAND', 'OVERSEAS'] as const
export type AreaClass = (typeof AREA_CLASSES)[number]

export const SCOPES = ['any', 'domestic', 'international'] as const
export type Scope = (typeof SCOPES)[number]

/** The recipients that a product is for. */
export const PRODUCT_RECIPIENTS = ['any', ...RECIPIENTS] as const

/**
 * A product and its limits. An absent limit means that there is none. Weights in grams and lengths in centimetres are
 * thousandths of the unit of weight, and inches, if the product has `units`. This includes the weights of its prices.
 */
export type ProductTerms = {
  readonly productId: number
  readonly carrierCode: string
  readonly name: string
  /** For display, such as "economy". */
  readonly serviceLevel: string
  readonly parcelType: ParcelType
  readonly pricingBasis: PricingBasis
  /** The zone chart that it uses; '' is the common one. */
  readonly zoneChart: string
  /** The area list that it uses; '' is the common one. */
  readonly areaList: string
  /** The zones that must have prices. Checked at import only; absent: not checked. */
  readonly zones?: readonly number[]
  /** Absent: kilograms and centimetres. */
  readonly units?: ListUnits
  /** Only with `units`. Absent: sides are not rounded. */
  readonly sideRounding?: SideRounding
  /** Cubic centimetres that count as one kilogram. With `units`: cubic inches that count as one pound. */
  readonly volumetricDivisor?: number
  /** Kilograms that a cubic metre counts as. */
  readonly kilogramsPerCubicMetre?: number
  /** Kilograms that a loading metre (2.4 m² of floor) counts as. A stackable pallet takes half its floor. */
  readonly kilogramsPerLoadingMetre?: number
  /** Present: the total of the actual weights is compared with that of the volumetric weights. Absent: unit by unit. */
  readonly volumetricPer?: 'shipment'
  readonly weightStepGrams: number
  /** Weights of a unit above this one, a multiple of `weightStepGrams`, are rounded up to `heavyStepGrams` instead. */
  readonly heavyOverGrams?: number
  /** Present if and only if `heavyOverGrams` is. */
  readonly heavyStepGrams?: number
  /** The smallest chargeable weight of a unit. */
  readonly minBilledUnitGrams?: number
  /** The sum of the chargeable weights is rounded up again. Only with the bases `shipment` and `per-100kg`. */
  readonly shipmentStepGrams?: number
  /** The smallest weight that a shipment is billed for. Only with the bases `shipment` and `per-100kg`. */
  readonly minBilledShipmentGrams?: number
  /** The smallest weight of the next band is never charged. Only with the bases `per-100kg` and `freight-class`. */
  readonly deficitWeight?: 'no'
  /** The weight that one document without a stated weight counts as. */
  readonly documentGrams?: number
  readonly maxUnitGrams?: number
  readonly maxLengthCm?: number
  readonly maxWidthCm?: number
  readonly maxHeightCm?: number
  /** Limit of the longest side plus twice the sum of the other two. */
  readonly maxLengthPlusGirthCm?: number
  readonly maxShipmentGrams?: number
  readonly maxUnits?: number
  readonly scope: Scope
  /** Countries that it can be sent from; absent: all. */
  readonly fromCountries?: readonly string[]
  readonly recipient: (typeof PRODUCT_RECIPIENTS)[number]
  readonly maxInsuredCents?: number
  /** Weekdays of pick-up from 1 (Monday) to 7 (Sunday), sorted. Absent: the working week of the origin. */
  readonly pickupDays?: readonly number[]
  /** The time at the origin, in minutes since midnight, from which it is too late for pick-up on the same day. */
  readonly cutOffMinutes?: number
}

/**
 * The terms in the compiled book. An absent field is undefined, so that all objects have one shape and are read faster.
 */
export type BookTerms = { readonly [Field in keyof Required<ProductTerms>]: ProductTerms[Field] }

/** A country, or a part of it: a postal range (codes or prefixes, both inclusive) or a city. */
export type PlaceRange = {
  readonly country: string
  readonly from?: string
  readonly to?: string
  readonly city?: string
}

/**
 * The group of a country or of a part of it, such as the Canary Islands. The narrowest range applies. Country '*'
 * stands for all countries that are not listed.
 */
export type CountryGroupRow = PlaceRange & { readonly zoneChart: string; readonly group: string }

/** The zone of a lane. The row from '=' to '=' is the lane within one country. */
export type LaneRow = {
  readonly zoneChart: string
  readonly fromGroup: string
  readonly toGroup: string
  readonly zone: number
}

/**
 * KG: a price for the whole weight band. PER100KG: a rate per 100 kg. PALLET: a price per space of a pallet class.
 * SIZE: a price per parcel of a size class. CLASS: a rate per 100 kg of a freight class in a weight band.
 */
export type PriceUnit = 'KG' | 'PER100KG' | 'PALLET' | 'SIZE' | 'CLASS'

/** True for a price of a pallet class or size class, which has no weight band. */
export function isClassPrice(unit: PriceUnit): boolean {
  return unit === 'PALLET' || unit === 'SIZE'
}

/** A price in a zone. `upToGrams` is inclusive; both bounds are 0 for the price of a pallet class or size class. */
export type PriceRow = {
  readonly productId: number
  readonly zone: number
  readonly unit: PriceUnit
  /** The pallet class, the size class or the freight class. */
  readonly palletClass?: string
  readonly overGrams: number
  readonly upToGrams: number
  readonly priceCents: number
  /** Each started step above `overGrams` adds `stepCents` and `stepTenths`. Only with the unit KG. */
  readonly stepGrams?: number
  readonly stepCents?: number
  /** Tenths of a cent, 1 to 9. Absent: none. */
  readonly stepTenths?: number
}

/** The price of a step in tenths of a cent. */
export function stepPriceTenths({ stepCents = 0, stepTenths = 0 }: PriceRow): number {
  return 10 * stepCents + stepTenths
}

/**
 * The largest pallet of a pallet class. Several rows may have the same name. `spaces` multiplies the price of the
 * class.
 */
export type PalletClassRow = {
  readonly carrierCode: string
  readonly palletClass: string
  readonly longSideCm: number
  readonly shortSideCm: number
  readonly maxHeightCm: number
  readonly maxGrams: number
  readonly spaces: number
}

/** A size class or freight class of a carrier. A unit is of the first one whose condition holds. */
export type SizeClassRow = {
  readonly carrierCode: string
  readonly sizeClass: string
  /** An expression about a parcel, docs/rate-card-expressions.md. */
  readonly condition: string
  /** The products that use it; absent: all of the carrier whose basis is in `CLASSIFYING_BASES`. */
  readonly products?: readonly number[]
}

/** The smallest weight that some units of a carrier are billed for. Of several rows, the largest weight applies. */
export type MinimumWeightRow = {
  readonly carrierCode: string
  /** For explanations: "Large package". */
  readonly name: string
  /** An expression about a unit, docs/rate-card-expressions.md. Absent: all units. */
  readonly condition?: string
  /** An expression whose result is a weight, such as `40 kg`. */
  readonly weight: string
  /** The products that it applies to; absent: all of the carrier. */
  readonly products?: readonly number[]
}

/** The class of a part of a country. The narrowest range applies; places that are not listed are NORMAL. */
export type AreaRow = PlaceRange & { readonly areaList: string; readonly areaClass: AreaClass }

/** Working days that an area class adds, at each end. Carrier '*' stands for carriers without a row for it. */
export type AreaTransitRow = {
  readonly carrierCode: string
  readonly areaClass: AreaClass
  readonly extraMinDays: number
  readonly extraMaxDays: number
}

/** The phases in the order in which they are charged; see price/price.ts. */
export const SURCHARGE_PHASES = ['accessorial', 'percent', 'fixed'] as const
export type SurchargePhase = (typeof SURCHARGE_PHASES)[number]

/**
 * How the amount is calculated. `fuel` is the percentage in the fuel table under the code of the surcharge, `formula`
 * the expression in the row.
 */
export const SURCHARGE_METHODS = ['flat', 'per_kg', 'pct', 'fuel', 'formula'] as const
export type SurchargeMethod = (typeof SURCHARGE_METHODS)[number]

/** `unit`: charged for each parcel or pallet that triggers it. */
export type SurchargePer = 'shipment' | 'unit'

export type PriceLineKind =
  | 'BASE'
  | 'DISCOUNT'
  | 'FUEL'
  | 'REMOTE_AREA'
  | 'RESIDENTIAL'
  | 'OVERSIZE'
  | 'HANDLING'
  | 'INSURANCE'
  | 'SERVICE'
  | 'OTHER'

export type SurchargeRow = {
  readonly carrierCode: string
  readonly code: string
  readonly name: string
  readonly reason: string
  readonly phase: SurchargePhase
  readonly method: SurchargeMethod
  /** Cents, cents per kilogram or basis points, depending on the method; 0 for `fuel` and `formula`. */
  readonly amount: number
  readonly minimumCents: number
  /** Absent: there is none. */
  readonly maximumCents?: number
  readonly per: SurchargePer
  /** The condition under which it applies, docs/rate-card-files.md#triggers. */
  readonly trigger: string
  /** A further condition, as an expression; docs/rate-card-expressions.md. */
  readonly condition?: string
  /** The amount as an expression, with the method `formula`. */
  readonly formula?: string
  /** Fuel is charged on it too. */
  readonly fuelable: boolean
  /** Codes of surcharges of the carrier that a unit does not pay if it pays this one. */
  readonly excludes: readonly string[]
  /** The products that it applies to; absent: all of the carrier. */
  readonly products?: readonly number[]
  readonly validFrom: string
  /** The first day it no longer applies; absent: no end. */
  readonly validTo?: string
}

/** As for surcharges. */
export const SERVICE_METHODS = [
  'flat',
  'per_kg',
  'pct',
  'formula',
] as const satisfies readonly SurchargeMethod[]
export type ServiceMethod = (typeof SERVICE_METHODS)[number]

/**
 * A service that products offer, and its price. Of the rows of a service for a product, the first one that fits the
 * shipment applies. An absent restriction means that there is none. Weights are actual weights.
 */
export type ServiceRow = {
  readonly carrierCode: string
  readonly service: Service
  readonly name: string
  readonly method: ServiceMethod
  /** Cents, cents per kilogram or basis points, depending on the method; 0 for `formula`. */
  readonly amount: number
  readonly minimumCents: number
  /** Absent: there is none. */
  readonly maximumCents?: number
  readonly per: SurchargePer
  /** The amount as an expression, with the method `formula`. */
  readonly formula?: string
  /** Fuel is charged on it too. */
  readonly fuelable: boolean
  /** The products that offer it; absent: all of the carrier. */
  readonly products?: readonly number[]
  readonly fromCountries?: readonly string[]
  readonly toCountries?: readonly string[]
  /** Price zones. */
  readonly zones?: readonly number[]
  readonly minShipmentGrams?: number
  readonly maxShipmentGrams?: number
  readonly maxUnitGrams?: number
  /** The slot that the row is for. Absent: requests without a slot. */
  readonly slot?: string
  /** Weekdays on which the slot is delivered in, from 1 (Monday) to 7 (Sunday), sorted. For display. */
  readonly weekdays?: readonly number[]
  /** The largest amount to collect, inclusive. */
  readonly maxCollectedCents?: number
  /** UN numbers; goods with any other one do not fit. */
  readonly unNumbers?: readonly string[]
  /** UN numbers that do not fit. */
  readonly refusedUnNumbers?: readonly string[]
  /** A further condition, as an expression, which must hold for every unit. */
  readonly condition?: string
  /** Services that must be chosen with it. */
  readonly requires: readonly Service[]
  /** Services that cannot be chosen with it. */
  readonly excludes: readonly Service[]
}

/**
 * The position of each row among those of its carrier and service, from 1. The first row that fits a shipment applies,
 * so the order is part of the content.
 */
export function servicePositions(rows: readonly ServiceRow[]): readonly number[] {
  const counts = new Map<string, number>()
  return rows.map(({ carrierCode, service }) => {
    const key = JSON.stringify([carrierCode, service])
    const position = (counts.get(key) ?? 0) + 1
    counts.set(key, position)
    return position
  })
}

/**
 * The insurance terms of a carrier. `rateBps` is a share of the declared value; 0 if the carrier has insurance bands.
 */
export type InsuranceRow = {
  readonly carrierCode: string
  readonly freeCoverCents: number
  /** Absent: per unit for products with the basis `parcel`, otherwise per shipment. */
  readonly freeCoverPer?: SurchargePer
  readonly rateBps: number
  readonly minimumCents: number
  readonly maxValueCents: number
}

/**
 * The premium of a carrier for values above `overCents`, up to and including `upToCents`. Each started step adds
 * `stepPriceCents`. Steps are counted from `overCents`, or from the free cover if that is higher.
 */
export type InsuranceBandRow = {
  readonly carrierCode: string
  readonly overCents: number
  readonly upToCents: number
  readonly priceCents: number
  /** A value. Both fields of steps are present, or none. */
  readonly valueStepCents?: number
  readonly stepPriceCents?: number
}

/**
 * What the amounts of a card are stated in. A card has one row, or none: its amounts are then in euro, without VAT, and
 * calculated amounts are rounded to 0.01.
 */
export type PriceTerms = {
  /** ISO 4217. */
  readonly currency: string
  /** True if all amounts of the card include VAT. */
  readonly vatIncluded: boolean
  /** Calculated amounts are rounded to a multiple of this, in hundredths of the currency. */
  readonly roundToCents: number
  /** How many days old the exchange rate of a quote may be. */
  readonly rateDays: number
  /** The percentages of the phase `percent` are rounded as a sum. Absent: each is rounded. */
  readonly percentagesTogether?: true
}

/**
 * A zone chart that finds the VAT rate of a route whose own zone has none. Charts for prices mix countries with and
 * without VAT. See docs/rate-card-files.md#currency-and-vat.
 */
export const VAT_CHART = 'VAT'

/** The VAT rate of transport in a zone, in basis points. */
export type VatRateRow = { readonly zoneChart: string; readonly zone: number; readonly rateBps: number }

/** Transit time of a product in a zone, in working days. */
export type TransitRow = {
  readonly productId: number
  readonly zone: number
  readonly minDays: number
  readonly maxDays: number
}

/** Transit time of a product between two groups, in working days. Takes precedence over that of the zone. */
export type LaneTransitRow = {
  readonly productId: number
  readonly fromGroup: string
  readonly toGroup: string
  readonly minDays: number
  readonly maxDays: number
}

/** What a fuel amount is charged for: each parcel or pallet, or each kilogram billed. */
export const FUEL_UNITS = ['parcel', 'kg'] as const
export type FuelUnit = (typeof FUEL_UNITS)[number]

/**
 * The fuel percentage, or the amount per unit, from a day on. Fuel changes without a new card version. `code` is the
 * code of a surcharge with the method `fuel`, usually 'FUEL'.
 */
export type FuelRate = {
  readonly carrierCode: string
  readonly code: string
  readonly validFrom: string
  /** Ten-thousandths of the base of percentages or, with `per`, of one unit of the card's currency. */
  readonly rateBps: number
  /** Absent: a percentage. */
  readonly per?: FuelUnit
}

/** The capital stands for a country if a request has neither postal code nor city. */
export type CapitalRow = {
  readonly country: string
  readonly city: string
  /** Empty if the country has no postal codes. */
  readonly postalCode: string
}

/** `connector` is the connector that books and cancels at the carrier; see connector-names.ts. */
export type CarrierRow = { readonly code: string; readonly name: string; readonly connector: string }

/** The content of a version, one list per file. */
export type RateCardContent = {
  readonly products: readonly ProductTerms[]
  readonly countryGroups: readonly CountryGroupRow[]
  readonly lanes: readonly LaneRow[]
  readonly prices: readonly PriceRow[]
  readonly palletClasses: readonly PalletClassRow[]
  readonly sizeClasses: readonly SizeClassRow[]
  readonly minimumWeights: readonly MinimumWeightRow[]
  readonly areas: readonly AreaRow[]
  readonly areaTransit: readonly AreaTransitRow[]
  readonly surcharges: readonly SurchargeRow[]
  readonly services: readonly ServiceRow[]
  readonly insurance: readonly InsuranceRow[]
  readonly insuranceBands: readonly InsuranceBandRow[]
  readonly transit: readonly TransitRow[]
  readonly laneTransit: readonly LaneTransitRow[]
  readonly priceTerms: readonly PriceTerms[]
  readonly vatRates: readonly VatRateRow[]
}

/** An imported card: its content, and its rows of the tables that all cards share. */
export type RateCardImport = {
  readonly content: RateCardContent
  readonly carriers: readonly CarrierRow[]
  readonly capitals: readonly CapitalRow[]
  readonly fuel: readonly FuelRate[]
}
