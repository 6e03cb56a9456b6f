/**
 * Finds the group and the area of each end of a route, and the price zone between two groups.
 * Rules: docs/rate-card-files.md#zones.
 */
import { groupBy } from '../../group-by.ts'
import {
  codeOfPostalKey,
  foldCity,
  normalisePostalCode,
  type Place,
  postalCodeKey,
  postalInterval,
} from '../../place.ts'
import type { CapitalRow, LaneRow, PlaceRange } from '../rate-card.ts'

/** Values by country. The narrowest range of a country applies, then the country as a whole, then '*'. */
export type PlaceTable<Value> = ReadonlyMap<string, CountryPlaces<Value>>

type CountryPlaces<Value> = {
  /** The value of the country as a whole. */
  readonly general: Value | undefined
  /** Undefined if the list has no postal range of the country. A city then applies even if a code is given. */
  readonly segments: PostalSegments<Value> | undefined
  /** By folded name. */
  readonly cities: ReadonlyMap<string, Value>
}

/** The postal keys of a country, cut into segments. Each begins at its start and ends before the next start. */
type PostalSegments<Value> = {
  readonly starts: Float64Array
  readonly ranges: readonly (Segment<Value> | undefined)[]
}

/**
 * A postal code shorter than `codeLength` is not in the segment, but may be in the outer one. `outer` is the innermost
 * enclosing range of shorter codes, so a lookup takes as many steps as there are lengths, however deep ranges are
 * nested.
 */
type Segment<Value> = {
  readonly value: Value
  readonly codeLength: number
  readonly outer: Segment<Value> | undefined
}
type Interval<Value> = Omit<Segment<Value>, 'outer'> & { readonly start: number; readonly end: number }
type OpenInterval<Value> = Segment<Value> & { readonly end: number }

/** By country. */
export type CapitalTable = ReadonlyMap<string, CapitalRow & { readonly foldedCity: string }>

export function compileCapitals(rows: readonly CapitalRow[]): CapitalTable {
  return new Map(rows.map((row) => [row.country, { ...row, foldedCity: foldCity(row.city) }]))
}

/** Compiles a list of places. Postal ranges must be disjoint or nested. */
export function compilePlaces<Row extends PlaceRange, Value>(
  rows: readonly Row[],
  getValue: (row: Row) => Value,
): PlaceTable<Value> {
  const byCountry = groupBy(rows, ({ country }) => country)
  return new Map([...byCountry].map(([country, places]) => [country, compileCountry(places, getValue)]))
}

function compileCountry<Row extends PlaceRange, Value>(
  rows: readonly Row[],
  getValue: (row: Row) => Value,
): CountryPlaces<Value> {
  const ranges = rows.filter(({ from }) => from !== undefined)
  const cities = rows.filter(({ city }) => city !== undefined)
  const general = rows.find(({ from, city }) => from === undefined && city === undefined)
  return {
    general: general === undefined ? undefined : getValue(general),
    segments: ranges.length === 0 ? undefined : flatten(ranges.map((row) => intervalOf(row, getValue(row)))),
    cities: new Map(cities.map((row) => [foldCity(row.city ?? ''), getValue(row)])),
  }
}

function intervalOf<Value>({ country, from = '', to = from }: PlaceRange, value: Value): Interval<Value> {
  const [start, end] = postalInterval(country, from, to)
  return { start, end, value, codeLength: normalisePostalCode(country, from).length }
}

/** Cuts nested intervals into segments in one sweep. An outer interval continues where an inner one ends. */
function flatten<Value>(intervals: readonly Interval<Value>[]): PostalSegments<Value> {
  const starts: number[] = []
  const ranges: (Segment<Value> | undefined)[] = []
  const open: OpenInterval<Value>[] = []
  const begin = (at: number): void => {
    if (starts.at(-1) === at) ranges[ranges.length - 1] = open.at(-1)
    else {
      starts.push(at)
      ranges.push(open.at(-1))
    }
  }
  const closeBefore = (key: number): void => {
    for (let inner = open.at(-1); inner !== undefined && inner.end < key; inner = open.at(-1)) {
      open.pop()
      begin(inner.end + 1)
    }
  }
  for (const interval of [...intervals].sort((a, b) => a.start - b.start || b.end - a.end)) {
    closeBefore(interval.start)
    let outer: Segment<Value> | undefined = open.at(-1)
    while (outer !== undefined && outer.codeLength >= interval.codeLength) outer = outer.outer
    open.push({ ...interval, outer })
    begin(interval.start)
  }
  closeBefore(Number.POSITIVE_INFINITY)
  return { starts: Float64Array.from(starts), ranges }
}

/**
 * The value that a list has for a place, or undefined. A postal code takes precedence over a city. Without either,
 * the capital stands for the country. An unlisted city or code gets the general value of the country.
 */
export function valueOfPlace<Value>(
  table: PlaceTable<Value>,
  capitals: CapitalTable,
  place: Place,
): Value | undefined {
  const country = table.get(place.country)
  if (country === undefined) return table.get('*')?.general
  return partOfCountry(country, capitals, place) ?? country.general ?? table.get('*')?.general
}

