/**
 * Revisions of the data that services keep in memory. Every change increments the revision, writes a log entry and
 * notifies listeners, all in the transaction of the change. Concurrent changes of the same data run one after the
 * other.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Database, inTransaction, OperatorError } from './database.ts'

/** Data with a revision: the table with one row that stores it, the log, and the channel for notifications (LISTEN). */
export type Revisioned = {
  readonly table: 'rate_book' | 'customs_book'
  readonly log: 'rate_book_change' | 'customs_change'
  readonly channel: string
  /** What a message calls it. */
  readonly name: string
}

export const RATE_BOOK: Revisioned = {
  table: 'rate_book',
  log: 'rate_book_change',
  channel: 'waybill_rate_book',
  name: 'the rate book',
}

export const CUSTOMS: Revisioned = {
  table: 'customs_book',
  log: 'customs_change',
  channel: 'waybill_customs',
  name: 'the customs data',
}

export async function readRevision(db: Kysely<Database>, { table }: Revisioned): Promise<number> {
  const { rows } = await sql<RevisionRow>`SELECT revision FROM ${sql.table(table)}`.execute(db)
  return onlyRevision(rows)
}

/**
 * Runs a change as soon as all earlier changes have committed or rolled back. The change calls `note` with a
 * description for the log; without a call, the revision does not change. If `db` is a transaction, the change is part
 * of it, and other changes wait until it ends. Throws OperatorError if the revision is not `previewed`, the one that an
 * operator has confirmed the change for.
 */
export async function changeRevisioned<Result>(
  db: Kysely<Database>,
  revisioned: Revisioned,
  change: (trx: Transaction<Database>, note: (what: string) => void) => Promise<Result>,
  previewed?: number,
): Promise<Result> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<RevisionRow>`
      SELECT revision FROM ${sql.table(revisioned.table)} FOR UPDATE`.execute(trx)
    if (previewed !== undefined && onlyRevision(rows) !== previewed)
      throw new OperatorError(`${revisioned.name} has changed meanwhile; repeat the command`)
    const notes: string[] = []
    const result = await change(trx, (what) => notes.push(what))
    if (notes.length > 0) await incrementRevision(trx, revisioned, notes.join('; '))
    return result
  })
}

type RevisionRow = { readonly revision: number }

async function incrementRevision(
  trx: Transaction<Database>,
  { table, log, channel }: Revisioned,
  what: string,
): Promise<void> {
  const { rows } = await sql<RevisionRow>`
    UPDATE ${sql.table(table)} SET revision = revision + 1 RETURNING revision`.execute(trx)
  const revision = onlyRevision(rows)
  await sql`INSERT INTO ${sql.table(log)} (revision, what) VALUES (${revision}, ${what})`.execute(trx)
  await sql`SELECT pg_notify(${channel}, ${String(revision)})`.execute(trx)
}

function onlyRevision([row]: readonly RevisionRow[]): number {
  if (row === undefined) throw new Error('the row of the revision is missing')
  return row.revision
}
