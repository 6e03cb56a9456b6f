/**
 * Low-value rules: which one holds for goods in a consignment of a given value. Decided here: the first rule in
 * force that fits recipient, sender and code; a limit is inclusive and is compared in its own currency, exactly.
 * Source: the threshold rows; EU rules of 2026-07-01; decision 14 of the README.
 */
import { isInForce } from '../../validity.ts'
import {
  describeExchangeRate,
  type ExchangeRate,
  findExchangeRate,
  fromEuro,
  toEuro,
} from '../data/exchange-rate.ts'
import type { ThresholdRow } from '../data/rows.ts'
import { compare, dividedBy, type Exact, excess, isZero, sumOf, times, timesWhole, ZERO } from '../exact.ts'
import type { Threshold } from '../tables.ts'
import { BASE_MEASURE_TYPE } from '../tariff/tariff.ts'
import { Charge } from './charge.ts'
import { amountCharged, assessedValue, type Consignment, customsAreaOf } from './consignment.ts'
import { percentOf } from './duty-charge.ts'
import { countedOrigins, type Goods, givenOrigins, type Lot } from './goods.ts'
import { describeDataSet, formatEuro, formatMoney, type LineSource, sentences } from './tax-line.ts'

/** A rule that the consignment fits, whatever the goods are. */
export type FittingThreshold = {
  readonly threshold: Threshold
  readonly rate: ExchangeRate
  /** In euro; absent where the rule has no limit. */
  readonly limit?: Exact
}

/** The rules of a jurisdiction or customs area that the value of a consignment fits, in their order. */
export function fittingThresholds(
  consignment: Consignment,
  code: string,
  appliesTo: ThresholdRow['appliesTo'],
): readonly FittingThreshold[] {
  const fitting: FittingThreshold[] = []
  for (const threshold of consignment.tables.thresholds.get(`${code} ${appliesTo}`) ?? []) {
    if (looksAtAmount(threshold.row)) continue
    const rate = rateInForce(consignment, threshold.row)
    if (rate === undefined) continue
    const { limit } = threshold
    if (limit === undefined) fitting.push({ threshold, rate })
    else if (isWithin(consignment, threshold.row, limit, rate))
      fitting.push({ threshold, rate, limit: toEuro(limit, rate) })
  }
  return fitting
}

/** A rule on the excess holds at any value: below its limit the excess is nothing. */
function isWithin(consignment: Consignment, row: ThresholdRow, limit: Exact, rate: ExchangeRate): boolean {
  return row.kind === 'taxed_excess' || compare(fromEuro(comparedValue(consignment, row), rate), limit) <= 0
}

function comparedValue(consignment: Consignment, row: ThresholdRow): Exact {
  return row.valueBasis === 'goods' ? consignment.goodsValue : consignment.customsValue
}

function looksAtAmount({ kind }: ThresholdRow): boolean {
  return kind === 'not_levied_up_to' || kind === 'not_levied_below'
}

/** The exchange rate of a rule that is in force and fits recipient and sender; undefined otherwise. */
function rateInForce(consignment: Consignment, row: ThresholdRow): ExchangeRate | undefined {
  const { tables, date, recipient } = consignment
  if (!isInForce(row, date)) return undefined
  if (row.recipient !== 'any' && row.recipient !== recipient) return undefined
  if (!isSentFrom(consignment, row.sentFrom)) return undefined
  return findExchangeRate(tables.exchangeRates, row.currency, date)
}

function isSentFrom({ tables, from, sendingCountry }: Consignment, named: readonly string[]): boolean {
  if (named.length === 0) return true
  const groups = tables.originGroups.get(sendingCountry)
  return named.some(
    (place) => place === sendingCountry || from.customsAreas.includes(place) || groups?.has(place) === true,
  )
}

/** The first of the rules that is about goods of a code. */
export function thresholdFor(
  fitting: readonly FittingThreshold[],
  harmonizedCode: string,
): FittingThreshold | undefined {
  return fitting.find(({ threshold: { row } }) => {
    if (row.includedPrefixes.length > 0 && !beginsWithOne(harmonizedCode, row.includedPrefixes)) return false
    return !beginsWithOne(harmonizedCode, row.excludedPrefixes)
  })
}

