/**
 * Routes that lead to every pair of zones of two zone charts: those of a product in two listings, as it is sold and as
 * it is bought, or before and after a change. There is one route for each pair of zones, within a country and between
 * countries, and for each limit of products or services to countries. Further routes lead to the areas, groups and
 * countries that surcharges depend on.
 */
import { COUNTRY_CODES, type Place } from '../../place.ts'
import type { ProductGroup, RouteTables } from '../../rating/book/book-card.ts'
import type { Listing } from '../../rating/book/rate-book.ts'
import { type CapitalTable, samplePlaces, valueOfPlace, zoneOfLane } from '../../rating/book/route.ts'
import type { BookTerms, ServiceRow } from '../../rating/rate-card.ts'
import { evenlyChosen } from './evenly-chosen.ts'

export type Route = readonly [from: Place, to: Place]

/** "ES", or "ES:07" for a part of a country, as `waybill quote` reads it. */
export function placeName({ country, zipcode, city }: Place): string {
  const part = zipcode ?? city
  return part === undefined ? country : `${country}:${part}`
}

/** A product in two listings, which may be the same. There are routes for the zones of the first. */
export type ListingPair = readonly [first: Listing, second: Listing]

/** Places of each group of a chart. */
const PLACES_OF_GROUP = 3
/** Places of two charts together. There are routes between all of them. */
const MAX_PLACES = 300

/** Each route once. */
export function sampleRoutes(pairs: readonly ListingPair[], capitals: CapitalTable): readonly Route[] {
  const byKind = new Map<string, ListingPair>()
  const ids = new Map<RouteTables, number>()
  const idOf = (route: RouteTables): number => {
    const id = ids.get(route) ?? ids.size
    ids.set(route, id)
    return id
  }
  for (const pair of pairs) {
    const kind = pair.map(({ group, product: { terms } }) => [
      idOf(group.route),
      terms.scope,
      terms.fromCountries ?? null,
    ])
    const key = JSON.stringify(kind)
    if (!byKind.has(key)) byKind.set(key, pair)
  }
  const routes = [...byKind.values()].flatMap((pair) =>
    routesBetween(pair, placesOf(pair, capitals), capitals, () => ''),
  )
  return [...new Map(routes.map((route) => [JSON.stringify(route), route])).values()]
}

/** A route for each pair of zones, and of what `detailOf` tells apart. */
function routesBetween(
  [first, second]: ListingPair,
  places: readonly Place[],
  capitals: CapitalTable,
  detailOf: (from: Place, to: Place) => string,
): Route[] {
  const [one, other] = [first, second].map(({ group }) => group.route) as [RouteTables, RouteTables]
  const groups = places.map((place) => ({
    place,
    firstGroup: valueOfPlace(one.groups, capitals, place),
    secondGroup: valueOfPlace(other.groups, capitals, place),
  }))
  const found = new Map<string, Route>()
  for (const from of groups) {
    if (![first, second].every(({ product }) => isOrigin(product.terms, from.place))) continue
    for (const to of groups) {
      const sameCountry = from.place.country === to.place.country
      if (!isInScope(first.product.terms, sameCountry)) continue
      const firstZone = zoneOfLane(one.lanes, {
        sameCountry,
        fromGroup: from.firstGroup,
        toGroup: to.firstGroup,
      })
      const secondZone = zoneOfLane(other.lanes, {
        sameCountry,
        fromGroup: from.secondGroup,
        toGroup: to.secondGroup,
      })
      const key = `${firstZone} ${secondZone} ${sameCountry} ${detailOf(from.place, to.place)}`
      if (firstZone !== undefined && !found.has(key)) found.set(key, [from.place, to.place])
    }
  }
  return [...found.values()]
}

/** What the route of a rule depends on. `words` include the countries and groups that it names. */
export type RuleRoute = { readonly usesAreas: boolean; readonly words: ReadonlySet<string> }

/** Places of the area lists that are compared, and those of each combination of groups and areas that are used. */
const [MAX_AREA_PLACES, PLACES_OF_AREAS] = [400, 1]
/** Places that the routes of a rule are between. */
const MAX_RULE_PLACES = 120

