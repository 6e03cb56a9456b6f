/**
 * The measures of all customs areas as packed rows. A measure is compiled when it is first looked up: of the 200,000 that
 * are loaded, most are never used. See docs/decisions/customs.md#d170.
 */
import { type PackedColumn, type PackedTable, rowAt, valueAt } from '../data/packed-rows.ts'
import type { MeasureRole, MeasureRow, MeasureTypeRow } from '../data/rows.ts'
import { compileMeasure, type Measure, type OriginScope, type SharedParts } from './measure.ts'

/** Rows are identified by their position in `packed`. */
export type MeasureStore = {
  readonly packed: PackedTable<'measures'>
  /** Keys of the code prefixes, by row. */
  readonly codes: Float64Array
  readonly types: ReadonlyMap<string, MeasureTypeRow>
  readonly shared: SharedParts
  /** Days by row. */
  readonly validFrom: Values<string | null>
  readonly validTo: Values<string | null>
  /** The order of first days by row; greater is later. */
  readonly firstDayOrder: Values<number>
  /** Cache by row. Emptied together with the cache of codes, so that a row has one measure during an estimate. */
  readonly compiled: Map<number, Measure>
}

/** Distinct values, and a position for each row. */
type Values<Value> = { readonly values: readonly Value[]; readonly indexes: PackedColumn['indexes'] }

/** @throws Error if a rate text cannot be parsed, or a measure has an unknown type. */
export function openMeasureStore(
  packed: PackedTable<'measures'>,
  types: ReadonlyMap<string, MeasureTypeRow>,
  shared: SharedParts,
): MeasureStore {
  const validFrom = packed.columns.validFrom as Values<string | null>
  const days = [...new Set(validFrom.values.map((day) => day ?? ''))].sort()
  const store: MeasureStore = {
    packed,
    codes: packed.columns.codePrefix.codes ?? new Float64Array(),
    types,
    shared,
    validFrom,
    validTo: packed.columns.validTo as Values<string | null>,
    firstDayOrder: {
      values: validFrom.values.map((day) => days.indexOf(day ?? '')),
      indexes: validFrom.indexes,
    },
    compiled: new Map(),
  }
  checkRates(store)
  return store
}

/** Compiles each distinct rate text once. */
function checkRates({ packed, shared }: MeasureStore): void {
  for (const field of ['specific', 'minimum', 'maximum'] as const) {
    const { values, indexes } = packed.columns[field]
    values.forEach((text, position) => {
      if (text === '' || shared.partsOf(String(text)) !== undefined) return
      // The value may be left over from rows that another data set replaces.
      const row = indexes === undefined ? 0 : indexes.indexOf(position)
      if (row >= 0 && row < packed.rowCount) compileMeasure(rowAt(packed, row), UNKNOWN_TYPE, shared)
    })
  }
}

const UNKNOWN_TYPE: MeasureTypeRow = { dataSet: '', measureType: '', name: '', role: 'base', notWith: [] }

export function measureAt(store: MeasureStore, row: number): Measure {
  const known = store.compiled.get(row)
  if (known !== undefined) return known
  const cells = rowAt(store.packed, row)
  const measure = compileMeasure(cells, typeOf(store.types, cells.measureType), store.shared)
  store.compiled.set(row, measure)
  return measure
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
