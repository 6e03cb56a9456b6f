/**
 * Low-value rules: selects the rule for goods in a consignment, and calculates its charge. The first rule that is in
 * force and matches recipient, sender, value and code applies. Limits are inclusive and are compared exactly, in their
 * own currency. A rule whose currency has no exchange rate cannot be applied; unconvertible-rule.ts adds a line for it.
 * See docs/customs-data.md#how-an-estimate-is-calculated and the rows of `thresholds` in docs/customs-files.md.
 */

import type { Threshold } from '../../compiled-customs.ts'
import { type ExchangeRate, fromEuro, toEuro } from '../../data/exchange-rate.ts'
import type { ImportScheme, ThresholdRow } from '../../data/row-types/thresholds.ts'
import {
  compare,
  dividedBy,
  type Exact,
  excess,
  isZero,
  sumOf,
  times,
  timesWhole,
  ZERO,
} from '../../exact.ts'
import { amountCharged, assessedValue, type Consignment, type SchemeRule } from '../consignment.ts'
import type { Lot } from '../goods.ts'
import type { RouteRule } from '../route.ts'

/** A rule that applies to the consignment. It may not cover all of its goods; see `thresholdFor`. */
export type FittingThreshold = {
  readonly threshold: Threshold
  /** Of the rule's currency. */
  readonly rate: ExchangeRate
  /** In euro; absent if the rule has no limit. */
  readonly limit?: Exact
}

/** A rule that may apply to the consignment. Its currency has no exchange rate. */
export type UnconvertibleThreshold = { readonly threshold: Threshold; readonly rate: undefined }

/** The rules that apply or may apply to a consignment, in the order of the table. */
export type CandidateThresholds = readonly (FittingThreshold | UnconvertibleThreshold)[]

const NO_THRESHOLDS: readonly FittingThreshold[] = []

/**
 * The low-value rules for duty or for tax that apply to the value of the consignment, in the order of the table, among
 * them all rules without an exchange rate. Rules on the amount due are otherwise left out; see `findAmountThreshold`.
 */
export function fittingThresholds(
  consignment: Consignment,
  appliesTo: ThresholdRow['appliesTo'],
): CandidateThresholds {
  const rules = rulesOf(consignment, appliesTo)
  if (rules.length === 0) return NO_THRESHOLDS
  const fitting: (FittingThreshold | UnconvertibleThreshold)[] = []
  for (const { threshold, rate } of rules) {
    const { row, limit } = threshold
    if (!fitsImport(consignment, row)) continue
    if (rate === undefined) fitting.push({ threshold, rate })
    else if (isOnAmount(row)) continue
    else if (limit === undefined) fitting.push({ threshold, rate })
    else if (isWithin(consignment, row, limit, rate))
      fitting.push({ threshold, rate, limit: toEuro(limit, rate) })
  }
  return fitting
}

/** The rules of the route. The lowest total also counts those that are not verified. */
function rulesOf({ route, bound }: Consignment, appliesTo: ThresholdRow['appliesTo']): readonly RouteRule[] {
  const rules = route.rules[appliesTo]
  return bound === 'least' ? [...rules, ...route.unverified[appliesTo]] : rules
}

/** A rule on the excess applies at any value: up to its limit the excess is zero. */
export function isWithin(
  consignment: Consignment,
  row: ThresholdRow,
  limit: Exact,
  rate: ExchangeRate,
): boolean {
  return row.kind === 'taxed_excess' || compare(fromEuro(comparedValue(consignment, row), rate), limit) <= 0
}

/** The value of the consignment that a rule compares with its limit, in euro. */
export function comparedValue(consignment: Consignment, row: ThresholdRow): Exact {
  return row.valueBasis === 'goods' ? consignment.goodsValue : consignment.customsValue
}

/** True for a rule that compares the amount due, not the value of the goods. */
export function isOnAmount({ kind }: ThresholdRow): boolean {
  return kind === 'not_levied_up_to' || kind === 'not_levied_below'
}

/** Whether a rule of the route applies to the recipient and the import scheme. */
function fitsImport(consignment: Consignment, row: ThresholdRow): boolean {
  return fitsRecipient(consignment, row) && fitsScheme(row, consignment.importScheme)
}

export function fitsRecipient({ recipient }: Consignment, row: Pick<ThresholdRow, 'recipient'>): boolean {
  return row.recipient === 'any' || row.recipient === recipient
}

/** A rule that depends on the scheme does not apply if the scheme is not known. */
export function fitsScheme({ importSchemes }: SchemeRule, scheme: ImportScheme | undefined): boolean {
  return importSchemes.length === 0 || (scheme !== undefined && importSchemes.includes(scheme))
}

/** The first of the rules that covers goods of a code and has an exchange rate. */
export function thresholdFor(
  fitting: CandidateThresholds,
  harmonizedCode: string,
): FittingThreshold | undefined {
  for (const rule of fitting)
    if (rule.rate !== undefined && coversCode(rule.threshold.row, harmonizedCode)) return rule
  return undefined
}

