/**
 * The answer to a duties and taxes request. Decided here: the order of things (territories, codes, duty, fees,
 * taxes), what one line is, and which code stands for the whole. Source: specification 2.7 and 4.2; decisions 4,
 * 11, 12, 14 and 15 of the README.
 */
import { sumCents } from '../../money.ts'
import type { InputProblem } from '../../problem.ts'
import type { HsCandidate } from '../classification/classify.ts'
import { findJurisdiction, movementBetween } from '../data/territory.ts'
import {
  centsOf,
  compare,
  cutToUnit,
  dividedBy,
  type Exact,
  exactOf,
  isZero,
  plus,
  sumOf,
  timesWhole,
  ZERO,
} from '../exact.ts'
import type { ContentItem, DutiesRequest } from '../request.ts'
import type { CustomsTables } from '../tables.ts'
import type { Charge } from './charge.ts'
import { type Consignment, customsAreaOf, roundingOf } from './consignment.ts'
import { type ConsignmentValues, customsValue, valueItems } from './customs-value.ts'
import { type Duty, dutyOn, NO_DUTY } from './duty.ts'
import { feesOn } from './fee.ts'
import { type CodedItem, type Goods, groupGoods } from './goods.ts'
import { notLevied, taxesOn } from './tax.ts'
import type { TaxLine } from './tax-line.ts'
import { findAmountThreshold, fittingThresholds } from './threshold.ts'

/** How an item came by its HS code. */
export type Classification = {
  readonly code: string
  readonly source: 'GIVEN' | 'FROM_DESCRIPTION'
  /** 0 to 1; absent for a given code. */
  readonly confidence?: number
  /** What would have to be known to be sure of a found code. */
  readonly questions: readonly string[]
  readonly alternatives: readonly HsCandidate[]
}

/** One content item of the request: its customs value and code, or why it has none. */
export type ItemEstimate = {
  readonly index: number
  /** `cost` × `numberOfItems` with its share of freight where that counts, in cents, rounded for display only. */
  readonly customsValueCents: number
  /** The same unrounded: what an item's share of a line goes by. */
  readonly customsValue: Exact
  readonly classification?: Classification
  readonly problem?: InputProblem
}

/** The outcome of an estimate. `estimateCents` is exactly the sum of `taxes`; euro. */
export type DutiesEstimate = {
  readonly kind: 'DutiesEstimate'
  readonly estimateCents: number
  /** The code of the item with the greatest customs value (the first of equals); empty when none has a code. */
  readonly hsCode: string
  readonly taxes: readonly TaxLine[]
  readonly items: readonly ItemEstimate[]
  /** Of all items, by the basis of the destination; in cents, rounded for display only. */
  readonly customsValueCents: number
  /** False when a line could not be computed or an item has no code. */
  readonly complete: boolean
  /** The tables it was worked out with, for what a line's source is called. */
  readonly tables: CustomsTables
}

/** A code that a caller gave. */
export function givenCode(code: string): Classification {
  return { code, source: 'GIVEN', questions: [], alternatives: [] }
}

/** What a description may mean, likeliest first. */
export type Classify = (description: string) => readonly HsCandidate[]

/** The codes of the items of a request, in their order; undefined where a description says nothing. */
export function classifyItems(
  items: readonly ContentItem[],
  find: Classify,
): readonly (Classification | undefined)[] {
  return items.map(({ tariff, description }) => {
    if (tariff !== undefined) return givenCode(tariff)
    const [best, ...alternatives] = find(description)
    if (best === undefined) return undefined
    const { code, confidence, questions } = best
    return { code, source: 'FROM_DESCRIPTION', confidence, questions, alternatives }
  })
}

/** Estimates a request by the rules of a day ('YYYY-MM-DD'); never fails. */
export function estimateRequest(
  tables: CustomsTables,
  request: DutiesRequest,
  codes: readonly (Classification | undefined)[],
  date: string,
): DutiesEstimate {
  const values = valueItems(request)
  const consignment = openConsignment(tables, request, values, date)
  const items = request.items.map((_, index) => itemEstimate(consignment, values, codes[index], index))
  const taxes = charge(consignment, codedItems(request, values, items))
  return {
    kind: 'DutiesEstimate',
    estimateCents: sumCents(taxes.map((line) => line.amountCents)),
    hsCode: leadingCode(items),
    taxes,
    items,
    customsValueCents: centsOf(consignment.customsValue),
    complete: taxes.every((line) => line.computed) && items.every((item) => item.classification),
    tables,
  }
}

