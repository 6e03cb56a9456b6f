/**
 * Parcels for each weight at which a price can change: the bounds of weight bands, of discounts and of margins, and the
 * first gram above each. One unit each, so small that its size does not decide its weight; several units if one must
 * not be that heavy; several documents; parcels of each size class and freight class; and some of the parcels with each
 * service and with insured values.
 */
import { groupBy } from '../../group-by.ts'
import type { ProductGroup } from '../../rating/book/book-card.ts'
import type { BookProduct } from '../../rating/book/book-product.ts'
import { gramsWithin } from '../../rating/book/list-units.ts'
import { sizeClassOf } from '../../rating/book/minimum-weight.ts'
import type { PriceCell } from '../../rating/price-cell.ts'
import {
  FREIGHT_CLASS_TENTHS,
  freightClassText,
  type Parcel,
  RATES_LIMITS,
  type RatesRequest,
  type Recipient,
} from '../../rating/request.ts'
import { evenlyChosen } from './evenly-chosen.ts'
import { type SampleServices, sampleServices } from './sample-services.ts'
import { parcelsOfClasses, SAMPLE_SHIPMENT } from './size-class-parcels.ts'

export type SampleParcel = Pick<
  RatesRequest,
  'parcels' | 'parcelType' | 'recipient' | 'services' | 'serviceInputs' | 'insuredValueCents'
>

export type PricedProduct = { readonly group: ProductGroup; readonly product: BookProduct }

const UNIT: Parcel = { count: 1, weightGrams: 0, lengthCm: 0, widthCm: 0, heightCm: 0, stackable: false }
/** A class for the products that need one. */
const GOODS: Parcel = { ...UNIT, freightClassTenths: 1000 }
const PARCEL: Parcel = { ...GOODS, lengthCm: 20, widthCm: 15, heightCm: 5 }
/** For weights below `LIGHT_GRAMS`. */
const LIGHT_PARCEL: Parcel = { ...GOODS, lengthCm: 10, widthCm: 8, heightCm: 2 }
const LIGHT_GRAMS = 500
const PALLET: Parcel = { ...GOODS, lengthCm: 120, widthCm: 80, heightCm: 100 }
/** By volume and floor place, a pallet of full size is heavier than many bands. */
const SMALL_PALLET: Parcel = { ...GOODS, lengthCm: 10, widthCm: 10, heightCm: 10, stackable: true }
/** Weights of parcels, and those of pallets. */
export const MAX_WEIGHTS = 400

/** `isComplete` is false if some weights or size classes were left out. */
export type SampleParcels = { readonly parcels: readonly SampleParcel[]; readonly isComplete: boolean }

/** Where prices change: at the bounds of `cells`, which are those of discounts and margins, and of weight bands. */
export type SampleBounds = {
  readonly cells: readonly PriceCell[]
  /**
   * True to leave out the weight bands between the lightest and the heaviest weight of each product, for a change of
   * terms. Minimums and amounts change the lowest or the highest prices most.
   */
  readonly onlyCells?: boolean
}

export function sampleParcels(products: readonly PricedProduct[], bounds: SampleBounds): SampleParcels {
  const ofType = (type: RatesRequest['parcelType']) =>
    products.filter(({ product }) => product.terms.parcelType === type)
  const [parcels, pallets, documents] = [ofType('NONDOC'), ofType('PALLET'), ofType('DOC')]
  const weights = [parcels, pallets, documents].map((some) => weightsOf(some, bounds))
  const [parcelWeights, palletWeights, documentWeights] = weights.map(upToMaximum)
  const several = [severalUnits(parcels, bounds, PARCEL), severalUnits(pallets, bounds, SMALL_PALLET)]
  const [severalParcels, severalPallets] = several.map(upToMaximum)
  const ofClasses = parcelsOfAllClasses(parcels)
  const palletsOfAllClasses = parcelsOfAllClasses(pallets)
  const classed = [unitsOfFreightClasses(parcels, bounds, PARCEL)]
  classed.push(unitsOfFreightClasses(pallets, bounds, SMALL_PALLET))
  const [classedParcels, classedPallets] = classed.map(upToMaximum)
  const plain = [
    ...unitsFor(parcels, 'NONDOC', [
      ...parcelWeights!.map((grams) => ({ ...parcelOf(grams), weightGrams: grams })),
      ...severalParcels!,
      ...upToMaximum(ofClasses.parcels),
      ...classedParcels!,
    ]),
    ...unitsFor(pallets, 'PALLET', [
      ...palletWeights!.flatMap((weightGrams) => [PALLET, SMALL_PALLET].map((p) => ({ ...p, weightGrams }))),
      ...severalPallets!,
      ...palletsOfClasses(pallets),
      ...upToMaximum(palletsOfAllClasses.parcels),
      ...classedPallets!,
    ]),
    ...unitsFor(documents, 'DOC', [
      ...documentRows(documents, bounds),
      ...documentWeights!.map((weightGrams) => ({ ...UNIT, weightGrams })),
    ]),
  ]
  const services = sampleServices(new Set(products.map(({ group }) => group)))
  return {
    parcels: [...plain, ...withExtras(plain, services.sets, insuredValues(products))],
    isComplete:
      services.isComplete &&
      ofClasses.isComplete &&
      palletsOfAllClasses.isComplete &&
      [...weights, ...several, ...classed, ofClasses.parcels].every(({ length }) => length <= MAX_WEIGHTS),
  }
}

