/**
 * Oracle for estimates, the codes: dots, lost leading zeros, ended codes, and the national line that decides. Plain
 * scans over the measures. Rules: docs/rest-contract.md#r13; docs/customs-data.md#codes.
 */

import type { ConditionalDutyRow, MeasureRow } from '../../../../src/core/customs/data/row-types/measures.ts'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'

/** Whether a row is valid on a day. `validTo` is the first day on which it is no longer valid. */
export function holds(
  row: { readonly validFrom: string | null; readonly validTo: string | null },
  date: string,
): boolean {
  if (row.validFrom !== null && date < row.validFrom) return false
  return row.validTo === null || date < row.validTo
}

/** The code that lines are shown under, the code to look up in the tariff, and the code to look up in lists. */
export type OracleCode = { readonly code: string; readonly tariffCode: string; readonly listedCode: string }

/** True for a line that does not cover goods of the unit value of an item. */
export type LeftOut = (row: MeasureRow) => boolean

const NONE_LEFT_OUT: LeftOut = () => false

/** Reads a given code. `origin`: the country whose base duty applies. */
export function oracleCode(
  rows: CustomsRows,
  area: string,
  given: string,
  origin: string,
  date: string,
  isLeftOut: LeftOut = NONE_LEFT_OUT,
): OracleCode {
  const digits = withLostZero(rows, area, plainCode(given))
  const living = successorOf(rows, area, digits)
  const ended = digits.slice(0, 6)
  const isStillKnown = baseMeasures(rows, area).some(
    ({ codePrefix }) => codePrefix === ended || isBelow(codePrefix, ended),
  )
  const tariffCode = living !== digits && isStillKnown ? ended : living
  const line = decidingLine(rows, area, tariffCode, origin, date, isLeftOut)
  const lineCode = line?.codePrefix.startsWith(living.slice(0, 6)) ? line.codePrefix : living
  const listedCode = living.startsWith(lineCode) ? living : lineCode
  if (line === undefined || tariffCode.startsWith(line.codePrefix))
    return { code: lineCode, tariffCode, listedCode }
  const prefix = groupPrefix(line, tariffCode)
  if (linesBelow(rows, area, prefix, origin, date, isLeftOut).length === 1)
    return { code: lineCode, tariffCode, listedCode }
  const code = living === tariffCode && prefix.length >= 6 ? prefix : living
  return { code, tariffCode, listedCode }
}

/** Digits only, at most ten of them. */
export function plainCode(given: string): string {
  return given.replace(/[.\s]/g, '').slice(0, 10)
}

/** Base measures of an area (undefined: of all areas), on any day. */
function baseMeasures({ measures, measureTypes }: CustomsRows, area: string | undefined): MeasureRow[] {
  const types = measureTypes.filter(({ role }) => role === 'base').map(({ measureType }) => measureType)
  return measures.filter(
    (row) =>
      types.includes(row.measureType) &&
      row.level !== 'average' &&
      (area === undefined || row.jurisdiction === area),
  )
}

/** The measure for the base duty of a code. `isUsual`: it has one of several rates. */
export type BaseLine = { readonly row: MeasureRow | undefined; readonly isUsual: boolean }

/** A line or a subheading, or an average if there is neither. */
export function baseLine(
  rows: CustomsRows,
  area: string,
  { tariffCode, listedCode }: OracleCode,
  origin: string,
  date: string,
  isLeftOut: LeftOut = NONE_LEFT_OUT,
): BaseLine {
  const row = decidingLine(rows, area, tariffCode, origin, date, isLeftOut)
  if (row === undefined) return { row: averageFor(rows, area, listedCode, origin, date), isUsual: false }
  const isAbove = tariffCode.startsWith(row.codePrefix)
  const others = isAbove ? [] : linesBelow(rows, area, groupPrefix(row, tariffCode), origin, date, isLeftOut)
  return { row, isUsual: others.some((other) => rateKey(other) !== rateKey(row)) }
}

/** The part of a code that a line was chosen below. */
function groupPrefix(row: MeasureRow, code: string): string {
  let prefix = code
  while (!(row.codePrefix.startsWith(prefix) && [4, 6, 8].includes(prefix.length)))
    prefix = prefix.slice(0, -1)
  return prefix
}

/** The lines below a prefix that cover the goods; all of them if none does. */
function linesBelow(
  rows: CustomsRows,
  area: string,
  prefix: string,
  origin: string,
  date: string,
  isLeftOut: LeftOut,
): readonly MeasureRow[] {
  const below = baseMeasures(rows, area).filter(
    (row) => isBelow(row.codePrefix, prefix) && holds(row, date) && concernsOrigin(rows, row, origin),
  )
  return covering(distinctLines(rows, below), isLeftOut)
}

