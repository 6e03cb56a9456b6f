/** Checks that surcharges and services have in common. Rules: docs/rate-card-files.md#surcharges. */
import type { ServiceRow, SurchargeRow } from '../../rating/rate-card.ts'
import type { CardIndex, RowOfProducts } from './card-index.ts'
import type { Reports } from './findings.ts'

type Table = 'surcharges' | 'services'

type TableOfProducts = Table | 'sizeClasses' | 'minimumWeights'

type Charge = Pick<SurchargeRow | ServiceRow, 'method' | 'minimumCents' | 'maximumCents' | 'per'>

/** The maximum must not be below the minimum. Warns of fields that have no effect with the method of the row. */
export function checkCharge(
  table: Table,
  { method, minimumCents, maximumCents, per }: Charge,
  index: number,
  { money }: CardIndex,
  { fault, warn }: Reports,
): void {
  if (maximumCents !== undefined && (maximumCents < minimumCents || maximumCents <= 0)) {
    const expected = minimumCents > 0 ? `at least the minimum, ${money(minimumCents)}` : 'a maximum above 0'
    fault(table, 'maximum', { index, field: 'maximumCents', expected, found: money(maximumCents) })
  }
  if ((method === 'pct' || method === 'fuel') && per === 'unit') {
    const expected = 'shipment, because a percentage is charged once and not for each parcel'
    warn(table, 'percentage per unit', { index, field: 'per', expected })
  }
  if (method !== 'flat' && method !== 'formula') return
  if (minimumCents > 0) {
    const expected = `no minimum with ${method === 'flat' ? 'a flat amount' : 'a formula; use max()'}`
    warn(table, 'flat minimum', { index, field: 'minimumCents', expected, found: money(minimumCents) })
  }
  if (maximumCents !== undefined) {
    const expected = `no maximum with ${method === 'flat' ? 'a flat amount' : 'a formula; use min()'}`
    warn(table, 'flat maximum', { index, field: 'maximumCents', expected, found: money(maximumCents) })
  }
}

/** The products of a row must be products of its carrier. */
export function checkProductIds(
  table: TableOfProducts,
  { carrierCode, products = [] }: RowOfProducts,
  index: number,
  card: CardIndex,
  { fault }: Reports,
): void {
  const others = products.filter((id) => card.products.get(id)?.carrierCode !== carrierCode)
  // checkReferences reports a carrier without products.
  if (others.length === 0 || !card.sellers.has(carrierCode)) return
  const expected = `products of ${carrierCode} in the card`
  fault(table, 'products', { index, field: 'products', expected, found: others.join(', ') })
}
