/**
 * From the lines of the Harmonized Tariff Schedule of the United States to measures. Decided here: a rate belongs to
 * the line it is printed on (mostly the one of eight digits), and a statistical line below it that prints none, or
 * the same, makes no row, since the longest prefix decides; the general column is the usual duty, but not of the
 * origins of column 2; chapters 98 and 99 are no tariff lines. Source: general notes 2 and 3 of the schedule.
 */
import type { CodeListRow, MeasureRow, OriginGroupRow } from '../../../core/customs/data/rows.ts'
import { type DutyFields, dutyFieldsOf, EXPECTED_RATE, isTooHigh } from '../cell-text.ts'
import {
  type ImportDefaults,
  type ImportedTables,
  type ImportTally,
  warnOfCurrency,
} from '../customs-import.ts'
import { COLUMN_2_GROUP, cleanRate, programmeOf, splitSpecialRates, US_ORIGIN_GROUPS } from './programmes.ts'

/** A line of the schedule, as both of its layouts have it. */
export type UsitcLine = {
  /** In the file: the line of a CSV file, the number of the entry in a JSON file. */
  readonly row: number
  /** "0101.21.00"; empty for lines that only group others. */
  readonly number: string
  readonly general: string
  readonly special: string
  readonly other: string
  /** Texts of its footnotes. */
  readonly footnotes: readonly string[]
}

/** How the columns are called in faults and warnings. */
export type UsitcColumns = {
  readonly number: string
  readonly general: string
  readonly special: string
  readonly other: string
}

const COLUMN_2 = US_ORIGIN_GROUPS[COLUMN_2_GROUP]!
/** Provisions of the chapters on temporary and special duties: "9903.88.15". */
const REFERENCE = /\b99\d\d\.\d\d\.\d\d\b/g

type RatedLine = UsitcLine & { readonly code: string }

/** Makes the rows of all tables that the lines fill; notes what is wrong, and counts what is left out. */
export function usitcTables(
  lines: readonly UsitcLine[],
  columns: UsitcColumns,
  defaults: ImportDefaults,
  tally: ImportTally,
): ImportedTables {
  const rated = ratedLines(lines, columns, tally)
  const measures: MeasureRow[] = []
  const lists = new Map<string, CodeListRow>()
  const seen = new Map<string, RatedLine>()
  for (const line of rated) {
    const codeLists = codeListsOf(line, defaults.dataSet)
    if (!tally.mayMake(codeLists.length)) return {}
    for (const row of codeLists) lists.set(`${row.codeList} ${row.codePrefix}`, row)
    const before = seen.get(line.code)
    if (before !== undefined && hasRates(before)) {
      if (ratesOf(before) === ratesOf(line)) tally.leftOut('says the same as a row before it')
      else
        tally.log.fault(
          line.row,
          columns.number,
          `each number once; row ${before.row} has it too`,
          line.number,
        )
      continue
    }
    seen.set(line.code, line)
    const made = inherits(line, seen) ? [] : measuresOf(line, columns, defaults, tally)
    if (!tally.mayMake(made.length)) return {}
    measures.push(...made)
    if (made.length > 0 || codeLists.length > 0) tally.used()
    else tally.leftOut('a line without a rate of its own: the line above it decides')
  }
  return {
    measures,
    originGroups: originGroupsOf(measures, defaults.dataSet),
    codeLists: [...lists.values()],
  }
}

function ratesOf({ general, special, other }: UsitcLine): string {
  return JSON.stringify([general, special, other])
}

/** The lines that stand for goods, with the digits of their number. */
function ratedLines(
  lines: readonly UsitcLine[],
  columns: UsitcColumns,
  tally: ImportTally,
): readonly RatedLine[] {
  const rated: RatedLine[] = []
  for (const line of lines) {
    tally.read()
    const digits = line.number.replace(/[.\s]/g, '')
    const hasRate = hasRates(line)
    if (digits === '') {
      tally.leftOut(hasRate ? 'a rate without a number' : 'a heading without a number')
      if (hasRate)
        tally.log.warn(line.row, columns.number, 'a number beside the rate; the row is left out', '')
    } else if (!/^(\d{2}){1,5}$/.test(digits)) {
      tally.log.fault(line.row, columns.number, 'a number such as 0101.21.00', line.number)
    } else if (digits.startsWith('98') || digits.startsWith('99')) {
      tally.leftOut(`chapter ${digits.slice(0, 2)}`)
    } else {
      // A line that is not split for statistics is printed with "00" behind it: its goods are those of eight digits.
      const code = digits.length === 10 && digits.endsWith('00') ? digits.slice(0, 8) : digits
      rated.push({ ...line, code })
    }
  }
  return withoutDoubled(rated)
}

/** "0101.30.00" followed by "0101.30.00.00" without rates: the second is no line of its own. */
function withoutDoubled(lines: readonly RatedLine[]): readonly RatedLine[] {
  const codes = new Set<string>()
  return lines.map((line) => {
    const isRepeated = codes.has(line.code) && !hasRates(line)
    codes.add(line.code)
    return isRepeated ? { ...line, code: line.code.padEnd(10, '0') } : line
  })
}

function hasRates({ general, special, other }: UsitcLine): boolean {
  return `${general}${special}${other}`.trim() !== ''
}

