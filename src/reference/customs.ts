/**
 * The customs data sets the product ships, read from their files. Decided here: the format of those files
 * (README, section Customs); a figure that cannot be read throws, for it is a fault of the product.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import type { CustomsRows, MeasureRow } from '../core/customs/reference-rows.ts'

/** The tables a data set may fill; also the names of their lists. */
export type CustomsTableName = Exclude<keyof CustomsRows, 'dataSets'>

/** One shipped file: what it fills, where it is from, and the fingerprint of its content. */
export type ShippedDataSet = {
  readonly name: string
  readonly table: CustomsTableName
  readonly title: string
  readonly source: string
  /** 'YYYY-MM-DD'. */
  readonly date: string
  /** SHA-256 of the file and of its line in data-sets.csv, in hexadecimal. */
  readonly contentHash: string
  /** Reads the rows; none are read before. */
  rows(): CustomsRows[CustomsTableName]
}

type Line = Readonly<Record<string, string>>

const FOLDER = new URL('./customs/', import.meta.url)

function readText(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8')
}

function lines(text: string): readonly Line[] {
  return parse(text, { columns: true, skip_empty_lines: true }) as Line[]
}

/** The data sets in data-sets.csv; hashes the files, which is all that a start with nothing new costs. */
export function shippedDataSets(): readonly ShippedDataSet[] {
  return lines(readText('data-sets.csv')).map((set) => {
    const text = readText(field(set, 'file'))
    const table = tableOf(field(set, 'table'))
    return {
      name: field(set, 'name'),
      table,
      title: field(set, 'title'),
      source: field(set, 'source'),
      date: field(set, 'date'),
      contentHash: createHash('sha256').update(JSON.stringify(set)).update(text).digest('hex'),
      rows: () => READERS[table](lines(text), set),
    }
  })
}

/** All shipped rows, as `compileCustomsTables` wants them. */
export function readCustomsReference(): CustomsRows {
  const sets = shippedDataSets()
  const of = <Row>(table: CustomsTableName): readonly Row[] =>
    sets.filter((set) => set.table === table).flatMap((set) => set.rows() as unknown as readonly Row[])
  return {
    dataSets: sets.map(({ name, title, source, date }) => ({ name, title, source, date })),
    jurisdictions: of('jurisdictions'),
    territories: of('territories'),
    taxes: of('taxes'),
    taxRates: of('taxRates'),
    measures: of('measures'),
    thresholds: of('thresholds'),
    exchangeRates: of('exchangeRates'),
  }
}

function tableOf(name: string): CustomsTableName {
  if (name in READERS) return name as CustomsTableName
  throw new Error(`data-sets.csv: no such table: ${name}`)
}

/** A column; empty where the file does not have it. */
function field(line: Line, column: string): string {
  return line[column] ?? ''
}

/** One of the allowed words. */
function word<Word extends string>(line: Line, column: string, words: readonly Word[]): Word {
  const value = field(line, column)
  const found = words.find((allowed) => allowed === value)
  if (found === undefined)
    throw new Error(`${column} must be one of ${words.join(', ')}: ${JSON.stringify(line)}`)
  return found
}

/** A percentage of at most four decimals in parts per million: "6.5" is 65000. */
function ppm(line: Line, column: string): number | null {
  const text = field(line, column)
  if (text === '') return null
  const [, whole = '', fraction = ''] = /^(\d{1,6})(?:\.(\d{1,4}))?$/.exec(text) ?? []
  if (whole === '') throw new Error(`${column} is no percentage: ${JSON.stringify(line)}`)
  return Number(whole + fraction.padEnd(4, '0'))
}

function requiredPpm(line: Line, column: string): number {
  const rate = ppm(line, column)
  if (rate === null) throw new Error(`${column} is missing: ${JSON.stringify(line)}`)
  return rate
}

function day(text: string): string | null {
  if (text === '') return null
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) throw new Error(`no date: ${text}`)
  return text
}

function list(line: Line, column: string): readonly string[] {
  return field(line, column)
    .split(' ')
    .filter((item) => item !== '')
}

const CONFIDENCE = ['high', 'medium', 'low'] as const

type Reader<Table extends CustomsTableName> = (rows: readonly Line[], set: Line) => CustomsRows[Table]

