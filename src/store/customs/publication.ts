/**
 * Customs data sets as operators change them: draft → published → withdrawn, and published again. Decided here: a
 * set that is published is the highest layer; nothing is published or withdrawn that leaves customs data which do
 * not hold together; a set keeps what it was imported with for good.
 */
import { createHash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { CUSTOMS_TABLES } from '../../core/customs/data/layers.ts'
import type { CustomsTableName } from '../../core/customs/data/rows.ts'
import { type Database, OperatorError } from '../database/database.ts'
import { CUSTOMS, changeRevisioned } from '../database/revision.ts'
import type { DataSetState } from '../tables/customs.ts'
import { compileDeciding, readCustomsRows } from './customs.ts'
import { openSetReader, type Progress, type SetRows, tablesOf, writeSetRows } from './rows.ts'

export type { SetRows } from './rows.ts'

/** A data set, for operators. Days are 'YYYY-MM-DD', times ISO 8601 in UTC. */
export type CustomsSet = {
  readonly name: string
  readonly tables: readonly CustomsTableName[]
  readonly title: string
  readonly source: string
  /** The day its figures were published or gathered. */
  readonly date: string
  /** The jurisdiction it was imported for; null where its rows say it. */
  readonly jurisdiction: string | null
  readonly shipped: boolean
  readonly state: DataSetState
  /** Null while it decides nothing; of several sets the highest decides. */
  readonly layer: number | null
  readonly importedFrom: string | null
  readonly publishedAt: string | null
  /** SHA-256 of what it holds; of a shipped set of its file. */
  readonly hash: string
}

/** A set to import. */
export type NewCustomsSet = Pick<CustomsSet, 'name' | 'title' | 'source' | 'date' | 'jurisdiction'> & {
  readonly importedFrom: string
  readonly rows: SetRows
}

/** All data sets: those that decide first, the highest layer on top. */
export async function listCustomsSets(db: Kysely<Database>): Promise<CustomsSet[]> {
  const rows = await db
    .selectFrom('customs_data_set')
    .selectAll()
    .orderBy('layer', (order) => order.desc().nullsLast())
    .orderBy('sort_no')
    .orderBy('data_set')
    .execute()
  return rows.map((row) => ({
    name: row.data_set,
    tables: row.table_names,
    title: row.title,
    source: row.source,
    date: row.published_on,
    jurisdiction: row.jurisdiction,
    shipped: row.is_shipped,
    state: row.state,
    layer: row.layer,
    importedFrom: row.imported_from,
    publishedAt: row.published_at?.toISOString() ?? null,
    hash: row.content_hash,
  }))
}

/** What a set holds. Throws OperatorError when there is none of that name. */
export async function readCustomsSet(db: Kysely<Database>, name: string): Promise<SetRows> {
  return db.transaction().execute(async (trx) => {
    const { set_id, table_names } = await setNamed(trx, name)
    const read = await openSetReader(trx)
    return read({ setId: set_id, name, tables: table_names })
  })
}

/**
 * Writes a set as a draft, all or nothing; a draft of that name is replaced. Rows go in by chunks; `onProgress` is
 * told of each. Throws OperatorError when a set of that name is not a draft, or when a row breaks a rule of its table.
 */
export async function importCustomsSet(
  db: Kysely<Database>,
  set: NewCustomsSet,
  onProgress?: Progress,
): Promise<void> {
  try {
    await db.transaction().execute((trx) => writeDraft(trx, set, onProgress))
  } catch (error) {
    if (isBrokenRule(error))
      throw new OperatorError(`a row cannot be kept: ${ruleText(error)}`, { cause: error })
    throw error
  }
}

async function writeDraft(
  trx: Transaction<Database>,
  { name, title, source, date, jurisdiction, importedFrom, rows }: NewCustomsSet,
  onProgress?: Progress,
): Promise<void> {
  const refusal = importRefusal(
    await trx
      .selectFrom('customs_data_set')
      .select(['data_set as name', 'state', 'is_shipped as shipped'])
      .where('data_set', '=', name)
      .forUpdate()
      .executeTakeFirst(),
  )
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
      published_at: null,
    })
    .returning('set_id')
    .executeTakeFirstOrThrow()
  await writeSetRows(trx, set_id, rows, onProgress)
}

