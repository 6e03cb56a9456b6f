/**
 * Fees of an authority on a consignment. Decided here: a fee on the whole stands under the code of the goods of
 * the greatest value; one whose amount is not known gets a line at zero that says so.
 * Source: the fee rows; design note on customs.
 */
import { isInForce } from '../../validity.ts'
import {
  describeExchangeRate,
  type ExchangeRate,
  findExchangeRate,
  fromEuro,
  toEuro,
} from '../data/exchange-rate.ts'
import type { FeeRow } from '../data/rows.ts'
import { compare, type Exact, largerOf, plus, smallerOf, sumOf, times, timesWhole, ZERO } from '../exact.ts'
import type { Fee } from '../tables.ts'
import { Charge, EmptyCharge } from './charge.ts'
import { type Consignment, customsAreaOf } from './consignment.ts'
import { spread } from './customs-value.ts'
import { percentOf } from './duty-charge.ts'
import { type CodedItem, countedOrigins, type Goods } from './goods.ts'
import { describeDataSet, formatEuro, type LineSource, notEstimated, sentences } from './tax-line.ts'

/** The fees of a consignment. */
export type Fees = {
  readonly charges: readonly Charge[]
  /** What of them is in the base of taxes, for each of the goods. */
  readonly inTaxBase: readonly Exact[]
}

/** Works out the fees; `isPreferential`: a preference is claimed for all goods. */
export function feesOn(consignment: Consignment, goods: readonly Goods[], isPreferential: boolean): Fees {
  const fees = feesOf(consignment)
  const leading = fees.length === 0 ? undefined : leadingGoods(goods)
  if (leading === undefined) return { charges: [], inTaxBase: [] }
  const charges: Charge[] = []
  let inTaxBase = goods.map(() => ZERO)
  for (const fee of fees) {
    const rate = applies(consignment, fee) ? rateOf(consignment, fee) : undefined
    if (rate === undefined) continue
    const isWaived = fee.row.waivedByPreference && isPreferential
    const added = isWaived
      ? [spared(consignment, fee.row, goods, leading, 'a preference is claimed for all goods')]
      : chargesOf(consignment, fee, rate, goods, leading)
    charges.push(...added)
    if (fee.row.inTaxBase) inTaxBase = addToBase(inTaxBase, added, fee, goods)
  }
  return { charges, inTaxBase }
}

/** Those of the customs area first, then those of the jurisdiction itself. */
function feesOf({ tables, to }: Consignment): readonly Fee[] {
  const own = tables.fees.get(to.code) ?? []
  const area = customsAreaOf(to)
  const shared = area === to.code ? [] : (tables.fees.get(area) ?? [])
  return shared.length === 0 ? own : [...shared, ...own]
}

/** The goods of the item with the greatest value; the first item of equals. */
function leadingGoods(goods: readonly Goods[]): Goods | undefined {
  let leading: Goods | undefined
  let first: CodedItem | undefined
  for (const of of goods)
    for (const { items } of of.lots)
      for (const item of items) {
        const difference = first === undefined ? 1 : compare(item.goodsValue, first.goodsValue)
        if (difference < 0 || (difference === 0 && first !== undefined && first.index < item.index)) continue
        leading = of
        first = item
      }
  return leading
}

function rateOf({ tables, date }: Consignment, { row }: Fee): ExchangeRate | undefined {
  return findExchangeRate(tables.exchangeRates, row.currency, date)
}

function applies(consignment: Consignment, fee: Fee): boolean {
  const { row, valueAbove, valueUpTo } = fee
  if (!isInForce(row, consignment.date)) return false
  if (row.recipient !== 'any' && row.recipient !== consignment.recipient) return false
  const rate = rateOf(consignment, fee)
  if (rate === undefined) return false
  const value = fromEuro(consignment.goodsValue, rate)
  if (valueAbove !== undefined && compare(value, valueAbove) <= 0) return false
  return valueUpTo === undefined || compare(value, valueUpTo) <= 0
}

function chargesOf(
  consignment: Consignment,
  fee: Fee,
  rate: ExchangeRate,
  goods: readonly Goods[],
  leading: Goods,
): readonly Charge[] {
  const { row } = fee
  if (row.kind === 'per_line' && row.status === 'levied')
    return goods.map((of) => {
      const amount = timesWhole(fee.amount, countedOrigins(of.lots))
      return new FeeCharge(consignment, fee, rate, of, of.items, of.customsValue, amount)
    })
  const items = goods.flatMap((of) => of.items)
  const value = sumOf(goods.map((of) => of.customsValue))
  if (row.status === 'not_estimated') return [unknownFee(consignment, row, leading, items, value)]
  const amount = row.kind === 'share_of_value' ? shareOf(fee, fromEuro(value, rate)) : fee.amount
  if (fee.notLeviedBelow !== undefined && compare(amount, fee.notLeviedBelow) < 0)
    return [
      spared(
        consignment,
        row,
        goods,
        leading,
        `less than ${row.currency} ${row.notLeviedBelow} is not levied`,
      ),
    ]
  return [new FeeCharge(consignment, fee, rate, leading, items, value, amount)]
}

