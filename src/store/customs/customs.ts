/**
 * Customs data in the database: writes the shipped data sets when they have changed, and reads the published sets into
 * the tables that estimates use. All changed shipped sets are replaced in one transaction. The rows of a set id never
 * change, so each set is read once.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { effectiveRows } from '../../core/customs/data/layers.ts'
import { type CustomsRows, type DataSetRow, mapTables, type SetRows } from '../../core/customs/data/rows.ts'
import { type CustomsTables, compileCustomsTables } from '../../core/customs/tables.ts'
import { type ShippedDataSet, shippedDataSets } from '../../reference/customs.ts'
import { asOperatorError, type Database, inSnapshot } from '../database/database.ts'
import { type FollowOptions, type LiveData, openLiveData } from '../database/live-reference.ts'
import { CUSTOMS, changeRevisioned, readRevision } from '../database/revision.ts'
import { readSetRows, writeSetRows } from './rows.ts'

/** The compiled tables, and the sets they were compiled from, which the next read reuses. */
export type LoadedCustoms = {
  readonly revision: number
  readonly tables: CustomsTables
  /** By set_id. Rows contain the name of their set, so a set is read again after it was renamed. */
  readonly sets: ReadonlyMap<number, { readonly name: string; readonly rows: SetRows }>
}

type SetHead = {
  readonly setId: number
  readonly dataSet: DataSetRow
  readonly tables: Database['customs_data_set']['table_names']
}

/**
 * Writes the shipped data sets whose content differs from the stored one, and removes those that are no longer shipped.
 * Imported sets stay. Returns the names of the written sets.
 */
export async function loadCustomsData(
  db: Kysely<Database>,
  shipped: readonly ShippedDataSet[] = shippedDataSets(),
): Promise<readonly string[]> {
  return changeRevisioned(db, CUSTOMS, async (trx, note) => {
    const stored = await trx
      .selectFrom('customs_data_set')
      .select(['data_set', 'content_hash'])
      .where('is_shipped', '=', true)
      .execute()
    const hashes = new Map(stored.map((row) => [row.data_set, row.content_hash]))
    const names = shipped.map((set) => set.name)
    const changed = shipped.filter((set) => hashes.get(set.name) !== set.contentHash)
    const removed = [...hashes.keys()].filter((name) => !names.includes(name))
    const written = changed.map((set) => set.name)
    await sql`DELETE FROM customs_data_set
      WHERE is_shipped AND data_set = ANY(${[...written, ...removed]}::text[])`.execute(trx)
    await renameImported(trx, written, note)
    for (const set of changed) await writeShipped(trx, set)
    await updateOrder(trx, names)
    if (written.length > 0) note(`wrote the shipped sets ${written.join(', ')}`)
    if (removed.length > 0) note(`removed the sets ${removed.join(', ')}, which are no longer shipped`)
    return written
  })
}

/**
 * Renames an imported set whose name a new shipped set needs. Without this, a new version of Waybill could not start.
 */
async function renameImported(
  trx: Transaction<Database>,
  names: readonly string[],
  note: (what: string) => void,
): Promise<void> {
  const sets = await trx.selectFrom('customs_data_set').select(['data_set', 'is_shipped']).execute()
  const taken = new Set(sets.map((set) => set.data_set))
  for (const { data_set, is_shipped } of sets) {
    if (is_shipped || !names.includes(data_set)) continue
    let name = `${data_set.slice(0, 50)}-own`
    for (let number = 2; taken.has(name); number += 1) name = `${data_set.slice(0, 50)}-own-${number}`
    taken.add(name)
    await trx
      .updateTable('customs_data_set')
      .set({ data_set: name })
      .where('data_set', '=', data_set)
      .execute()
    note(`renamed the imported set ${data_set} to ${name}, because a shipped set has its name`)
  }
}

async function writeShipped(trx: Transaction<Database>, set: ShippedDataSet): Promise<void> {
  const { set_id } = await trx
    .insertInto('customs_data_set')
    .values({
      data_set: set.name,
      table_names: [set.table],
      title: set.title,
      source: set.source,
      published_on: set.date,
      content_hash: set.contentHash,
      sort_no: 0,
      is_shipped: true,
      state: 'published',
      layer: 0,
      published_at: new Date(),
    })
    .returning('set_id')
    .executeTakeFirstOrThrow()
  await writeSetRows(trx, set_id, set.rows())
}

/** Rows of shipped sets take precedence in the order in which the sets are listed. */
async function updateOrder(trx: Transaction<Database>, names: readonly string[]): Promise<void> {
  await sql`UPDATE customs_data_set AS stored SET sort_no = listed.sort_no
    FROM unnest(${[...names]}::text[]) WITH ORDINALITY AS listed (data_set, sort_no)
    WHERE stored.is_shipped AND stored.data_set = listed.data_set AND stored.sort_no <> listed.sort_no`.execute(
    trx,
  )
}

/** The tables in effect. Throws an OperatorError if the data is inconsistent. */
export async function loadCustomsTables(db: Kysely<Database>): Promise<CustomsTables> {
  return (await reloadCustoms(db)).tables
}

/**
 * The tables in effect, from one snapshot. Reuses the sets of an earlier read. Reading 50,000 rows takes about 0.5 s.
 */
export async function reloadCustoms(db: Kysely<Database>, previous?: LoadedCustoms): Promise<LoadedCustoms> {
  const { revision, rows, sets } = await inSnapshot(db, async (trx) => ({
    revision: await readRevision(trx, CUSTOMS),
    ...(await readSets(trx, await readHeads(trx), previous?.sets)),
  }))
  // After the transaction, which PostgreSQL ends if it is idle for too long.
  return { revision, tables: compileEffective(rows), sets }
}

/**
 * All rows of the published sets, including rows that other sets replace. `alsoSet` is included as if it had been
 * published last.
 */
export async function readCustomsRows(db: Kysely<Database>, alsoSet?: string): Promise<CustomsRows> {
  return inSnapshot(db, async (trx) => (await readSets(trx, await readHeads(trx, alsoSet))).rows)
}

/** Compiles the rows that apply. Throws an OperatorError if they are inconsistent. */
export function compileEffective(rows: CustomsRows): CustomsTables {
  return asOperatorError('the customs data are inconsistent: ', () =>
    compileCustomsTables(effectiveRows(rows)),
  )
}

async function readHeads(trx: Transaction<Database>, alsoSet?: string): Promise<readonly SetHead[]> {
  const rows = await trx
    .selectFrom('customs_data_set')
    .select(['set_id', 'data_set', 'table_names', 'title', 'source', 'published_on', 'layer'])
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

async function readSets(
  trx: Transaction<Database>,
  heads: readonly SetHead[],
  known?: LoadedCustoms['sets'],
): Promise<{ readonly rows: CustomsRows; readonly sets: LoadedCustoms['sets'] }> {
  const sets = new Map<number, { name: string; rows: SetRows }>()
  for (const { setId, dataSet, tables } of heads) {
    const { name } = dataSet
    const same = known?.get(setId)
    const set = same?.name === name ? same : { name, rows: await readSetRows(trx, { setId, name, tables }) }
    sets.set(setId, set)
  }
  const rowsBySet = [...sets.values()].map(({ rows }) => rows)
  const tables = mapTables((table) => rowsBySet.flatMap((rows) => rows[table] ?? []))
  return { rows: { ...tables, dataSets: heads.map(({ dataSet }) => dataSet) }, sets }
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
