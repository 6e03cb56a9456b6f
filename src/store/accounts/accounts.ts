/**
 * Creates and changes accounts for the operator's commands (docs/operations.md#accounts-and-api-keys). Their keys are
 * in keys.ts.
 */
import type { Kysely } from 'kysely'
import type { Caller } from '../../operations/ports/caller.ts'
import { type Database, OperatorError } from '../database/database.ts'

type Db = Kysely<Database>

export type Account = Caller & {
  /** ISO 8601 in UTC. */
  readonly createdAt: string
}

/** Absent settings are not changed. */
export type AccountChanges = {
  readonly accountName?: string
  readonly transitForm?: Caller['transitForm']
  readonly priceBreakdown?: boolean
  readonly countAverages?: boolean
}

/**
 * False if the id is taken. Throws an OperatorError if the account with this id is moved or has left, and an error if
 * the id is not 1 to 40 characters of `[a-z0-9-]`.
 */
export async function createAccount(
  db: Db,
  accountId: string,
  settings: AccountChanges & { readonly accountName: string },
): Promise<boolean> {
  const move = await db
    .selectFrom('account_move')
    .select('role')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (move !== undefined)
    throw new OperatorError(
      `account ${accountId} belongs to another cell, or is moved (waybill account moves)`,
    )
  const created = await db
    .insertInto('account')
    .values({ account_id: accountId, name: settings.accountName, ...settingColumns(settings) })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .returning('account_id')
    .executeTakeFirst()
  return created !== undefined
}

/** Ordered by id. */
export async function listAccounts(db: Db): Promise<Account[]> {
  const rows = await db
    .selectFrom('account')
    .select(['account_id', 'name', 'transit_form', 'price_breakdown', 'count_averages', 'created_at'])
    .orderBy('account_id')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    accountName: row.name,
    transitForm: row.transit_form,
    priceBreakdown: row.price_breakdown,
    countAverages: row.count_averages,
    createdAt: row.created_at.toISOString(),
  }))
}

/** False if the account does not exist. Takes effect in all processes within 5 seconds. */
export async function setAccount(db: Db, accountId: string, changes: AccountChanges): Promise<boolean> {
  const updated = await db
    .updateTable('account')
    // UPDATE needs a column to set even if there are no changes.
    .set({ account_id: accountId, ...settingColumns(changes) })
    .where('account_id', '=', accountId)
    .returning('account_id')
    .executeTakeFirst()
  return updated !== undefined
}

function settingColumns({ accountName, transitForm, priceBreakdown, countAverages }: AccountChanges) {
  return {
    ...(accountName !== undefined && { name: accountName }),
    ...(transitForm !== undefined && { transit_form: transitForm }),
    ...(priceBreakdown !== undefined && { price_breakdown: priceBreakdown }),
    ...(countAverages !== undefined && { count_averages: countAverages }),
  }
}
