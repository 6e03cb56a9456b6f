/**
 * Selects the rows that apply where several data sets have rows of one scope. Within a scope, only the rows of the
 * highest layer apply; if the set of that layer is withdrawn, the rows of the layer below apply again.
 * See docs/customs-data.md#what-a-set-replaces.
 */
import {
  joinPacked,
  type PackedColumn,
  type PackedTable,
  type PackedTables,
  pickRows,
  valueAt,
} from './packed-rows.ts'
import {
  CUSTOMS_TABLE_NAMES,
  CUSTOMS_TABLES,
  type CustomsRow,
  type CustomsRows,
  type CustomsTableName,
  type DataSetRow,
  mapTables,
  type SetRows,
  scopeOf,
  type TableRows,
} from './rows.ts'

/**
 * The rows that apply, in their original order. All data sets stay listed.
 * Throws if a row names a data set that is not listed.
 */
export function effectiveRows(rows: CustomsRows): CustomsRows {
  const tables: TableRows = rows
  const layerOf = layersOf(rows)
  return { ...mapTables((table) => highest(table, tables[table], layerOf)), dataSets: rows.dataSets }
}

/** A scope in which the rows of one set replace those of others. */
export type ReplacedScope = {
  readonly table: CustomsTableName
  readonly scope: string
  /** Rows of the set that apply. */
  readonly rowCount: number
  /** The sets whose rows would apply otherwise. */
  readonly from: readonly { readonly dataSet: string; readonly rowCount: number }[]
}

/** The scopes in which a set replaces others, in the order of its rows. Scopes that no other set has are left out. */
export function replacedScopes(rows: CustomsRows, dataSet: string): readonly ReplacedScope[] {
  const withIt = effectiveRows(rows)
  const withoutIt = effectiveRows(withoutSet(rows, dataSet))
  return CUSTOMS_TABLE_NAMES.flatMap((table) => {
    const below = countsByScope(table, withoutIt[table])
    const above = countsByScope(table, withIt[table], dataSet)
    return [...above].flatMap(([scope, counts]) => {
      const from = [...(below.get(scope) ?? [])].map(([name, rowCount]) => ({ dataSet: name, rowCount }))
      return from.length === 0 ? [] : [{ table, scope, rowCount: counts.get(dataSet) ?? 0, from }]
    })
  })
}

/** The customs data without a set. */
export function withoutSet(rows: CustomsRows, dataSet: string): CustomsRows {
  const tables: TableRows = rows
  return {
    ...mapTables((table) => tables[table].filter((row) => row.dataSet !== dataSet)),
    dataSets: rows.dataSets.filter(({ name }) => name !== dataSet),
  }
}

/** The customs data with one more set, in a layer above all others. */
export function withSet(rows: CustomsRows, head: Omit<DataSetRow, 'layer'>, set: SetRows): CustomsRows {
  const tables: TableRows = rows
  const layer = 1 + Math.max(0, ...rows.dataSets.map((other) => other.layer))
  return {
    ...mapTables((table) => tables[table].concat(set[table] ?? [])),
    dataSets: [...rows.dataSets, { ...head, layer }],
  }
}

type LayerOf = (row: { readonly dataSet: string }) => number

function layersOf({ dataSets }: Pick<CustomsRows, 'dataSets'>): LayerOf {
  const layers = new Map(dataSets.map(({ name, layer }) => [name, layer]))
  return ({ dataSet }) => {
    const layer = layers.get(dataSet)
    if (layer === undefined) throw new Error(`rows of an unknown data set: ${dataSet}`)
    return layer
  }
}

function highest<Table extends CustomsTableName>(
  table: Table,
  rows: readonly CustomsRow[Table][],
  layerOf: LayerOf,
): readonly CustomsRow[Table][] {
  const layers = rows.map(layerOf)
  const selected = highestRows(layers, (row) => scopeOf(table, rows[row]!))
  return selected === undefined ? rows : Array.from(selected, (row) => rows[row]!)
}

/**
 * The positions of the rows that apply, from the layer of each row. Undefined if all rows apply, because they are of
 * one layer, as in most tables. Otherwise a scope keeps the position of its first row of any layer, because duties are
 * added in the order of the measure types.
 */
