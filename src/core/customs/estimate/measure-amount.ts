/**
 * Selects the measures for a lot, and calculates their amounts. Every part of a rate that can be calculated is charged,
 * and the other parts are named. A minimum and a maximum apply to the lot as a whole, as on a declaration.
 * See docs/decisions/customs.md#d53 to #d55.
 */
import { isInForce } from '../../validity.ts'
import { findExchangeRate, toEuro } from '../data/exchange-rate.ts'
import { customsAreaOf } from '../data/territory.ts'
import {
  compare,
  dividedBy,
  type Exact,
  exactOf,
  isZero,
  largerOf,
  plus,
  smallerOf,
  times,
  timesWhole,
  ZERO,
} from '../exact.ts'
import type { ContentItem } from '../request.ts'
import { isInSeason } from '../tariff/conditional-rate.ts'
import type { Measure, RatePart, RateParts } from '../tariff/measure.ts'
import { PURE_ALCOHOL, type QuantityUnit, readQuantityUnit } from '../tariff/quantity-unit.ts'
import { assessedValue, type Consignment } from './consignment.ts'
import type { CodedItem, Lot } from './goods.ts'

const NO_MEASURES: readonly Measure[] = []

/** Preferences for the given origin of a lot, including those whose rates are not known. */
export function preferencesFor(
  { claimsPreferences }: Consignment,
  { origin, facts }: Lot,
): readonly Measure[] {
  return origin === '' || !claimsPreferences ? NO_MEASURES : facts.preferences
}

/**
 * True if a claimed preference also exempts from an additional duty or a fee. Otherwise a preference that does not
 * lower the base duty is not claimed.
 */
export function exemptsFromOtherCharges(consignment: Consignment, { facts }: Lot, { row }: Measure): boolean {
  const { tables, to, date } = consignment
  const fees = [to.code, customsAreaOf(to)].flatMap((code) => tables.fees.get(code) ?? [])
  if (fees.some((fee) => fee.row.waivedByPreference && isInForce(fee.row, date))) return true
  const types = [...facts.additional, ...facts.byCode].map(({ type }) => type)
  return types.some(({ notWith }) => notWith.includes(row.measureType))
}

/**
 * The additional duties that are charged on top of `base` (the base duty or the claimed preference), in the order of
 * their types. A type is left out if its `not_with` names `base` or a type before it.
 */
export function additionalFor({ facts }: Lot, base: Measure | undefined): readonly Measure[] {
  if (!facts.hasExclusions) return facts.additional
  const charged: Measure[] = []
  for (const measure of facts.additional) {
    const { notWith } = measure.type
    if (base !== undefined && notWith.includes(base.row.measureType)) continue
    if (!charged.some(({ row }) => notWith.includes(row.measureType))) charged.push(measure)
  }
  return charged
}

/**
 * The measure itself, or of a seasonal duty or a duty by entry price, the measure of the season or the price. The price
 * of goods is their customs value per quantity.
 */
