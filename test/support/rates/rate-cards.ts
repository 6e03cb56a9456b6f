/** Compiles rate cards from plain rows. */
import { groupBy } from '../../../src/core/group-by.ts'
import { type BookCard, compileRateCard } from '../../../src/core/rating/book/book-card.ts'
import { openProductCompiler } from '../../../src/core/rating/book/book-product.ts'
import { columnsOf, compilePriceTable } from '../../../src/core/rating/book/price-table.ts'
import { compileRateBook, type RateBook } from '../../../src/core/rating/book/rate-book.ts'
import type { RateCardHead } from '../../../src/core/rating/card-version.ts'
import type { ContractRow } from '../../../src/core/rating/contract.ts'
import type { FuelInForce } from '../../../src/core/rating/fuel/fuel-table.ts'
import type { CarrierRow, RateCardContent, RateCardImport } from '../../../src/core/rating/rate-card.ts'

export function compileRows(card: RateCardHead & RateCardContent, carriers: readonly CarrierRow[]): BookCard {
  const prices = groupBy(card.prices, ({ productId }) => productId)
  const compileProduct = openProductCompiler(card, carriers)
  const products = card.products.map((terms) =>
    compileProduct(terms, compilePriceTable(columnsOf(prices.get(terms.productId) ?? []))),
  )
  return compileRateCard(card, card, products, carriers)
}

/** A book with one imported card. By default it is version 1, valid from 2026-01-01, for everyone. */
export function bookOf(
  { content, carriers, capitals, fuel }: RateCardImport,
  head: Partial<RateCardHead> = {},
  contracts: readonly ContractRow[] = [],
  figures: readonly FuelInForce[] = fuel,
): RateBook {
  const whole: RateCardHead = {
    code: 'card',
    versionNo: 1,
    audience: 'everyone',
    validFrom: '2026-01-01',
    ...head,
  }
  const cards = [compileRows({ ...content, ...whole }, carriers)]
  return compileRateBook({
    revision: 1,
    since: '2000-01-01',
    carriers,
    cards,
    fuel: figures,
    capitals,
    contracts,
  })
}
