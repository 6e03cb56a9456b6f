/** Random products with limits, prices and transit times, for every pricing basis and parcel type. */
import type {
  MinimumWeightRow,
  PalletClassRow,
  PriceRow,
  PricingBasis,
  ProductTerms,
  SizeClassRow,
  TransitRow,
} from '../../../src/core/rating/rate-card.ts'
import type { ParcelType } from '../../../src/core/rating/request.ts'
import { CARD_COUNTRIES } from './places.ts'
import { type Dice, withoutUndefined } from './seeded-dice.ts'

/** The zones of all random charts. */
export const ZONES = [0, 1, 2, 3] as const

/** The fields of a product that are the same in all cards. */
export type ProductIdentity = {
  readonly productId: number
  readonly carrierCode: string
  readonly parcelType: ParcelType
}

const BASES: Readonly<Record<ParcelType, readonly PricingBasis[]>> = {
  NONDOC: ['parcel', 'parcel', 'shipment', 'per-100kg', 'size-class', 'freight-class'],
  DOC: ['parcel', 'shipment'],
  PALLET: ['pallet-class', 'pallet-class', 'per-100kg', 'shipment', 'parcel', 'freight-class'],
}

/** The terms of a product in one card. */
export function randomTerms(
  dice: Dice,
  { productId, carrierCode, parcelType }: ProductIdentity,
  zoneCharts: readonly string[],
  areaLists: readonly string[],
): ProductTerms {
  const isDocument = parcelType === 'DOC'
  const weightStepGrams = dice.pick([100, 500, 1000, 1, 10_000])
  const maybeUnitLimit = <Value>(make: () => Value): Value | undefined =>
    isDocument ? undefined : dice.maybe(0.12, make)
  const pricingBasis = dice.pick(BASES[parcelType])
  const isByShipment = pricingBasis === 'shipment' || pricingBasis === 'per-100kg'
  const units = isDocument ? undefined : dice.maybe(0.15, () => dice.pick(['lb-in', 'oz-in'] as const))
  const isMetric = units === undefined
  const volumetricDivisor = isDocument
    ? undefined
    : dice.maybe(isMetric ? 0.4 : 0.8, () => dice.pick(isMetric ? [3333, 5000, 6000] : [139, 166]))
  const kilogramsPerCubicMetre =
    isDocument || !isMetric ? undefined : dice.maybe(0.25, () => dice.pick([200, 333]))
  const kilogramsPerLoadingMetre =
    parcelType === 'PALLET' && isMetric ? dice.maybe(0.4, () => dice.pick([1750, 1850])) : undefined
  const rules = [volumetricDivisor, kilogramsPerCubicMetre, kilogramsPerLoadingMetre]
  const hasOneRule = rules.filter((rule) => rule !== undefined).length === 1
  const volumetricPer = isByShipment && hasOneRule && dice.chance(0.3) ? 'shipment' : undefined
  const heavyOverGrams = dice.maybe(0.2, () => dice.pick([1, 3, 20]) * weightStepGrams)
  return withoutUndefined({
    productId,
    carrierCode,
    name: `Product ${productId}`,
    serviceLevel: 'economy',
    parcelType,
    pricingBasis,
    zoneChart: dice.pick(zoneCharts),
    areaList: dice.pick(areaLists),
    units,
    sideRounding: units && dice.pick([undefined, 'up', 'half-up'] as const),
    volumetricDivisor,
    kilogramsPerCubicMetre,
    kilogramsPerLoadingMetre,
    volumetricPer,
    weightStepGrams,
    heavyOverGrams,
    heavyStepGrams: heavyOverGrams && dice.pick([1, 250, 2000, 5000]),
    minBilledUnitGrams: volumetricPer ? undefined : dice.maybe(0.15, () => dice.pick([300, 1000, 12_345])),
    shipmentStepGrams: isByShipment ? dice.maybe(0.15, () => dice.pick([500, 1000, 7000])) : undefined,
    deficitWeight:
      pricingBasis === 'per-100kg' || pricingBasis === 'freight-class'
        ? dice.maybe(0.2, () => 'no' as const)
        : undefined,
    minBilledShipmentGrams: isByShipment ? dice.maybe(0.15, () => dice.pick([900, 45_000])) : undefined,
    documentGrams: isDocument ? dice.pick([500, 250, 1000]) : undefined,
    maxUnitGrams: maybeUnitLimit(() => dice.pick([20_000, 31_500, 70_000])),
    maxLengthCm: maybeUnitLimit(() => dice.pick([100, 120, 175])),
    maxWidthCm: maybeUnitLimit(() => dice.pick([60, 80, 100])),
    maxHeightCm: maybeUnitLimit(() => dice.pick([60, 80])),
    maxLengthPlusGirthCm: maybeUnitLimit(() => dice.pick([300, 360])),
    maxShipmentGrams: dice.maybe(0.12, () => dice.pick([2500, 60_000, 100_000])),
    maxUnits: dice.maybe(0.12, () => dice.int(1, 5)),
    scope: dice.pick(['any', 'any', 'any', 'any', 'any', 'any', 'domestic', 'international'] as const),
    fromCountries: dice.maybe(0.1, () => dice.some(CARD_COUNTRIES, 2, 6)),
    recipient: dice.pick(['any', 'any', 'any', 'any', 'any', 'any', 'individual', 'business'] as const),
    maxInsuredCents: dice.maybe(0.4, () => dice.pick([50_000, 100_000, 500_000])),
    pickupDays: dice.maybe(0.3, () => dice.pick([[1, 2, 3, 4, 5], [1, 3, 5], [6]])),
    cutOffMinutes: dice.maybe(0.3, () => dice.int(0, 1439)),
  })
}

