/**
 * The jurisdiction of an address, from its country and postal code. The narrowest postal range applies. An unknown or
 * missing postal code gets the default of the country (docs/rest-contract.md#r19), and a country without a row is its
 * own jurisdiction. Source: territories.csv of the shipped data.
 */
import { normalisePostalCode, type Place, postalCodeKey, postalInterval } from '../../place.ts'
import type { JurisdictionRow, TerritoryRow } from './row-types/places.ts'

export type CountryTerritories = {
  /** The jurisdiction where no range applies. */
  readonly whole: string
  /** Narrowest first. Keys of postal codes, both ends inclusive. */
  readonly ranges: readonly { readonly low: number; readonly high: number; readonly jurisdiction: string }[]
}

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

export type TerritoryTables = {
  readonly territories: ReadonlyMap<string, CountryTerritories>
  readonly jurisdictions: ReadonlyMap<string, JurisdictionRow>
}

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

/** The jurisdiction of a country that the data do not contain. */
function unlisted(code: string): JurisdictionRow {
  return {
    dataSet: '',
    code,
    name: code,
    currency: '',
    customsAreas: [code],
    tariffOf: '',
    taxAreas: [code],
    valuation: 'CIF',
    roundingUnit: '',
    roundingMode: 'half_up',
    valueUnit: '',
    reliefs: 'not_considered',
    note: '',
  }
}

/** Whether goods that move between two jurisdictions are imported, only taxed, or neither. */
export type Movement = 'inside' | 'tax_only' | 'import'

/** Within one customs area and one tax area nothing is due. Within one customs area, only taxes are due. */
export function movementBetween(from: JurisdictionRow, to: JurisdictionRow): Movement {
  if (!overlap(from.customsAreas, to.customsAreas)) return 'import'
  return overlap(from.taxAreas, to.taxAreas) ? 'inside' : 'tax_only'
}

function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.some((area) => b.includes(area))
}

/** The customs area whose low-value rules on duty and fees apply. */
export function customsAreaOf(to: JurisdictionRow): string {
  return to.customsAreas[0] ?? to.code
}

/** The customs area whose tariff applies: duties, preferences and additional duties. */
export function tariffAreaOf(to: JurisdictionRow): string {
  return to.tariffOf === '' ? customsAreaOf(to) : to.tariffOf
}
