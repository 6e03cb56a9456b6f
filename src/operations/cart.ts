/**
 * The texts that checkout tokens are bound to. Two requests have the same text if their validated values are the same,
 * whatever their spelling: "5.0" and 5 kilograms, "nl" and "NL". See docs/browser-keys.md#checkout-tokens.
 */
import type { ContentItem } from '../core/customs/request.ts'
import { FACT_NAMES } from '../core/goods-facts.ts'
import type { RatesRequest } from '../core/rating/request.ts'
import { parcelsText, placeText } from '../core/shipments/option-token.ts'

/** What determines the price of a cart besides its destination, recipient and insurance, which the buyer chooses. */
export function cartText(request: RatesRequest): string {
  return JSON.stringify([placeText(request.from), parcelsText(request)])
}

export function goodsText(items: readonly ContentItem[]): string {
  const rows = items.map((item) => [
    item.description,
    item.numberOfItems,
    item.costSteps,
    item.tariff ?? null,
    item.originCountry ?? null,
    item.weightGrams ?? null,
    (item.quantities ?? []).map(({ unit, amountMicros }) => [unit, amountMicros]),
    item.alcoholPpm ?? null,
    item.additionalCode ?? null,
    ...factsText(item),
  ])
  return JSON.stringify(rows)
}

/** Empty for goods without these fields. */
function factsText({ sku, facts, answers }: ContentItem): readonly unknown[] {
  if (sku === undefined && facts === undefined && answers === undefined) return []
  const answered = (answers ?? []).map(({ id, value }) => [id, value])
  return [sku ?? null, FACT_NAMES.map((name) => facts?.[name] ?? null), answered]
}
