/**
 * Reads the rows of a published tariff, of the EU (TARIC) or the United Kingdom, into candidates for measures. Rows
 * that depend on a certificate, and rows that are not goods, are left out and counted. Callers provide the columns. The
 * file also reads geographical areas: erga omnes is ALL, a country is its code, and any other area is an origin group
 * named after the jurisdiction and its number ("EU-2020", "GB-2020"), because the two publishers use some numbers for
 * different groups. See docs/customs-files.md.
 */
import type { MeasureTypeRow } from '../../../core/customs/data/row-types/measures.ts'
import type { OriginGroupRow } from '../../../core/customs/data/row-types/places.ts'
import { parseEntryPrices } from '../../../core/customs/tariff/conditional-rate.ts'
import { type DutyFields, dutyFieldsOf, EXPECTED_RATE, isTooHigh } from '../cell-text.ts'
import { type ImportTally, type KnownNames, warnOfCurrency, warnOfOrigins } from '../customs-import.ts'
import type { FoundColumns } from '../sheet-table.ts'
import { type OnSheetRow, type ReadPeriod, readPeriod, type SheetHead } from '../sheet-table.ts'
import { EXPECTED_CODE, hasHeading, lostZero, readGoodsCode } from './goods-code.ts'
import { handlingOfType, type TypeHandling } from './measure-types.ts'

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
  | 'operation'
  | 'law'

/** A table of measures, and how to read its texts. */
export type MeasureLayout = {
  readonly head: SheetHead
  readonly columns: FoundColumns<MeasureColumn>
  /** The jurisdiction of the measures. */
  readonly jurisdiction: string
  /** For amounts without a currency. */
  readonly currency: string
  /** For rows without a first day. Null is open. */
  readonly validFrom: string | null
  readonly known?: KnownNames | undefined
  /** For rows without a type. Default: third-country duty. */
  readonly measureType?: string
}

/** A row that may become a measure. */
export type MeasureCandidate = {
  readonly line: number
  /** The digits as printed, not yet shortened to a prefix. */
  readonly code: string
  readonly measureType: string
  readonly role: MeasureTypeRow['role']
  readonly isEndUse: boolean
  readonly origin: string
  readonly excluded: readonly string[]
  readonly additionalCode: string
  readonly orderNumber: string
  /** What the duty depends on. `nothing`: it becomes a measure; otherwise, a conditional duty. */
  readonly dependsOn: 'nothing' | 'additional_code' | 'quota'
  readonly dutyText: string
  readonly duty: DutyFields
  readonly period: ReadPeriod
  readonly law: string
  /** What a file of changes says about the row. Undefined: nothing. */
  readonly operation: Operation | undefined
}

export type Operation = 'insert' | 'update' | 'delete'

/** Words and letters for operations, and the update types of TARIC3 records. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  '3': 'insert',
  I: 'insert',
  C: 'insert',
  INSERT: 'insert',
  CREATE: 'insert',
  '1': 'update',
  U: 'update',
  UPDATE: 'update',
  '2': 'delete',
  D: 'delete',
  DELETE: 'delete',
}

/** The condition of duties on fruit and vegetables that depend on the entry price. Source: condition codes of TARIC. */
const ENTRY_PRICE = /\bcondition:\s*V\b|^V\b|^Cond:\s*V\b/i
const CONDITIONAL = /^Cond:/i
/** A goods code and its product line suffix. 80 marks a line of goods, other suffixes mark groups of lines. */
const WITH_SUFFIX = /^([\d.\s]*\d)[\s-]+(\d{2})$/
const LINE_OF_GOODS = '80'
/** Parsed duties by text. Most texts occur thousands of times. */
type DutyCache = Map<string, DutyFields>

/** Reads the rows of a table. The tally gets the faults, warnings and counts. */
export function openMeasureRows(
  layout: MeasureLayout,
  tally: ImportTally,
  onCandidate: (candidate: MeasureCandidate) => void,
): OnSheetRow {
  const duties: DutyCache = new Map()
  return (record, line) => {
    tally.read()
    const candidate = readRow(layout, record, line, duties, tally)
    if (candidate !== undefined) onCandidate(candidate)
  }
}