/** True when the code begins with one of the prefixes. */
export function beginsWithOne(code: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => code.startsWith(prefix))
}

/** How the consignment compares with the limit: "this consignment is worth USD 40.00 at 1.1761 per euro (2026-05-08)". */
export function describeValue(consignment: Consignment, { threshold, rate }: FittingThreshold): string {
  const value = fromEuro(comparedValue(consignment, threshold.row), rate)
  return `this consignment is worth ${formatMoney(value, rate.currency)}${describeExchangeRate(rate)}`
}

/** A rule under which what all goods together would pay is too little to be levied. */
export type AmountThreshold = { readonly row: ThresholdRow; readonly remark: string }

/** Looks at the amount as the authority would charge it; it is added up only where there is such a rule. */
export function findAmountThreshold(
  consignment: Consignment,
  code: string,
  appliesTo: ThresholdRow['appliesTo'],
  total: () => Exact,
): AmountThreshold | undefined {
  for (const { row, limit } of consignment.tables.thresholds.get(`${code} ${appliesTo}`) ?? []) {
    if (!looksAtAmount(row) || limit === undefined) continue
    const rate = rateInForce(consignment, row)
    if (rate === undefined) continue
    const charged = amountCharged(consignment, total(), rate)
    const difference = compare(charged, limit)
    if (difference > 0 || (difference === 0 && row.kind === 'not_levied_below')) continue
    return { row, remark: `it comes to ${formatMoney(charged, rate.currency)}${describeExchangeRate(rate)}` }
  }
  return undefined
}

// What a low-value rule charges in place of the tariff. Decided here: relief, an amount for each different code, a
// flat share of the value, or the tariff's stead on what exceeds the limit.
// Source: the threshold rows; EU rules of 2026-07-01; decision 14 of the README.

const FLAT_NAME = 'Flat-rate customs duty'

/** The charge on lots of one code under a rule that they fit. */
export class ThresholdCharge extends Charge {
  private readonly goods: Goods
  private readonly lots: readonly Lot[]
  private readonly fitting: FittingThreshold
  private readonly rule: () => string

  constructor(consignment: Consignment, goods: Goods, lots: readonly Lot[], fitting: FittingThreshold) {
    const { amount, base, rule } = applied(consignment, lots, fitting)
    const name = nameOf(consignment, fitting.threshold.row)
    const items =
      lots === goods.lots ? goods.items : lots.flatMap((lot) => lot.items.map(({ index }) => index))
    super(consignment, goods.harmonizedCode, 'DUTY', name, amount, base, true, items)
    this.goods = goods
    this.lots = lots
    this.fitting = fitting
    this.rule = rule
  }

  get ratePercent(): string | undefined {
    const { ratePpm } = this.fitting.threshold.row
    return ratePpm === null ? undefined : percentOf(ratePpm)
  }

  get source(): LineSource {
    return thresholdSource(this.fitting.threshold.row, this.rule())
  }

  describe(): string {
    const { row } = this.fitting.threshold
    return sentences(
      `${isZero(this.amount) ? 'No duty: ' : 'Low-value rule: '}${describeRule(this.consignment, this.lots, this.fitting)}.`,
      describeDataSet(this.consignment.tables.dataSets, row.dataSet, row.confidence),
      this.unknownCode(),
      ...this.goods.remarks,
    )
  }

  product(): string {
    return isZero(this.amount) ? '' : this.rule()
  }

  /** The rule holds for any code, also one that may be a slip. */
  private unknownCode(): string {
    const { tables, to } = this.consignment
    const isUnknown =
      tables.tariffs.has(customsAreaOf(to)) && this.lots.some(({ entry }) => entry === undefined)
    return isUnknown ? `The tariff knows nothing of code ${this.harmonizedCode}.` : ''
  }
}

