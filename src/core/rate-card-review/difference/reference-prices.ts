/**
 * Compares what an account pays before and after a change of its contract or of margins, for reference parcels and
 * further samples: parcels, pallets and documents at the bounds of discounts and margins, and requests with each
 * surcharge and service, on routes to every zone of the products. Surcharges whose terms change and that no request
 * has are named.
 */
import type { ExchangeRates } from '../../customs/data/exchange-rate.ts'
import { formatCents } from '../../money.ts'
import { formatKilograms } from '../../quantity.ts'
import type { RateBook } from '../../rating/book/rate-book.ts'
import type { PriceCell } from '../../rating/price-cell.ts'
import { quote, type RateOption, type RateQuote } from '../../rating/quote.ts'
import type { Parcel } from '../../rating/request.ts'
import { evenlyChosen } from '../sample/evenly-chosen.ts'
import { openNewestRates, type RatesOfDay } from '../sample/newest-rates.ts'
import { mostRequests, type RequestLimit } from '../sample/request-limit.ts'
import { type ProductRule, type RuleCase, ruleCasesOnDays } from '../sample/rule-cases.ts'
import { type SampleParcel, sampleParcels } from '../sample/sample-parcels.ts'
import { type ListingPair, placeName, type Route, sampleRoutes } from '../sample/sample-routes.ts'
import { changesRule, offeredListings, type Scope } from './offered-listings.ts'

/** The price of a request in euro cents; undefined if the product is not offered. */
export type ReferencePrice = {
  readonly productId: number
  readonly productName: string
  readonly day: string
  /** "ES", or "ES:07" for a part of the country. */
  readonly from: string
  readonly to: string
  /** "parcel of 10 kg", or "parcel of 10 kg for an individual with RESIDENTIAL". */
  readonly parcel: string
  readonly beforeCents: number | undefined
  readonly afterCents: number | undefined
}

/** The prices that change, and what was not compared. */
export type PriceComparison = {
  readonly prices: readonly ReferencePrice[]
  /** The ids of the products in scope that no request was priced for. */
  readonly notCompared: readonly number[]
  /** Surcharges and services whose terms change, and that no request has. */
  readonly surchargesNotCompared: readonly ProductRule[]
  /** False if there are too many requests to price all. */
  readonly isComplete: boolean
}

/** What changes the prices of an account. */
export type PriceChange = {
  readonly before: RateBook
  readonly after: RateBook
  /** Undefined: everyone without terms of their own. */
  readonly accountId: string | undefined
  readonly scopes: readonly Scope[]
  /** On which prices can change. */
  readonly days: readonly string[]
  /** The bounds of discounts or margins. */
  readonly cells: readonly PriceCell[]
  readonly exchangeRates: ExchangeRates
}

/** Of samples, and of surcharges. Each request is priced twice. */
const MAX_SAMPLES: RequestLimit = { requests: 40_000, prices: 1_200_000 }
const MAX_RULE_REQUESTS: RequestLimit = { requests: 20_000, prices: 600_000 }

/** `text` describes a reference parcel. */
type Request = {
  readonly day: string
  readonly route: Route
  readonly parcel: SampleParcel
  readonly text: string
}

const DOCUMENT: Parcel = {
  count: 1,
  weightGrams: 0,
  lengthCm: 0,
  widthCm: 0,
  heightCm: 0,
  stackable: false,
}
/** A class for the products that need one. */
const GOODS: Parcel = { ...DOCUMENT, freightClassTenths: 1000 }
const PARCEL: Parcel = { ...GOODS, lengthCm: 30, widthCm: 20, heightCm: 10 }
const SMALL: Parcel = { ...GOODS, weightGrams: 500, lengthCm: 20, widthCm: 15, heightCm: 2 }
const PALLET: Parcel = { ...GOODS, lengthCm: 120, widthCm: 80, heightCm: 100 }