const READERS: { readonly [Table in CustomsTableName]: Reader<Table> } = {
  jurisdictions: (rows, set) =>
    rows.map((line) => ({
      dataSet: field(set, 'name'),
      code: field(line, 'code'),
      name: field(line, 'name'),
      currency: field(line, 'currency'),
      customsAreas: list(line, 'customs_areas'),
      taxAreas: list(line, 'tax_areas'),
      valuation: word(line, 'valuation', ['CIF', 'FOB']),
      roundingUnit: field(line, 'rounding_unit'),
      reliefs: word(line, 'reliefs', ['considered', 'not_considered']),
      note: field(line, 'note'),
    })),
  territories: (rows, set) =>
    rows.map((line) => ({
      dataSet: field(set, 'name'),
      country: field(line, 'country'),
      postalFrom: field(line, 'postal_from'),
      postalTo: field(line, 'postal_to'),
      name: field(line, 'name'),
      jurisdiction: field(line, 'jurisdiction'),
    })),
  taxes: (rows, set) =>
    rows.map((line) => ({
      dataSet: field(set, 'name'),
      jurisdiction: field(line, 'jurisdiction'),
      tax: field(line, 'tax'),
      name: field(line, 'name'),
      kind: word(line, 'kind', ['DUTY', 'VAT', 'GST', 'EXCISE', 'FEE']),
      status: word(line, 'status', ['levied', 'none', 'not_estimated']),
      base: word(line, 'base', ['value_and_duty', 'inside']),
      upliftPpm: ppm(line, 'uplift_percent') ?? 0,
      ratesOf: field(line, 'rates_of'),
      reason: field(line, 'reason'),
      note: field(line, 'note'),
      notePrefixes: list(line, 'note_prefixes'),
      codePrefixes: list(line, 'code_prefixes'),
    })),
  taxRates: (rows, set) =>
    rows.map((line) => ({
      dataSet: field(set, 'name'),
      jurisdiction: field(line, 'jurisdiction'),
      tax: field(line, 'tax'),
      codePrefix: field(line, 'code_prefix'),
      ratePpm: requiredPpm(line, 'rate_percent'),
      kind: word(line, 'kind', ['standard', 'food', 'books', 'medicines']),
      validFrom: day(field(line, 'valid_from')),
      validTo: day(field(line, 'valid_to')),
      confidence: word(line, 'confidence', CONFIDENCE),
      note: field(line, 'note'),
    })),
  measures: (rows, set) => rows.map((line) => readMeasure(line, set)),
  thresholds: (rows, set) =>
    rows.map((line) => ({
      dataSet: field(set, 'name'),
      jurisdiction: field(line, 'jurisdiction'),
      appliesTo: word(line, 'applies_to', ['duty', 'tax']),
      kind: word(line, 'kind', ['relief_up_to', 'flat_per_item', 'not_levied_up_to', 'taxed_excess']),
      limitAmount: field(line, 'limit_amount'),
      currency: field(line, 'currency'),
      flatAmount: field(line, 'flat_amount'),
      ratePpm: ppm(line, 'rate_percent'),
      recipient: word(line, 'recipient', ['any', 'individual', 'business']),
      excludedPrefixes: list(line, 'excluded_prefixes'),
      reason: field(line, 'reason'),
      validFrom: day(field(line, 'valid_from')),
      validTo: day(field(line, 'valid_to')),
      confidence: word(line, 'confidence', CONFIDENCE),
    })),
  exchangeRates: (rows, set) =>
    rows.map((line) => ({
      dataSet: field(set, 'name'),
      currency: field(line, 'currency'),
      unitsPerEuro: field(line, 'units_per_euro'),
      validFrom: field(line, 'valid_from'),
      confidence: word(line, 'confidence', CONFIDENCE),
      note: field(line, 'note'),
    })),
}

/** A file of one tariff leaves out what is the same on every line; its line in data-sets.csv has it. */
function readMeasure(line: Line, set: Line): MeasureRow {
  const own = (column: string): string => field(line, column) || field(set, column)
  const lineCount = field(line, 'lines')
  return {
    dataSet: field(set, 'name'),
    jurisdiction: own('jurisdiction'),
    codePrefix: field(line, 'code_prefix'),
    measureType: own('measure_type'),
    kind: 'additive',
    originGroup: field(line, 'origin_group') || 'ALL',
    adValoremPpm: ppm(line, 'ad_valorem_percent'),
    specific: field(line, 'specific'),
    minimum: field(line, 'minimum'),
    maximum: field(line, 'maximum'),
    condition: word(line, 'condition', ['', 'seasonal', 'entry_price', 'meursing']),
    text: field(line, 'text'),
    lowestPpm: ppm(line, 'lowest_percent'),
    highestPpm: ppm(line, 'highest_percent'),
    lineCount: lineCount === '' ? null : Number(lineCount),
    validFrom: day(own('valid_from')),
    validTo: day(own('valid_to')),
    note: field(line, 'note'),
  }
}
