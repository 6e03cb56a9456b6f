/**
 * Makes measures from the lines of the Harmonized Tariff Schedule of the United States. A rate belongs to the line that
 * prints it, usually the one of eight digits. A statistical line below it makes a measure only if it prints another
 * rate, because the measure with the longest prefix applies. The column "general" is the most-favoured-nation duty, for
 * all origins except those of column 2. Chapters 98 and 99 are left out. Source: general notes 2 and 3 of the schedule.
 */
import type { CodeListRow, MeasureRow } from '../../../core/customs/data/row-types/measures.ts'
import type { OriginGroupRow } from '../../../core/customs/data/row-types/places.ts'
import { dutyFieldsOf, EXPECTED_RATE, isTooHigh } from '../cell-text.ts'
import {
  type ImportDefaults,
  type ImportedTables,
  type ImportTally,
  warnOfCurrency,
} from '../customs-import.ts'
import { importedMeasure } from '../imported-measure.ts'
import { COLUMN_2_GROUP, cleanRate, programmeOf, splitSpecialRates, US_ORIGIN_GROUPS } from './programmes.ts'
import { type UnitValue, unitValuesOf } from './unit-values.ts'

/** A line of the schedule. */
export type UsitcLine = {
  /** The line of a CSV file, or the number of the entry in a JSON file. */
  readonly row: number
  /** "0101.21.00"; empty for lines that only group others. */
  readonly number: string
  readonly general: string
  readonly special: string
  readonly other: string
  readonly footnotes: readonly string[]
  /** How far the description is indented: 0 for a heading. */
  readonly depth: number
  readonly description: string
}

/** Names of the columns in faults and warnings. */
export type UsitcColumns = {
  readonly number: string
  readonly general: string
  readonly special: string
  readonly other: string
}

const COLUMN_2 = US_ORIGIN_GROUPS[COLUMN_2_GROUP]!
/** References to chapter 99 (temporary and special duties), such as "9903.88.15". */
const REFERENCE = /\b99\d\d\.\d\d\.\d\d\b/g

type RatedLine = UsitcLine & { readonly code: string }

/** Makes the rows of all tables. The tally gets the faults, warnings and counts. */
export function usitcTables(
  lines: readonly UsitcLine[],
  columns: UsitcColumns,
  defaults: ImportDefaults,
  tally: ImportTally,
): ImportedTables {
  const rated = ratedLines(lines, columns, tally)
  const unitValues = unitValuesOf(lines)
  const measures: MeasureRow[] = []
  const lists = new Map<string, CodeListRow>()
  const seen = new Map<string, RatedLine>()
  for (const line of rated) {
    const codeLists = codeListsOf(line, defaults.dataSet)
    if (!tally.mayMake(codeLists.length)) return {}
    for (const row of codeLists) lists.set(`${row.codeList} ${row.codePrefix}`, row)
    const before = seen.get(line.code)
    if (before !== undefined && hasRates(before)) {
      if (ratesOf(before) === ratesOf(line)) tally.leftOut('the same as an earlier row')
      else
        tally.log.fault(
          line.row,
          columns.number,
          `a number that occurs once in the file; row ${before.row} has the same`,
          line.number,
        )
      continue
    }
    seen.set(line.code, line)
    const made = inherits(line, seen) ? [] : measuresOf(line, columns, { ...defaults, unitValues }, tally)
    if (!tally.mayMake(made.length)) return {}
    measures.push(...made)
    if (made.length > 0 || codeLists.length > 0) tally.used()
    else tally.leftOut('a line without a rate of its own: the rate of the line above it applies')
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

/** The lines of goods, with the digits of their numbers. */
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
        tally.log.warn(line.row, columns.number, 'a number next to the rate; the row is left out', '')
    } else if (!/^(\d{2}){1,5}$/.test(digits)) {
      tally.log.fault(line.row, columns.number, 'a number such as 0101.21.00', line.number)
    } else if (digits.startsWith('98') || digits.startsWith('99')) {
      tally.leftOut(`chapter ${digits.slice(0, 2)}`)
    } else {
      // Lines that are not divided for statistics are printed with "00" after their eight digits.
      const code = digits.length === 10 && digits.endsWith('00') ? digits.slice(0, 8) : digits
      rated.push({ ...line, code })
    }
  }
  return withoutRepeatedCodes(withoutLoneSuffixes(rated))
}

