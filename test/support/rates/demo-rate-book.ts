/** The demo rate book, compiled from its files, and short forms of requests for it. */

import type { RateBook } from '../../../src/core/rating/book/rate-book.ts'
import { quote, type RateOption, type RateQuote } from '../../../src/core/rating/quote.ts'
import { checkRatesRequest, type RatesInput, type RatesRequest } from '../../../src/core/rating/request.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { bookOf } from './rate-cards.ts'

export function demoRateBook(): RateBook {
  return bookOf(readDemoRateBook(), { code: 'demo' })
}

/** A day without a seasonal surcharge. */
export const ORDINARY_DAY = '2026-10-20'

/** The input for one parcel of 5 kg from the Netherlands to Spain for a business. */
export function parcelInput(overrides: Partial<RatesInput> = {}): RatesInput {
  return {
    from: { country: 'NL' },
    to: { country: 'ES' },
    parcels: [{ type: 'NONDOC', weight: 5, length: 40, width: 30, height: 20, count: 1 }],
    recipientType: 'business',
    ...overrides,
  }
}

/** A stackable pallet of 240 kg. */
export const pallet = (overrides: object = {}) => ({
  ...{ type: 'PALLET', weight: 240, length: 120, width: 80, height: 110, count: 1, stackable: true },
  ...overrides,
})

const book = demoRateBook()

/** The request for a valid input; throws if it is invalid. */
export function requestOf(input: RatesInput): RatesRequest {
  const request = checkRatesRequest(input)
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  return request
}

/** Quotes an input on the demo book; throws if it is invalid. */
export function quoteInput(input: RatesInput, day = ORDINARY_DAY): RateQuote {
  return quote(book, requestOf(input), day)
}

/** Undefined if the product is not offered. */
export function optionOf(result: RateQuote, productId: number): RateOption | undefined {
  return result.options.find(({ product }) => product.productId === productId)
}

/** A quote without references to its book, so that quotes from two books can be compared. */
export function figuresOf({ options, declined }: RateQuote) {
  return {
    options: options.map(({ pricing: _, lines, ...option }) => ({
      ...option,
      lines: lines.map(({ cause: __, ...line }) => line),
    })),
    declined,
  }
}
