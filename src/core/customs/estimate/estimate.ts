/**
 * Estimates a duties and taxes request, in this order: territories, codes, duties, fees, taxes. The entry point is
 * `estimateRequest`. `shareByItem` divides the lines among the items.
 * See docs/customs-data.md#how-an-estimate-is-calculated and docs/rest-contract.md#r11 to #r14.
 */

import type { HsCandidate, LegalNote } from '../../hs-candidate.ts'
import type { InputProblem } from '../../problem.ts'
import type { CompiledCustoms } from '../compiled-customs.ts'
import { centsOf, compare, type Exact, isZero, splitCents, sumOf, ZERO } from '../exact.ts'
import type { ContentItem, DutiesRequest, GivenScheme } from '../request.ts'
import {
  type Bound,
  type Consignment,
  type ConsignmentValues,
  customsValue,
  openConsignment,
  valueItems,
} from './consignment.ts'
import { dutiesOfGoods, NO_DUTY } from './duty/duty.ts'
import { feesOn, NO_FEES } from './fee.ts'
import { type CodedItem, type Goods, groupGoods } from './goods.ts'
import { otherImportScheme, withImportScheme } from './import-schemes/import-scheme.ts'
import { schemeFor } from './import-schemes/seller-scheme.ts'
import { findAmountThreshold, fittingThresholds } from './import-schemes/threshold.ts'
import { taxesOn } from './tax.ts'
import { type Duty, type ExactLine, notLevied, roundLine, type TaxedGoods, type TaxLine } from './tax-line.ts'

/** The HS code of an item, and how it was found. */
export type Classification = {
  readonly code: string
  readonly source: 'GIVEN' | 'FROM_DESCRIPTION' | 'AGREED'
  /** 0 to 1; absent for a given or agreed code. */
  readonly confidence?: number
  /** Questions whose answers would confirm or change a code that was found from the description. */
  readonly questions: readonly string[]
  /** The legal note behind a code that was found from the description, if one is known. */
  readonly becauseOf?: LegalNote
  readonly alternatives: readonly HsCandidate[]
}

/** One content item: its customs value, and its code or the reason why it has none. */
export type ItemEstimate = {
  readonly index: number
  /** `cost` × `numberOfItems`, plus its share of the freight if the destination counts it. Rounded for display only. */
  readonly customsValueCents: number
  /** The same, unrounded, in euro. Lines are shared among items in proportion to it. */
  readonly customsValue: Exact
  readonly classification?: Classification
  readonly problem?: InputProblem
}

/** An estimate in euro. */
export type DutiesEstimate = {
  readonly kind: 'DutiesEstimate'
  /** Exactly the sum of the lines in `taxes`. */
  readonly estimateCents: number
  /** The code of the item with the greatest customs value (the first of equals); empty if no item has a code. */
  readonly hsCode: string
  /** The part of the estimate that the seller collects at the checkout. The rest is due on delivery. */
  readonly checkoutCents: number
  readonly taxes: readonly TaxLine[]
  readonly items: readonly ItemEstimate[]
  /** Of all items, by the destination's valuation (CIF or FOB). Rounded for display only. */
  readonly customsValueCents: number
  /** False if a line is not computed or an item has no code. */
  readonly complete: boolean
  /** explain/line.ts needs it to write the texts of the lines. */
  readonly consignment: Consignment
}

const NO_QUESTIONS: readonly string[] = []
const NO_ALTERNATIVES: readonly HsCandidate[] = []

export function givenCode(code: string): Classification {
  return { code, source: 'GIVEN', questions: NO_QUESTIONS, alternatives: NO_ALTERNATIVES }
}

export function agreedCode(code: string): Classification {
  return { code, source: 'AGREED', questions: NO_QUESTIONS, alternatives: NO_ALTERNATIVES }
}

/** Codes for goods, the most likely first. */
export type Classify = (goods: ContentItem) => readonly HsCandidate[]

