/**
 * Customs reference data out of the database: the shipped data sets are written when they changed, and what is
 * published is read into the form estimates work on. Decided here: a set is replaced as a whole, all shipped ones in
 * one transaction; and what a set holds is read once, since it never changes under its number.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { CUSTOMS_TABLES, decidingRows } from '../../core/customs/data/layers.ts'
import type { CustomsRows, DataSetRow } from '../../core/customs/data/rows.ts'
import { type CustomsTables, compileCustomsTables } from '../../core/customs/tables.ts'
import { type ShippedDataSet, shippedDataSets } from '../../reference/customs.ts'
import { asOperatorError, type Database, inSnapshot } from '../database/database.ts'
import { type FollowOptions, type LiveData, openLiveData } from '../database/live-reference.ts'
import { CUSTOMS, changeRevisioned, readRevision } from '../database/revision.ts'
import { openSetReader, type SetRows, writeSetRows } from './rows.ts'

/** What decides, with what the next reading need not read again. */
export type LoadedCustoms = {
  readonly revision: number
  readonly tables: CustomsTables
  /** By set_id, which names a content for good; its rows hold the name of the set, which may be given another. */
  readonly sets: ReadonlyMap<number, { readonly name: string; readonly rows: SetRows }>
}

/** A set as it is read: what it is called, and where it stands. */
type SetHead = {
  readonly setId: number
  readonly dataSet: DataSetRow
  readonly tables: Database['customs_data_set']['table_names']
}

/**
 * Writes the shipped data sets whose content differs from what is stored, and removes those no longer shipped;
 * an operator's own stay. Returns the names of the sets written; empty when all were there.
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
    const gone = [...hashes.keys()].filter((name) => !names.includes(name))
    const written = changed.map((set) => set.name)
    await sql`delete from customs_data_set
      where is_shipped and data_set = any(${[...written, ...gone]}::text[])`.execute(trx)
    await renameImported(trx, written, note)
    for (const set of changed) await writeShipped(trx, set)
    await keepOrder(trx, names)
    if (written.length > 0) note(`shipped sets are written: ${written.join(', ')}`)
    if (gone.length > 0) note(`shipped sets are gone: ${gone.join(', ')}`)
    return written
  })
}

/** An imported set that is called like a new shipped one gets another name: a new version must start all the same. */
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
    note(`the imported set ${data_set} is called ${name}, since a shipped one has its name`)
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
  await writeSetRows(trx, set_id, { [set.table]: set.rows() })
}

/** The order of the list is the order in which rows of different sets take precedence. */
async function keepOrder(trx: Transaction<Database>, names: readonly string[]): Promise<void> {
  await sql`update customs_data_set as s set sort_no = o.sort_no
    from unnest(${[...names]}::text[]) with ordinality as o (data_set, sort_no)
    where s.is_shipped and s.data_set = o.data_set and s.sort_no <> o.sort_no`.execute(trx)
}

/** What decides now, compiled. Throws OperatorError when it does not hold together. */
export async function loadCustomsTables(db: Kysely<Database>): Promise<CustomsTables> {
  return (await reloadCustoms(db)).tables
}

/**
 * The same with its revision, and with the sets of an earlier reading where they are the same. One consistent
 * reading, about 0.5 s for 50,000 rows that are new.
 */
export async function reloadCustoms(db: Kysely<Database>, previous?: LoadedCustoms): Promise<LoadedCustoms> {
  return inSnapshot(db, async (trx) => {
    const revision = await readRevision(trx, CUSTOMS)
    const { rows, sets } = await readSets(trx, await readHeads(trx), previous?.sets)
    return { revision, tables: compileDeciding(rows), sets }
  })
}

/** All rows of the published sets, whatever decides, and of a draft or withdrawn set as if it were the newest. */
export async function readCustomsRows(db: Kysely<Database>, alsoSet?: string): Promise<CustomsRows> {
  return inSnapshot(db, async (trx) => (await readSets(trx, await readHeads(trx, alsoSet))).rows)
}

/** Compiles what decides. Throws OperatorError when it does not hold together. */
export function compileDeciding(rows: CustomsRows): CustomsTables {
  return asOperatorError('the customs data are inconsistent: ', () =>
    compileCustomsTables(decidingRows(rows)),
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
  const read = await openSetReader(trx)
  const sets = new Map<number, { name: string; rows: SetRows }>()
  for (const { setId, dataSet, tables } of heads) {
    const { name } = dataSet
    const same = known?.get(setId)
    sets.set(setId, same?.name === name ? same : { name, rows: await read({ setId, name, tables }) })
  }
  const lists = CUSTOMS_TABLES.map((table) => [
    table,
    [...sets.values()].flatMap(({ rows }) => [...(rows[table] ?? [])]),
  ])
  const rows = { dataSets: heads.map(({ dataSet }) => dataSet), ...Object.fromEntries(lists) } as CustomsRows
  return { rows, sets }
}

// The customs tables in memory, following the ones in the database (see live-reference.ts).

/** The tables that estimates are made from. */
export type LiveCustoms = LiveData<CustomsTables>

/** Reads the tables and follows them; `onSwap` is told the revision. Throws when they cannot be read the first time. */
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
      read: (previous) => reloadCustoms(db, previous),
    },
    { ...follow, ...(onSwap && { onSwap: ({ revision }) => onSwap(revision) }) },
  )
  return { ...live, current: () => live.current().tables }
}
