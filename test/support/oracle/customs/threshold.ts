/**
 * Oracle for estimates, low-value rules: which rule replaces duties or taxes, what it charges, and whether an amount is
 * levied at all. Rules: docs/customs-data.md#how-an-estimate-is-calculated and #import-schemes;
 * docs/customs-data.md#duties and #taxes-fees-and-territories; docs/decisions/customs.md#d180 and D202.
 */
import type { FeeRow } from '../../../../src/core/customs/data/row-types/fees.ts'
import type { ImportScheme, ThresholdRow } from '../../../../src/core/customs/data/row-types/thresholds.ts'
import type { GivenScheme } from '../../../../src/core/customs/request.ts'
import { type Consignment, cutToUnit, type Goods, inEuro, unitsPerEuro } from './case.ts'
import { holds } from './code.ts'
import {
  compare,
  decimal,
  type Fraction,
  fraction,
  greater,
  isZero,
  minus,
  multipleOf,
  ONE,
  ppm,
  shareOf,
  times,
  ZERO,
} from './fraction.ts'
import { oppositeCase, schemeOfDestination, usedScheme } from './seller-scheme.ts'

const ON_AMOUNT = ['not_levied_up_to', 'not_levied_below']

/** The first rule on a value, in file order, that fits the goods. */
export function valueThreshold(
  consignment: Consignment,
  appliesTo: 'duty' | 'tax',
  goods: Goods,
): ThresholdRow | undefined {
  const scheme = importScheme(consignment)
  return rulesOf(consignment, appliesTo).find(
    (row) =>
      !ON_AMOUNT.includes(row.kind) &&
      rateOf(consignment, row) !== undefined &&
      fitsScheme(row, scheme) &&
      fitsGoods(consignment, row, goods),
  )
}

/**
 * True if a rule without an exchange rate could change the charges on goods: it precedes the rule that applies, or
 * compares the amount due. `charged`: without it, euro.
 */
export function isRuleLeftOut(
  consignment: Consignment,
  appliesTo: 'duty' | 'tax',
  goods: Goods,
  charged: Fraction,
  isPreferential: boolean,
): boolean {
  const rules = rulesOf(consignment, appliesTo)
  const applied = valueThreshold(consignment, appliesTo, goods)
  const scheme = importScheme(consignment)
  return rules.some((row, index) => {
    if (rateOf(consignment, row) !== undefined || !fitsScheme(row, scheme)) return false
    if (!fitsGoods(consignment, row, goods) || (row.yieldsToPreference && isPreferential)) return false
    const isOnAmount = ON_AMOUNT.includes(row.kind)
    if (isZero(charged) && (isOnAmount || (row.kind === 'relief_up_to' && !row.replacesTaxes))) return false
    return isOnAmount || applied === undefined || index < rules.indexOf(applied)
  })
}

/** Units of the rule's currency for one euro; any for a rule without amounts. Undefined without an exchange rate. */
function rateOf({ rows, date }: Consignment, row: ThresholdRow): Fraction | undefined {
  const hasAmounts = `${row.limitAmount}${row.flatAmount}${row.deductAmount}` !== ''
  return unitsPerEuro(rows, row.currency, date) ?? (hasAmounts ? undefined : ONE)
}

/** True for any value without an exchange rate. */
function fitsGoods(consignment: Consignment, row: ThresholdRow, { code }: Goods): boolean {
  const { includedPrefixes, excludedPrefixes } = row
  if (includedPrefixes.length > 0 && !includedPrefixes.some((one) => code.startsWith(one))) return false
  if (excludedPrefixes.some((one) => code.startsWith(one))) return false
  if (rateOf(consignment, row) === undefined) return true
  if (row.kind === 'taxed_excess' || row.limitAmount === '' || ON_AMOUNT.includes(row.kind)) return true
  return compare(comparedValue(consignment, row), decimal(row.limitAmount)) <= 0
}

export function fitsScheme(
  { importSchemes }: Pick<ThresholdRow, 'importSchemes'>,
  scheme: ImportScheme | undefined,
): boolean {
  return importSchemes.length === 0 || importSchemes.some((one) => one === scheme)
}

/**
 * As given; otherwise the first scheme of the rules that depend on it and fit the goods. Rules on duty come first. A
 * scheme of sellers that does not cover the goods, or is not used, counts as not given, and is not assumed.
 */
