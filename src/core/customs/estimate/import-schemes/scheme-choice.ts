/**
 * Whether a scheme under which the seller collects the import tax is used for a consignment. The request decides first,
 * then the registrations of the account, then the assumption in the table. See docs/import-schemes.md.
 */
import { isInForce } from '../../../validity.ts'
import { IMPORT_SCHEMES, type ImportScheme } from '../../data/row-types/thresholds.ts'
import type { DutiesRequest } from '../../request.ts'
import type { Recipient, Route, RouteScheme } from '../route.ts'

/** Why a scheme is used. */
export type SchemeBasis = 'REQUESTED' | 'REGISTERED' | 'ASSUMED'

/** The scheme of the route, and why it is used; `basis` is undefined if it is not. */
export type SchemeChoice = RouteScheme & { readonly basis: SchemeBasis | undefined }

/** The choice for a request. Undefined if the route has no scheme for sales to the recipient. */
export function chooseScheme(
  { sellerSchemes, date }: Pick<Route, 'sellerSchemes' | 'date'>,
  { importScheme, registrations = [] }: Pick<DutiesRequest, 'importScheme' | 'registrations'>,
  recipient: Recipient,
): SchemeChoice | undefined {
  const sellerScheme = sellerSchemes.find(
    ({ scheme: { row } }) => row.recipient === 'any' || row.recipient === recipient,
  )
  if (sellerScheme === undefined) return undefined
  const { scheme, rate } = sellerScheme
  const { row } = scheme
  const isNamed = importScheme === 'SELLER_COLLECTS' || importScheme === row.scheme
  if (isNamed) return { scheme, rate, basis: 'REQUESTED' }
  // IOSS says nothing about the schemes of other countries.
  if (importScheme !== undefined && importScheme !== 'IOSS') return { scheme, rate, basis: undefined }
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
