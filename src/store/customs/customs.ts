/**
 * Customs data in effect: the sets that the product ships, and above them the published sets of operators, which the
 * database stores. Shipped rows are not stored, so that every version uses those it was built with
 * (docs/decisions/customs.md#d170). The rows of a set id never change, so each set is read once.
 */
import type { Kysely, Transaction } from 'kysely'
import { effectivePackedInSteps, type PackedCustoms, rowsInScopes } from '../../core/customs/data/layers.ts'
import {
  type PackedTable,
  type PackedTables,
  packSet,
  unpackRows,
  valuesInUse,
} from '../../core/customs/data/packed-rows.ts'
import {
  CUSTOMS_TABLE_NAMES,
  type CustomsRow,
  type CustomsRows,
  type CustomsTableName,
  type DataSetRow,
  LARGE_TABLES,
  mapTables,
  type SetRows,
  scopeOf,
} from '../../core/customs/data/rows.ts'
import { type CustomsTables, compilePackedTables, compileTablesInSteps } from '../../core/customs/tables.ts'
import { checkRates } from '../../core/customs/tariff/measure-store.ts'
import { finish, type Steps } from '../../core/steps.ts'
import { type ShippedCustoms, shippedCustoms, shippedHeads } from '../../reference/customs.ts'
import { asOperatorError, type Database, inSnapshot } from '../database/database.ts'
import { type FollowOptions, inTurns, type LiveData, openLiveData } from '../database/live-reference.ts'
import { CUSTOMS, changeRevisioned, readRevision } from '../database/revision.ts'
import { readPackedSet, type StoredSet } from './rows.ts'

/** The compiled tables, and the sets they were compiled from, which the next read reuses. */
export type LoadedCustoms = {
  readonly revision: number
  readonly tables: CustomsTables
  readonly shipped: ShippedCustoms
  /**
   * Published sets of operators by set_id. Rows contain the name of their set, so a set is read again after it was
   * renamed.
   */
  readonly sets: ReadonlyMap<number, PackedSet>
}

type PackedSet = { readonly name: string; readonly tables: PackedTables }

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
export async function loadCustomsTables(db: Kysely<Database>): Promise<CustomsTables> {
  return (await reloadCustoms(db)).tables
}

/** The tables in effect, from one snapshot. Reuses the sets of an earlier read. */
export async function reloadCustoms(
  db: Kysely<Database>,
  previous?: LoadedCustoms,
  shipped: ShippedCustoms = previous?.shipped ?? shippedCustoms(),
): Promise<LoadedCustoms> {
  const { revision, heads, sets } = await readPublished(db, previous?.sets)
  // After the transaction, which PostgreSQL ends if it is idle for too long.
  const packed = await inTurns(effectiveInSteps(shipped, heads, sets))
  const steps = compileTablesInSteps(packed)
  const tables = await inTurns(steps, asConsistent)
  return { revision, tables, shipped, sets }
}

type PublishedSets = Pick<LoadedCustoms, 'revision' | 'sets'> & { readonly heads: readonly SetHead[] }

function readPublished(db: Kysely<Database>, known?: LoadedCustoms['sets']): Promise<PublishedSets> {
  return inSnapshot(db, async (trx) => {
    const heads = await readHeads(trx)
    return {
      revision: await readRevision(trx, CUSTOMS),
      heads,
      sets: await readPackedSets(trx, heads, known),
    }
  })
}

function effectiveOf(
  shipped: ShippedCustoms,
  heads: readonly SetHead[],
  sets: LoadedCustoms['sets'],
): PackedCustoms {
  return finish(effectiveInSteps(shipped, heads, sets))
}

function effectiveInSteps(
  shipped: ShippedCustoms,
  heads: readonly SetHead[],
  sets: LoadedCustoms['sets'],
): Steps<PackedCustoms> {
  const dataSets = [...shippedHeads(shipped.dataSets), ...heads.map(({ dataSet }) => dataSet)]
  return effectivePackedInSteps([shipped.tables, ...[...sets.values()].map(({ tables }) => tables)], dataSets)
}

/** The rows of a table that are in effect. */
export async function readEffectiveRows<Table extends CustomsTableName>(
  db: Kysely<Database>,
  table: Table,
): Promise<readonly CustomsRow[Table][]> {
  const { heads, sets } = await readPublished(db)
  return unpackRows(effectiveOf(shippedCustoms(), heads, sets).tables[table])
}

/** The names of the sets that have rows in effect. */
export async function readSetsInUse(db: Kysely<Database>): Promise<ReadonlySet<string>> {
  const { heads, sets } = await readPublished(db)
  const { tables } = effectiveOf(shippedCustoms(), heads, sets)
  return new Set(CUSTOMS_TABLE_NAMES.flatMap((table) => valuesInUse(tables[table], 'dataSet')))
}

/** The id of a set that is not in the database. */
const NOT_STORED = 0

/** Throws an OperatorError if the customs data would be inconsistent with these rows in effect. */
export async function checkConsistency(
  db: Kysely<Database>,
  head: Omit<DataSetRow, 'layer'>,
  rows: SetRows,
): Promise<void> {
  const { heads, sets } = await readPublished(db)
  const { name } = head
  const layer = 1 + heads.reduce((top, { dataSet }) => Math.max(top, dataSet.layer), 0)
  asConsistent(() => {
    const tables = checked(packSet(rows))
    const setId = NOT_STORED
    const allHeads = [...heads, { setId, dataSet: { ...head, layer }, tables: [] }]
    compilePackedTables(effectiveOf(shippedCustoms(), allHeads, new Map(sets).set(setId, { name, tables })))
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
    .select(['set_id', 'data_set', 'table_names', 'title', 'source', 'published_on', 'layer'])
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
      layer: row.layer ?? top + 1,
    },
    tables: row.table_names,
  }))
}

async function readPackedSets(
  trx: Transaction<Database>,
  heads: readonly SetHead[],
  known?: LoadedCustoms['sets'],
): Promise<LoadedCustoms['sets']> {
  const sets = new Map<number, PackedSet>()
  for (const head of heads) {
    const { name } = head.dataSet
    const same = known?.get(head.setId)
    sets.set(head.setId, same?.name === name ? same : { name, tables: await readPacked(trx, head) })
  }
  return sets
}

async function readPacked(trx: Transaction<Database>, head: SetHead): Promise<PackedTables> {
  const tables = await readPackedSet(trx, storedSet(head))
  return asConsistent(() => checked(tables))
}

function checked(tables: PackedTables): PackedTables {
  if (tables.measures !== undefined) checkRates(tables.measures)
  return tables
}

function storedSet({ setId, dataSet, tables }: SetHead): StoredSet {
  return { setId, name: dataSet.name, tables }
}

/** The tables that estimates use, in memory. */
export type LiveCustoms = LiveData<CustomsTables>

/**
 * Reads the tables and follows changes in the database. `onSwap` is called with each new revision. Throws when the
 * first read fails.
 */
export async function openLiveCustoms(
  db: Kysely<Database>,
  {
    onSwap,
    ...follow
  }: Omit<FollowOptions<unknown>, 'onSwap'> & { readonly onSwap?: (revision: number) => void },
): Promise<LiveCustoms> {
  const live = await openLiveData<LoadedCustoms>(
    {
      db,
      revisioned: CUSTOMS,
      revisionOf: ({ revision }) => revision,
      read: reloadCustoms,
    },
    { ...follow, ...(onSwap && { onSwap: ({ revision }) => onSwap(revision) }) },
  )
  return { ...live, current: () => live.current().tables }
}