const REFERENCE_PARCELS: readonly SampleParcel[] = (
  [
    ['DOC', DOCUMENT],
    ['NONDOC', SMALL],
    ['NONDOC', { ...PARCEL, weightGrams: 2_000 }],
    ['NONDOC', { ...PARCEL, weightGrams: 10_000 }],
    ['NONDOC', { ...PARCEL, weightGrams: 25_000 }],
    ['PALLET', { ...PALLET, weightGrams: 250_000 }],
  ] as const
).flatMap(([parcelType, unit]) =>
  (['business', 'individual'] as const).map((recipient) => ({ parcelType, parcels: [unit], recipient })),
)

/** One price per product, the one that rises most, or else falls most. Products whose prices stay are left out. */
export function comparePrices(change: PriceChange): PriceComparison {
  const ratesOf = openNewestRates(change.exchangeRates)
  const works = change.days.map((day) => workOn(change, day))
  const rules = ruleCasesOnDays(works.map(({ day, pairs }) => ({ book: change.after, pairs, day, ratesOf })))
  const routeCount = works.reduce((sum, { routes }) => sum + routes.length, 0)
  const mostSamples = mostRequests(MAX_SAMPLES, change.after)
  const most = Math.max(1, Math.floor(mostSamples / Math.max(1, routeCount)))
  const samples = works.flatMap(({ day, routes, parcels }) => {
    const chosen = evenlyChosen(parcels, most)
    return routes.flatMap((route) => chosen.map((parcel) => requestFor(day, route, parcel)))
  })
  const ofRules = requestsOfRules(rules.cases)
  const mostOfRules = mostRequests(MAX_RULE_REQUESTS, change.after)
  const requests = [
    ...works.flatMap(({ day, routes }) =>
      routes.flatMap((route) => REFERENCE_PARCELS.map((parcel) => requestFor(day, route, parcel))),
    ),
    ...samples,
    ...evenlyChosen(ofRules, mostOfRules),
  ]
  const largest = new Map<number, ReferencePrice>()
  const notCompared = new Set(
    works.flatMap(({ pairs }) => pairs.map(([{ product }]) => product.terms.productId)),
  )
  for (const request of requests)
    for (const price of pricesOf(change, request, ratesOf)) {
      notCompared.delete(price.productId)
      if (price.beforeCents === price.afterCents) continue
      if (isLarger(price, largest.get(price.productId))) largest.set(price.productId, price)
    }
  return {
    prices: [...largest.values()].sort((a, b) => a.productId - b.productId),
    notCompared: [...notCompared].sort((a, b) => a - b),
    surchargesNotCompared: rules.uncovered.filter(
      (rule) => !notCompared.has(rule.productId) && works.some((work) => changesRule(change, work, rule)),
    ),
    isComplete:
      rules.isComplete &&
      ofRules.length <= mostOfRules &&
      works.every(({ parcels, isComplete }) => isComplete && parcels.length <= most),
  }
}

/** Rules of many products lead to the same request. It is listed once, because it is priced for all products. */
function requestsOfRules(cases: readonly RuleCase[]): readonly Request[] {
  const found = new Map<string, Request>()
  for (const { day, route, parcel, code, isService } of cases) {
    const key = JSON.stringify([day, route, parcel])
    const text = parcelText(parcel) + (isService ? '' : `${sizeText(parcel)} with ${code}`)
    if (!found.has(key)) found.set(key, { day, route, parcel, text })
  }
  return [...found.values()]
}

function requestFor(day: string, route: Route, parcel: SampleParcel): Request {
  return { day, route, parcel, text: parcelText(parcel) }
}

/** What is priced on a day. `pairs`: each product in scope as it is offered before and after the change. */
type Work = {
  readonly day: string
  readonly pairs: readonly ListingPair[]
  readonly routes: readonly Route[]
  readonly parcels: readonly SampleParcel[]
  readonly isComplete: boolean
}

