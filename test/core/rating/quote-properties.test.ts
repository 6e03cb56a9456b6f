/** Properties of every quote, tested with random rate books and requests near their limits. */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { checkRateCard } from '../../../src/core/rate-card-review/check/card-check.ts'
import { availableServices } from '../../../src/core/rating/available-services.ts'
import type { RateBook } from '../../../src/core/rating/book/rate-book.ts'
import { quote } from '../../../src/core/rating/quote.ts'
import { checkRatesRequest, type RatesInput, type RatesRequest } from '../../../src/core/rating/request.ts'
import { SERVICES, type Service, servicesIn } from '../../../src/core/rating/sender-service.ts'
import { hasSlots, type ServiceInputs } from '../../../src/core/rating/service-inputs.ts'
import { type OracleQuote, type OracleSources, oracleQuote } from '../../support/oracle/rating/quote.ts'
import { randomSources } from '../../support/random/card.ts'
import { caseCount } from '../../support/random/case-count.ts'
import { monotoneSources } from '../../support/random/monotone-sources.ts'
import { edgesOf, enlarged, type RandomCall, randomCall } from '../../support/random/request.ts'
import { type Dice, diceOf } from '../../support/random/seeded-dice.ts'
import { RANDOM_SLOTS } from '../../support/random/services.ts'
import { SURCHARGE_CODES } from '../../support/random/surcharges.ts'
import { engineBook, engineQuote } from '../../support/rates/engine-quote.ts'

// The default timeout is too short for this many books on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** `randomSources`. The first books are kept, because most properties use them. */
function bookSources(seed: number): OracleSources {
  const sources = keptSources.get(seed) ?? randomSources(seed)
  if (seed <= KEPT_BOOKS) keptSources.set(seed, sources)
  return sources
}
const keptSources = new Map<number, OracleSources>()
const KEPT_BOOKS = 150

/** `engineBook`. A book is compiled once, and kept as long as its sources. */
function compiledBook(sources: OracleSources): RateBook {
  const book = keptBooks.get(sources) ?? engineBook(sources)
  keptBooks.set(sources, book)
  return book
}
const keptBooks = new WeakMap<OracleSources, RateBook>()

/** Runs a check on random calls: `calls` calls on each of `books` books, whose seeds are 1, 2, and so on. */
function onRandomCalls(
  { books, calls, sourcesOf = bookSources }: CallPlan,
  check: (sources: OracleSources, call: RandomCall, where: () => string, dice: Dice) => void,
): void {
  for (let seed = 1; seed <= books; seed++) {
    const sources = sourcesOf(seed)
    const edges = edgesOf(sources)
    const dice = diceOf(seed + 1_000_000)
    for (let number = 0; number < calls; number++) {
      const call = randomCall(dice, edges)
      check(sources, call, () => `seed ${seed}, call ${number}: ${JSON.stringify(call)}`, dice)
    }
  }
}

/**
 * `toStrictEqual` for thousands of large values: `isDeepStrictEqual` takes a third of the time. Node 24 finds some
 * equal values with cycles different, so `toStrictEqual` decides.
 */
function expectSame(actual: unknown, expected: unknown, where: () => string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, where()).toStrictEqual(expected)
}

type CallPlan = {
  readonly books: number
  readonly calls: number
  readonly sourcesOf?: (seed: number) => OracleSources
}

/** Quotes with the engine. */
const quoteOf = (sources: OracleSources, { request, date, accountId }: RandomCall): OracleQuote =>
  engineQuote(compiledBook(sources), request, date, accountId)

/** Both results for each product with different results, as text. */
function differences(actual: OracleQuote, expected: OracleQuote): string {
  const resultsOf = ({ options, declined }: OracleQuote): Map<number, object> =>
    new Map([...options, ...declined].map((result) => [result.productId, result]))
  const [engineResults, oracleResults] = [resultsOf(actual), resultsOf(expected)]
  const ids = [...new Set([...engineResults.keys(), ...oracleResults.keys()])]
  const differing = ids.filter((id) => !isDeepStrictEqual(engineResults.get(id), oracleResults.get(id)))
  if (differing.length === 0) return 'the order of the options'
  return differing
    .map(
      (id) =>
        `engine ${JSON.stringify(engineResults.get(id))}\noracle ${JSON.stringify(oracleResults.get(id))}`,
    )
    .join('\n')
}

const totalOf = (lines: readonly { readonly amountCents: number }[]): number =>
  lines.reduce((sum, { amountCents }) => sum + amountCents, 0)

