/**
 * Why a product is not offered: route, parcel type, recipient, weight, size, insurable value. Weight or size
 * past a limit is no error of the request; the product is declined with limit and actual figure.
 * Source: specification 4.1 rule 6; decision 7 of the README.
 */
import { formatCents } from '../money.ts'
import { formatKilograms } from '../quantity.ts'
import type { BookProduct } from './rate-book.ts'
import type { ProductTerms } from './rate-card.ts'
import type { Parcel, RatesRequest } from './request.ts'
import { girthOf, sidesOf } from './surcharge.ts'

/** Why a product that was looked at is not offered. */
export type DeclineCode =
  | 'ROUTE_NOT_SERVED'
  | 'TYPE_NOT_CARRIED'
  | 'RECIPIENT_NOT_SERVED'
  | 'OVER_WEIGHT'
  | 'OVER_SIZE'
  | 'VALUE_NOT_INSURABLE'

/** Why a product is declined; `limit` and `actual` in the unit the message names. */
export type Decline = {
  readonly code: DeclineCode
  readonly message: string
  readonly limit?: string
  readonly actual?: string
}

/** The first reason not to offer a product on a route, or undefined when nothing speaks against it. */
export function declineOf({ terms, insurance }: BookProduct, request: RatesRequest): Decline | undefined {
  return (
    declineParcelType(terms, request) ??
    declineRoute(terms, request) ??
    declineRecipient(terms, request) ??
    declineUnits(terms, request.parcels) ??
    declineShipmentWeight(terms, request.parcels) ??
    declineValue(Math.min(terms.maxInsuredCents ?? 0, insurance?.maxValueCents ?? 0), request)
  )
}

/** The decline of a shipment or unit that is heavier than the price list reaches. */
export function beyondPriceList(heaviestGrams: number, chargeableGrams: number): Decline {
  const [limit, actual] = [formatKilograms(heaviestGrams), formatKilograms(chargeableGrams)]
  const message = `The price list ends at ${limit} kg; the chargeable weight is ${actual} kg`
  return { code: 'OVER_WEIGHT', message, limit, actual }
}

/** The decline of a pallet that fits no class of the carrier. */
export function fitsNoClass(row: number): Decline {
  return { code: 'OVER_SIZE', message: `Parcel ${row + 1} fits no pallet class of the carrier` }
}

/** The decline of a lane without prices. */
export function laneNotServed({ from, to }: RatesRequest): Decline {
  return { code: 'ROUTE_NOT_SERVED', message: `Not offered from ${from.country} to ${to.country}` }
}

function declineParcelType({ parcelType }: ProductTerms, request: RatesRequest): Decline | undefined {
  if (parcelType === request.parcelType) return undefined
  return { code: 'TYPE_NOT_CARRIED', message: `Carries ${parcelType}, not ${request.parcelType}` }
}

function declineRoute({ scope, fromCountries }: ProductTerms, request: RatesRequest): Decline | undefined {
  const code = 'ROUTE_NOT_SERVED'
  const domestic = request.from.country === request.to.country
  if (scope === 'domestic' && !domestic) return { code, message: 'Runs within one country only' }
  if (scope === 'international' && domestic) return { code, message: 'Runs between countries only' }
  if (fromCountries !== undefined && !fromCountries.includes(request.from.country))
    return { code, message: `Cannot be sent from ${request.from.country}` }
  return undefined
}

function declineRecipient({ recipient }: ProductTerms, request: RatesRequest): Decline | undefined {
  if (recipient === 'any' || recipient === request.recipient) return undefined
  return { code: 'RECIPIENT_NOT_SERVED', message: `Delivers to a recipient of type ${recipient} only` }
}

function declineUnits(terms: ProductTerms, parcels: readonly Parcel[]): Decline | undefined {
  for (const [index, parcel] of parcels.entries()) {
    const decline = declineUnit(terms, parcel, `Parcel ${index + 1}`)
    if (decline !== undefined) return decline
  }
  return undefined
}

function declineUnit(terms: ProductTerms, parcel: Parcel, name: string): Decline | undefined {
  if (terms.parcelType === 'DOC') return undefined
  if (terms.maxUnitGrams !== undefined && parcel.weightGrams > terms.maxUnitGrams) {
    const [limit, actual] = [formatKilograms(terms.maxUnitGrams), formatKilograms(parcel.weightGrams)]
    return {
      code: 'OVER_WEIGHT',
      message: `${name} weighs ${actual} kg; the limit is ${limit} kg`,
      limit,
      actual,
    }
  }
  for (const { what, limitCm, actualCm } of sideLimits(terms, parcel)) {
    if (limitCm === undefined || actualCm <= limitCm) continue
    const [limit, actual] = [String(limitCm), String(actualCm)]
    return {
      code: 'OVER_SIZE',
      message: `${name}: ${what} is ${actual} cm; the limit is ${limit} cm`,
      limit,
      actual,
    }
  }
  return undefined
}

type SideLimit = { readonly what: string; readonly limitCm: number | undefined; readonly actualCm: number }

/** A parcel may be turned any way; a pallet only about its vertical axis. */
function sideLimits(terms: ProductTerms, parcel: Parcel): readonly SideLimit[] {
  if (terms.parcelType === 'PALLET') {
    const { lengthCm, widthCm, heightCm } = parcel
    return [
      { what: 'the longer side', limitCm: terms.maxLengthCm, actualCm: Math.max(lengthCm, widthCm) },
      { what: 'the shorter side', limitCm: terms.maxWidthCm, actualCm: Math.min(lengthCm, widthCm) },
      { what: 'the height', limitCm: terms.maxHeightCm, actualCm: heightCm },
    ]
  }
  const [longest, middle, shortest] = sidesOf(parcel)
  return [
    { what: 'the longest side', limitCm: terms.maxLengthCm, actualCm: longest },
    { what: 'the second side', limitCm: terms.maxWidthCm, actualCm: middle },
    { what: 'the shortest side', limitCm: terms.maxHeightCm, actualCm: shortest },
    { what: 'length plus girth', limitCm: terms.maxGirthCm, actualCm: girthOf(parcel) },
  ]
}

function declineShipmentWeight(terms: ProductTerms, parcels: readonly Parcel[]): Decline | undefined {
  const unitGrams = (parcel: Parcel): number => terms.documentGrams ?? parcel.weightGrams
  const grams = parcels.reduce((sum, parcel) => sum + unitGrams(parcel) * parcel.count, 0)
  if (terms.maxShipmentGrams === undefined || grams <= terms.maxShipmentGrams) return undefined
  const [limit, actual] = [formatKilograms(terms.maxShipmentGrams), formatKilograms(grams)]
  const message = `The shipment weighs ${actual} kg; the limit is ${limit} kg`
  return { code: 'OVER_WEIGHT', message, limit, actual }
}

function declineValue(maxInsuredCents: number, { insuredValueCents }: RatesRequest): Decline | undefined {
  if (insuredValueCents === undefined || insuredValueCents <= maxInsuredCents) return undefined
  const [limit, actual] = [formatCents(maxInsuredCents), formatCents(insuredValueCents)]
  const message = `The value is EUR ${actual}; it can be insured up to EUR ${limit}`
  return { code: 'VALUE_NOT_INSURABLE', message, limit, actual }
}
