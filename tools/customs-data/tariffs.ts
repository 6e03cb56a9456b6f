/**
 * Writes the tariffs of the customs data. A published rate is split into columns. Its text is stored only if the
 * columns cannot express it. Sources: the published tariffs of the EU, the United Kingdom and the United States, and
 * the rates calculated for the codes that HS 2022 introduced.
 */
import { formatDutyParts, parseDutyRate } from '../../src/core/customs/tariff/duty-text.ts'
import { readSource, type SourceLine, sourceCell, writeTable } from './files.ts'

export const RATE_COLUMNS = 'ad_valorem_percent,specific,minimum,maximum,condition,text'

/** Throws if a rate of the EU or of the United Kingdom cannot be parsed. */
export function writeTariffs(folder: string): void {
  writeTariff(folder, 'tariff-eu.csv', 'EUR', europeanColumns)
  writeTariff(folder, 'tariff-gb.csv', 'GBP', europeanColumns)
  writeFill(folder)
}

/** One line per national code, sorted by code, so that a code follows the shorter code it belongs to. */
function writeTariff(
  folder: string,
  file: string,
  currency: string,
  columnsOf: (line: SourceLine, currency: string) => readonly string[],
): void {
  const rows = readSource(folder, file).map((line) => [
    sourceCell(line, 'code'),
    ...columnsOf(line, currency),
  ])
  rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  writeTable(file, `code_prefix,${RATE_COLUMNS}`, rows)
}

function europeanColumns(line: SourceLine, currency: string): readonly string[] {
  const percent = sourceCell(line, 'ad_valorem_percent')
  const text = sourceCell(line, 'specific').replace(/\s+/g, ' ').trim()
  if (text === '') return [percent, '', '', '', '', '']
  if (/\b(EA|ADSZ|ADFM)\b/.test(text)) return [percent, '', '', '', 'meursing', text]
  if (/^Entry Price$/i.test(text)) return ['', '', '', '', 'entry_price', 'Entry price']
  if (/\(\d{1,2} ?[A-Z]{3}|\d{2} JAN/.test(text)) return seasonalColumns(percent, text, currency)
  const columns = rateColumns(text, currency)
  if (columns === undefined) throw new Error(`${sourceCell(line, 'code')}: duty cannot be parsed: ${text}`)
  if (percent !== '' && percent !== columns[0])
    throw new Error(`${sourceCell(line, 'code')}: the percentage ${percent} contradicts ${text}`)
  return columns
}

function rateColumns(text: string, currency: string): readonly string[] | undefined {
  const rate = parseDutyRate(text, currency)
  if (rate === undefined) return undefined
  const { adValoremPpm, specifics, open } = rate.base
  return [
    adValoremPpm === undefined ? '' : String(adValoremPpm / 10_000),
    formatDutyParts({ specifics, open }),
    rate.minimum === undefined ? '' : formatDutyParts(rate.minimum),
    rate.maximum === undefined ? '' : formatDutyParts(rate.maximum),
    '',
    '',
  ]
}

/** Uses the rate of the first season. */
function seasonalColumns(percent: string, text: string, currency: string): readonly string[] {
  const [first = ''] = text.replaceAll('€', ' EUR').split(' (')
  const minimum = parseDutyRate(first, currency)?.minimum
  return [percent, '', minimum === undefined ? '' : formatDutyParts(minimum), '', 'seasonal', text]
}

function writeFill(folder: string): void {
  const rows = readSource(folder, 'tariff-hs2022-fill.csv').map((line) => [
    sourceCell(line, 'jurisdiction'),
    sourceCell(line, 'hs6'),
    trimmed(sourceCell(line, 'ad_valorem_percent')),
    trimmed(sourceCell(line, 'lowest')),
    trimmed(sourceCell(line, 'highest')),
    sourceCell(line, 'source_lines'),
    'subheading',
    sourceCell(line, 'ad_valorem_percent') === '' ? 'an amount per quantity' : '',
  ])
  const header = 'jurisdiction,code_prefix,ad_valorem_percent,lowest_percent,highest_percent,lines,level,text'
  writeTable('hs2022-fill.csv', header, rows)
}

/** "13.0" as "13". */
function trimmed(percent: string): string {
  return percent === '' ? '' : String(Number(percent))
}
