/**
 * Low-value rules: which one holds for goods in a consignment of a given value. Decided here: the first rule in
 * force that fits recipient, sender and code; a limit is inclusive and is compared in its own currency, exactly.
 * Source: the threshold rows; EU rules of 2026-07-01; decision 14 of the README.
 */
import { isInForce } from '../validity.ts'
import { amountCharged, type Consignment } from './consignment.ts'
import { compare, type Exact } from './exact.ts'
import {
  describeExchangeRate,
  type ExchangeRate,
  findExchangeRate,
  fromEuro,
  toEuro,
} from './exchange-rate.ts'
import type { ThresholdRow } from './reference/reference-rows.ts'
import type { Threshold } from './tables.ts'
import { formatMoney } from './tax-line.ts'

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
