/**
 * Chooses between published rows for the same goods, type and origin, and makes the rows of the tables. A duty without
 * an additional code or authorised use takes precedence over a duty with one. If several additional codes apply, the
 * highest duty is used and a note names the others. Equal rows are imported once. Contradictory rows are a fault.
 */

import type { ConditionalDutyRow, MeasureRow } from '../../../core/customs/data/row-types/measures.ts'
import type { OriginGroupRow } from '../../../core/customs/data/row-types/places.ts'
import { keyOf } from '../../../core/customs/data/rows.ts'
import { changeKey } from '../../../core/customs/data-review/tariff-update.ts'
import { parseEntryPrices } from '../../../core/customs/tariff/conditional-rate.ts'
import { groupBy } from '../../../core/group-by.ts'
import type { CustomsImport, ImportDefaults, ImportedTables, ImportTally } from '../customs-import.ts'
import { type DutyRange, importedMeasure } from '../imported-measure.ts'
import { type ReadPeriod, type SheetHead, visitSheetTables } from '../sheet-table.ts'
import { prefixRuleOf } from './goods-code.ts'
import { measureTypeRowsOf } from './measure-types.ts'
import { isGroup, type MeasureCandidate, type MeasureLayout, membersOf, openMeasureRows } from './measures.ts'

/** Names of the columns in faults. */
type ColumnTitles = {
  readonly code: string | undefined
  readonly duty: string | undefined
  readonly origin: string | undefined
}

const MAX_CODES_IN_NOTE = 20

/**
 * Imports the tables of a published tariff from a CSV file or a workbook. `layoutOf` finds the columns of a table. If a
 * required column is missing, it reports a fault and returns undefined.
 */
export function importMeasures(
  bytes: Uint8Array,
  isHeader: (cells: readonly string[]) => boolean,
  jurisdiction: string,
  defaults: ImportDefaults,
  tally: ImportTally,
  layoutOf: (head: SheetHead) => Omit<MeasureLayout, 'head' | 'jurisdiction' | 'known'> | undefined,
): CustomsImport {
  const candidates: MeasureCandidate[] = []
  let titles: ColumnTitles = { code: undefined, duty: undefined, origin: undefined }
  const isWhole = visitSheetTables(bytes, isHeader, tally.log, (head) => {
    const layout = layoutOf(head)
    if (layout === undefined) return undefined
    const { columns } = layout
    titles = {
      code: columns.titleOf('code'),
      duty: columns.titleOf('duty'),
      origin: columns.titleOf('origin'),
    }
    return openMeasureRows({ ...layout, head, jurisdiction, known: defaults.known }, tally, (candidate) =>
      candidates.push(candidate),
    )
  })
  if (!isWhole) return tally.finish({})
  const deleted = candidates.filter(({ operation }) => operation === 'delete')
  const others = candidates.filter(({ operation }) => operation !== 'delete')
  const { measures = [], conditionalDuties = [] } = tablesOf(deleted, jurisdiction, defaults, titles, tally)
  const tables = tablesOf(others, jurisdiction, defaults, titles, tally)
  return tally.finish(tables, { measures, conditionalDuties })
}

function tablesOf(
  candidates: readonly MeasureCandidate[],
  jurisdiction: string,
  defaults: ImportDefaults,
  titles: ColumnTitles,
  tally: ImportTally,
): ImportedTables {
  const { dataSet } = defaults
  const rule = prefixRuleOf([...candidates.map(({ code }) => code), ...(defaults.codesInEffect ?? [])])
  const prefixOf = ({ code, role }: MeasureCandidate): string => rule.prefixOf(code, role === 'base')
  const plain = candidates.filter(({ dependsOn }) => dependsOn === 'nothing')
  const groups = groupBy(plain, (row) => `${prefixOf(row)} ${row.measureType} ${row.origin}`)
  const measures: MeasureRow[] = []
  for (const group of groups.values()) {
    const key = { dataSet, jurisdiction, codePrefix: prefixOf(group[0]!) }
    for (const [chosen, others] of choicesOf(group, titles, tally)) {
      tally.used(1 + others.length)
      if (isNotParsed(chosen)) tally.notParsed(chosen.line, titles.duty, chosen.dutyText)
      const row = measureOf(chosen, others, key)
      if (chosen.operation !== undefined) tally.marks(changeKey('measures', row), chosen.operation)
      measures.push(row)
    }
  }
  const conditionalDuties = conditionalRows(candidates, { dataSet, jurisdiction }, prefixOf, tally)
  const types = new Set([...measures, ...conditionalDuties].map(({ measureType }) => measureType))
  return {
    measures,
    conditionalDuties,
    originGroups: originGroupsOf([...measures, ...conditionalDuties], candidates, defaults, titles, tally),
    measureTypes: measureTypeRowsOf(dataSet, types),
  }
}

