/**
 * The limits of a product, and why it is declined for a request. Exceeding a limit is not an error: the product is
 * listed as declined, with the limit and the actual figure (docs/rest-contract.md#r7).
 */
import { formatCents } from '../../money.ts'
import { formatDecimal, formatKilograms } from '../../quantity.ts'
import { type Exchange, limitInEuro } from '../currency/conversion.ts'
import type { BookTerms, InsuranceRow, PriceTerms } from '../rate-card.ts'
import { actualGramsOf, type Parcel, type ParcelType, type RatesRequest } from '../request.ts'
import type { Service } from '../sender-service.ts'
import { FIFTIETHS_PER_INCH, inFiftieths } from './list-units.ts'

export type DeclineCode =
  | 'ROUTE_NOT_SERVED'
  | 'TYPE_NOT_CARRIED'
  | 'RECIPIENT_NOT_SERVED'
  | 'OVER_WEIGHT'
  | 'OVER_SIZE'
  | 'TOO_MANY_UNITS'
  | 'VALUE_NOT_INSURABLE'
  | 'NOT_ON_ACCOUNT'
  | 'NO_EXCHANGE_RATE'
  | 'NO_FUEL_RATE'
  | 'SERVICE_NOT_OFFERED'
  | 'FREIGHT_CLASS_REQUIRED'
  | 'FREIGHT_CLASS_NOT_CARRIED'

/** What is limited. Weights are in grams, lengths in centimetres, values in cents. */
export type LimitedMeasure =
  | 'unit weight'
  | 'shipment weight'
  | 'chargeable weight'
  | 'longest side'
  | 'second side'
  | 'shortest side'
  | 'height'
  | 'length plus girth'
  | 'number of units'
  | 'insured value'

/** `limit` and `actual` are in the unit of `measure`. */
type ExceededLimit = {
  readonly code: DeclineCode
  readonly measure: LimitedMeasure
  readonly limit: number
  readonly actual: number
  /** Lengths are in fiftieths of a centimetre, because the limit is in inches. */
  readonly inFiftieths?: true
}

/** Why a product is declined: an exceeded limit, or another reason in words. See `describeDecline`. */
export type Decline =
  | ExceededLimit
  | {
      readonly code: DeclineCode
      readonly reason: string
      /** The requested service that the product does not offer for the request. */
      readonly service?: Service
    }

/** The largest value of each measure over all units of a request. Limits are compared with these. */
export type Extremes = {
  readonly unitGrams: number
  readonly longestCm: number
  readonly secondCm: number
  readonly shortestCm: number
  readonly lengthPlusGirthCm: number
  /** The number of units in all rows. */
  readonly units: number
}

/**
 * The sides of a unit from longest to shortest, in centimetres. A pallet can only be turned about its vertical axis,
 * so its height is always the third side. See docs/rate-card-files.md#carriers-and-products.
 */
export function sidesOf(unit: Parcel, isPallet: boolean): readonly [number, number, number] {
  const { lengthCm: l, widthCm: w, heightCm: h } = unit
  const long = Math.max(l, w)
  const short = Math.min(l, w)
  if (isPallet || h <= short) return [long, short, h]
  return h >= long ? [h, long, short] : [long, h, short]
}

/** The longest side plus twice the sum of the other two, in centimetres. */
export function lengthPlusGirth([longest, second, shortest]: readonly [number, number, number]): number {
  return longest + 2 * (second + shortest)
}

export function extremesOf({ parcels, parcelType }: Pick<RatesRequest, 'parcels' | 'parcelType'>): Extremes {
  let unitGrams = 0
  let longestCm = 0
  let secondCm = 0
  let shortestCm = 0
  let lengthPlusGirthCm = 0
  let units = 0
  for (const parcel of parcels) {
    const sides = sidesOf(parcel, parcelType === 'PALLET')
    unitGrams = Math.max(unitGrams, parcel.weightGrams)
    longestCm = Math.max(longestCm, sides[0])
    secondCm = Math.max(secondCm, sides[1])
    shortestCm = Math.max(shortestCm, sides[2])
    lengthPlusGirthCm = Math.max(lengthPlusGirthCm, lengthPlusGirth(sides))
    units += parcel.count
  }
  return { unitGrams, longestCm, secondCm, shortestCm, lengthPlusGirthCm, units }
}

