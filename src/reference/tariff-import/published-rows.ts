/**
 * Which of several published rows for the same goods and origin counts, and the rows that come of them. Decided here:
 * a duty without an additional code or authorised use comes before one with; of several additional codes the highest
 * duty is taken and the others are named; rows that say the same count once; two that contradict are a fault.
 */
import type { MeasureRow, OriginGroupRow } from '../../core/customs/reference/measure-rows.ts'
import type { ImportDefaults, ImportedTables, ImportTally } from './customs-import.ts'
import { prefixRuleOf } from './goods-code.ts'
import { measureTypeRowsOf } from './published-measure-types.ts'
import type { MeasureCandidate } from './published-measures.ts'
import { isGroup, membersOf } from './published-origins.ts'

/** How the columns are called that are named in faults here. */
export type ColumnTitles = {
  readonly code: string | undefined
  readonly duty: string | undefined
  readonly origin: string | undefined
}

type Placed = MeasureCandidate & { readonly prefix: string }

/** Makes the rows of all tables that measures fill. */
export function publishedTables(
  candidates: readonly MeasureCandidate[],
  jurisdiction: string,
  { dataSet }: ImportDefaults,
  titles: ColumnTitles,
  tally: ImportTally,
): ImportedTables {
  const rule = prefixRuleOf(candidates.map(({ code }) => code))
  const groups = new Map<string, Placed[]>()
  for (const candidate of candidates) {
    const prefix = rule.prefixOf(candidate.code, candidate.role === 'base')
    const key = `${prefix} ${candidate.measureType} ${candidate.origin}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [{ ...candidate, prefix }])
    else group.push({ ...candidate, prefix })
  }
  const measures: MeasureRow[] = []
  for (const group of groups.values()) {
    for (const [chosen, others] of decidingOf(group, titles, tally)) {
      tally.used(1 + others.length)
      if (isNotParsed(chosen)) tally.notParsed(chosen.line, titles.duty, chosen.dutyText)
      measures.push(measureOf(chosen, others, dataSet, jurisdiction))
    }
  }
  const types = new Set(measures.map(({ measureType }) => measureType))
  return {
    measures,
    originGroups: originGroupsOf(measures, candidates, dataSet, titles, tally),
    measureTypes: measureTypeRowsOf(dataSet, types),
  }
}

function isNotParsed({ duty: { condition, adValoremPpm, specific } }: Placed): boolean {
  return (
    condition === 'not_parsed' || (condition === 'entry_price' && adValoremPpm === null && specific === '')
  )
}

type Deciding = readonly [chosen: Placed, others: readonly Placed[]]

function decidingOf(group: readonly Placed[], titles: ColumnTitles, tally: ImportTally): readonly Deciding[] {
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
      'depends on an additional code, beside the duty without one',
      tally,
    ),
  )
  const kept = [...plain, ...coded.map(([chosen]) => chosen)]
  const endUse = highestPerDay(
    withoutOverlap(
      group.filter((row) => row.isEndUse),
      kept,
      'authorised use, beside the duty without it',
      tally,
    ),
  )
  return [...plain.map((row): Deciding => [row, []]), ...coded, ...endUse]
}

/** One row for each first day. */
function onePerDay(rows: readonly Placed[], titles: ColumnTitles, tally: ImportTally): readonly Placed[] {
  const byDay = new Map<string | null, Placed>()
  for (const row of rows) {
    const first = byDay.get(row.period.validFrom)
    if (first === undefined) byDay.set(row.period.validFrom, row)
    else if (saysTheSame(first, row)) tally.leftOut('says the same as a row before it')
    else
      tally.log.fault(
        row.line,
        titles.code,
        `one duty for goods, type, origin and first day; row ${first.line} has ${JSON.stringify(first.dutyText)}`,
        `${row.code} ${row.dutyText}`,
      )
  }
  return [...byDay.values()]
}

function saysTheSame(one: Placed, other: Placed): boolean {
  return (
    one.period.validTo === other.period.validTo &&
    one.dutyText === other.dutyText &&
    one.duty.condition === other.duty.condition &&
    one.excluded.join(' ') === other.excluded.join(' ')
  )
}

function withoutOverlap(
  rows: readonly Placed[],
  before: readonly Placed[],
  why: string,
  tally: ImportTally,
): readonly Placed[] {
  return rows.filter((row) => {
    const isFree = !before.some((other) => overlap(row, other))
    if (!isFree) tally.leftOut(why)
    return isFree
  })
}

function overlap({ period: one }: Placed, { period: other }: Placed): boolean {
  const begins = (day: string | null, end: string | null): boolean =>
    day === null || end === null || day < end
  return begins(one.validFrom, other.validTo) && begins(other.validFrom, one.validTo)
}

/** For each first day the row with the highest duty; of equals, or where shares do not tell, the last code. */
function highestPerDay(rows: readonly Placed[]): readonly Deciding[] {
  const days = new Set(rows.map(({ period }) => period.validFrom))
  return [...days].map((day): Deciding => {
    const ofDay = rows
      .filter(({ period }) => period.validFrom === day)
      .sort(
        (a, b) =>
          (b.duty.adValoremPpm ?? -1) - (a.duty.adValoremPpm ?? -1) ||
          (a.additionalCode < b.additionalCode ? 1 : -1),
      )
    return [ofDay[0]!, ofDay.slice(1)]
  })
}

function measureOf(
  chosen: Placed,
  others: readonly Placed[],
  dataSet: string,
  jurisdiction: string,
): MeasureRow {
  const shares = [chosen, ...others].map(({ duty }) => duty.adValoremPpm)
  const isRange = others.length > 0 && shares.every((share) => share !== null)
  return {
    dataSet,
    jurisdiction,
    codePrefix: chosen.prefix,
    measureType: chosen.measureType,
    kind: 'additive',
    originGroup: chosen.origin,
    excludedOrigins: chosen.excluded,
    scopeList: '',
    exemptList: '',
    basis: 'value',
    against: [],
    ...chosen.duty,
    lowestPpm: isRange ? Math.min(...(shares as number[])) : null,
    highestPpm: isRange ? Math.max(...(shares as number[])) : null,
    lineCount: isRange ? shares.length : null,
    ...chosen.period,
    agreement: chosen.role === 'base' ? '' : chosen.law,
    confidence: chosen.isEndUse || others.length > 0 ? 'medium' : 'high',
    note: noteOf(chosen, others),
  }
}

function noteOf(chosen: Placed, others: readonly Placed[]): string {
  const notes: string[] = []
  if (chosen.isEndUse) notes.push('Only for goods under authorised use.')
  if (chosen.additionalCode !== '') {
    const codes = [chosen, ...others].map((row) => `${row.additionalCode} ${row.dutyText}`)
    notes.push(`Depends on the additional code (${codes.join(', ')}).`)
  }
  return notes.join(' ')
}

function originGroupsOf(
  measures: readonly MeasureRow[],
  candidates: readonly MeasureCandidate[],
  dataSet: string,
  titles: ColumnTitles,
  tally: ImportTally,
): readonly OriginGroupRow[] {
  const groups = new Set<string>()
  for (const { originGroup, excludedOrigins } of measures)
    for (const area of [originGroup, ...excludedOrigins]) if (isGroup(area)) groups.add(area)
  const { rows, unknown } = membersOf(dataSet, [...groups].sort())
  for (const group of unknown) {
    const first = candidates.find(({ origin, excluded }) => origin === group || excluded.includes(group))
    tally.log.warn(
      first?.line,
      titles.origin,
      'a group of origins whose members are known here; its measures concern nobody until its members are loaded',
      group,
    )
  }
  return rows
}
