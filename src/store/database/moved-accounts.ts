/**
 * Accounts that are moved to another cell. Triggers refuse what is written for them, so background work leaves them
 * out: a refused row would undo the statement for all accounts. See docs/distribution.md#move-an-account.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

/** The condition that the account of a row is not moved. `table` is its name or alias. */
export function isNotMoved(table: string): RawBuilder<boolean> {
  return sql<boolean>`NOT EXISTS (SELECT 1 FROM account_move AS move WHERE move.account_id = ${sql.ref(`${table}.account_id`)})`
}

/** The accounts that are closed. Those that have left have no rows. */
export async function movedAccounts(db: Kysely<Database>): Promise<readonly string[]> {
  const { rows } = await sql<{ account_id: string }>`
    SELECT account_id FROM account_move WHERE role <> 'left'`.execute(db)
  return rows.map((row) => row.account_id)
}
