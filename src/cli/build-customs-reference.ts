/**
 * Writes the large files of src/reference/customs from a folder of published tables: the tariffs, the HS 2022
 * fill and the tax rates. The other files there are kept by hand, since their sources are texts of law; this
 * checks that they cover what the folder names. Figures and codes are taken over, remarks are not.
 *
 *   tsx src/cli/build-customs-reference.ts <input folder>
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { formatDutyParts, parseDutyRate } from '../core/customs/duty-text.ts'
import { readCustomsReference } from '../reference/customs.ts'

type Line = Readonly<Record<string, string>>

const OUTPUT = new URL('../reference/customs/', import.meta.url)

const [input] = process.argv.slice(2)
if (input === undefined) throw new Error('usage: build-customs-reference <input folder>')
const folder = input

writeTariff('tariff-eu.csv')
writeTariff('tariff-gb.csv')
writeFill()
writeTaxRates()
checkCoverage()

function readLines(file: string): readonly Line[] {
  return parse(readFileSync(join(folder, file), 'utf8'), { columns: true, skip_empty_lines: true }) as Line[]
}

function field(line: Line, column: string): string {
  return line[column] ?? ''
}

function writeLines(file: string, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const text = [header, ...rows].map((row) => row.map(quoted).join(',')).join('\n')
  writeFileSync(new URL(file, OUTPUT), `${text}\n`)
  console.log(`${file}: ${rows.length} rows`)
}

function quoted(value: string): string {
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** One line per national code, in code order; longer codes after the line they belong to. */
function writeTariff(file: string): void {
  const rows = readLines(file).map((line) => [field(line, 'code'), ...dutyColumns(line)])
  rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  const header = ['code_prefix', 'ad_valorem_percent', 'specific', 'minimum', 'maximum', 'condition', 'text']
  writeLines(file, header, rows)
}

/** The published rate in columns; the text itself is kept only where the columns cannot hold it. */
function dutyColumns(line: Line): readonly string[] {
  const percent = field(line, 'ad_valorem_percent')
  const text = field(line, 'specific').replace(/\s+/g, ' ').trim()
  if (text === '') return [percent, '', '', '', '', '']
  if (/\b(EA|ADSZ|ADFM)\b/.test(text)) return [percent, '', '', '', 'meursing', text]
  if (/^Entry Price$/i.test(text)) return ['', '', '', '', 'entry_price', 'Entry price']
  if (/\(\d{1,2} ?[A-Z]{3}|\d{2} JAN/.test(text)) return seasonalColumns(percent, text)
  const rate = parseDutyRate(text)
  if (rate === undefined) throw new Error(`${field(line, 'code')}: duty not understood: ${text}`)
  const { adValoremPpm, specifics } = rate.base
  const share = adValoremPpm === undefined ? '' : String(adValoremPpm / 10_000)
  if (percent !== '' && percent !== share)
    throw new Error(`${field(line, 'code')}: ${percent} against ${text}`)
  return [
    share,
    formatDutyParts({ specifics }),
    rate.minimum === undefined ? '' : formatDutyParts(rate.minimum),
    rate.maximum === undefined ? '' : formatDutyParts(rate.maximum),
    '',
    '',
  ]
}

/** The rate of the first season counts; a floor of it cannot be computed and is shown as such. */
function seasonalColumns(percent: string, text: string): readonly string[] {
  const [first = ''] = text.replaceAll('€', ' EUR').split(' (')
  const minimum = parseDutyRate(first)?.minimum
  return [percent, '', minimum === undefined ? '' : formatDutyParts(minimum), '', 'seasonal', text]
}

function writeFill(): void {
  const rows = readLines('tariff-hs2022-fill.csv').map((line) => [
    field(line, 'jurisdiction'),
    field(line, 'hs6'),
    trimmed(field(line, 'ad_valorem_percent')),
    trimmed(field(line, 'lowest')),
    trimmed(field(line, 'highest')),
    field(line, 'source_lines'),
    field(line, 'ad_valorem_percent') === '' ? 'an amount per quantity' : '',
  ])
  const header = 'jurisdiction,code_prefix,ad_valorem_percent,lowest_percent,highest_percent,lines,text'
  writeLines('hs2022-fill.csv', header.split(','), rows)
}

/** "13.0" as "13". */
function trimmed(percent: string): string {
  return percent === '' ? '' : String(Number(percent))
}

/** The tax a rate belongs to is the first one that taxes.csv has for the jurisdiction. */
function writeTaxRates(): void {
  const { taxes } = readCustomsReference()
  const rows = readLines('vat_rates.csv').map((line) => {
    const jurisdiction = field(line, 'jurisdiction')
    const tax = taxes.find((row) => row.jurisdiction === jurisdiction)?.tax
    if (tax === undefined) throw new Error(`taxes.csv has no tax of ${jurisdiction}`)
    const columns = ['code_prefix', 'rate_percent', 'kind', 'valid_from', 'valid_to', 'confidence']
    return [jurisdiction, tax, ...columns.map((column) => field(line, column)), '']
  })
  const header = 'jurisdiction,tax,code_prefix,rate_percent,kind,valid_from,valid_to,confidence,note'
  writeLines('tax-rates.csv', header.split(','), rows)
}

/** Every postal rule of the folder must be a row of territories.csv, in whatever form. */
function checkCoverage(): void {
  const { territories } = readCustomsReference()
  const missing = postalRules().filter(({ country, pattern }) => {
    const own = territories.filter((row) => row.country === country)
    if (pattern === '') return !own.some((row) => row.postalFrom === '')
    const rule = new RegExp(pattern)
    return !own.some((row) => row.postalFrom !== '' && rule.test(row.postalFrom))
  })
  if (missing.length > 0) throw new Error(`territories.csv lacks ${JSON.stringify(missing)}`)
  console.log(`territories.csv: ${territories.length} rows cover the folder`)
}

/** The file writes alternatives with bare commas ("^(35,38)"), so its columns are counted past the bracket. */
function postalRules(): readonly { country: string; pattern: string }[] {
  const [, ...lines] = readFileSync(join(folder, 'territories.csv'), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [, country = '', pattern = ''] = /^([A-Z]{2}),(\^?(?:[^,(]*\([^)]*\)|[^,]*)),/.exec(line) ?? []
    return { country, pattern: pattern.replaceAll(',', '|') }
  })
}
