/**
 * Taxes on import: value added tax and its kin. Decided here: the rate by longest code prefix, on the value, the
 * unrounded duty and the fees, in the way the jurisdiction prescribes; a tax that is not levied, or not loaded, gets
 * a line at zero that says so. Source: specification 4.2; decision 14 of the README; design note on customs.
 */
import { isInForce } from '../../validity.ts'
import type { TaxRow, ThresholdRow } from '../data/rows.ts'
import { dividedBy, type Exact, exactOf, excess, isZero, plus, sumOf, times, ZERO } from '../exact.ts'
import type { Tax, TaxRate } from '../tables.ts'
import { formatPercent } from '../tariff/duty-text.ts'
import { Charge, EmptyCharge } from './charge.ts'
import { assessedValue, type Consignment, describeRounding } from './consignment.ts'
import type { Duty } from './duty.ts'
import { percentOf, reliefRemark } from './duty-charge.ts'
import type { Goods } from './goods.ts'
import { describeDataSet, formatEuro, type LineSource, notEstimated, sentences } from './tax-line.ts'
import {
  type AmountThreshold,
  beginsWithOne,
  describeValue,
  excessShare,
  type FittingThreshold,
  findAmountThreshold,
  fittingThresholds,
  thresholdFor,
  thresholdSource,
} from './threshold.ts'

/** Goods with the duty and the fees that are in the base of taxes. */
export type DutiedGoods = {
  readonly goods: Goods
  readonly duty: Duty
  readonly fees: Exact
  /** Inside one customs area no duty is due at all. */
  readonly isImported: boolean
}

/** The taxes on a consignment: in the order of its goods, for each the taxes of the destination. */
export function taxesOn(consignment: Consignment, dutied: readonly DutiedGoods[]): readonly Charge[] {
  const { tables, to } = consignment
  const taxes = tables.taxes.get(to.code) ?? []
  if (taxes.length === 0) return dutied.map(({ goods }) => unknownTax(consignment, goods))
  const fitting = fittingThresholds(consignment, to.code, 'tax')
  const charges: Charge[] = []
  for (const of of dutied)
    for (const tax of taxes)
      if (concerns(tax.row.codePrefixes, of.goods)) charges.push(chargeOf(consignment, tax, of, fitting))
  const waived = findAmountThreshold(consignment, to.code, 'tax', () => totalOf(charges))
  if (waived === undefined) return charges
  return charges.map((charge) => (isZero(charge.amount) ? charge : notLevied(consignment, charge, waived)))
}

function totalOf(charges: readonly Charge[]): Exact {
  return sumOf(charges.map((charge) => charge.amount))
}

/** True for goods whose code begins with one of the prefixes, and for all where there are none. */
function concerns(prefixes: readonly string[], { harmonizedCode }: Goods): boolean {
  return prefixes.length === 0 || beginsWithOne(harmonizedCode, prefixes)
}

function unknownTax(consignment: Consignment, goods: Goods): Charge {
  const { to } = consignment
  const figures = {
    harmonizedCode: goods.harmonizedCode,
    kind: 'VAT',
    name: 'Import tax (not estimated)',
    base: goods.customsValue,
    computed: false,
    items: goods.items,
  } as const
  return new EmptyCharge(consignment, figures, () =>
    sentences(`No tax rates are loaded for ${to.name}.`, to.note),
  )
}

/** A charge of which nothing is levied, because all of it together is too little. */
export function notLevied(
  consignment: Consignment,
  charge: Charge,
  { row, remark }: AmountThreshold,
): Charge {
  const why = () =>
    sentences(
      `Not levied: ${row.reason}, and for this consignment ${remark}.`,
      charge.describe(),
      describeDataSet(consignment.tables.dataSets, row.dataSet, row.confidence),
    )
  return new EmptyCharge(consignment, charge, why, () => charge.source ?? thresholdSource(row, row.reason))
}