/** Why a set of that name cannot be imported, in a sentence for the operator; undefined when it can. */
export function importRefusal(
  there: Pick<CustomsSet, 'name' | 'state' | 'shipped'> | undefined,
): string | undefined {
  if (there === undefined || there.state === 'draft') return undefined
  if (there.shipped) return `${there.name} is the name of a shipped set: another is needed`
  if (there.state === 'published')
    return `${there.name} is published and cannot change: import it under a new name, publish that, withdraw ${there.name}`
  return `${there.name} is withdrawn: "customs discard ${there.name}" makes its name free, or import it under a new one`
}

/** SHA-256 of the rows, whatever the set is called. */
function hashOfRows(rows: SetRows): string {
  const hash = createHash('sha256')
  for (const table of CUSTOMS_TABLES)
    for (const row of rows[table] ?? []) hash.update(`${table} ${JSON.stringify({ ...row, dataSet: '' })}\n`)
  return hash.digest('hex')
}

/** PostgreSQL's codes for values that do not fit their column, and for rules of a table that they break. */
function isBrokenRule(error: unknown): error is Error {
  const { code } = error as { readonly code?: unknown }
  return error instanceof Error && typeof code === 'string' && /^(22|23)...$/.test(code)
}

function ruleText(error: Error): string {
  const { detail } = error as { readonly detail?: unknown }
  return typeof detail === 'string' ? `${error.message}: ${detail}` : error.message
}

/**
 * Publishes a draft, or a withdrawn set again: of what it holds, it decides. Throws OperatorError when it is neither,
 * or when the customs data do not hold together with it; nothing is changed then.
 */
export async function publishCustomsSet(db: Kysely<Database>, name: string): Promise<void> {
  await changeRevisioned(db, CUSTOMS, async (trx, note) => {
    const { set_id, state } = await setNamed(trx, name)
    if (state === 'published') throw new OperatorError(`${name} is published already`)
    await trx
      .updateTable('customs_data_set')
      .set(({ selectFrom }) => ({
        state: 'published' as const,
        published_at: new Date(),
        layer: selectFrom('customs_data_set').select(sql<number>`coalesce(max(layer), 0) + 1`.as('next')),
      }))
      .where('set_id', '=', set_id)
      .execute()
    compileDeciding(await readCustomsRows(trx))
    note(`${name} is published`)
  })
}

/** Withdraws a published set: what it took over is given back. Throws OperatorError as publishing does. */
export async function withdrawCustomsSet(db: Kysely<Database>, name: string): Promise<void> {
  await changeRevisioned(db, CUSTOMS, async (trx, note) => {
    const { set_id, state, is_shipped } = await setNamed(trx, name)
    if (is_shipped) throw new OperatorError(`${name} is shipped: a set above it decides in its place`)
    if (state !== 'published') throw new OperatorError(`${name} is ${stateText(state)}, not published`)
    await trx
      .updateTable('customs_data_set')
      .set({ state: 'withdrawn', layer: null })
      .where('set_id', '=', set_id)
      .execute()
    compileDeciding(await readCustomsRows(trx))
    note(`${name} is withdrawn`)
  })
}

/** Deletes a draft or a withdrawn set. Throws OperatorError when it is neither. */
export async function discardCustomsSet(db: Kysely<Database>, name: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { set_id, state, is_shipped } = await setNamed(trx, name)
    if (is_shipped) throw new OperatorError(`${name} is shipped and cannot be discarded`)
    if (state === 'published')
      throw new OperatorError(`${name} is published: withdraw it before it is discarded`)
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
    .select(['set_id', 'table_names', 'state', 'is_shipped'])
    .where('data_set', '=', name)
    .forUpdate()
    .executeTakeFirst()
  if (set === undefined) throw new OperatorError(`there is no data set ${name}`)
  return set
}