function covering(lines: readonly MeasureRow[], isLeftOut: LeftOut): readonly MeasureRow[] {
  const left = lines.filter((row) => !isLeftOut(row))
  return left.length === 0 ? lines : left
}

/** The average with the longest prefix. Undefined if it is a range without a rate. */
function averageFor(
  rows: CustomsRows,
  area: string,
  code: string,
  origin: string,
  date: string,
): MeasureRow | undefined {
  const fitting = rows.measures.filter(
    (row) =>
      row.level === 'average' &&
      row.jurisdiction === area &&
      holds(row, date) &&
      code.startsWith(row.codePrefix) &&
      concernsOrigin(rows, row, origin),
  )
  const best = narrowest(rows, fitting)
  return best?.condition === 'range_only' ? undefined : best
}

function withLostZero(rows: CustomsRows, area: string, digits: string): string {
  if (digits.length % 2 === 0) return digits
  const repaired = `0${digits}`
  const areaMeasures = baseMeasures(rows, area)
  if (areaMeasures.some(({ codePrefix }) => codePrefix === digits)) return digits
  const hasNationalLines = areaMeasures.some(({ codePrefix }) => codePrefix.length > 6)
  const lines = hasNationalLines ? areaMeasures : baseMeasures(rows, undefined)
  const isKnown = lines.some(
    ({ codePrefix }) =>
      codePrefix === repaired ||
      (repaired.length === 8 && isBelow(codePrefix, repaired)) ||
      (codePrefix.length > 6 && repaired.startsWith(codePrefix)),
  )
  return isKnown ? repaired : digits
}

function isBelow(codePrefix: string, prefix: string): boolean {
  return codePrefix.length > prefix.length && codePrefix.startsWith(prefix)
}

function successorOf(rows: CustomsRows, area: string, code: string): string {
  const successors = rows.hsSuccessors
    .filter(({ endedCode }) => endedCode === code.slice(0, 6))
    .sort((a, b) => (a.code < b.code ? -1 : 1))
  const isLine = baseMeasures(rows, area).some(
    ({ codePrefix }) => codePrefix.length > 6 && code.startsWith(codePrefix),
  )
  if (successors.length === 0 || isLine) return code
  return (successors.find(({ isMain }) => isMain) ?? successors[0]!).code
}

/**
 * The base measure for a code: that of the longest prefix that is a line or has lines below it. Of lines below it, the
 * residual line is used. `origin` undefined: any origin.
 */
export function decidingLine(
  rows: CustomsRows,
  area: string,
  code: string,
  origin: string | undefined,
  date: string,
  isLeftOut: LeftOut = NONE_LEFT_OUT,
): MeasureRow | undefined {
  const lines = baseMeasures(rows, area).filter(
    (row) => holds(row, date) && (origin === undefined || concernsOrigin(rows, row, origin)),
  )
  for (let length = code.length; length >= 0; length--) {
    const prefix = code.slice(0, length)
    const exact = narrowest(
      rows,
      lines.filter(({ codePrefix }) => codePrefix === prefix),
    )
    if (exact !== undefined) return exact
    const below = lines.filter(({ codePrefix }) => isBelow(codePrefix, prefix))
    if ([4, 6, 8].includes(length) && below.length > 0)
      return residualLine(covering(distinctLines(rows, below), isLeftOut), length)
  }
  return undefined
}

export function concernsOrigin(
  { originGroups }: CustomsRows,
  { originGroup, excludedOrigins }: Pick<MeasureRow, 'originGroup' | 'excludedOrigins'>,
  country: string,
): boolean {
  const isIn = (name: string): boolean =>
    name === country || originGroups.some((row) => row.originGroup === name && row.country === country)
  return (originGroup === 'ALL' || isIn(originGroup)) && !excludedOrigins.some(isIn)
}

/** The row that applies: longest prefix, then narrower origin, then later first day, then file order. */
export function narrowest<Row extends MeasureRow | ConditionalDutyRow>(
  { originGroups }: CustomsRows,
  candidates: readonly Row[],
  digitsOf: (row: Row) => number = ({ codePrefix }) => codePrefix.length,
): Row | undefined {
  const isGroup = (name: string): boolean => originGroups.some((row) => row.originGroup === name)
  const width = ({ originGroup }: Row): number => (originGroup === 'ALL' ? 3 : isGroup(originGroup) ? 2 : 1)
  let best: Row | undefined
  for (const row of candidates) {
    if (best === undefined) best = row
    else if (digitsOf(row) !== digitsOf(best)) best = digitsOf(row) > digitsOf(best) ? row : best
    else if (width(row) !== width(best)) best = width(row) < width(best) ? row : best
    else if ((row.validFrom ?? '') > (best.validFrom ?? '')) best = row
  }
  return best
}