/** Size classes of a carrier, smallest first. All have the form that the oracle reads. */
export function randomSizeClasses(dice: Dice, carrierCode: string): readonly SizeClassRow[] {
  const all = [
    { sizeClass: 'S', condition: 'sum <= 60 cm and kg <= 2' },
    { sizeClass: 'M', condition: 'sum <= 90 cm and kg <= 10' },
    { sizeClass: 'L', condition: 'sum <= 140 cm and kg <= 20' },
    { sizeClass: 'L', condition: 'sum <= 35 in and kg <= 60' },
    { sizeClass: 'XL', condition: 'sum <= 400 cm and kg <= 100' },
  ]
  const others = [
    { sizeClass: 'F', condition: 'freight_class between 60 and 125' },
    { sizeClass: 'D', condition: 'density >= 250 kg_per_m3' },
    { sizeClass: 'D', condition: 'density >= 10 lb_per_ft3' },
    { sizeClass: 'E', condition: 'density < 160 kg_per_m3' },
  ]
  const bySize = dice.some(all, 2, all.length)
  const byGoods = dice.chance(0.4) ? dice.some(others, 1, others.length) : []
  return (dice.chance(0.5) ? [...byGoods, ...bySize] : [...bySize, ...byGoods]).map((row) => ({
    ...{ ...row, carrierCode },
  }))
}

/** Smallest weights of products without totals of shipments. All have the form that the oracle reads. */
export function randomMinimumWeights(
  dice: Dice,
  products: readonly ProductTerms[],
): readonly MinimumWeightRow[] {
  const weighed = products.filter(({ volumetricPer }) => volumetricPer === undefined)
  return weighed
    .filter(() => dice.chance(0.2))
    .flatMap(({ carrierCode, productId }) => {
      const rows = dice.some(['longest > 80 cm', 'longest > 40 in', 'longest > 99 cm'], 1, 3)
      return rows.map((condition, at) => ({
        ...{ carrierCode, products: [productId], name: `Large ${at}`, condition },
        weight: dice.pick(['4 kg', '20 lb', '0.7 * kg', '12.345']),
      }))
    })
}

/** Pallet classes of a carrier. Two rows can have the same name, with more spaces for the larger one. */
export function randomPalletClasses(dice: Dice, carrierCode: string): readonly PalletClassRow[] {
  const all: readonly Omit<PalletClassRow, 'carrierCode'>[] = [
    { palletClass: 'MINI', longSideCm: 120, shortSideCm: 80, maxHeightCm: 80, maxGrams: 150_000, spaces: 1 },
    {
      palletClass: 'QUARTER',
      longSideCm: 120,
      shortSideCm: 100,
      maxHeightCm: 80,
      maxGrams: 300_000,
      spaces: 1,
    },
    {
      palletClass: 'HALF',
      longSideCm: 120,
      shortSideCm: 100,
      maxHeightCm: 120,
      maxGrams: 600_000,
      spaces: 1,
    },
    {
      palletClass: 'HEAVY',
      longSideCm: 120,
      shortSideCm: 100,
      maxHeightCm: 120,
      maxGrams: 900_000,
      spaces: 1,
    },
    {
      palletClass: 'FULL',
      longSideCm: 120,
      shortSideCm: 120,
      maxHeightCm: 220,
      maxGrams: 900_000,
      spaces: 1,
    },
    {
      palletClass: 'FULL',
      longSideCm: 240,
      shortSideCm: 120,
      maxHeightCm: 220,
      maxGrams: 900_000,
      spaces: 2,
    },
  ]
  const shuffled = dice.chance(0.5) ? [...all].reverse() : all
  return dice.some(shuffled, 2, all.length).map((row) => ({ ...row, carrierCode }))
}

