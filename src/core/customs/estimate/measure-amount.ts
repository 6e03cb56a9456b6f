/**
 * What a measure charges on goods of one lot. Decided here: every part that can be worked out is charged, and the
 * parts that cannot are named; a minimum and a maximum count for the lot as a whole, as they do on a declaration.
 * Source: design note on customs, "Never code a tariff".
 */

import { isInForce } from '../../validity.ts'
import { findExchangeRate, toEuro } from '../data/exchange-rate.ts'
import {
  dividedBy,
  type Exact,
  exactOf,
  largerOf,
  plus,
  smallerOf,
  times,
  timesWhole,
  ZERO,
} from '../exact.ts'
import type { ContentItem } from '../request.ts'
import type { Measure, RatePart, RateParts } from '../tariff/measure.ts'
import { findMeasures } from '../tariff/measure-index.ts'
import { type QuantityUnit, readQuantityUnit } from '../tariff/quantity-unit.ts'
import { assessedValue, type Consignment, customsAreaOf } from './consignment.ts'
import type { Goods, Lot } from './goods.ts'

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

// How much of goods there is, in the units of tariffs. Decided here: items are what the request counts, a weight is
// the net weight, and any other quantity is there only when the request gives it. Source: design note on customs,
// "What the request does not carry".

/** Base quantities by name ("items", "kg", "l"); one that is not known of all goods is absent. */
export type Quantities = ReadonlyMap<string, Exact>

/** The quantities of one content item. */
export function quantitiesOf({ numberOfItems, weightGrams, quantities = [] }: ContentItem): Quantities {
  const found = new Map<string, Exact>([['items', exactOf(numberOfItems, 0)]])
  if (weightGrams !== undefined) found.set('kg', timesWhole(exactOf(weightGrams, 3), numberOfItems))
  for (const { unit, amountMicros } of quantities) {
    const { quantity, per } = readQuantityUnit(unit)
    const amount = timesWhole(exactOf(amountMicros, 6), numberOfItems)
    found.set(quantity, dividedBy(amount, per))
  }
  return found
}

/** The quantities of several content items together. */
export function addQuantities(a: Quantities, b: Quantities): Quantities {
  const sum = new Map<string, Exact>()
  for (const [quantity, amount] of a) {
    const other = b.get(quantity)
    if (other !== undefined) sum.set(quantity, plus(amount, other))
  }
  return sum
}

/** How many of the unit there are; undefined when the request does not say. */
export function countIn(quantities: Quantities, { quantity, per }: QuantityUnit): Exact | undefined {
  const amount = quantities.get(quantity)
  return amount === undefined ? undefined : times(amount, per)
}

// Which preferences and additional duties concern a lot. Decided here: a preference needs an origin that was given;
// for duties on top the sending country stands for one that was not. Source: decision 16 of the README.

const NO_MEASURES: readonly Measure[] = []

/** Preferences that the origin of a lot allows, whether their rates are known or not. */
export function preferencesFor(consignment: Consignment, goods: Goods, { origin }: Lot): readonly Measure[] {
  if (origin === '' || !consignment.claimsPreferences) return NO_MEASURES
  const index = consignment.tables.preferences.get(customsAreaOf(consignment.to))
  return index === undefined
    ? NO_MEASURES
    : findMeasures(index, goods.harmonizedCode, consignment.date, origin)
}

/**
 * True when claiming a preference saves more than duty: another duty that keeps away from it, or a fee that is waived.
 * Where the base duty is free already, only then is it worth a proof of origin.
 */
export function sparesOthers(consignment: Consignment, goods: Goods, lot: Lot, { row }: Measure): boolean {
  const { tables, to, date } = consignment
  const fees = [to.code, customsAreaOf(to)].flatMap((code) => tables.fees.get(code) ?? [])
  if (fees.some((fee) => fee.row.waivedByPreference && isInForce(fee.row, date))) return true
  return foundOnTop(consignment, goods, lot).some(({ type }) => type.notWith.includes(row.measureType))
}

/** Every duty on top that concerns a lot. */
function foundOnTop(consignment: Consignment, goods: Goods, { origin }: Lot): readonly Measure[] {
  const { tables, to, date, sendingCountry } = consignment
  const index = tables.additional.get(customsAreaOf(to))
  return index === undefined
    ? NO_MEASURES
    : findMeasures(index, goods.harmonizedCode, date, origin || sendingCountry)
}

/**
 * Duties on top of `base` (the base duty or the preference that is claimed), in the order of their types, without
 * those that it, or one before them, keeps away.
 */
export function additionalFor(
  consignment: Consignment,
  goods: Goods,
  lot: Lot,
  base: Measure | undefined,
): readonly Measure[] {
  const found = foundOnTop(consignment, goods, lot)
  if (found.length === 0) return NO_MEASURES
  const kept: Measure[] = []
  for (const measure of found) {
    const { notWith } = measure.type
    if (base !== undefined && notWith.includes(base.row.measureType)) continue
    if (!kept.some(({ row }) => notWith.includes(row.measureType))) kept.push(measure)
  }
  return kept
}
