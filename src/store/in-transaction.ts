/** Transactions that callers may already be in. */
import type { Kysely, Transaction } from 'kysely'
import type { Database } from './database.ts'

/** Runs `work` in a transaction of its own; if `db` is a transaction already, as a part of that one. */
export async function inTransaction<Result>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction ? work(db as Transaction<Database>) : db.transaction().execute(work)
}
