/**
 * Freight by freight class: each unit has the rate of its class in the band of the shipment's weight. If the smallest
 * weight of the next band is cheaper, the shipment is billed as that weight; what it lacks (the deficit weight) has the
 * lowest of the rates. Rules: docs/rate-card-files.md#freight-classes.
 */
import { roundHalfUp } from '../../money.ts'
import { sumOfWeights } from '../book/chargeable-weight.ts'
import {
  beyondPriceList,
  type Decline,
  FREIGHT_CLASS_REQUIRED,
  freightClassNotSold,
  NO_FITTING_FREIGHT_CLASS,
} from '../book/limits.ts'
import { gramsOf } from '../book/list-units.ts'
import { type SizeClass, sizeClassOf } from '../book/minimum-weight.ts'
import { freightClassText } from '../request.ts'
import { bandOf, heaviestGrams } from './base-charge.ts'
import { type PricingCase, roundingStep } from './pricing-case.ts'

/** The class of a row. `fitting` is absent if the class is the one that the request states. */
export type RowClass = { readonly name: string; readonly fitting?: SizeClass }

/** A rate per 100 kg, and the weight that it is charged for, in thousandths of the unit of the price list. */
export type RatedWeight = { readonly rateCents: number; readonly grams: number }

export type FreightByClass = {
  readonly cents: number
  /** One for each row of parcels. */
  readonly classes: readonly RowClass[]
  /** The weight of all rows. */
  readonly grams: number
  /** The band whose rates apply, and the band of the weight. They differ if there is a deficit weight. */
  readonly band: number
  readonly ownBand: number
  /** One for each row of parcels. */
  readonly rates: readonly RatedWeight[]
  readonly deficit?: RatedWeight
}

/** A decline if the class of a unit is not known, or if the price list does not cover all parcels. */
export function freightByClass(pricing: PricingCase): FreightByClass | Decline {
  const { product, zone, chargeable } = pricing
  const classes: RowClass[] = []
  for (let row = 0; row < chargeable.length; row++) {
    const found = classOfRow(pricing, row)
    if ('code' in found) return found
    if (!zone.classAt.has(found.name)) return freightClassNotSold(found.name)
    classes.push(found)
  }
  const grams = sumOfWeights(chargeable)
  const ownBand = bandOf(zone.bands, grams)
  const { units, deficitWeight } = product.terms
  if (ownBand === undefined)
    return beyondPriceList(gramsOf(heaviestGrams(zone), units), gramsOf(grams, units))
  const own = chargeIn(pricing, classes, ownBand, grams)
  const next =
    deficitWeight === 'no' || ownBand + 1 === zone.bands.upToGrams.length
      ? undefined
      : chargeIn(pricing, classes, ownBand + 1, zone.bands.upToGrams[ownBand]!)
  const charge = next !== undefined && next.cents < own.cents ? next : own
  return { ...charge, classes, grams, ownBand }
}

function classOfRow({ product, shared, facts }: PricingCase, row: number): RowClass | Decline {
  const parcel = facts.request.parcels[row]!
  const { freightClassTenths } = parcel
  const { sizeClasses } = product
  if (sizeClasses.length === 0)
    return freightClassTenths === undefined
      ? FREIGHT_CLASS_REQUIRED
      : { name: freightClassText(freightClassTenths) }
  const fitting = sizeClassOf(sizeClasses, parcel, shared.route.surchargeFacts.shipment)
  if (fitting !== undefined) return { name: fitting.row.sizeClass, fitting }
  const isUnknown = freightClassTenths === undefined
  return isUnknown && sizeClasses.some(({ condition }) => condition.needsFreightClass)
    ? FREIGHT_CLASS_REQUIRED
    : NO_FITTING_FREIGHT_CLASS
}

/** The charge at the rates of a band, billed as `billedGrams`. It is rounded once. */
function chargeIn(
  pricing: PricingCase,
  classes: readonly RowClass[],
  band: number,
  billedGrams: number,
): Pick<FreightByClass, 'cents' | 'band' | 'rates' | 'deficit'> {
  const { zone, chargeable } = pricing
  const rates = chargeable.map(({ chargeableGrams, count }, row): RatedWeight => {
    const rateCents = zone.cells[zone.classAt.get(classes[row]!.name)! + band]!
    return { rateCents, grams: chargeableGrams * count }
  })
  const missing = billedGrams - sumOfWeights(chargeable)
  const lowest = Math.min(...rates.map(({ rateCents }) => rateCents))
  const deficit = missing > 0 ? { rateCents: lowest, grams: missing } : undefined
  let numerator = 0n
  for (const { rateCents, grams } of deficit === undefined ? rates : [...rates, deficit])
    numerator += BigInt(rateCents) * BigInt(grams)
  const step = roundingStep(pricing)
  const cents = roundHalfUp(numerator, 100_000n * BigInt(step)) * step
  return { cents, band, rates, ...(deficit !== undefined && { deficit }) }
}