function readRow(
  layout: MeasureLayout,
  record: readonly string[],
  line: number,
  duties: DutyCache,
  tally: ImportTally,
): MeasureCandidate | undefined {
  const { columns, head } = layout
  const cell = (column: MeasureColumn): string => columns.textOf(record, column)
  const at = (column: MeasureColumn) => ({ text: cell(column), column: columns.titleOf(column) })
  const report = (column: string | undefined, expected: string, found: string): undefined =>
    tally.log.fault(line, column, expected, found)
  const code = readCode(cell('code'), line, columns.titleOf('code'), tally)
  if (code === undefined) return undefined
  const handling = handlingOfType(cell('typeId'), cell('typeWords'))
  const why = handling.kind === 'left_out' ? handling.why : whyLeftOut(handling, cell)
  if (why !== undefined || handling.kind === 'left_out') {
    tally.leftOut(why ?? '')
    return undefined
  }
  if (cell('duty') === '') {
    tally.leftOut('no duty in the row')
    return tally.log.warn(line, columns.titleOf('duty'), 'a duty; the row is left out', '')
  }
  const period = readPeriod(head, at('start'), at('end'), layout.validFrom, report)
  const origin = readOrigin(handling.role, cell, layout, report)
  const excluded = readAreas(cell('excluded'), layout.jurisdiction)
  if (excluded === undefined)
    report(columns.titleOf('excluded'), 'numbers or letters of geographical areas', cell('excluded'))
  const duty = readDuty(cell('duty'), cell('conditions'), layout.currency, duties)
  if (isTooHigh(duty)) report(columns.titleOf('duty'), EXPECTED_RATE, cell('duty'))
  const operation = OPERATIONS[cell('operation').toUpperCase()]
  if (cell('operation') !== '' && operation === undefined)
    report(columns.titleOf('operation'), 'insert, update or delete (3, 1 or 2)', cell('operation'))
  if (period === undefined || origin === undefined || excluded === undefined) return undefined
  // Groups without known members cause a warning in rows.ts.
  const countries = [origin, ...excluded].filter((area) => !isGroup(area))
  const title = columns.titleOf('origin') ?? columns.titleOf('originWords')
  warnOfOrigins(tally.log, line, title, countries, layout.known)
  warnOfCurrency(tally.log, line, columns.titleOf('duty'), duty)
  return {
    line,
    code,
    measureType:
      cell('typeId') + cell('typeWords') === ''
        ? (layout.measureType ?? handling.measureType)
        : handling.measureType,
    role: handling.role,
    isEndUse: handling.isEndUse,
    origin,
    excluded,
    additionalCode: cell('additionalCode'),
    orderNumber: cell('orderNumber'),
    dependsOn: dependencyOf(handling, cell('additionalCode')),
    dutyText: cell('duty'),
    duty,
    period,
    law: cell('law'),
    operation,
  }
}

function dependencyOf(
  { kind, role }: Exclude<TypeHandling, { readonly kind: 'left_out' }>,
  additionalCode: string,
): MeasureCandidate['dependsOn'] {
  if (kind === 'quota') return 'quota'
  return role === 'additional' && additionalCode !== '' ? 'additional_code' : 'nothing'
}

/** The digits of a code; undefined, with a note in the tally, if it is missing, invalid or not a line of goods. */
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
  // "0101 21 00 10" is a code with spaces. A suffix follows nine or ten digits.
  const hasSuffix = digits !== undefined && digits.replace(/\D/g, '').length >= 9
  const printed = hasSuffix ? digits : text
  const code = readGoodsCode(printed)
  if (code === undefined) return tally.log.fault(line, column, EXPECTED_CODE, text)
  if (lostZero(printed)) {
    tally.zeroRestored(line, column, text)
    if (!hasHeading(code))
      tally.log.warn(
        line,
        column,
        `a code in a heading of the HS (there is no heading ${code.slice(0, 4)})`,
        text,
      )
  }
  if (hasSuffix && suffix !== LINE_OF_GOODS) {
    tally.leftOut('product line suffix other than 80: a group of lines')
    return undefined
  }
  return code
}