/** True when a line above prints the same rates. */
function inherits(line: RatedLine, seen: ReadonlyMap<string, RatedLine>): boolean {
  for (let length = line.code.length - 2; length >= 4; length -= 2) {
    const above = seen.get(line.code.slice(0, length))
    if (above !== undefined && cleanRate(above.general) !== '') return ratesOf(above) === ratesOf(line)
  }
  return false
}

/** What a row says beside its duty. */
type MadeFields = Pick<MeasureRow, 'measureType' | 'originGroup' | 'agreement'> & {
  readonly excludedOrigins?: readonly string[]
  /** The text of a programme that leaves some of the goods out. */
  readonly partialText?: string
}

/** Makes a row of a rate text in a column. */
type MakeRow = (column: string, text: string, fields: MadeFields) => MeasureRow

function measuresOf(
  line: RatedLine,
  columns: UsitcColumns,
  { dataSet, jurisdiction = 'US', validFrom }: ImportDefaults,
  tally: ImportTally,
): readonly MeasureRow[] {
  const make: MakeRow = (column, text, fields) => {
    const duty = dutyFieldsOf(text, 'USD')
    if (duty.condition === 'not_parsed') tally.notParsed(line.row, column, text)
    if (isTooHigh(duty)) tally.log.fault(line.row, column, EXPECTED_RATE, text)
    warnOfCurrency(tally.log, line.row, column, duty)
    return rowOf(duty, fields, { dataSet, jurisdiction, codePrefix: line.code, validFrom: validFrom ?? null })
  }
  const rows: MeasureRow[] = []
  const general = cleanRate(line.general)
  if (general !== '')
    rows.push(make(columns.general, general, { ...USUAL, originGroup: 'ALL', excludedOrigins: COLUMN_2 }))
  const other = cleanRate(line.other)
  if (other !== '') rows.push(make(columns.other, other, { ...USUAL, originGroup: COLUMN_2_GROUP }))
  return [...rows, ...preferencesOf(line, columns.special, make, tally)]
}

/** A row for each programme that is a preference of an origin; the first of an origin counts. */
function preferencesOf(
  line: RatedLine,
  column: string,
  make: MakeRow,
  tally: ImportTally,
): readonly MeasureRow[] {
  const rows = new Map<string, MeasureRow>()
  for (const { rateText, programmes } of splitSpecialRates(line.special)) {
    if (programmes.length === 0) {
      tally.leftOut('part of a row: a special rate without a programme')
      tally.log.warn(line.row, column, 'programmes in brackets behind a rate', rateText)
    }
    for (const letters of programmes) {
      const programme = programmeOf(letters) ?? UNKNOWN_PROGRAMME
      if (programme.kind === 'left_out') {
        tally.leftOut(`part of a row: special programme ${letters}: ${programme.why}`)
      } else if (rows.has(programme.origin)) {
        tally.leftOut(`part of a row: special programme ${letters}, beside another of the same origin`)
      } else {
        const { origin, agreement, isPartial } = programme
        const fields = { measureType: 'preference', originGroup: origin, agreement }
        const partial = isPartial ? { partialText: `${rateText} (${letters})` } : {}
        rows.set(origin, make(column, rateText, { ...fields, ...partial }))
      }
    }
  }
  return [...rows.values()]
}

const UNKNOWN_PROGRAMME = { kind: 'left_out', why: 'not a programme known here' } as const

const USUAL = { measureType: 'third_country_duty', agreement: '' }

/** Written field by field: objects put together by spreading take several times the memory. */
function rowOf(
  duty: DutyFields,
  fields: MadeFields,
  place: Pick<MeasureRow, 'dataSet' | 'jurisdiction' | 'codePrefix' | 'validFrom'>,
): MeasureRow {
  return {
    dataSet: place.dataSet,
    jurisdiction: place.jurisdiction,
    codePrefix: place.codePrefix,
    measureType: fields.measureType,
    kind: 'additive',
    originGroup: fields.originGroup,
    excludedOrigins: fields.excludedOrigins ?? [],
    scopeList: '',
    exemptList: '',
    basis: 'value',
    against: [],
    adValoremPpm: duty.adValoremPpm,
    specific: duty.specific,
    minimum: duty.minimum,
    maximum: duty.maximum,
    condition: fields.partialText === undefined ? duty.condition : 'not_loaded',
    text: fields.partialText ?? duty.text,
    lowestPpm: null,
    highestPpm: null,
    lineCount: null,
    validFrom: place.validFrom,
    validTo: null,
    agreement: fields.agreement,
    confidence: 'high',
    note: '',
  }
}

function codeListsOf(line: RatedLine, dataSet: string): readonly CodeListRow[] {
  const references = new Set(line.footnotes.flatMap((text) => text.match(REFERENCE) ?? []))
  return [...references].map((reference) => ({
    dataSet,
    codeList: `us-${reference}`,
    codePrefix: line.code.length === 10 && line.code.endsWith('00') ? line.code.slice(0, 8) : line.code,
  }))
}

function originGroupsOf(measures: readonly MeasureRow[], dataSet: string): readonly OriginGroupRow[] {
  const used = new Set(measures.map(({ originGroup }) => originGroup))
  return Object.entries(US_ORIGIN_GROUPS)
    .filter(([group]) => used.has(group))
    .flatMap(([originGroup, members]) => members.map((country) => ({ dataSet, originGroup, country })))
}