function chargeOf(
  consignment: Consignment,
  tax: Tax,
  of: DutiedGoods,
  fitting: readonly FittingThreshold[],
): Charge {
  const { row } = tax
  if (row.status === 'none')
    return emptyTax(consignment, of, row, true, () => sentences(row.reason, consignment.to.note))
  const replaced = row.status === 'levied' ? of.duty.replacesTaxes?.threshold.row : undefined
  if (replaced !== undefined)
    return emptyTax(consignment, of, row, true, () => `No tax: ${replaced.reason}.`, replaced)
  const threshold = fitting.length === 0 ? undefined : thresholdFor(fitting, of.goods.harmonizedCode)
  if (threshold?.threshold.row.kind === 'relief_up_to') {
    const rule = threshold.threshold.row
    const why = () => `No tax: ${rule.reason}; ${describeValue(consignment, threshold)}.`
    return emptyTax(consignment, of, row, true, why, rule)
  }
  if (row.status === 'not_estimated') return emptyTax(consignment, of, row, false, () => row.reason)
  const rate = findTaxRate(tax, of.goods.harmonizedCode, consignment.date)
  if (rate !== undefined) return levied(consignment, { tax, rate, of, threshold })
  const why = () => `No rate of this tax is loaded for ${consignment.to.name} on this day.`
  return emptyTax(consignment, of, row, false, why)
}

/** A tax of which nothing is due, or which cannot be worked out: the reason, and the rule where one decided. */
function emptyTax(
  consignment: Consignment,
  { goods }: DutiedGoods,
  tax: TaxRow,
  computed: boolean,
  why: () => string,
  rule?: ThresholdRow,
): Charge {
  const { dataSets } = consignment.tables
  return new EmptyCharge(
    consignment,
    {
      harmonizedCode: goods.harmonizedCode,
      kind: tax.kind,
      name: computed ? tax.name : notEstimated(tax.name),
      base: goods.customsValue,
      computed,
      items: goods.items,
    },
    () => sentences(why(), describeDataSet(dataSets, rule?.dataSet ?? tax.dataSet, rule?.confidence)),
    rule && (() => thresholdSource(rule, rule.reason)),
  )
}

/** The rate of a tax for a code on a day: that of the longest prefix. */
export function findTaxRate({ rates }: Tax, code: string, date: string): TaxRate | undefined {
  for (const length of rates.lengths) {
    if (length > code.length) continue
    const rows = rates.byPrefix.get(code.slice(0, length))
    if (rows !== undefined) for (const rate of rows) if (isInForce(rate.row, date)) return rate
  }
  return undefined
}

type Levy = {
  readonly tax: Tax
  readonly rate: TaxRate
  readonly of: DutiedGoods
  readonly threshold: FittingThreshold | undefined
}

const ONE = exactOf(1, 0)

function levied(consignment: Consignment, levy: Levy): Charge {
  const { tax, rate } = levy
  const net = assessedValue(consignment, netBase(consignment, levy))
  const share = times(net, rate.rate)
  if (tax.row.base !== 'inside') return new TaxCharge(consignment, levy, share, net)
  const amount = dividedBy(share, excess(ONE, rate.rate))
  return new TaxCharge(consignment, levy, amount, plus(net, amount))
}

class TaxCharge extends Charge {
  private readonly levy: Levy

  constructor(consignment: Consignment, levy: Levy, amount: Exact, base: Exact) {
    const { row } = levy.tax
    const { harmonizedCode, items } = levy.of.goods
    super(consignment, harmonizedCode, row.kind, row.name, amount, base, true, items)
    this.levy = levy
  }

  get ratePercent(): string {
    return percentOf(this.levy.rate.row.ratePpm)
  }

  get source(): LineSource {
    return sourceOf(this.levy.tax, this.levy.rate)
  }

  describe(): string {
    return describeTax(this.consignment, this.levy, this.base)
  }

