/**
 * Customs data in effect: the sets that the product ships, and above them the published sets of operators, which the
 * database stores. Shipped rows are not stored, so that every version uses those it was built with
 * (docs/decisions/customs.md#d170).
 */
import type { Kysely, Transaction } from 'kysely'
import {
  type CompiledCustoms,
  compilePackedCustoms,
  namesInUse,
  openCompiledCustoms,
  type SortedCustoms,
  sortCustoms,
} from '../../core/customs/compiled-customs.ts'
import { effectivePacked, type PackedCustoms, rowsInScopes } from '../../core/customs/data/layers.ts'
import {
  type PackedTable,
  type PackedTables,
  packSet,
  unpackRows,
  valueAt,
  valuesInUse,
} from '../../core/customs/data/packed-rows.ts'
import {
  type CustomsRow,
  type CustomsRows,
  type CustomsTableName,
  type DataSetRow,
  LARGE_TABLES,
  mapTables,
  type SetRows,
  scopeOf,
} from '../../core/customs/data/rows.ts'
import { checkRates } from '../../core/customs/tariff/measure-store.ts'
import { type ShippedCustoms, shippedCustoms, shippedHeads } from '../../reference/customs.ts'
import { asOperatorError, type Database, inSnapshot } from '../database/database.ts'
import { CUSTOMS, changeRevisioned, readRevision } from '../database/revision.ts'
import { readPackedSet, type StoredSet } from './rows.ts'

/** The data in effect at a revision. Plain data, which a worker thread can send. */
export type SortedEdition = { readonly revision: number; readonly customs: SortedCustoms }

type SetHead = {
  readonly setId: number
  readonly dataSet: DataSetRow
  readonly tables: Database['customs_data_set']['table_names']
}

/**
 * Renames imported sets whose names this version ships. An earlier version may have allowed them. Returns the new
 * names.
 */
export async function renameImportedSets(
  db: Kysely<Database>,
  shipped: ShippedCustoms = shippedCustoms(),
): Promise<readonly string[]> {
  const names = shipped.dataSets.map(({ name }) => name)
  const isNeeded = await db
    .selectFrom('customs_data_set')
    .select('set_id')
    .where('is_shipped', '=', false)
    .where('data_set', 'in', names)
    .executeTakeFirst()
  if (isNeeded === undefined) return []
  return changeRevisioned(db, CUSTOMS, (trx, note) => renameTaken(trx, names, note))
}

async function renameTaken(
  trx: Transaction<Database>,
  names: readonly string[],
  note: (what: string) => void,
): Promise<readonly string[]> {
  const sets = await trx.selectFrom('customs_data_set').select(['data_set', 'is_shipped']).execute()
  const taken = new Set([...names, ...sets.map((set) => set.data_set)])
  const renamed: string[] = []
  for (const { data_set, is_shipped } of sets) {
    if (is_shipped || !names.includes(data_set)) continue
    let name = `${data_set.slice(0, 50)}-own`
    for (let number = 2; taken.has(name); number += 1) name = `${data_set.slice(0, 50)}-own-${number}`
    taken.add(name)
    renamed.push(name)
    await trx
      .updateTable('customs_data_set')
      .set({ data_set: name })
      .where('data_set', '=', data_set)
      .execute()
    note(`renamed the imported set ${data_set} to ${name}, because a shipped set has its name`)
  }
  return renamed
}

/** The tables in effect. Throws an OperatorError if the data is inconsistent. */
export async function loadCompiledCustoms(db: Kysely<Database>): Promise<CompiledCustoms> {
  return openEdition(await readEdition(db)).tables
}

/** Reads the data in effect from one snapshot, and sorts it. Throws an OperatorError if it is inconsistent. */
export async function readEdition(db: Kysely<Database>): Promise<SortedEdition> {
  // The rest runs after the transaction, which PostgreSQL ends if it is idle for too long.
  const published = await readPublished(db)
  return { revision: published.revision, customs: asConsistent(() => sortCustoms(effectiveOf(published))) }
}

