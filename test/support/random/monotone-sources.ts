/**
 * Random rate books in which a larger request never costs less: prices rise with weight and size, triggers have only
 * lower bounds, no surcharge excludes another, and free cover does not grow with the number of units. There are no
 * discounts and margins by zone and weight.
 */
import type { PalletClassRow, PriceRow, ProductTerms } from '../../../src/core/rating/rate-card.ts'
import type { OracleCard, OracleSources } from '../oracle/rating/quote.ts'
import { randomSources } from './card.ts'
import { type Dice, diceOf } from './seeded-dice.ts'

/** A random rate book made monotone. The same seed makes the same book. */
export function monotoneSources(seed: number): OracleSources {
  const dice = diceOf(seed + 500_000)
  const sources = randomSources(seed)
  const contracts = sources.contracts.map(({ discounts: _, ...row }) => row)
  const cards = sources.cards.map((card) => monotoneCard(dice, card))
  return { ...sources, cards, contracts, margins: [] }
}

function monotoneCard(dice: Dice, card: OracleCard): OracleCard {
  const carriers = [...new Set(card.palletClasses.map(({ carrierCode }) => carrierCode))]
  const palletClasses = carriers.flatMap((code) => classesInOrder(card.palletClasses, code))
  // Heavier goods are denser, and can be of a cheaper class.
  const sizeClasses = card.sizeClasses.filter(({ condition }) => condition.startsWith('sum'))
  const products = card.products.map(({ deficitWeight: _, ...terms }): ProductTerms => {
    return terms.pricingBasis === 'freight-class' ? { ...terms, pricingBasis: 'per-100kg' } : terms
  })
  const sized = { ...card, products, sizeClasses }
  return {
    ...sized,
    palletClasses,
    prices: products.flatMap((terms) => monotonePrices(dice, sized, terms, palletClasses)),
    services: [],
    surcharges: card.surcharges.map((row) => ({
      ...row,
      excludes: [],
      trigger: row.trigger.replace(/<=?/g, '>='),
    })),
    insurance: card.insurance.map((row) => ({ ...row, freeCoverPer: 'shipment' })),
  }
}

/** The classes of a carrier, smallest first, each with a unique name. */
function classesInOrder(rows: readonly PalletClassRow[], carrierCode: string): PalletClassRow[] {
  return rows
    .filter((row) => row.carrierCode === carrierCode)
    .sort(
      (a, b) =>
        a.spaces - b.spaces ||
        a.longSideCm * a.shortSideCm - b.longSideCm * b.shortSideCm ||
        a.maxHeightCm - b.maxHeightCm ||
        a.maxGrams - b.maxGrams,
    )
    .map((row, index) => ({ ...row, palletClass: `${row.palletClass}${index + 1}` }))
}

/** The rates of the first freight class of each zone, as those of all goods. */
function firstClass(row: PriceRow, _: number, rows: readonly PriceRow[]): PriceRow[] {
  if (row.unit !== 'CLASS') return [row]
  const first = rows.find(({ zone }) => zone === row.zone)!
  const { palletClass, ...rate } = row
  return palletClass === first.palletClass ? [{ ...rate, unit: 'PER100KG' }] : []
}

function monotonePrices(
  dice: Dice,
  { prices, sizeClasses }: OracleCard,
  { productId, carrierCode, pricingBasis }: ProductTerms,
  palletClasses: readonly PalletClassRow[],
): PriceRow[] {
  const rows = prices.filter((row) => row.productId === productId).flatMap(firstClass)
  const zones = [...new Set(rows.map(({ zone }) => zone))]
  if (pricingBasis === 'pallet-class') {
    const classes = palletClasses.filter((row) => row.carrierCode === carrierCode)
    return zones.flatMap((zone) => risingClasses(dice, productId, zone, classes))
  }
  if (pricingBasis === 'size-class') {
    // The rows are in the order of the classes, smallest first.
    const ofCarrier = sizeClasses.filter((row) => row.carrierCode === carrierCode)
    const classes = [...new Set(ofCarrier.map(({ sizeClass }) => sizeClass))]
    return zones.flatMap((zone) => risingSizes(dice, productId, zone, classes))
  }
  return zones.flatMap((zone) =>
    risingBands(
      dice,
      rows.filter((row) => row.zone === zone),
      pricingBasis === 'per-100kg',
    ),
  )
}

function risingClasses(
  dice: Dice,
  productId: number,
  zone: number,
  classes: readonly PalletClassRow[],
): PriceRow[] {
  let reachedCents = dice.int(1000, 5000)
  return classes.map(({ palletClass, spaces }) => {
    const priceCents = Math.ceil((reachedCents + dice.pick([0, 500, 3000])) / spaces)
    reachedCents = priceCents * spaces
    return { productId, zone, unit: 'PALLET', palletClass, overGrams: 0, upToGrams: 0, priceCents }
  })
}

function risingSizes(dice: Dice, productId: number, zone: number, classes: readonly string[]): PriceRow[] {
  let priceCents = dice.int(1000, 5000)
  return classes.map((palletClass) => {
    priceCents += dice.pick([0, 500, 3000])
    return { productId, zone, unit: 'SIZE', palletClass, overGrams: 0, upToGrams: 0, priceCents }
  })
}

/** With deficit weight, the next rate limits the price of a band, so only rate × start must not fall. */
function risingBands(dice: Dice, bands: readonly PriceRow[], deficit: boolean): PriceRow[] {
  // The price at the start of the previous band if it is a rate, and the highest price at its end.
  let startCents: number | undefined
  let endCents = 0
  return bands.map((band): PriceRow => {
    const { overGrams, upToGrams, unit, stepGrams = 0, stepCents = 0, stepTenths = 0 } = band
    if (unit === 'KG') {
      const priceCents = Math.ceil(endCents) + dice.pick([0, 100, 900])
      const steps = stepGrams === 0 ? 0 : Math.ceil((upToGrams - overGrams) / stepGrams)
      endCents = priceCents + steps * (stepCents + (stepTenths > 0 ? 1 : 0))
      startCents = undefined
      return { ...band, priceCents }
    }
    const floorCents = deficit && startCents !== undefined ? startCents : endCents
    const needed = overGrams === 0 ? 0 : Math.ceil((floorCents * 100_000) / overGrams)
    const lowest = Math.max(needed, dice.int(900, 5000))
    const priceCents = lowest + dice.pick([0, 50, 400])
    startCents = (priceCents * overGrams) / 100_000
    endCents = (priceCents * upToGrams) / 100_000
    return { ...band, priceCents }
  })
}