function workOn(change: PriceChange, day: string): Work {
  const { before, after, cells } = change
  const [old, now] = [before, after].map((book) => offeredListings(book, change, day))
  const ids = new Set([...old!.keys(), ...now!.keys()])
  const pairs = [...ids].flatMap((productId): readonly ListingPair[] => {
    const [was, becomes] = [old!, now!].map((offered) => offered.get(productId) ?? [])
    if (was!.length === 0 || becomes!.length === 0)
      return [...was!, ...becomes!].map((listing) => [listing, listing])
    return was!.flatMap((one) => becomes!.map((other): ListingPair => [one, other]))
  })
  // Prices of another card can differ in every weight band.
  const replaced = pairs.filter(([one, other]) => one.product !== other.product).flat()
  const ofBands = sampleParcels(replaced, { cells })
  const ofCells = sampleParcels(pairs.flat(), { cells, onlyCells: true })
  const isOwn = ({ services, insuredValueCents }: SampleParcel): boolean =>
    services !== undefined || insuredValueCents !== undefined
  return {
    day,
    pairs,
    routes: sampleRoutes(pairs, after.capitals),
    // Services of unchanged cards are compared with their rules.
    parcels: [...ofBands.parcels, ...ofCells.parcels.filter((parcel) => !isOwn(parcel))],
    isComplete: ofBands.isComplete,
  }
}

/** True if the account pays more for the same parcel. A product that was not offered does not become dearer. */
export function isRise({ beforeCents, afterCents }: ReferencePrice): boolean {
  return beforeCents !== undefined && afterCents !== undefined && afterCents > beforeCents
}

/** Rises are above 1, by their ratio. Other changes are between 0 and 1, by the share of the price that they change. */
function weightOf(price: ReferencePrice): number {
  const { beforeCents, afterCents } = price
  if (beforeCents === undefined || afterCents === undefined) return 1
  if (isRise(price)) return beforeCents === 0 ? Number.POSITIVE_INFINITY : afterCents / beforeCents
  return (beforeCents - afterCents) / beforeCents
}

/** Requests that come first are recognised most easily, so others replace them only if they differ by a point more. */
const LEAST_DIFFERENCE = 0.01

function isLarger(price: ReferencePrice, known: ReferencePrice | undefined): boolean {
  if (known === undefined || isRise(price) !== isRise(known)) return known === undefined || isRise(price)
  return weightOf(price) > weightOf(known) + LEAST_DIFFERENCE
}

/** The prices of each product in either book. */
function pricesOf(
  { before, after, accountId }: PriceChange,
  { day, route: [from, to], parcel, text }: Request,
  ratesOf: RatesOfDay,
): readonly ReferencePrice[] {
  const [old, now] = [before, after].map((book) =>
    optionsById(quote(book, { from, to, ...parcel }, day, accountId, ratesOf(day))),
  )
  return [...new Set([...old!.keys(), ...now!.keys()])].map((productId) => {
    const [was, becomes] = [old!.get(productId), now!.get(productId)]
    return {
      productId,
      productName: (becomes ?? was)!.product.productName,
      day,
      from: placeName(from),
      to: placeName(to),
      parcel: text,
      beforeCents: was?.priceCents,
      afterCents: becomes?.priceCents,
    }
  })
}

function optionsById({ options }: RateQuote): ReadonlyMap<number, RateOption> {
  return new Map(options.map((option) => [option.product.productId, option]))
}

const NAMES = {
  NONDOC: ['parcel', 'parcels'],
  DOC: ['document', 'documents'],
  PALLET: ['pallet', 'pallets'],
} as const

/** "parcel of 10 kg", "4 pallets of 900 kg", "document for an individual", or "parcel of 2 kg with SIGNATURE". */
function parcelText({
  parcelType,
  parcels: [unit],
  recipient,
  services,
  insuredValueCents,
}: SampleParcel): string {
  const { count, weightGrams } = unit!
  const [one, several] = NAMES[parcelType]
  return [
    count === 1 ? one : `${count} ${several}`,
    ...(weightGrams === 0 ? [] : [`of ${formatKilograms(weightGrams)} kg`]),
    ...(recipient === 'individual' ? ['for an individual'] : []),
    ...(services === undefined ? [] : [`with ${services.join(', ')}`]),
    ...(insuredValueCents === undefined ? [] : [`insured for ${formatCents(insuredValueCents)} EUR`]),
  ].join(' ')
}

/** ", 121 x 20 x 10 cm" */
function sizeText({ parcels: [unit] }: SampleParcel): string {
  const { lengthCm, widthCm, heightCm } = unit!
  return lengthCm === 0 ? '' : `, ${lengthCm} x ${widthCm} x ${heightCm} cm`
}
