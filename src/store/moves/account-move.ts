/**
 * Moves an account to another cell, in steps that can be repeated: the source is closed for writes and exported, the
 * target imports and stays closed, the source deletes what the target has confirmed, and what it prints then opens the
 * target. At most one of both accepts writes at any time. This file reads and changes the record of a move, for all
 * steps. See docs/distribution.md#move-an-account.
 */
import { createHash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Database, OperatorError } from '../database/database.ts'
import { changeRevisioned, RATE_BOOK } from '../database/revision.ts'
import { MIGRATIONS } from '../migrations/index.ts'

/** Of the file of an export. */
export const FORMAT = 1

export type AccountMove = {
  readonly accountId: string
  readonly role: 'leaving' | 'left' | 'arriving'
  /** ISO 8601 in UTC. */
  readonly since: string
}

/** Ordered by account. */
export async function listMoves(db: Kysely<Database>): Promise<readonly AccountMove[]> {
  const rows = await db.selectFrom('account_move').selectAll().orderBy('account_id').execute()
  return rows.map((row) => ({ accountId: row.account_id, role: row.role, since: row.begun_at.toISOString() }))
}

/** What an export has written, or an import has read. */
export type MovedFile = {
  /** SHA-256 of the lines, in hexadecimal. */
  readonly confirmation: string
  readonly rows: number
}

/** The migrations decide which columns the rows have. */
export function schemaName(): string {
  return Object.keys(MIGRATIONS).at(-1) ?? ''
}

/** The account had left before, or was never here. */
export async function endArrival(trx: Transaction<Database>, accountId: string): Promise<void> {
  await sql`UPDATE account_move SET role = 'left', digests = '{}', had_left = false
    WHERE account_id = ${accountId} AND had_left`.execute(trx)
  await trx
    .deleteFrom('account_move')
    .where('account_id', '=', accountId)
    .where('role', '=', 'arriving')
    .execute()
}

/** Locks the row, so that steps of the same move run one after the other. */
export async function findMove(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('account_move')
    .selectAll()
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
}

/** For this transaction only. */
export async function allowWrites(trx: Transaction<Database>, accountId: string): Promise<void> {
  await sql`SELECT set_config('waybill.moved_account', ${accountId}, true)`.execute(trx)
}

export async function hasPrices(trx: Transaction<Database>, accountId: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM contract WHERE account_id = ${accountId}
    UNION ALL SELECT 1 FROM contract_turnover WHERE account_id = ${accountId}
    UNION ALL SELECT 1 FROM margin WHERE account_id = ${accountId} LIMIT 1`.execute(trx)
  return rows.length > 0
}

/** Services then read the rate book again. */
export async function noteChangedPrices(
  trx: Transaction<Database>,
  accountId: string,
  what: string,
): Promise<void> {
  await changeRevisioned(trx, RATE_BOOK, async (_, note) => note(`account ${accountId} was ${what}`))
}

export async function isHere(trx: Transaction<Database>, accountId: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM account WHERE account_id = ${accountId}`.execute(trx)
  return rows.length > 0
}

export async function refuseUnknown(trx: Transaction<Database>, accountId: string): Promise<void> {
  if (!(await isHere(trx, accountId))) throw new OperatorError(`there is no account ${accountId}`)
}

export function textOf(accountId: string, role: AccountMove['role']): string {
  switch (role) {
    case 'leaving':
      return `account ${accountId} has been exported from this cell`
    case 'left':
      return `account ${accountId} has left this cell`
    case 'arriving':
      return `account ${accountId} has been imported into this cell, and is not open yet`
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