const revisions = new WeakMap<CompiledCustoms, number>()

/** The revision of an edition. 0 for tables that were not read from the database. */
export function customsRevision(tables: CompiledCustoms): number {
  return revisions.get(tables) ?? 0
}

export type Edition = { readonly revision: number; readonly tables: CompiledCustoms }

export function openEdition({ revision, customs }: SortedEdition): Edition {
  const tables = asConsistent(() => openCompiledCustoms(customs))
  revisions.set(tables, revision)
  return { revision, tables }
}

/** The published sets of operators, the lowest layer first. */
type PublishedSets = {
  readonly revision: number
  readonly dataSets: readonly DataSetRow[]
  readonly sets: readonly PackedTables[]
}

function readPublished(db: Kysely<Database>, alsoSet?: string): Promise<PublishedSets> {
  return inSnapshot(db, async (trx) => {
    const revision = await readRevision(trx, CUSTOMS)
    const heads = await readHeads(trx, alsoSet)
    const sets: PackedTables[] = []
    for (const head of heads) sets.push(await readChecked(trx, head))
    return { revision, dataSets: heads.map(({ dataSet }) => dataSet), sets }
  })
}

/** The rows that apply of the shipped and the published sets. */
function effectiveOf({ dataSets, sets }: Omit<PublishedSets, 'revision'>): PackedCustoms {
  const shipped = shippedCustoms()
  return effectivePacked([shipped.tables, ...sets], [...shippedHeads(shipped.dataSets), ...dataSets])
}

/**
 * The data in effect without and with a set of an operator, as if it had been published last. Throws an OperatorError
 * if the data would be inconsistent with it.
 */
export async function loadTrialCustoms(
  db: Kysely<Database>,
  name: string,
): Promise<{ readonly before: CompiledCustoms; readonly after: CompiledCustoms }> {
  const { dataSets, sets } = await readPublished(db, name)
  const isOther = (index: number): boolean => dataSets[index]?.name !== name
  const others = {
    dataSets: dataSets.filter((_, index) => isOther(index)),
    sets: sets.filter((_, index) => isOther(index)),
  }
  return asConsistent(() => ({
    before: compilePackedCustoms(effectiveOf(others)),
    after: compilePackedCustoms(effectiveOf({ dataSets, sets })),
  }))
}

/** The rows of a table that are in effect. */
export async function readEffectiveRows<Table extends CustomsTableName>(
  db: Kysely<Database>,
  table: Table,
): Promise<readonly CustomsRow[Table][]> {
  return unpackRows(effectiveOf(await readPublished(db)).tables[table])
}

/** The names of the sets that have rows in effect. */
export async function readSetsInUse(db: Kysely<Database>): Promise<ReadonlySet<string>> {
  const { tables } = effectiveOf(await readPublished(db))
  return new Set(namesInUse(tables))
}

/** The names of the code lists that are in effect. */
export async function readCodeListNames(db: Kysely<Database>): Promise<ReadonlySet<string>> {
  const { tables } = effectiveOf(await readPublished(db))
  return new Set(valuesInUse(tables.codeLists, 'codeList'))
}

/** The codes of the measures of a set that are in effect. */
export async function readCodesInEffect(db: Kysely<Database>, dataSet: string): Promise<readonly string[]> {
  const { measures } = effectiveOf(await readPublished(db)).tables
  if (measures === undefined) return []
  const codes: string[] = []
  for (let row = 0; row < measures.rowCount; row += 1)
    if (valueAt(measures.columns.dataSet, row) === dataSet)
      codes.push(String(valueAt(measures.columns.codePrefix, row)))
  return codes
}

/** Throws an OperatorError if the customs data would be inconsistent with these rows in effect. */
export async function checkConsistency(
  db: Kysely<Database>,
  head: Omit<DataSetRow, 'layer'>,
  rows: SetRows,
): Promise<void> {
  const { dataSets, sets } = await readPublished(db)
  const layer = 1 + dataSets.reduce((top, dataSet) => Math.max(top, dataSet.layer), 0)
  asConsistent(() => {
    const tables = checkRatesOf(packSet(rows))
    compilePackedCustoms(
      effectiveOf({ dataSets: [...dataSets, { ...head, layer }], sets: [...sets, tables] }),
    )
  })
}

