/** Values and weights of a declaration. Totals are sums of the rounded values of the items. */
import { mulDivHalfUp, sumCents } from '../../money.ts'
import { powerOfTen } from '../../quantity.ts'
import { COST_PLACES, type ContentItem } from '../request.ts'
import type { DeclarationItem } from './request.ts'

/** One kind of goods. `valueCents` and `netGrams` are those of all its items. */
export type DeclaredGoods = {
  readonly item: DeclarationItem
  readonly index: number
  readonly valueCents: number
  /** Undefined if the request does not give the weight. */
  readonly netGrams: number | undefined
}

export type Totals = {
  readonly valueCents: number
  /** Undefined if the weight of an item is not known. */
  readonly netGrams: number | undefined
  readonly grossGrams: number | undefined
}

export function declareGoods(items: readonly DeclarationItem[]): readonly DeclaredGoods[] {
  return items.map((item, index) => ({
    item,
    index,
    valueCents: lineCents(item.goods),
    netGrams:
      item.goods.weightGrams === undefined ? undefined : item.goods.weightGrams * item.goods.numberOfItems,
  }))
}

function lineCents({ costSteps, numberOfItems }: ContentItem): number {
  return mulDivHalfUp(costSteps, numberOfItems, powerOfTen(COST_PLACES - 2))
}

export function totalsOf(goods: readonly DeclaredGoods[], grossGrams: number | undefined): Totals {
  const weights = goods.flatMap(({ netGrams }) => (netGrams === undefined ? [] : [netGrams]))
  return {
    valueCents: sumCents(goods.map(({ valueCents }) => valueCents)),
    netGrams: weights.length < goods.length ? undefined : weights.reduce((sum, grams) => sum + grams, 0),
    grossGrams,
  }
}