function highestRows(
  layers: ArrayLike<number>,
  scopeOfRow: (row: number) => string | number,
): Uint32Array | undefined {
  if (isUniform(layers)) return undefined
  const scopes: { top: number; rowCount: number }[] = []
  const scopeIds = new Map<string | number, number>()
  const scopeOfEach = new Uint32Array(layers.length)
  for (let row = 0; row < layers.length; row += 1) {
    const key = scopeOfRow(row)
    const id = scopeIds.get(key) ?? scopeIds.size
    if (id === scopeIds.size) {
      scopeIds.set(key, id)
      scopes.push({ top: 0, rowCount: 0 })
    }
    scopeOfEach[row] = id
    const scope = scopes[id]!
    const layer = layers[row]!
    if (layer > scope.top) scopes[id] = { top: layer, rowCount: 1 }
    else if (layer === scope.top) scope.rowCount += 1
  }
  // The position in the result of the next row of each scope.
  const next: number[] = []
  let rowCount = 0
  for (const scope of scopes) {
    next.push(rowCount)
    rowCount += scope.rowCount
  }
  const selected = new Uint32Array(rowCount)
  for (let row = 0; row < layers.length; row += 1) {
    const id = scopeOfEach[row]!
    if (layers[row] === scopes[id]!.top) selected[next[id]!++] = row
  }
  return selected
}

function isUniform(layers: ArrayLike<number>): boolean {
  for (let row = 1; row < layers.length; row += 1) if (layers[row] !== layers[0]) return false
  return true
}

/** Packed rows of data sets, all sets of one layer in one part. */
export type PackedCustoms = { readonly tables: PackedTables; readonly dataSets: readonly DataSetRow[] }

/**
 * The packed rows that apply. `parts` are the rows of all sets in the order of the layers. Throws if a row names a data
 * set that is not in `dataSets`.
 */
export function effectivePacked(
  parts: readonly PackedTables[],
  dataSets: readonly DataSetRow[],
): PackedCustoms {
  const layerOf = layersOf({ dataSets })
  const entries: [CustomsTableName, unknown][] = []
  for (const table of CUSTOMS_TABLE_NAMES) {
    const packed = highestPacked(table, parts, layerOf)
    if (packed !== undefined) entries.push([table, packed])
  }
  return { tables: Object.fromEntries(entries), dataSets }
}

function highestPacked<Table extends CustomsTableName>(
  table: Table,
  parts: readonly PackedTables[],
  layerOf: LayerOf,
): PackedTable<Table> | undefined {
  const joined = joinPacked(parts.flatMap((part): PackedTable<Table>[] => [part[table] ?? []].flat()))
  if (joined === undefined) return undefined
  const { dataSet } = joined.columns as { readonly dataSet: PackedColumn }
  const layersByName = dataSet.values.map((name) => layerOf({ dataSet: String(name) }))
  if (new Set(layersByName).size <= 1) return joined
  const { indexes } = dataSet
  const layers = Float64Array.from(
    { length: joined.rowCount },
    (_, row) => layersByName[indexes?.[row] ?? 0]!,
  )
  const selected = highestRows(layers, packedScopeIds(joined))
  return selected === undefined ? joined : pickRows(joined, selected)
}

/** The rows of some scopes. */
export function rowsInScopes<Table extends CustomsTableName>(
  packed: PackedTable<Table>,
  scopes: ReadonlySet<string>,
): PackedTable<Table> {
  const scope = packedScopes(packed)
  const rows: number[] = []
  if (scopes.size > 0)
    for (let row = 0; row < packed.rowCount; row += 1) if (scopes.has(scope(row))) rows.push(row)
  return pickRows(packed, rows)
}

/** The scope of each row as text, as in `scopeOf`. */
function packedScopes({ table, columns }: PackedTable): (row: number) => string {
  const scope = CUSTOMS_TABLES[table].scope.map(
    (field) => columns[field as keyof typeof columns] as PackedColumn,
  )
  return (row) => scope.map((column) => String(valueAt(column, row))).join(' ')
}

/** The scope of each row: a number if possible, otherwise text. */
function packedScopeIds(packed: PackedTable): (row: number) => string | number {
  const columns = CUSTOMS_TABLES[packed.table].scope.map(
    (field) => packed.columns[field as keyof typeof packed.columns] as PackedColumn,
  )
  const count = columns.reduce((product, { values }) => product * values.length, 1)
  if (columns.some(({ codes }) => codes !== undefined) || count > Number.MAX_SAFE_INTEGER)
    return packedScopes(packed)
  return (row) => {
    let id = 0
    for (const { values, indexes } of columns)
      id = id * values.length + (indexes === undefined ? 0 : indexes[row]!)
    return id
  }
}

/** The number of rows of each set, or of one set, by scope. */
function countsByScope<Table extends CustomsTableName>(
  table: Table,
  rows: readonly CustomsRow[Table][],
  dataSet?: string,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const scopes = new Map<string, Map<string, number>>()
  for (const row of rows) {
    if (dataSet !== undefined && row.dataSet !== dataSet) continue
    const scope = scopeOf(table, row)
    const counts = scopes.get(scope) ?? new Map<string, number>()
    scopes.set(scope, counts.set(row.dataSet, (counts.get(row.dataSet) ?? 0) + 1))
  }
  return scopes
}
