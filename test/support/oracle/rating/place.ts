/**
 * Oracle for the place lookup: finds the row of a list for an end of a route by comparing texts row by row. It has its
 * own rules for postal codes and shares no code with the engine.
 * Rules: docs/rate-card-files.md#zones.
 */
import type { Place } from '../../../../src/core/place.ts'
import type { CapitalRow, PlaceRange } from '../../../../src/core/rating/rate-card.ts'

const LONGEST_CODE = 10

/** The form of a postal code in each country whose codes are not just cut to ten characters. */
const SHORT_CODES: Readonly<Record<string, RegExp>> = {
  NL: /^[A-Z]*(.{0,4})/,
  PT: /^(?:[A-Z]+(?=\d))?(.{0,4})/,
  US: /^(?:[A-Z]+(?=\d))?(.{0,5})/,
  IE: /^(?:IE(?=[A-Z]\d))?(.{0,3})/,
  CA: /^(?:CA(?=[A-Z]\d))?(.{0,6})/,
}
const BRITISH = ['GB', 'GG', 'IM', 'JE']
const CODES_WITH_LETTERS = ['MT', 'AR', 'BN', 'SZ', 'KY', 'BM', 'VG']

/** A postal code without blanks, signs and country prefix, cut to the part that carriers use. */
export function oraclePostalCode(country: string, text: string): string {
  const code = [...text.toUpperCase()].filter((character) => /[0-9A-Z]/.test(character)).join('')
  if (BRITISH.includes(country)) return /[A-Z]/.test(code) ? outwardCode(country, text, code) : cut(code)
  const short = SHORT_CODES[country]
  if (short !== undefined) return short.exec(code)?.[1] ?? ''
  return cut(CODES_WITH_LETTERS.includes(country) ? code : code.replace(/^[A-Z]+(?=\d)/, ''))
}

const cut = (code: string): string => code.slice(0, LONGEST_CODE)

/** The outward code with two digits for the district: "PO3 5" and "PO3 5AB" are PO03, "EH222GF" is EH22. */
function outwardCode(country: string, text: string, code: string): string {
  const local = country === 'GB' ? code.replace(/^GB(?=[A-Z]{1,2}\d)/, '') : code
  const inward = /\s(\d[A-Z]{0,2})$/.exec(text.toUpperCase().trim())?.[1]
  const candidates = [
    ...(inward === undefined ? [] : [local.slice(0, local.length - inward.length)]),
    /\d[A-Z]{2}$/.test(local) ? local.slice(0, -3) : local,
    local,
  ]
  for (const candidate of candidates) {
    const [, area, district, letter] = /^([A-Z]{1,2})(\d{1,2})([A-Z]?)$/.exec(candidate) ?? []
    if (district !== undefined) return `${area}${district.length === 1 ? '0' : ''}${district}${letter}`
  }
  return local
}

/** A city name without case, accents, blanks and signs. */
export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

/** The row for a place: a part of its country, else the country, else '*'. */
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

/** Ranges are nested or disjoint, so the narrowest one lies within all others around the code. */
function narrowestRange<Row extends PlaceRange>(
  rows: readonly Row[],
  country: string,
  zipcode: string,
): Row | undefined {
  const code = oraclePostalCode(country, zipcode)
  const around = rows.filter((row) => row.country === country && contains(row, code))
  return around.find((row) => around.every((other) => isWithin(row, other)))
}

/** The last code of a range. A British area of one letter does not contain the areas of two letters. */
function lastCode(country: string, to: string): string {
  const code = oraclePostalCode(country, to)
  return country === 'GB' && /^[A-Z]$/.test(code) ? `${code}9` : code
}

/** Text order is the order of codes: digits sort before letters, and a prefix before all codes that begin with it. */
function contains({ country, from, to = from }: PlaceRange, code: string): boolean {
  if (from === undefined || to === undefined) return false
  const first = oraclePostalCode(country, from)
  const last = lastCode(country, to)
  return code.length >= first.length && code >= first && code.slice(0, last.length) <= last
}

function isWithin(inner: PlaceRange, outer: PlaceRange): boolean {
  const firstOf = ({ country, from = '' }: PlaceRange): string => oraclePostalCode(country, from)
  // A range ends with the last code that begins with its upper bound.
  const lastOf = ({ country, from = '', to = from }: PlaceRange): string =>
    lastCode(country, to).padEnd(LONGEST_CODE, '~')
  return firstOf(inner) >= firstOf(outer) && lastOf(inner) <= lastOf(outer)
}
