/**
 * From the rows of a published tariff to measures. Decided here: what a row needs to be one, and what is left out of
 * a tariff (with the reason): rows that hang on a quota, an additional code or a certificate, and lines that are no
 * goods. The layouts (columns and their names) are the business of the files that call this.
 */
import type { MeasureTypeRow, OriginGroupRow } from '../../../core/customs/data/rows.ts'
import { type DutyFields, dutyFieldsOf, EXPECTED_RATE, isTooHigh } from '../cell-text.ts'
import { type ImportTally, type KnownNames, warnOfCurrency, warnOfOrigins } from '../customs-import.ts'
import type { FoundColumns } from '../sheets/sheet-table.ts'
import { type ReadPeriod, readPeriod, type SheetTable } from '../sheets/sheet-table.ts'
import { EXPECTED_CODE, hasHeading, lostZero, readGoodsCode } from './goods-code.ts'
import { fateOfMeasure } from './measure-types.ts'

/** What published measures have columns for. */
export type MeasureColumn =
  | 'code'
  | 'typeId'
  | 'typeWords'
  | 'duty'
  | 'start'
  | 'end'
  | 'origin'
  | 'originWords'
  | 'excluded'
  | 'additionalCode'
  | 'orderNumber'
  | 'conditions'
  | 'direction'
  | 'law'

/** A table in which measures stand, and how its texts are to be taken. */
export type MeasureLayout = {
  readonly table: SheetTable
  readonly columns: FoundColumns<MeasureColumn>
  /** Whose measures they are. */
  readonly jurisdiction: string
  /** Of amounts that name none. */
  readonly currency: string
  /** For rows without a first day; null is open. */
  readonly validFrom: string | null
  readonly known?: KnownNames | undefined
  /** The type of rows that name none; a usual duty when absent. */
  readonly measureType?: string
}

/** A row that can become a measure. */
export type MeasureCandidate = {
  readonly line: number
  /** As printed: digits, not yet cut to a prefix. */
  readonly code: string
  readonly measureType: string
  readonly role: MeasureTypeRow['role']
  readonly isEndUse: boolean
  readonly origin: string
  readonly excluded: readonly string[]
  readonly additionalCode: string
  readonly dutyText: string
  readonly duty: DutyFields
  readonly period: ReadPeriod
  readonly law: string
}

/** The condition under which a fruit or vegetable pays by its entry price. Source: condition codes of TARIC. */
const ENTRY_PRICE = /\bcondition:\s*V\b|^V\b|^Cond:\s*V\b/i
const CONDITIONAL = /^Cond:/i
/** A goods code with the suffix of the product line behind it; 80 is a line of goods, others group some. */
const WITH_SUFFIX = /^([\d.\s]*\d)[\s-]+(\d{2})$/
const LINE_OF_GOODS = '80'
/** Most texts repeat themselves thousands of times. */
type DutyCache = Map<string, DutyFields>

/** Reads the rows of a table; notes what is wrong, and counts what is left out. */
export function readMeasureRows(layout: MeasureLayout, tally: ImportTally): readonly MeasureCandidate[] {
  const { table } = layout
  const duties: DutyCache = new Map()
  const candidates: MeasureCandidate[] = []
  table.records.forEach((record, index) => {
    tally.read()
    const candidate = readRow(layout, record, table.lines[index]!, duties, tally)
    if (candidate !== undefined) candidates.push(candidate)
  })
  return candidates
}

function readRow(
  layout: MeasureLayout,
  record: readonly string[],
  line: number,
  duties: DutyCache,
  tally: ImportTally,
): MeasureCandidate | undefined {
  const { columns, table } = layout
  const cell = (column: MeasureColumn): string => columns.textOf(record, column)
  const at = (column: MeasureColumn) => ({ text: cell(column), column: columns.titleOf(column) })
  const report = (column: string | undefined, expected: string, found: string): undefined =>
    tally.log.fault(line, column, expected, found)
  const code = readCode(cell('code'), line, columns.titleOf('code'), tally)
  if (code === undefined) return undefined
  const fate = fateOfMeasure(cell('typeId'), cell('typeWords'))
  const why = fate.kind === 'left_out' ? fate.why : reasonAgainst(fate.role, cell)
  if (why !== undefined || fate.kind === 'left_out') {
    tally.leftOut(why ?? '')
    return undefined
  }
  if (cell('duty') === '') {
    tally.leftOut('no duty in the row')
    return tally.log.warn(line, columns.titleOf('duty'), 'a duty; the row is left out', '')
  }
  const period = readPeriod(table, at('start'), at('end'), layout.validFrom, report)
  const origin = readOrigin(fate.role, cell, layout, report)
  const excluded = readAreas(cell('excluded'), layout.jurisdiction)
  if (excluded === undefined)
    report(columns.titleOf('excluded'), 'numbers or letters of geographical areas', cell('excluded'))
  const duty = readDuty(cell('duty'), cell('conditions'), layout.currency, duties)
  if (isTooHigh(duty)) report(columns.titleOf('duty'), EXPECTED_RATE, cell('duty'))
  if (period === undefined || origin === undefined || excluded === undefined) return undefined
  // A group without known members has a warning of its own (see published-rows.ts).
  const countries = [origin, ...excluded].filter((area) => !isGroup(area))
  const title = columns.titleOf('origin') ?? columns.titleOf('originWords')
  warnOfOrigins(tally.log, line, title, countries, layout.known)
  warnOfCurrency(tally.log, line, columns.titleOf('duty'), duty)
  return {
    line,
    code,
    measureType:
      cell('typeId') + cell('typeWords') === '' ? (layout.measureType ?? fate.measureType) : fate.measureType,
    role: fate.role,
    isEndUse: fate.isEndUse,
    origin,
    excluded,
    additionalCode: cell('additionalCode'),
    dutyText: cell('duty'),
    duty,
    period,
    law: cell('law'),
  }
}

