/**
 * Taxes on import, such as value added tax. The rate of the longest code prefix applies to the value, the unrounded
 * duty and the fees, as the jurisdiction prescribes. A tax that is not levied, or whose rates are not loaded,
 * has a line at zero. See docs/customs-data.md#taxes-fees-and-territories.
 */
import { isInForce } from '../../validity.ts'
import type { Tax, TaxRate } from '../compiled-customs.ts'
import type { TaxRow } from '../data/row-types/taxes.ts'
import { dividedBy, type Exact, exactOf, excess, isZero, plus, sumOf, times, ZERO } from '../exact.ts'
import { excisesOn } from '../tariff/excise-rate.ts'
import { assessedValue, type Consignment } from './consignment.ts'
import { exciseLines, NO_EXCISE, sumExcise } from './excise.ts'
import type { Goods } from './goods.ts'
import {
  beginsWithOne,
  type CandidateThresholds,
  comparedValue,
  excessShare,
  type FittingThreshold,
  findAmountThreshold,
  fittingThresholds,
  thresholdFor,
} from './import-schemes/threshold.ts'
import { unconvertibleLine, unconvertibleRules } from './import-schemes/unconvertible-rule.ts'
import type { DueTax, DueTaxCache, DueTaxes } from './route.ts'
import {
  atCheckout,
  type ChargeFacts,
  chargedLine,
  type ExactLine,
  type ExciseSum,
  type LineHead,
  notEstimated,
  notEstimatedLine,
  nothingDueLine,
  notLevied,
  type TaxedGoods,
} from './tax-line.ts'

/** The taxes of the destination, for each of the goods in their order. */
export function taxesOn(consignment: Consignment, goods: readonly TaxedGoods[]): readonly ExactLine[] {
  if (consignment.route.taxes.length === 0) return goods.map((taxed) => unknownTaxLine(taxed.goods))
  const fitting = fittingThresholds(consignment, 'tax')
  const lines: ExactLine[] = []
  for (const taxed of goods) {
    const start = lines.length
    addLines(lines, consignment, taxed, fitting)
    if (fitting.length === 0) continue
    // Reliefs at the border do not free from what the seller collects.
    const atBorder = lines.slice(start).filter((line) => !line.collectedAtCheckout)
    lines.push(...unconvertibleLines(taxed, fitting, atBorder))
  }
  // What the seller collects does not count: customs levies only the rest.
  const levied = (line: ExactLine): boolean => !line.collectedAtCheckout && !isZero(line.amount)
  const threshold = findAmountThreshold(consignment, 'tax', () =>
    sumOf(lines.filter(levied).map(({ amount }) => amount)),
  )
  if (threshold === undefined) return lines
  return lines.map((line) => (levied(line) ? notLevied(line, threshold) : line))
}

/** The line of the low-value rules that cannot be applied to goods, after the lines of their taxes. */
function unconvertibleLines(
  { goods, duty: { replacesTaxes } }: TaxedGoods,
  fitting: CandidateThresholds,
  taxes: readonly ExactLine[],
): readonly ExactLine[] {
  const due = taxes.find(({ calculation }) => !('reason' in calculation) || calculation.reason !== 'noTax')
  if (due === undefined || replacesTaxes !== undefined) return []
  const rules = unconvertibleRules(fitting, goods.harmonizedCode, sumOf(taxes.map(({ amount }) => amount)))
  return rules.length === 0 ? [] : [unconvertibleLine(goods, due.kind, rules)]
}

/** The taxes on goods of a code. They are found once for a route and a recipient. */
function taxesDue({ route, recipient, tables }: Consignment, code: string): DueTaxes {
  const cache = route.dueTaxes[recipient]
  const known = cache.byCode.get(code)
  if (known !== undefined) return known
  const list = route.taxes
    .filter(
      ({ row }) =>
        (row.recipient === 'any' || row.recipient === recipient) && coversCode(row.codePrefixes, code),
    )
    .map(
      (tax): DueTax => ({
        tax,
        rate: findTaxRate(tax, code, route.date),
        excises: tax.excise === undefined ? [] : excisesOn(tax.excise, code, route.date),
      }),
    )
  const due = sharedTaxes(cache, list)
  cache.byCode.set(code, due)
  tables.codes.size += 1
  return due
}

/** The same object for all codes with the same taxes and rates, which are most codes. */
function sharedTaxes({ shared }: DueTaxCache, list: readonly DueTax[]): DueTaxes {
  if (list.some(({ excises }) => excises.length > 0)) return dueTaxes(list)
  const isSame = (other: DueTaxes): boolean =>
    other.list.length === list.length &&
    list.every(({ tax, rate }, index) => other.list[index]?.tax === tax && other.list[index]?.rate === rate)
  const known = shared.find(isSame)
  if (known !== undefined) return known
  const due = dueTaxes(list)
  shared.push(due)
  return due
}

function dueTaxes(list: readonly DueTax[]): DueTaxes {
  return { list, hasExcise: list.some(({ tax }) => tax.row.kind === 'EXCISE') }
}

