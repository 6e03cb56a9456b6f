/**
 * Warns of prices in the first and last band of a zone that are probably typing errors. A wrong price in the middle
 * makes the next price fall, which checkPrices reports. At the ends, the step to the neighbouring band is compared with
 * the same step in the other zones of the product, and with the step in weight.
 */

import { groupBy } from '../../../group-by.ts'
import { mulDivHalfUp } from '../../../money.ts'
import type { PriceRow } from '../../../rating/rate-card.ts'
import type { CardIndex } from '../card-index.ts'
import type { Reports } from '../findings.ts'

/** The number of zones with the same bands from which their steps are compared. */
const MIN_ZONES = 4

/** A step may be three halves of the step in other zones, or two thirds. */
const [LARGE, SMALL] = [3, 2]

/** Where zones cannot be compared, a price may rise this many times as fast as the weight. */
const MAX_RISE = 2

/** The prices of an end band and of the band next to it. */
type EndStep = { readonly index: number; readonly end: PriceRow; readonly next: PriceRow }

/** `zones` are the indexes of the bands of each zone of a product, in ascending order. */
export function warnOfOutliers(
  prices: readonly PriceRow[],
  zones: readonly (readonly number[])[],
  money: CardIndex['money'],
  reports: Reports,
): void {
  const flat = zones.filter((bands) => bands.length > 1 && bands.every((index) => isFlat(prices[index]!)))
  const boundsOf = (bands: readonly number[]): string => bands.map((index) => prices[index]!.upToGrams).join()
  for (const alike of groupBy(flat, boundsOf).values()) {
    warnOfSteps(
      alike.map((bands) => stepOf(prices, bands.at(-1)!, bands.at(-2)!)),
      money,
      reports,
    )
    // With two bands, the first step is the last one.
    if (alike[0]!.length > 2)
      warnOfSteps(
        alike.map(([first, second]) => stepOf(prices, first!, second!)),
        money,
        reports,
      )
  }
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
  const median = [...ratios].sort((a, b) => a - b)[ratios.length >> 1]!
  steps.forEach(({ index, next, end }, position) => {
    const ratio = ratios[position]!
    if (ratio * SMALL <= median * LARGE && ratio * LARGE >= median * SMALL) return
    const expected = `about ${money(mulDivHalfUp(next.priceCents, median, 10_000))}, from the next band and the other zones`
    warn('prices', 'outlier', { index, field: 'priceCents', expected, found: money(end.priceCents) })
  })
}

function warnOfRise({ index, end, next }: EndStep, money: CardIndex['money'], { warn }: Reports): void {
  const [lower, upper] = end.upToGrams < next.upToGrams ? [end, next] : [next, end]
  const risesTooFast = upper.priceCents * lower.upToGrams > MAX_RISE * upper.upToGrams * lower.priceCents
  if (!risesTooFast) return
  const expected = 'a price that rises at most twice as fast as the weight, compared with the next band'
  warn('prices', 'outlier', { index, field: 'priceCents', expected, found: money(end.priceCents) })
}
