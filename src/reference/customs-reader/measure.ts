/**
 * A duty measure, from a line of a data file. Decided here: what a line of a tariff may leave out, since most of
 * the rows the product reads are such lines (README, section Customs).
 */
import type { MeasureRow } from '../../core/customs/data/rows.ts'
import { cell, day, type Line, list, ppm, prefix, requiredCell, word } from './cells.ts'

const KINDS = ['additive', 'cap_total', 'floor_total', 'replace_base'] as const
const CONDITIONS = ['', 'seasonal', 'entry_price', 'meursing', 'not_loaded', 'not_parsed'] as const
const CONFIDENCE = ['high', 'medium', 'low'] as const

/** Reads a line of the table of measures. Throws where a cell cannot be read, or the line has no rate at all. */
export function readMeasure(line: Line, dataSet: string): MeasureRow {
  const row: MeasureRow = {
    dataSet,
    jurisdiction: requiredCell(line, 'jurisdiction'),
    codePrefix: prefix(line, 'code_prefix'),
    measureType: cell(line, 'measure_type') || 'third_country_duty',
    kind: word(line, 'kind', KINDS, 'additive'),
    originGroup: cell(line, 'origin_group') || 'ALL',
    excludedOrigins: list(line, 'excluded_origins'),
    scopeList: cell(line, 'scope_list'),
    exemptList: cell(line, 'exempt_list'),
    basis: word(line, 'basis', ['value', 'duty'], 'value'),
    against: list(line, 'against'),
    adValoremPpm: ppm(line, 'ad_valorem_percent'),
    specific: cell(line, 'specific'),
    minimum: cell(line, 'minimum'),
    maximum: cell(line, 'maximum'),
    condition: word(line, 'condition', CONDITIONS),
    text: cell(line, 'text'),
    lowestPpm: ppm(line, 'lowest_percent'),
    highestPpm: ppm(line, 'highest_percent'),
    lineCount: lineCount(line),
    validFrom: day(line, 'valid_from'),
    validTo: day(line, 'valid_to'),
    agreement: cell(line, 'agreement'),
    confidence: word(line, 'confidence', CONFIDENCE, 'high'),
    note: cell(line, 'note'),
  }
  if (row.adValoremPpm === null && row.specific === '' && row.text === '') throw new Error('no rate')
  return row
}

function lineCount(line: Line): number | null {
  const text = cell(line, 'lines')
  if (text === '') return null
  if (!/^\d{1,6}$/.test(text)) throw new Error(`lines is no number: "${text}"`)
  return Number(text)
}