/** The parcels of each type that have services and insurance. Their prices depend on the weight in few lists. */
const PARCELS_WITH_EXTRAS = 3
/** Insured values. */
const MAX_VALUES = 40

/** A light, a medium and a heavy parcel of each type, with each service and for each bound of a premium. */
function withExtras(
  plain: readonly SampleParcel[],
  services: readonly SampleServices[],
  values: readonly number[],
): SampleParcel[] {
  if (services.length === 0 && values.length === 0) return []
  return [...groupBy(plain, ({ parcelType, recipient }) => `${parcelType} ${recipient}`).values()].flatMap(
    (some) => {
      const byWeight = some.toSorted((a, b) => a.parcels[0]!.weightGrams - b.parcels[0]!.weightGrams)
      const chosen = Array.from({ length: PARCELS_WITH_EXTRAS }, (_, at) => {
        return byWeight[Math.floor(((at + 0.5) * byWeight.length) / PARCELS_WITH_EXTRAS)]!
      })
      return [...new Set(chosen)].flatMap((parcel) => [
        ...services
          .filter(({ parcelTypes }) => parcelTypes.has(parcel.parcelType))
          .map((set) => ({ ...parcel, ...set.chosen })),
        ...values.map((insuredValueCents) => ({ ...parcel, insuredValueCents })),
      ])
    },
  )
}

