/**
 * The weight bands of one product in one zone: they ascend from 0 without gap or overlap, and a price does not
 * fall as the weight rises. Upper bounds are inclusive.
 */
import { mulDivHalfUp } from '../../money.ts'
import { euroText, kilogramsText } from '../../rating/explain/figure-text.ts'
import type { PriceRow, PricingBasis } from '../../rating/rate-card.ts'
import type { Reports } from './findings.ts'

/** Checks the bands at `indexes` of `prices`, those of one product in one zone, priced on `basis`. */
export function checkBands(
  prices: readonly PriceRow[],
  indexes: readonly number[],
  basis: PricingBasis,
  reports: Reports,
): void {
  const ordered = inOrder(prices, indexes, reports)
  let sound = ordered === indexes
  let before: PriceRow | undefined
  for (const index of ordered) {
    const row = prices[index]!
    const fits = checkFigures(row, index, reports) && checkBounds(row, index, before, reports)
    sound &&= fits
    before = row
  }
  if (sound) warnOfFalls(prices, indexes, basis === 'per-100kg', reports)
}

function isSane({ overGrams, upToGrams }: PriceRow): boolean {
  return overGrams < upToGrams
}

/** The bands as they ascend; those themselves where they do. One finding tells that they do not. */
function inOrder(
  prices: readonly PriceRow[],
  indexes: readonly number[],
  { fault }: Reports,
): readonly number[] {
  let highest = -1
  for (const index of indexes) {
    const row = prices[index]!
    if (!isSane(row)) continue
    if (row.overGrams < highest) {
      fault('prices', 'order', {
        index,
        field: 'overGrams',
        expected: `bands that ascend, so none below ${kilogramsText(highest)} here`,
        found: kilogramsText(row.overGrams),
      })
      return [...indexes].sort((a, b) => prices[a]!.overGrams - prices[b]!.overGrams || a - b)
    }
    highest = row.overGrams
  }
  return indexes
}

/** What is wrong with the amounts of a row by itself; true where nothing is. */
function checkFigures(row: PriceRow, index: number, { fault }: Reports): boolean {
  const { unit, priceCents, stepGrams, stepCents } = row
  const free = { index, expected: 'no price below 0' }
  if (priceCents < 0)
    fault('prices', 'negative', { ...free, field: 'priceCents', found: euroText(priceCents) })
  else if (stepCents !== undefined && stepCents < 0)
    fault('prices', 'negative', { ...free, field: 'stepCents', found: euroText(stepCents) })
  else if (stepGrams !== undefined && (unit === 'PER100KG' || stepGrams <= 0)) {
    const expected = unit === 'PER100KG' ? 'no step beside a rate per 100 kg' : 'a step above 0 kg'
    fault('prices', `step of ${unit}`, {
      index,
      field: 'stepGrams',
      expected,
      found: kilogramsText(stepGrams),
    })
  } else return true
  return false
}

/** True when the band begins where the one before it ends. */
function checkBounds(
  row: PriceRow,
  index: number,
  before: PriceRow | undefined,
  { fault }: Reports,
): boolean {
  const { overGrams, upToGrams } = row
  if (!isSane(row)) {
    fault('prices', 'empty band', {
      index,
      field: 'upToGrams',
      expected: `up_to to be above over, ${kilogramsText(overGrams)}`,
      found: kilogramsText(upToGrams),
    })
    return false
  }
  // Behind a band whose bounds make no sense, where this one should begin is not known.
  if (before !== undefined && !isSane(before)) return true
  const start = before?.upToGrams ?? 0
  if (overGrams === start) return true
  if (overGrams === before?.overGrams && upToGrams === before.upToGrams) {
    const found = `${kilogramsText(overGrams)} to ${kilogramsText(upToGrams)} a second time`
    fault('prices', 'duplicate band', { index, expected: 'one price for each band', found })
    return false
  }
  fault('prices', before === undefined ? 'first band' : overGrams < start ? 'overlap' : 'gap', {
    index,
    field: 'overGrams',
    expected:
      before === undefined
        ? 'over to be 0 kg in the first band'
        : `over to be ${kilogramsText(start)}, where the band before it ends`,
    found: kilogramsText(overGrams),
  })
  return false
}

/** Says where a weight costs less than a lighter one: at the edge of two bands, since none falls within. */
function warnOfFalls(
  prices: readonly PriceRow[],
  indexes: readonly number[],
  hasDeficitWeight: boolean,
  { warn }: Reports,
): void {
  for (let position = 1; position < indexes.length; position++) {
    const lower = prices[indexes[position - 1]!]!
    const upper = prices[indexes[position]!]!
    const following = indexes[position + 1]
    const next = following === undefined ? undefined : prices[following]!
    const lowerCents = priceAtEnd(lower, hasDeficitWeight ? upper : undefined)
    const upperCents = priceAtStart(upper, hasDeficitWeight ? next : undefined)
    if (upperCents >= lowerCents) continue
    warn('prices', 'fall', {
      index: indexes[position]!,
      field: 'priceCents',
      expected: `no less above ${kilogramsText(upper.overGrams)} than the ${euroText(lowerCents)} up to it`,
      found: euroText(upperCents),
    })
  }
}

/** What the heaviest weight of a band costs; with deficit weight the `next` rate per 100 kg may undercut it. */
function priceAtEnd(row: PriceRow, next: PriceRow | undefined): number {
  const { unit, overGrams, upToGrams, priceCents, stepGrams = 0, stepCents = 0 } = row
  if (unit === 'PER100KG') return rateFor(row, upToGrams, next)
  return stepGrams === 0
    ? priceCents
    : priceCents + Math.ceil((upToGrams - overGrams) / stepGrams) * stepCents
}

/** What the least weight of a band costs, likewise. */
function priceAtStart(row: PriceRow, next: PriceRow | undefined): number {
  const { unit, overGrams, priceCents, stepGrams = 0, stepCents = 0 } = row
  if (unit === 'PER100KG') return rateFor(row, overGrams, next)
  return stepGrams === 0 ? priceCents : priceCents + stepCents
}

function rateFor({ priceCents }: PriceRow, grams: number, next: PriceRow | undefined): number {
  const own = per100Kg(priceCents, grams)
  return next?.unit === 'PER100KG' ? Math.min(own, per100Kg(next.priceCents, next.overGrams)) : own
}

function per100Kg(rateCents: number, grams: number): number {
  return mulDivHalfUp(rateCents, grams, 100_000)
}