export function variantFor(consignment: Consignment, measure: Measure, lot: Lot): Measure {
  const { variants } = measure
  if (variants === undefined) return measure
  switch (variants.by) {
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

/** The charge of a measure; amounts in euro. */
export type MeasureAmount = {
  readonly amount: Exact
  /** The base of its percentages. */
  readonly base: Exact
  /** The part that cannot be calculated, in words; empty if there is none. */
  readonly missing: string
  /** False if no part of the rate can be calculated. */
  readonly hasAmount: boolean
}

/** `value` is the base of percentages in euro, not yet rounded to the jurisdiction's value unit. */
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
  const { amount: bounded, open } = rateAmount(consignment, measure, lot.items, base)
  // A seasonal row has the rate of its first season only, which would be wrong for most of the year.
  const amount = measure.row.condition === 'seasonal' ? undefined : bounded
  return {
    amount: largerOf(amount ?? ZERO, ZERO),
    base,
    missing: missingPart(measure, open, amount !== undefined),
    hasAmount: amount !== undefined,
  }
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
  return { amount: bound(facts, rate, addUp(facts, rate.base)), open: facts.open }
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

/** Applies the bounds that can be calculated; the others go to `open`. A minimum is due even without an amount. */
function bound(facts: RateFacts, { minimum, maximum }: Rate, amount: Exact | undefined): Exact | undefined {
  const floor = minimum && limitOf(facts, minimum)
  const cap = maximum && limitOf(facts, maximum)
  const raised = floor === undefined ? amount : largerOf(amount ?? ZERO, floor)
  return raised === undefined || cap === undefined ? raised : smallerOf(raised, cap)
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

/**
 * The amount of goods by base quantity ("items", "kg", "l"). A quantity that is not known for all goods is absent.
 * "items" is the number of items in the request, and "kg" the net weight.
 */
export type Quantities = ReadonlyMap<string, Exact>

export function quantitiesOf({
  numberOfItems,
  weightGrams,
  quantities = [],
  alcoholPpm,
}: ContentItem): Quantities {
  const byName = new Map<string, Exact>([['items', exactOf(numberOfItems, 0)]])
  if (weightGrams !== undefined) byName.set('kg', timesWhole(exactOf(weightGrams, 3), numberOfItems))
  for (const { unit, amountMicros } of quantities) {
    const { quantity, per } = readQuantityUnit(unit)
    const amount = timesWhole(exactOf(amountMicros, 6), numberOfItems)
    byName.set(quantity, dividedBy(amount, per))
  }
  addAlcohol(byName, alcoholPpm)
  return byName
}

const LITRES = 'l'

/** Adds the quantities of alcohol that follow from the others: 0.7 l with 40% vol contain 0.28 l of pure alcohol. */
function addAlcohol(byName: Map<string, Exact>, alcoholPpm: number | undefined): void {
  const litres = byName.get(LITRES)
  if (alcoholPpm !== undefined) {
    const strength = exactOf(alcoholPpm, 6)
    const given = byName.get(PURE_ALCOHOL)
    if (given === undefined && litres !== undefined) byName.set(PURE_ALCOHOL, times(litres, strength))
    if (given !== undefined && litres === undefined) byName.set(LITRES, dividedBy(given, strength))
  }
  const pure = byName.get(PURE_ALCOHOL)
  if (pure === undefined) return
  // 1 l of pure alcohol is one hectolitre with 1% vol, and two litres of proof spirit of the United States.
  if (!byName.has('% vol/hl')) byName.set('% vol/hl', pure)
  if (!byName.has('proof l')) byName.set('proof l', timesWhole(pure, 2))
}

/** Alcohol by volume as a fraction, as given or from the quantities; undefined if it is not known. */
export function strengthOf(item: ContentItem): Exact | undefined {
  if (item.alcoholPpm !== undefined) return exactOf(item.alcoholPpm, 6)
  const quantities = quantitiesOf(item)
  const [litres, pure] = [quantities.get(LITRES), quantities.get(PURE_ALCOHOL)]
  return litres === undefined || pure === undefined || isZero(litres) ? undefined : dividedBy(pure, litres)
}

/** The quantities of all items together. */
export function quantitiesOfAll(items: readonly Pick<CodedItem, 'item'>[]): Quantities {
  return items.map(({ item }) => quantitiesOf(item)).reduce(addQuantities)
}

/** The quantities of two content items together. */
export function addQuantities(a: Quantities, b: Quantities): Quantities {
  const sum = new Map<string, Exact>()
  for (const [quantity, amount] of a) {
    const other = b.get(quantity)
    if (other !== undefined) sum.set(quantity, plus(amount, other))
  }
  return sum
}

/** The quantity in a unit; undefined if the request does not contain it. */
function countIn(quantities: Quantities, { quantity, per }: QuantityUnit): Exact | undefined {
  const amount = quantities.get(quantity)
  return amount === undefined ? undefined : times(amount, per)
}