  product(): string {
    return `${formatPercent(this.levy.rate.row.ratePpm)} × ${formatEuro(this.base)}`
  }
}

function sourceOf({ row: tax }: Tax, { row }: TaxRate): LineSource {
  return {
    dataSet: row.dataSet,
    measureType: tax.tax,
    codePrefix: row.codePrefix,
    rateText: formatPercent(row.ratePpm),
    validFrom: row.validFrom,
    validTo: row.validTo,
    confidence: row.confidence,
  }
}

/** What the rate is a share of, without the tax itself. */
function netBase(consignment: Consignment, { tax, of, threshold }: Levy): Exact {
  const { goods, duty, fees } = of
  if (threshold?.threshold.row.kind === 'taxed_excess') {
    const isGoods = threshold.threshold.row.valueBasis === 'goods'
    const whole = isGoods ? consignment.goodsValue : consignment.customsValue
    return excessShare(isGoods ? goods.goodsValue : goods.customsValue, whole, threshold.limit ?? ZERO)
  }
  let base = plus(plus(goods.customsValue, duty.amount), fees)
  if (!isZero(tax.uplift)) base = plus(base, times(goods.customsValue, tax.uplift))
  return hasOwnFreight(consignment, tax.row) ? plus(base, goods.freight) : base
}

/** True where the tax counts freight that the customs value does not. */
function hasOwnFreight({ to }: Consignment, { includesFreight }: TaxRow): boolean {
  return includesFreight && to.valuation === 'FOB'
}

function describeTax(consignment: Consignment, levy: Levy, base: Exact): string {
  const { tax, rate, of, threshold } = levy
  const { row } = rate
  const { to, tables } = consignment
  const excessRule = threshold?.threshold.row.kind === 'taxed_excess' ? threshold : undefined
  const zero = row.ratePpm === 0 ? `No tax is due: zero rate for ${row.kind}. ` : ''
  const parts = excessRule === undefined ? describeParts(consignment, levy) : ''
  return sentences(
    `${zero}${formatPercent(row.ratePpm)} of ${formatEuro(base)}${parts}.`,
    excessRule === undefined
      ? ''
      : `${tax.row.name} is ${excessRule.threshold.row.reason}; ${describeValue(consignment, excessRule)}.`,
    row.kind === 'standard' || row.ratePpm === 0 ? '' : `Rate for ${row.kind}.`,
    excessRule === undefined ? dutyRemark(of) : '',
    reliefRemark(to),
    concerns(tax.row.notePrefixes, of.goods) ? tax.row.note : '',
    to.note,
    row.note,
    describeRounding(consignment),
    describeDataSet(tables.dataSets, row.dataSet, row.confidence),
  )
}

function dutyRemark({ duty, isImported }: DutiedGoods): string {
  if (!isImported) return 'Inside one customs area no import duty is due.'
  return duty.isWhole ? '' : 'The import duty that could not be estimated is not in the base.'
}

/** What the base is made of. */
function describeParts(consignment: Consignment, { tax, of }: Levy): string {
  const { to, isFreightGiven } = consignment
  const { goods, duty, fees } = of
  const isCif = to.valuation === 'CIF'
  const counts = isCif || hasOwnFreight(consignment, tax.row)
  const parts = [`the goods value ${formatEuro(goods.goodsValue)}`]
  if (tax.row.upliftPpm > 0) parts[0] += ` raised by ${formatPercent(tax.row.upliftPpm)}`
  if (counts && isFreightGiven) parts.push(`freight and insurance ${formatEuro(goods.freight)}`)
  if (!isZero(duty.amount)) parts.push(`import duty ${formatEuro(duty.amount)}`)
  if (!isZero(fees)) parts.push(`fees ${formatEuro(fees)}`)
  const inside = tax.row.base === 'inside' ? ', with the tax itself inside' : ''
  const open = counts && !isFreightGiven ? ' (freight and insurance not given)' : ''
  return `, ${listed(parts)}${inside}${open}`
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}