/** Duties by additional code, and quotas. Of equal rows, the first is used. */
function conditionalRows(
  candidates: readonly MeasureCandidate[],
  head: Pick<ConditionalDutyRow, 'dataSet' | 'jurisdiction'>,
  prefixOf: (candidate: MeasureCandidate) => string,
  tally: ImportTally,
): readonly ConditionalDutyRow[] {
  const rows = new Map<string, ConditionalDutyRow>()
  for (const candidate of candidates) {
    if (candidate.dependsOn === 'nothing') continue
    const row = conditionalRow(candidate, candidate.dependsOn, { ...head, codePrefix: prefixOf(candidate) })
    const key = keyOf('conditionalDuties', row)
    if (rows.has(key)) tally.leftOut('a second duty for the same quota or additional code')
    else {
      rows.set(key, row)
      if (candidate.operation !== undefined)
        tally.marks(changeKey('conditionalDuties', row), candidate.operation)
      tally.used(1)
    }
  }
  return [...rows.values()]
}

function conditionalRow(
  candidate: MeasureCandidate,
  dependsOn: ConditionalDutyRow['dependsOn'],
  head: Pick<ConditionalDutyRow, 'dataSet' | 'jurisdiction' | 'codePrefix'>,
): ConditionalDutyRow {
  const { duty, period, measureType, origin, excluded, additionalCode, orderNumber, law, isEndUse } =
    candidate
  const { adValoremPpm, specific, minimum, maximum, condition } = duty
  return {
    ...head,
    measureType,
    dependsOn,
    originGroup: origin,
    excludedOrigins: excluded,
    additionalCode,
    orderNumber,
    adValoremPpm,
    specific,
    minimum,
    maximum,
    text: condition === '' ? '' : candidate.dutyText,
    ...period,
    agreement: law,
    confidence: 'high',
    note: isEndUse ? 'Only for goods under authorised use.' : '',
  }
}

function isNotParsed({ duty: { condition, adValoremPpm, specific, text } }: MeasureCandidate): boolean {
  if (condition === 'entry_price' && parseEntryPrices(text) !== undefined) return false
  return (
    condition === 'not_parsed' || (condition === 'entry_price' && adValoremPpm === null && specific === '')
  )
}

type Choice = readonly [chosen: MeasureCandidate, others: readonly MeasureCandidate[]]

function choicesOf(
  group: readonly MeasureCandidate[],
  titles: ColumnTitles,
  tally: ImportTally,
): readonly Choice[] {
  if (group.length === 1) return [[group[0]!, []]]
  const plain = onePerDay(
    group.filter((row) => row.additionalCode === '' && !row.isEndUse),
    titles,
    tally,
  )
  const coded = highestPerDay(
    withoutOverlap(
      group.filter((row) => row.additionalCode !== '' && !row.isEndUse),
      plain,
      'depends on an additional code; a duty without one is used',
      tally,
    ),
  )
  const chosenRows = [...plain, ...coded.map(([chosen]) => chosen)]
  const endUse = highestPerDay(
    withoutOverlap(
      group.filter((row) => row.isEndUse),
      chosenRows,
      'only for authorised use; a duty without it is used',
      tally,
    ),
  )
  return [...plain.map((row): Choice => [row, []]), ...coded, ...endUse]
}

/** Keeps one row per first day. */
function onePerDay(
  rows: readonly MeasureCandidate[],
  titles: ColumnTitles,
  tally: ImportTally,
): readonly MeasureCandidate[] {
  const byDay = new Map<string | null, MeasureCandidate>()
  for (const row of rows) {
    const first = byDay.get(row.period.validFrom)
    if (first === undefined) byDay.set(row.period.validFrom, row)
    else if (isSameDuty(first, row)) tally.leftOut('the same as an earlier row')
    else
      tally.log.fault(
        row.line,
        titles.code,
        `one duty per code, type, origin and first day; row ${first.line} has ${JSON.stringify(first.dutyText)}`,
        `${row.code} ${row.dutyText}`,
      )
  }
  return [...byDay.values()]
}

function isSameDuty(one: MeasureCandidate, other: MeasureCandidate): boolean {
  return (
    one.period.validTo === other.period.validTo &&
    one.dutyText === other.dutyText &&
    one.duty.condition === other.duty.condition &&
    one.excluded.join(' ') === other.excluded.join(' ')
  )
}

