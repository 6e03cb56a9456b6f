/** The demo rate book, compiled straight from its files, and requests on it in short form. */

import { quote, type RateOption, type RateQuote } from '../../src/core/rating/quote.ts'
import { compileRateBook, type RateBook } from '../../src/core/rating/rate-book.ts'
import { checkRatesRequest, type RatesDraft } from '../../src/core/rating/request.ts'
import { readDemoRateBook } from '../../src/reference/rate-card-csv.ts'

/** Compiles the demo rate book. */
export function demoRateBook(): RateBook {
  const { card, carriers, fuel, capitals } = readDemoRateBook()
  return compileRateBook({
    carriers,
    cards: [{ ...card, code: 'demo', versionNo: 1, validFrom: '2026-01-01' }],
    fuel,
    capitals,
  })
}

/** A day without a seasonal surcharge. */
export const ORDINARY_DAY = '2026-10-20'

/** One parcel of 5 kg from the Netherlands to Spain for a business; override what a test is about. */
export function parcelDraft(overrides: Partial<RatesDraft> = {}): RatesDraft {
  return {
    from: { country: 'NL' },
    to: { country: 'ES' },
    parcels: [{ type: 'NONDOC', weight: 5, length: 40, width: 30, height: 20, count: 1 }],
    recipientType: 'business',
    ...overrides,
  }
}

const book = demoRateBook()

/** Quotes a draft on the demo book; fails on an invalid draft. */
export function quoteDraft(draft: RatesDraft, day = ORDINARY_DAY): RateQuote {
  const request = checkRatesRequest(draft)
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  return quote(book, request, day)
}

/** The option of a product, if it is offered. */
export function optionOf(result: RateQuote, productId: number): RateOption | undefined {
  return result.options.find(({ product }) => product.productId === productId)
}