/**
 * The first reason to decline a product; undefined if it passes all limits. Prices are not checked here. `exchange` is
 * undefined for a card in euro.
 */
export function declineOf(
  terms: BookTerms,
  insurance: InsuranceRow | undefined,
  { request, extremes }: { readonly request: RatesRequest; readonly extremes: Extremes },
  exchange: Exchange | undefined,
): Decline | undefined {
  if (terms.parcelType !== request.parcelType) return OTHER_TYPE[terms.parcelType]
  return (
    declineRoute(terms, request) ??
    declineRecipient(terms, request) ??
    declineUnits(terms, request, extremes) ??
    declineShipmentWeight(terms, request.parcels) ??
    exceeds('TOO_MANY_UNITS', 'number of units', terms.maxUnits, extremes.units) ??
    declineValue(terms, insurance, request, exchange)
  )
}

/** Why a product is declined for parcels of another type. The key is the type that the product carries. */
const OTHER_TYPE: Readonly<Record<ParcelType, Decline>> = {
  NONDOC: { code: 'TYPE_NOT_CARRIED', reason: 'Carries parcels (NONDOC) only' },
  DOC: { code: 'TYPE_NOT_CARRIED', reason: 'Carries documents (DOC) only' },
  PALLET: { code: 'TYPE_NOT_CARRIED', reason: 'Carries pallets (PALLET) only' },
}

/** The lane has no zone, or the product has no prices in it. */
export const LANE_NOT_SERVED: Decline = {
  code: 'ROUTE_NOT_SERVED',
  reason: 'Not offered on this route',
}

export const NO_FITTING_CLASS: Decline = {
  code: 'OVER_SIZE',
  reason: 'A pallet is too large for all pallet classes of the carrier',
}

export const NO_FITTING_SIZE: Decline = {
  code: 'OVER_SIZE',
  reason: 'A parcel fits none of the size classes of the product',
}

/** The price depends on the freight class of every unit, and the request does not state it. */
export const FREIGHT_CLASS_REQUIRED: Decline = {
  code: 'FREIGHT_CLASS_REQUIRED',
  reason: 'The price depends on the freight class, which is not stated for every unit',
}

export const NO_FITTING_FREIGHT_CLASS: Decline = {
  code: 'FREIGHT_CLASS_NOT_CARRIED',
  reason: 'A unit fits none of the freight classes of the product',
}

export const NOT_ON_ACCOUNT: Decline = {
  code: 'NOT_ON_ACCOUNT',
  reason: "Not part of this account's contract",
}

/** The fuel surcharge follows an index table, which has no figure for the day. */
export const NO_FUEL_RATE: Decline = {
  code: 'NO_FUEL_RATE',
  reason: 'The fuel surcharge of this day is not known',
}

/** The card is in another currency, and the rate of the day is missing or too old. */
export function noExchangeRate({ currency, rateDays }: PriceTerms): Decline {
  const period = rateDays === 1 ? 'day' : `${rateDays} days`
  return {
    code: 'NO_EXCHANGE_RATE',
    reason: `Priced in ${currency}, and there is no exchange rate of the last ${period}`,
  }
}

/** The amount to collect is in another currency than the card, and an exchange rate is missing or too old. */
export function noRateOfCollected(currency: string, rateDays: number): Decline {
  const period = rateDays === 1 ? 'day' : `${rateDays} days`
  return {
    code: 'NO_EXCHANGE_RATE',
    service: 'CASH_ON_DELIVERY',
    reason: `The amount to collect is in ${currency}, and there is no exchange rate of the last ${period}`,
  }
}

