/** Converts the goods of a worked case to a request. */
import type { ContentItem, DutiesRequest, ItemQuantity } from '../../../src/core/customs/request.ts'
import type { CaseDraft, ItemDraft } from './draft.ts'
import { stepsOf, timesDecimal } from './entry.ts'
import type { WorkedCase } from './file.ts'

/** Goods with their code (given or assigned) and the rates that apply to that code only. */
export type CodedGoods = { readonly code: string; readonly dutyPpm?: number; readonly taxPpm?: number }

export type RequestedGoods = { readonly request: DutiesRequest; readonly goods: readonly CodedGoods[] }

/** The first code for goods that have none, so that they stay separate items. */
const FIRST_CODE = 990_000

export function goodsOf(workedCase: WorkedCase, draft: CaseDraft): RequestedGoods {
  const value = goodsValue(draft)
  const { code } = draft
  const single: ItemDraft = { count: 1, value, ...(code !== undefined && { code }) }
  const items = draft.items.length === 0 ? [single] : withValue(draft.items, value)
  const { shippingCents, insuranceCents, recipient, claimsPreferences } = draft
  return {
    goods: items.map((item, index) => codedGoods(draft, items, item, index)),
    request: {
      from: { country: workedCase.origin === workedCase.destination ? 'ZZ' : workedCase.origin },
      to: { country: workedCase.destination },
      date: workedCase.asOf,
      items: items.map((item, index) => contentItem(workedCase, draft, item, index)),
      ...(shippingCents !== undefined && { shippingCents }),
      ...(insuranceCents !== undefined && { insuranceCents }),
      ...(recipient !== undefined && { recipient }),
      ...(claimsPreferences !== undefined && { preferences: claimsPreferences }),
    },
  }
}

/** The value of the goods. If a case gives only a limit, any value below or above it gives the same result. */
function goodsValue({ goods, intrinsic, taxedValue, limits, ledger }: CaseDraft): string {
  if (goods === undefined && intrinsic === undefined) return taxedValue ?? '0'
  if (goods === undefined)
    return intrinsic?.comparison === '>' ? timesDecimal(intrinsic.amount, '2') : (intrinsic?.amount ?? '0')
  if (intrinsic?.comparison === '=' && intrinsic.amount !== goods && limits.length > 0)
    ledger.problems.push(
      `intrinsic value ${intrinsic.amount} of goods worth ${goods}: the engine knows one value`,
    )
  return goods
}

/** If no item has a value, the first item gets the whole value. The result does not depend on the split. */
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

/** With a price, pieces are counted. With a value, all pieces are one item with their number as a quantity. */
function contentItem(workedCase: WorkedCase, draft: CaseDraft, item: ItemDraft, index: number): ContentItem {
  const { price, value = '0', count } = item
  const costSteps = stepsOf(price ?? value, 6)
  if (costSteps === undefined)
    draft.ledger.problems.push(`a value of ${price ?? value} has more than six decimals`)
  const quantitiesOfItem = index === 0 ? draft.quantities : []
  const pieces: ItemQuantity = { unit: 'item', amountMicros: count * 1_000_000 }
  const quantities = price === undefined && count > 1 ? [pieces, ...quantitiesOfItem] : quantitiesOfItem
  return {
    description: 'goods',
    numberOfItems: price === undefined ? 1 : count,
    costSteps: costSteps ?? 0,
    originCountry: item.origin ?? workedCase.origin,
    ...(quantities.length > 0 && { quantities }),
  }
}
