/**
 * The answer to a duties and taxes request. Decided here: the order of things (territories, codes, duty, tax),
 * what one line is, and which code stands for the whole. Source: specification 2.7 and 4.2; decisions 4, 11, 12,
 * 14 and 15 of the README.
 */
import { sumCents } from '../money.ts'
import type { InputProblem } from '../problem.ts'
import { classify, type HsCandidate, type Lexicon } from './classify.ts'
import { consignmentValue, customsValue } from './customs-value.ts'
import { customsAreaOf, dutyOn, type Import, NO_DUTY } from './duty.ts'
import { centsOf, compare, type Exact } from './exact.ts'
import { type CodedItem, groupGoods } from './goods.ts'
import type { ContentItem, DutiesRequest } from './request.ts'
import type { CustomsTables } from './tables.ts'
import { taxesOn } from './tax.ts'
import type { TaxLine } from './tax-line.ts'
import { findJurisdiction, movementBetween } from './territory.ts'

/** How an item came by its HS code. */
export type Classification = {
  readonly code: string
  readonly source: 'GIVEN' | 'FROM_DESCRIPTION'
  /** 0 to 1; absent for a given code. */
  readonly confidence?: number
  readonly alternatives: readonly HsCandidate[]
}

/** One content item of the request: its customs value and code, or why it has none. */
export type ItemEstimate = {
  readonly index: number
  /** `cost` × `numberOfItems`, in cents, rounded for display only. */
  readonly customsValueCents: number
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
  /** False when a line could not be computed or an item has no code. */
  readonly complete: boolean
}

/** How many other codes are offered beside the one that was chosen. */
const ALTERNATIVES = 5

/** An item with its value and, where one was found, its code. */
type ValuedItem = {
  readonly item: ContentItem
  readonly value: Exact
  readonly classification: Classification | undefined
}

/** Estimates a request by the rules of a day ('YYYY-MM-DD'); never fails. */
export function estimateRequest(
  tables: CustomsTables,
  lexicon: Lexicon,
  request: DutiesRequest,
  date: string,
): DutiesEstimate {
  const items = request.items.map((item) => ({
    item,
    value: customsValue(item.costSteps, item.numberOfItems),
    classification: classificationOf(lexicon, item),
  }))
  const taxes = taxLines(tables, request, items, date)
  const complete = taxes.every((line) => line.computed) && items.every((item) => item.classification)
  return {
    kind: 'DutiesEstimate',
    estimateCents: sumCents(taxes.map((line) => line.amountCents)),
    hsCode: leadingCode(items),
    taxes,
    items: items.map(itemEstimate),
    complete,
  }
}

function classificationOf(lexicon: Lexicon, item: ContentItem): Classification | undefined {
  if (item.tariff !== undefined) return { code: item.tariff, source: 'GIVEN', alternatives: [] }
  const [best, ...alternatives] = classify(lexicon, item.description, 1 + ALTERNATIVES)
  if (best === undefined) return undefined
  return { code: best.code, source: 'FROM_DESCRIPTION', confidence: best.confidence, alternatives }
}

function taxLines(
  tables: CustomsTables,
  request: DutiesRequest,
  items: readonly ValuedItem[],
  date: string,
): readonly TaxLine[] {
  const to = findJurisdiction(tables, request.to)
  const movement = movementBetween(findJurisdiction(tables, request.from), to)
  if (movement === 'inside') return []
  // An item without a code has a value all the same, and counts towards the limits of the consignment.
  const value = consignmentValue(items.map((item) => item.value))
  // A request does not say who receives it; a sale to a consumer is the rule in parcels.
  const into: Import = { tables, to, consignment: { value, date, recipient: 'individual' } }
  const tariff = tables.tariffs.get(customsAreaOf(to))
  const goods = groupGoods({ tariff, tariffs: tables.tariffs, date }, items.flatMap(codedItem))
  const dutied = goods.map((of) => ({ goods: of, duty: movement === 'import' ? dutyOn(into, of) : NO_DUTY }))
  return [...dutied.flatMap(({ duty }) => duty.lines), ...taxesOn(into, dutied)]
}

function codedItem({ item, value, classification }: ValuedItem): CodedItem[] {
  return classification === undefined ? [] : [{ item, value, code: classification.code }]
}

function leadingCode(items: readonly ValuedItem[]): string {
  let leading: ValuedItem | undefined
  for (const item of items) {
    if (item.classification === undefined) continue
    if (leading === undefined || compare(item.value, leading.value) > 0) leading = item
  }
  return leading?.classification?.code ?? ''
}

function itemEstimate({ value, classification }: ValuedItem, index: number): ItemEstimate {
  const customsValueCents = centsOf(value)
  if (classification === undefined) return { index, customsValueCents, problem: unclassifiable(index) }
  return { index, customsValueCents, classification }
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
