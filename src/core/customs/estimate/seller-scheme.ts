/**
 * Schemes under which the seller collects the import tax at the checkout, such as IOSS and VOEC: whether one is used
 * for a consignment, and which goods it covers. The request decides first, then the registrations of the account, then
 * the assumption in the table. See docs/import-schemes.md.
 */
import { isInForce } from '../../validity.ts'
import type { SellerScheme } from '../compiled-customs.ts'
import { type ExchangeRate, fromEuro } from '../data/exchange-rate.ts'
import { IMPORT_SCHEMES, type ImportScheme } from '../data/row-types/thresholds.ts'
import { compare, type Exact, exactOf } from '../exact.ts'
import { COST_PLACES, type DutiesRequest } from '../request.ts'
import type { Consignment } from './consignment.ts'
import type { Goods } from './goods.ts'
import type { Recipient, Route } from './route.ts'
import { beginsWithOne } from './threshold.ts'

/** The scheme of a route on a day. */
export type RouteScheme = {
  readonly scheme: SellerScheme
  /** Of the limit. Undefined if its currency has no exchange rate. */
  readonly rate: ExchangeRate | undefined
}

/** Why a scheme is used. */
export type SchemeBasis = 'REQUESTED' | 'REGISTERED' | 'ASSUMED'

/** The scheme of the route, and why it is used; `basis` is undefined if it is not. */
export type SchemeChoice = RouteScheme & { readonly basis: SchemeBasis | undefined }

/** The choice for a request. Undefined if the route has no scheme. */
export function chooseScheme(
  { sellerScheme, date }: Pick<Route, 'sellerScheme' | 'date'>,
  { importScheme, registrations = [] }: Pick<DutiesRequest, 'importScheme' | 'registrations'>,
): SchemeChoice | undefined {
  if (sellerScheme === undefined) return undefined
  const { scheme, rate } = sellerScheme
  const { row } = scheme
  const isNamed = importScheme === 'SELLER_COLLECTS' || importScheme === row.scheme
  // IOSS says nothing about the schemes of other countries.
  if (importScheme !== undefined && importScheme !== 'IOSS')
    return { scheme, rate, basis: isNamed ? 'REQUESTED' : undefined }
  if (isNamed) return { scheme, rate, basis: 'REQUESTED' }
  const isRegistered = registrations.some((one) => one.scheme === row.scheme && isInForce(one, date))
  if (isRegistered) return { scheme, rate, basis: 'REGISTERED' }
  return { scheme, rate, basis: row.assumed ? 'ASSUMED' : undefined }
}

/** The import scheme that low-value rules know: for `SELLER_COLLECTS`, the scheme of the route if they know it. */
export function ruleScheme(
  importScheme: DutiesRequest['importScheme'],
  choice: SchemeChoice | undefined,
): ImportScheme | undefined {
  if (importScheme !== 'SELLER_COLLECTS') return importScheme
  return IMPORT_SCHEMES.find((one) => one === choice?.scheme.row.scheme)
}

/** The scheme that is used for goods of a code. All items of the code must be within the limit. */
export function schemeFor(consignment: SchemedConsignment, goods: Goods): SchemeChoice | undefined {
  const { sellerScheme } = consignment
  return sellerScheme?.basis !== undefined && isCovered(consignment, sellerScheme, goods)
    ? sellerScheme
    : undefined
}

type SchemedConsignment = Pick<Consignment, 'sellerScheme' | 'goodsValue'> & { readonly recipient: Recipient }

/** Whether goods could be sold under a scheme. */
export function isCovered(
  { recipient, goodsValue }: SchemedConsignment,
  { scheme: { row, limit }, rate }: RouteScheme,
  { harmonizedCode, lots }: Goods,
): boolean {
  if (row.recipient !== 'any' && row.recipient !== recipient) return false
  if (beginsWithOne(harmonizedCode, row.excludedPrefixes)) return false
  if (limit === undefined) return true
  if (rate === undefined) return false
  const isWithin = (value: Exact): boolean => {
    const difference = compare(fromEuro(value, rate), limit)
    return difference < 0 || (difference === 0 && !row.belowLimit)
  }
  return row.limitOn === 'consignment'
    ? isWithin(goodsValue)
    : lots.every(({ items }) => items.every(({ item }) => isWithin(exactOf(item.costSteps, COST_PLACES))))
}