/** Why a row is not imported, although rows of its type usually are. Undefined if it is imported. */
function whyLeftOut(
  { kind, role }: Exclude<TypeHandling, { readonly kind: 'left_out' }>,
  cell: (column: MeasureColumn) => string,
): string | undefined {
  if (/^export/i.test(cell('direction'))) return 'duty on exports'
  if (kind === 'quota') return undefined
  if (cell('orderNumber') !== '') return 'quota'
  if (role !== 'additional') return undefined
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
  // A list of third-country duties may have no origins.
  if (given === '' && role === 'base') return 'ALL'
  const title = columns.titleOf(cell('origin') === '' ? 'originWords' : 'origin') ?? columns.titleOf('origin')
  return (
    readArea(given, jurisdiction) ??
    report(title, 'a country (two letters) or a group (four letters or digits)', given)
  )
}

function readDuty(text: string, conditions: string, currency: string, duties: DutyCache): DutyFields {
  const isEntryPrice = ENTRY_PRICE.test(conditions) || ENTRY_PRICE.test(text)
  const key = isEntryPrice ? `V ${text}` : text
  let duty = duties.get(key)
  if (duty === undefined) {
    const read = dutyFieldsOf(text, currency)
    duty = isEntryPrice
      ? { ...read, condition: 'entry_price', text: entryPriceText(text, conditions, read.text) }
      : read
    duties.set(key, duty)
  }
  return duty
}

/** The text that has the prices, if there is one. */
function entryPriceText(duty: string, conditions: string, published: string): string {
  if (parseEntryPrices(conditions) !== undefined) return conditions
  return published === '' ? duty : published
}

/** Erga omnes and all third countries. */
const ALL_ORIGINS = ['1011', '1008', '1000']

/** Country codes of TARIC that differ from ISO 3166. Source: the list of geographical areas of TARIC. */
const COUNTRIES: Readonly<Record<string, string>> = { XS: 'RS' }

const EUROPEAN_UNION = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'

/** The groups whose members are certain. Operators load the members of others. */
const MEMBERS: Readonly<Record<string, string>> = {
  'EU-1013': EUROPEAN_UNION,
  'GB-1013': EUROPEAN_UNION,
  // The European Economic Area without the Union.
  'EU-2012': 'IS LI NO',
}

/** Reads an area as "ALL", a country code or an origin group; undefined if it has none of the known forms. */
export function readArea(text: string, jurisdiction: string): string | undefined {
  const area = text.trim().toUpperCase()
  if (ALL_ORIGINS.includes(area) || area === 'ALL' || /^ERGA OMNES/.test(area)) return 'ALL'
  if (/^[A-Z]{2}$/.test(area)) return COUNTRIES[area] ?? area
  return /^[A-Z0-9]{4}$/.test(area) ? `${jurisdiction}-${area}` : undefined
}

/** Reads a list of areas, whose separator differs between editions. Undefined if one of them cannot be read. */
export function readAreas(text: string, jurisdiction: string): readonly string[] | undefined {
  const areas = text.split(/[|,;\s]+/).filter((area) => area !== '')
  const read = areas.map((area) => readArea(area, jurisdiction))
  return read.includes(undefined) ? undefined : [...new Set(read as string[])]
}

/** True for an origin group of `readArea`. */
export function isGroup(area: string): boolean {
  return /-[A-Z0-9]{4}$/.test(area)
}

/**
 * The members of those groups that are built in, as loaded, so that a set does not depend on the set that has them.
 * `unknown` are the groups that are neither built in nor loaded.
 */
export function membersOf(
  dataSet: string,
  groups: Iterable<string>,
  loaded: ReadonlyMap<string, readonly string[]> = new Map(),
): { readonly rows: readonly OriginGroupRow[]; readonly unknown: readonly string[] } {
  const rows: OriginGroupRow[] = []
  const unknown: string[] = []
  for (const originGroup of groups) {
    const builtIn = MEMBERS[originGroup]
    const members = loaded.get(originGroup) ?? builtIn?.split(' ')
    if (members === undefined) unknown.push(originGroup)
    if (builtIn === undefined || members === undefined) continue
    for (const country of members) rows.push({ dataSet, originGroup, country })
  }
  return { rows, unknown }
}
