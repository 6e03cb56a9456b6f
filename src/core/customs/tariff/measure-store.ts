/**
 * The measures of all customs areas as packed rows. A measure is compiled when it is first looked up: of the 200,000
 * that are loaded, most are never used. See docs/decisions/customs.md#d170.
 */
import { type PackedColumn, type PackedTable, rowAt, valueAt, valuesInUse } from '../data/packed-rows.ts'
import type { MeasureRole, MeasureRow, MeasureTypeRow } from '../data/row-types/measures.ts'
import type { CodeSet } from './code-run.ts'
import { formatDutyRate, parseDutyParts } from './duty-text.ts'
import { compileMeasure, type Measure, notUnderstood, type OriginScope, type SharedParts } from './measure.ts'

/** By the name of the list. */
export type CodeLists = ReadonlyMap<string, CodeSet>

/** Rows are identified by their position in `packed`. */
export type MeasureStore = {
  readonly packed: PackedTable<'measures'>
  /** Keys of the code prefixes, by row. */
  readonly codes: Float64Array
  readonly types: ReadonlyMap<string, MeasureTypeRow>
  readonly shared: SharedParts
  readonly lists: CodeLists
  /** Days by row. */
  readonly validFrom: Values<string | null>
  readonly validTo: Values<string | null>
  /** The order of first days by row; greater is later. */
  readonly firstDayOrder: Values<number>
  /** See `rateId`. */
  readonly rateIds: { readonly byRow: Uint32Array; readonly byKey: Map<string, number> }
  /** Cache by row. Emptied together with the cache of codes, so that a row has one measure during an estimate. */
  readonly compiled: Map<number, Measure>
}

/** Distinct values, and a position for each row. */
type Values<Value> = { readonly values: readonly Value[]; readonly indexes: PackedColumn['indexes'] }

export function openMeasureStore(
  packed: PackedTable<'measures'>,
  types: ReadonlyMap<string, MeasureTypeRow>,
  shared: SharedParts,
  lists: CodeLists,
): MeasureStore {
  const validFrom = packed.columns.validFrom as Values<string | null>
  const days = [...new Set(validFrom.values.map((day) => day ?? ''))].sort()
  const orderOf = new Map(days.map((day, position) => [day, position]))
  return {
    packed,
    codes: packed.columns.codePrefix.codes ?? new Float64Array(),
    types,
    shared,
    lists,
    validFrom,
    validTo: packed.columns.validTo as Values<string | null>,
    firstDayOrder: {
      values: validFrom.values.map((day) => orderOf.get(day ?? '')!),
      indexes: validFrom.indexes,
    },
    compiled: new Map(),
    rateIds: { byRow: new Uint32Array(packed.rowCount), byKey: new Map() },
  }
}

/**
 * Throws if the text of a rate cannot be parsed, like the first lookup of the measure. Imports check rates, so this is
 * a bug.
 */
export function checkRates(packed: PackedTable<'measures'>): void {
  for (const field of ['specific', 'minimum', 'maximum'] as const) {
    const { values, indexes } = packed.columns[field]
    for (const [position, value] of values.entries()) {
      const text = String(value)
      if (text === '' || parseDutyParts(text) !== undefined) continue
      const row = rowAt(packed, indexes === undefined ? 0 : indexes.indexOf(position))
      throw new Error(notUnderstood(row, text))
    }
  }
}

export function measureAt(store: MeasureStore, row: number): Measure {
  const known = store.compiled.get(row)
  if (known !== undefined) return known
  const cells = withoutMissingList(rowAt(store.packed, row), store.lists)
  const measure = compileMeasure(cells, typeOf(store.types, cells.measureType), store.shared)
  store.compiled.set(row, measure)
  return measure
}

/**
 * A measure that names a code list which is not loaded is not charged, because it is not known whether it covers the
 * goods. So it does not replace the base duty either. Its text says why.
 */
function withoutMissingList(row: MeasureRow, lists: CodeLists): MeasureRow {
  const { scopeList, exemptList } = row
  const isScopeMissing = scopeList !== '' && !lists.has(scopeList)
  if (!isScopeMissing && (exemptList === '' || lists.has(exemptList))) return row
  const rate = row.text === '' ? formatDutyRate(row) : row.text
  const goods = isScopeMissing
    ? `on the goods of the code list ${scopeList}, which is not loaded`
    : `except on the goods of the code list ${exemptList}, which is not loaded`
  return {
    ...row,
    ...(row.kind === 'replace_base' && { kind: 'additive' }),
    adValoremPpm: null,
    specific: '',
    minimum: '',
    maximum: '',
    condition: 'not_loaded',
    text: `${rate} ${goods}`,
  }
}

