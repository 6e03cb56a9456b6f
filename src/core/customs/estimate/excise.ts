/**
 * Excise duties on goods of one code. Items are charged by the rate for their alcoholic strength. An excise whose rates
 * are lower bounds has a line without an amount, with what is due at least.
 * See docs/customs-data.md#excise and docs/decisions/customs.md#d171.
 */

import type { Tax } from '../compiled-customs.ts'
import { dividedBy, type Exact, isZero, plus, sumOf, times, ZERO } from '../exact.ts'
import { type ExciseRate, rateForStrength } from '../tariff/excise-rate.ts'
import { assessedValue, type Consignment } from './consignment.ts'
import { rateAmount } from './duty/measure-amount.ts'
import type { CodedItem } from './goods.ts'
import { strengthOf } from './quantities.ts'
import type { DueTax } from './route.ts'
import {
  chargedLine,
  type ExactLine,
  type ExciseSum,
  joinByName,
  type LineHead,
  notEstimated,
  notEstimatedLine,
  type TaxedGoods,
} from './tax-line.ts'

export const NO_EXCISE: ExciseSum = { amount: ZERO, isComplete: true }

/** The lines of all excise duties on goods. */
export function exciseLines(
  consignment: Consignment,
  { tax, excises }: DueTax,
  taxed: TaxedGoods,
): readonly ExactLine[] {
  const lines: ExactLine[] = []
  for (const bands of excises)
    for (const charge of itemsByRate(taxed, bands))
      if (tax.row.status === 'levied') lines.push(...levied(consignment, tax, taxed, charge))
      else lines.push(lowerBound(consignment, tax, taxed, charge))
  return joinByName(lines)
}

/** The sum of excise lines. */
export function sumExcise(lines: readonly ExactLine[]): ExciseSum {
  return {
    amount: sumOf(lines.map(({ amount }) => amount)),
    isComplete: lines.every((line) => line.computed),
  }
}

/** Items that are charged at one rate. If their strength is not given, it is one of the rates of `bands`. */
type Charge = {
  readonly rate: ExciseRate
  readonly bands: readonly ExciseRate[] | undefined
  readonly items: CodedItem[]
}

function itemsByRate({ goods }: TaxedGoods, bands: readonly ExciseRate[]): readonly Charge[] {
  const charges: Charge[] = []
  for (const { items } of goods.lots)
    for (const coded of items) {
      const found = rateForStrength(bands, strengthOf(coded.item))
      const isStrengthNeeded = found === 'strengthNeeded'
      const rate = isStrengthNeeded ? bands[0] : found
      if (rate === undefined) continue
      const same = charges.find(
        (other) => other.rate === rate && (other.bands !== undefined) === isStrengthNeeded,
      )
      if (same !== undefined) same.items.push(coded)
      else charges.push({ rate, bands: isStrengthNeeded ? bands : undefined, items: [coded] })
    }
  return charges
}

function levied(consignment: Consignment, tax: Tax, taxed: TaxedGoods, charge: Charge): readonly ExactLine[] {
  const { rate, bands, items } = charge
  if (bands !== undefined) {
    const facts = { rate, items, bands }
    const strengthHead = headOf(tax, taxed, items, notEstimated(nameOfAll(bands) ?? tax.row.name))
    return [notEstimatedLine(strengthHead, { kind: 'notCharged', reason: 'exciseStrength', facts })]
  }
  const { name } = rate.row
  const head = headOf(tax, taxed, items, notEstimated(name))
  const base = assessedValue(consignment, head.base)
  const { amount, open } = rateAmount(consignment, rate, items, base)
  const facts = { rate, items, missing: open.length === 0 ? '' : `the part ${open.join(' and ')}` }
  const lines: ExactLine[] = []
  if (amount !== undefined)
    lines.push(chargedLine({ ...head, name, base }, amount, { kind: 'charged', rule: 'excise', facts }))
  if (amount === undefined || open.length > 0) {
    const part = amount === undefined ? head : { ...head, name: `${name}, part not estimated` }
    lines.push(notEstimatedLine(part, { kind: 'notCharged', reason: 'excisePart', facts }))
  }
  return lines
}

/** The name of rates, if it is the same for every strength. Wine above 22% vol may owe a tax on spirits. */
export function nameOfAll([first, ...others]: readonly ExciseRate[]): string | undefined {
  return others.every(({ row }) => row.name === first?.row.name) ? first?.row.name : undefined
}

function lowerBound(consignment: Consignment, tax: Tax, taxed: TaxedGoods, charge: Charge): ExactLine {
  const { rate, items, bands } = charge
  const head = headOf(tax, taxed, items, notEstimated(tax.row.name))
  if (bands !== undefined) {
    const facts = { rate, items, tax: tax.row }
    return notEstimatedLine(head, { kind: 'notCharged', reason: 'exciseBoundStrength', facts })
  }
  const { amount: least } = rateAmount(consignment, rate, items, assessedValue(consignment, head.base))
  const facts = { rate, items, tax: tax.row, least }
  return notEstimatedLine(head, { kind: 'notCharged', reason: 'exciseBound', facts })
}

/** The customs value of the items with their share of the import duty. */
function baseOf({ goods, duty }: TaxedGoods, items: readonly CodedItem[]): Exact {
  const value = sumOf(items.map(({ customsValue }) => customsValue))
  if (isZero(duty.amount) || isZero(goods.customsValue)) return value
  return plus(value, times(duty.amount, dividedBy(value, goods.customsValue)))
}

function headOf(tax: Tax, taxed: TaxedGoods, items: readonly CodedItem[], name: string): LineHead {
  return {
    harmonizedCode: taxed.goods.harmonizedCode,
    kind: tax.row.kind,
    name,
    items: items.map(({ index }) => index),
    base: baseOf(taxed, items),
  }
}
