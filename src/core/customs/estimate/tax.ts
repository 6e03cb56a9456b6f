/**
 * Taxes on import, such as value added tax. The rate of the longest code prefix applies to the value, the unrounded
 * duty and the fees, as the jurisdiction prescribes. A tax that is not levied, or whose rates are not loaded,
 * has a line at zero. See docs/customs-data.md#how-an-estimate-is-calculated and docs/decisions/customs.md#d27.
 */
import { isInForce } from '../../validity.ts'
import type { TaxRow } from '../data/tables/taxes.ts'
import { dividedBy, type Exact, exactOf, excess, isZero, plus, sumOf, times, ZERO } from '../exact.ts'
import type { Tax, TaxRate } from '../tables.ts'
import { assessedValue, type Consignment, lineCents } from './consignment.ts'
import { exciseLines, NO_EXCISE, sumExcise } from './excise.ts'
import type { Goods } from './goods.ts'
import type { DueTax, DueTaxes } from './route.ts'
import { type ExciseSum, type NoTaxReason, notEstimated, type TaxedGoods, type TaxLine } from './tax-line.ts'
import {
  type AmountThreshold,
  beginsWithOne,
  type CandidateThresholds,
  comparedValue,
  excessShare,
  type FittingThreshold,
  findAmountThreshold,
  fittingThresholds,
  thresholdFor,
} from './threshold.ts'
import { unconvertibleLine, unconvertibleRules } from './unconvertible-rule.ts'

/** The taxes of the destination, for each of the goods in their order. */
export function taxesOn(consignment: Consignment, goods: readonly TaxedGoods[]): readonly TaxLine[] {
  if (consignment.route.taxes.length === 0) return goods.map((taxed) => unknownTaxLine(taxed.goods))
  const fitting = fittingThresholds(consignment, 'tax')
  const lines: TaxLine[] = []
  for (const taxed of goods) {
    const start = lines.length
    addLines(lines, consignment, taxed, fitting)
    if (fitting.length > 0) lines.push(...unconvertibleLines(taxed, fitting, lines.slice(start)))
  }
  const threshold = findAmountThreshold(consignment, 'tax', () => sumOf(lines.map(({ amount }) => amount)))
  if (threshold === undefined) return lines
  return lines.map((line) => (isZero(line.amount) ? line : notLevied(line, threshold)))
}

/** The line of the low-value rules that cannot be applied to goods, after the lines of their taxes. */
function unconvertibleLines(
  { goods, replacesTaxes }: TaxedGoods,
  fitting: CandidateThresholds,
  taxes: readonly TaxLine[],
): readonly TaxLine[] {
  const due = taxes.find(({ calculation }) => calculation.kind !== 'noTax' || calculation.reason !== 'none')
  if (due === undefined || replacesTaxes !== undefined) return []
  const rules = unconvertibleRules(fitting, goods.harmonizedCode, sumOf(taxes.map(({ amount }) => amount)))
  return rules.length === 0 ? [] : [unconvertibleLine(goods, due.kind, rules)]
}

/** The taxes on goods of a code. They are found once for a route and a recipient. */
function taxesDue({ route, recipient, tables }: Consignment, code: string): DueTaxes {
  const cache = route.dueTaxes[recipient]
  const known = cache.get(code)
  if (known !== undefined) return known
  const list = route.taxes
    .filter(
      ({ row }) =>
        (row.recipient === 'any' || row.recipient === recipient) && coversCode(row.codePrefixes, code),
    )
    .map((tax): DueTax => ({ tax, rate: findTaxRate(tax, code, route.date) }))
  const due = { list, hasExcise: list.some(({ tax }) => tax.row.kind === 'EXCISE') }
  cache.set(code, due)
  tables.codes.size += 1
  return due
}

/** Adds the lines on goods of one code in the order of the taxes. Excise duties are in the base of the other taxes. */
function addLines(
  lines: TaxLine[],
  consignment: Consignment,
  taxed: TaxedGoods,
  fitting: CandidateThresholds,
): void {
  const { list, hasExcise } = taxesDue(consignment, taxed.goods.harmonizedCode)
  if (!hasExcise) {
    for (const due of list) lines.push(taxLine(consignment, due, taxed, fitting, NO_EXCISE))
    return
  }
  const excises = new Map<DueTax, readonly TaxLine[]>()
  let excise = NO_EXCISE
  for (const due of list) {
    if (due.tax.row.kind !== 'EXCISE') continue
    const charged = exciseIfDue(consignment, due.tax, taxed, fitting) ?? [
      taxLine(consignment, due, taxed, fitting, NO_EXCISE),
    ]
    excises.set(due, charged)
    const { amount, isComplete } = sumExcise(charged)
    excise = { amount: plus(excise.amount, amount), isComplete: excise.isComplete && isComplete }
  }
  for (const due of list)
    lines.push(...(excises.get(due) ?? [taxLine(consignment, due, taxed, fitting, excise)]))
}

/** Undefined for an excise that is not calculated from excise rates. */
function exciseIfDue(
  consignment: Consignment,
  tax: Tax,
  taxed: TaxedGoods,
  fitting: CandidateThresholds,
): readonly TaxLine[] | undefined {
  if (tax.excise === undefined || tax.row.status === 'none' || taxed.replacesTaxes !== undefined)
    return undefined
  const threshold = fitting.length === 0 ? undefined : thresholdFor(fitting, taxed.goods.harmonizedCode)
  if (threshold?.threshold.row.kind === 'relief_up_to') return undefined
  return exciseLines(consignment, tax, tax.excise, taxed)
}

