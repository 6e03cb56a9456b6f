/**
 * Parcels of each size class of a product. Conditions of classes are expressions, so parcels are found by trial: boxes
 * of many shapes and weights are tried, and the first class that each of them fits is noted.
 */
import type { BookProduct } from '../../rating/book/book-product.ts'
import { sizeClassOf } from '../../rating/book/minimum-weight.ts'
import { NO_INPUTS } from '../../rating/book/service-input-facts.ts'
import type { ShipmentFacts } from '../../rating/book/trigger.ts'
import { FREIGHT_CLASS_TENTHS, type Parcel } from '../../rating/request.ts'

/** From the largest to the smallest, because the first parcel of a class is kept. */
const LONGEST_CM = [300, 250, 200, 175, 150, 120, 100, 80, 64, 60, 50, 45, 40, 35, 30, 25, 20, 15, 10]
const SHARES_OF_LONGEST = [1, 0.6, 0.3]
const SHARES_OF_SECOND = [1, 0.5, 0.2, 0.05]
const WEIGHTS = [70_000, 50_000, 40_000, 31_500, 30_000, 25_000, 20_000, 15_000, 10_000, 8_000, 5_000, 3_000]
const LIGHT_WEIGHTS = [2_000, 1_000, 500, 250, 100]

/** Boxes without a weight, at least 1 cm on each side. */
export const BOXES: readonly Parcel[] = LONGEST_CM.flatMap((lengthCm) =>
  SHARES_OF_LONGEST.flatMap((share) => {
    const widthCm = Math.ceil(lengthCm * share)
    return SHARES_OF_SECOND.map((part) => ({
      count: 1,
      weightGrams: 0,
      stackable: false,
      lengthCm,
      widthCm,
      heightCm: Math.ceil(widthCm * part),
    }))
  }),
)

/** Facts for which no condition about the route holds. */
export const SAMPLE_SHIPMENT: ShipmentFacts = {
  domestic: false,
  isPallet: false,
  parcelType: 'NONDOC',
  recipient: 'business',
  fromCountry: '',
  toCountry: '',
  fromArea: 'NORMAL',
  toArea: 'NORMAL',
  fromGroup: undefined,
  toGroup: undefined,
  zone: -1,
  dayOfYear: '01-01',
  day: 0,
  units: 1,
  shipmentGrams: 0,
  valueCents: 0,
  services: [],
  inputs: NO_INPUTS,
}

/** The heaviest, then largest, parcel of each class, and the lightest. `isComplete`: every class has one. */
export function parcelsOfClasses({ sizeClasses, terms }: Pick<BookProduct, 'sizeClasses' | 'terms'>): {
  readonly parcels: readonly Parcel[]
  readonly isComplete: boolean
} {
  const heaviest = new Map<string, Parcel>()
  const lightest = new Map<string, Parcel>()
  const { maxUnitGrams = WEIGHTS[0]! } = terms
  const usesClasses = sizeClasses.some(({ condition }) => condition.needsFreightClass)
  const tried = (weightGrams: number): readonly Parcel[] => [
    ...BOXES.map((box) => ({ ...box, weightGrams })),
    ...(usesClasses ? FREIGHT_CLASS_TENTHS : []).map((freightClassTenths) => ({
      ...BOXES[0]!,
      weightGrams,
      freightClassTenths,
    })),
  ]
  const allowed = [...WEIGHTS, ...LIGHT_WEIGHTS].filter((grams) => grams < maxUnitGrams)
  for (const weightGrams of [maxUnitGrams, ...allowed])
    for (const parcel of tried(weightGrams)) {
      const found = sizeClassOf(sizeClasses, parcel, { ...SAMPLE_SHIPMENT, shipmentGrams: weightGrams })
      if (found === undefined) continue
      const { sizeClass } = found.row
      if (!heaviest.has(sizeClass)) heaviest.set(sizeClass, parcel)
      lightest.set(sizeClass, parcel)
    }
  const parcels = [...heaviest.values(), ...lightest.values()]
  return { parcels, isComplete: sizeClasses.every(({ row }) => heaviest.has(row.sizeClass)) }
}