/** The rows that a comparison needs. */
export type ComparedRows = {
  /** A set that is included as if it had been published last. */
  readonly alsoSet?: string
  /** Of measures and code lists, only rows in the scopes of these rows are read. */
  readonly inScopesOf: SetRows
}

/**
 * The rows of the shipped and published sets, including rows that other sets replace: all of them, or those that a
 * comparison needs. All shipped rows take more than 100 MB: for commands, not for the service.
 */
export async function readCustomsRows(
  db: Kysely<Database>,
  compared?: ComparedRows,
  shipped: ShippedCustoms = shippedCustoms(),
): Promise<CustomsRows> {
  return inSnapshot(db, async (trx) => {
    const heads = await readHeads(trx, compared?.alsoSet)
    const isWanted = scopeFilter(compared?.inScopesOf)
    const sets: PackedTables[] = [shipped.tables]
    for (const head of heads) sets.push(await readPackedSet(trx, storedSet(head)))
    const rowsOf = <Table extends CustomsTableName>(table: Table): readonly CustomsRow[Table][] =>
      sets.flatMap((tables) => unpackRows(isWanted(tables[table])))
    const dataSets = [...shippedHeads(shipped.dataSets), ...heads.map(({ dataSet }) => dataSet)]
    return { ...mapTables(rowsOf), dataSets }
  })
}

/** Selects the rows in the scopes of `rows` from large tables. Selects all rows of other tables. */
function scopeFilter(rows: SetRows | undefined) {
  return <Table extends CustomsTableName>(
    packed: PackedTable<Table> | undefined,
  ): PackedTable<Table> | undefined => {
    if (rows === undefined || packed === undefined || !LARGE_TABLES.includes(packed.table)) return packed
    const list: readonly CustomsRow[Table][] = rows[packed.table] ?? []
    return rowsInScopes(packed, new Set(list.map((row) => scopeOf(packed.table, row))))
  }
}

function asConsistent<Result>(compile: () => Result): Result {
  return asOperatorError('the customs data are inconsistent: ', compile)
}

/** The published sets of operators. An earlier version may have stored shipped sets, which are left out. */
async function readHeads(trx: Transaction<Database>, alsoSet?: string): Promise<readonly SetHead[]> {
  const rows = await trx
    .selectFrom('customs_data_set')
    .select(['set_id', 'data_set', 'table_names', 'title', 'source', 'published_on', 'cycle_days', 'layer'])
    .where('is_shipped', '=', false)
    .where(({ eb, or }) =>
      or([eb('state', '=', 'published'), ...(alsoSet === undefined ? [] : [eb('data_set', '=', alsoSet)])]),
    )
    .orderBy('layer', (order) => order.asc().nullsLast())
    .orderBy('sort_no')
    .orderBy('data_set')
    .execute()
  const top = Math.max(0, ...rows.map(({ layer }) => layer ?? 0))
  return rows.map((row) => ({
    setId: row.set_id,
    dataSet: {
      name: row.data_set,
      title: row.title,
      source: row.source,
      date: row.published_on,
      cycleDays: row.cycle_days,
      layer: row.layer ?? top + 1,
    },
    tables: row.table_names,
  }))
}

async function readChecked(trx: Transaction<Database>, head: SetHead): Promise<PackedTables> {
  const tables = await readPackedSet(trx, storedSet(head))
  return asConsistent(() => checkRatesOf(tables))
}

function checkRatesOf(tables: PackedTables): PackedTables {
  if (tables.measures !== undefined) checkRates(tables.measures)
  return tables
}

function storedSet({ setId, dataSet, tables }: SetHead): StoredSet {
  return { setId, name: dataSet.name, tables }
}