/** The rows whose period overlaps with no period of `before`. The other rows are counted as left out. */
function withoutOverlap(
  rows: readonly MeasureCandidate[],
  before: readonly MeasureCandidate[],
  why: string,
  tally: ImportTally,
): readonly MeasureCandidate[] {
  const starts = before.map(({ period }) => period).sort((a, b) => compareDays(startOf(a), startOf(b)))
  // For each index, the latest end of all periods up to it. Each row then needs only one binary search.
  let latest = ''
  const ends = starts.map((period) => {
    if (compareDays(endOf(period), latest) > 0) latest = endOf(period)
    return latest
  })
  return rows.filter(({ period }) => {
    const begun = countBegunBefore(starts, endOf(period))
    const isFree = begun === 0 || compareDays(ends[begun - 1]!, startOf(period)) <= 0
    if (!isFree) tally.leftOut(why)
    return isFree
  })
}

/** An open start sorts before all days. */
function startOf({ validFrom }: ReadPeriod): string {
  return validFrom ?? ''
}

/** An open end sorts after all days. */
function endOf({ validTo }: ReadPeriod): string {
  return validTo ?? '~'
}

function compareDays(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** How many of these periods, sorted by first day, begin before a day. */
function countBegunBefore(periods: readonly ReadPeriod[], day: string): number {
  let [low, high] = [0, periods.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (startOf(periods[middle]!) < day) low = middle + 1
    else high = middle
  }
  return low
}

/** The row with the highest ad valorem duty per first day. Ties go to the last additional code. */
function highestPerDay(rows: readonly MeasureCandidate[]): readonly Choice[] {
  return [...groupBy(rows, ({ period }) => period.validFrom).values()].map((sameDay): Choice => {
    const [highest, ...others] = sameDay.toSorted(
      (a, b) =>
        (b.duty.adValoremPpm ?? -1) - (a.duty.adValoremPpm ?? -1) ||
        (a.additionalCode < b.additionalCode ? 1 : -1),
    )
    return [highest!, others]
  })
}

function measureOf(
  chosen: MeasureCandidate,
  others: readonly MeasureCandidate[],
  key: Pick<MeasureRow, 'dataSet' | 'jurisdiction' | 'codePrefix'>,
): MeasureRow {
  const { duty, period, measureType, origin, excluded, role, law, isEndUse } = chosen
  return importedMeasure(key, duty, period, {
    measureType,
    originGroup: origin,
    excludedOrigins: excluded,
    range: rangeOf([chosen, ...others]),
    agreement: role === 'base' ? '' : law,
    confidence: isEndUse || others.length > 0 ? 'medium' : 'high',
    note: noteOf(chosen, others),
  })
}

/** The range of several ad valorem duties; undefined for one row, or if one has no ad valorem duty. */
function rangeOf(rows: readonly MeasureCandidate[]): DutyRange | undefined {
  if (rows.length === 1) return undefined
  let [lowest, highest] = [Number.POSITIVE_INFINITY, 0]
  for (const { duty } of rows) {
    if (duty.adValoremPpm === null) return undefined
    lowest = Math.min(lowest, duty.adValoremPpm)
    highest = Math.max(highest, duty.adValoremPpm)
  }
  return { lowest, highest, count: rows.length }
}

function noteOf(chosen: MeasureCandidate, others: readonly MeasureCandidate[]): string {
  const notes: string[] = []
  if (chosen.isEndUse) notes.push('Only for goods under authorised use.')
  if (chosen.additionalCode !== '') {
    const codes = [chosen, ...others].map((row) => `${row.additionalCode} ${row.dutyText}`)
    const more = codes.length > MAX_CODES_IN_NOTE ? `, and ${codes.length - MAX_CODES_IN_NOTE} more` : ''
    notes.push(`Depends on the additional code (${codes.slice(0, MAX_CODES_IN_NOTE).join(', ')}${more}).`)
  }
  return notes.join(' ')
}

function originGroupsOf(
  measures: readonly Pick<MeasureRow, 'originGroup' | 'excludedOrigins'>[],
  candidates: readonly MeasureCandidate[],
  { dataSet, known }: Pick<ImportDefaults, 'dataSet' | 'known'>,
  titles: ColumnTitles,
  tally: ImportTally,
): readonly OriginGroupRow[] {
  const groups = new Set<string>()
  for (const { originGroup, excludedOrigins } of measures)
    for (const area of [originGroup, ...excludedOrigins]) if (isGroup(area)) groups.add(area)
  const firstLines = new Map<string, number>()
  for (const { origin, excluded, line } of candidates)
    for (const area of [origin, ...excluded]) if (!firstLines.has(area)) firstLines.set(area, line)
  const { rows, unknown } = membersOf(dataSet, [...groups].sort(), known?.members)
  for (const group of unknown)
    tally.log.warn(
      firstLines.get(group),
      titles.origin,
      'an origin group whose members are known; its measures do not apply until its members are loaded',
      group,
    )
  return rows
}
