/**
 * Why a product is not offered before anything is priced, in the order of core/rating/limits.ts, written out anew.
 */
import type { InsuranceRow, ProductTerms } from '../../../../src/core/rating/rate-card.ts'
import type { RatesRequest } from '../../../../src/core/rating/request.ts'
import { oracleSides } from './trigger.ts'

/** The code of the first limit that a request passes, or undefined. */
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
  const past = (limit: number | undefined, actual: number): boolean => limit !== undefined && actual > limit
  if (parcelType !== 'DOC') {
    if (parcels.some((unit) => past(terms.maxUnitGrams, unit.weightGrams))) return 'OVER_WEIGHT'
    const oversize = parcels.some((unit) => {
      const [longest, second, third] = oracleSides(unit, parcelType === 'PALLET')
      return (
        past(terms.maxLengthCm, longest) ||
        past(terms.maxWidthCm, second) ||
        past(terms.maxHeightCm, third) ||
        past(terms.maxLengthPlusGirthCm, longest + 2 * (second + third))
      )
    })
    if (oversize) return 'OVER_SIZE'
  }
  const shipmentGrams = parcels.reduce(
    (sum, { weightGrams, count }) => sum + (terms.documentGrams ?? weightGrams) * count,
    0,
  )
  if (past(terms.maxShipmentGrams, shipmentGrams)) return 'OVER_WEIGHT'
  const units = parcels.reduce((sum, { count }) => sum + count, 0)
  if (past(terms.maxUnits, units)) return 'TOO_MANY_UNITS'
  if (request.insuredValueCents !== undefined) {
    if (insurance === undefined) return 'VALUE_NOT_INSURABLE'
    if (past(terms.maxInsuredCents, request.insuredValueCents)) return 'VALUE_NOT_INSURABLE'
    if (past(insurance.maxValueCents, request.insuredValueCents)) return 'VALUE_NOT_INSURABLE'
  }
  return undefined
}
