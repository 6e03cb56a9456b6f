/**
 * Oracle for estimates, schemes under which the seller collects the tax: whether one is used, which goods it covers,
 * and who collects a line. Rules: docs/import-schemes.md.
 */
import type { SellerSchemeRow } from '../../../../src/core/customs/data/row-types/seller-schemes.ts'
import type { TaxKind } from '../../../../src/core/customs/data/row-types/taxes.ts'
import { type Consignment, unitsPerEuro } from './case.ts'
import { holds } from './code.ts'
import { compare, decimal, type Fraction, fraction, times } from './fraction.ts'

export type OracleCollector = 'SELLER_AT_CHECKOUT' | 'CARRIER' | 'CUSTOMS' | 'UNKNOWN'

export type OracleSchemeBasis = 'REQUESTED' | 'REGISTERED' | 'ASSUMED'

/** The scheme of the destination for goods that are imported, and for the recipient. */
export function schemeOfDestination({
  rows,
  to,
  movement,
  date,
  request,
}: Consignment): SellerSchemeRow | undefined {
  if (movement !== 'import') return undefined
  const recipient = request.recipient ?? 'individual'
  const candidates = [to.code, ...to.taxAreas].flatMap((place) =>
    rows.sellerSchemes.filter(({ jurisdiction }) => jurisdiction === place),
  )
  return candidates.find((row) => holds(row, date) && ['any', recipient].includes(row.recipient))
}

/** Why the scheme is used. Undefined if it is not, or if there is none. */
function basisOf(consignment: Consignment, row: SellerSchemeRow): OracleSchemeBasis | undefined {
  const { importScheme, registrations = [] } = consignment.request
  switch (importScheme) {
    case 'SELLER_COLLECTS':
      return 'REQUESTED'
    case 'POSTAL':
    case 'COURIER':
    case 'STANDARD_DECLARATION':
      return undefined
    case 'IOSS':
      if (row.scheme === 'IOSS') return 'REQUESTED'
      break
    case undefined:
      break
  }
  for (const registration of registrations)
    if (registration.scheme === row.scheme && holds(registration, consignment.date)) return 'REGISTERED'
  return row.assumed ? 'ASSUMED' : undefined
}

/** True if all items of a code are within the limit, and the code is not excluded. */
function isWithin(consignment: Consignment, row: SellerSchemeRow, code: string): boolean {
  if (row.excludedPrefixes.some((prefix) => code.startsWith(prefix))) return false
  if (row.limitAmount === '') return true
  const rate = unitsPerEuro(consignment.rows, row.currency, consignment.date)
  if (rate === undefined) return false
  const values: readonly Fraction[] =
    row.limitOn === 'consignment'
      ? [consignment.goodsValue]
      : consignment.goods
          .filter((goods) => goods.code === code)
          .flatMap(({ items }) => items.map(({ costSteps }) => fraction(costSteps, 1_000_000)))
  return values.every((value) => {
    const order = compare(times(value, rate), decimal(row.limitAmount))
    return row.belowLimit ? order < 0 : order <= 0
  })
}

/** The scheme under which the seller collects the tax on goods of a code. */
export function sellerSchemeOf(consignment: Consignment, code: string): SellerSchemeRow | undefined {
  const row = schemeOfDestination(consignment)
  if (row === undefined || basisOf(consignment, row) === undefined) return undefined
  return isWithin(consignment, row, code) ? row : undefined
}

/** The scheme that is used for some of the goods, and why. */
export function usedScheme(
  consignment: Consignment,
): { readonly scheme: string; readonly basis: OracleSchemeBasis } | undefined {
  const row = schemeOfDestination(consignment)
  const basis = row && basisOf(consignment, row)
  return row && basis && coversSome(consignment, row) ? { scheme: row.scheme, basis } : undefined
}

function coversSome(consignment: Consignment, row: SellerSchemeRow): boolean {
  return consignment.goods.some(({ code }) => isWithin(consignment, row, code))
}

/** The scheme that turns the seller's collection on or off. Undefined if it covers none of the goods. */
export function oppositeCase(consignment: Consignment): 'SELLER_COLLECTS' | 'COURIER' | undefined {
  const row = schemeOfDestination(consignment)
  if (row === undefined || !coversSome(consignment, row)) return undefined
  return basisOf(consignment, row) === undefined ? 'SELLER_COLLECTS' : 'COURIER'
}

/** True for a tax that the seller collects on goods of a code. */
export function isSellersTax(consignment: Consignment, code: string, kind: TaxKind): boolean {
  return (kind === 'VAT' || kind === 'GST') && sellerSchemeOf(consignment, code) !== undefined
}

export function collectorOf(
  { request: { importScheme } }: Consignment,
  atCheckout: boolean | undefined,
): OracleCollector {
  if (atCheckout === true) return 'SELLER_AT_CHECKOUT'
  if (importScheme === 'POSTAL' || importScheme === 'COURIER') return 'CARRIER'
  return importScheme === 'STANDARD_DECLARATION' ? 'CUSTOMS' : 'UNKNOWN'
}
