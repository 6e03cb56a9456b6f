/**
 * Finds rows that are lost when a data set is published. A set replaces whole scopes, so a set with a part of a tariff
 * removes the rest of the tariff. A loss of more than a tenth of a scope needs the operator's consent.
 */
import { groupBy } from '../../group-by.ts'
import {
  type AnyCustomsRow,
  CUSTOMS_TABLE_NAMES,
  type CustomsRow,
  type CustomsRows,
  type CustomsTableName,
  labelOf,
  scopeOf,
} from '../data/rows.ts'

/** A scope in which `lost` of `lineCount` lines are missing afterwards. Lines of measures are codes. */
export type ScopeLoss = {
  readonly table: CustomsTableName
  readonly scope: string
  readonly lost: number
  readonly lineCount: number
}

/** A loss of up to one in ten lines needs no consent. */
const TENTH = 10

/** A line replaces a code above it only if that code has at least six digits. */
const SUBHEADING_DIGITS = 6

/** The scopes that lose more than a tenth of their lines, the largest loss first. */
export function scopeLosses(before: CustomsRows, after: CustomsRows): readonly ScopeLoss[] {
  return CUSTOMS_TABLE_NAMES.flatMap((table) => lossesOf(table, before[table], after[table])).sort(
    (a, b) => b.lost - a.lost,
  )
}

function lossesOf<Table extends CustomsTableName>(
  table: Table,
  before: readonly CustomsRow[Table][],
  after: readonly CustomsRow[Table][],
): readonly ScopeLoss[] {
  if (before === after) return []
  const scope = (row: CustomsRow[Table]): string => scopeOf(table, row)
  const later = groupBy(after, scope)
  return [...groupBy(before, scope)].flatMap(([name, was]) => {
    const is = later.get(name) ?? []
    if (was.length === is.length && was.every((row, index) => row === is[index])) return []
    const [lines, remaining] = [linesOf(table, was), linesOf(table, is)]
    const lost = table === 'measures' ? countUncovered(lines, remaining) : countMissing(lines, remaining)
    return TENTH * lost > lines.size ? [{ table, scope: name, lost, lineCount: lines.size }] : []
  })
}

function linesOf<Table extends CustomsTableName>(
  table: Table,
  rows: readonly CustomsRow[Table][],
): ReadonlySet<string> {
  return new Set(rows.map((row) => (table === 'measures' ? prefixOf(row) : labelOf(table, row))))
}

function prefixOf(row: AnyCustomsRow): string {
  return 'codePrefix' in row ? row.codePrefix : ''
}

/** Returns 0 if there are at least as many lines afterwards, because they replace the missing ones. */
function countMissing(lines: ReadonlySet<string>, remaining: ReadonlySet<string>): number {
  const missing = [...lines].filter((line) => !remaining.has(line)).length
  return remaining.size < lines.size ? missing : 0
}

/** Counts the codes that no row covers: no row of the code itself, of a shorter code, or of a line below it. */
function countUncovered(codes: ReadonlySet<string>, remaining: ReadonlySet<string>): number {
  const prefixes = new Set<string>()
  for (const code of remaining)
    for (let length = SUBHEADING_DIGITS; length <= code.length; length += 1)
      prefixes.add(code.slice(0, length))
  return [...codes].filter((code) => {
    for (let length = 0; length <= code.length; length += 1)
      if (remaining.has(code.slice(0, length))) return false
    return !prefixes.has(code)
  }).length
}