/** The code that was agreed for a product. Undefined if there is none. */
export type FindAgreed = (goods: ContentItem) => string | undefined

/** The codes of items, in their order; undefined for goods without a match. */
export function classifyItems(
  items: readonly ContentItem[],
  find: Classify,
  findAgreed: FindAgreed = () => undefined,
): readonly (Classification | undefined)[] {
  return items.map((item) => {
    if (item.tariff !== undefined) return givenCode(item.tariff)
    const agreed = findAgreed(item)
    if (agreed !== undefined) return agreedCode(agreed)
    const [best, ...alternatives] = find(item)
    if (best === undefined) return undefined
    const { code, confidence, questions, becauseOf } = best
    const reason = becauseOf && { becauseOf }
    return { code, source: 'FROM_DESCRIPTION', confidence, questions, ...reason, alternatives }
  })
}

/**
 * Estimates a request by the rules of a day ('YYYY-MM-DD'). `codes` has one entry per item. `bound`: every rate, rule
 * and fee that is open takes the value of this end; see explain/estimate-range.ts. Never fails.
 */
export function estimateRequest(
  tables: CompiledCustoms,
  request: DutiesRequest,
  codes: readonly (Classification | undefined)[],
  date: string,
  bound?: Bound,
): DutiesEstimate {
  const values = valueItems(request)
  const opened = openConsignment(tables, request, values, date, bound)
  const items = request.items.map((_, index) => itemEstimate(opened, values, codes[index], index))
  const { movement } = opened.route
  const goods = movement === 'inside' ? [] : groupGoods(opened, codedItems(request, values, items))
  const consignment = withImportScheme(opened, goods)
  const lines = movement === 'inside' ? [] : taxLines(consignment, goods, movement === 'import')
  const taxes = lines.map((line) => roundLine(consignment, line))
  return {
    kind: 'DutiesEstimate',
    estimateCents: totalCents(taxes),
    checkoutCents: totalCents(taxes.filter((line) => line.collectedAtCheckout)),
    hsCode: leadingCode(items),
    taxes,
    items,
    customsValueCents: centsOf(consignment.customsValue),
    complete: taxes.every((line) => line.computed) && items.every((item) => item.classification),
    consignment,
  }
}

/**
 * The import scheme under which other low-value rules apply to the goods of an estimate, or under which the tax is
 * collected elsewhere. Undefined if nothing depends on the scheme.
 */
export function otherSchemeOf({ consignment }: Pick<DutiesEstimate, 'consignment'>): GivenScheme | undefined {
  return otherImportScheme(consignment)
}

function totalCents(lines: readonly TaxLine[]): number {
  let total = 0
  for (const { amountCents } of lines) total += amountCents
  return total
}

function itemEstimate(
  { to }: Consignment,
  { goods, freight }: ConsignmentValues,
  classification: Classification | undefined,
  index: number,
): ItemEstimate {
  const value = customsValue(goods[index] ?? ZERO, freight[index] ?? ZERO, to.valuation)
  const customsValueCents = centsOf(value)
  return classification === undefined
    ? { index, customsValueCents, customsValue: value, problem: unclassifiable(index) }
    : { index, customsValueCents, customsValue: value, classification }
}

function codedItems(
  request: DutiesRequest,
  { goods, freight }: ConsignmentValues,
  items: readonly ItemEstimate[],
): readonly CodedItem[] {
  const coded: CodedItem[] = []
  for (const { index, classification, customsValue: value } of items) {
    const item = request.items[index]
    if (item === undefined || classification === undefined) continue
    coded.push({
      index,
      item,
      code: classification.code,
      goodsValue: goods[index] ?? ZERO,
      freight: freight[index] ?? ZERO,
      customsValue: value,
    })
  }
  return coded
}

