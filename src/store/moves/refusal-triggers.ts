/**
 * Switches the triggers that refuse changes of moved accounts (migrations/056-account-moves.ts). They cost each changed
 * row of the cell about 20 µs, so they are enabled only while an account is closed. See
 * docs/distribution.md#move-an-account.
 *
 * They are enabled in the transaction that closes an account. It locks the tables against writers, so every transaction
 * that has changed one of them has ended, and every later change runs the triggers: PostgreSQL reads the triggers of a
 * table after it has locked it, whatever snapshot the transaction has. So after this transaction nothing is in progress
 * that was not refused.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Database, OperatorError } from '../database/database.ts'
import { isLockFailure, LOCK_WAIT_MS, oldestLockHolder, pauseAfter } from '../database/lock-waits.ts'

/** Locked in this order by all that change several of them with DDL, as in the migrations. */
export const GUARDED_TABLES: readonly string[] = [
  ...['account', 'contract', 'contract_discount', 'contract_turnover', 'margin', 'account_registration'],
  ...['agreed_code', 'api_key', 'api_secret', 'kept_estimate', 'webhook_endpoint', 'shipment', 'draft_key'],
  ...['cancel_attempt', 'lookup_report', 'carrier_scan', 'attempt_decision', 'shipment_correction'],
  ...['archived_shipment'],
]

const WAIT_MS = { enable: 5 * 60_000, disable: 30_000 }

/**
 * Enables the triggers in a transaction in which nobody else changes the tables, and runs `close` in it, which must add
 * the row of a move. Throws OperatorError if the tables are locked for minutes, or belong to another role.
 */
export async function closeWithTriggers<Result>(
  db: Kysely<Database>,
  onWait: (reason: string) => void,
  close: (trx: Transaction<Database>, wereEnabled: boolean) => Promise<Result>,
): Promise<Result> {
  return withLockedTables(db, WAIT_MS.enable, onWait, async (trx) => {
    const wereEnabled = await areEnabled(trx)
    const result = await close(trx, wereEnabled)
    await switchTriggers(trx, 'ENABLE')
    return result
  })
}

/** Runs the step of a move that may be its last, and disables the triggers if no account is closed any more. */
export async function thenDisableTriggers<Result>(
  db: Kysely<Database>,
  step: () => Promise<Result>,
): Promise<Result> {
  const result = await step().catch(async (error: unknown) => {
    // A step that was killed after its transaction is refused when it is repeated.
    if (error instanceof OperatorError) await disableIfUnused(db).catch(() => {})
    throw error
  })
  await disableIfUnused(db)
  return result
}

async function disableIfUnused(db: Kysely<Database>): Promise<void> {
  if (!(await isAnyEnabled(db)) || (await isAnyClosed(db))) return
  await withLockedTables(
    db,
    WAIT_MS.disable,
    () => {},
    async (trx) => {
      if (!(await isAnyClosed(trx))) await switchTriggers(trx, 'DISABLE')
    },
  ).catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error
    throw new OperatorError(
      `The command has done its work, but changes stay slower until it is repeated: ${error.message}`,
      { cause: error },
    )
  })
}

/** Throws OperatorError unless the triggers are enabled. A restore of rows only does not enable them. */
export async function assertTriggers(db: Kysely<Database>, accountId: string): Promise<void> {
  if (!(await areEnabled(db)))
    throw new OperatorError(
      `the triggers that keep account ${accountId} closed are not enabled; repeat the export or import`,
    )
}

/** An account that has left is closed until its rows are deleted. Nothing can be written for it afterwards. */
async function isAnyClosed(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM account_move AS move
    WHERE role <> 'left' OR EXISTS (SELECT 1 FROM account WHERE account.account_id = move.account_id) LIMIT 1`.execute(
    db,
  )
  return rows.length > 0
}

async function areEnabled(db: Kysely<Database>): Promise<boolean> {
  return (await countTriggers(db)).disabled === 0
}

async function isAnyEnabled(db: Kysely<Database>): Promise<boolean> {
  return (await countTriggers(db)).enabled > 0
}

/** Partitions have triggers of their own. */
async function countTriggers(db: Kysely<Database>) {
  const { rows } = await sql<{ enabled: number; disabled: number }>`
    SELECT count(*) FILTER (WHERE tgenabled <> 'D')::integer AS enabled,
        count(*) FILTER (WHERE tgenabled = 'D')::integer AS disabled
      FROM pg_trigger WHERE tgname = 'refuse_while_moved'`.execute(db)
  return rows[0] ?? { enabled: 0, disabled: 0 }
}

/** Includes partitions. */
async function switchTriggers(trx: Transaction<Database>, change: 'ENABLE' | 'DISABLE'): Promise<void> {
  for (const table of GUARDED_TABLES)
    await sql`ALTER TABLE ${sql.table(table)} ${sql.raw(change)} TRIGGER refuse_while_moved`.execute(trx)
}

async function withLockedTables<Result>(
  db: Kysely<Database>,
  waitMs: number,
  onWait: (reason: string) => void,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  const endsAt = performance.now() + waitMs
  for (let failures = 1; ; failures++) {
    let isLocked = false
    try {
      return await db.transaction().execute(async (trx) => {
        await lockTables(trx)
        isLocked = true
        return work(trx)
      })
    } catch (error) {
      if (!isLockFailure(error) && (isLocked || !isTimeout(error))) throw asOwnerError(error)
    }
    const reason = `a table is locked${await oldestLockHolder(db)}`
    if (performance.now() + pauseAfter(failures) > endsAt) throw new OperatorError(reason)
    if (failures === 1) onWait(reason)
    await delay(pauseAfter(failures))
  }
}

/** Waits for all tables together as long as for one, because writers wait meanwhile. */
async function lockTables(trx: Transaction<Database>): Promise<void> {
  await sql`SELECT set_config(name, ${String(LOCK_WAIT_MS)}, true)
    FROM unnest('{lock_timeout, statement_timeout}'::text[]) AS name`.execute(trx)
  await sql`LOCK TABLE ${sql.join(GUARDED_TABLES.map((table) => sql.table(table)))}
    IN SHARE ROW EXCLUSIVE MODE`.execute(trx)
  await sql`SELECT set_config('statement_timeout', '0', true)`.execute(trx)
}

/** query_canceled */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '57014'
}

function asOwnerError(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code !== '42501') return error
  return new OperatorError(
    `Only the owner of the tables can close and open accounts (${message}); ` +
      'run the command with the DATABASE_URL that runs the migrations',
    { cause: error },
  )
}
