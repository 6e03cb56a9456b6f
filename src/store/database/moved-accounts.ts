/**
 * Accounts that are moved to another cell. Triggers refuse what is written for them, so background work leaves them
 * out: a refused row would undo the statement for all accounts. See docs/distribution.md#move-an-account.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import { ACCOUNT_IS_MOVED } from './outage.ts'

/** The condition that the account of a row is not moved. `table` is its name or alias. */
export function isNotMoved(table: string): RawBuilder<boolean> {
  return sql<boolean>`NOT EXISTS (SELECT 1 FROM account_move AS move WHERE move.account_id = ${sql.ref(`${table}.account_id`)})`
}

/** The accounts that are closed. Those that have left and are deleted have no rows. */
export async function movedAccounts(db: Kysely<Database>): Promise<readonly string[]> {
  const { rows } = await sql<{ account_id: string }>`
    SELECT account_id FROM account_move AS move WHERE role <> 'left'
      OR EXISTS (SELECT 1 FROM account WHERE account.account_id = move.account_id)`.execute(db)
  return rows.map((row) => row.account_id)
}

/**
 * Throws an error that callers can repeat if the account has left: a request that began before must not be answered
 * that a shipment does not exist.
 */
export async function refuseIfLeft(db: Kysely<Database>, accountId: string): Promise<void> {
  const { rows } =
    await sql`SELECT 1 FROM account_move WHERE account_id = ${accountId} AND role = 'left'`.execute(db)
  if (rows.length > 0)
    throw Object.assign(new Error(`account ${accountId} has left this cell`), { code: ACCOUNT_IS_MOVED })
}