function taxLines(
  consignment: Consignment,
  goods: readonly Goods[],
  isImported: boolean,
): readonly ExactLine[] {
  const lines: ExactLine[] = []
  const duties = isImported ? dutiesOn(consignment, goods) : goods.map(() => NO_DUTY)
  let isPreferential = true
  for (const duty of duties) {
    isPreferential &&= duty.isPreferential
    for (const line of duty.lines) lines.push(line)
  }
  const fees = isImported ? feesOn(consignment, goods, isPreferential) : NO_FEES
  for (const line of fees.lines) lines.push(line)
  const taxed: TaxedGoods[] = []
  for (let index = 0; index < goods.length; index++) {
    const duty = duties[index]!
    taxed.push({
      goods: goods[index]!,
      duty,
      scheme: schemeFor(consignment, goods[index]!),
      fees: fees.inTaxBase[index] ?? ZERO,
      areFeesComplete: fees.isTaxBaseComplete,
      isImported,
    })
  }
  for (const line of taxesOn(consignment, taxed)) lines.push(line)
  return lines
}

/** The duties on goods. If all of them together are too little to be levied, their lines are at zero. */
function dutiesOn(consignment: Consignment, goods: readonly Goods[]): readonly Duty[] {
  const fitting = fittingThresholds(consignment, 'duty')
  const duties = dutiesOfGoods(consignment, goods, fitting)
  const threshold = findAmountThreshold(consignment, 'duty', () => sumOf(duties.map(({ amount }) => amount)))
  if (threshold === undefined) return duties
  return duties.map((duty) => ({
    ...duty,
    amount: ZERO,
    lines: duty.lines.map((line) => (isZero(line.amount) ? line : notLevied(line, threshold))),
  }))
}

function leadingCode(items: readonly ItemEstimate[]): string {
  let leading: ItemEstimate | undefined
  for (const item of items) {
    if (item.classification === undefined) continue
    if (leading === undefined || compare(item.customsValue, leading.customsValue) > 0) leading = item
  }
  return leading?.classification?.code ?? ''
}

function unclassifiable(index: number): InputProblem {
  const message =
    'no HS code fits this description (describe the goods in more detail, or give a tariff code)'
  const advice = 'no HS code fits this description: describe the goods in more detail, or give their `hsCode`'
  return {
    kind: 'InputProblem',
    code: 'UNCLASSIFIABLE',
    message: `contentItems[${index}]: ${message}`,
    retryable: false,
    fields: [{ path: ['contentItems', index, 'description'], code: 'UNCLASSIFIABLE', message, advice }],
  }
}

/** The share of an item in a line. `lineIndex` is an index of `DutiesEstimate.taxes`. */
export type ItemShare = { readonly lineIndex: number; readonly amountCents: number }

/**
 * The shares of each item in the lines, in the order of the items and of the lines. Lines are shared by customs value,
 * in whole cents. The shares of a line add up to the line; those of all items add up to the estimate. An item without a
 * code has no shares.
 */
export function shareByItem({
  taxes,
  items,
}: Pick<DutiesEstimate, 'taxes' | 'items'>): readonly ItemShare[][] {
  const shares = items.map((): ItemShare[] => [])
  for (const [lineIndex, line] of taxes.entries())
    for (const { itemIndex, amountCents } of shareOfItems(line, items))
      shares[itemIndex]?.push({ lineIndex, amountCents })
  return shares
}

/** Divides a line among its items, which are in the order of the request. */
export function shareOfItems(
  line: TaxLine,
  items: DutiesEstimate['items'],
): readonly { readonly itemIndex: number; readonly amountCents: number }[] {
  const concerned = itemsOf(line)
  const values = concerned.map((item) => items[item]?.customsValue ?? ZERO)
  const parts = splitCents(line.amountCents, values)
  return concerned.map((itemIndex, position) => ({ itemIndex, amountCents: parts[position] ?? 0 }))
}

/** The distinct items of a line, in the order of the request. */
export function itemsOf({ items }: Pick<TaxLine, 'items'>): readonly number[] {
  return [...new Set(items)].sort((a, b) => a - b)
}
