/**
 * How fast a quote is, as ratios within one run: the compiled book against a scan over row objects. Prints
 * what it measures and ends with one JSON line. CPU time of this process; run it on a quiet machine.
 */
import { groupBy } from '../../src/core/group-by.ts'
import { quote } from '../../src/core/rating/quote.ts'
import { compileRateBook } from '../../src/core/rating/rate-book.ts'
import { checkRatesRequest, type RatesRequest } from '../../src/core/rating/request.ts'
import { generatedBook, SIZE, seeded } from './generated-book.ts'

const ROUNDS = 40
const QUOTES_PER_ROUND = 500

const sources = generatedBook()
const [card] = sources.cards
const heapBefore = heapMegabytes()
const compiledAt = process.hrtime.bigint()
const book = compileRateBook(sources)
const compileMs = Number(process.hrtime.bigint() - compiledAt) / 1e6
const requests = sampleRequests()

const offered = quote(book, requests[0]!, '2026-10-20').options.length
const quoteUs = measure((request) => quote(book, request, '2026-10-20').options.length)
const scanUs = measureScan()
const cellsMb = (SIZE.carriers * SIZE.productsPerCarrier * SIZE.zones * SIZE.breaks * 4) / 1e6

console.log(`${card!.prices.length} prices, ${offered} options offered of ${card!.products.length} products`)
console.log(
  `compiling the book: ${compileMs.toFixed(0)} ms; its price cells alone are ${cellsMb.toFixed(1)} MB`,
)
console.log(
  `a quote with breakdown, sorted: ${quoteUs.p50.toFixed(1)} µs median, ${quoteUs.p99.toFixed(1)} µs p99`,
)
console.log(`the base prices alone by a scan of rows: ${scanUs.toFixed(0)} µs`)
console.log(
  JSON.stringify({
    quote_us_p50: round(quoteUs.p50),
    quote_us_p99: round(quoteUs.p99),
    scan_ratio: round(scanUs / quoteUs.p50),
    compile_ms: round(compileMs),
    heap_mb: round(heapMegabytes() - heapBefore),
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

/** CPU microseconds a quote, as percentiles over quotes, after a warm-up. */
function measure(run: (request: RatesRequest) => number): { readonly p50: number; readonly p99: number } {
  for (let warm = 0; warm < 20; warm++) for (const request of requests) run(request)
  const samples: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    for (const request of requests) {
      const start = process.hrtime.bigint()
      run(request)
      samples.push(Number(process.hrtime.bigint() - start) / 1000)
    }
  samples.sort((a, b) => a - b)
  return { p50: samples[Math.floor(samples.length * 0.5)]!, p99: samples[Math.floor(samples.length * 0.99)]! }
}

/** What the obvious program does: for every product look through its price rows. Microseconds a request. */
function measureScan(): number {
  const byProduct = groupBy(card!.prices, ({ productId }) => productId)
  const runs = 30
  const start = process.hrtime.bigint()
  let found = 0
  for (const request of requests.slice(0, runs)) {
    const grams = request.parcels[0]!.weightGrams
    for (const rows of byProduct.values())
      found +=
        rows.find((row) => row.zone === 100 && row.overGrams < grams && grams <= row.upToGrams)?.priceCents ??
        0
  }
  if (found === 0) throw new Error('the scan found nothing')
  return Number(process.hrtime.bigint() - start) / 1000 / runs
}

function heapMegabytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
