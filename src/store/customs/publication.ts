/**
 * Changes of customs data sets by operators. A draft can be published, withdrawn, and published again. A published set
 * becomes the highest layer. A change that would leave the customs data inconsistent is refused. The rows of a set
 * never change after its import. See docs/customs-data.md#publish-withdraw-discard.
 */
import { createHash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { CUSTOMS_TABLE_NAMES, type CustomsTableName, type SetRows } from '../../core/customs/data/rows.ts'
import { missingLists } from '../../core/customs/tariff/measure-store.ts'
import {
  type ShippedCustoms,
  type ShippedDataSet,
  shippedCustoms,
  shippedRows,
} from '../../reference/customs.ts'
import { type Database, OperatorError } from '../database/database.ts'
import { CUSTOMS, changeRevisioned } from '../database/revision.ts'
import type { DataSetState } from '../row-types/customs.ts'
import { loadCompiledCustoms } from './customs.ts'
import { type Progress, readSetRows, tablesOf, writeSetRows } from './rows.ts'

/** A data set, for operators. Days are 'YYYY-MM-DD', times ISO 8601 in UTC. */
export type CustomsSet = {
  readonly name: string
  readonly tables: readonly CustomsTableName[]
  readonly title: string
  readonly source: string
  /** The day on which the figures were published or collected. */
  readonly date: string
  /** The jurisdiction that the set was imported for. Null if each row names its own. */
  readonly jurisdiction: string | null
  readonly shipped: boolean
  readonly state: DataSetState
  /** Null unless published. The set with the highest layer applies. */
  readonly layer: number | null
  readonly importedFrom: string | null
  /** How often the publisher releases a new edition, in days. Null if it is not known. */
  readonly cycleDays: number | null
  readonly publishedAt: string | null
  /** SHA-256 of the rows, or of the file if the set is shipped. */
  readonly hash: string
}

export type NewCustomsSet = Pick<
  CustomsSet,
  'name' | 'title' | 'source' | 'date' | 'jurisdiction' | 'cycleDays'
> & {
  readonly importedFrom: string
  readonly rows: SetRows
}

/**
 * All data sets. Published sets of operators come first, the highest layer on top, then the shipped sets, then drafts
 * and withdrawn sets.
 */
export async function listCustomsSets(
  db: Kysely<Database>,
  shipped: ShippedCustoms = shippedCustoms(),
): Promise<CustomsSet[]> {
  const imported = await listImportedSets(db)
  const isPublished = ({ layer }: CustomsSet): boolean => layer !== null
  return [
    ...imported.filter(isPublished),
    ...shipped.dataSets.map(shippedSet),
    ...imported.filter((set) => !isPublished(set)),
  ]
}

function shippedSet({
  name,
  table,
  title,
  source,
  date,
  cycleDays,
  contentHash,
}: ShippedDataSet): CustomsSet {
  return {
    name,
    tables: [table],
    title,
    source,
    date,
    jurisdiction: null,
    shipped: true,
    state: 'published',
    layer: 0,
    importedFrom: null,
    cycleDays,
    publishedAt: null,
    hash: contentHash,
  }
}

async function listImportedSets(db: Kysely<Database>): Promise<CustomsSet[]> {
  const rows = await db
    .selectFrom('customs_data_set')
    .selectAll()
    .where('is_shipped', '=', false)
    .orderBy('layer', (order) => order.desc().nullsLast())
    .orderBy('data_set')
    .execute()
  return rows.map((row) => ({
    name: row.data_set,
    tables: row.table_names,
    title: row.title,
    source: row.source,
    date: row.published_on,
    jurisdiction: row.jurisdiction,
    shipped: false,
    state: row.state,
    layer: row.layer,
    importedFrom: row.imported_from,
    cycleDays: row.cycle_days,
    publishedAt: row.published_at?.toISOString() ?? null,
    hash: row.content_hash,
  }))
}

/** The rows of a set. Throws an OperatorError if the set does not exist. */
export async function readCustomsSet(db: Kysely<Database>, name: string): Promise<SetRows> {
  const shipped = shippedCustoms()
  const set = shipped.dataSets.find((other) => other.name === name)
  if (set !== undefined) return shippedRows(shipped, set)
  return db.transaction().execute(async (trx) => {
    const { set_id, table_names } = await setNamed(trx, name)
    return readSetRows(trx, { setId: set_id, name, tables: table_names })
  })
}

/**
 * Writes a set as a draft, in one transaction. Replaces a draft with the same name. Throws an OperatorError if an
 * existing set with that name is not a draft, or if a row violates a constraint.
 */
export async function importCustomsSet(
  db: Kysely<Database>,
  set: NewCustomsSet,
  onProgress?: Progress,
): Promise<void> {
  try {
    await db.transaction().execute((trx) => writeDraft(trx, set, onProgress))
  } catch (error) {
    if (isConstraintViolation(error))
      throw new OperatorError(`a row cannot be stored: ${violationText(error)}`, { cause: error })
    throw error
  }
}

async function writeDraft(
  trx: Transaction<Database>,
  { name, title, source, date, jurisdiction, cycleDays, importedFrom, rows }: NewCustomsSet,
  onProgress?: Progress,
): Promise<void> {
  const stored = await trx
    .selectFrom('customs_data_set')
    .select(['data_set as name', 'state', 'is_shipped as shipped'])
    .where('data_set', '=', name)
    .forUpdate()
    .executeTakeFirst()
  const refusal = importRefusal(isShipped(name) ? { name, state: 'published', shipped: true } : stored)
  if (refusal !== undefined) throw new OperatorError(refusal)
  await trx.deleteFrom('customs_data_set').where('data_set', '=', name).execute()
  const { set_id } = await trx
    .insertInto('customs_data_set')
    .values({
      data_set: name,
      table_names: tablesOf(rows),
      title,
      source,
      published_on: date,
      content_hash: hashOfRows(rows),
      sort_no: 0,
      is_shipped: false,
      state: 'draft',
      layer: null,
      jurisdiction,
      imported_from: importedFrom,
      cycle_days: cycleDays,
      published_at: null,
    })
    .returning('set_id')
    .executeTakeFirstOrThrow()
  await writeSetRows(trx, set_id, rows, onProgress)
}

/**
 * The reason why a set with the name of `existing` cannot be imported, as a message for the operator. Undefined if it
 * can.
 */
export function importRefusal(
  existing: Pick<CustomsSet, 'name' | 'state' | 'shipped'> | undefined,
): string | undefined {
  if (existing === undefined || existing.state === 'draft') return undefined
  const { name, shipped, state } = existing
  if (shipped) return `${name} is the name of a shipped set: choose another name`
  if (state === 'published')
    return `${name} is published and cannot change: import under a new name, publish that set, then withdraw ${name}`
  return `${name} is withdrawn: discard it ("customs discard ${name}") or import under a new name`
}

function isShipped(name: string): boolean {
  return shippedCustoms().dataSets.some((set) => set.name === name)
}

/** SHA-256 of the rows without the name of the set. */
function hashOfRows(rows: SetRows): string {
  const hash = createHash('sha256')
  for (const table of CUSTOMS_TABLE_NAMES)
    for (const row of rows[table] ?? []) hash.update(`${table} ${JSON.stringify({ ...row, dataSet: '' })}\n`)
  return hash.digest('hex')
}

/** PostgreSQL error classes 22 (data exception) and 23 (integrity constraint violation). */
function isConstraintViolation(error: unknown): error is Error {
  const { code } = error as { readonly code?: unknown }
  return error instanceof Error && typeof code === 'string' && /^(22|23)...$/.test(code)
}

function violationText(error: Error): string {
  const { detail } = error as { readonly detail?: unknown }
  return typeof detail === 'string' ? `${error.message}: ${detail}` : error.message
}

/**
 * Throws an OperatorError if the previous release may still run and would misread the set. It cannot read the tables
 * that are new, and it ignores the new columns: it would charge an average as an ordinary rate. It stored its shipped
 * rows, so they show that it ran on this database. See docs/decisions/customs.md#d196.
 */
async function refuseDuringUpgrade(trx: Transaction<Database>, setId: number, name: string): Promise<void> {
  const { rows } = await sql<{ readonly what: string }>`
    SELECT what FROM (
      SELECT 'averages' AS what FROM customs_measure WHERE set_id = ${setId} AND level = 'average'
      UNION SELECT 'low-value rules by import scheme' FROM customs_threshold
        WHERE set_id = ${setId} AND import_schemes <> '{}'
      UNION SELECT 'taxes by recipient' FROM customs_tax WHERE set_id = ${setId} AND recipient <> 'any'
      UNION SELECT 'fees with exempt origins' FROM customs_fee WHERE set_id = ${setId} AND exempt_origins <> '{}'
      UNION SELECT 'jurisdictions with tariff_of' FROM customs_jurisdiction
        WHERE set_id = ${setId} AND tariff_of <> ''
      UNION SELECT 'conditional duties' FROM customs_conditional_duty WHERE set_id = ${setId}
      UNION SELECT 'excise rates' FROM customs_excise_rate WHERE set_id = ${setId}
      UNION SELECT 'clearance fees' FROM customs_clearance_fee WHERE set_id = ${setId}
    ) AS unreadable
    WHERE EXISTS (SELECT FROM customs_data_set WHERE is_shipped)
    ORDER BY what`.execute(trx)
  if (rows.length === 0) return
  const found = rows.map(({ what }) => what).join(', ')
  throw new OperatorError(
    `${name} has rows that the previous release misreads (${found}), and the database still has shipped rows of that release. ` +
      'When all replicas run this version, delete them: DELETE FROM customs_data_set WHERE is_shipped',
  )
}

/**
 * Publishes a draft or a withdrawn set. Throws an OperatorError and changes nothing if the set is neither, if the
 * previous release may still run and would misread it, or if the customs data would become inconsistent.
 */
export async function publishCustomsSet(db: Kysely<Database>, name: string): Promise<void> {
  await changeRevisioned(db, CUSTOMS, async (trx, note) => {
    if (isShipped(name)) throw new OperatorError(`${name} is already published`)
    const { set_id, state } = await setNamed(trx, name)
    if (state === 'published') throw new OperatorError(`${name} is already published`)
    await refuseDuringUpgrade(trx, set_id, name)
    await trx
      .updateTable('customs_data_set')
      .set(({ selectFrom }) => ({
        state: 'published' as const,
        published_at: new Date(),
        layer: selectFrom('customs_data_set').select(sql<number>`coalesce(max(layer), 0) + 1`.as('next')),
      }))
      .where('set_id', '=', set_id)
      .execute()
    await refuseMissingLists(
      trx,
      (lists) =>
        trx
          .selectFrom('customs_measure')
          .select(['scope_list as scope', 'exempt_list as exempt'])
          .distinct()
          .where('set_id', '=', set_id)
          .where(({ eb, or }) => or([eb('scope_list', 'in', lists), eb('exempt_list', 'in', lists)]))
          .execute()
          .then((rows) => rows.flatMap(({ scope, exempt }) => [scope, exempt])),
      `${name} names code lists that are not loaded: publish them first, in a set with the table code-lists`,
    )
    note(`${name} is published`)
  })
}

/**
 * Withdraws a published set, so that the rows it replaced apply again. Throws an OperatorError and changes nothing if
 * the set is shipped or not published, or if the customs data would become inconsistent.
 */
export async function withdrawCustomsSet(db: Kysely<Database>, name: string): Promise<void> {
  await changeRevisioned(db, CUSTOMS, async (trx, note) => {
    if (isShipped(name))
      throw new OperatorError(`${name} is shipped and cannot be withdrawn: publish a set that replaces it`)
    const { set_id, state } = await setNamed(trx, name)
    if (state !== 'published') throw new OperatorError(`${name} is ${stateText(state)}, not published`)
    await trx
      .updateTable('customs_data_set')
      .set({ state: 'withdrawn', layer: null })
      .where('set_id', '=', set_id)
      .execute()
    await refuseMissingLists(
      trx,
      (lists) =>
        trx
          .selectFrom('customs_code_list')
          .select('code_list as list')
          .distinct()
          .where('set_id', '=', set_id)
          .where('code_list', 'in', lists)
          .execute()
          .then((rows) => rows.map(({ list }) => list)),
      `${name} has code lists that published measures name`,
    )
    note(`${name} is withdrawn`)
  })
}

/**
 * Throws an OperatorError if the data in effect are inconsistent, or if measures name a code list that is not loaded
 * because of the change. `ofSet` returns the lists among those given that the changed set names or has. Lists that were
 * missing before do not stop other changes.
 */
async function refuseMissingLists(
  trx: Transaction<Database>,
  ofSet: (missing: readonly string[]) => Promise<readonly string[]>,
  why: string,
): Promise<void> {
  const { measures } = await loadCompiledCustoms(trx)
  const missing = missingLists(measures)
  if (missing.length === 0) return
  const caused = new Set(await ofSet(missing))
  const lists = missing.filter((list) => caused.has(list))
  if (lists.length > 0) throw new OperatorError(`${why} (${lists.slice(0, LISTED_LISTS).join(', ')})`)
}

/** Code lists that a message names. */
const LISTED_LISTS = 10

/** Deletes a draft or a withdrawn set. Throws an OperatorError if it is neither. */
export async function discardCustomsSet(db: Kysely<Database>, name: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (isShipped(name)) throw new OperatorError(`${name} is shipped and cannot be discarded`)
    const { set_id, state } = await setNamed(trx, name)
    if (state === 'published') throw new OperatorError(`${name} is published: withdraw it first`)
    await trx.deleteFrom('customs_data_set').where('set_id', '=', set_id).execute()
  })
}

/** "a draft", "withdrawn". */
export function stateText(state: DataSetState): string {
  return state === 'draft' ? 'a draft' : state
}

async function setNamed(trx: Transaction<Database>, name: string) {
  const set = await trx
    .selectFrom('customs_data_set')
    .select(['set_id', 'table_names', 'state'])
    .where('data_set', '=', name)
    .where('is_shipped', '=', false)
    .forUpdate()
    .executeTakeFirst()
  if (set === undefined) throw new OperatorError(`there is no data set ${name}`)
  return set
}
