/**
 * What a list says of a place: by postal range, by city, by country. One table serves the groups that lanes
 * run between and the areas that carriers charge extra for.
 * Source: specification 2.1 (capital where an end has neither postal code nor city) and 2.3 (areas).
 */
import { groupBy } from '../../group-by.ts'
import { foldCity, normalisePostalCode, type Place, postalCodeKey, postalInterval } from '../../place.ts'
import type { CapitalRow, PlaceRange } from '../rate-card.ts'

/** Values by place; the narrowest range decides, and where none does, the country, then '*'. */
export type PlaceTable<Value> = ReadonlyMap<string, CountryPlaces<Value>>

type CountryPlaces<Value> = {
  readonly general: Value | undefined
  /** Undefined where the list knows no postal range of the country: then a city decides even beside a code. */
  readonly segments: PostalSegments<Value> | undefined
  /** By folded name. */
  readonly cities: ReadonlyMap<string, Value>
}

/** A country's postal keys cut into segments: each begins at its start and holds up to the next one. */
type PostalSegments<Value> = {
  readonly starts: Float64Array
  readonly ranges: readonly (Segment<Value> | undefined)[]
}

/** A postal code shorter than a range is written in is cut off, and not in it; it may be in the one around it. */
type Segment<Value> = {
  readonly value: Value
  readonly codeLength: number
  readonly outer: Segment<Value> | undefined
}
type Interval<Value> = Omit<Segment<Value>, 'outer'> & { readonly start: number; readonly end: number }
type OpenInterval<Value> = Segment<Value> & { readonly end: number }

/** Capitals by country. */
export type CapitalTable = ReadonlyMap<string, CapitalRow & { readonly foldedCity: string }>

/** Compiles capitals. */
export function compileCapitals(rows: readonly CapitalRow[]): CapitalTable {
  return new Map(rows.map((row) => [row.country, { ...row, foldedCity: foldCity(row.city) }]))
}

/** Compiles a list of places. Postal ranges may be disjoint or nested. */
export function compilePlaces<Row extends PlaceRange, Value>(
  rows: readonly Row[],
  read: (row: Row) => Value,
): PlaceTable<Value> {
  const byCountry = groupBy(rows, ({ country }) => country)
  return new Map(
    [...byCountry].map(([country, own]) => {
      const ranges = own.filter(({ from }) => from !== undefined)
      const cities = own.filter(({ city }) => city !== undefined)
      const general = own.find(({ from, city }) => from === undefined && city === undefined)
      return [
        country,
        {
          general: general === undefined ? undefined : read(general),
          segments:
            ranges.length === 0 ? undefined : flatten(ranges.map((row) => intervalOf(row, read(row)))),
          cities: new Map(cities.map((row) => [foldCity(row.city ?? ''), read(row)])),
        },
      ]
    }),
  )
}

function intervalOf<Value>({ country, from = '', to = from }: PlaceRange, value: Value): Interval<Value> {
  const [start, end] = postalInterval(country, from, to)
  return { start, end, value, codeLength: normalisePostalCode(country, from).length }
}

/** Cuts nested intervals into segments with one sweep: outer intervals open first and resume after inner ones. */
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
    open.push({ ...interval, outer: open.at(-1) })
    begin(interval.start)
  }
  closeBefore(Number.POSITIVE_INFINITY)
  return { starts: Float64Array.from(starts), ranges }
}

/**
 * What a list says of a place. A postal code wins over a city; without both the capital stands for the country.
 * An unknown city or an odd code gets the country's general value; undefined where the list has none.
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
  // Beside a postal code that the list cannot read, an unlisted city says nothing.
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
  const code = normalisePostalCode(country, zipcode)
  let range = ranges[lastStartUpTo(starts, postalCodeKey(code))]
  while (range !== undefined && code.length < range.codeLength) range = range.outer
  return range?.value
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
