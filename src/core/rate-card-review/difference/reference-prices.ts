/**
 * Compares what an account pays before and after a change of its contract, for reference parcels on reference routes.
 * The routes lead to the zones of all charts, at most `MAX_ROUTES` together, so that a change is noticed that only
 * raises the prices of heavy parcels or of some zones. Up to `MAX_ORIGIN_ROUTES` further routes begin in the countries
 * that single products can be sent from.
 */
import type { ExchangeRates, RateSource } from '../../customs/data/exchange-rate.ts'
import { COUNTRY_CODES, type Place } from '../../place.ts'
import { formatKilograms } from '../../quantity.ts'
import { type BookCard, productsIn, type RouteTables } from '../../rating/book/book-card.ts'
import type { BookProduct } from '../../rating/book/book-product.ts'
import { type RateBook, versionOn } from '../../rating/book/rate-book.ts'
import { SAME_COUNTRY } from '../../rating/book/route.ts'
import { type ContractRow, contractOn } from '../../rating/contract.ts'
import { hasMargin } from '../../rating/margin.ts'
import { quote, type RateQuote } from '../../rating/quote.ts'
import { type Parcel, type RatesRequest, RECIPIENTS, type Recipient } from '../../rating/request.ts'

/** The price of a reference parcel in euro cents; undefined if the product is not offered. */
export type ReferencePrice = {
  readonly productId: number
  readonly productName: string
  readonly day: string
  readonly from: string
  readonly to: string
  /** "parcel of 10 kg", or "parcel of 10 kg for an individual". */
  readonly parcel: string
  readonly beforeCents: number | undefined
  readonly afterCents: number | undefined
}

/** The prices that change, and the ids of the products in the scope of the contract that no request was priced for. */
export type PriceComparison = {
  readonly prices: readonly ReferencePrice[]
  readonly notCompared: readonly number[]
}

/** The products that a contract is for. */
type Scope = Pick<ContractRow, 'productId' | 'carrierCode'>

const MAX_ROUTES = 60
const MAX_ORIGIN_ROUTES = 30
const COUNTRIES_OF_GROUP = 2

type ReferenceParcel = Pick<RatesRequest, 'parcelType'> & { readonly text: string; readonly unit: Parcel }

const DOCUMENT: Parcel = {
  count: 1,
  weightGrams: 0,
  lengthCm: 0,
  widthCm: 0,
  heightCm: 0,
  stackable: false,
}
const PARCEL: Parcel = { ...DOCUMENT, lengthCm: 30, widthCm: 20, heightCm: 10 }
const SMALL: Parcel = { ...DOCUMENT, weightGrams: 500, lengthCm: 20, widthCm: 15, heightCm: 2 }
const PALLET: Parcel = { ...DOCUMENT, lengthCm: 120, widthCm: 80, heightCm: 100 }

const PARCELS: readonly ReferenceParcel[] = [
  { text: 'document', parcelType: 'DOC', unit: DOCUMENT },
  { text: 'parcel of 0.5 kg', parcelType: 'NONDOC', unit: SMALL },
  { text: 'parcel of 2 kg', parcelType: 'NONDOC', unit: { ...PARCEL, weightGrams: 2_000 } },
  { text: 'parcel of 10 kg', parcelType: 'NONDOC', unit: { ...PARCEL, weightGrams: 10_000 } },
  { text: 'parcel of 25 kg', parcelType: 'NONDOC', unit: { ...PARCEL, weightGrams: 25_000 } },
  { text: 'pallet of 250 kg', parcelType: 'PALLET', unit: { ...PALLET, weightGrams: 250_000 } },
]

const MAX_WEIGHTS = 20

/** The reference parcels, and parcels of further weights for a business. */
function requestsFor(weights: readonly number[]) {
  const step = Math.max(1, weights.length / MAX_WEIGHTS)
  const chosen = Array.from(
    { length: Math.min(weights.length, MAX_WEIGHTS) },
    (_, index) => weights[Math.floor(index * step)]!,
  )
  const further = chosen.map((weightGrams): ReferenceParcel & { recipient: Recipient } => ({
    text: `parcel of ${formatKilograms(weightGrams)} kg`,
    parcelType: 'NONDOC',
    unit: { ...PARCEL, weightGrams },
    recipient: 'business',
  }))
  return [
    ...PARCELS.flatMap((parcel) => RECIPIENTS.map((recipient) => ({ ...parcel, recipient }))),
    ...further,
  ]
}