function openConsignment(
  tables: CustomsTables,
  request: DutiesRequest,
  { totalGoods, totalFreight }: ConsignmentValues,
  date: string,
): Consignment {
  const to = findJurisdiction(tables, request.to)
  return {
    tables,
    date,
    to,
    from: findJurisdiction(tables, request.from),
    sendingCountry: request.from.country,
    // A request rarely says who receives it; a sale to a consumer is the rule in parcels.
    recipient: request.recipient ?? 'individual',
    isRecipientGiven: request.recipient !== undefined,
    claimsPreferences: request.preferences ?? true,
    // An item without a code has a value all the same, and counts towards the limits of the consignment.
    goodsValue: totalGoods,
    freight: totalFreight,
    customsValue: customsValue(totalGoods, totalFreight, to.valuation),
    isFreightGiven: request.shippingCents !== undefined || request.insuranceCents !== undefined,
    rounding: roundingOf(tables, to, date),
  }
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

/** Everything that is charged, in the order of the lines. */
function charge(consignment: Consignment, items: readonly CodedItem[]): readonly Charge[] {
  const { tables, from, to } = consignment
  const movement = movementBetween(from, to)
  if (movement === 'inside') return []
  const isImported = movement === 'import'
  const area = customsAreaOf(to)
  const codeTables = {
    tariff: tables.tariffs.get(area),
    tariffs: tables.tariffs,
    hsSuccessors: tables.hsSuccessors,
  }
  const goods = groupGoods(consignment, codeTables, items)
  const duties = isImported ? dutiesOn(consignment, goods, area) : goods.map(() => NO_DUTY)
  const isPreferential = duties.every((duty) => duty.isPreferential)
  const fees = isImported ? feesOn(consignment, goods, isPreferential) : { charges: [], inTaxBase: [] }
  const dutied = goods.map((of, index) => ({
    goods: of,
    duty: duties[index] ?? NO_DUTY,
    fees: fees.inTaxBase[index] ?? ZERO,
    isImported,
  }))
  return [...duties.flatMap((duty) => duty.charges), ...fees.charges, ...taxesOn(consignment, dutied)]
}

/** The duties on goods, without those that are too little to be levied. */
function dutiesOn(consignment: Consignment, goods: readonly Goods[], area: string): readonly Duty[] {
  const fitting = fittingThresholds(consignment, area, 'duty')
  const duties = goods.map((of) => dutyOn(consignment, of, fitting))
  const waived = findAmountThreshold(consignment, area, 'duty', () =>
    sumOf(duties.map(({ amount }) => amount)),
  )
  if (waived === undefined) return duties
  return duties.map((duty) => ({
    ...duty,
    amount: ZERO,
    charges: duty.charges.map((of) =>
      compare(of.amount, ZERO) === 0 ? of : notLevied(consignment, of, waived),
    ),
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

/** Nothing in the description points to a code. */
function unclassifiable(index: number): InputProblem {
  const message = 'no HS code fits this description (describe the goods more closely, or give a tariff code)'
  return {
    kind: 'InputProblem',
    code: 'UNCLASSIFIABLE',
    message: `contentItems[${index}]: ${message}`,
    retryable: false,
    fields: [{ path: ['contentItems', index, 'description'], code: 'UNCLASSIFIABLE', message }],
  }
}

// What an item of a request bears of each line. Decided here: a line is shared among its items by their customs
// values, in whole cents, and the cents left over go to the largest remainders; so the shares of a line add up to
// it, and those of all items to the estimate. Source: schema/duties.graphql (`ItemEstimate`).

/** An item's part of a line: which of `DutiesEstimate.taxes`, and how many cents of it. */
export type ItemShare = { readonly lineIndex: number; readonly amountCents: number }

/** The shares of each item, in the order of the items and, for each, of the lines. An item without a code has none. */
export function shareByItem({
  taxes,
  items,
}: Pick<DutiesEstimate, 'taxes' | 'items'>): readonly ItemShare[][] {
  const shares = items.map((): ItemShare[] => [])
  for (const [lineIndex, line] of taxes.entries()) {
    const concerned = itemsOf(line)
    const values = concerned.map((item) => items[item]?.customsValue ?? NOTHING)
    const parts = splitCents(line.amountCents, values)
    for (const [position, item] of concerned.entries())
      shares[item]?.push({ lineIndex, amountCents: parts[position] ?? 0 })
  }
  return shares
}

/** The items of a line, each once and in their order: lots of several origins are joined as they come. */
export function itemsOf({ items }: Pick<TaxLine, 'items'>): readonly number[] {
  return [...new Set(items)].sort((a, b) => a - b)
}

const NOTHING = exactOf(0, 0)
const CENT = exactOf(1, 0)

/**
 * Whole cents in proportion to values (none below zero), adding up to `cents`; equal values, or the first of equal
 * remainders, get the odd cent in their order. Where all values are nothing the parts are equal.
 */
export function splitCents(cents: number, values: readonly Exact[]): readonly number[] {
  const [, second] = values
  if (second === undefined) return values.map(() => cents)
  const total = sumOf(values)
  const isEven = isZero(total)
  const whole = isEven ? exactOf(values.length, 0) : total
  const parts = values.map((value, position) => {
    const exact = dividedBy(timesWhole(isEven ? CENT : value, cents), whole)
    const floor = cutToUnit(exact, CENT)
    return { position, cents: Number(floor.numerator), rest: plus(exact, timesWhole(floor, -1)) }
  })
  const left = cents - parts.reduce((sum, part) => sum + part.cents, 0)
  // Sorting is stable: of equal remainders the first item's goes first.
  const raised = parts.toSorted((a, b) => compare(b.rest, a.rest)).slice(0, left)
  const shares = parts.map((part) => part.cents)
  for (const { position } of raised) shares[position] = (shares[position] ?? 0) + 1
  return shares
}
