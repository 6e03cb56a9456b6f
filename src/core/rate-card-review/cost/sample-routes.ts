/**
 * Routes that lead to every pair of zones of two zone charts: that of a product as it is sold, and as it is bought.
 * There is one route for each pair of zones, within a country and between countries, and for each limit of products or
 * services to countries.
 */
import { COUNTRY_CODES, type Place } from '../../place.ts'
import type { ProductGroup, RouteTables } from '../../rating/book/book-card.ts'
import { type CapitalTable, samplePlaces, valueOfPlace, zoneOfLane } from '../../rating/book/route.ts'
import type { BookTerms, ServiceRow } from '../../rating/rate-card.ts'

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

/** Countries that are tried for either end of a service's route, and routes of services altogether. */
const COUNTRIES_OF_SERVICE = 5
const MAX_SERVICE_ROUTES = 100

/** Routes for the services that are limited to countries or zones, where none of `routes` is within the limits. */
export function routesOfServices(
  groups: ReadonlySet<ProductGroup>,
  routes: readonly Route[],
  capitals: CapitalTable,
): readonly Route[] {
  const found = new Map<string, Route>()
  for (const group of groups)
    for (const { row } of group.services) {
      const known = [...routes, ...found.values()]
      if (known.some((route) => isOffered(row, group, route, capitals))) continue
      const [from, to] = [0, 1].map((end) =>
        countriesOf(end === 0 ? row.fromCountries : row.toCountries, known, end),
      )
      const pairs = from!.flatMap((place) => to!.map((other): Route => [place, other]))
      const route = pairs.find((pair) => isOffered(row, group, pair, capitals))
      if (route !== undefined && found.size < MAX_SERVICE_ROUTES) found.set(JSON.stringify(route), route)
    }
  return [...found.values()]
}

function countriesOf(
  limited: readonly string[] | undefined,
  routes: readonly Route[],
  end: number,
): readonly Place[] {
  if (limited !== undefined) return limited.slice(0, COUNTRIES_OF_SERVICE).map((country) => ({ country }))
  return [...new Map(routes.map((route) => [JSON.stringify(route[end]), route[end]!])).values()]
}

/** True if a product of the group is priced on the route, within the limits of the row. */
function isOffered(
  { fromCountries, toCountries, zones, products }: ServiceRow,
  { route: { lanes, groups }, products: all }: ProductGroup,
  [from, to]: Route,
  capitals: CapitalTable,
): boolean {
  if (fromCountries?.includes(from.country) === false || toCountries?.includes(to.country) === false)
    return false
  const [fromGroup, toGroup] = [from, to].map((place) => valueOfPlace(groups, capitals, place))
  const sameCountry = from.country === to.country
  const zone = zoneOfLane(lanes, { sameCountry, fromGroup, toGroup })
  if (zone === undefined || zones?.includes(zone) === false) return false
  return all.some(
    (product) =>
      products?.includes(product.terms.productId) !== false &&
      product.zones[zone] !== undefined &&
      isOrigin(product.terms, from) &&
      isInScope(product.terms, sameCountry),
  )
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