/** The first value above the free cover, the ends of the bands, and the highest value; in the amounts of the cards. */
function insuredValues(products: readonly PricedProduct[]): readonly number[] {
  const terms = new Set(products.flatMap(({ group }) => group.carrier.insurance ?? []))
  const values = [...terms].flatMap(({ freeCoverCents, maxValueCents, bands }) => [
    ...[freeCoverCents + 1, maxValueCents],
    ...bands.map(({ upToCents }) => upToCents),
  ])
  const distinct = [...new Set(values)].sort((a, b) => a - b)
  const step = Math.max(1, distinct.length / MAX_VALUES)
  return distinct.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

function parcelOf(grams: number): Parcel {
  return grams < LIGHT_GRAMS ? LIGHT_PARCEL : PARCEL
}

/**
 * Units for the weights of shipments that are heavier than one unit may be: as few as possible, of equal weights that
 * are not rounded up, and the next heavier ones.
 */
function severalUnits(
  products: readonly PricedProduct[],
  bounds: SampleBounds,
  unit: Parcel,
): readonly Parcel[] {
  const found: Parcel[] = []
  for (const { product } of products) {
    const { pricingBasis, maxUnitGrams, maxUnits = RATES_LIMITS.totalCount, units } = product.terms
    if (maxUnitGrams === undefined || (pricingBasis !== 'shipment' && pricingBasis !== 'per-100kg')) continue
    for (const grams of weightsOf([{ product }], bounds)) {
      const count = Math.ceil(grams / maxUnitGrams)
      if (count < 2 || count > maxUnits) continue
      const { weightStepGrams, heavyOverGrams = grams, heavyStepGrams = weightStepGrams } = product.terms
      const isHeavy = grams / count > gramsWithin(heavyOverGrams, units)
      const step = Math.max(1, gramsWithin(isHeavy ? heavyStepGrams : weightStepGrams, units))
      const lighter = Math.floor(grams / count / step) * step
      for (const weightGrams of [lighter, lighter + step])
        if (weightGrams > 0 && weightGrams <= maxUnitGrams) found.push({ ...unit, count, weightGrams })
    }
  }
  return distinct(found).sort((a, b) => a.count * a.weightGrams - b.count * b.weightGrams)
}

/** Units of each freight class that a request can state and a product rates on its own, for each weight. */
function unitsOfFreightClasses(
  products: readonly PricedProduct[],
  bounds: SampleBounds,
  unit: Parcel,
): readonly Parcel[] {
  const priced = products.filter(({ product }) => product.terms.pricingBasis === 'freight-class')
  const found = priced.flatMap(({ product }) => {
    const classes = statedClassesOf(product, unit)
    return weightsOf([{ product }], bounds).flatMap((weightGrams) =>
      classes.map((freightClassTenths) => ({ ...unit, weightGrams, freightClassTenths })),
    )
  })
  return distinct(found)
}

/** One class for each that a product rates on its own, in tenths. */
function statedClassesOf({ sizeClasses, zones }: BookProduct, unit: Parcel): readonly number[] {
  if (sizeClasses.length === 0)
    return FREIGHT_CLASS_TENTHS.filter((tenths) =>
      zones.some((zone) => zone?.classAt.has(freightClassText(tenths))),
    )
  const rated = new Map<string, number>()
  for (const freightClassTenths of FREIGHT_CLASS_TENTHS) {
    const fitting = sizeClassOf(sizeClasses, { ...unit, freightClassTenths }, SAMPLE_SHIPMENT)
    if (fitting !== undefined) rated.set(fitting.row.sizeClass, freightClassTenths)
  }
  return [...rated.values()]
}

/** Products of a carrier have their classes in common. */
function parcelsOfAllClasses(products: readonly PricedProduct[]): ReturnType<typeof parcelsOfClasses> {
  const priced = products.filter(({ product }) => product.sizeClasses.length > 0)
  const byClasses = new Map(priced.map(({ product }) => [classesText(product), product]))
  const found = [...byClasses.values()].map(parcelsOfClasses)
  return {
    parcels: found.flatMap(({ parcels }) => parcels),
    isComplete: found.every(({ isComplete }) => isComplete),
  }
}

function classesText({ sizeClasses, terms: { units, sideRounding, maxUnitGrams } }: BookProduct): string {
  const classes = sizeClasses.map(({ row }) => [row.sizeClass, row.condition])
  return JSON.stringify([units, sideRounding, maxUnitGrams, classes])
}

/** Each unit for the recipients that products are for: a business, unless all are for individuals. */
function unitsFor(
  products: readonly PricedProduct[],
  parcelType: RatesRequest['parcelType'],
  units: readonly Parcel[],
): SampleParcel[] {
  const recipients = new Set<Recipient>(
    products.map(({ product }) => (product.terms.recipient === 'individual' ? 'individual' : 'business')),
  )
  return [...recipients].flatMap((recipient) =>
    units.map((unit) => ({ parcelType, parcels: [unit], recipient })),
  )
}

/** One document, and as many as the weight bands of a product end and begin with. */
function documentRows(products: readonly PricedProduct[], { onlyCells = false }: SampleBounds): Parcel[] {
  const counts = new Set([1])
  for (const { product } of products) {
    const { documentGrams, maxUnits = RATES_LIMITS.totalCount } = product.terms
    for (const grams of weightsOf([{ product }], { cells: [], onlyCells })) {
      const count = Math.ceil(grams / (documentGrams ?? grams))
      if (count <= maxUnits) counts.add(count)
    }
  }
  return upToMaximum([...counts].sort((a, b) => a - b)).map((count) => ({ ...UNIT, count }))
}

/** In ascending order. */
function weightsOf(
  products: readonly Pick<PricedProduct, 'product'>[],
  { cells, onlyCells = false }: SampleBounds,
): number[] {
  const ofBands = new Set<number>()
  const ends = new Set<number>()
  const steps = new Set<number>()
  let heaviest = 0
  for (const { product } of products) {
    const bands = new Set(product.zones.flatMap((zone) => zone?.bands ?? []))
    const { units, weightStepGrams } = product.terms
    for (const { upToGrams } of bands)
      for (const bound of upToGrams) {
        ofBands.add(gramsWithin(bound, units))
        // A bound between two steps is rounded up to the next band.
        steps.add(gramsWithin(bound - (bound % weightStepGrams), units))
      }
    for (const { upToGrams } of bands)
      for (const last of upToGrams.slice(-1)) ends.add(gramsWithin(last, units))
    ends.add(Math.max(1, gramsWithin(weightStepGrams, units)))
    heaviest = Math.max(heaviest, product.terms.maxUnitGrams ?? 0)
  }
  for (const bound of ofBands) heaviest = Math.max(heaviest, bound)
  const bounds = onlyCells ? ends : ofBands
  for (const { overGrams, upToGrams } of cells) {
    bounds.add(overGrams)
    if (upToGrams !== undefined) bounds.add(upToGrams)
  }
  const exact = onlyCells ? [] : steps
  const weights = new Set([...[...bounds].flatMap((grams) => [grams, grams + 1]), ...exact])
  return [...weights].filter((grams) => grams > 0 && grams <= heaviest).sort((a, b) => a - b)
}

function palletsOfClasses(products: readonly PricedProduct[]): Parcel[] {
  const carriers = new Set(products.map(({ group }) => group.carrier))
  const pallets = [...carriers].flatMap(({ palletClasses }) =>
    palletClasses.map(({ longSideCm, shortSideCm, maxHeightCm, maxGrams }) => ({
      ...UNIT,
      lengthCm: longSideCm,
      widthCm: shortSideCm,
      heightCm: maxHeightCm,
      weightGrams: maxGrams,
    })),
  )
  return distinct(pallets)
}

function distinct(units: readonly Parcel[]): Parcel[] {
  return [...new Map(units.map((unit) => [JSON.stringify(unit), unit])).values()]
}

function upToMaximum<Value>(values: readonly Value[]): readonly Value[] {
  return evenlyChosen(values, MAX_WEIGHTS)
}
