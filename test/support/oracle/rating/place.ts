/**
 * Where an end of a route lies in a list of countries, postal ranges and cities: the slow and obvious way, by
 * comparing texts. A second opinion on the engine, so nothing of its search is used.
 * Source: "Where the end of a route lies" in the rating design; the import format.
 */
import { normalisePostalCode, type Place, postalInterval } from '../../../../src/core/place.ts'
import type { CapitalRow, PlaceRange } from '../../../../src/core/rating/rate-card.ts'

/** A city name as names are compared: NFD, letters and digits only, lower case. */
export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

/** The row of a list that a place lies in: a part of its country, else the country, else '*'; or undefined. */
export function rowOfPlace<Row extends PlaceRange>(
  rows: readonly Row[],
  capitals: readonly CapitalRow[],
  place: Place,
): Row | undefined {
  return (
    partOfPlace(rows, capitals, place) ??
    rows.find((row) => row.country === place.country && !isPart(row)) ??
    rows.find((row) => row.country === '*')
  )
}

function isPart({ from, city }: PlaceRange): boolean {
  return from !== undefined || city !== undefined
}

function partOfPlace<Row extends PlaceRange>(
  rows: readonly Row[],
  capitals: readonly CapitalRow[],
  { country, zipcode, city }: Place,
): Row | undefined {
  const capital = capitals.find((row) => row.country === country)
  const hasRanges = rows.some((row) => row.country === country && row.from !== undefined)
  if (zipcode !== undefined && hasRanges) return narrowestRange(rows, country, zipcode)
  if (city !== undefined) {
    const named = rowOfCity(rows, country, city)
    if (named !== undefined || zipcode !== undefined) return named
    const isCapital = capital !== undefined && foldName(capital.city) === foldName(city)
    return isCapital ? narrowestRange(rows, country, capital.postalCode) : undefined
  }
  if (zipcode !== undefined || capital === undefined) return undefined
  return capital.postalCode !== '' && hasRanges
    ? narrowestRange(rows, country, capital.postalCode)
    : rowOfCity(rows, country, capital.city)
}

function rowOfCity<Row extends PlaceRange>(
  rows: readonly Row[],
  country: string,
  city: string,
): Row | undefined {
  return rows.find(
    (row) => row.country === country && row.city !== undefined && foldName(row.city) === foldName(city),
  )
}

function narrowestRange<Row extends PlaceRange>(
  rows: readonly Row[],
  country: string,
  zipcode: string,
): Row | undefined {
  const code = normalisePostalCode(country, zipcode)
  const around = rows.filter((row) => row.country === country && contains(row, code))
  const widthOf = ({ from = '', to = from }: PlaceRange): number => {
    const [first, last] = postalInterval(country, from, to)
    return last - first
  }
  return around.sort((a, b) => widthOf(a) - widthOf(b))[0]
}

/** Text order is the order of codes: digits come before letters, and a prefix before all that it begins. */
function contains({ country, from, to = from }: PlaceRange, code: string): boolean {
  if (from === undefined || to === undefined) return false
  const first = normalisePostalCode(country, from)
  const last = normalisePostalCode(country, to)
  return code.length >= first.length && code >= first && code.slice(0, last.length) <= last
}