/** The digits of a code; undefined, noted, where it is none, stands for no goods, or there is none. */
function readCode(
  text: string,
  line: number,
  column: string | undefined,
  tally: ImportTally,
): string | undefined {
  if (text === '') {
    tally.leftOut('no goods code in the row')
    return undefined
  }
  const [, digits, suffix] = WITH_SUFFIX.exec(text) ?? []
  // "0101 21 00 10" is a code with blanks; only ten digits and two more are a code with its suffix.
  const hasSuffix = digits !== undefined && digits.replace(/\D/g, '').length >= 9
  const printed = hasSuffix ? digits : text
  const code = readGoodsCode(printed)
  if (code === undefined) return tally.log.fault(line, column, EXPECTED_CODE, text)
  if (lostZero(printed)) {
    tally.zeroPutBack(line, column, text)
    if (!hasHeading(code))
      tally.log.warn(line, column, `a heading of the HS; ${code.slice(0, 4)} is none`, text)
  }
  if (hasSuffix && suffix !== LINE_OF_GOODS) {
    tally.leftOut('product line suffix other than 80: a group of lines')
    return undefined
  }
  return code
}

/** Why a row of a type that is imported is not; undefined when it is. */
function reasonAgainst(
  role: MeasureTypeRow['role'],
  cell: (column: MeasureColumn) => string,
): string | undefined {
  if (/^export/i.test(cell('direction'))) return 'duty on exports'
  if (cell('orderNumber') !== '') return 'quota'
  if (role !== 'additional') return undefined
  if (cell('additionalCode') !== '') return 'additional duty that depends on an additional code'
  if (cell('conditions') !== '' || CONDITIONAL.test(cell('duty')))
    return 'additional duty that depends on a certificate or condition'
  return undefined
}

function readOrigin(
  role: MeasureTypeRow['role'],
  cell: (column: MeasureColumn) => string,
  { columns, jurisdiction }: MeasureLayout,
  report: (column: string | undefined, expected: string, found: string) => undefined,
): string | undefined {
  const given = cell('origin') === '' ? cell('originWords') : cell('origin')
  // A list of usual duties needs no origins.
  if (given === '' && role === 'base') return 'ALL'
  const title = columns.titleOf(cell('origin') === '' ? 'originWords' : 'origin') ?? columns.titleOf('origin')
  return (
    readArea(given, jurisdiction) ??
    report(title, 'a country (two letters) or the four signs of a group', given)
  )
}

function readDuty(text: string, conditions: string, currency: string, duties: DutyCache): DutyFields {
  const isEntryPrice = ENTRY_PRICE.test(conditions) || ENTRY_PRICE.test(text)
  const key = isEntryPrice ? `V ${text}` : text
  let duty = duties.get(key)
  if (duty === undefined) {
    const read = dutyFieldsOf(text, currency)
    duty = isEntryPrice
      ? { ...read, condition: 'entry_price', text: read.text === '' ? text : read.text }
      : read
    duties.set(key, duty)
  }
  return duty
}

// The geographical areas of TARIC and of the tariff of the United Kingdom. Decided here: everybody is ALL, a country
// is itself, any other area is a group of origins under the jurisdiction and the number it publishes the group with
// ("EU-2020", "GB-2020"), since the two give one number to different members. Only groups whose members are beyond
// doubt come with them; the others an operator loads, or their measures concern nobody.

/** Erga omnes, and all third countries. */
const EVERYBODY = ['1011', '1008', '1000']

/** Areas that are written in letters of their own. Source: the list of geographical areas of TARIC. */
const COUNTRIES: Readonly<Record<string, string>> = { XS: 'RS' }

const EUROPEAN_UNION = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'

const MEMBERS: Readonly<Record<string, string>> = {
  'EU-1013': EUROPEAN_UNION,
  'GB-1013': EUROPEAN_UNION,
  // The European Economic Area without the Union.
  'EU-2012': 'IS LI NO',
}

/** The area as a measure of a jurisdiction names it; undefined when it is written in no way that is known. */
export function readArea(text: string, jurisdiction: string): string | undefined {
  const area = text.trim().toUpperCase()
  if (EVERYBODY.includes(area) || area === 'ALL' || /^ERGA OMNES/.test(area)) return 'ALL'
  if (/^[A-Z]{2}$/.test(area)) return COUNTRIES[area] ?? area
  return /^[A-Z0-9]{4}$/.test(area) ? `${jurisdiction}-${area}` : undefined
}

/** The areas of a list, which different editions separate differently; undefined when one of them is unknown. */
export function readAreas(text: string, jurisdiction: string): readonly string[] | undefined {
  const areas = text.split(/[|,;\s]+/).filter((area) => area !== '')
  const read = areas.map((area) => readArea(area, jurisdiction))
  return read.includes(undefined) ? undefined : [...new Set(read as string[])]
}

/** True for a group of origins. */
export function isGroup(area: string): boolean {
  return /-[A-Z0-9]{4}$/.test(area)
}

/** The members of these groups, as far as they are known; `unknown` are the groups without. */
export function membersOf(
  dataSet: string,
  groups: Iterable<string>,
): { readonly rows: readonly OriginGroupRow[]; readonly unknown: readonly string[] } {
  const rows: OriginGroupRow[] = []
  const unknown: string[] = []
  for (const originGroup of groups) {
    const members = MEMBERS[originGroup]
    if (members === undefined) unknown.push(originGroup)
    else for (const country of members.split(' ')) rows.push({ dataSet, originGroup, country })
  }
  return { rows, unknown }
}
