/**
 * Compares two states of the customs data: what publishing or withdrawing a data set changes. Rows are matched by their
 * owner and label, then by their first day, then in the order of their days. A row in which only the days change is
 * counted separately, because a new edition of a tariff gives new days to every row.
 */
import { groupBy } from '../../group-by.ts'
import { decimal } from '../../quantity.ts'
import type { ExchangeRateRow } from '../data/row-types/exchange-rates.ts'
import type { MeasureRow } from '../data/row-types/measures.ts'
import {
  type AnyCustomsRow,
  CUSTOMS_TABLE_NAMES,
  type CustomsRow,
  type CustomsRows,
  type CustomsTableName,
  labelOf,
  ownerOf,
  scopeOf,
} from '../data/rows.ts'
import { formatDutyRate, formatPercent } from '../tariff/duty-text.ts'

/** The number of rows of a table that changed, for one owner (a jurisdiction or a currency; may be empty). */
export type LineCounts = {
  readonly table: CustomsTableName
  readonly owner: string
  readonly added: number
  readonly removed: number
  readonly changed: number
  /** Only the days differ. */
  readonly redated: number
  readonly unchanged: number
}

/** A row that changed. `before` and `after` are its rate as text, or the fields that differ. */
export type LineChange = {
  readonly kind: 'changed' | 'removed' | 'added'
  readonly table: CustomsTableName
  readonly owner: string
  readonly key: string
  readonly before?: string
  readonly after?: string
  /** Change of the rate in ppm: absolute for a share of the value, relative for an exchange rate. Absent if unknown. */
  readonly movePpm?: number
}

/** `changes` are sorted by the size of the change of their rate, the largest first. */
export type CustomsDataDifference = {
  readonly counts: readonly LineCounts[]
  readonly changes: readonly LineChange[]
}

/**
 * Compares the rows that apply before with those that apply after. Scopes whose rows are the same objects on both sides
 * are left out, so that only the scopes that a set replaces are counted.
 */
export function compareCustomsData(before: CustomsRows, after: CustomsRows): CustomsDataDifference {
  const parts = CUSTOMS_TABLE_NAMES.map((table) => compareTable(table, before[table], after[table]))
  const changes = parts.flatMap((part) => part.changes)
  return {
    counts: parts.flatMap((part) => part.counts),
    changes: withEarlierRates(changes, before.exchangeRates).sort(byMove),
  }
}

const RANK = { changed: 0, removed: 1, added: 2 }

function byMove(a: LineChange, b: LineChange): number {
  return Math.abs(b.movePpm ?? 0) - Math.abs(a.movePpm ?? 0) || RANK[a.kind] - RANK[b.kind]
}

type Counts = { added: number; removed: number; changed: number; redated: number; unchanged: number }

