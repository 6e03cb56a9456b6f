/**
 * Parcels for each weight at which a price can change: the bounds of weight bands, of discounts and of margins, and the
 * first gram above each. One unit each, so small that its size does not decide its weight; several documents, whose
 * weight is fixed.
 */
import type { ProductGroup } from '../../rating/book/book-card.ts'
import type { BookProduct } from '../../rating/book/book-product.ts'
import { gramsWithin } from '../../rating/book/list-units.ts'
import type { PriceCell } from '../../rating/price-cell.ts'
import { type Parcel, RATES_LIMITS, type RatesRequest, type Recipient } from '../../rating/request.ts'

export type SampleParcel = Pick<RatesRequest, 'parcels' | 'parcelType' | 'recipient'>

export type PricedProduct = { readonly group: ProductGroup; readonly product: BookProduct }

const UNIT: Parcel = { count: 1, weightGrams: 0, lengthCm: 0, widthCm: 0, heightCm: 0, stackable: false }
const PARCEL: Parcel = { ...UNIT, lengthCm: 20, widthCm: 15, heightCm: 5 }
const PALLET: Parcel = { ...UNIT, lengthCm: 120, widthCm: 80, heightCm: 100 }
/** Weights of parcels, and those of pallets. */
export const MAX_WEIGHTS = 400

/** `isComplete` is false if some weights were left out. */
export type SampleParcels = { readonly parcels: readonly SampleParcel[]; readonly isComplete: boolean }

/** `cells` are those of discounts and margins. */
export function sampleParcels(
  products: readonly PricedProduct[],
  cells: readonly PriceCell[],
): SampleParcels {
  const ofType = (type: RatesRequest['parcelType']) =>
    products.filter(({ product }) => product.terms.parcelType === type)
  const [parcels, pallets, documents] = [ofType('NONDOC'), ofType('PALLET'), ofType('DOC')]
  const [parcelWeights, palletWeights] = [weightsOf(parcels, cells), weightsOf(pallets, cells)]
  return {
    parcels: [
      ...unitsFor(
        parcels,
        'NONDOC',
        evenlyChosen(parcelWeights).map((weightGrams) => ({ ...PARCEL, weightGrams })),
      ),
      ...unitsFor(pallets, 'PALLET', [
        ...evenlyChosen(palletWeights).map((weightGrams) => ({ ...PALLET, weightGrams })),
        ...palletsOfClasses(pallets),
      ]),
      ...unitsFor(documents, 'DOC', documentRows(documents)),
    ],
    isComplete: Math.max(parcelWeights.length, palletWeights.length) <= MAX_WEIGHTS,
  }
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
function documentRows(products: readonly PricedProduct[]): Parcel[] {
  const counts = new Set([1])
  for (const { product } of products) {
    const { documentGrams, maxUnits = RATES_LIMITS.totalCount } = product.terms
    for (const grams of weightsOf([{ product }], [])) {
      const count = Math.ceil(grams / (documentGrams ?? grams))
      if (count <= maxUnits) counts.add(count)
    }
  }
  return evenlyChosen([...counts].sort((a, b) => a - b)).map((count) => ({ ...UNIT, count }))
}

/** In ascending order. */
function weightsOf(
  products: readonly Pick<PricedProduct, 'product'>[],
  cells: readonly PriceCell[],
): number[] {
  const bounds = new Set<number>()
  let heaviest = 0
  for (const { product } of products) {
    const bands = new Set(product.zones.flatMap((zone) => zone?.bands ?? []))
    for (const { upToGrams } of bands)
      for (const bound of upToGrams) bounds.add(gramsWithin(bound, product.terms.units))
    heaviest = Math.max(heaviest, product.terms.maxUnitGrams ?? 0, ...bounds)
  }
  for (const { overGrams, upToGrams } of cells) {
    bounds.add(overGrams)
    if (upToGrams !== undefined) bounds.add(upToGrams)
  }
  const weights = new Set([...bounds].flatMap((grams) => [grams, grams + 1]))
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
  return [...new Map(pallets.map((pallet) => [JSON.stringify(pallet), pallet])).values()]
}

function evenlyChosen(weights: readonly number[]): readonly number[] {
  const step = Math.max(1, weights.length / MAX_WEIGHTS)
  return Array.from(
    { length: Math.min(weights.length, MAX_WEIGHTS) },
    (_, index) => weights[Math.floor(index * step)]!,
  )
}
