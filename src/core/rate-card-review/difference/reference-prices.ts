/**
 * Compares what an account pays before and after a change of its contract, for reference parcels on reference routes.
 * Every product is priced in up to `MAX_ROUTES` zones of its chart, so that a change is noticed that only raises the
 * prices of heavy parcels or of some zones.
 */
import type { ExchangeRates, RateSource } from '../../customs/data/exchange-rate.ts'
import { COUNTRY_CODES, type Place } from '../../place.ts'
import type { BookCard, RouteTables } from '../../rating/book/book-card.ts'
import { type RateBook, versionOn } from '../../rating/book/rate-book.ts'
import { SAME_COUNTRY } from '../../rating/book/route.ts'
import { quote, type RateQuote } from '../../rating/quote.ts'
import type { Parcel, RatesRequest } from '../../rating/request.ts'

/** The price of a reference parcel in euro cents; undefined if the product is not offered. */
export type ReferencePrice = {
  readonly productId: number
  readonly productName: string
  readonly day: string
  readonly from: string
  readonly to: string
  /** "parcel of 5 kg". */
  readonly parcel: string
  readonly beforeCents: number | undefined
  readonly afterCents: number | undefined
}

const MAX_ROUTES = 60
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
const PALLET: Parcel = { ...DOCUMENT, lengthCm: 120, widthCm: 80, heightCm: 100 }

const PARCELS: readonly ReferenceParcel[] = [
  { text: 'document', parcelType: 'DOC', unit: DOCUMENT },
  { text: 'parcel of 2 kg', parcelType: 'NONDOC', unit: { ...PARCEL, weightGrams: 2_000 } },
  { text: 'parcel of 10 kg', parcelType: 'NONDOC', unit: { ...PARCEL, weightGrams: 10_000 } },
  { text: 'parcel of 25 kg', parcelType: 'NONDOC', unit: { ...PARCEL, weightGrams: 25_000 } },
  { text: 'pallet of 250 kg', parcelType: 'PALLET', unit: { ...PALLET, weightGrams: 250_000 } },
]

/**
 * One price per product, the one that rises most, or else falls most. Products whose prices stay are left out. The
 * newest exchange rate of a currency is used for all days, because those of later days are not known.
 */
export function changedPrices(
  before: RateBook,
  after: RateBook,
  accountId: string,
  days: readonly string[],
  exchangeRates: ExchangeRates,
): ReferencePrice[] {
  const rates = newestOnEachDay(exchangeRates, days)
  const largest = new Map<number, ReferencePrice>()
  for (const day of days)
    for (const [from, to] of referenceRoutes(after, day))
      for (const { text, parcelType, unit } of PARCELS) {
        const request: RatesRequest = { from, to, parcelType, parcels: [unit], recipient: 'business' }
        const [old, now] = [before, after].map((book) =>
          pricesOf(quote(book, request, day, accountId, rates)),
        )
        for (const productId of new Set([...old!.keys(), ...now!.keys()])) {
          const [was, becomes] = [old!.get(productId), now!.get(productId)]
          if (was?.cents === becomes?.cents) continue
          const price: ReferencePrice = {
            ...{ productId, productName: (becomes ?? was)!.name, day, from: from.country, to: to.country },
            ...{ parcel: text, beforeCents: was?.cents, afterCents: becomes?.cents },
          }
          const known = largest.get(productId)
          if (known === undefined || weightOf(price) > weightOf(known)) largest.set(productId, price)
        }
      }
  return [...largest.values()].sort((a, b) => a.productId - b.productId)
}

function newestOnEachDay(exchangeRates: ExchangeRates, days: readonly string[]): RateSource {
  const latestFirst = [...days].sort().reverse()
  const onDays = new Map(
    [...exchangeRates].map(([currency, [newest]]) => [
      currency,
      newest === undefined ? [] : latestFirst.map((validFrom) => ({ ...newest, validFrom })),
    ]),
  )
  return { customsTables: () => ({ exchangeRates: onDays }) }
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

/** Routes between countries that lead to every zone of the cards in force, at most `MAX_ROUTES`, evenly chosen. */
function referenceRoutes(book: RateBook, day: string): readonly Route[] {
  const inForce = [...book.cards, ...book.contractCards.values()].flatMap(
    (versions) => versionOn(versions, day) ?? [],
  )
  const routes = new Map<string, Route>()
  for (const tables of new Set(inForce.flatMap(tablesOf)))
    for (const [from, to] of routesOf(tables))
      routes.set(`${from} ${to}`, [{ country: from }, { country: to }])
  const all = [...routes.values()]
  const step = Math.max(1, all.length / MAX_ROUTES)
  return Array.from(
    { length: Math.min(all.length, MAX_ROUTES) },
    (_, index) => all[Math.floor(index * step)]!,
  )
}

function tablesOf({ groups }: BookCard): readonly RouteTables[] {
  return groups.map(({ route }) => route)
}

/** Pairs of countries: of each zone of a chart, those of one lane. */
function routesOf({ lanes, groups }: RouteTables): (readonly [from: string, to: string])[] {
  const countries = new Map<string, string[]>()
  const add = (group: string | undefined, country: string | undefined): void => {
    if (group === undefined || country === undefined) return
    const known = countries.get(group) ?? []
    countries.set(group, known)
    if (known.length < COUNTRIES_OF_GROUP) known.push(country)
  }
  for (const [country, { general }] of groups)
    add(general, country === '*' ? COUNTRY_CODES.find((code) => !groups.has(code)) : country)
  const routes: (readonly [string, string])[] = []
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