describe('random rate books', () => {
  test('pass the check of an import', () => {
    for (let seed = 1; seed <= caseCount(50, 200); seed++)
      for (const sources of [bookSources(seed), monotoneSources(seed)])
        for (const content of sources.cards)
          expect({ seed, faults: checkRateCard({ ...sources, content }).faults }).toEqual({
            seed,
            faults: [],
          })
  })
})

describe('any quote', () => {
  test('is the same as that of the oracle, for every decline code and every kind of line', () => {
    const codes = new Set<string>()
    const met = new Set<string>()
    onRandomCalls({ books: caseCount(150, 2000), calls: 50 }, (sources, call, where) => {
      const { request, date, accountId } = call
      const expected = oracleQuote(sources, request, date, accountId)
      const actual = quoteOf(sources, call)
      if (!isDeepStrictEqual(actual, expected))
        throw new Error(`${where()}\n${differences(actual, expected)}`)
      for (const { code } of expected.declined) codes.add(code)
      for (const { listPriceCents, card, lines } of expected.options) {
        if (listPriceCents !== undefined) met.add('list price')
        met.add(card.split('@')[0]!)
        for (const { item, reason } of lines)
          met.add(reason === undefined || reason.startsWith('No ') ? (reason ?? item) : item.split(' ')[0]!)
      }
    })
    expect([...codes].sort()).toEqual([
      ...['FREIGHT_CLASS_NOT_CARRIED', 'FREIGHT_CLASS_REQUIRED'],
      'NOT_ON_ACCOUNT',
      'OVER_SIZE',
      'OVER_WEIGHT',
      'RECIPIENT_NOT_SERVED',
      'ROUTE_NOT_SERVED',
      'SERVICE_NOT_OFFERED',
      'TOO_MANY_UNITS',
      'TYPE_NOT_CARRIED',
      'VALUE_NOT_INSURABLE',
    ])
    expect([...met]).toEqual(
      expect.arrayContaining([
        ...['list', 'extra', 'agreed', 'special', 'list price'],
        ...['Freight', 'Contract discount', 'Contract surcharge', 'Insurance'],
        ...['No fuel rate is set for this day', ...SURCHARGE_CODES],
      ]),
    )
  })

  test('has prices that are the sums of their lines, sorted by price and then by product', () => {
    onRandomCalls({ books: caseCount(60, 300), calls: 30 }, (sources, call, where) => {
      const { options } = quoteOf(sources, call)
      for (const { priceCents, lines } of options) expectSame(totalOf(lines), priceCents, where)
      const sorted = [...options].sort((a, b) => a.priceCents - b.priceCents || a.productId - b.productId)
      expectSame(options, sorted, where)
    })
  })

  test('lists for each service that can be added exactly what it adds to the price', () => {
    let added = 0
    onRandomCalls(
      { books: caseCount(40, 300), calls: 15 },
      (sources, { request, date, accountId }, where) => {
        const book = compiledBook(sources)
        const { options } = quote(book, request, date, accountId)
        for (const [service, slot, inputs] of ADDED) {
          if (request.services?.includes(service) === true) continue
          const services = servicesIn([...(request.services ?? []), service])
          const slots = { ...request.serviceInputs?.slots, ...(slot !== undefined && { [service]: slot }) }
          const serviceInputs = { ...request.serviceInputs, slots, ...inputs }
          const after = oracleQuote(sources, { ...request, services, serviceInputs }, date, accountId).options
          for (const option of options) {
            const { productId } = option.product
            const priced = after.find((other) => other.productId === productId)
            const listed = availableServices(option).find(
              (available) => available.service === service && available.slot === slot,
            )
            if (inputs === undefined)
              expectSame(listed?.price?.cents, priced && priced.priceCents - option.priceCents, where)
            // The price is not known without the input, and other inputs may be accepted.
            else if (priced !== undefined) expectSame(listed && listed.price === undefined, true, where)
            if (listed !== undefined) added++
          }
        }
      },
    )
    expect(added).toBeGreaterThan(100)
  })

  test('is never cheaper for a heavier, larger or more numerous parcel', () => {
    let compared = 0
    const plan = { books: caseCount(100, 500), calls: caseCount(60, 30), sourcesOf: monotoneSources }
    onRandomCalls(plan, (sources, call, where, dice) => {
      const larger = enlarged(dice, call)
      const before = quoteOf(sources, call).options
      for (const { productId, priceCents, lines } of quoteOf(sources, larger).options) {
        const smaller = before.find((option) => option.productId === productId)
        if (smaller === undefined) continue
        compared++
        if (priceCents < smaller.priceCents)
          throw new Error(
            `${where()}\nof product ${productId} ${JSON.stringify(smaller.lines)}\ncosts more than ${JSON.stringify(lines)} of ${JSON.stringify(larger.request.parcels)}`,
          )
      }
    })
    expect(compared).toBeGreaterThan(3000)
  })

  test('offers only products that can price each parcel alone', () => {
    // A margin can apply to the weight of all parcels together only.
    const sourcesOf = (seed: number): OracleSources => ({ ...bookSources(seed), margins: [] })
    onRandomCalls({ books: caseCount(60, 300), calls: 30, sourcesOf }, (sources, call, where) => {
      const { request, date, accountId } = call
      for (const { productId, chargeable, card } of quoteOf(sources, call).options) {
        expectSame(chargeable.length, request.parcels.length, where)
        const terms = sources.cards
          .find(({ code, versionNo }) => `${code}@${versionNo}` === card)
          ?.products.find((row) => row.productId === productId)
        if (terms?.pricingBasis !== 'parcel' && terms?.pricingBasis !== 'pallet-class') continue
        for (const parcel of request.parcels) {
          const alone = oracleQuote(sources, { ...request, parcels: [parcel] }, date, accountId)
          const offered = alone.options.map((option) => option.productId)
          if (!offered.includes(productId))
            throw new Error(`${where()}\nproduct ${productId} is not offered for ${JSON.stringify(parcel)}`)
        }
      }
    })
  })

  test('is the same for numbers and for numbers as text', () => {
    onRandomCalls(
      { books: caseCount(50, 150), calls: 20 },
      (sources, { request, date, accountId }, where) => {
        const book = compiledBook(sources)
        const [plain, quoted] = [inputOf(request, Number), inputOf(request, String)].map(checkRatesRequest)
        expectSame(plain, request, where)
        expectSame(quoted, request, where)
        if (quoted === undefined || 'kind' in quoted) throw new Error(`not a request: ${where()}`)
        expectSame(quote(book, quoted, date, accountId), quote(book, request, date, accountId), where)
      },
    )
  })
})

