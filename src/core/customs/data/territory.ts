/**
 * Where an end of the route lies in the eyes of customs: its jurisdiction, by country and postal code. Decided
 * here: the narrowest postal range wins, an unknown or missing code gets the country's default, and a country
 * without a row is a jurisdiction of its own. Source: decision 19 of the README; territories of the data set.
 */
import { normalisePostalCode, type Place, postalCodeKey, postalInterval } from '../../place.ts'
import type { JurisdictionRow, TerritoryRow } from './rows.ts'

/** The jurisdictions of one country. */
export type CountryTerritories = {
  readonly whole: string
  /** Narrowest first; keys of postal codes, both ends included. */
  readonly ranges: readonly { readonly low: number; readonly high: number; readonly jurisdiction: string }[]
}

/** Builds the ranges of every country. */
export function compileTerritories(rows: readonly TerritoryRow[]): ReadonlyMap<string, CountryTerritories> {
  const wholes = new Map<string, string>()
  const ranges = new Map<string, { low: number; high: number; jurisdiction: string }[]>()
  for (const { country, postalFrom, postalTo, jurisdiction } of rows) {
    if (postalFrom === '') {
      wholes.set(country, jurisdiction)
      continue
    }
    const [low, high] = postalInterval(country, postalFrom, postalTo)
    ranges.set(country, [...(ranges.get(country) ?? []), { low, high, jurisdiction }])
  }
  const countries = new Set([...wholes.keys(), ...ranges.keys()])
  return new Map(
    [...countries].map((country) => [
      country,
      {
        whole: wholes.get(country) ?? country,
        ranges: (ranges.get(country) ?? []).sort((a, b) => a.high - a.low - (b.high - b.low)),
      },
    ]),
  )
}

/** What territories are looked up in. */
export type TerritoryTables = {
  readonly territories: ReadonlyMap<string, CountryTerritories>
  readonly jurisdictions: ReadonlyMap<string, JurisdictionRow>
}

/** The jurisdiction of a place. */
export function findJurisdiction(tables: TerritoryTables, place: Place): JurisdictionRow {
  const code = jurisdictionCode(tables, place)
  return tables.jurisdictions.get(code) ?? unlisted(code)
}

function jurisdictionCode({ territories }: TerritoryTables, { country, zipcode }: Place): string {
  const listed = territories.get(country)
  if (listed === undefined) return country
  if (zipcode === undefined || listed.ranges.length === 0) return listed.whole
  const key = postalCodeKey(normalisePostalCode(country, zipcode))
  return listed.ranges.find(({ low, high }) => low <= key && key <= high)?.jurisdiction ?? listed.whole
}

/** A country nothing is known about but that it is a country. */
function unlisted(code: string): JurisdictionRow {
  return {
    dataSet: '',
    code,
    name: code,
    currency: '',
    customsAreas: [code],
    taxAreas: [code],
    valuation: 'CIF',
    roundingUnit: '',
    roundingMode: 'half_up',
    valueUnit: '',
    reliefs: 'not_considered',
    note: '',
  }
}

/** What a movement of goods between two jurisdictions gives rise to. */
export type Movement = 'inside' | 'tax_only' | 'import'

/** Inside one customs and tax area nothing is due; inside one customs area only the tax of the destination. */
export function movementBetween(from: JurisdictionRow, to: JurisdictionRow): Movement {
  if (!overlap(from.customsAreas, to.customsAreas)) return 'import'
  return overlap(from.taxAreas, to.taxAreas) ? 'inside' : 'tax_only'
}

function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.some((area) => b.includes(area))
}