/** The code lists that measures name and that are not loaded. */
export function missingLists({ packed, lists }: MeasureStore): readonly string[] {
  const named = [...valuesInUse(packed, 'scopeList'), ...valuesInUse(packed, 'exemptList')]
  return [...new Set(named)].filter((list) => list !== '' && !lists.has(list)).sort()
}

function typeOf(types: ReadonlyMap<string, MeasureTypeRow>, measureType: string): MeasureTypeRow {
  const type = types.get(measureType)
  if (type === undefined) throw new Error(`no such measure type: ${measureType}`)
  return type
}

function cellOf<Value>({ values, indexes }: Values<Value>, row: number): Value {
  return values[indexes === undefined ? 0 : indexes[row]!]!
}

/** True if the measure applies on a day. */
export function isRowInForce({ validFrom, validTo }: MeasureStore, row: number, date: string): boolean {
  const first = cellOf(validFrom, row)
  if (first !== null && first > date) return false
  const end = cellOf(validTo, row)
  return end === null || date < end
}

/** Compares rows by first day, latest first. */
export function byLatestRow({ firstDayOrder }: MeasureStore): (row: number, other: number) => number {
  return (row, other) => cellOf(firstDayOrder, other) - cellOf(firstDayOrder, row)
}

/** The value of a field of a measure. */
export function measureField<Field extends keyof MeasureRow & string>(
  { packed }: MeasureStore,
  field: Field,
  row: number,
): MeasureRow[Field] {
  // A column has the values of its field.
  return valueAt(packed.columns[field], row) as MeasureRow[Field]
}

/** The position of a value among the distinct values of a field: equal for rows with the same value. */
export function valueIndex({ packed }: MeasureStore, field: keyof MeasureRow & string, row: number): number {
  const { indexes } = packed.columns[field]
  return indexes === undefined ? 0 : indexes[row]!
}

const RATE_FIELDS = ['adValoremPpm', 'specific', 'minimum', 'maximum', 'condition', 'text'] as const

/** A number above 0 that is equal for rows with the same rate. */
export function rateId(store: MeasureStore, row: number): number {
  const { byRow, byKey } = store.rateIds
  const known = byRow[row]!
  if (known > 0) return known
  const key = RATE_FIELDS.map((field) => valueIndex(store, field, row)).join(' ')
  const id = byKey.get(key) ?? byKey.size + 1
  byKey.set(key, id)
  byRow[row] = id
  return id
}

/** The origins of a measure; the same object for rows that name the same origins. */
export function originsOf(store: MeasureStore, row: number): OriginScope {
  const scope = {
    originGroup: measureField(store, 'originGroup', row),
    excludedOrigins: measureField(store, 'excludedOrigins', row),
  }
  return store.shared.scopeOf(scope)
}

/** Averages are base measures that apply only where no other base measure does. */
export type RowsByRole = Readonly<Record<MeasureRole | 'average', number[]>>

/** The rows of each customs area by their role, in their order. Throws if a type is unknown. */
export function rowsByArea(store: MeasureStore): ReadonlyMap<string, RowsByRole> {
  const { jurisdiction, measureType, level } = store.packed.columns
  const roles = new Map<number, MeasureRole>()
  const areas = new Map<number, RowsByRole>()
  const index = ({ indexes }: PackedColumn, row: number): number =>
    indexes === undefined ? 0 : indexes[row]!
  for (let row = 0; row < store.packed.rowCount; row += 1) {
    const type = index(measureType, row)
    let role = roles.get(type)
    if (role === undefined) {
      role = typeOf(store.types, String(measureType.values[type])).role
      roles.set(type, role)
    }
    const area = index(jurisdiction, row)
    let rows = areas.get(area)
    if (rows === undefined) {
      rows = { base: [], average: [], preference: [], additional: [] }
      areas.set(area, rows)
    }
    rows[level.values[index(level, row)] === 'average' ? 'average' : role].push(row)
  }
  return new Map([...areas].map(([area, rows]) => [String(jurisdiction.values[area]), rows]))
}
