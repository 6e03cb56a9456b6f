/**
 * Fees of an authority on a consignment. A fee on the whole consignment is listed under the code of the goods that
 * contain the most valuable item. A fee that is waived, too small, or of unknown amount has a line at zero. Goods of an
 * exempt origin do not count towards a share of the value. A fee without an exchange rate is not estimated.
 * See docs/customs-data.md#taxes-fees-and-territories and docs/decisions/customs.md#d202.
 */

import type { Fee } from '../compiled-customs.ts'
import { type ExchangeRate, fromEuro, toEuro } from '../data/exchange-rate.ts'
import type { FeeRow } from '../data/row-types/fees.ts'
import { compare, type Exact, largerOf, plus, smallerOf, sumOf, times, timesWhole, ZERO } from '../exact.ts'
import { originRank } from '../tariff/measure.ts'
import { type Consignment, spread } from './consignment.ts'
import { type CodedItem, countTariffItems, type Goods, type Lot } from './goods.ts'
import { fitsScheme } from './import-schemes/threshold.ts'
import {
  chargedLine,
  type ExactLine,
  type LineHead,
  notEstimated,
  notEstimatedLine,
  nothingDueLine,
} from './tax-line.ts'

export type Fees = {
  readonly lines: readonly ExactLine[]
  /** For each of the goods: the fees that are in the base of taxes, in euro. Empty if there are no fees. */
  readonly inTaxBase: readonly Exact[]
  /** False if a fee that belongs to the base of taxes could not be calculated. */
  readonly isTaxBaseComplete: boolean
}

export const NO_FEES: Fees = { lines: [], inTaxBase: [], isTaxBaseComplete: true }

/** The fees on goods. `isPreferential`: a preference is claimed for all of them. */
export function feesOn(consignment: Consignment, goods: readonly Goods[], isPreferential: boolean): Fees {
  const fees = consignment.route.fees.filter(
    ({ fee, rate }) => isFeeDue(consignment, fee, rate) && fitsScheme(fee.row, consignment.importScheme),
  )
  const leading = fees.length === 0 ? undefined : leadingGoods(goods)
  if (leading === undefined) return NO_FEES
  const whole = wholeConsignment(goods, leading)
  const lines: ExactLine[] = []
  let inTaxBase = goods.map(() => ZERO)
  let isTaxBaseComplete = true
  for (const { fee, rate } of fees) {
    if (rate === undefined && isListed(lines, fee.row)) continue
    const liable = liableLots(consignment, fee.row, goods)
    const countsUnverified = consignment.bound === 'most'
    const added = chargeOrWaive(fee, rate, { goods, liable, whole, isPreferential, countsUnverified })
    lines.push(...added)
    if (!fee.row.inTaxBase) continue
    inTaxBase = addToBase(inTaxBase, added, fee, liable)
    isTaxBaseComplete &&= added.every(({ computed }) => computed)
  }
  return { lines, inTaxBase, isTaxBaseComplete }
}

/** Whether another row of a fee is listed without an exchange rate. Rows of one fee often differ in the value only. */
function isListed(lines: readonly ExactLine[], { jurisdiction, fee }: FeeRow): boolean {
  return lines.some(
    ({ calculation }) =>
      calculation.kind === 'notCharged' &&
      calculation.reason === 'feeUnconvertible' &&
      calculation.facts.row.jurisdiction === jurisdiction &&
      calculation.facts.row.fee === fee,
  )
}

/** The goods that a fee may be due on, and what decides about it. */
type ChargedGoods = {
  readonly goods: readonly Goods[]
  readonly liable: readonly LiableGoods[]
  readonly whole: FeeSubject
  readonly isPreferential: boolean
  /** Whether a fee that is not verified is charged. */
  readonly countsUnverified: boolean
}

function chargeOrWaive(
  fee: Fee,
  rate: ExchangeRate | undefined,
  subject: ChargedGoods,
): readonly ExactLine[] {
  const { goods, liable, whole, isPreferential } = subject
  if (fee.row.waivedByPreference && isPreferential) return [waivedLine(whole, fee.row, 'feePreference')]
  if (liable === goods) return feeLines(fee, rate, subject)
  const part = liable.filter(({ lots }) => lots.length > 0)
  const leading = leadingGoods(part)
  if (leading === undefined) return [waivedLine(whole, fee.row, 'feeExemptOrigin')]
  return feeLines(fee, rate, { ...subject, whole: wholeConsignment(part, leading) })
}

/** The part of goods that owes a fee. Without lots, nothing of them does. */
type LiableGoods = Pick<Goods, 'harmonizedCode' | 'lots' | 'items' | 'customsValue'>

/** For each of the goods: the lots that owe a fee. The same array if no origin is exempt. */
function liableLots(
  consignment: Consignment,
  { exemptOrigins }: FeeRow,
  goods: readonly Goods[],
): readonly LiableGoods[] {
  if (exemptOrigins.length === 0 || !consignment.claimsPreferences) return goods
  const { originGroups } = consignment.tables
  const isExempt = ({ origin }: Lot): boolean =>
    origin !== '' && exemptOrigins.some((named) => originRank(originGroups, named, origin) > 0)
  if (!goods.some(({ lots }) => lots.some(isExempt))) return goods
  return goods.map(({ harmonizedCode, lots }) => {
    const liable = lots.filter((lot) => !isExempt(lot))
    return {
      harmonizedCode,
      lots: liable,
      items: liable.flatMap(({ items }) => items.map(({ index }) => index)).sort((a, b) => a - b),
      customsValue: sumOf(liable.map((lot) => lot.customsValue)),
    }
  })
}

