/**
 * Which rows decide where several data sets hold rows for the same thing. Decided here: the scopes. Within a scope the
 * rows of the highest layer decide alone; a set that is withdrawn gives its scopes back to the layer below.
 */
import { groupBy } from '../../group-by.ts'
import type { CustomsRows, CustomsTableName, DataSetRow } from './rows.ts'

type RowOf<Table extends CustomsTableName> = CustomsRows[Table][number]

/** A row of any table. */
export type CustomsRow = RowOf<CustomsTableName>

/** What a row belongs to, table by table, in words that name it: "GB third_country_duty". */
const SCOPES: { readonly [Table in CustomsTableName]: (row: RowOf<Table>) => string } = {
  jurisdictions: ({ code }) => code,
  territories: ({ country }) => country,
  originGroups: ({ originGroup }) => originGroup,
  codeLists: ({ codeList }) => codeList,
  hsSuccessors: ({ endedCode }) => endedCode,
  taxes: ({ jurisdiction }) => jurisdiction,
  taxRates: ({ jurisdiction, tax }) => `${jurisdiction} ${tax}`,
  measureTypes: ({ measureType }) => measureType,
  measures: ({ jurisdiction, measureType }) => `${jurisdiction} ${measureType}`,
  thresholds: ({ jurisdiction, appliesTo }) => `${jurisdiction} ${appliesTo}`,
  fees: ({ jurisdiction }) => jurisdiction,
  exchangeRates: ({ currency, validFrom }) => `${currency} ${validFrom}`,
}

/** The tables of the reference data, in the order of their lists. */
export const CUSTOMS_TABLES = Object.keys(SCOPES) as readonly CustomsTableName[]

/** The scope that a row belongs to. */
export function scopeOf(table: CustomsTableName, row: CustomsRow): string {
  return (SCOPES[table] as (row: CustomsRow) => string)(row)
}

/** The rows that decide; those of a scope are in the order they came in. Every data set stays named. */
export function decidingRows(rows: CustomsRows): CustomsRows {
  const layerOf = layersOf(rows)
  const reduced = CUSTOMS_TABLES.map((table) => [table, highest(table, rows[table], layerOf)] as const)
  return { ...rows, ...(Object.fromEntries(reduced) as Omit<CustomsRows, 'dataSets'>) }
}

/** A scope that one set decides in the place of others. */
export type TakenOver = {
  readonly table: CustomsTableName
  readonly scope: string
  /** How many rows of the set decide it. */
  readonly rowCount: number
  /** The sets that would decide it otherwise, and with how many rows. */
  readonly from: readonly { readonly dataSet: string; readonly rowCount: number }[]
}

/** The scopes that a set decides in the place of others, in the order of its rows; new scopes are none of them. */
export function takenOver(rows: CustomsRows, dataSet: string): readonly TakenOver[] {
  const own = decidingRows(rows)
  const others = decidingRows(withoutSet(rows, dataSet))
  return CUSTOMS_TABLES.flatMap((table) => {
    const below = countsByScope(table, others[table])
    const above = countsByScope(
      table,
      (own[table] as readonly CustomsRow[]).filter((row) => row.dataSet === dataSet),
    )
    return [...above].flatMap(([scope, counts]) => {
      const from = [...(below.get(scope) ?? [])].map(([name, rowCount]) => ({ dataSet: name, rowCount }))
      return from.length === 0 ? [] : [{ table, scope, rowCount: counts.get(dataSet) ?? 0, from }]
    })
  })
}

/** The reference data as if a set were not there. */
export function withoutSet(rows: CustomsRows, dataSet: string): CustomsRows {
  const kept = CUSTOMS_TABLES.map(
    (table) =>
      [table, (rows[table] as readonly CustomsRow[]).filter((row) => row.dataSet !== dataSet)] as const,
  )
  return {
    ...(Object.fromEntries(kept) as unknown as CustomsRows),
    dataSets: rows.dataSets.filter(({ name }) => name !== dataSet),
  }
}

/** The reference data with a set more, above all others. */
export function withSet(
  rows: CustomsRows,
  head: Omit<DataSetRow, 'layer'>,
  set: Partial<Omit<CustomsRows, 'dataSets'>>,
): CustomsRows {
  const layer = 1 + Math.max(0, ...rows.dataSets.map((other) => other.layer))
  const joined = CUSTOMS_TABLES.map((table) => [table, [...rows[table], ...(set[table] ?? [])]] as const)
  return {
    ...(Object.fromEntries(joined) as unknown as CustomsRows),
    dataSets: [...rows.dataSets, { ...head, layer }],
  }
}

type LayerOf = (row: CustomsRow) => number

function layersOf({ dataSets }: CustomsRows): LayerOf {
  const layers = new Map(dataSets.map(({ name, layer }) => [name, layer]))
  return ({ dataSet }) => {
    const layer = layers.get(dataSet)
    if (layer === undefined) throw new Error(`rows of a data set that is not there: ${dataSet}`)
    return layer
  }
}

/**
 * Rows of one layer all decide, which is so for most tables: they are given back as they are. Otherwise a scope stays
 * in the place of its first row of any layer, for the order of measure types is the order of duties.
 */
function highest(
  table: CustomsTableName,
  rows: readonly CustomsRow[],
  layerOf: LayerOf,
): readonly CustomsRow[] {
  const [first] = rows
  if (first === undefined) return rows
  const firstLayer = layerOf(first)
  if (rows.every((row) => layerOf(row) === firstLayer)) return rows
  const scopes = groupBy(rows, (row) => scopeOf(table, row))
  return [...scopes.values()].flatMap((scope) => {
    const top = scope.reduce((layer, row) => Math.max(layer, layerOf(row)), 0)
    return scope.filter((row) => layerOf(row) === top)
  })
}

/** By scope: how many rows each set has in it. */
function countsByScope(
  table: CustomsTableName,
  rows: readonly CustomsRow[],
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const scopes = new Map<string, Map<string, number>>()
  for (const row of rows) {
    const scope = scopeOf(table, row)
    const counts = scopes.get(scope) ?? new Map<string, number>()
    scopes.set(scope, counts.set(row.dataSet, (counts.get(row.dataSet) ?? 0) + 1))
  }
  return scopes
}
