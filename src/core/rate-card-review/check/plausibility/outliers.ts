/**
 * Warns of prices that are probably typing errors. A wrong price in the middle of weight bands makes the next price
 * fall, which checkPrices reports. In the first and last band, the step to the neighbouring band is compared with the
 * same step in the other zones of the product, and with the step in weight. Step prices, rates, and prices of classes
 * are compared with the same figure in the other zones. A figure that most zones have is not a typing error.
 */

import { groupBy } from '../../../group-by.ts'
import { mulDivHalfUp } from '../../../money.ts'
import { type PriceRow, stepPriceTenths } from '../../../rating/rate-card.ts'
import type { CardIndex, PricedZone } from '../card-index.ts'
import type { Reports } from '../findings.ts'

/** The number of zones with the same bands from which their steps are compared. */
const MIN_ZONES = 4

/** A step may be three halves of the step in other zones, or two thirds. */
const [LARGE, SMALL] = [3, 2]

/** Where zones cannot be compared, a price may rise this many times as fast as the weight. */
const MAX_RISE = 2

/** The prices of an end band and of the band next to it. */
type EndStep = { readonly index: number; readonly end: PriceRow; readonly next: PriceRow }

/** `zones` are those of a product, with the indexes of their bands in ascending order. */
export function warnOfOutliers(
  prices: readonly PriceRow[],
  zones: readonly PricedZone[],
  money: CardIndex['money'],
  reports: Reports,
): void {
  const several = zones.map(({ bands }) => bands).filter((bands) => bands.length > 1)
  warnOfEnds(
    several.map((bands) => stepOf(prices, bands.at(-1)!, bands.at(-2)!)),
    money,
    reports,
  )
  // With two bands, the first step is the last one.
  const longer = several.filter((bands) => bands.length > 2)
  warnOfEnds(
    longer.map(([first, second]) => stepOf(prices, first!, second!)),
    money,
    reports,
  )
  warnOfFigures(prices, zones, money, reports)
}

/** Those of zones with the same bounds are compared. */
function warnOfEnds(steps: readonly EndStep[], money: CardIndex['money'], reports: Reports): void {
  const flat = steps.filter(({ end, next }) => isFlat(end) && isFlat(next))
  const boundsOf = ({ end, next }: EndStep): string => [end, next].map(({ upToGrams }) => upToGrams).join()
  for (const alike of groupBy(flat, boundsOf).values()) warnOfSteps(alike, money, reports)
}

function isFlat({ unit, stepGrams, priceCents }: PriceRow): boolean {
  return unit === 'KG' && stepGrams === undefined && priceCents > 0
}

function stepOf(prices: readonly PriceRow[], index: number, neighbour: number): EndStep {
  return { index, end: prices[index]!, next: prices[neighbour]! }
}

function warnOfSteps(steps: readonly EndStep[], money: CardIndex['money'], reports: Reports): void {
  if (steps.length < MIN_ZONES) for (const step of steps) warnOfRise(step, money, reports)
  else warnOfDeviation(steps, money, reports)
}

function warnOfDeviation(steps: readonly EndStep[], money: CardIndex['money'], { warn }: Reports): void {
  const ratios = steps.map(({ end, next }) => mulDivHalfUp(end.priceCents, 10_000, next.priceCents))
  const median = medianOf(ratios)
  const prices = steps.map(({ end }) => end.priceCents)
  steps.forEach(({ index, next, end }, position) => {
    const ratio = ratios[position]!
    if (ratio * SMALL <= median * LARGE && ratio * LARGE >= median * SMALL) return
    if (mostHave(end.priceCents, prices)) return
    const expected = `about ${money(mulDivHalfUp(next.priceCents, median, 10_000))}, from the next band and the other zones`
    warn('prices', 'outlier', { index, field: 'priceCents', expected, found: money(end.priceCents) })
  })
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!
}

function mostHave(value: number, values: readonly number[]): boolean {
  return 2 * values.filter((other) => other === value).length > values.length
}