/** The prices of a product in most zones: weight bands without gaps, or prices of most pallet classes. */
export function randomPrices(
  dice: Dice,
  { productId, carrierCode, pricingBasis, minBilledUnitGrams = 0, minBilledShipmentGrams = 0 }: ProductTerms,
  palletClasses: readonly PalletClassRow[],
  sizeClasses: readonly SizeClassRow[],
): readonly PriceRow[] {
  const least = Math.max(minBilledUnitGrams, minBilledShipmentGrams)
  const zones = dice.chance(0.7) ? ZONES : dice.some(ZONES, 2, ZONES.length)
  const isOfCarrier = (row: { readonly carrierCode: string }): boolean => row.carrierCode === carrierCode
  const isBySize = pricingBasis === 'size-class'
  const isByFreightClass = pricingBasis === 'freight-class'
  const names = isBySize
    ? sizeClasses.filter(isOfCarrier).map(({ sizeClass }) => sizeClass)
    : palletClasses.filter(isOfCarrier).map(({ palletClass }) => palletClass)
  const classes = [...new Set(names)]
  if (isByFreightClass) {
    const tabled = sizeClasses.filter(isOfCarrier).map(({ sizeClass }) => sizeClass)
    const known = [...new Set(tabled.length > 0 ? tabled : ['50', '77.5', '100', '300'])]
    return zones.flatMap((zone) => randomClassRates(dice, productId, zone, known, least))
  }
  if (pricingBasis !== 'pallet-class' && !isBySize)
    return zones.flatMap((zone) => randomBands(dice, productId, zone, pricingBasis, least))
  const sold = dice.chance(0.25) ? dice.some(classes, 1, classes.length) : classes
  return zones.flatMap((zone) =>
    sold.map((palletClass) => ({
      productId,
      zone,
      unit: isBySize ? ('SIZE' as const) : ('PALLET' as const),
      palletClass,
      overGrams: 0,
      upToGrams: 0,
      priceCents: dice.int(1000, 20_000),
    })),
  )
}

/** The rates of most classes, which have the same bands. They reach at least `least` grams. */
function randomClassRates(
  dice: Dice,
  productId: number,
  zone: number,
  known: readonly string[],
  least: number,
): readonly PriceRow[] {
  const bounds = dice.some([5_000, 20_500, 100_000, 250_000, 1_000_000], 1, 4)
  if (dice.chance(0.6) || bounds.at(-1)! < least) bounds.push(9_000_000)
  return dice.some(known, Math.min(2, known.length), known.length).flatMap((palletClass) =>
    bounds.map((upToGrams, index) => ({
      ...{ productId, zone, unit: 'CLASS' as const, palletClass },
      ...{ overGrams: bounds[index - 1] ?? 0, upToGrams, priceCents: dice.int(900, 30_000) },
    })),
  )
}

/** The bands reach at least `least` grams. */
function randomBands(
  dice: Dice,
  productId: number,
  zone: number,
  basis: PricingBasis,
  least: number,
): readonly PriceRow[] {
  const bounds = dice.some([500, 1000, 2000, 5000, 10_000, 20_500, 31_500, 100_000, 250_000, 1_000_000], 1, 5)
  if (dice.chance(0.6) || bounds.at(-1)! < least) bounds.push(9_000_000)
  const rateShare = basis === 'per-100kg' ? dice.pick([1, 1, 0.6]) : dice.pick([0, 0, 0.4, 1])
  const rated = rateShare === 0 ? -1 : dice.int(0, bounds.length - 1)
  return bounds.map((upToGrams, index): PriceRow => {
    const overGrams = bounds[index - 1] ?? 0
    const band = { productId, zone, overGrams, upToGrams }
    if (index === rated || dice.chance(rateShare))
      return { ...band, unit: 'PER100KG', priceCents: dice.int(900, 30_000) }
    const kilogramPrice = { ...band, unit: 'KG' as const, priceCents: dice.int(300, 9000) }
    return dice.chance(index === bounds.length - 1 ? 0.5 : 0.15)
      ? {
          ...kilogramPrice,
          ...{ stepGrams: dice.pick([500, 1000, 5000]), stepCents: dice.int(0, 400) },
          ...(dice.chance(0.3) && { stepTenths: dice.int(1, 9) }),
        }
      : kilogramPrice
  })
}

/** The transit time of a product in every zone with prices. */
export function randomTransit(
  dice: Dice,
  prices: readonly PriceRow[],
  productId: number,
): readonly TransitRow[] {
  const zones = new Set(prices.filter((row) => row.productId === productId).map(({ zone }) => zone))
  return [...zones].map((zone) => {
    const minDays = dice.int(0, 5)
    return { productId, zone, minDays, maxDays: minDays + dice.int(0, 4) }
  })
}