export function importScheme(consignment: Consignment): ImportScheme | undefined {
  const { importScheme: given } = consignment.request
  const ofDestination = schemeOfDestination(consignment)?.scheme
  // Low-value rules know only one of the schemes under which the seller collects the tax.
  const scheme = given === 'SELLER_COLLECTS' ? (ofDestination === 'IOSS' ? 'IOSS' : undefined) : given
  const isUseful = (one: string): boolean =>
    isPossible(consignment, one) && (one !== ofDestination || usedScheme(consignment) !== undefined)
  if (scheme !== undefined && isUseful(scheme)) return scheme
  const named = rulesByScheme(consignment).flatMap(({ importSchemes }) => importSchemes)
  return named.find(isUseful) as ImportScheme | undefined
}

/** False for a scheme of sellers that the destination does not have, or that covers none of the goods. */
function isPossible(consignment: Consignment, scheme: string): boolean {
  if (consignment.rows.sellerSchemes.every((row) => row.scheme !== scheme)) return true
  return schemeOfDestination(consignment)?.scheme === scheme && oppositeCase(consignment) !== undefined
}

/** The first scheme under which other rules apply, or else the one that decides whether the seller collects the tax. */
export function otherScheme(consignment: Consignment): GivenScheme | undefined {
  const scheme = importScheme(consignment)
  const rules = rulesByScheme(consignment)
  const others = (['IOSS', 'POSTAL', 'COURIER', 'STANDARD_DECLARATION'] as const).filter(
    (other) =>
      isPossible(consignment, other) &&
      rules.some((row) => fitsScheme(row, other) !== fitsScheme(row, scheme)),
  )
  const named = rules.flatMap(({ importSchemes }) => importSchemes)
  return others.find((other) => named.includes(other)) ?? others[0] ?? oppositeCase(consignment)
}

/** Low-value rules, then fees. */
function rulesByScheme(consignment: Consignment): readonly (ThresholdRow | FeeRow)[] {
  const { movement, goods } = consignment
  if (movement === 'inside') return []
  const kinds = movement === 'import' ? (['duty', 'tax'] as const) : (['tax'] as const)
  const rules = kinds.flatMap((appliesTo) =>
    rulesOf(consignment, appliesTo).filter(
      (row) => row.importSchemes.length > 0 && goods.some((one) => fitsGoods(consignment, row, one)),
    ),
  )
  if (movement !== 'import' || goods.length === 0) return rules
  return [...rules, ...feesOnRoute(consignment).filter((row) => row.importSchemes.length > 0)]
}

/** The fees of the customs area and of the jurisdiction that fit day, recipient and value, under any scheme. */
export function feesOnRoute(consignment: Consignment): readonly FeeRow[] {
  const { rows, area, to, request, date, goodsValue } = consignment
  const fees = [
    ...rows.fees.filter((row) => row.jurisdiction === area && area !== to.code),
    ...rows.fees.filter((row) => row.jurisdiction === to.code),
  ]
  return fees.filter((row) => {
    if (!holds(row, date)) return false
    if (row.recipient !== 'any' && row.recipient !== (request.recipient ?? 'individual')) return false
    if (lacksRate(consignment, row)) return true
    const bound = (text: string): Fraction => inEuro(consignment, text, row.currency)!
    if (row.valueAbove !== '' && compare(goodsValue, bound(row.valueAbove)) <= 0) return false
    return row.valueUpTo === '' || compare(goodsValue, bound(row.valueUpTo)) <= 0
  })
}

/** False for a fee without amounts, which needs no exchange rate. */
export function lacksRate(consignment: Consignment, row: FeeRow): boolean {
  const { amount, minimum, maximum, notLeviedBelow, valueAbove, valueUpTo, currency } = row
  const hasAmounts = [amount, minimum, maximum, notLeviedBelow, valueAbove, valueUpTo].some(
    (one) => one !== '',
  )
  return hasAmounts && inEuro(consignment, '1', currency) === undefined
}

/** True if the goods are sent from a country, customs area or group of this name. */
export function isSentFrom({ rows, request, from }: Consignment, name: string): boolean {
  const { country } = request.from
  return (
    name === country ||
    from.customsAreas.includes(name) ||
    rows.originGroups.some((row) => row.originGroup === name && row.country === country)
  )
}

/** Enabled rules that fit day, recipient and sender. */
function rulesOf(consignment: Consignment, appliesTo: 'duty' | 'tax'): readonly ThresholdRow[] {
  const { rows, request, date, to, area } = consignment
  return rows.thresholds.filter(
    (row) =>
      row.enabled &&
      row.appliesTo === appliesTo &&
      row.jurisdiction === (appliesTo === 'duty' ? area : to.code) &&
      holds(row, date) &&
      (row.recipient === 'any' || row.recipient === (request.recipient ?? 'individual')) &&
      (row.sentFrom.length === 0 || row.sentFrom.some((name) => isSentFrom(consignment, name))),
  )
}

