/**
 * What a measure charges on goods of one lot. Decided here: every part that can be worked out is charged, and the
 * parts that cannot are named; a minimum and a maximum count for the lot as a whole, as they do on a declaration.
 * Source: design note on customs, "Never code a tariff".
 */
import { assessedValue, type Consignment } from '../consignment.ts'
import { type Exact, largerOf, plus, smallerOf, times, ZERO } from '../exact.ts'
import { findExchangeRate, toEuro } from '../exchange-rate.ts'
import type { Lot } from '../goods.ts'
import type { Measure, RatePart, RateParts } from './measure.ts'
import { addQuantities, countIn, type Quantities, quantitiesOf } from './quantities.ts'

/** An amount in euro, what it was worked out on, and what is missing from it. */
export type MeasureAmount = {
  readonly amount: Exact
  readonly base: Exact
  /** What could not be worked out, in words; empty when nothing is missing. */
  readonly missing: string
  /** False when nothing of the rate could be worked out. */
  readonly hasAmount: boolean
}

/** Works out a measure on the value it is a share of (not yet cut to the jurisdiction's unit). */
export function measureAmount(
  consignment: Consignment,
  measure: Measure,
  lot: Lot,
  value: Exact,
): MeasureAmount {
  const base = assessedValue(consignment, value)
  const { rate } = measure.base
  if (measure.isShareOnly && rate !== undefined && measure.row.condition === '')
    return { amount: times(base, rate), base, missing: '', hasAmount: true }
  const quantities = lot.items.map(({ item }) => quantitiesOf(item)).reduce(addQuantities)
  const open: string[] = []
  const own = addUp(consignment, measure.base, base, quantities, open)
  const bounded = bound(consignment, measure, own, base, quantities, open)
  // Which season it is, no request says; the first of them would be wrong for most of the year.
  const amount = measure.row.condition === 'seasonal' ? undefined : bounded
  return {
    amount: largerOf(amount ?? ZERO, ZERO),
    base,
    missing: missingPart(measure, open, amount !== undefined),
    hasAmount: amount !== undefined,
  }
}

/** The sum of the parts that can be worked out; undefined when none can. The others are put on the list. */
function addUp(
  consignment: Consignment,
  parts: RateParts,
  base: Exact,
  quantities: Quantities,
  open: string[],
): Exact | undefined {
  let sum = parts.rate === undefined ? undefined : times(base, parts.rate)
  for (const part of parts.specifics) {
    const amount = specificAmount(consignment, part, quantities)
    if (amount === undefined) open.push(part.text)
    else sum = plus(sum ?? ZERO, amount)
  }
  open.push(...parts.open)
  return sum
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

/** A bound that cannot be worked out is named, and the amount stands without it; a minimum is due in any case. */
function bound(
  consignment: Consignment,
  { minimum, maximum }: Measure,
  own: Exact | undefined,
  base: Exact,
  quantities: Quantities,
  open: string[],
): Exact | undefined {
  const floor = minimum && limitOf(consignment, minimum, base, quantities, open)
  const cap = maximum && limitOf(consignment, maximum, base, quantities, open)
  const raised = floor === undefined ? own : largerOf(own ?? ZERO, floor)
  return raised === undefined || cap === undefined ? raised : smallerOf(raised, cap)
}

/** A bound in full; undefined, and on the list, when a part of it cannot be worked out. */
function limitOf(
  consignment: Consignment,
  parts: RateParts,
  base: Exact,
  quantities: Quantities,
  open: string[],
): Exact | undefined {
  const before = open.length
  const limit = addUp(consignment, parts, base, quantities, open)
  return open.length === before ? limit : undefined
}

/** A rate that has neither a part nor a condition is missing as a whole: nothing is ever charged in silence. */
function missingPart({ row }: Measure, open: readonly string[], hasAmount: boolean): string {
  switch (row.condition) {
    case 'entry_price':
      return 'the duty under the entry price system'
    case 'meursing':
      return 'the agricultural component'
    case 'not_loaded':
      return 'the rate itself'
    case 'not_parsed':
      return 'the rate as published'
    case 'seasonal':
      return 'the rate of the season'
    case '':
      if (open.length > 0) return `the part ${open.join(' and ')}`
      return hasAmount ? '' : 'the rate as published'
  }
}
