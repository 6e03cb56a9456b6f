/**
 * What goes missing when other rows decide. Decided here: a set that decides a scope decides all of it, so that a part
 * of a tariff takes the rest away; more than a tenth of a scope is a loss that an operator has to mean.
 */
import { groupBy } from '../../group-by.ts'
import { CUSTOMS_TABLES, type CustomsRow, scopeOf } from '../data/layers.ts'
import type { CustomsRows, CustomsTableName } from '../data/rows.ts'
import { keyOf } from './line.ts'

/** A scope that loses lines: `lost` of `lineCount` have none any more. Of measures, lines are codes. */
export type ScopeLoss = {
  readonly table: CustomsTableName
  readonly scope: string
  readonly lost: number
  readonly lineCount: number
}

/** Of a whole, how much may go without being a loss to ask about: a tenth. */
const TENTH = 10

/** Codes that are shorter stand for too much to be covered by a line below them. */
const SUBHEADING_DIGITS = 6

/** The scopes that lose more than a tenth of their lines, the largest loss first. */
export function scopeLosses(before: CustomsRows, after: CustomsRows): readonly ScopeLoss[] {
  return CUSTOMS_TABLES.flatMap((table) => lossesOf(table, before[table], after[table])).sort(
    (a, b) => b.lost - a.lost,
  )
}

function lossesOf(
  table: CustomsTableName,
  before: readonly CustomsRow[],
  after: readonly CustomsRow[],
): readonly ScopeLoss[] {
  if (before === after) return []
  const scope = (row: CustomsRow): string => scopeOf(table, row)
  const later = groupBy(after, scope)
  return [...groupBy(before, scope)].flatMap(([name, was]) => {
    const is = later.get(name) ?? []
    if (was.length === is.length && was.every((row, index) => row === is[index])) return []
    const [lines, left] = [linesOf(table, was), linesOf(table, is)]
    const lost = table === 'measures' ? uncovered(lines, left) : gone(lines, left)
    return TENTH * lost > lines.size ? [{ table, scope: name, lost, lineCount: lines.size }] : []
  })
}

function linesOf(table: CustomsTableName, rows: readonly CustomsRow[]): ReadonlySet<string> {
  return new Set(rows.map((row) => (table === 'measures' ? prefixOf(row) : keyOf(table, row))))
}

function prefixOf(row: CustomsRow): string {
  return 'codePrefix' in row ? row.codePrefix : ''
}

/** Lines that are replaced by as many others are a change, not a loss. */
function gone(lines: ReadonlySet<string>, left: ReadonlySet<string>): number {
  const missing = [...lines].filter((line) => !left.has(line)).length
  return left.size < lines.size ? missing : 0
}

/** Codes that no code afterwards covers: none that they begin with, and none below them. */
function uncovered(codes: ReadonlySet<string>, left: ReadonlySet<string>): number {
  const beginnings = new Set<string>()
  for (const code of left)
    for (let length = SUBHEADING_DIGITS; length <= code.length; length += 1)
      beginnings.add(code.slice(0, length))
  return [...codes].filter((code) => {
    for (let length = 0; length <= code.length; length += 1) if (left.has(code.slice(0, length))) return false
    return !beginnings.has(code)
  }).length
}