export function coversCode(
  { includedPrefixes, excludedPrefixes }: ThresholdRow,
  harmonizedCode: string,
): boolean {
  if (includedPrefixes.length > 0 && !beginsWithOne(harmonizedCode, includedPrefixes)) return false
  return !beginsWithOne(harmonizedCode, excludedPrefixes)
}

export function beginsWithOne(code: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => code.startsWith(prefix))
}

/**
 * The charge of a rule on lots of one code, and the base of its percentage. Euro, unrounded. `itemCount`: the number of
 * tariff items, for a rule per item.
 */
export function thresholdAmount(
  consignment: Consignment,
  lots: readonly Lot[],
  { threshold, rate, limit }: FittingThreshold,
  itemCount: number,
): { readonly amount: Exact; readonly base: Exact } {
  const { row } = threshold
  switch (row.kind) {
    case 'relief_up_to':
    case 'not_levied_up_to':
    case 'not_levied_below':
      return { amount: ZERO, base: lotsValue(lots) }
    case 'flat_per_item':
      return {
        amount: toEuro(timesWhole(threshold.flat, itemCount), rate),
        base: lotsValue(lots),
      }
    case 'flat_rate':
      return flatRate(consignment, threshold, rate, lots)
    case 'taxed_excess': {
      const base = sumOf(lots.map((lot) => lotExcess(consignment, lot, row, limit ?? ZERO)))
      return { amount: times(base, threshold.rate), base }
    }
  }
}

function lotsValue(lots: readonly Lot[]): Exact {
  return sumOf(lots.map((lot) => lot.customsValue))
}

/** A share of the value, less a deduction for the whole consignment that is spread by value. */
function flatRate(
  consignment: Consignment,
  threshold: Threshold,
  exchange: ExchangeRate,
  lots: readonly Lot[],
): { readonly amount: Exact; readonly base: Exact } {
  const { rate } = threshold
  const bases = lots.map((lot) => lot.assessedValue)
  const base = sumOf(bases)
  const deductions = spreadDeduction(consignment, threshold, exchange, lots)
  if (deductions === undefined) return { amount: times(base, rate), base }
  const amount = sumOf(bases.map((value, index) => excess(times(value, rate), deductions[index] ?? ZERO)))
  return { amount, base }
}

/** The part of a rule's deduction that falls to each lot, in euro; undefined if nothing is deducted. */
export function spreadDeduction(
  consignment: Consignment,
  { deduct }: Threshold,
  rate: ExchangeRate,
  lots: readonly Lot[],
): readonly Exact[] | undefined {
  if (isZero(deduct) || isZero(consignment.customsValue)) return undefined
  const share = dividedBy(toEuro(deduct, rate), consignment.customsValue)
  return lots.map((lot) => times(lot.customsValue, share))
}

function lotExcess(consignment: Consignment, lot: Lot, row: ThresholdRow, limit: Exact): Exact {
  const value = row.valueBasis === 'goods' ? lot.goodsValue : lot.customsValue
  return assessedValue(consignment, excessShare(value, comparedValue(consignment, row), limit))
}

/** Spreads the excess of `whole` over the limit by value, and returns the part for `value`. */
export function excessShare(value: Exact, whole: Exact, limit: Exact): Exact {
  const over = excess(whole, limit)
  return isZero(over) ? ZERO : times(value, dividedBy(over, whole))
}

/**
 * The rules that are not verified and would apply to goods of a code if they were in force. `due`: the charge without
 * them, in euro; undefined if it is not known. A rule has no effect on a charge of zero.
 */
export function unverifiedRules(
  consignment: Consignment,
  appliesTo: ThresholdRow['appliesTo'],
  harmonizedCode: string,
  due: Exact | undefined,
): readonly ThresholdRow[] {
  if (due !== undefined && isZero(due)) return []
  return consignment.route.unverified[appliesTo].flatMap(({ threshold: { row, limit }, rate }) => {
    if (!fitsImport(consignment, row) || !coversCode(row, harmonizedCode)) return []
    if (limit === undefined || rate === undefined) return [row]
    const isFitting = isOnAmount(row)
      ? due === undefined || compare(fromEuro(due, rate), limit) <= 0
      : isWithin(consignment, row, limit, rate)
    return isFitting ? [row] : []
  })
}

/** A rule under which the total due is too little to be levied. `charged` is that total in the currency of `rate`. */
export type AmountThreshold = {
  readonly row: ThresholdRow
  readonly charged: Exact
  readonly rate: ExchangeRate
}

/** `total` (in euro) is called only if there is such a rule. It is converted and rounded before it is compared. */
export function findAmountThreshold(
  consignment: Consignment,
  appliesTo: ThresholdRow['appliesTo'],
  total: () => Exact,
): AmountThreshold | undefined {
  for (const { threshold, rate } of rulesOf(consignment, appliesTo)) {
    const { row, limit } = threshold
    if (!isOnAmount(row) || limit === undefined || rate === undefined || !fitsImport(consignment, row))
      continue
    const charged = amountCharged(consignment, total(), rate)
    const difference = compare(charged, limit)
    if (difference > 0 || (difference === 0 && row.kind === 'not_levied_below')) continue
    return { row, charged, rate }
  }
  return undefined
}
