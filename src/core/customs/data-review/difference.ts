/**
 * What changes when other rows decide: a data set is published, or withdrawn. Decided here: lines are matched by what
 * they are about, then by their first day, then in the order of their days; a line whose days alone move is counted
 * by itself, since a new edition of a tariff gives every line new days.
 */
import { groupBy } from '../../group-by.ts'
import { decimal } from '../../quantity.ts'
import { CUSTOMS_TABLES, type CustomsRow, scopeOf } from '../data/layers.ts'
import type { CustomsRows, CustomsTableName, ExchangeRateRow } from '../data/rows.ts'
import { firstDayOf, keyOf, ownerOf, ratePpmOf, rateText } from './line.ts'

/** How many lines of a table changed, of one jurisdiction or currency (empty where lines are nobody's). */
export type LineCounts = {
  readonly table: CustomsTableName
  readonly owner: string
  readonly added: number
  readonly removed: number
  readonly changed: number
  /** The same on other days. */
  readonly redated: number
  readonly unchanged: number
}

/** A line that changed; `before` and `after` are its rate in words, or the fields that differ. */
export type LineChange = {
  readonly kind: 'changed' | 'removed' | 'added'
  readonly table: CustomsTableName
  readonly owner: string
  readonly key: string
  readonly before?: string
  readonly after?: string
  /** How far the rate moves: percentage points of value in ppm, or of an exchange rate its ppm. Absent: not known. */
  readonly movePpm?: number
}

/** What changes; the changes with the rates that move most first. */
export type CustomsDataDifference = {
  readonly counts: readonly LineCounts[]
  readonly changes: readonly LineChange[]
}

/**
 * Compares the rows that decide before with those that decide after. Scopes whose rows are the very same objects on
 * both sides are left out, so that the counts are about what changes hands.
 */
export function compareCustomsData(before: CustomsRows, after: CustomsRows): CustomsDataDifference {
  const parts = CUSTOMS_TABLES.map((table) => compareTable(table, before[table], after[table]))
  return {
    counts: parts.flatMap(({ counts }) => counts),
    changes: parts.flatMap(({ changes }) => changes).sort(byMove),
  }
}

const RANK = { changed: 0, removed: 1, added: 2 }

function byMove(a: LineChange, b: LineChange): number {
  return Math.abs(b.movePpm ?? 0) - Math.abs(a.movePpm ?? 0) || RANK[a.kind] - RANK[b.kind]
}

type Counts = { added: number; removed: number; changed: number; redated: number; unchanged: number }

function compareTable(
  table: CustomsTableName,
  before: readonly CustomsRow[],
  after: readonly CustomsRow[],
): CustomsDataDifference {
  const [left, right] = changingHands(table, before, after)
  const owners = new Map<string, Counts>()
  const changes: LineChange[] = []
  const nameOf = (row: CustomsRow): string => `${ownerOf(table, row)}\n${keyOf(table, row)}`
  const earlier = groupBy(left, nameOf)
  const later = groupBy(right, nameOf)
  for (const name of new Set([...earlier.keys(), ...later.keys()])) {
    for (const [was, is] of paired(earlier.get(name) ?? [], later.get(name) ?? [])) {
      const change = changeOf(table, was, is)
      const owner = ownerOf(table, (is ?? was)!)
      const counts = owners.get(owner) ?? { added: 0, removed: 0, changed: 0, redated: 0, unchanged: 0 }
      owners.set(owner, counts)
      if (typeof change === 'string') counts[change] += 1
      else {
        counts[change.kind] += 1
        changes.push(change)
      }
    }
  }
  if (table === 'exchangeRates') compareWithDayBefore(changes, before as readonly ExchangeRateRow[])
  return { counts: [...owners].map(([owner, counts]) => ({ table, owner, ...counts })), changes }
}

/** The rows of scopes that others decide afterwards. */
function changingHands(
  table: CustomsTableName,
  before: readonly CustomsRow[],
  after: readonly CustomsRow[],
): readonly [readonly CustomsRow[], readonly CustomsRow[]] {
  if (before === after) return [[], []]
  const earlier = groupBy(before, (row) => scopeOf(table, row))
  const later = groupBy(after, (row) => scopeOf(table, row))
  const isKept = (scope: string): boolean => {
    const [was, is] = [earlier.get(scope) ?? [], later.get(scope) ?? []]
    return was.length === is.length && was.every((row, index) => row === is[index])
  }
  const moved = new Set([...earlier.keys(), ...later.keys()].filter((scope) => !isKept(scope)))
  const moving = (rows: readonly CustomsRow[]): readonly CustomsRow[] =>
    rows.filter((row) => moved.has(scopeOf(table, row)))
  return [moving(before), moving(after)]
}

