/**
 * The freight of a shipment, before any surcharge: weight bands, pallet classes, rates per 100 kg.
 * Source: the four pricing bases of rate-card.ts.
 */
import { mulDivHalfUp } from '../money.ts'
import type { PalletClassRow, PriceRow } from './rate-card.ts'
import type { Parcel } from './request.ts'

/** Weight bands of a product in a zone, ascending. Upper bounds are inclusive; money in cents. */
export type WeightBands = {
  readonly overGrams: Int32Array
  readonly upToGrams: Int32Array
  readonly priceCents: Int32Array
  /** 0 where the band has one price. */
  readonly stepGrams: Int32Array
  readonly stepCents: Int32Array
}

/** Compiles the bands of one product and zone. */
export function compileBands(rows: readonly PriceRow[]): WeightBands {
  const bands = [...rows].sort((a, b) => a.upToGrams - b.upToGrams)
  const column = (value: (row: PriceRow) => number): Int32Array => Int32Array.from(bands, value)
  return {
    overGrams: column((row) => row.overGrams),
    upToGrams: column((row) => row.upToGrams),
    priceCents: column((row) => row.priceCents),
    stepGrams: column((row) => row.stepGrams ?? 0),
    stepCents: column((row) => row.stepCents ?? 0),
  }
}

/** The first band that reaches up to `grams` (inclusive), or undefined above the last one. */
function bandOf(bands: WeightBands, grams: number): number | undefined {
  let low = 0
  let high = bands.upToGrams.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (bands.upToGrams[middle]! < grams) low = middle + 1
    else high = middle
  }
  return low < bands.upToGrams.length ? low : undefined
}

/** The heaviest weight the bands price, in grams; 0 when there are none. */
export function heaviestGrams(bands: WeightBands): number {
  return bands.upToGrams.at(-1) ?? 0
}

/** The price of a weight, in cents; undefined above the last band. */
export function priceByBand(bands: WeightBands, grams: number): number | undefined {
  const band = bandOf(bands, grams)
  if (band === undefined) return undefined
  const price = bands.priceCents[band]!
  const stepGrams = bands.stepGrams[band]!
  if (stepGrams === 0) return price
  return price + Math.ceil((grams - bands.overGrams[band]!) / stepGrams) * bands.stepCents[band]!
}

/**
 * The price of a weight at a rate per 100 kg, in cents; undefined above the last band. Where the next band's
 * least weight at its lower rate comes cheaper, that is billed (deficit weight).
 */
export function pricePer100Kg(bands: WeightBands, grams: number): number | undefined {
  const band = bandOf(bands, grams)
  if (band === undefined) return undefined
  const own = per100Kg(bands.priceCents[band]!, grams)
  const next = band + 1
  if (next >= bands.upToGrams.length) return own
  return Math.min(own, per100Kg(bands.priceCents[next]!, bands.overGrams[next]!))
}

function per100Kg(rateCents: number, grams: number): number {
  return mulDivHalfUp(rateCents, grams, 100_000)
}

/** The smallest pallet class that holds a pallet, either way round; rows come smallest first. */
export function palletClassOf(
  classes: readonly PalletClassRow[],
  pallet: Parcel,
): PalletClassRow | undefined {
  const longSide = Math.max(pallet.lengthCm, pallet.widthCm)
  const shortSide = Math.min(pallet.lengthCm, pallet.widthCm)
  return classes.find(
    (row) =>
      longSide <= row.longSideCm &&
      shortSide <= row.shortSideCm &&
      pallet.heightCm <= row.maxHeightCm &&
      pallet.weightGrams <= row.maxGrams,
  )
}
