/**
 * Lookups that the freight is calculated from: weight bands, rates per 100 kg and pallet classes.
 * Rules: docs/rate-card-files.md#prices and docs/rate-cards.md#rate-per-100-kg.
 */
import { mulDivToStep } from '../../money.ts'
import type { Bands, ZonePrices } from '../book/price-table.ts'
import type { PalletClassRow } from '../rate-card.ts'
import type { Parcel } from '../request.ts'

/** The index of the weight band for `grams`; undefined above the last band. Upper bounds are inclusive. */
export function bandOf({ upToGrams }: Bands, grams: number): number | undefined {
  let low = 0
  let high = upToGrams.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (upToGrams[middle]! < grams) low = middle + 1
    else high = middle
  }
  return low < upToGrams.length ? low : undefined
}

/** The lower bound of a band, exclusive, in grams. */
export function startOfBand({ upToGrams }: Bands, band: number): number {
  return band === 0 ? 0 : upToGrams[band - 1]!
}

/** The upper bound of the last weight band, in grams; 0 if the zone has no bands. */
export function heaviestGrams({ bands }: ZonePrices): number {
  return bands.upToGrams.at(-1) ?? 0
}

/**
 * The price of a weight in a band, in cents: the band's price plus its started steps, or its rate per 100 kg. If the
 * price of a step has tenths of a cent, the result is rounded to a multiple of `roundToCents`.
 */
export function priceInBand(
  { bands, cells, stepCells, at }: ZonePrices,
  band: number,
  grams: number,
  roundToCents: number,
): number {
  const price = cells[at + band]!
  if (bands.isPer100Kg[band] === 1) return per100Kg(price, grams, roundToCents)
  const stepGrams = bands.stepGrams?.[band] ?? 0
  if (stepGrams === 0) return price
  const steps = Math.ceil((grams - startOfBand(bands, band)) / stepGrams)
  const stepTenths = stepCells![at + band]!
  const tenths = steps * stepTenths
  if (isOfWholeCents(stepTenths)) return price + tenths / 10
  return mulDivToStep(10 * price + tenths, 1, 10, roundToCents)
}

/** Steps of whole cents are not calculated amounts, so prices with them are not rounded to the step of the card. */
export function isOfWholeCents(stepTenths: number): boolean {
  return stepTenths % 10 === 0
}

/** The price of a weight, in cents; undefined above the last band. */
export function priceByBand(zone: ZonePrices, grams: number, roundToCents: number): number | undefined {
  const band = bandOf(zone.bands, grams)
  return band === undefined ? undefined : priceInBand(zone, band, grams, roundToCents)
}

/**
 * The price of a weight on the basis `per-100kg`, in cents; undefined above the last band. If the smallest weight of
 * the next band is cheaper, its price applies (deficit weight, docs/rate-cards.md#rate-per-100-kg).
 */
export function pricePer100Kg(zone: ZonePrices, grams: number, roundToCents: number): number | undefined {
  const band = bandOf(zone.bands, grams)
  if (band === undefined) return undefined
  const price = priceInBand(zone, band, grams, roundToCents)
  return Math.min(price, deficitPrice(zone, band, roundToCents) ?? price)
}

/** The price of the smallest weight of the next band; undefined unless both bands have rates per 100 kg. */
export function deficitPrice(
  { bands, cells, at }: ZonePrices,
  band: number,
  roundToCents: number,
): number | undefined {
  if (bands.isPer100Kg[band] !== 1 || bands.isPer100Kg[band + 1] !== 1) return undefined
  return per100Kg(cells[at + band + 1]!, bands.upToGrams[band]!, roundToCents)
}

function per100Kg(rateCents: number, grams: number, roundToCents: number): number {
  return mulDivToStep(rateCents, grams, 100_000, roundToCents)
}

/** The smallest class that a pallet fits, in either orientation. `classes` are sorted smallest first. */
export function palletClassOf(
  classes: readonly PalletClassRow[],
  pallet: Parcel,
): PalletClassRow | undefined {
  return classes.find((row) => pallet.weightGrams <= row.maxGrams && holdsSize(row, pallet))
}

/** True if a pallet fits the footprint, in either orientation, and the height of a class. */
export function holdsSize(row: PalletClassRow, { lengthCm, widthCm, heightCm }: Parcel): boolean {
  return (
    Math.max(lengthCm, widthCm) <= row.longSideCm &&
    Math.min(lengthCm, widthCm) <= row.shortSideCm &&
    heightCm <= row.maxHeightCm
  )
}
