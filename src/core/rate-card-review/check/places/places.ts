/**
 * Checks the places of country groups and areas. The narrowest range applies, so ranges can be nested, but must not
 * overlap otherwise.
 * Rules: docs/rate-card-files.md#zones and #areas.
 */
import { groupBy } from '../../../group-by.ts'
import { foldCity, isCountryCode, normalisePostalCode, postalInterval } from '../../../place.ts'
import { SAME_COUNTRY } from '../../../rating/book/route.ts'
import { placeText } from '../../../rating/explain/figure-text.ts'
import type { PlaceRange, RateCardContent } from '../../../rating/rate-card.ts'
import { listText } from '../card-index.ts'
import type { Reports } from '../findings.ts'
import { countingPart, expectedCode, withLostZero } from './postal-codes.ts'

/** Checks country groups by zone chart, and areas by area list. */
export function checkPlaces({ countryGroups, areas }: RateCardContent, reports: Reports): void {
  countryGroups.forEach(({ group }, index) => {
    if (group !== SAME_COUNTRY) return
    const expected = 'another name, because = means the same country in lanes'
    reports.fault('countryGroups', 'group', { index, field: 'group', expected, found: group })
  })
  checkTable(
    {
      table: 'countryGroups',
      listOf: ({ zoneChart }) => zoneChart,
      assignedBy: ({ group }) => group,
      kind: 'zone chart',
    },
    countryGroups,
    reports,
  )
  checkTable(
    {
      table: 'areas',
      listOf: ({ areaList }) => areaList,
      assignedBy: ({ areaClass }) => areaClass,
      kind: 'area list',
    },
    areas,
    reports,
  )
}

/** How to read a row: the list it belongs to, and the group or area class that it assigns. */
type CheckedTable<Row> = {
  readonly table: 'countryGroups' | 'areas'
  readonly kind: 'zone chart' | 'area list'
  readonly listOf: (row: Row) => string
  readonly assignedBy: (row: Row) => string
}

type Range = {
  readonly index: number
  readonly text: string
  readonly value: string
  readonly start: number
  readonly end: number
}

function checkTable<Row extends PlaceRange>(
  { table, kind, listOf, assignedBy }: CheckedTable<Row>,
  rows: readonly Row[],
  reports: Reports,
): void {
  const known = new Map<string, string>()
  const ranges: (Range & { readonly where: string })[] = []
  rows.forEach((row, index) => {
    if (!checkShape(table, row, index, reports)) return
    const list = listText(kind, listOf(row))
    const { country, from, to = from, city } = row
    if (from !== undefined && to !== undefined) {
      const [start, end] = postalInterval(country, from, to)
      const where = `${listOf(row)} ${country}`
      ranges.push({ index, text: `${from} to ${to}`, value: assignedBy(row), start, end, where })
      return
    }
    const key = JSON.stringify([listOf(row), country, city === undefined ? '' : foldCity(city)])
    if (known.has(key)) {
      const found = `${placeText(row)} is ${assignedBy(row)}, and ${known.get(key)} in an earlier row`
      const field = city === undefined ? 'country' : 'city'
      const expected = `each ${field} once in ${list}`
      reports.fault(table, `${field} twice`, { index, field, expected, found })
    } else known.set(key, assignedBy(row))
  })
  for (const rangesOfCountry of groupBy(ranges, ({ where }) => where).values())
    checkNesting(table, rangesOfCountry, reports)
}

/** Checks a row by itself. Returns true if there is no fault. */
function checkShape(
  table: 'countryGroups' | 'areas',
  row: PlaceRange,
  index: number,
  reports: Reports,
): boolean {
  const { fault } = reports
  const { country, from, to = from, city } = row
  const allowsAllOthers = table === 'countryGroups'
  if (!(allowsAllOthers && country === '*') && !isCountryCode(country)) {
    const expected = `an ISO 3166-1 country code${allowsAllOthers ? ', or * for all others' : ''}`
    fault(table, 'country', { index, field: 'country', expected, found: country })
  } else if (country === '*' && (to !== undefined || city !== undefined)) {
    const expected = 'no postal range and no city with *, which means all other countries'
    fault(table, 'part of *', {
      index,
      field: city === undefined ? 'from' : 'city',
      expected,
      found: placeText(row),
    })
  } else if (city !== undefined && to !== undefined) {
    const expected = 'a postal range or a city, not both'
    fault(table, 'range and city', { index, field: 'city', expected, found: placeText(row) })
  } else if (city !== undefined && foldCity(city) === '') {
    fault(table, 'nameless', { index, field: 'city', expected: 'a name with letters or digits', found: city })
  } else if (from === undefined && to !== undefined) {
    fault(table, 'open range', {
      index,
      field: 'from',
      expected: 'the first code of the range',
      found: `to ${to}`,
    })
  } else if (from !== undefined && to !== undefined)
    return checkCodes(table, country, [from, to], index, reports)
  else return true
  return false
}

function checkCodes(
  table: 'countryGroups' | 'areas',
  country: string,
  [from, to]: readonly [string, string],
  index: number,
  { fault, warn }: Reports,
): boolean {
  const empty = [from, to].findIndex((code) => normalisePostalCode(country, code) === '')
  if (empty !== -1) {
    const field = empty === 0 ? 'from' : 'to'
    const expected = `a postal code of ${country}, or the beginning of one`
    fault(table, 'no code', { index, field, expected, found: empty === 0 ? from : to })
    return false
  }
  const ends = [
    ['from', from],
    ['to', to],
  ] as const
  for (const [field, code] of ends) {
    const expected = expectedCode(country, code)
    if (expected === undefined) continue
    fault(table, 'format', { index, field, expected, found: code })
    return false
  }
  for (const [field, code] of ends) {
    const whole = withLostZero(country, code)
    if (whole === undefined) continue
    const expected = `a whole code, or a shorter beginning of one; perhaps ${whole}, without its leading zero`
    warn(table, 'lost zero', { index, field, expected, found: code })
    break
  }
  for (const [field, code] of ends) {
    const part = countingPart(country, code, field)
    if (part === undefined) continue
    const expected = `${part}, because only this part of the code counts and the row includes all of it`
    warn(table, 'part', { index, field, expected, found: code })
    break
  }
  const [start, end] = postalInterval(country, from, to)
  if (start <= end) return true
  fault(table, 'backwards', { index, field: 'to', expected: `a code not before ${from}`, found: to })
  return false
}

/** Sweeps over the ranges of a country. Each must lie within the innermost open range or after it. */
function checkNesting(table: 'countryGroups' | 'areas', ranges: readonly Range[], { fault }: Reports): void {
  const open: Range[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end || a.index - b.index)) {
    while (open.length > 0 && open.at(-1)!.end < range.start) open.pop()
    const outer = open.at(-1)
    const isSame = outer?.start === range.start && outer.end === range.end
    if (outer !== undefined && outer.end < range.end) {
      const expected = `a range within ${outer.text}, or one that does not overlap it`
      fault(table, 'overlap', { index: range.index, field: 'from', expected, found: range.text })
      continue
    }
    if (isSame && outer.value !== range.value) {
      const expected = `${outer.value} for ${range.text}, as in an earlier row`
      fault(table, 'two values', { index: range.index, field: 'from', expected, found: range.value })
    }
    open.push(range)
  }
}