/**
 * One price per product, the one that rises most, or else falls most. Products whose prices stay are left out. The
 * newest exchange rate of a currency is used for all days, because those of later days are not known. `weights` are
 * further weights of parcels, in grams, of which at most `MAX_WEIGHTS` are compared: those at which a discount ends.
 */
export function comparePrices(
  before: RateBook,
  after: RateBook,
  { accountId, ...scope }: Scope & { readonly accountId: string },
  days: readonly string[],
  exchangeRates: ExchangeRates,
  weights: readonly number[] = [],
): PriceComparison {
  const requests = requestsFor(weights)
  const rates = newestOnEachDay(exchangeRates, days)
  const largest = new Map<number, ReferencePrice>()
  const notCompared = new Set(
    days.flatMap((day) => [before, after].flatMap((book) => offeredProducts(book, scope, accountId, day))),
  )
  for (const day of days)
    for (const [from, to] of referenceRoutes(after, scope, day))
      for (const { text, parcelType, unit, recipient } of requests) {
        const request: RatesRequest = { from, to, parcelType, parcels: [unit], recipient }
        const [old, now] = [before, after].map((book) =>
          pricesOf(quote(book, request, day, accountId, rates)),
        )
        for (const productId of new Set([...old!.keys(), ...now!.keys()])) {
          notCompared.delete(productId)
          const [was, becomes] = [old!.get(productId), now!.get(productId)]
          if (was?.cents === becomes?.cents) continue
          const price: ReferencePrice = {
            productId,
            productName: (becomes ?? was)!.name,
            day,
            from: from.country,
            to: to.country,
            parcel: parcelText(text, recipient),
            beforeCents: was?.cents,
            afterCents: becomes?.cents,
          }
          if (isLarger(price, largest.get(productId))) largest.set(productId, price)
        }
      }
  return {
    prices: [...largest.values()].sort((a, b) => a.productId - b.productId),
    notCompared: [...notCompared].sort((a, b) => a - b),
  }
}

function parcelText(text: string, recipient: Recipient): string {
  return recipient === 'individual' ? `${text} for an individual` : text
}

/** The products in `scope` that the account is offered on a day. */
function offeredProducts(book: RateBook, scope: Scope, accountId: string, day: string): number[] {
  const contracts = book.contracts.get(accountId)
  return cardsInForce(book, day).flatMap((card) =>
    productsIn(card).flatMap(({ terms }) => {
      const agreed = contracts === undefined ? undefined : contractOn(contracts, terms, day)
      const isSold =
        card.audience === 'everyone' ||
        (card.audience === 'contract' && agreed?.cardCode === card.code) ||
        (card.audience === 'cost' && hasMargin(book.margins.forAll, terms))
      return isSold && agreed?.hidden !== true && isInScope(terms, scope) ? terms.productId : []
    }),
  )
}

function isInScope(terms: BookProduct['terms'], { productId, carrierCode }: Scope): boolean {
  if (productId !== undefined) return terms.productId === productId
  return carrierCode === undefined || terms.carrierCode === carrierCode
}