function warnOfRise({ index, end, next }: EndStep, money: CardIndex['money'], { warn }: Reports): void {
  const [lower, upper] = end.upToGrams < next.upToGrams ? [end, next] : [next, end]
  const risesTooFast = upper.priceCents * lower.upToGrams > MAX_RISE * upper.upToGrams * lower.priceCents
  if (!risesTooFast) return
  const expected = 'a price that rises at most twice as fast as the weight, compared with the next band'
  warn('prices', 'outlier', { index, field: 'priceCents', expected, found: money(end.priceCents) })
}

/** The zones with a figure, and the figures of a zone, from which they are compared with others. */
const [MIN_ALIKE, MIN_FIGURES] = [3, 3]

/** A figure may be this many times what the other figures of its zone and the other zones lead to, or a part of it. */
const MAX_FACTOR = { priceCents: 3, stepCents: 5 } as const

/** A price or the price of a step. `key` is that of the same figure in other zones; `tenths` of a cent. */
type Figure = {
  readonly index: number
  readonly field: keyof typeof MAX_FACTOR
  readonly key: string
  readonly tenths: number
  /** False for prices that are compared with the next band. */
  readonly isCompared: boolean
}

/**
 * A figure is expected to be its median in all zones, times the level of the zone: the median of the ratios of the
 * zone's figures to their medians.
 */
function warnOfFigures(
  prices: readonly PriceRow[],
  zones: readonly PricedZone[],
  money: CardIndex['money'],
  { warn }: Reports,
): void {
  // Lists with flat prices alone are the largest.
  const isAllFlat = zones.every(
    ({ bands, pallets }) =>
      pallets.length === 0 && bands.length > 1 && bands.every((row) => isFlat(prices[row]!)),
  )
  if (isAllFlat) return
  const tables = zones.map((zone) => figuresOf(prices, zone))
  const medians = new Map<string, number>()
  const alikeOf = groupBy(tables.flat(), (figure) => figure.key)
  for (const [key, alike] of alikeOf)
    if (alike.length >= MIN_ALIKE) medians.set(key, medianOf(alike.map(({ tenths }) => tenths)))
  for (const figures of tables) {
    const known = figures.filter(({ key }) => medians.has(key))
    if (known.length < MIN_FIGURES) continue
    const level = medianOf(known.map(({ key, tenths }) => mulDivHalfUp(tenths, 10_000, medians.get(key)!)))
    for (const { index, field, key, tenths, isCompared } of known) {
      const likely = mulDivHalfUp(medians.get(key)!, level, 10_000)
      const factor = MAX_FACTOR[field]
      if (!isCompared || (tenths <= likely * factor && tenths * factor >= likely)) continue
      const inZones = alikeOf.get(key)!.map((figure) => figure.tenths)
      if (mostHave(tenths, inZones)) continue
      const expected = `about ${money(mulDivHalfUp(likely, 1, 10))}, from the other figures of the zone and the other zones`
      warn('prices', 'outlier', { index, field, expected, found: money(mulDivHalfUp(tenths, 1, 10)) })
    }
  }
}

/** Those above 0, because 0 has a warning of its own. */
function figuresOf(prices: readonly PriceRow[], { bands, pallets }: PricedZone): readonly Figure[] {
  const isFlatAt = (at: number): boolean => bands[at] !== undefined && isFlat(prices[bands[at]]!)
  const ofBands = bands.flatMap((index, at) => {
    const isBesideFlat = isFlatAt(at) && (isFlatAt(at - 1) || isFlatAt(at + 1))
    return figuresIn(prices[index]!, index, !isBesideFlat)
  })
  return [...ofBands, ...pallets.flatMap((index) => figuresIn(prices[index]!, index, true))].filter(
    ({ tenths }) => tenths > 0,
  )
}

function figuresIn(row: PriceRow, index: number, isCompared: boolean): readonly Figure[] {
  const { unit, palletClass = '', overGrams, upToGrams, priceCents, stepGrams } = row
  const key = `${unit} ${palletClass} ${overGrams} ${upToGrams} ${stepGrams ?? ''}`
  const price: Figure = { index, field: 'priceCents', key, tenths: 10 * priceCents, isCompared }
  if (stepGrams === undefined) return [price]
  const tenths = stepPriceTenths(row)
  return [price, { index, field: 'stepCents', key: `step ${key}`, tenths, isCompared: true }]
}