/** The same for a product that is sold at a margin: the currency that it is bought in is not told. */
export const UNKNOWN_EXCHANGE_RATE: Decline = {
  code: 'NO_EXCHANGE_RATE',
  reason: 'The exchange rate of this day is not known',
}

/** A pallet fits some pallet classes by size, but it is too heavy for all of them. Grams. */
export function overClassWeight(limit: number, actual: number): Decline {
  return { code: 'OVER_WEIGHT', measure: 'unit weight', limit, actual }
}

/** The product has no price for a pallet class in this zone. */
export function classNotSold(palletClass: string): Decline {
  return { code: 'ROUTE_NOT_SERVED', reason: `Pallets of class ${palletClass} are not carried on this route` }
}

/** The product has no price for a size class in this zone. */
export function sizeNotSold(sizeClass: string): Decline {
  return { code: 'ROUTE_NOT_SERVED', reason: `Parcels of size ${sizeClass} are not carried on this route` }
}

/** The product has no rates for a freight class in this zone. */
export function freightClassNotSold(name: string): Decline {
  return { code: 'ROUTE_NOT_SERVED', reason: `Goods of freight class ${name} are not carried on this route` }
}

/** A unit or shipment is heavier than the last weight band. Grams. */
export function beyondPriceList(limit: number, actual: number): Decline {
  return { code: 'OVER_WEIGHT', measure: 'chargeable weight', limit, actual }
}

/** `reason` completes the sentence that begins with `name`. */
export function serviceDeclined(service: Service, name: string, reason: string): Decline {
  return { code: 'SERVICE_NOT_OFFERED', reason: `${name} ${reason}`, service }
}

function declineRoute({ scope, fromCountries }: BookTerms, { from, to }: RatesRequest): Decline | undefined {
  const code = 'ROUTE_NOT_SERVED'
  const domestic = from.country === to.country
  if (scope === 'domestic' && !domestic) return { code, reason: 'Serves routes within one country only' }
  if (scope === 'international' && domestic) return { code, reason: 'Serves routes between countries only' }
  if (fromCountries !== undefined && !fromCountries.includes(from.country))
    return { code, reason: `Serves routes from ${fromCountries.join(', ')} only` }
  return undefined
}

function declineRecipient({ recipient }: BookTerms, request: RatesRequest): Decline | undefined {
  if (recipient === 'any' || recipient === request.recipient) return undefined
  const reason = recipient === 'business' ? 'Delivers to businesses only' : 'Delivers to individuals only'
  return { code: 'RECIPIENT_NOT_SERVED', reason }
}

function declineUnits(terms: BookTerms, request: RatesRequest, extremes: Extremes): Decline | undefined {
  const overweight = exceeds('OVER_WEIGHT', 'unit weight', terms.maxUnitGrams, extremes.unitGrams)
  if (terms.parcelType === 'DOC' || overweight !== undefined) return overweight
  return terms.units === undefined ? declineSize(terms, extremes) : declineInches(terms, request)
}

type SizeLimits = Pick<
  BookTerms,
  'parcelType' | 'maxLengthCm' | 'maxWidthCm' | 'maxHeightCm' | 'maxLengthPlusGirthCm'
>

function declineSize(terms: SizeLimits, extremes: Extremes): ExceededLimit | undefined {
  const third = terms.parcelType === 'PALLET' ? 'height' : 'shortest side'
  return (
    exceeds('OVER_SIZE', 'longest side', terms.maxLengthCm, extremes.longestCm) ??
    exceeds('OVER_SIZE', 'second side', terms.maxWidthCm, extremes.secondCm) ??
    exceeds('OVER_SIZE', third, terms.maxHeightCm, extremes.shortestCm) ??
    exceeds('OVER_SIZE', 'length plus girth', terms.maxLengthPlusGirthCm, extremes.lengthPlusGirthCm)
  )
}