function wholeValue(consignment: Consignment, { valueBasis }: ThresholdRow): Fraction {
  return valueBasis === 'goods' ? consignment.goodsValue : consignment.customsValue
}

function comparedValue(consignment: Consignment, row: ThresholdRow): Fraction {
  const rate = unitsPerEuro(consignment.rows, row.currency, consignment.date)!
  return times(wholeValue(consignment, row), rate)
}

/** The goods' share of the value above the limit, in euro. */
export function excessOf(consignment: Consignment, row: ThresholdRow, goods: Goods): Fraction {
  const whole = wholeValue(consignment, row)
  const limit = row.limitAmount === '' ? ZERO : inEuro(consignment, row.limitAmount, row.currency)!
  const value = row.valueBasis === 'goods' ? goods.goodsValue : goods.customsValue
  const excess = greater(ZERO, minus(whole, limit))
  return whole.n === 0n ? ZERO : shareOf(excess, value, whole, 1)
}

/** What a rule charges on goods instead of the tariff. `ruled`: all goods that it applies to. */
export function thresholdCharge(
  consignment: Consignment,
  row: ThresholdRow,
  goods: Goods,
  ruled: readonly Goods[],
): { readonly amount: Fraction; readonly base: Fraction } {
  switch (row.kind) {
    case 'flat_per_item': {
      const amount = inEuro(consignment, row.flatAmount, row.currency)!
      return {
        amount: times(amount, fraction(timesCounted(goods, ruled, row.itemDigits))),
        base: goods.customsValue,
      }
    }
    case 'flat_rate': {
      const base = cutToUnit(consignment, goods.customsValue)
      const less = row.deductAmount === '' ? ZERO : inEuro(consignment, row.deductAmount, row.currency)!
      const whole = consignment.customsValue
      const deduction = whole.n === 0n ? ZERO : shareOf(less, goods.customsValue, whole, 1)
      return { amount: greater(ZERO, minus(times(base, ppm(row.ratePpm ?? 0)), deduction)), base }
    }
    case 'taxed_excess': {
      const base = cutToUnit(consignment, excessOf(consignment, row, goods))
      return { amount: times(base, ppm(row.ratePpm ?? 0)), base }
    }
    case 'relief_up_to':
    case 'not_levied_up_to':
    case 'not_levied_below':
      return { amount: ZERO, base: goods.customsValue }
  }
}

/**
 * 1 for each given origin of a code, or of codes that share `digits`. Goods without an origin count only if their code
 * has no other.
 */
export function timesCounted(goods: Goods, ruled: readonly Goods[], digits: number | null): number {
  const item = (code: string): string => (digits === null ? code : code.slice(0, digits))
  const sameCode = ruled
    .filter(({ code }) => item(code) === item(goods.code))
    .toSorted((a, b) => Number(a.code > b.code) - Number(a.code < b.code))
  const named = sameCode.filter(({ origin }) => origin !== undefined)
  const counted = named.length === 0 ? sameCode.slice(0, 1) : named
  return counted.find(({ origin }) => origin === goods.origin) === goods ? 1 : 0
}

/** True if a rule on amounts waives this amount (euro). */
export function isNotLevied(consignment: Consignment, appliesTo: 'duty' | 'tax', euro: Fraction): boolean {
  const scheme = importScheme(consignment)
  return rulesOf(consignment, appliesTo)
    .filter((row) => ON_AMOUNT.includes(row.kind) && fitsScheme(row, scheme))
    .filter((row) => rateOf(consignment, row) !== undefined)
    .some((row) => isTooLittle(consignment, row, euro))
}

function isTooLittle(consignment: Consignment, row: ThresholdRow, euro: Fraction): boolean {
  const { roundingMode, currency } = consignment.to
  const roundingUnit = row.currency === currency ? consignment.to.roundingUnit : ''
  const unit = roundingUnit === '' ? fraction(1, 100) : decimal(roundingUnit)
  const amount = times(euro, unitsPerEuro(consignment.rows, row.currency, consignment.date) ?? ONE)
  const rounded = multipleOf(amount, unit, roundingUnit === '' ? 'half_up' : roundingMode)
  const difference = compare(rounded, decimal(row.limitAmount))
  return row.kind === 'not_levied_up_to' ? difference <= 0 : difference < 0
}
