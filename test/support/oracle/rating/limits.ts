/**
 * Oracle for the limits of a product, in the order in which src/core/rating/book/limits.ts checks them.
 */
import type { InsuranceRow, ProductTerms } from '../../../../src/core/rating/rate-card.ts'
import type { RatesRequest } from '../../../../src/core/rating/request.ts'
import { oracleSides } from './trigger.ts'

/** The decline code of the first limit that a request exceeds; undefined if there is none. */
export function oracleLimit(
  terms: ProductTerms,
  insurance: InsuranceRow | undefined,
  request: RatesRequest,
): string | undefined {
  const { parcels, parcelType, recipient } = request
  const domestic = request.from.country === request.to.country
  if (terms.parcelType !== parcelType) return 'TYPE_NOT_CARRIED'
  if (terms.scope === 'domestic' && !domestic) return 'ROUTE_NOT_SERVED'
  if (terms.scope === 'international' && domestic) return 'ROUTE_NOT_SERVED'
  if (terms.fromCountries !== undefined && !terms.fromCountries.includes(request.from.country))
    return 'ROUTE_NOT_SERVED'
  if (terms.recipient !== 'any' && terms.recipient !== recipient) return 'RECIPIENT_NOT_SERVED'
  const exceeds = (limit: number | undefined, actual: number): boolean =>
    limit !== undefined && actual > limit
  if (parcelType !== 'DOC') {
    if (parcels.some((unit) => exceeds(terms.maxUnitGrams, unit.weightGrams))) return 'OVER_WEIGHT'
    const oversize = parcels.some((unit) => {
      const [longest, second, third] = oracleSides(unit, parcelType === 'PALLET')
      return (
        exceeds(terms.maxLengthCm, longest) ||
        exceeds(terms.maxWidthCm, second) ||
        exceeds(terms.maxHeightCm, third) ||
        exceeds(terms.maxLengthPlusGirthCm, longest + 2 * (second + third))
      )
    })
    if (oversize) return 'OVER_SIZE'
  }
  const shipmentGrams = parcels.reduce(
    (sum, { weightGrams, count }) => sum + (terms.documentGrams ?? weightGrams) * count,
    0,
  )
  if (exceeds(terms.maxShipmentGrams, shipmentGrams)) return 'OVER_WEIGHT'
  const units = parcels.reduce((sum, { count }) => sum + count, 0)
  if (exceeds(terms.maxUnits, units)) return 'TOO_MANY_UNITS'
  if (request.insuredValueCents !== undefined) {
    if (insurance === undefined) return 'VALUE_NOT_INSURABLE'
    if (exceeds(terms.maxInsuredCents, request.insuredValueCents)) return 'VALUE_NOT_INSURABLE'
    if (exceeds(insurance.maxValueCents, request.insuredValueCents)) return 'VALUE_NOT_INSURABLE'
  }
  return undefined
}
