/** The tables as Kysely sees them: one file of row types per migration subject. Row types stay inside `store/`. */

import type { Kysely, Transaction } from 'kysely'
import type { AccountTableRows, ProductionUseTableRows } from '../tables/accounts.ts'
import type { CustomsTableRows } from '../tables/customs.ts'
import type { RateBookTableRows } from '../tables/rate-book.ts'
import type { ShipmentTableRows } from '../tables/shipments.ts'

/** Table name to row type. Columns that the database fills are `Generated`; money is bigint, read as number. */
export interface Database
  extends AccountTableRows,
    ProductionUseTableRows,
    RateBookTableRows,
    ShipmentTableRows,
    CustomsTableRows {}

// Transactions that callers may already be in.

/** Runs `work` in a transaction of its own; if `db` is a transaction already, as a part of that one. */
export async function inTransaction<Result>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction ? work(db as Transaction<Database>) : db.transaction().execute(work)
}
