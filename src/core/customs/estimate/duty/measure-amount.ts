/**
 * The amount that a measure charges on a lot. Every part of a rate that can be calculated is charged, and the other
 * parts are named. A minimum and a maximum apply to the lot as a whole, as on a declaration.
 * See docs/customs-data.md#duties.
 */
import { findExchangeRate, toEuro } from '../../data/exchange-rate.ts'
import { compare, type Exact, largerOf, smallerOf, sumOf, times, ZERO } from '../../exact.ts'
import { isInSeason } from '../../tariff/conditional-rate.ts'
import type { Measure, RatePart, RateParts } from '../../tariff/measure.ts'
import type { Consignment } from '../consignment.ts'
import type { CodedItem, Lot } from '../goods.ts'
import { countIn, type Quantities, quantitiesOfAll } from '../quantities.ts'
import { boundedAmount } from './rate-spread.ts'

/** What a measure charges on a lot; amounts in euro. */
export type MeasureCharge = {
  readonly kind: 'charge'
  /** Of a seasonal duty, or a duty by entry price, the variant that applies. */
  readonly measure: Measure
  readonly amount: Exact
  /** The base of its percentages. */
  readonly base: Exact
  /** The part that cannot be calculated, in words; empty if there is none. */
  readonly missing: string
  /** False if no part of the rate can be calculated. */
  readonly hasAmount: boolean
}

/** `base` is the base of percentages in euro. */
export function chargeOf(consignment: Consignment, published: Measure, lot: Lot, base: Exact): MeasureCharge {
  const charge = usualCharge(consignment, published, lot, base)
  const { bound } = consignment
  return bound === undefined ? charge : { ...charge, amount: boundedAmount(bound, charge, lot) }
}

function usualCharge(consignment: Consignment, published: Measure, lot: Lot, base: Exact): MeasureCharge {
  const { share } = published
  if (share !== undefined)
    return {
      kind: 'charge',
      measure: published,
      amount: times(base, share),
      base,
      missing: '',
      hasAmount: true,
    }
  const measure = variantFor(consignment, published, lot)
  const { amount: bounded, open } = rateAmount(consignment, measure, lot.items, base)
  // A seasonal row has the rate of its first season only, which would be wrong for most of the year.
  const amount = measure.row.condition === 'seasonal' ? undefined : bounded
  return {
    kind: 'charge',
    measure,
    amount: largerOf(amount ?? ZERO, ZERO),
    base,
    missing: missingPart(measure, open, amount !== undefined),
    hasAmount: amount !== undefined,
  }
}

/**
 * Resolves a seasonal duty, or a duty by entry price, to the variant that applies. Other measures are returned
 * unchanged. The price of goods is their customs value per quantity.
 */
function variantFor(consignment: Consignment, measure: Measure, lot: Lot): Measure {
  const { variants } = measure
  if (variants === undefined) return measure
  switch (variants.dependsOn) {
    case 'season': {
      const found = variants.seasons.find(({ season }) => isInSeason(season, consignment.date))
      return found?.measure ?? measure
    }
    case 'price': {
      const found = variants.prices.find(({ price }) => reachesPrice(consignment, price, lot))
      return found?.measure ?? measure
    }
  }
}

/** False if the request lacks the quantity. */
function reachesPrice(consignment: Consignment, price: RatePart, lot: Lot): boolean {
  const floor = specificAmount(consignment, price, quantitiesOfAll(lot.items))
  return floor !== undefined && compare(lot.customsValue, floor) >= 0
}

/** The parts of a rate that an amount is calculated from. */
export type Rate = {
  readonly base: RateParts
  readonly minimum?: RateParts | undefined
  readonly maximum?: RateParts | undefined
}

/**
 * The amount of a rate on items whose value is `base` euro, and the texts of the parts that cannot be calculated. The
 * amount is undefined if no part can be calculated.
 */
export function rateAmount(
  consignment: Consignment,
  rate: Rate,
  items: readonly Pick<CodedItem, 'item'>[],
  base: Exact,
): { readonly amount: Exact | undefined; readonly open: readonly string[] } {
  const facts: RateFacts = { consignment, base, quantities: quantitiesOfAll(items), open: [] }
  const amount = addUp(facts, rate.base)
  const floor = rate.minimum && limitOf(facts, rate.minimum)
  const cap = rate.maximum && limitOf(facts, rate.maximum)
  // A minimum is due even without an amount.
  const raised = floor === undefined ? amount : largerOf(amount ?? ZERO, floor)
  const bounded = raised === undefined || cap === undefined ? raised : smallerOf(raised, cap)
  return { amount: bounded, open: facts.open }
}

/** What the parts of a rate are applied to, and the texts of the parts that cannot be calculated. */
type RateFacts = {
  readonly consignment: Consignment
  readonly base: Exact
  readonly quantities: Quantities
  readonly open: string[]
}

/** The sum of the parts that can be calculated; undefined if none can. Adds the texts of the others to `open`. */
function addUp({ consignment, base, quantities, open }: RateFacts, parts: RateParts): Exact | undefined {
  const amounts: Exact[] = []
  for (const part of parts.specifics) {
    const amount = specificAmount(consignment, part, quantities)
    if (amount === undefined) open.push(part.text)
    else amounts.push(amount)
  }
  open.push(...parts.open)
  if (parts.rate !== undefined) amounts.push(times(base, parts.rate))
  return amounts.length === 0 ? undefined : sumOf(amounts)
}

function specificAmount(
  { tables, date }: Consignment,
  { amount, currency, unit }: RatePart,
  quantities: Quantities,
): Exact | undefined {
  const count = countIn(quantities, unit)
  const rate = findExchangeRate(tables.exchangeRates, currency, date)
  return count === undefined || rate === undefined ? undefined : toEuro(times(amount, count), rate)
}

/** A bound; undefined if a part of it cannot be calculated. Adds the texts of such parts to `open`. */
function limitOf(facts: RateFacts, parts: RateParts): Exact | undefined {
  const before = facts.open.length
  const limit = addUp(facts, parts)
  return facts.open.length === before ? limit : undefined
}

/** The part that cannot be calculated, in words. Without parts and condition, the whole rate is missing. */
function missingPart({ row }: Measure, open: readonly string[], hasAmount: boolean): string {
  switch (row.condition) {
    case 'entry_price':
      return 'the duty under the entry price system, which depends on the price per net weight,'
    case 'meursing':
      return 'the agricultural component'
    case 'not_loaded':
      return 'the rate itself'
    case 'not_parsed':
    case 'range_only':
      return 'the rate as published'
    case 'seasonal':
      return 'the rate of the season'
    case '':
      if (open.length > 0) return `the part ${open.join(' and ')}`
      return hasAmount ? '' : 'the rate as published'
  }
}