type Pair = readonly [CustomsRow | undefined, CustomsRow | undefined]

/** Lines of one name: those of the same first day go together, the rest in the order of their days. */
function paired(before: readonly CustomsRow[], after: readonly CustomsRow[]): readonly Pair[] {
  if (before.length <= 1 && after.length <= 1) return [[before[0], after[0]]]
  const open = [...after]
  const pairs: Pair[] = []
  const left: CustomsRow[] = []
  for (const was of before) {
    const at = open.findIndex((is) => firstDayOf(is) === firstDayOf(was))
    if (at === -1) left.push(was)
    else pairs.push([was, open.splice(at, 1)[0]])
  }
  const rest = open.sort(byDay)
  left.sort(byDay)
  const most = Math.max(left.length, rest.length)
  return [...pairs, ...Array.from({ length: most }, (_, index): Pair => [left[index], rest[index]])]
}

function byDay(a: CustomsRow, b: CustomsRow): number {
  const [one, other] = [firstDayOf(a) ?? '', firstDayOf(b) ?? '']
  return one === other ? 0 : one < other ? -1 : 1
}

function changeOf(
  table: CustomsTableName,
  was: CustomsRow | undefined,
  is: CustomsRow | undefined,
): LineChange | 'redated' | 'unchanged' {
  const row = (is ?? was)!
  const head = { table, owner: ownerOf(table, row), key: keyOf(table, row) }
  if (was === undefined || is === undefined) {
    const rate = rateText(table, row)
    if (was !== undefined) return { kind: 'removed', ...head, ...(rate !== undefined && { before: rate }) }
    return { kind: 'added', ...head, ...(rate !== undefined && { after: rate }) }
  }
  const differing = differingFields(was, is)
  if (differing.length === 0) return 'unchanged'
  if (differing.every((field) => field === 'validFrom' || field === 'validTo')) return 'redated'
  const [before, after] = [rateText(table, was), rateText(table, is)]
  if (before === undefined || after === undefined || before === after)
    return { kind: 'changed', ...head, before: fieldsText(was, differing), after: fieldsText(is, differing) }
  const movePpm = moveOf(table, was, is)
  return { kind: 'changed', ...head, before, after, ...(movePpm !== undefined && { movePpm }) }
}

function moveOf(table: CustomsTableName, was: CustomsRow, is: CustomsRow): number | undefined {
  if (table === 'exchangeRates') return relativeMove(was as ExchangeRateRow, is as ExchangeRateRow)
  const [before, after] = [ratePpmOf(table, was), ratePpmOf(table, is)]
  return before === undefined || after === undefined ? undefined : after - before
}

/** Beyond 2^53 on the way, so in BigInt. */
function relativeMove(was: ExchangeRateRow, is: ExchangeRateRow): number {
  const [before, after] = [was, is].map((row) => BigInt(decimal(row.unitsPerEuro, 6))) as [bigint, bigint]
  return Number(((after - before) * 1_000_000n) / before)
}

/** The newest day that is new of a currency changes its rate, though no line of another day does. */
function compareWithDayBefore(changes: LineChange[], before: readonly ExchangeRateRow[]): void {
  const known = groupBy([...before].sort(byDay), ({ currency }) => currency)
  const newest = new Map<string, number>()
  for (const [index, { kind, owner, key }] of changes.entries()) {
    const best = newest.get(owner)
    if (kind === 'added' && (best === undefined || changes[best]!.key < key)) newest.set(owner, index)
  }
  for (const [currency, index] of newest) {
    const change = changes[index]!
    const was = known.get(currency)?.findLast((row) => `from ${row.validFrom}` < change.key)
    if (was === undefined || change.after === undefined) continue
    const is = { ...was, unitsPerEuro: change.after }
    changes[index] = { ...change, before: was.unitsPerEuro, movePpm: relativeMove(was, is) }
  }
}

/** Data sets aside. */
function differingFields(was: CustomsRow, is: CustomsRow): readonly string[] {
  return Object.keys(is).filter((field) => field !== 'dataSet' && textOf(was, field) !== textOf(is, field))
}

function fieldsText(row: CustomsRow, fields: readonly string[]): string {
  return fields
    .filter((field) => fields.length === 1 || (field !== 'validFrom' && field !== 'validTo'))
    .map((field) => `${nameOf(field)} ${textOf(row, field) || 'none'}`)
    .join(', ')
}

/** "limitAmount" as "limit amount". */
function nameOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function textOf(row: CustomsRow, field: string): string {
  const value = (row as unknown as Readonly<Record<string, unknown>>)[field]
  return Array.isArray(value) ? value.join(' ') : String(value ?? '')
}
