/**
 * The freight of a shipment, before any surcharge: weight bands, pallet classes, rates per 100 kg.
 * Source: the four pricing bases of rate-card.ts.
 */
import { mulDivHalfUp } from '../../money.ts'
import type { Bands, ZonePrices } from '../book/price-table.ts'
import type { PalletClassRow } from '../rate-card.ts'
import type { Parcel } from '../request.ts'

/** The first band that reaches up to `grams` (inclusive), or undefined above the last one. */
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

/** The weight above which a band begins, in grams. */
export function startOfBand({ upToGrams }: Bands, band: number): number {
  return band === 0 ? 0 : upToGrams[band - 1]!
}

/** The heaviest weight a zone prices, in grams; 0 where it has no bands. */
export function heaviestGrams({ bands }: ZonePrices): number {
  return bands.upToGrams.at(-1) ?? 0
}

/** What a band charges for a weight: its price and its begun steps, or its rate per 100 kg. Cents. */
export function priceInBand(
  { bands, cells, stepCells, at }: ZonePrices,
  band: number,
  grams: number,
): number {
  const price = cells[at + band]!
  if (bands.isPer100Kg[band] === 1) return per100Kg(price, grams)
  const stepGrams = bands.stepGrams?.[band] ?? 0
  if (stepGrams === 0) return price
  return price + Math.ceil((grams - startOfBand(bands, band)) / stepGrams) * stepCells![at + band]!
}

/** The price of a weight, in cents; undefined above the last band. */
export function priceByBand(zone: ZonePrices, grams: number): number | undefined {
  const band = bandOf(zone.bands, grams)
  return band === undefined ? undefined : priceInBand(zone, band, grams)
}

/**
 * The price of a weight at a rate per 100 kg, in cents; undefined above the last band. Where the next band's
 * least weight at its lower rate comes cheaper, that is billed (deficit weight).
 */
export function pricePer100Kg(zone: ZonePrices, grams: number): number | undefined {
  const band = bandOf(zone.bands, grams)
  if (band === undefined) return undefined
  const own = priceInBand(zone, band, grams)
  return Math.min(own, deficitPrice(zone, band) ?? own)
}

/** What the least weight of the next band costs at its rate; undefined unless both bands are rates per 100 kg. */
export function deficitPrice({ bands, cells, at }: ZonePrices, band: number): number | undefined {
  if (bands.isPer100Kg[band] !== 1 || bands.isPer100Kg[band + 1] !== 1) return undefined
  return per100Kg(cells[at + band + 1]!, bands.upToGrams[band]!)
}

function per100Kg(rateCents: number, grams: number): number {
  return mulDivHalfUp(rateCents, grams, 100_000)
}

/** The smallest pallet class that holds a pallet, either way round; rows come smallest first. */
export function palletClassOf(
  classes: readonly PalletClassRow[],
  pallet: Parcel,
): PalletClassRow | undefined {
  return classes.find((row) => pallet.weightGrams <= row.maxGrams && holdsSize(row, pallet))
}

/** True when a pallet class holds a pallet's footprint, either way round, and its height. */
export function holdsSize(row: PalletClassRow, { lengthCm, widthCm, heightCm }: Parcel): boolean {
  return (
    Math.max(lengthCm, widthCm) <= row.longSideCm &&
    Math.min(lengthCm, widthCm) <= row.shortSideCm &&
    heightCm <= row.maxHeightCm
  )
}
