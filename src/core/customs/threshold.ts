/**
 * Low-value rules: which one holds for goods in a consignment of a given value. Decided here: the first rule in
 * force that fits the recipient and does not exclude the code; a limit is inclusive and is compared in its own
 * currency, exactly. Source: the threshold rows; EU rules of 2026-07-01; decision 14 of the README.
 */

import { isInForce } from '../validity.ts'
import { compare, type Exact, roundToUnit } from './exact.ts'
import {
  describeExchangeRate,
  type ExchangeRate,
  findExchangeRate,
  fromEuro,
  toEuro,
} from './exchange-rate.ts'
import type { CustomsTables, Threshold } from './tables.ts'
import { formatEuro, formatMoney } from './tax-line.ts'

/** A consignment, as low-value rules look at it. */
export type Consignment = {
  readonly value: Exact
  readonly date: string
  readonly recipient: 'individual' | 'business'
}

/** A rule that holds, and what a description says of it. */
export type AppliedThreshold = {
  readonly threshold: Threshold
  readonly limit: Exact
  readonly remark: string
}

/** A rule and the rate its limit is converted at. */
type Candidate = { readonly threshold: Threshold; readonly rate: ExchangeRate }

function candidates(
  tables: CustomsTables,
  key: string,
  harmonizedCode: string,
  { date, recipient }: Consignment,
): readonly Candidate[] {
  return (tables.thresholds.get(key) ?? []).flatMap((threshold) => {
    const rate = findExchangeRate(tables.exchangeRates, threshold.currency, date)
    const fits = threshold.recipient === 'any' || threshold.recipient === recipient
    const excluded = threshold.excludedPrefixes.some((prefix) => harmonizedCode.startsWith(prefix))
    return rate !== undefined && fits && !excluded && isInForce(threshold, date) ? [{ threshold, rate }] : []
  })
}

/**
 * The rule on the value of the consignment that holds for goods; `key` is a jurisdiction and what is looked for
 * ("EU duty"). A rule on the excess holds at any value, the others up to their limit. `limit` is in euro.
 */
export function findValueThreshold(
  tables: CustomsTables,
  key: string,
  harmonizedCode: string,
  consignment: Consignment,
): AppliedThreshold | undefined {
  for (const { threshold, rate } of candidates(tables, key, harmonizedCode, consignment)) {
    if (threshold.kind === 'not_levied_up_to') continue
    const value = fromEuro(consignment.value, rate)
    if (threshold.kind !== 'taxed_excess' && compare(value, threshold.limit) > 0) continue
    const limit = toEuro(threshold.limit, rate)
    return { threshold, limit, remark: describeConsignment(consignment.value, value, rate) }
  }
  return undefined
}

function describeConsignment(euro: Exact, value: Exact, rate: ExchangeRate): string {
  if (rate.currency === 'EUR') return `this one is worth ${formatEuro(euro)}`
  return `this one is worth ${formatMoney(value, rate.currency)}${describeExchangeRate(rate)}`
}

/**
 * The rule under which a tax is not levied because all of it together is too little. The amount is first rounded
 * to what the currency is charged in (`roundingUnit`, empty: a hundredth), as the authority does.
 */
export function findAmountThreshold(
  tables: CustomsTables,
  jurisdiction: { readonly code: string; readonly unit: Exact },
  amount: Exact,
  consignment: Consignment,
): AppliedThreshold | undefined {
  for (const { threshold, rate } of candidates(tables, `${jurisdiction.code} tax`, '', consignment)) {
    if (threshold.kind !== 'not_levied_up_to') continue
    const charged = roundToUnit(fromEuro(amount, rate), jurisdiction.unit)
    if (compare(charged, threshold.limit) > 0) continue
    const remark = `it comes to ${formatMoney(charged, rate.currency)}${describeExchangeRate(rate)}`
    return { threshold, limit: threshold.limit, remark }
  }
  return undefined
}