/** Rows of a type that apply to goods of a code. */
export function applyingRows(
  rows: CustomsRows,
  area: string,
  date: string,
  code: string,
  origin: string,
  measureType: string,
): readonly MeasureRow[] {
  const isOn = (list: string): boolean =>
    rows.codeLists.some((row) => row.codeList === list && code.startsWith(row.codePrefix))
  const isMissing = (list: string): boolean => isMissingList(rows, list)
  return rows.measures.filter(
    (row) =>
      row.jurisdiction === area &&
      row.measureType === measureType &&
      holds(row, date) &&
      code.startsWith(row.codePrefix) &&
      concernsOrigin(rows, row, origin) &&
      (row.scopeList === '' || isMissing(row.scopeList) || isOn(row.scopeList)) &&
      (row.exemptList === '' || !isOn(row.exemptList)),
  )
}

function isMissingList({ codeLists }: CustomsRows, list: string): boolean {
  return list !== '' && codeLists.every(({ codeList }) => codeList !== list)
}

/**
 * A measure whose code list is missing has no amount, because it may cover the goods or not. So it does not replace the
 * base duty either. See docs/decisions/customs.md#d313.
 */
export function withoutMissingList(rows: CustomsRows, row: MeasureRow): MeasureRow {
  if (!isMissingList(rows, row.scopeList) && !isMissingList(rows, row.exemptList)) return row
  return {
    ...row,
    ...{ adValoremPpm: null, specific: '', minimum: '', maximum: '' },
    ...{ kind: row.kind === 'replace_base' ? 'additive' : row.kind, condition: 'not_loaded' },
  }
}

/** The digits by which a row names a code: its prefix, or a longer prefix on its list. */
export function listedDigits({ codeLists }: CustomsRows, code: string): (row: MeasureRow) => number {
  return ({ codePrefix, scopeList }) => {
    const listed = codeLists.filter((row) => row.codeList === scopeList && code.startsWith(row.codePrefix))
    return Math.max(codePrefix.length, ...listed.map((row) => row.codePrefix.length))
  }
}

/**
 * The preferences and additional measures for a code: of each type and agreement, the row that applies. Duties by
 * additional code and quotas are among them.
 */
export function rowsBesideBase(
  rows: CustomsRows,
  area: string,
  date: string,
  code: string,
  origin: string,
): readonly object[] {
  return [
    ...measuresBesideBase(rows, area, date, code, origin),
    ...conditionalRows(rows, area, date, code, origin),
  ]
}

/** Of each type, the rows of the longest prefix. */
export function conditionalRows(
  rows: CustomsRows,
  area: string,
  date: string,
  code: string,
  origin: string,
): readonly ConditionalDutyRow[] {
  const fitting = rows.conditionalDuties.filter(
    (row) =>
      row.jurisdiction === area &&
      holds(row, date) &&
      code.startsWith(row.codePrefix) &&
      concernsOrigin(rows, row, origin),
  )
  return fitting.filter(({ measureType, codePrefix }) =>
    fitting.every(
      (other) => other.measureType !== measureType || other.codePrefix.length <= codePrefix.length,
    ),
  )
}

function measuresBesideBase(
  rows: CustomsRows,
  area: string,
  date: string,
  code: string,
  origin: string,
): readonly MeasureRow[] {
  return rows.measureTypes
    .filter(({ role }) => role !== 'base')
    .flatMap(({ measureType, role }) => {
      const fitting = applyingRows(rows, area, date, code, origin, measureType)
      const kinds = new Set(fitting.map(({ agreement }) => (role === 'preference' ? agreement : '')))
      return [...kinds].flatMap((kind) => {
        const same = fitting.filter(({ agreement }) => role !== 'preference' || agreement === kind)
        return narrowest(rows, same, listedDigits(rows, code)) ?? []
      })
    })
}

/** Equal for rows with the same rate. */
function rateKey(row: MeasureRow): string {
  const { adValoremPpm, specific, minimum, maximum, condition, text } = row
  return JSON.stringify([adValoremPpm, specific, minimum, maximum, condition, text])
}

/** One row for each code, in the order of the codes. */
function distinctLines(rows: CustomsRows, below: readonly MeasureRow[]): readonly MeasureRow[] {
  const codes = [...new Set(below.map(({ codePrefix }) => codePrefix))].sort()
  return codes.map(
    (code) =>
      narrowest(
        rows,
        below.filter(({ codePrefix }) => codePrefix === code),
      )!,
  )
}

/** The last line; below a heading, the last whose rate is not known, if there is one. */
function residualLine(lines: readonly MeasureRow[], length: number): MeasureRow | undefined {
  const isUnknown = ({ condition }: MeasureRow) => condition === 'not_parsed' || condition === 'not_loaded'
  return (length < 6 ? lines.findLast(isUnknown) : undefined) ?? lines.at(-1)
}