/** Services as they can be added to a request, with a slot or with an input. */
type Added = readonly [service: Service, slot?: string | undefined, inputs?: ServiceInputs]

const ADDED: readonly Added[] = SERVICES.flatMap((service): readonly Added[] => {
  if (hasSlots(service)) return [[service], ...RANDOM_SLOTS.map((slot) => [service, slot] as const)]
  if (service === 'CASH_ON_DELIVERY')
    return [[service, undefined, { cashOnDelivery: { currency: 'EUR', hundredths: 5_000 } }]]
  if (service === 'DANGEROUS_GOODS')
    return [[service, undefined, { dangerousGoods: [{ unNumber: 'UN3480', limitedQuantity: false }] }]]
  return [[service]]
})

/** The input of a request. `figure` converts the text of a figure to the value in the input. */
function inputOf(request: RatesRequest, figure: (text: string) => unknown): RatesInput {
  const { from, to, parcelType, parcels, recipient, insuredValueCents, services } = request
  const { slots = {}, cashOnDelivery, dangerousGoods } = request.serviceInputs ?? {}
  const measures = (row: RatesRequest['parcels'][number]): object => ({
    weight: figure(decimalText(row.weightGrams / 100, 1)),
    length: figure(String(row.lengthCm)),
    width: figure(String(row.widthCm)),
    height: figure(String(row.heightCm)),
  })
  return {
    from,
    to,
    parcels: parcels.map((row) => ({
      type: parcelType,
      count: figure(String(row.count)),
      ...(parcelType !== 'DOC' && measures(row)),
      ...(parcelType === 'DOC' &&
        row.weightGrams > 0 && { exactWeight: figure(decimalText(row.weightGrams, 3)) }),
      ...(parcelType === 'PALLET' && { stackable: row.stackable }),
      ...(row.freightClassTenths !== undefined && {
        freightClass: figure(decimalText(row.freightClassTenths, 1)),
      }),
    })),
    recipientType: recipient,
    ...(services !== undefined && {
      services: services.toReversed().map((service) => ({
        service,
        ...(hasSlots(service) && { slot: slots[service] }),
        ...(service === 'CASH_ON_DELIVERY' && {
          cashOnDelivery: {
            amount: figure(decimalText(cashOnDelivery!.hundredths, 2)),
            currency: cashOnDelivery!.currency,
          },
        }),
        ...(service === 'DANGEROUS_GOODS' && { dangerousGoods }),
      })),
    }),
    ...(insuredValueCents !== undefined && {
      insured: true,
      totalValue: figure(decimalText(insuredValueCents, 2)),
    }),
  }
}

function decimalText(steps: number, places: number): string {
  const digits = String(steps).padStart(places + 1, '0')
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
