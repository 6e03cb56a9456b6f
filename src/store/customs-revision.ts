/** The revision of the customs tables, which every change of what decides an estimate counts up (see revision.ts). */
import type { Kysely, Transaction } from 'kysely'
import type { Database } from './database.ts'
import { changeRevisioned, type Revisioned, revisionOf } from './revision.ts'

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
