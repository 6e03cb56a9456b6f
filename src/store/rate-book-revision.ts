/**
 * The revision of the rate book. Decided here: every change of what is sold counts it up, is written into the log
 * of changes and announced, all in the transaction of the change itself; changes take turns.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from './database.ts'

/** Where a new revision is announced (LISTEN); the message is its number. */
export const REVISION_CHANNEL = 'waybill_rate_book'

/** A change that the state of the rate book does not allow; the message is for the operator. */
export class CardRefusal extends Error {
  override readonly name = 'CardRefusal'
}

/** The revision that the database is at: one row of one table. */
export async function readRevision(db: Kysely<Database>): Promise<number> {
  const { revision } = await db.selectFrom('rate_book').select('revision').executeTakeFirstOrThrow()
  return revision
}

/**
 * Runs a change of what is sold, alone: a second one waits until the first is committed or undone. `note` takes
 * what was changed, in words for the log; a change that notes nothing changed nothing, and the revision stays.
 */
export async function changeRateBook<Result>(
  db: Kysely<Database>,
  change: (trx: Transaction<Database>, note: (what: string) => void) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    await trx.selectFrom('rate_book').select('revision').forUpdate().executeTakeFirstOrThrow()
    const notes: string[] = []
    const result = await change(trx, (what) => notes.push(what))
    if (notes.length > 0) await moveRevision(trx, notes.join('; '))
    return result
  })
}

async function moveRevision(trx: Transaction<Database>, what: string): Promise<void> {
  const { revision } = await trx
    .updateTable('rate_book')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .returning('revision')
    .executeTakeFirstOrThrow()
  await trx.insertInto('rate_book_change').values({ revision, what }).execute()
  await sql`select pg_notify(${REVISION_CHANNEL}, ${String(revision)})`.execute(trx)
}
