/**
 * Speed of quotes and size of the rate book: the compiled book relative to a scan over row objects, for the same
 * requests. Then loads the book from PostgreSQL and replaces it under load. Prints the figures and a JSON object as
 * the last line. Run it on an idle machine.
 */
import { quote } from '../../src/core/rating/quote.ts'
import type { RateCardContent } from '../../src/core/rating/rate-card.ts'
import { checkRatesRequest, type RatesRequest } from '../../src/core/rating/request.ts'
import { bookOf } from '../support/rates/rate-cards.ts'
import { generatedCard, seeded } from './generated-book.ts'
import { bytesInUse } from './memory-in-use.ts'
import { measureCalls, round } from './percentile.ts'
import { measureInDatabase } from './rate-book-in-database.ts'

const ROUNDS = 40
const QUOTES_PER_ROUND = 500
const SCANS = 30
const DAY = '2026-10-20'

const requests = sampleRequests()
const source = generatedCard()
const { content } = source
const size = `${content.prices.length} prices of ${content.products.length} products`
const scanUs = measureScan(content)
const book = bookOf(source)
const offered = quote(book, requests[0]!, DAY).options.length
const quoteUs = measureCalls(requests, ROUNDS, (request) => quote(book, request, DAY))
console.log(`${size}; a request is offered ${offered} options with breakdown, sorted`)
console.log(`a quote: ${quoteUs.p50.toFixed(1)} µs median, ${quoteUs.p99.toFixed(1)} µs p99`)
console.log(`the base prices alone by a scan over the rows: ${scanUs.toFixed(0)} µs`)

const stored = await measureInDatabase(source, bytesInUse)
console.log(
  `imported and published through PostgreSQL in ${(stored.importMs / 1000).toFixed(1)} s, ` +
    `with at most ${stored.importPeakMb.toFixed(0)} MB of resident memory`,
)
console.log(
  `the book from PostgreSQL: ${stored.loadMs.toFixed(0)} ms to load, ${stored.bookMb.toFixed(1)} MB in memory`,
)
console.log(`a swap to a new version of it: no request waits longer than ${stored.stallMs.toFixed(1)} ms`)
console.log(
  JSON.stringify({
    quote_us_p50: round(quoteUs.p50),
    quote_us_p99: round(quoteUs.p99),
    scan_ratio: round(scanUs / quoteUs.p50),
    import_ms: round(stored.importMs),
    import_peak_mb: round(stored.importPeakMb),
    book_mb: round(stored.bookMb),
    load_ms: round(stored.loadMs),
    swap_stall_ms: round(stored.stallMs),
  }),
)

function sampleRequests(): RatesRequest[] {
  const next = seeded(2)
  const countries = ['NL', 'DE', 'FR', 'ES', 'SE', 'BR']
  return Array.from({ length: QUOTES_PER_ROUND }, () => {
    const side = () => 36 + next(60)
    const request = checkRatesRequest({
      from: { country: countries[next(countries.length)], zipcode: String(1000 + next(8000)) },
      to: { country: countries[next(countries.length)], zipcode: String(1000 + next(8000)) },
      parcels: [
        {
          type: 'NONDOC',
          weight: 1 + next(30),
          length: side(),
          width: side(),
          height: 20,
          count: 1 + next(2),
        },
      ],
      recipientType: next(2) === 0 ? 'individual' : 'business',
    })
    if ('kind' in request) throw new Error('the generated request is valid')
    return request
  })
}

/** The naive implementation: scans lanes and price rows for every product. Microseconds per request. */
function measureScan({ products, lanes, prices }: RateCardContent): number {
  const rowsOf = products.map(({ productId }) => prices.filter((row) => row.productId === productId))
  const start = process.hrtime.bigint()
  let found = 0
  for (const { from, to, parcels } of requests.slice(0, SCANS)) {
    const groupOf = (country: string): string => (country === 'BR' ? 'REST' : country)
    const lane = lanes.find(
      ({ fromGroup, toGroup }) => fromGroup === groupOf(from.country) && toGroup === groupOf(to.country),
    )
    const grams = parcels[0]!.weightGrams
    for (const rows of rowsOf)
      found +=
        rows.find((row) => row.zone === lane!.zone && row.overGrams < grams && grams <= row.upToGrams)
          ?.priceCents ?? 0
  }
  if (found === 0) throw new Error('the scan found nothing')
  return Number(process.hrtime.bigint() - start) / 1000 / SCANS
}