/** Where a low-value rule stands; `rateText` is what it charges. */
export function thresholdSource(row: ThresholdRow, rateText: string): LineSource {
  return {
    dataSet: row.dataSet,
    measureType: row.kind,
    codePrefix: '',
    rateText,
    validFrom: row.validFrom,
    validTo: row.validTo,
    confidence: row.confidence,
  }
}

function nameOf({ tables }: Consignment, { kind }: ThresholdRow): string {
  const isRelief = kind === 'relief_up_to' || kind === 'not_levied_up_to' || kind === 'not_levied_below'
  return isRelief ? (tables.measureTypes.get(BASE_MEASURE_TYPE)?.name ?? 'Import duty') : FLAT_NAME
}

type Applied = { readonly amount: Exact; readonly base: Exact; rule(): string }

function applied(consignment: Consignment, lots: readonly Lot[], fitting: FittingThreshold): Applied {
  const { threshold, rate, limit } = fitting
  const { row } = threshold
  const value = sumOf(lots.map((lot) => lot.customsValue))
  switch (row.kind) {
    case 'relief_up_to':
    case 'not_levied_up_to':
    case 'not_levied_below':
      return { amount: ZERO, base: value, rule: () => row.reason }
    case 'flat_per_item': {
      const count = countedOrigins(lots)
      const flat = toEuro(timesWhole(threshold.flat, count), rate)
      return { amount: flat, base: value, rule: () => `${count} × ${row.currency} ${row.flatAmount}` }
    }
    case 'flat_rate':
      return flatRate(consignment, threshold, rate, lots)
    case 'taxed_excess': {
      const share = sumOf(lots.map((lot) => excessOf(consignment, lot, row, limit ?? ZERO)))
      const rule = () => `${percentOf(row.ratePpm ?? 0)}% × ${formatEuro(share)}`
      return { amount: times(share, threshold.rate), base: share, rule }
    }
  }
}

function flatRate(
  consignment: Consignment,
  { row, deduct, rate }: Threshold,
  exchange: ExchangeRate,
  lots: readonly Lot[],
): Applied {
  const bases = lots.map((lot) => assessedValue(consignment, lot.customsValue))
  const base = sumOf(bases)
  const rule = () => `${percentOf(row.ratePpm ?? 0)}% × ${formatEuro(base)}`
  if (isZero(deduct) || isZero(consignment.customsValue)) return { amount: times(base, rate), base, rule }
  const share = dividedBy(toEuro(deduct, exchange), consignment.customsValue)
  const off = lots.map((lot) => times(lot.customsValue, share))
  const amount = sumOf(bases.map((value, index) => excess(times(value, rate), off[index] ?? ZERO)))
  return { amount, base, rule: () => `${rule()} − ${formatEuro(sumOf(off))}` }
}

/** The part of a lot's value that exceeds the limit when the excess of the consignment is spread by value. */
function excessOf(consignment: Consignment, lot: Lot, row: ThresholdRow, limit: Exact): Exact {
  const isGoods = row.valueBasis === 'goods'
  const whole = isGoods ? consignment.goodsValue : consignment.customsValue
  return assessedValue(consignment, excessShare(isGoods ? lot.goodsValue : lot.customsValue, whole, limit))
}

/** The part of `value` that exceeds the limit when the excess of `whole` is spread by value. */
export function excessShare(value: Exact, whole: Exact, limit: Exact): Exact {
  const over = excess(whole, limit)
  return isZero(over) ? ZERO : times(value, dividedBy(over, whole))
}

function describeRule(consignment: Consignment, lots: readonly Lot[], fitting: FittingThreshold): string {
  const { row } = fitting.threshold
  const origins = givenOrigins(lots)
  const several = row.kind === 'flat_per_item' && origins.length > 1
  return [
    row.kind === 'taxed_excess' ? `it is ${row.reason}` : row.reason,
    describeValue(consignment, fitting),
    ...(several
      ? [`${origins.length} origins (${origins.join(', ')}) count as ${origins.length} items`]
      : []),
    ...(row.recipient === 'individual' && !consignment.isRecipientGiven
      ? ['a sale to a consumer is assumed']
      : []),
  ].join('; ')
}