/** The goods of the most valuable item. If several items have the same value, those of the first. */
function leadingGoods(goods: readonly LiableGoods[]): LiableGoods | undefined {
  let leading: LiableGoods | undefined
  let first: CodedItem | undefined
  for (const candidate of goods)
    for (const { items } of candidate.lots)
      for (const item of items) {
        const difference = first === undefined ? 1 : compare(item.goodsValue, first.goodsValue)
        if (difference < 0 || (difference === 0 && first !== undefined && first.index < item.index)) continue
        leading = candidate
        first = item
      }
  return leading
}

/**
 * Whether a fee of the route applies to the recipient and the value. Without an exchange rate, any value may be due.
 */
export function isFeeDue(
  consignment: Consignment,
  { row, valueAbove, valueUpTo }: Fee,
  rate: ExchangeRate | undefined,
): boolean {
  if (row.recipient !== 'any' && row.recipient !== consignment.recipient) return false
  if (rate === undefined) return true
  const value = fromEuro(consignment.goodsValue, rate)
  if (valueAbove !== undefined && compare(value, valueAbove) <= 0) return false
  return valueUpTo === undefined || compare(value, valueUpTo) <= 0
}

function feeLines(
  fee: Fee,
  rate: ExchangeRate | undefined,
  { goods, whole, countsUnverified }: ChargedGoods,
): readonly ExactLine[] {
  const { row } = fee
  if (!row.enabled && !countsUnverified) return [unknownLine(whole, row, 'feeUnverified')]
  if (row.paidByCarrier) return [waivedLine(whole, row, 'feeByCarrier')]
  if (rate === undefined) return [unknownLine(whole, row, 'feeUnconvertible')]
  if (row.kind === 'per_line' && row.status === 'levied')
    return goods.map(({ harmonizedCode, items, customsValue }, index) => {
      const subject = { harmonizedCode, items, base: customsValue }
      const count = countTariffItems(goods, index, row.itemDigits)
      if (count === 0) return waivedLine(subject, row, 'feeOnOtherGoods')
      return feeLine(subject, row, rate, timesWhole(fee.amount, count))
    })
  if (row.status === 'not_estimated') return [unknownLine(whole, row, 'feeNotEstimated')]
  const amount = row.kind === 'share_of_value' ? shareOf(fee, fromEuro(whole.base, rate)) : fee.amount
  if (fee.notLeviedBelow !== undefined && compare(amount, fee.notLeviedBelow) < 0)
    return [waivedLine(whole, row, 'feeBelowMinimum')]
  return [feeLine(whole, row, rate, amount)]
}

/** In the currency of the fee. */
function shareOf({ rate, minimum, maximum }: Fee, value: Exact): Exact {
  const share = times(value, rate)
  const raised = minimum === undefined ? share : largerOf(share, minimum)
  return maximum === undefined ? raised : smallerOf(raised, maximum)
}

/** The goods that a line of a fee is for. */
type FeeSubject = Pick<ExactLine, 'harmonizedCode' | 'items' | 'base'>

function wholeConsignment(goods: readonly LiableGoods[], { harmonizedCode }: LiableGoods): FeeSubject {
  const items: number[] = []
  let base = ZERO
  for (const part of goods) {
    for (const item of part.items) items.push(item)
    base = plus(base, part.customsValue)
  }
  return { harmonizedCode, items, base }
}

/** `amount` is in the currency of the fee. */
function feeLine(subject: FeeSubject, row: FeeRow, rate: ExchangeRate, amount: Exact): ExactLine {
  const euro = toEuro(amount, rate)
  return chargedLine(headOf(subject, row.name), euro, {
    kind: 'charged',
    rule: 'fee',
    facts: { row, rate },
  })
}

function waivedLine(
  subject: FeeSubject,
  row: FeeRow,
  reason: 'feePreference' | 'feeExemptOrigin' | 'feeBelowMinimum' | 'feeByCarrier' | 'feeOnOtherGoods',
): ExactLine {
  return nothingDueLine(headOf(subject, row.name), { kind: 'notCharged', reason, facts: { row } })
}

function unknownLine(
  subject: FeeSubject,
  row: FeeRow,
  reason: 'feeNotEstimated' | 'feeUnconvertible' | 'feeUnverified',
): ExactLine {
  const head = headOf(subject, notEstimated(row.name))
  return notEstimatedLine(head, { kind: 'notCharged', reason, facts: { row } })
}

function headOf({ harmonizedCode, items, base }: FeeSubject, name: string): LineHead {
  return { harmonizedCode, kind: 'FEE', name, items, base }
}

/** Adds a fee to the tax base of the goods. A fee per line is added to its goods; any other is spread by value. */
function addToBase(
  base: readonly Exact[],
  lines: readonly ExactLine[],
  { row }: Fee,
  goods: readonly LiableGoods[],
): Exact[] {
  const amounts = lines.map((line) => line.amount)
  const values = goods.map(({ customsValue }) => customsValue)
  const parts =
    row.kind === 'per_line' && lines.length === goods.length
      ? amounts
      : spread(sumOf(amounts), values, sumOf(values))
  return base.map((amount, index) => plus(amount, parts[index] ?? ZERO))
}
