/**
 * Routes that lead to every pair of zones of two zone charts: that of a product as it is sold, and as it is bought.
 * There is one route for each pair of zones, within a country and between countries, and for each limit of products to
 * countries.
 */
import { COUNTRY_CODES, type Place } from '../../place.ts'
import type { RouteTables } from '../../rating/book/book-card.ts'
import { type CapitalTable, samplePlaces, valueOfPlace, zoneOfLane } from '../../rating/book/route.ts'
import type { BookTerms } from '../../rating/rate-card.ts'

export type Route = readonly [from: Place, to: Place]

/** A product as it is sold and bought. */
export type BoughtAndSold = {
  readonly sold: { readonly route: RouteTables; readonly terms: BookTerms }
  readonly bought: { readonly route: RouteTables; readonly terms: BookTerms }
}

/** Places of each group of a chart. */
const PLACES_OF_GROUP = 3
/** Places of two charts together. There are routes between all of them. */
const MAX_PLACES = 300

/** Each route once. */
export function sampleRoutes(pairs: readonly BoughtAndSold[], capitals: CapitalTable): readonly Route[] {
  const byKind = new Map<string, BoughtAndSold>()
  const ids = new Map<RouteTables, number>()
  const idOf = (route: RouteTables): number => {
    const id = ids.get(route) ?? ids.size
    ids.set(route, id)
    return id
  }
  for (const pair of pairs) {
    const { sold, bought } = pair
    const { fromCountries, scope } = sold.terms
    const kind = [idOf(sold.route), idOf(bought.route), scope, bought.terms.scope]
    const key = JSON.stringify([...kind, fromCountries ?? null, bought.terms.fromCountries ?? null])
    if (!byKind.has(key)) byKind.set(key, pair)
  }
  const routes = [...byKind.values()].flatMap((pair) => routesOf(pair, capitals))
  return [...new Map(routes.map((route) => [JSON.stringify(route), route])).values()]
}

function routesOf({ sold, bought }: BoughtAndSold, capitals: CapitalTable): Route[] {
  const places = placesOf([sold.route, bought.route], [sold.terms, bought.terms], capitals)
  const groups = places.map((place) => ({
    place,
    soldGroup: valueOfPlace(sold.route.groups, capitals, place),
    boughtGroup: valueOfPlace(bought.route.groups, capitals, place),
  }))
  const found = new Map<string, Route>()
  for (const from of groups) {
    if (!isOrigin(sold.terms, from.place) || !isOrigin(bought.terms, from.place)) continue
    for (const to of groups) {
      const sameCountry = from.place.country === to.place.country
      if (!isInScope(sold.terms, sameCountry)) continue
      const soldZone = zoneOfLane(sold.route.lanes, {
        sameCountry,
        fromGroup: from.soldGroup,
        toGroup: to.soldGroup,
      })
      const boughtZone = zoneOfLane(bought.route.lanes, {
        sameCountry,
        fromGroup: from.boughtGroup,
        toGroup: to.boughtGroup,
      })
      const key = `${soldZone} ${boughtZone} ${sameCountry}`
      if (soldZone !== undefined && !found.has(key)) found.set(key, [from.place, to.place])
    }
  }
  return [...found.values()]
}

function placesOf(
  routes: readonly RouteTables[],
  terms: readonly BookTerms[],
  capitals: CapitalTable,
): readonly Place[] {
  const unlisted = COUNTRY_CODES.find((code) => routes.every(({ groups }) => !groups.has(code)))
  const places = [
    ...terms
      .flatMap(({ fromCountries }) => (fromCountries ?? []).slice(0, 1))
      .map((country) => ({ country })),
    ...(unlisted === undefined ? [] : [{ country: unlisted }]),
    ...routes.flatMap(({ groups }) => samplePlaces(groups, capitals, PLACES_OF_GROUP)),
  ]
  const distinct = [...new Map(places.map((place) => [JSON.stringify(place), place])).values()]
  const step = Math.max(1, distinct.length / MAX_PLACES)
  return Array.from(
    { length: Math.min(distinct.length, MAX_PLACES) },
    (_, index) => distinct[Math.floor(index * step)]!,
  )
}

function isOrigin({ fromCountries }: BookTerms, { country }: Place): boolean {
  return fromCountries?.includes(country) ?? true
}

function isInScope({ scope }: BookTerms, sameCountry: boolean): boolean {
  return scope === 'any' || (scope === 'domestic') === sameCountry
}
