/** What the shipments of the last month would cost by a card, for `waybill card import`. */
import type { Kysely } from 'kysely'
import { formatCents } from '../../core/money.ts'
import type { UnpricedCard } from '../../core/rate-card-review/difference/card-difference.ts'
import {
  compareShipments,
  type ShipmentComparison,
} from '../../core/rate-card-review/difference/recent-shipments.ts'
import { openNewestRates } from '../../core/rate-card-review/sample/newest-rates.ts'
import { columnsOf, compilePriceTable, type PriceTable } from '../../core/rating/book/price-table.ts'
import { type FuelSources, fuelInForce } from '../../core/rating/fuel/fuel-table.ts'
import type { FuelRate } from '../../core/rating/rate-card.ts'
import { loadCompiledCustoms } from '../../store/customs/customs.ts'
import type { Database } from '../../store/database/database.ts'
import { recentShipments } from '../../store/shipments/drafts.ts'
import { counted } from '../terminal/output.ts'
import { type OnPrices, signedPercentText } from './difference-report.ts'

const DAYS = 30
const MAX_SHIPMENTS = 10_000

export type RecentComparison = {
  /** The prices of a product under both cards. Call it once for each product that has prices. */
  readonly addPrices: OnPrices
  /** Call it last. */
  finish(): ShipmentComparison
}

/**
 * Compares the list prices of recent shipments under two cards on a day. Figures of `after` replace the entered ones of
 * `fuel`. Undefined if no recent shipment used a product of `before`.
 */
export async function openRecent(
  db: Kysely<Database>,
  before: UnpricedCard,
  after: UnpricedCard,
  fuel: FuelSources,
  day: string,
): Promise<RecentComparison | undefined> {
  const products = before.content.products.map(({ productId }) => productId)
  if (products.length === 0) return undefined
  const shipments = await recentShipments(db, products, DAYS, MAX_SHIPMENTS)
  if (shipments.length === 0) return undefined
  const isForeign = [before, after].some(({ content }) =>
    content.priceTerms.some(({ currency }) => currency !== 'EUR'),
  )
  const exchangeRates = isForeign ? (await loadCompiledCustoms(db)).exchangeRates : new Map()
  const keyOf = ({ carrierCode, code, validFrom }: FuelRate): string => `${carrierCode} ${code} ${validFrom}`
  const brought = new Set(after.fuel.map(keyOf))
  const kept = fuel.rates.filter((rate) => !brought.has(keyOf(rate)))
  const [old, now] = [new Map<number, PriceTable>(), new Map<number, PriceTable>()]
  return {
    addPrices(productId, was, is) {
      old.set(productId, compilePriceTable(columnsOf(was)))
      now.set(productId, compilePriceTable(columnsOf(is)))
    },
    finish: () =>
      compareShipments(
        { card: before, prices: old, fuel: fuelInForce(fuel) },
        { card: after, prices: now, fuel: fuelInForce({ ...fuel, rates: [...kept, ...after.fuel] }) },
        shipments,
        day,
        openNewestRates(exchangeRates)(day),
      ),
  }
}

export function recentLines(comparison: ShipmentComparison | undefined): string[] {
  if (comparison === undefined) return []
  const { compared, beforeCents, afterCents, changeBps, notOffered } = comparison
  const change = changeBps === null ? '' : ` (${signedPercentText(changeBps)})`
  const lost = `${counted(notOffered, 'shipment')} of the last ${DAYS} days would not be offered any more.`
  const lines = [
    ...(compared === 0
      ? []
      : [
          `${counted(compared, 'shipment')} booked in the last ${DAYS} days, at list prices: EUR ${formatCents(beforeCents)} -> ${formatCents(afterCents)}${change}.`,
        ]),
    ...(notOffered === 0 ? [] : [lost]),
  ]
  return lines.length === 0 ? [] : [...lines, '']
}
