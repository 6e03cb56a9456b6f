/** How many requests a comparison prices, so that it takes a few seconds with a large rate book. */
import type { RateBook } from '../../rating/book/rate-book.ts'

/** A limit of requests, and of prices: a request has a price for each product of the book. */
export type RequestLimit = { readonly requests: number; readonly prices: number }

export function mostRequests({ requests, prices }: RequestLimit, book: RateBook): number {
  const versions = [...book.cards, ...book.contractCards.values(), ...book.costCards].flat()
  const products = new Set(
    versions.flatMap(({ groups }) =>
      groups.flatMap(({ products: some }) => some.map(({ terms }) => terms.productId)),
    ),
  )
  return Math.min(requests, Math.ceil(prices / Math.max(1, products.size)))
}
