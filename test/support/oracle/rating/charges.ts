/**
 * Oracle for surcharges and insurance: the rows in force, the units they are charged for, and the amounts.
 * Rules: docs/rate-cards.md#contracts; docs/rate-card-files.md#surcharges and #fuel-insurance-capitals.
 */
import type {
  FuelRate,
  InsuranceBandRow,
  InsuranceRow,
  ProductTerms,
  SurchargeRow,
} from '../../../../src/core/rating/rate-card.ts'
import type { Parcel } from '../../../../src/core/rating/request.ts'
import { halfUp, inGrams, type OracleProduct, oracleShipmentGrams, oracleWeight } from './freight.ts'
import { type OracleRoute, triggerHolds } from './trigger.ts'

export type OracleLine = { readonly item: string; readonly amountCents: number; readonly reason?: string }

/** A surcharge and the parcel rows that it is charged for. */
export type CountedSurcharge = { readonly surcharge: SurchargeRow; readonly units: readonly Parcel[] }

/** The surcharges of a product on a day, in the order of the rows: the newest row of each code, unless it has ended. */
export function surchargesInForce(
  rows: readonly SurchargeRow[],
  { carrierCode, productId }: ProductTerms,
  date: string,
): readonly SurchargeRow[] {
  const begun = rows
    .filter((row) => row.carrierCode === carrierCode && row.validFrom <= date)
    .filter(({ products }) => products === undefined || products.includes(productId))
  return begun
    .filter((row) => !begun.some(({ code, validFrom }) => code === row.code && validFrom > row.validFrom))
    .filter(({ validTo }) => validTo === undefined || date < validTo)
}

/** The parcel rows that each surcharge is charged for. An excluded surcharge excludes nothing. */
export function countedSurcharges(
  surcharges: readonly SurchargeRow[],
  route: OracleRoute,
): readonly CountedSurcharge[] {
  const { parcels } = route.request
  const chargedFor = (surcharge: SurchargeRow): readonly Parcel[] => {
    const excluders = surcharges.filter(({ excludes }) => excludes.includes(surcharge.code))
    return parcels.filter(
      (unit) =>
        triggerHolds(surcharge.trigger, route, unit) && !excluders.some((other) => covers(other, unit)),
    )
  }
  const covers = (surcharge: SurchargeRow, unit: Parcel): boolean =>
    surcharge.per === 'shipment'
      ? chargedFor(surcharge).length > 0
      : chargedFor(surcharge).some((charged) => charged === unit)
  return surcharges
    .map((surcharge) => ({ surcharge, units: chargedFor(surcharge) }))
    .filter(({ units }) => units.length > 0)
}

export type ChargeBase = {
  readonly terms: OracleProduct
  readonly parcels: readonly Parcel[]
  readonly date: string
  readonly fuel: readonly FuelRate[]
  readonly fuelBps: number
  /** The base of percentages, in cents. */
  readonly percentOfCents: number
}

export function lineOfSurcharge(
  { surcharge, units }: CountedSurcharge,
  { terms, parcels, date, fuel, fuelBps, percentOfCents }: ChargeBase,
): OracleLine {
  const { method, amount, minimumCents, maximumCents, per, name: item, reason } = surcharge
  const limited = (value: bigint, scale: bigint): bigint => {
    const atLeast = value < BigInt(minimumCents) * scale ? BigInt(minimumCents) * scale : value
    if (maximumCents === undefined) return atLeast
    return atLeast > BigInt(maximumCents) * scale ? BigInt(maximumCents) * scale : atLeast
  }
  const limitedCents = (cents: number): number => Number(limited(BigInt(cents), 1n))
  const number = per === 'unit' ? units.reduce((sum, { count }) => sum + count, 0) : 1
  switch (method) {
    case 'flat':
      return { item, amountCents: amount * number, reason }
    case 'per_kg': {
      const weightOf = (unit: Parcel): bigint => BigInt(oracleWeight(terms, unit).chargeableGrams)
      const shipmentGrams = BigInt(oracleShipmentGrams(terms, parcels))
      const perUnit = units.reduce(
        (sum, unit) => sum + limited(BigInt(amount) * weightOf(unit), 1000n) * BigInt(unit.count),
        0n,
      )
      const thousandths = per === 'unit' ? perUnit : limited(BigInt(amount) * shipmentGrams, 1000n)
      return { item, amountCents: halfUp(thousandths, 1000n), reason }
    }
    case 'pct': {
      const share = halfUp(BigInt(percentOfCents) * BigInt(amount), 10_000n)
      return { item, amountCents: limitedCents(share), reason }
    }
    case 'fuel': {
      const rates = fuel.filter(
        (rate) =>
          rate.carrierCode === surcharge.carrierCode &&
          rate.code === surcharge.code &&
          rate.validFrom <= date,
      )
      const rate = rates.sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1))[0]
      if (rate === undefined) return { item, amountCents: 0, reason: 'No fuel rate is set for this day' }
      const change = BigInt(rate.rateBps) * BigInt(10_000 + fuelBps)
      if (rate.per !== undefined) {
        const counted = per === 'unit' ? units : parcels
        const count = counted.reduce((sum, unit) => sum + unit.count, 0)
        const charged = (weights: readonly Parcel[]): number =>
          weights.reduce((sum, unit) => sum + oracleWeight(terms, unit).chargeableGrams * unit.count, 0)
        const grams = inGrams(terms, per === 'unit' ? charged(units) : oracleShipmentGrams(terms, parcels))
        const thousandths = BigInt(rate.per === 'kg' ? grams : 1000 * count)
        return { item, amountCents: limitedCents(halfUp(thousandths * change, 1_000_000_000n)), reason }
      }
      const product = BigInt(percentOfCents) * change
      return { item, amountCents: limitedCents(halfUp(product, 100_000_000n)), reason }
    }
    case 'formula':
      // test/core/expressions has its own random formulas.
      throw new Error('random cards have no formulas')
  }
}

/**
 * No charge up to the free cover. Above it, the premium of the band or a share of the whole value, at least the
 * minimum.
 */
export function insuranceLine(
  row: InsuranceRow,
  allBands: readonly InsuranceBandRow[],
  { pricingBasis }: ProductTerms,
  parcels: readonly Parcel[],
  valueCents: number,
): OracleLine {
  const perUnit =
    row.freeCoverPer === 'unit' ||
    (row.freeCoverPer === undefined && ['parcel', 'size-class'].includes(pricingBasis))
  const covers = perUnit ? parcels.reduce((sum, { count }) => sum + count, 0) : 1
  if (valueCents <= row.freeCoverCents * covers) return { item: 'Insurance', amountCents: 0 }
  const bands = allBands.filter(({ carrierCode }) => carrierCode === row.carrierCode)
  const band = bands.find(({ overCents, upToCents }) => overCents < valueCents && valueCents <= upToCents)
  if (band === undefined && bands.length > 0) throw new Error('no band for an insured value')
  const premium =
    band === undefined
      ? halfUp(BigInt(valueCents) * BigInt(row.rateBps), 10_000n)
      : oraclePremium(band, valueCents, row.freeCoverCents * covers)
  return { item: 'Insurance', amountCents: Math.max(premium, row.minimumCents) }
}

/** Adds step by step. */
function oraclePremium(band: InsuranceBandRow, valueCents: number, freeCents: number): number {
  let premium = band.priceCents
  if (band.valueStepCents === undefined) return premium
  let covered = band.overCents > freeCents ? band.overCents : freeCents
  while (covered < valueCents) {
    premium += band.stepPriceCents!
    covered += band.valueStepCents
  }
  return premium
}
