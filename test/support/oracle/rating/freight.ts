/**
 * Oracle for chargeable weight and freight: searches all price rows and calculates with exact integers.
 * Rules: docs/rate-cards.md#chargeable-weight and #rate-per-100-kg; docs/rate-card-files.md#pallet-classes.
 */
import type { PriceRow, ProductTerms, RateCardContent } from '../../../../src/core/rating/rate-card.ts'
import type { Parcel } from '../../../../src/core/rating/request.ts'

/** The weights of one unit. */
export type OracleWeight = {
  readonly actualGrams: number
  readonly volumetricGrams: number
  readonly chargeableGrams: number
}

/** `numerator / denominator`, rounded half up (towards +∞ at exactly one half). */
export function halfUp(numerator: bigint, denominator: bigint): number {
  return Number(floorDiv(2n * numerator + denominator, 2n * denominator))
}

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient
}

const ceilDiv = (a: bigint, b: bigint): bigint => -floorDiv(-a, b)

/** Volumetric weights are rounded up to the gram, the chargeable weight to the step of the product for that weight. */
export function oracleWeight(terms: ProductTerms, unit: Parcel): OracleWeight {
  const { heavyOverGrams, heavyStepGrams, minBilledUnitGrams = 0 } = terms
  const upToStep = (grams: number): number => {
    const heavy = heavyOverGrams !== undefined && grams > heavyOverGrams
    const rounded = roundUp(grams, heavy ? heavyStepGrams! : terms.weightStepGrams)
    return rounded < minBilledUnitGrams ? minBilledUnitGrams : rounded
  }
  if (terms.documentGrams !== undefined)
    return {
      actualGrams: terms.documentGrams,
      volumetricGrams: 0,
      chargeableGrams: upToStep(terms.documentGrams),
    }
  const floor = BigInt(unit.lengthCm) * BigInt(unit.widthCm)
  const volume = floor * BigInt(unit.heightCm)
  const grams = [0n]
  if (terms.volumetricDivisor !== undefined)
    grams.push(ceilDiv(volume * 1000n, BigInt(terms.volumetricDivisor)))
  // A cubic metre is a million cubic centimetres, a loading metre 24,000 square centimetres of floor.
  if (terms.kilogramsPerCubicMetre !== undefined)
    grams.push(ceilDiv(volume * BigInt(terms.kilogramsPerCubicMetre) * 1000n, 1_000_000n))
  if (terms.kilogramsPerLoadingMetre !== undefined)
    grams.push(
      ceilDiv(floor * BigInt(terms.kilogramsPerLoadingMetre) * 1000n, unit.stackable ? 48_000n : 24_000n),
    )
  const volumetricGrams = Math.max(...grams.map(Number))
  const chargeableGrams = upToStep(Math.max(unit.weightGrams, volumetricGrams))
  return { actualGrams: unit.weightGrams, volumetricGrams, chargeableGrams }
}

function roundUp(grams: number, step: number): number {
  return Number(ceilDiv(BigInt(grams), BigInt(step))) * step
}

/** The weight that a shipment is billed for. */
export function oracleShipmentGrams(terms: ProductTerms, parcels: readonly Parcel[]): number {
  let grams = 0
  for (const unit of parcels) grams += oracleWeight(terms, unit).chargeableGrams * unit.count
  const rounded = roundUp(grams, terms.shipmentStepGrams ?? 1)
  const { minBilledShipmentGrams = rounded } = terms
  return rounded < minBilledShipmentGrams ? minBilledShipmentGrams : rounded
}

/** Cents, or the code of the decline. */
export type OracleFreight = number | 'ROUTE_NOT_SERVED' | 'OVER_WEIGHT' | 'OVER_SIZE'

export function oracleFreight(
  card: RateCardContent,
  terms: ProductTerms,
  zone: number,
  parcels: readonly Parcel[],
): OracleFreight {
  const rows = card.prices.filter((row) => row.productId === terms.productId && row.zone === zone)
  if (rows.length === 0) return 'ROUTE_NOT_SERVED'
  const weighed = parcels.map((unit) => ({ unit, ...oracleWeight(terms, unit) }))
  if (terms.pricingBasis === 'parcel' || terms.pricingBasis === 'pallet-class') {
    let sum = 0
    for (const { unit, chargeableGrams } of weighed) {
      const price =
        terms.pricingBasis === 'parcel'
          ? bandPrice(rows, chargeableGrams, false)
          : classPrice(card, terms, rows, unit)
      if (typeof price === 'string') return price
      sum += price * unit.count
    }
    return sum
  }
  return bandPrice(rows, oracleShipmentGrams(terms, parcels), terms.pricingBasis === 'per-100kg')
}

function bandPrice(rows: readonly PriceRow[], grams: number, deficit: boolean): OracleFreight {
  const band = rows.find(({ overGrams, upToGrams }) => overGrams < grams && grams <= upToGrams)
  if (band === undefined) return 'OVER_WEIGHT'
  if (band.unit === 'KG') {
    const { stepGrams, stepCents = 0, stepTenths = 0 } = band
    const steps = stepGrams === undefined ? 0n : ceilDiv(BigInt(grams - band.overGrams), BigInt(stepGrams))
    return halfUp(10n * BigInt(band.priceCents) + steps * BigInt(10 * stepCents + stepTenths), 10n)
  }
  const price = per100kg(band.priceCents, grams)
  const next = rows.find((row) => row.unit === 'PER100KG' && row.overGrams === band.upToGrams)
  return deficit && next !== undefined ? Math.min(price, per100kg(next.priceCents, next.overGrams)) : price
}

function per100kg(rateCents: number, grams: number): number {
  return halfUp(BigInt(rateCents) * BigInt(grams), 100_000n)
}

/** The price of the smallest class that the pallet fits, in either orientation, times its spaces. */
function classPrice(
  card: RateCardContent,
  terms: ProductTerms,
  rows: readonly PriceRow[],
  { lengthCm, widthCm, heightCm, weightGrams }: Parcel,
): OracleFreight {
  const bySize = card.palletClasses.filter(
    (row) =>
      row.carrierCode === terms.carrierCode &&
      Math.max(lengthCm, widthCm) <= row.longSideCm &&
      Math.min(lengthCm, widthCm) <= row.shortSideCm &&
      heightCm <= row.maxHeightCm,
  )
  const fitting = bySize
    .filter(({ maxGrams }) => weightGrams <= maxGrams)
    .sort(
      (a, b) =>
        a.spaces - b.spaces ||
        a.longSideCm * a.shortSideCm - b.longSideCm * b.shortSideCm ||
        a.maxHeightCm - b.maxHeightCm ||
        a.maxGrams - b.maxGrams,
    )
  const [smallest] = fitting
  if (smallest === undefined) return bySize.length > 0 ? 'OVER_WEIGHT' : 'OVER_SIZE'
  const price = rows.find(({ palletClass }) => palletClass === smallest.palletClass)
  return price === undefined ? 'ROUTE_NOT_SERVED' : price.priceCents * smallest.spaces
}
