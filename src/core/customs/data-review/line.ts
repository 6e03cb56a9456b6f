/**
 * A row of the reference data as a line of a report. Decided here: which rows are the same line at different times or
 * in different sets, whose they are, and what their rate is in words ("12%", "4.5% + 9 EUR/100 kg").
 */

import type { CustomsRow } from '../data/layers.ts'
import type { CustomsRows, CustomsTableName, MeasureRow, TaxRateRow } from '../data/rows.ts'
import { formatDutyRate, formatPercent } from '../tariff/duty-text.ts'

/** How rows of a table are told apart. */
type Line<Row> = {
  /** Whose it is: a jurisdiction, or a currency; empty where a row is nobody's. */
  readonly owner: (row: Row) => string
  /** What it is of its owner, without its days. */
  readonly key: (row: Row) => string
  /** Its rate in words, where it has one. */
  readonly rate?: (row: Row) => string
  /** Its rate in parts per million, where it is that alone. */
  readonly ratePpm?: (row: Row) => number | undefined
}

const nobody = (): string => ''
const words = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

const LINES: { readonly [Table in CustomsTableName]: Line<CustomsRows[Table][number]> } = {
  jurisdictions: { owner: ({ code }) => code, key: ({ code }) => code },
  territories: {
    owner: ({ country }) => country,
    key: ({ country, postalFrom, postalTo }) => words(country, postalFrom, postalTo),
  },
  originGroups: { owner: nobody, key: ({ originGroup, country }) => words(originGroup, country) },
  codeLists: { owner: nobody, key: ({ codeList, codePrefix }) => words(codeList, codePrefix) },
  hsSuccessors: { owner: nobody, key: ({ endedCode, code }) => words(endedCode, code) },
  taxes: { owner: ({ jurisdiction }) => jurisdiction, key: ({ tax }) => tax },
  taxRates: {
    owner: ({ jurisdiction }) => jurisdiction,
    key: ({ tax, codePrefix }) => words(tax, codePrefix),
    rate: ({ ratePpm }) => formatPercent(ratePpm),
    ratePpm: ({ ratePpm }) => ratePpm,
  },
  measureTypes: { owner: nobody, key: ({ measureType }) => measureType },
  measures: {
    owner: ({ jurisdiction }) => jurisdiction,
    key: measureKey,
    rate: measureRate,
    ratePpm: plainPpm,
  },
  thresholds: {
    owner: ({ jurisdiction }) => jurisdiction,
    key: ({ appliesTo, kind, recipient, sentFrom, currency }) =>
      words(appliesTo, kind, recipient === 'any' ? '' : recipient, ...sentFrom, currency),
  },
  fees: {
    owner: ({ jurisdiction }) => jurisdiction,
    key: ({ fee, recipient, valueAbove }) =>
      words(fee, recipient === 'any' ? '' : recipient, valueAbove === '' ? '' : `above ${valueAbove}`),
  },
  exchangeRates: {
    owner: ({ currency }) => currency,
    // Every day has a rate of its own.
    key: ({ validFrom }) => `from ${validFrom}`,
    rate: ({ unitsPerEuro }) => unitsPerEuro,
  },
}

/** The usual duty on goods from anywhere needs no more than its code to be known. */
function measureKey({ codePrefix, measureType, originGroup, scopeList, agreement }: MeasureRow): string {
  return words(
    codePrefix === '' ? 'all codes' : codePrefix,
    measureType === 'third_country_duty' ? '' : measureType,
    originGroup === 'ALL' ? '' : originGroup,
    scopeList,
    agreement,
  )
}

function measureRate(row: MeasureRow): string {
  const { adValoremPpm, specific, condition, text } = row
  return words(
    adValoremPpm === null && specific === '' ? text : '',
    formatDutyRate(row),
    condition === '' ? '' : `(${condition.replaceAll('_', ' ')})`,
  )
}

function plainPpm({ adValoremPpm, specific, minimum, maximum }: MeasureRow): number | undefined {
  return adValoremPpm === null || `${specific}${minimum}${maximum}` !== '' ? undefined : adValoremPpm
}

function lineOf(table: CustomsTableName): Line<CustomsRow> {
  return LINES[table] as unknown as Line<CustomsRow>
}

/** Whose a row is: a jurisdiction, or the currency of an exchange rate; empty where it is nobody's. */
export function ownerOf(table: CustomsTableName, row: CustomsRow): string {
  return lineOf(table).owner(row)
}

/** What a row is of its owner, whatever its days: "61091000", "VAT 4901". */
export function keyOf(table: CustomsTableName, row: CustomsRow): string {
  return lineOf(table).key(row)
}

/** The rate of a row in words; undefined where the table has none. */
export function rateText(table: CustomsTableName, row: CustomsRow): string | undefined {
  return lineOf(table).rate?.(row)
}

/** The rate of a row in parts per million; undefined where it is not that alone. */
export function ratePpmOf(table: CustomsTableName, row: CustomsRow): number | undefined {
  return lineOf(table).ratePpm?.(row)
}

/** The first day of a row; null is open, and what has no days is open. */
export function firstDayOf(row: CustomsRow): string | null {
  return 'validFrom' in row ? (row as TaxRateRow).validFrom : null
}