/** The newest rate of each currency as the rate of these days, because those of later days are not known. */
export function newestOnEachDay(exchangeRates: ExchangeRates, days: readonly string[]): RateSource {
  const latestFirst = [...days].sort().reverse()
  const onDays = new Map(
    [...exchangeRates].map(([currency, [newest]]) => [
      currency,
      newest === undefined ? [] : latestFirst.map((validFrom) => ({ ...newest, validFrom })),
    ]),
  )
  return { exchangeRates: onDays }
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

function isLarger(price: ReferencePrice, known: ReferencePrice | undefined): boolean {
  return known === undefined || weightOf(price) > weightOf(known)
}

type NamedPrice = { readonly name: string; readonly cents: number }

function pricesOf({ options }: RateQuote): ReadonlyMap<number, NamedPrice> {
  return new Map(
    options.map(({ product, priceCents }) => [
      product.productId,
      { name: product.productName, cents: priceCents },
    ]),
  )
}

type Route = readonly [from: Place, to: Place]

/**
 * Routes between countries that lead to every zone of the cards in force, and routes from the countries that products
 * in `scope` can be sent from. If there are too many, they are evenly chosen.
 */
function referenceRoutes(book: RateBook, scope: Scope, day: string): readonly Route[] {
  const groups = cardsInForce(book, day).flatMap((card) => card.groups)
  const zoneRoutes = [...new Set(groups.map(({ route }) => route))].flatMap(routesOf)
  const originRoutes = groups.flatMap(({ route, products }) =>
    products
      .filter(({ terms }) => isInScope(terms, scope))
      .flatMap((product) => originRoutesOf(route, product)),
  )
  const chosen = [...evenlyChosen(zoneRoutes, MAX_ROUTES), ...evenlyChosen(originRoutes, MAX_ORIGIN_ROUTES)]
  return distinct(chosen).map(([from, to]) => [{ country: from }, { country: to }])
}

function cardsInForce(book: RateBook, day: string): BookCard[] {
  const cards = [...book.cards, ...book.contractCards.values(), ...book.costCards]
  return cards.flatMap((versions) => versionOn(versions, day) ?? [])
}

type Countries = readonly [from: string, to: string]

function evenlyChosen(routes: readonly Countries[], limit: number): Countries[] {
  const all = distinct(routes)
  const step = Math.max(1, all.length / limit)
  return Array.from({ length: Math.min(all.length, limit) }, (_, index) => all[Math.floor(index * step)]!)
}

function distinct(routes: readonly Countries[]): Countries[] {
  return [...new Map(routes.map((route) => [route.join(' '), route])).values()]
}

/** From each country that the product can be sent from, if they are stated, to one country that it serves. */
function originRoutesOf({ lanes, groups }: RouteTables, { terms, zones }: BookProduct): Countries[] {
  return (terms.fromCountries ?? []).flatMap((from): Countries[] => {
    if (
      terms.scope !== 'international' &&
      lanes.domestic !== undefined &&
      zones[lanes.domestic] !== undefined
    )
      return [[from, from]]
    const destinations = lanes.zones.get((groups.get(from) ?? groups.get('*'))?.general ?? '')
    for (const [country, { general }] of groups) {
      const zone = destinations?.get(general ?? '')
      const to = country === '*' ? COUNTRY_CODES.find((code) => !groups.has(code)) : country
      const isInternational = terms.scope !== 'domestic' && to !== from
      if (isInternational && to !== undefined && zone !== undefined && zones[zone] !== undefined)
        return [[from, to]]
    }
    return []
  })
}

/** Pairs of countries: of each zone of a chart, those of one lane. */
function routesOf({ lanes, groups }: RouteTables): Countries[] {
  const countries = new Map<string, string[]>()
  const add = (group: string | undefined, country: string | undefined): void => {
    if (group === undefined || country === undefined) return
    const known = countries.get(group) ?? []
    countries.set(group, known)
    if (known.length < COUNTRIES_OF_GROUP) known.push(country)
  }
  for (const [country, { general }] of groups)
    add(general, country === '*' ? COUNTRY_CODES.find((code) => !groups.has(code)) : country)
  const routes: Countries[] = []
  if (lanes.domestic !== undefined)
    for (const [country] of countries.values()) if (country !== undefined) routes.push([country, country])
  const seen = new Set<number>()
  for (const [fromGroup, destinations] of lanes.zones)
    for (const [toGroup, zone] of destinations) {
      if (fromGroup === SAME_COUNTRY || seen.has(zone)) continue
      for (const from of countries.get(fromGroup) ?? [])
        for (const to of countries.get(toGroup) ?? [])
          if (from !== to) {
            seen.add(zone)
            routes.push([from, to])
          }
    }
  return routes
}
