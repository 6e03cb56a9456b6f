/**
 * Which price zone a lane falls into, and what the two ends are to carriers.
 * Source: specification 2.1 (capital where an end has neither postal code nor city) and 2.3 (areas).
 */
import { groupBy } from '../group-by.ts'
import { normalisePostalCode, type Place, postalCodeKey, postalInterval } from '../place.ts'
import type { AreaClass, AreaRow, CapitalRow, CountryGroupRow, LaneRow } from './rate-card.ts'

/** Zones by country pair. */
export type LaneTable = {
  readonly groupOf: ReadonlyMap<string, string>
  readonly zoneOf: ReadonlyMap<string, number>
}

/** Compiles groups and lanes. */
export function compileLanes(groups: readonly CountryGroupRow[], lanes: readonly LaneRow[]): LaneTable {
  return {
    groupOf: new Map(groups.map(({ country, group }) => [country, group])),
    zoneOf: new Map(lanes.map(({ fromGroup, toGroup, zone }) => [`${fromGroup}>${toGroup}`, zone])),
  }
}

/** The group of a country; undefined when neither it nor '*' is listed. */
export function groupOfCountry(lanes: LaneTable, country: string): string | undefined {
  return lanes.groupOf.get(country) ?? lanes.groupOf.get('*')
}

/** The zone between two countries; undefined when the card does not serve the lane. */
export function zoneOfLane(lanes: LaneTable, fromCountry: string, toCountry: string): number | undefined {
  if (fromCountry === toCountry) {
    const domestic = lanes.zoneOf.get('=>=')
    if (domestic !== undefined) return domestic
  }
  return lanes.zoneOf.get(`${groupOfCountry(lanes, fromCountry)}>${groupOfCountry(lanes, toCountry)}`)
}

/** A country's postal keys cut into segments: each begins at its start and holds up to the next one. */
type CountryAreas = { readonly starts: Float64Array; readonly ranges: readonly AreaRange[] }

/** Area classes by country. */
export type AreaTable = ReadonlyMap<string, CountryAreas>

/** Compiles postal ranges, which may be disjoint or nested; the innermost decides. */
export function compileAreas(rows: readonly AreaRow[]): AreaTable {
  const byCountry = groupBy(rows, ({ country }) => country)
  return new Map([...byCountry].map(([country, areas]) => [country, flatten(areas.map(intervalOf))]))
}

/** What a segment belongs to. A postal code shorter than the range is written in is cut off, and in no range. */
type AreaRange = { readonly areaClass: AreaClass; readonly codeLength: number }
type AreaInterval = AreaRange & { readonly start: number; readonly end: number }

const OUTSIDE: AreaRange = { areaClass: 'NORMAL', codeLength: 0 }

function intervalOf({ country, from, to, areaClass }: AreaRow): AreaInterval {
  const [start, end] = postalInterval(country, from, to)
  return { start, end, areaClass, codeLength: normalisePostalCode(country, from).length }
}

/** Cuts nested intervals into segments with one sweep: outer intervals open first and resume after inner ones. */
function flatten(intervals: readonly AreaInterval[]): CountryAreas {
  const starts: number[] = []
  const ranges: AreaRange[] = []
  const open: AreaInterval[] = []
  const begin = (at: number): void => {
    const range = open.at(-1) ?? OUTSIDE
    if (starts.at(-1) === at) ranges[ranges.length - 1] = range
    else {
      starts.push(at)
      ranges.push(range)
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
    open.push(interval)
    begin(interval.start)
  }
  closeBefore(Number.POSITIVE_INFINITY)
  return { starts: Float64Array.from(starts), ranges }
}

/**
 * The postal code that decides for a place: its own, else the capital's when neither code nor city is given, or
 * the city is the capital. Other cities are not known: such a place gets the country's defaults.
 */
function decidingPostalCode(capitals: CapitalTable, place: Place): string | undefined {
  if (place.zipcode !== undefined) return place.zipcode
  const capital = capitals.get(place.country)
  if (capital === undefined) return undefined
  if (place.city !== undefined && !isSameCity(place.city, capital.city)) return undefined
  return capital.postalCode
}

function isSameCity(one: string, other: string): boolean {
  return foldCity(one) === foldCity(other)
}

function foldCity(city: string): string {
  return city
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

/** What a place is to carriers; NORMAL where nothing is known. */
export function areaOfPlace(areas: AreaTable, capitals: CapitalTable, place: Place): AreaClass {
  const table = areas.get(place.country)
  const postalCode = decidingPostalCode(capitals, place)
  if (table === undefined || postalCode === undefined) return 'NORMAL'
  const code = normalisePostalCode(place.country, postalCode)
  const range = table.ranges[lastStartUpTo(table.starts, postalCodeKey(code))] ?? OUTSIDE
  return code.length < range.codeLength ? 'NORMAL' : range.areaClass
}

/** Binary search: the last index whose start is at most `key`, or -1. */
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

/** Capitals by country. */
export type CapitalTable = ReadonlyMap<string, CapitalRow>

/** Compiles capitals. */
export function compileCapitals(rows: readonly CapitalRow[]): CapitalTable {
  return new Map(rows.map((row) => [row.country, row]))
}
