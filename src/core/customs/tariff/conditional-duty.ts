/**
 * Duties that depend on an additional code, and tariff quotas, of one customs area. The rows of the longest matching
 * code prefix apply, for each type of duty. See docs/customs-data.md#seasons-prices-codes-and-quotas.
 */
import { isInForce, latestFirst } from '../../validity.ts'
import type { ConditionalDutyRow, MeasureRow, MeasureTypeRow } from '../data/row-types/measures.ts'
import { compileMeasure, type Measure, type SharedParts, scopeRank } from './measure.ts'
import { indexByPrefix, type PrefixIndex } from './measure-index.ts'

export type ConditionalDuties = {
  readonly rows: PrefixIndex<ConditionalDutyRow>
  readonly types: ReadonlyMap<string, MeasureTypeRow>
  readonly shared: SharedParts
  /**
   * The duties that were found before, by row. They are compiled when they are found, because a tariff has thousands of
   * such rows, and kept, because one code can have hundreds, which would otherwise be compiled for each day and origin.
   */
  readonly compiled: Map<ConditionalDutyRow, ConditionalDuty>
}

/** A row, and its duty as a measure. A row always has the same object. */
export type ConditionalDuty = { readonly row: ConditionalDutyRow; readonly measure: Measure }

export function compileConditionalDuties(
  rows: readonly ConditionalDutyRow[],
  types: ReadonlyMap<string, MeasureTypeRow>,
  shared: SharedParts,
): ConditionalDuties {
  const byPrefix = indexByPrefix(rows.map((row) => [row.codePrefix, row] as const))
  return { rows: byPrefix, types, shared, compiled: new Map() }
}

/**
 * The duties by additional code, and the quotas, for goods of a code and origin on a day. Of one type and additional
 * code, the row of the narrowest origin applies, then the latest.
 */
export function findConditionalDuties(
  duties: ConditionalDuties,
  code: string,
  date: string,
  origin: string,
): readonly ConditionalDuty[] {
  const { byPrefix, lengths } = duties.rows
  const rankOf = (row: ConditionalDutyRow): number => scopeRank(duties.shared.scopeOf(row), origin)
  const found: ConditionalDuty[] = []
  const closed = new Set<string>()
  for (const length of lengths) {
    if (length > code.length) continue
    const applicable = (byPrefix.get(code.slice(0, length)) ?? []).filter(
      (row) => !closed.has(row.measureType) && isInForce(row, date) && rankOf(row) > 0,
    )
    for (const row of narrowestByCode(applicable, rankOf)) {
      closed.add(row.measureType)
      found.push(dutyAt(duties, row))
    }
  }
  return found
}

function dutyAt({ compiled, types, shared }: ConditionalDuties, row: ConditionalDutyRow): ConditionalDuty {
  const known = compiled.get(row)
  if (known !== undefined) return known
  const duty = { row, measure: compileMeasure(measureRow(row), typeFor(row, types), shared) }
  compiled.set(row, duty)
  return duty
}

/** Quotas are kept. Of the duties of one type and additional code, one is kept. */
function narrowestByCode(
  rows: readonly ConditionalDutyRow[],
  rankOf: (row: ConditionalDutyRow) => number,
): readonly ConditionalDutyRow[] {
  const isNarrower = (a: ConditionalDutyRow, b: ConditionalDutyRow): boolean =>
    (rankOf(a) - rankOf(b) || -latestFirst(a, b)) > 0
  return rows.filter(
    (row) =>
      row.dependsOn === 'quota' ||
      !rows.some(
        (other) =>
          other.dependsOn === 'additional_code' &&
          other.measureType === row.measureType &&
          other.additionalCode === row.additionalCode &&
          isNarrower(other, row),
      ),
  )
}

/** An additional duty: the measure without an additional code, and the duties by code, the lowest first. */
export type DutyByCode = {
  readonly type: MeasureTypeRow
  readonly plain: Measure | undefined
  readonly coded: readonly ConditionalDuty[]
}

/** The additional duties in the order of their types. Empty if none depends on an additional code. */
export function dutiesByCode(
  { types }: ConditionalDuties,
  additional: readonly Measure[],
  conditional: readonly ConditionalDuty[],
): readonly DutyByCode[] {
  const coded = conditional.filter(({ row }) => row.dependsOn === 'additional_code')
  if (coded.length === 0) return []
  const order = [...types.keys()]
  const found = new Map(
    [...additional, ...coded.map(({ measure }) => measure)].map(({ type }) => [type.measureType, type]),
  )
  return [...found.values()]
    .sort((a, b) => order.indexOf(a.measureType) - order.indexOf(b.measureType))
    .map((type) => ({
      type,
      plain: additional.find((measure) => measure.type.measureType === type.measureType),
      coded: coded
        .filter(({ row }) => row.measureType === type.measureType)
        .sort((a, b) => (a.row.adValoremPpm ?? 0) - (b.row.adValoremPpm ?? 0)),
    }))
}

const QUOTA_NAMES: Readonly<Record<string, string>> = {
  tariff_quota: 'Tariff quota',
  preferential_quota: 'Preferential tariff quota',
}

function typeFor(
  { measureType, dataSet }: ConditionalDutyRow,
  types: ReadonlyMap<string, MeasureTypeRow>,
): MeasureTypeRow {
  const name = QUOTA_NAMES[measureType] ?? measureType
  return types.get(measureType) ?? { dataSet, measureType, name, role: 'additional', notWith: [] }
}

function measureRow({ text, additionalCode, ...row }: ConditionalDutyRow): MeasureRow {
  const { dataSet, jurisdiction, codePrefix, measureType, originGroup, excludedOrigins } = row
  const { adValoremPpm, specific, minimum, maximum, validFrom, validTo, agreement, confidence, note } = row
  const code = additionalCode === '' ? '' : `Additional code ${additionalCode}.`
  return {
    dataSet,
    jurisdiction,
    codePrefix,
    measureType,
    originGroup,
    excludedOrigins,
    adValoremPpm,
    specific,
    minimum,
    maximum,
    validFrom,
    validTo,
    agreement,
    confidence,
    kind: 'additive',
    scopeList: '',
    exemptList: '',
    basis: 'value',
    against: [],
    condition: text === '' ? '' : 'not_parsed',
    text,
    level: 'line',
    goods: '',
    lowestPpm: null,
    highestPpm: null,
    lineCount: null,
    unitValueAbove: '',
    unitValueUpTo: '',
    unitValueCurrency: '',
    unitValuePer: '',
    note: [code, note].filter((part) => part !== '').join(' '),
  }
}
