/** The demo rate book, compiled straight from its files, and requests on it in short form. */

import type { RateBook } from '../../../src/core/rating/book/rate-book.ts'
import { quote, type RateOption, type RateQuote } from '../../../src/core/rating/quote.ts'
import { checkRatesRequest, type RatesInput, type RatesRequest } from '../../../src/core/rating/request.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { bookOf } from './rate-cards.ts'

/** Compiles the demo rate book. */
export function demoRateBook(): RateBook {
  return bookOf(readDemoRateBook(), { code: 'demo' })
}

/** A day without a seasonal surcharge. */
export const ORDINARY_DAY = '2026-10-20'

/** One parcel of 5 kg from the Netherlands to Spain for a business; override what a test is about. */
export function parcelInput(overrides: Partial<RatesInput> = {}): RatesInput {
  return {
    from: { country: 'NL' },
    to: { country: 'ES' },
    parcels: [{ type: 'NONDOC', weight: 5, length: 40, width: 30, height: 20, count: 1 }],
    recipientType: 'business',
    ...overrides,
  }
}

const book = demoRateBook()

/** The request that a valid draft stands for. */
export function requestOf(draft: RatesInput): RatesRequest {
  const request = checkRatesRequest(draft)
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  return request
}

/** Quotes a draft on the demo book; fails on an invalid draft. */
export function quoteInput(draft: RatesInput, day = ORDINARY_DAY): RateQuote {
  return quote(book, requestOf(draft), day)
}

/** The option of a product, if it is offered. */
export function optionOf(result: RateQuote, productId: number): RateOption | undefined {
  return result.options.find(({ product }) => product.productId === productId)
}

/** What a quote says, without what it was worked out from: quotes of two books can be compared by it. */
export function figuresOf({ options, declined }: RateQuote) {
  return {
    options: options.map(({ pricing: _, lines, ...option }) => ({
      ...option,
      lines: lines.map(({ cause: __, ...line }) => line),
    })),
    declined,
  }
}