/** True for a code that begins with one of the prefixes, and for all codes if there are no prefixes. */
export function coversCode(prefixes: readonly string[], code: string): boolean {
  return prefixes.length === 0 || beginsWithOne(code, prefixes)
}

function unknownTaxLine({ harmonizedCode, items, customsValue }: Goods): TaxLine {
  return {
    harmonizedCode,
    kind: 'VAT',
    name: notEstimated('Import tax'),
    amountCents: 0,
    computed: false,
    items,
    amount: ZERO,
    base: customsValue,
    calculation: { kind: 'noTaxData' },
  }
}

/** Sets a line to zero, because the total of the consignment is too small to be levied. */
export function notLevied(line: TaxLine, threshold: AmountThreshold): TaxLine {
  return { ...line, amountCents: 0, amount: ZERO, calculation: { kind: 'notLevied', line, threshold } }
}

function taxLine(
  consignment: Consignment,
  due: DueTax,
  taxed: TaxedGoods,
  fitting: CandidateThresholds,
  excise: ExciseSum,
): TaxLine {
  const { row } = due.tax
  if (row.status === 'none') return untaxedLine(taxed, row, 'none')
  if (row.status === 'levied' && taxed.replacesTaxes !== undefined)
    return untaxedLine(taxed, row, 'replaced', taxed.replacesTaxes)
  const threshold = fitting.length === 0 ? undefined : thresholdFor(fitting, taxed.goods.harmonizedCode)
  if (threshold?.threshold.row.kind === 'relief_up_to') return untaxedLine(taxed, row, 'relief', threshold)
  if (row.status === 'not_estimated') return untaxedLine(taxed, row, 'notEstimated')
  if (due.rate === undefined) return untaxedLine(taxed, row, 'noRate')
  return taxedLine(consignment, due, due.rate, { taxed, excise }, threshold)
}

/** A tax that is not due, or that cannot be calculated. */
function untaxedLine(
  { goods }: TaxedGoods,
  tax: TaxRow,
  reason: NoTaxReason,
  threshold?: FittingThreshold,
): TaxLine {
  const computed = reason !== 'notEstimated' && reason !== 'noRate'
  return {
    harmonizedCode: goods.harmonizedCode,
    kind: tax.kind,
    name: computed ? tax.name : notEstimated(tax.name),
    amountCents: 0,
    computed,
    items: goods.items,
    amount: ZERO,
    base: goods.customsValue,
    calculation:
      threshold === undefined ? { kind: 'noTax', tax, reason } : { kind: 'noTax', tax, reason, threshold },
  }
}

/** The rate in force for the longest possible prefix of a code. */
export function findTaxRate({ rates }: Tax, code: string, date: string): TaxRate | undefined {
  for (const length of rates.lengths) {
    if (length > code.length) continue
    const rows = rates.byPrefix.get(code.slice(0, length))
    if (rows !== undefined) for (const rate of rows) if (isInForce(rate.row, date)) return rate
  }
  return undefined
}

const ONE = exactOf(1, 0)

function taxedLine(
  consignment: Consignment,
  { tax }: DueTax,
  rate: TaxRate,
  { taxed, excise }: { readonly taxed: TaxedGoods; readonly excise: ExciseSum },
  threshold: FittingThreshold | undefined,
): TaxLine {
  const net = assessedValue(consignment, netBase(consignment, tax, taxed, excise, threshold))
  const share = times(net, rate.rate)
  const isInside = tax.row.base === 'inside'
  const amount = isInside ? dividedBy(share, excess(ONE, rate.rate)) : share
  return {
    harmonizedCode: taxed.goods.harmonizedCode,
    kind: tax.row.kind,
    name: tax.row.name,
    amountCents: lineCents(consignment, amount),
    computed: true,
    items: taxed.goods.items,
    amount,
    base: isInside ? plus(net, amount) : net,
    calculation: { kind: 'tax', tax, rate, taxed, excise, threshold },
  }
}

/** The base of a tax, without the tax itself. */
function netBase(
  consignment: Consignment,
  { row, uplift }: Tax,
  { goods, duty, fees }: TaxedGoods,
  excise: ExciseSum,
  threshold: FittingThreshold | undefined,
): Exact {
  const value =
    threshold?.threshold.row.kind === 'taxed_excess' ? taxedExcess(consignment, goods, threshold) : undefined
  if (value !== undefined && isZero(value)) return value
  let base = plus(plus(value ?? goods.customsValue, duty), fees)
  if (!isZero(excise.amount)) base = plus(base, excise.amount)
  if (value !== undefined) return base
  if (!isZero(uplift)) base = plus(base, times(goods.customsValue, uplift))
  return addsFreight(consignment, row) ? plus(base, goods.freight) : base
}

/** The share of the goods in the value above the limit of a rule of the kind `taxed_excess`. Euro, unrounded. */
export function taxedExcess(
  consignment: Consignment,
  { goodsValue, customsValue }: Goods,
  { threshold: { row }, limit }: FittingThreshold,
): Exact {
  const value = row.valueBasis === 'goods' ? goodsValue : customsValue
  return excessShare(value, comparedValue(consignment, row), limit ?? ZERO)
}

/** True if the tax counts freight that the customs value does not contain. */
export function addsFreight({ to }: Consignment, { includesFreight }: TaxRow): boolean {
  return includesFreight && to.valuation === 'FOB'
}
