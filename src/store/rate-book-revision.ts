/** The revision of the rate book, which every change of what is sold counts up (see revision.ts). */
import type { Kysely, Transaction } from 'kysely'
import type { Database } from './database.ts'
import { changeRevisioned, type Revisioned, revisionOf } from './revision.ts'

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
