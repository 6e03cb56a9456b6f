/** The tables of places: jurisdictions, the territories of countries, and groups of origins. */
import { country, currency, name, names, type RowOf, text, word } from '../field.ts'
import { note, optionalAmount, optionalName, optionalText, table, words } from './table.ts'

/** States, customs unions, and territories with their own rules. */
export const jurisdictions = table({
  rowName: 'jurisdiction',
  fields: {
    code: name(),
    name: text(),
    currency: currency(),
    /** Customs areas it belongs to. The low-value rules on duty and the fees of the first apply. */
    customsAreas: names(),
    /** The customs area whose tariff applies. Empty: the first customs area. */
    tariffOf: optionalName,
    taxAreas: names(),
    /** Whether freight and insurance to the border are part of the customs value (CIF) or not (FOB). */
    valuation: word(['CIF', 'FOB']),
    /** Duties and taxes are rounded to multiples of this amount of its currency. Empty: one cent of a euro. */
    roundingUnit: optionalAmount,
    roundingMode: word(['half_up', 'down'], { whenEmpty: 'half_up' }),
    /** The base of duties and taxes is cut down to a multiple of this amount. Empty: it is not cut. */
    valueUnit: optionalAmount,
    /** Whether the threshold rows contain all low-value rules of the jurisdiction. */
    reliefs: word(['considered', 'not_considered'], { whenEmpty: 'considered' }),
    note,
  },
  key: ['code'],
  scope: ['code'],
  owner: 'code',
  label: ({ code }) => code,
})

/** The jurisdiction of a country, or of a postal range in it. */
export const territories = table({
  rowName: 'territory',
  fields: {
    country: country(),
    /** First and last postal code of the range. Empty: the whole country. */
    postalFrom: optionalText,
    postalTo: optionalText,
    name: text(),
    jurisdiction: name(),
  },
  key: ['country', 'postalFrom', 'postalTo'],
  scope: ['country'],
  owner: 'country',
  label: ({ country, postalFrom, postalTo }) => words(country, postalFrom, postalTo),
})

/** Countries that belong to a group of origins ("EU", "CPTPP"). */
export const originGroups = table({
  rowName: 'origin_group',
  fields: { originGroup: name(), country: country() },
  key: ['originGroup', 'country'],
  scope: ['originGroup'],
  label: ({ originGroup, country }) => words(originGroup, country),
})

export type JurisdictionRow = RowOf<typeof jurisdictions.fields>
export type TerritoryRow = RowOf<typeof territories.fields>
export type OriginGroupRow = RowOf<typeof originGroups.fields>

export type Valuation = JurisdictionRow['valuation']
export type RoundingMode = JurisdictionRow['roundingMode']
