/** The goods of a worked case as the items of a request. Decided here: what they are worth where only a limit is told. */
import type { ContentItem, DutiesRequest, ItemQuantity } from '../../../src/core/customs/request.ts'
import { stepsOf, timesDecimal } from './decimal.ts'
import type { CaseDraft, ItemDraft } from './draft.ts'
import type { WorkedCase } from './file.ts'

/** Goods with the code they have, or got, and rates of their own. */
export type CodedGoods = { readonly code: string; readonly dutyPpm?: number; readonly taxPpm?: number }

/** The request of a case, and its goods in the order of its items. */
export type RequestedGoods = { readonly request: DutiesRequest; readonly goods: readonly CodedGoods[] }

/** Goods that are told apart and have no code. */
const FIRST_CODE = 990_000

/** Makes the request of a case. */
export function goodsOf(of: WorkedCase, draft: CaseDraft): RequestedGoods {
  const value = toldValue(draft)
  const { code } = draft
  const single: ItemDraft = { count: 1, value, ...(code !== undefined && { code }) }
  const items = draft.items.length === 0 ? [single] : withValue(draft.items, value)
  const { shippingCents, insuranceCents, recipient, claimsPreferences } = draft
  return {
    goods: items.map((item, index) => codedGoods(draft, items, item, index)),
    request: {
      from: { country: of.origin === of.destination ? 'ZZ' : of.origin },
      to: { country: of.destination },
      date: of.asOf,
      items: items.map((item, index) => contentItem(of, draft, item, index)),
      ...(shippingCents !== undefined && { shippingCents }),
      ...(insuranceCents !== undefined && { insuranceCents }),
      ...(recipient !== undefined && { recipient }),
      ...(claimsPreferences !== undefined && { preferences: claimsPreferences }),
    },
  }
}

/** The value that is told; a limit that the goods keep to, or exceed, is as good where the value is not. */
function toldValue({ goods, intrinsic, taxedValue, limits, ledger }: CaseDraft): string {
  if (goods === undefined && intrinsic === undefined) return taxedValue ?? '0'
  if (goods === undefined)
    return intrinsic?.comparison === '>' ? timesDecimal(intrinsic.amount, '2') : (intrinsic?.amount ?? '0')
  if (intrinsic?.comparison === '=' && intrinsic.amount !== goods && limits.length > 0)
    ledger.problems.push(
      `intrinsic value ${intrinsic.amount} of goods worth ${goods}: the engine knows one value`,
    )
  return goods
}

/** Where no item has a value, the first has all of it: what is due on the whole does not depend on it. */
function withValue(items: readonly ItemDraft[], value: string): readonly ItemDraft[] {
  if (items.some((item) => item.price !== undefined || item.value !== undefined)) return items
  return items.map((item, index) => ({ ...item, value: index === 0 ? value : '0' }))
}

function codedGoods(
  draft: CaseDraft,
  items: readonly ItemDraft[],
  item: ItemDraft,
  index: number,
): CodedGoods {
  const { dutyPpm, taxPpm } = item
  const code = codeOf(item, index)
  const isAtOdds = items.some(
    (other, at) => codeOf(other, at) === code && (other.dutyPpm !== dutyPpm || other.taxPpm !== taxPpm),
  )
  if (isAtOdds) draft.ledger.problems.push(`items[${index}]: other rates than the same code has elsewhere`)
  return { code, ...(dutyPpm !== undefined && { dutyPpm }), ...(taxPpm !== undefined && { taxPpm }) }
}

function codeOf({ code }: ItemDraft, index: number): string {
  return code ?? String(FIRST_CODE + index)
}

/** With a price each piece counts; with a value the pieces are one item, and their number is a quantity of it. */
function contentItem(of: WorkedCase, draft: CaseDraft, item: ItemDraft, index: number): ContentItem {
  const { price, value = '0', count } = item
  const costSteps = stepsOf(price ?? value, 6)
  if (costSteps === undefined)
    draft.ledger.problems.push(`a value of ${price ?? value} has more than six decimals`)
  const own = index === 0 ? draft.quantities : []
  const pieces: ItemQuantity = { unit: 'item', amountMicros: count * 1_000_000 }
  const quantities = price === undefined && count > 1 ? [pieces, ...own] : own
  return {
    description: 'goods',
    numberOfItems: price === undefined ? 1 : count,
    costSteps: costSteps ?? 0,
    originCountry: item.origin ?? of.origin,
    ...(quantities.length > 0 && { quantities }),
  }
}