function compareTable<Table extends CustomsTableName>(
  table: Table,
  before: readonly CustomsRow[Table][],
  after: readonly CustomsRow[Table][],
): CustomsDataDifference {
  const [left, right] = rowsOfChangedScopes(table, before, after)
  const owners = new Map<string, Counts>()
  const changes: LineChange[] = []
  const identityOf = (row: CustomsRow[Table]): string => `${ownerOf(table, row)}\n${labelOf(table, row)}`
  const earlier = groupBy(left, identityOf)
  const later = groupBy(right, identityOf)
  for (const identity of new Set([...earlier.keys(), ...later.keys()])) {
    for (const [was, is] of paired(earlier.get(identity) ?? [], later.get(identity) ?? [])) {
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
  return { counts: [...owners].map(([owner, counts]) => ({ table, owner, ...counts })), changes }
}

function rowsOfChangedScopes<Table extends CustomsTableName>(
  table: Table,
  before: readonly CustomsRow[Table][],
  after: readonly CustomsRow[Table][],
): readonly [readonly CustomsRow[Table][], readonly CustomsRow[Table][]] {
  if (before === after) return [[], []]
  const scope = (row: CustomsRow[Table]): string => scopeOf(table, row)
  const earlier = groupBy(before, scope)
  const later = groupBy(after, scope)
  const isSame = (name: string): boolean => {
    const [was, is] = [earlier.get(name) ?? [], later.get(name) ?? []]
    return was.length === is.length && was.every((row, index) => row === is[index])
  }
  const changed = new Set([...earlier.keys(), ...later.keys()].filter((name) => !isSame(name)))
  const inChangedScopes = (rows: readonly CustomsRow[Table][]): readonly CustomsRow[Table][] =>
    rows.filter((row) => changed.has(scope(row)))
  return [inChangedScopes(before), inChangedScopes(after)]
}

type Pair<Row> = readonly [Row | undefined, Row | undefined]

/** Pairs rows of one identity: first those with the same first day, then the others in the order of their days. */
function paired<Row extends AnyCustomsRow>(
  before: readonly Row[],
  after: readonly Row[],
): readonly Pair<Row>[] {
  if (before.length <= 1 && after.length <= 1) return [[before[0], after[0]]]
  const unpaired = [...after]
  const pairs: Pair<Row>[] = []
  const left: Row[] = []
  for (const was of before) {
    const at = unpaired.findIndex((is) => firstDayOf(is) === firstDayOf(was))
    if (at === -1) left.push(was)
    else pairs.push([was, unpaired.splice(at, 1)[0]])
  }
  const right = unpaired.sort(byDay)
  left.sort(byDay)
  const length = Math.max(left.length, right.length)
  return [...pairs, ...Array.from({ length }, (_, index): Pair<Row> => [left[index], right[index]])]
}

/** Empty for rows that are open or have no days. */
function firstDayOf(row: AnyCustomsRow): string {
  return 'validFrom' in row ? (row.validFrom ?? '') : ''
}

function byDay(a: AnyCustomsRow, b: AnyCustomsRow): number {
  const [one, other] = [firstDayOf(a), firstDayOf(b)]
  return one === other ? 0 : one < other ? -1 : 1
}

function changeOf<Table extends CustomsTableName>(
  table: Table,
  was: CustomsRow[Table] | undefined,
  is: CustomsRow[Table] | undefined,
): LineChange | 'redated' | 'unchanged' {
  const row = (is ?? was)!
  const rate = RATES[table]
  const head = { table, owner: ownerOf(table, row), key: labelOf(table, row) }
  if (is === undefined) return { kind: 'removed', ...head, ...(rate && { before: rate.text(row) }) }
  if (was === undefined) return { kind: 'added', ...head, ...(rate && { after: rate.text(row) }) }
  const differing = differingFields(was, is)
  if (differing.length === 0) return 'unchanged'
  if (differing.every((field) => field === 'validFrom' || field === 'validTo')) return 'redated'
  const [before, after] = [rate?.text(was), rate?.text(is)]
  if (before === undefined || after === undefined || before === after)
    return { kind: 'changed', ...head, before: fieldsText(was, differing), after: fieldsText(is, differing) }
  const movePpm = rate?.movePpm(was, is)
  return { kind: 'changed', ...head, before, after, ...(movePpm !== undefined && { movePpm }) }
}

/** The rate of a row, for tables that have one. */
type Rate<Row> = {
  readonly text: (row: Row) => string
  /** Undefined if a rate has parts other than a share of the value. */
  readonly movePpm: (was: Row, is: Row) => number | undefined
}

const RATES: { readonly [Table in CustomsTableName]?: Rate<CustomsRow[Table]> } = {
  taxRates: {
    text: ({ ratePpm }) => formatPercent(ratePpm),
    movePpm: (was, is) => is.ratePpm - was.ratePpm,
  },
  measures: {
    text: measureRate,
    movePpm: (was, is) => {
      const [before, after] = [shareOnlyPpm(was), shareOnlyPpm(is)]
      return before === undefined || after === undefined ? undefined : after - before
    },
  },
  exchangeRates: {
    text: ({ unitsPerEuro }) => unitsPerEuro,
    movePpm: (was, is) => relativeMove(was.unitsPerEuro, is.unitsPerEuro),
  },
}

/** "12% - 7 EUR/100 kg", or the published text and its condition: "See note 4 (not parsed)". */
function measureRate(row: MeasureRow): string {
  const { adValoremPpm, specific, condition, text } = row
  const published = adValoremPpm === null && specific === '' ? text : ''
  const reason = condition === '' ? '' : `(${condition.replaceAll('_', ' ')})`
  return [published, formatDutyRate(row), reason].filter((part) => part !== '').join(' ')
}

function shareOnlyPpm({ adValoremPpm, specific, minimum, maximum }: MeasureRow): number | undefined {
  return adValoremPpm === null || `${specific}${minimum}${maximum}` !== '' ? undefined : adValoremPpm
}

/** In ppm of the earlier rate. BigInt, because the product exceeds 2^53. */
function relativeMove(before: string, after: string): number {
  const [was, is] = [BigInt(decimal(before, 6)), BigInt(decimal(after, 6))]
  return Number(((is - was) * 1_000_000n) / was)
}

/**
 * Compares the newest added rate of each currency with the rate that applied before it. A new day of a currency is an
 * added row, although it changes the rate.
 */
function withEarlierRates(changes: readonly LineChange[], before: readonly ExchangeRateRow[]): LineChange[] {
  const known = groupBy([...before].sort(byDay), ({ currency }) => currency)
  const newest = new Map<string, LineChange>()
  for (const change of changes) {
    if (change.table !== 'exchangeRates' || change.kind !== 'added') continue
    const best = newest.get(change.owner)
    if (best === undefined || best.key < change.key) newest.set(change.owner, change)
  }
  return changes.map((change) => {
    if (newest.get(change.owner) !== change || change.after === undefined) return change
    const label = (row: ExchangeRateRow): string => labelOf('exchangeRates', row)
    const was = known.get(change.owner)?.findLast((row) => label(row) < change.key)
    if (was === undefined) return change
    return { ...change, before: was.unitsPerEuro, movePpm: relativeMove(was.unitsPerEuro, change.after) }
  })
}

/** The fields that differ, apart from the data set. */
function differingFields(was: AnyCustomsRow, is: AnyCustomsRow): readonly string[] {
  return Object.keys(is).filter((field) => field !== 'dataSet' && textOf(was, field) !== textOf(is, field))
}

function fieldsText(row: AnyCustomsRow, fields: readonly string[]): string {
  return fields
    .filter((field) => fields.length === 1 || (field !== 'validFrom' && field !== 'validTo'))
    .map((field) => `${wordsOf(field)} ${textOf(row, field) || 'none'}`)
    .join(', ')
}

/** "limitAmount" as "limit amount". */
function wordsOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function textOf(row: Readonly<Record<string, unknown>>, field: string): string {
  const value = row[field]
  return Array.isArray(value) ? value.join(' ') : String(value ?? '')
}
