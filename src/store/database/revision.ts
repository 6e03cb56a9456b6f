/**
 * Revisions of what services keep in memory. Decided here: every change counts the revision up, is written into a log
 * and announced, all in the transaction of the change itself; changes of one thing take turns.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Database, inTransaction } from './database.ts'

/** What has a revision: its table of one row, its log, and the channel where a new one is announced (LISTEN). */
export type Revisioned = {
  readonly table: 'rate_book' | 'customs_book'
  readonly log: 'rate_book_change' | 'customs_change'
  readonly channel: string
}

/** The revision that the database is at: one row of one table. */
export async function revisionOf(db: Kysely<Database>, { table }: Revisioned): Promise<number> {
  const { rows } = await sql<{ revision: number }>`select revision from ${sql.table(table)}`.execute(db)
  return onlyRevision(rows)
}

/**
 * Runs a change, alone: a second one waits until the first is committed or undone. `note` takes what was changed, in
 * words for the log; a change that notes nothing changed nothing, and the revision stays. If `db` is a transaction, the
 * change is part of it, and others wait until that ends.
 */
export async function changeRevisioned<Result>(
  db: Kysely<Database>,
  revisioned: Revisioned,
  change: (trx: Transaction<Database>, note: (what: string) => void) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (trx) => {
    await sql`select revision from ${sql.table(revisioned.table)} for update`.execute(trx)
    const notes: string[] = []
    const result = await change(trx, (what) => notes.push(what))
    if (notes.length > 0) await moveRevision(trx, revisioned, notes.join('; '))
    return result
  })
}

async function moveRevision(
  trx: Transaction<Database>,
  { table, log, channel }: Revisioned,
  what: string,
): Promise<void> {
  const { rows } = await sql<{ revision: number }>`
    update ${sql.table(table)} set revision = revision + 1 returning revision`.execute(trx)
  const revision = onlyRevision(rows)
  await sql`insert into ${sql.table(log)} (revision, what) values (${revision}, ${what})`.execute(trx)
  await sql`select pg_notify(${channel}, ${String(revision)})`.execute(trx)
}

function onlyRevision([row]: readonly { readonly revision: number }[]): number {
  if (row === undefined) throw new Error('the row of the revision is gone')
  return row.revision
}

// The revision of the rate book, which every change of what is sold counts up (see revision.ts).

/** Where a new revision is announced (LISTEN); the message is its number. */
export const REVISION_CHANNEL = 'waybill_rate_book'

const RATE_BOOK: Revisioned = { table: 'rate_book', log: 'rate_book_change', channel: REVISION_CHANNEL }

/** A change that the state of the rate book does not allow; the message is for the operator. */
export class CardRefusal extends Error {
  override readonly name = 'CardRefusal'
}

/** The revision that the database is at. */
export async function readRevision(db: Kysely<Database>): Promise<number> {
  return revisionOf(db, RATE_BOOK)
}

/**
 * Runs a change of what is sold, alone: a second one waits until the first is committed or undone. `note` takes
 * what was changed, in words for the log; a change that notes nothing changed nothing, and the revision stays.
 */
export async function changeRateBook<Result>(
  db: Kysely<Database>,
  change: (trx: Transaction<Database>, note: (what: string) => void) => Promise<Result>,
): Promise<Result> {
  return changeRevisioned(db, RATE_BOOK, change)
}

// The revision of the customs tables, which every change of what decides an estimate counts up (see revision.ts).

/** Where a new revision is announced (LISTEN); the message is its number. */
export const CUSTOMS_CHANNEL = 'waybill_customs'

const CUSTOMS: Revisioned = { table: 'customs_book', log: 'customs_change', channel: CUSTOMS_CHANNEL }

/** A change that the state of the customs data does not allow; the message is for the operator. */
export class CustomsRefusal extends Error {
  override readonly name = 'CustomsRefusal'
}

/** The revision that the database is at. */
export async function readCustomsRevision(db: Kysely<Database>): Promise<number> {
  return revisionOf(db, CUSTOMS)
}

/**
 * Runs a change of what decides, alone: a second one waits until the first is committed or undone. `note` takes
 * what was changed, in words for the log; a change that notes nothing changed nothing, and the revision stays.
 */
export async function changeCustoms<Result>(
  db: Kysely<Database>,
  change: (trx: Transaction<Database>, note: (what: string) => void) => Promise<Result>,
): Promise<Result> {
  return changeRevisioned(db, CUSTOMS, change)
}