/**
 * Routes on which a rule can apply: one for each pair of zones, and of the areas and named countries and groups at its
 * ends. Those with the fewest special ends come first.
 */
export function routesOfRule(
  pair: ListingPair,
  { usesAreas, words }: RuleRoute,
  capitals: CapitalTable,
): readonly Route[] {
  const tables = pair.map(({ group }) => group.route)
  const wordOf = (place: Place): string => {
    const areas = usesAreas ? tables.map((route) => valueOfPlace(route.areas, capitals, place) ?? '') : []
    const groups = tables.map(({ groups: table }) => valueOfPlace(table, capitals, place) ?? '')
    const named = [place.country, ...groups].filter((word) => words.has(word))
    return [...areas.filter((area) => area !== 'NORMAL'), ...named].join(' ')
  }
  const named = [...words].filter((word) => COUNTRY_CODES.includes(word)).map((country) => ({ country }))
  const usual = placesOf(pair, capitals)
  const ofAreas = usesAreas ? areaPlaces(pair, wordOf, capitals) : []
  const places = [...ofAreas, ...named, ...evenlyChosen(usual, MAX_RULE_PLACES)]
  const wordsOf = new Map(places.map((place) => [place, wordOf(place)]))
  const routes = routesBetween(
    pair,
    places,
    capitals,
    (from, to) => `${wordsOf.get(from)} to ${wordsOf.get(to)}`,
  )
  const specialEnds = (route: Route): number => route.filter((place) => wordsOf.get(place) !== '').length
  return routes.toSorted((a, b) => specialEnds(a) - specialEnds(b))
}

/** Places of each pair of areas in two lists, in each pair of groups of two charts. */
function areaPlaces(
  pair: ListingPair,
  wordOf: (place: Place) => string,
  capitals: CapitalTable,
): readonly Place[] {
  const tables = pair.map(({ group }) => group.route)
  const found = new Map<string, Place[]>()
  for (const { areas } of new Set(tables))
    for (const place of samplePlaces(areas, capitals, MAX_AREA_PLACES)) {
      const groups = tables.map((route) => valueOfPlace(route.groups, capitals, place))
      if (groups[0] === undefined) continue
      const key = JSON.stringify([groups, wordOf(place)])
      const known = found.get(key) ?? []
      found.set(key, known)
      if (known.length < PLACES_OF_AREAS) known.push(place)
    }
  return evenlyChosen([...found.values()].flat(), MAX_RULE_PLACES)
}

/** True if both listings have prices for the route. */
export function isServed(pair: ListingPair, [from, to]: Route, capitals: CapitalTable): boolean {
  const sameCountry = from.country === to.country
  return pair.every(({ group: { route }, product }) => {
    const [fromGroup, toGroup] = [from, to].map((place) => valueOfPlace(route.groups, capitals, place))
    const zone = zoneOfLane(route.lanes, { sameCountry, fromGroup, toGroup })
    return (
      zone !== undefined &&
      product.zones[zone] !== undefined &&
      isOrigin(product.terms, from) &&
      isInScope(product.terms, sameCountry)
    )
  })
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

function placesOf(pair: ListingPair, capitals: CapitalTable): readonly Place[] {
  const routes = pair.map(({ group }) => group.route)
  const unlisted = COUNTRY_CODES.find((code) => routes.every(({ groups }) => !groups.has(code)))
  const places = [
    ...pair
      .flatMap(({ product: { terms } }) => (terms.fromCountries ?? []).slice(0, 1))
      .map((country) => ({ country })),
    ...routes.flatMap(({ groups }) => samplePlaces(groups, capitals, PLACES_OF_GROUP)),
    ...(unlisted === undefined ? [] : [{ country: unlisted }]),
  ]
  const distinct = [...new Map(places.map((place) => [JSON.stringify(place), place])).values()]
  return evenlyChosen(distinct, MAX_PLACES)
}

function isOrigin({ fromCountries }: BookTerms, { country }: Place): boolean {
  return fromCountries?.includes(country) ?? true
}

function isInScope({ scope }: BookTerms, sameCountry: boolean): boolean {
  return scope === 'any' || (scope === 'domestic') === sameCountry
}