/**
 * A line of eight digits with one statistical line is printed with ten digits alone ("0305.59.00.01"). Its rate belongs
 * to the eight digits.
 */
function withoutLoneSuffixes(lines: readonly RatedLine[]): readonly RatedLine[] {
  const counts = new Map<string, number>()
  const lineOf = ({ code }: RatedLine): string => code.slice(0, 8)
  for (const line of lines) counts.set(lineOf(line), (counts.get(lineOf(line)) ?? 0) + 1)
  return lines.map((line) =>
    hasRates(line) && counts.get(lineOf(line)) === 1 ? { ...line, code: lineOf(line) } : line,
  )
}

/**
 * If "0101.30.00" is followed by "0101.30.00.00" without rates, the latter keeps ten digits, so that codes are unique.
 */
function withoutRepeatedCodes(lines: readonly RatedLine[]): readonly RatedLine[] {
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

/** True if the nearest line above with rates prints the same rates. */
function inherits(line: RatedLine, seen: ReadonlyMap<string, RatedLine>): boolean {
  for (let length = line.code.length - 2; length >= 4; length -= 2) {
    const above = seen.get(line.code.slice(0, length))
    if (above !== undefined && cleanRate(above.general) !== '') return ratesOf(above) === ratesOf(line)
  }
  return false
}

/** The fields of a measure that do not depend on the duty text. */
type MeasureTerms = Pick<MeasureRow, 'measureType' | 'originGroup' | 'agreement'> & {
  readonly excludedOrigins?: readonly string[]
  /** The text of a rate whose programme excludes some goods of the line. */
  readonly partialText?: string
}

type UnitValues = { readonly unitValues: ReadonlyMap<string, UnitValue> }

type MakeRow = (column: string, text: string, fields: MeasureTerms) => MeasureRow

function measuresOf(
  line: RatedLine,
  columns: UsitcColumns,
  { dataSet, jurisdiction = 'US', validFrom, unitValues }: ImportDefaults & UnitValues,
  tally: ImportTally,
): readonly MeasureRow[] {
  const make: MakeRow = (column, text, fields) => {
    const duty = dutyFieldsOf(text, 'USD')
    if (duty.condition === 'not_parsed') tally.notParsed(line.row, column, text)
    if (isTooHigh(duty)) tally.log.fault(line.row, column, EXPECTED_RATE, text)
    warnOfCurrency(tally.log, line.row, column, duty)
    const { partialText, excludedOrigins = [], ...terms } = fields
    // Only lines of the tariff are chosen by the value of the goods; a preference has the code of its line.
    const band = fields.measureType === THIRD_COUNTRY.measureType && unitValues.get(line.code.slice(0, 8))
    return importedMeasure(
      { dataSet, jurisdiction, codePrefix: line.code },
      partialText === undefined ? duty : { ...duty, condition: 'not_loaded', text: partialText },
      { validFrom: validFrom ?? null, validTo: null },
      { ...terms, excludedOrigins, range: undefined, confidence: 'high', note: '' },
      band ? { ...band, currency: 'USD' } : undefined,
    )
  }
  const rows: MeasureRow[] = []
  const general = cleanRate(line.general)
  if (general !== '')
    rows.push(
      make(columns.general, general, { ...THIRD_COUNTRY, originGroup: 'ALL', excludedOrigins: COLUMN_2 }),
    )
  const other = cleanRate(line.other)
  if (other !== '') rows.push(make(columns.other, other, { ...THIRD_COUNTRY, originGroup: COLUMN_2_GROUP }))
  return [...rows, ...preferencesOf(line, columns.special, make, tally)]
}

/** A measure per programme that is a preference of an origin. The first programme of an origin is used. */
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
      tally.log.warn(line.row, column, 'programmes in brackets after a rate', rateText)
    }
    for (const letters of programmes) {
      const programme = programmeOf(letters) ?? UNKNOWN_PROGRAMME
      if (programme.kind === 'left_out') {
        tally.leftOut(`part of a row: special programme ${letters}: ${programme.why}`)
      } else if (rows.has(programme.origin)) {
        tally.leftOut(`part of a row: special programme ${letters}, next to another of the same origin`)
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

const UNKNOWN_PROGRAMME = { kind: 'left_out', why: 'not a known programme' } as const

const THIRD_COUNTRY = { measureType: 'third_country_duty', agreement: '' }

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
