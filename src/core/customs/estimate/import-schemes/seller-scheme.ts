/**
 * Schemes under which the seller collects the import tax at the checkout, such as IOSS and VOEC: which goods of a
 * consignment they cover. scheme-choice.ts decides whether one is used. See docs/import-schemes.md.
 */
import { fromEuro } from '../../data/exchange-rate.ts'
import { compare, type Exact, exactOf } from '../../exact.ts'
import { COST_PLACES } from '../../request.ts'
import type { Consignment } from '../consignment.ts'
import type { Goods } from '../goods.ts'
import type { RouteScheme } from '../route.ts'
import type { SchemeBasis, SchemeChoice } from './scheme-choice.ts'
import { beginsWithOne } from './threshold.ts'

type SchemedConsignment = Pick<Consignment, 'sellerScheme' | 'coversGoods'>

/** The scheme that is used for goods of a code. All items of the code must be within the limit. */
export function schemeFor(
  { sellerScheme, coversGoods }: SchemedConsignment,
  goods: Goods,
): SchemeChoice | undefined {
  return coversGoods && sellerScheme?.basis !== undefined && isCovered(sellerScheme, goods)
    ? sellerScheme
    : undefined
}

/** The scheme that is used for some of the goods. */
export function schemeOfSome({ sellerScheme, coversGoods }: SchemedConsignment): UsedScheme | undefined {
  const basis = coversGoods ? sellerScheme?.basis : undefined
  return sellerScheme === undefined || basis === undefined ? undefined : { ...sellerScheme, basis }
}

type UsedScheme = RouteScheme & { readonly basis: SchemeBasis }

/** Whether some of the goods could be sold under a scheme. */
export function coversSome(
  { goodsValue }: Pick<Consignment, 'goodsValue'>,
  scheme: RouteScheme,
  goods: readonly Goods[],
): boolean {
  if (scheme.scheme.row.limitOn === 'consignment' && !isWithinLimit(scheme, goodsValue)) return false
  return goods.some((part) => isCovered(scheme, part))
}

/** Whether goods could be sold under a scheme, if the consignment is within the limit of the scheme. */
export function isCovered(scheme: RouteScheme, { harmonizedCode, lots }: Goods): boolean {
  const { row } = scheme.scheme
  if (beginsWithOne(harmonizedCode, row.excludedPrefixes)) return false
  if (row.limitOn === 'consignment') return true
  return lots.every(({ items }) =>
    items.every(({ item }) => isWithinLimit(scheme, exactOf(item.costSteps, COST_PLACES))),
  )
}

/** `value` is in euro. Without an exchange rate for a limit, nothing is within it. */
function isWithinLimit({ scheme: { row, limit }, rate }: RouteScheme, value: Exact): boolean {
  if (limit === undefined) return true
  if (rate === undefined) return false
  const difference = compare(fromEuro(value, rate), limit)
  return difference < 0 || (difference === 0 && !row.belowLimit)
}