/** Adds the lines on goods of one code in the order of the taxes. Excise duties are in the base of the other taxes. */
function addLines(
  lines: ExactLine[],
  consignment: Consignment,
  taxed: TaxedGoods,
  fitting: CandidateThresholds,
): void {
  const { list, hasExcise } = taxesDue(consignment, taxed.goods.harmonizedCode)
  if (!hasExcise) {
    for (const due of list) lines.push(taxLine(consignment, due, taxed, fitting, NO_EXCISE))
    return
  }
  const excises = new Map<DueTax, readonly ExactLine[]>()
  let excise = NO_EXCISE
  for (const due of list) {
    if (due.tax.row.kind !== 'EXCISE') continue
    const charged = exciseIfDue(consignment, due, taxed, fitting) ?? [
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
  due: DueTax,
  taxed: TaxedGoods,
  fitting: CandidateThresholds,
): readonly ExactLine[] | undefined {
  const { row } = due.tax
  if (due.excises.length === 0 || row.status === 'none' || taxed.duty.replacesTaxes !== undefined)
    return undefined
  const threshold = fitting.length === 0 ? undefined : thresholdFor(fitting, taxed.goods.harmonizedCode)
  if (threshold?.threshold.row.kind === 'relief_up_to') return undefined
  return exciseLines(consignment, due, taxed)
}

/** True for a code that begins with one of the prefixes, and for all codes if there are no prefixes. */
export function coversCode(prefixes: readonly string[], code: string): boolean {
  return prefixes.length === 0 || beginsWithOne(code, prefixes)
}

function unknownTaxLine({ harmonizedCode, items, customsValue }: Goods): ExactLine {
  const name = notEstimated('Import tax')
  return notEstimatedLine(
    { harmonizedCode, kind: 'VAT', name, items, base: customsValue },
    { kind: 'notCharged', reason: 'noTaxData', facts: {} },
  )
}

function taxLine(
  consignment: Consignment,
  due: DueTax,
  taxed: TaxedGoods,
  fitting: CandidateThresholds,
  excise: ExciseSum,
): ExactLine {
  const { row: tax } = due.tax
  const { goods, duty, scheme } = taxed
  const { replacesTaxes } = duty
  if (tax.status === 'none')
    return nothingDueLine(headOf(goods, tax), { kind: 'notCharged', reason: 'noTax', facts: { tax } })
  if (tax.status === 'levied' && replacesTaxes !== undefined) {
    const facts = { threshold: replacesTaxes }
    return nothingDueLine(headOf(goods, tax), { kind: 'notCharged', reason: 'taxReplaced', facts })
  }
  const isCollected = scheme !== undefined && isSellerTax(tax) && replacesTaxes === undefined
  // Reliefs at the border do not free from what the seller collects.
  const threshold =
    fitting.length === 0 || isCollected ? undefined : thresholdFor(fitting, goods.harmonizedCode)
  if (threshold?.threshold.row.kind === 'relief_up_to') {
    const facts = { threshold }
    return nothingDueLine(headOf(goods, tax), { kind: 'notCharged', reason: 'taxRelief', facts })
  }
  if (tax.status === 'levied' && due.rate !== undefined) {
    const line = taxedLine(consignment, { tax: due.tax, rate: due.rate, taxed, excise, threshold })
    return isCollected ? atCheckout(line) : line
  }
  const reason = tax.status === 'not_estimated' ? 'taxNotEstimated' : 'noTaxRate'
  const head = headOf(goods, tax, notEstimated(tax.name))
  const line = notEstimatedLine(head, { kind: 'notCharged', reason, facts: { tax } })
  return isCollected ? atCheckout(line) : line
}

/** Sellers collect value added tax and the like, never excise. */
export function isSellerTax({ kind }: Pick<TaxRow, 'kind'>): boolean {
  return kind === 'VAT' || kind === 'GST'
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

function taxedLine(consignment: Consignment, facts: ChargeFacts['tax']): ExactLine {
  const { tax, rate, taxed } = facts
  const net = assessedValue(consignment, netBase(consignment, facts))
  const share = times(net, rate.rate)
  const isInside = tax.row.base === 'inside'
  const amount = isInside ? dividedBy(share, excess(ONE, rate.rate)) : share
  const head = headOf(taxed.goods, tax.row, tax.row.name, isInside ? plus(net, amount) : net)
  return chargedLine(head, amount, { kind: 'charged', rule: 'tax', facts })
}

function headOf(
  { harmonizedCode, items, customsValue }: Goods,
  { kind, name: taxName }: TaxRow,
  name: string = taxName,
  base: Exact = customsValue,
): LineHead {
  return { harmonizedCode, kind, name, items, base }
}

/** The base of a tax, without the tax itself. */
function netBase(
  consignment: Consignment,
  {
    tax: { row, uplift },
    taxed: {
      goods,
      duty: { amount: duty },
      fees,
    },
    excise,
    threshold,
  }: ChargeFacts['tax'],
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
