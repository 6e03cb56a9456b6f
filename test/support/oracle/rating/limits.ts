/**
 * Oracle for the limits of a product, in the order in which src/core/rating/book/limits.ts checks them.
 */
import type { InsuranceRow, ProductTerms } from '../../../../src/core/rating/rate-card.ts'
import type { RatesRequest } from '../../../../src/core/rating/request.ts'
import { compare, type Fraction, fraction, plus, sum, times } from '../customs/fraction.ts'
import { actualGrams, inches, inUnits } from './freight.ts'
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
  const exceedsFraction = (limit: number | undefined, actual: Fraction): boolean =>
    limit !== undefined && compare(actual, fraction(limit)) > 0
  if (parcels.some((unit) => exceedsFraction(terms.maxUnitGrams, inUnits(terms, unit.weightGrams))))
    return 'OVER_WEIGHT'
  if (parcelType !== 'DOC') {
    const length = (side: number): Fraction =>
      terms.units === undefined ? fraction(side) : inches(terms, side)
    const oversize = parcels.some((unit) => {
      const [longest, second, third] = oracleSides(unit, parcelType === 'PALLET').map(length)
      const girth = times(plus(second!, third!), fraction(2))
      return (
        exceedsFraction(terms.maxLengthCm, longest!) ||
        exceedsFraction(terms.maxWidthCm, second!) ||
        exceedsFraction(terms.maxHeightCm, third!) ||
        exceedsFraction(terms.maxLengthPlusGirthCm, plus(longest!, girth))
      )
    })
    if (oversize) return 'OVER_SIZE'
  }
  const weights = parcels.map((unit) => times(inUnits(terms, actualGrams(terms, unit)), fraction(unit.count)))
  if (exceedsFraction(terms.maxShipmentGrams, sum(weights))) return 'OVER_WEIGHT'
  const units = parcels.reduce((total, { count }) => total + count, 0)
  if (exceeds(terms.maxUnits, units)) return 'TOO_MANY_UNITS'
  if (request.insuredValueCents !== undefined) {
    if (insurance === undefined) return 'VALUE_NOT_INSURABLE'
    if (exceeds(terms.maxInsuredCents, request.insuredValueCents)) return 'VALUE_NOT_INSURABLE'
    if (exceeds(insurance.maxValueCents, request.insuredValueCents)) return 'VALUE_NOT_INSURABLE'
  }
  return undefined
}