function shareOf({ rate, minimum, maximum }: Fee, value: Exact): Exact {
  const share = times(value, rate)
  const raised = minimum === undefined ? share : largerOf(share, minimum)
  return maximum === undefined ? raised : smallerOf(raised, maximum)
}

class FeeCharge extends Charge {
  private readonly row: FeeRow
  private readonly rate: ExchangeRate

  constructor(
    consignment: Consignment,
    { row }: Fee,
    rate: ExchangeRate,
    { harmonizedCode }: Goods,
    items: readonly number[],
    base: Exact,
    amount: Exact,
  ) {
    super(consignment, harmonizedCode, 'FEE', row.name, toEuro(amount, rate), base, true, items)
    this.row = row
    this.rate = rate
  }

  get ratePercent(): string | undefined {
    return this.row.ratePpm === null ? undefined : percentOf(this.row.ratePpm)
  }

  get source(): LineSource {
    return sourceOf(this.row)
  }

  describe(): string {
    const { reason, dataSet, confidence } = this.row
    const rate = `${rateText(this.row)}${describeExchangeRate(this.rate)}`
    return sentences(
      `${rate}, on a customs value of ${formatEuro(this.base)}.`,
      reason,
      describeDataSet(this.consignment.tables.dataSets, dataSet, confidence),
    )
  }

  product(): string {
    const rate = rateText(this.row)
    return this.row.kind === 'share_of_value' ? `${rate} × ${formatEuro(this.base)}` : rate
  }
}

function rateText({ kind, currency, amount, ratePpm, minimum, maximum }: FeeRow): string {
  switch (kind) {
    case 'per_consignment':
      return `${currency} ${amount} per consignment`
    case 'per_line':
      return `${currency} ${amount} per commodity code and origin`
    case 'share_of_value': {
      const least = minimum === '' ? '' : `, at least ${currency} ${minimum}`
      return `${percentOf(ratePpm ?? 0)}%${least}${maximum === '' ? '' : `, at most ${currency} ${maximum}`}`
    }
  }
}

function sourceOf(row: FeeRow): LineSource {
  return {
    dataSet: row.dataSet,
    measureType: row.fee,
    codePrefix: '',
    rateText: row.status === 'levied' ? rateText(row) : '',
    validFrom: row.validFrom,
    validTo: row.validTo,
    confidence: row.confidence,
  }
}

/** A fee that is not charged, and why. */
function spared(
  consignment: Consignment,
  row: FeeRow,
  goods: readonly Goods[],
  { harmonizedCode }: Goods,
  why: string,
): Charge {
  const base = sumOf(goods.map((of) => of.customsValue))
  const items = goods.flatMap((of) => of.items)
  return emptyFee(consignment, row, harmonizedCode, items, base, true, `No fee: ${why}.`)
}

function unknownFee(
  consignment: Consignment,
  row: FeeRow,
  { harmonizedCode }: Goods,
  items: readonly number[],
  base: Exact,
): Charge {
  return emptyFee(consignment, row, harmonizedCode, items, base, false, row.reason)
}

function emptyFee(
  consignment: Consignment,
  row: FeeRow,
  harmonizedCode: string,
  items: readonly number[],
  base: Exact,
  computed: boolean,
  why: string,
): Charge {
  const { dataSets } = consignment.tables
  return new EmptyCharge(
    consignment,
    {
      harmonizedCode,
      kind: 'FEE',
      name: computed ? row.name : notEstimated(row.name),
      base,
      computed,
      items,
    },
    () => sentences(why, describeDataSet(dataSets, row.dataSet, row.confidence)),
    () => sourceOf(row),
  )
}

/** A fee per line belongs to its line; any other is spread by value. */
function addToBase(
  base: readonly Exact[],
  charges: readonly Charge[],
  { row }: Fee,
  goods: readonly Goods[],
): Exact[] {
  const values = goods.map((of) => of.customsValue)
  const parts =
    row.kind === 'per_line' && charges.length === goods.length
      ? charges.map((charge) => charge.amount)
      : spread(sumOf(charges.map((charge) => charge.amount)), values, sumOf(values))
  return base.map((amount, index) => plus(amount, parts[index] ?? ZERO))
}
