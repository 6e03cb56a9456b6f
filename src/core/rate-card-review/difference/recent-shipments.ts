/** What recent shipments would cost by the list prices of a card before and after a change. */
import type { RateSource } from '../../customs/data/exchange-rate.ts'
import { mulDivHalfUp } from '../../money.ts'
import { compileRateCard } from '../../rating/book/book-card.ts'
import { openProductCompiler } from '../../rating/book/book-product.ts'
import type { PriceTable } from '../../rating/book/price-table.ts'
import { compileRateBook, type RateBook } from '../../rating/book/rate-book.ts'
import type { RateCardHead } from '../../rating/card-version.ts'
import type { FuelInForce } from '../../rating/fuel/fuel-table.ts'
import { quote } from '../../rating/quote.ts'
import type { RatesRequest } from '../../rating/request.ts'
import type { UnpricedCard } from './card-difference.ts'

/** A shipment that was booked. */
export type RecentShipment = { readonly productId: number; readonly request: RatesRequest }

export type ShipmentComparison = {
  /** How many shipments both cards price. */
  readonly compared: number
  /** Of all compared shipments, in euro cents. */
  readonly beforeCents: number
  readonly afterCents: number
  /** Null if they cost nothing before. */
  readonly changeBps: number | null
  /** How many shipments the card priced before and no longer prices. */
  readonly notOffered: number
}

/** A card to compare, with its prices by product and the fuel figures that apply to it. */
export type ComparedCard = {
  readonly card: UnpricedCard
  readonly prices: ReadonlyMap<number, PriceTable>
  readonly fuel: readonly FuelInForce[]
}

/** Prices the shipments as if they were sent on a day ('YYYY-MM-DD'), without contracts. */
export function compareShipments(
  before: ComparedCard,
  after: ComparedCard,
  shipments: readonly RecentShipment[],
  day: string,
  rates: RateSource,
): ShipmentComparison {
  const [old, now] = [before, after].map((compared) => bookOf(compared, day)) as [RateBook, RateBook]
  const total = { compared: 0, beforeCents: 0, afterCents: 0, notOffered: 0 }
  for (const shipment of shipments) {
    const was = priceOf(old, shipment, day, rates)
    if (was === undefined) continue
    const becomes = priceOf(now, shipment, day, rates)
    if (becomes === undefined) total.notOffered += 1
    else {
      total.compared += 1
      total.beforeCents += was
      total.afterCents += becomes
    }
  }
  const { beforeCents, afterCents } = total
  const changeBps = beforeCents === 0 ? null : mulDivHalfUp(afterCents - beforeCents, 10_000, beforeCents)
  return { ...total, changeBps }
}

const NO_PRICES: PriceTable = new Map()

/** A book of this card alone, which sells it to everyone on that day. */
function bookOf({ card, prices, fuel }: ComparedCard, day: string): RateBook {
  const { content, carriers, capitals } = card
  const compileProduct = openProductCompiler(content, carriers)
  const products = content.products.map((terms) =>
    compileProduct(terms, prices.get(terms.productId) ?? NO_PRICES),
  )
  const head: RateCardHead = { code: 'compared', versionNo: 1, audience: 'everyone', validFrom: day }
  const cards = [compileRateCard(head, content, products, carriers)]
  return compileRateBook({ revision: 0, since: day, carriers, cards, fuel, capitals, contracts: [] })
}

function priceOf(
  book: RateBook,
  { productId, request }: RecentShipment,
  day: string,
  rates: RateSource,
): number | undefined {
  const { options } = quote(book, request, day, undefined, rates)
  return options.find(({ product }) => product.productId === productId)?.priceCents
}