/**
 * One place of each part of a table that has its own value, at most `limit` per value: whole countries first, then
 * postal ranges and cities. '*' is left out.
 */
export function samplePlaces<Value>(
  table: PlaceTable<Value>,
  capitals: CapitalTable,
  limit: number,
): readonly Place[] {
  const found = new Map<Value, Place[]>()
  const add = (place: Place, value: Value | undefined): void => {
    if (value === undefined || valueOfPlace(table, capitals, place) !== value) return
    const places = found.get(value) ?? []
    found.set(value, places)
    if (places.length < limit) places.push(place)
  }
  for (const [country, { general }] of table) if (country !== '*') add({ country }, general)
  for (const [country, { segments, cities }] of table) {
    for (const [index, range] of (segments?.ranges ?? []).entries())
      add({ country, zipcode: codeOfPostalKey(segments!.starts[index]!) }, range?.value)
    for (const [city, value] of cities) add({ country, city }, value)
  }
  return [...found.values()].flat()
}

function partOfCountry<Value>(
  { segments, cities }: CountryPlaces<Value>,
  capitals: CapitalTable,
  { country, zipcode, city }: Place,
): Value | undefined {
  if (segments === undefined && cities.size === 0) return undefined
  if (zipcode !== undefined && segments !== undefined) return valueOfCode(segments, country, zipcode)
  const capital = capitals.get(country)
  const foldedCity = city === undefined ? undefined : foldCity(city)
  if (foldedCity !== undefined && cities.has(foldedCity)) return cities.get(foldedCity)
  // The capital is used only if the place has no postal code and no other city.
  if (zipcode !== undefined || capital === undefined) return undefined
  if (foldedCity !== undefined && foldedCity !== capital.foldedCity) return undefined
  return segments === undefined || capital.postalCode === ''
    ? cities.get(capital.foldedCity)
    : valueOfCode(segments, country, capital.postalCode)
}

function valueOfCode<Value>(
  { starts, ranges }: PostalSegments<Value>,
  country: string,
  zipcode: string,
): Value | undefined {
  const { length, key } = sortableCode(country, zipcode)
  let range = ranges[lastStartUpTo(starts, key)]
  while (range !== undefined && length < range.codeLength) range = range.outer
  return range?.value
}

/** A postal code: the length of its normalised form, and its key. */
type SortableCode = {
  readonly country: string
  readonly zipcode: string
  readonly length: number
  readonly key: number
}

/** The two latest codes, because both ends of a route are looked up in several lists. */
let latestCode: SortableCode = { country: '', zipcode: '', length: 0, key: 0 }
let secondLatestCode = latestCode

function sortableCode(country: string, zipcode: string): SortableCode {
  if (latestCode.zipcode === zipcode && latestCode.country === country) return latestCode
  const other = secondLatestCode
  secondLatestCode = latestCode
  if (other.zipcode === zipcode && other.country === country) latestCode = other
  else {
    const code = normalisePostalCode(country, zipcode)
    latestCode = { country, zipcode, length: code.length, key: postalCodeKey(code) }
  }
  return latestCode
}

/** Binary search for the last index whose start is at most `key`, or -1. */
function lastStartUpTo(starts: Float64Array, key: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= key) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The zones of one zone chart. */
export type LaneTable = {
  /** The zone within one country; undefined if the chart has no such lane. */
  readonly domestic: number | undefined
  /** By the group that a route starts in, then by the group that it ends in. */
  readonly zones: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** A lane with this name as both groups is the lane within one country. */
export const SAME_COUNTRY = '='

/** Compiles the lanes of one zone chart. */
export function compileLanes(lanes: readonly LaneRow[]): LaneTable {
  const zones = new Map<string, Map<string, number>>()
  for (const { fromGroup, toGroup, zone } of lanes) {
    const destinations = zones.get(fromGroup) ?? new Map<string, number>()
    zones.set(fromGroup, destinations.set(toGroup, zone))
  }
  return { domestic: zones.get(SAME_COUNTRY)?.get(SAME_COUNTRY), zones }
}

/** The groups of both ends of a route. */
export type Lane = {
  readonly sameCountry: boolean
  readonly fromGroup: string | undefined
  readonly toGroup: string | undefined
}

/**
 * The zone of a lane; undefined if the chart does not serve it or has no group for one of the ends. Within a
 * country the domestic zone applies, unless the ends are in different groups with their own lane (mainland and
 * islands).
 */
export function zoneOfLane(lanes: LaneTable, { sameCountry, fromGroup, toGroup }: Lane): number | undefined {
  if (fromGroup === undefined || toGroup === undefined) return undefined
  const zone = lanes.zones.get(fromGroup)?.get(toGroup)
  if (!sameCountry || lanes.domestic === undefined) return zone
  return fromGroup === toGroup ? lanes.domestic : (zone ?? lanes.domestic)
}