/** The limits are in inches, and sides are rounded as the price list states. */
function declineInches(terms: BookTerms, { parcels, parcelType }: RatesRequest): Decline | undefined {
  const inFiftiethsOfCm = (inches: number | undefined): number | undefined =>
    inches === undefined ? undefined : inches * FIFTIETHS_PER_INCH
  const limits: SizeLimits = {
    parcelType,
    maxLengthCm: inFiftiethsOfCm(terms.maxLengthCm),
    maxWidthCm: inFiftiethsOfCm(terms.maxWidthCm),
    maxHeightCm: inFiftiethsOfCm(terms.maxHeightCm),
    maxLengthPlusGirthCm: inFiftiethsOfCm(terms.maxLengthPlusGirthCm),
  }
  const rounded = parcels.map((parcel) => inFiftieths(parcel, terms.sideRounding))
  const exceeded = declineSize(limits, extremesOf({ parcels: rounded, parcelType }))
  return exceeded && { ...exceeded, inFiftieths: true }
}

function declineShipmentWeight(terms: BookTerms, parcels: readonly Parcel[]): Decline | undefined {
  if (terms.maxShipmentGrams === undefined) return undefined
  let grams = 0
  for (const parcel of parcels) grams += actualGramsOf(parcel, terms.documentGrams) * parcel.count
  return exceeds('OVER_WEIGHT', 'shipment weight', terms.maxShipmentGrams, grams)
}

function declineValue(
  terms: BookTerms,
  insurance: InsuranceRow | undefined,
  { insuredValueCents }: RatesRequest,
  exchange: Exchange | undefined,
): Decline | undefined {
  if (insuredValueCents === undefined) return undefined
  if (insurance === undefined) return { code: 'VALUE_NOT_INSURABLE', reason: 'Cannot be insured' }
  const stated = Math.min(terms.maxInsuredCents ?? insurance.maxValueCents, insurance.maxValueCents)
  if (exchange === undefined)
    return exceeds('VALUE_NOT_INSURABLE', 'insured value', stated, insuredValueCents)
  // Without a rate, the product is declined for that.
  if (exchange.rate === undefined) return undefined
  const limit = limitInEuro(stated, exchange.rate)
  return exceeds('VALUE_NOT_INSURABLE', 'insured value', limit, insuredValueCents)
}

function exceeds(
  code: DeclineCode,
  measure: LimitedMeasure,
  limit: number | undefined,
  actual: number,
): ExceededLimit | undefined {
  return limit !== undefined && actual > limit ? { code, measure, limit, actual } : undefined
}

/** `limit` and `actual` are in `unit`. */
export type DeclineText = {
  readonly message: string
  readonly limit?: string
  readonly actual?: string
  readonly unit?: LimitUnit
}

export type LimitUnit = 'KILOGRAM' | 'CENTIMETRE' | 'UNIT' | 'EURO'

/** The message of a decline, such as "The unit weight is 31.6 kg; the limit is 31.5 kg". */
export function describeDecline(decline: Decline): DeclineText {
  if ('reason' in decline) return { message: decline.reason }
  const { measure } = decline
  const { unit, sign, format } = unitOf(measure, decline.inFiftieths)
  const [limit, actual] = [format(decline.limit), format(decline.actual)]
  return {
    message: `The ${measure} is ${actual} ${sign}; the limit is ${limit} ${sign}`,
    limit,
    actual,
    unit,
  }
}

function unitOf(
  measure: LimitedMeasure,
  inFiftieths: true | undefined,
): {
  readonly unit: LimitUnit
  readonly sign: string
  format(value: number): string
} {
  switch (measure) {
    case 'unit weight':
    case 'shipment weight':
    case 'chargeable weight':
      return { unit: 'KILOGRAM', sign: 'kg', format: formatKilograms }
    case 'insured value':
      return { unit: 'EURO', sign: 'EUR', format: formatCents }
    case 'number of units':
      return { unit: 'UNIT', sign: 'units', format: String }
    case 'longest side':
    case 'second side':
    case 'shortest side':
    case 'height':
    case 'length plus girth':
      return {
        unit: 'CENTIMETRE',
        sign: 'cm',
        format: (value) => (inFiftieths ? formatDecimal(2 * value, 2) : String(value)),
      }
  }
}
