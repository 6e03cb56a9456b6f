/**
 * The first step of a move: closes the account for writes and exports it. See docs/distribution.md#move-an-account.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Database, inSnapshot, OperatorError } from '../database/database.ts'
import { numberEvents } from '../events/event-log.ts'
import { FORMAT, findMove, isHere, type MovedFile, schemaName, sha256, textOf } from './account-move.ts'
import { readAccountRows } from './account-rows.ts'
import { closeWithTriggers } from './refusal-triggers.ts'

const POLL_MS = 250

/**
 * Closes the account for writes, waits until nothing is in progress, and passes its lines to `write`, which returns
 * when they are durable. Can be repeated until the account has left; then throws OperatorError. `onWait` is called at
 * most once for each reason.
 */
export async function exportAccount(
  db: Kysely<Database>,
  accountId: string,
  write: (chunks: AsyncIterable<readonly string[]>) => Promise<void>,
  onWait: (reason: string) => void,
): Promise<MovedFile> {
  const move = await closeAccount(db, accountId, onWait)
  await waitUntilQuiet(db, accountId, onWait)
  const hash = createHash('sha256')
  let [confirmation, rows] = ['', 0]
  const lines = async function* (trx: Transaction<Database>): AsyncGenerator<readonly string[]> {
    const hashed = (chunk: readonly string[]): readonly string[] => {
      for (const line of chunk) hash.update(`${line}\n`)
      return chunk
    }
    const { move_id: moveId, release_digest: releaseDigest } = move
    yield hashed([JSON.stringify({ format: FORMAT, schema: schemaName(), accountId, moveId, releaseDigest })])
    for await (const chunk of readAccountRows(trx, accountId)) {
      rows += chunk.rows.length
      yield hashed(chunk.rows.map((row) => `${chunk.table} ${row}`))
    }
    yield hashed([JSON.stringify({ rows })])
    confirmation = hash.digest('hex')
    // Before `write` returns, so that the confirmation of every complete file is known, and in another transaction, so
    // that it is known that the account was closed until now.
    const { numAffectedRows } =
      await sql`UPDATE account_move SET digests = array_append(digests, ${confirmation})
      WHERE account_id = ${accountId} AND move_id = ${move.move_id} AND role = 'leaving'`.execute(db)
    if (numAffectedRows !== 1n)
      throw new OperatorError(
        `account ${accountId} has been opened or has left meanwhile; do not use the file`,
      )
  }
  await inSnapshot(db, (trx) => write(lines(trx)))
  return { confirmation, rows }
}

async function closeAccount(db: Kysely<Database>, accountId: string, onWait: (reason: string) => void) {
  return closeWithTriggers(db, onWait, async (trx, wereEnabled) => {
    const known = await findMove(trx, accountId)
    if (known?.role === 'leaving') {
      // Written meanwhile, so former files lack something.
      if (!wereEnabled)
        await trx
          .updateTable('account_move')
          .set({ digests: [] })
          .where('account_id', '=', accountId)
          .execute()
      return known
    }
    if (known !== undefined) throw new OperatorError(textOf(accountId, known.role))
    if (!(await isHere(trx, accountId))) throw new OperatorError(`there is no account ${accountId}`)
    const releaseCode = randomBytes(16).toString('hex')
    return trx
      .insertInto('account_move')
      .values({
        account_id: accountId,
        move_id: randomUUID(),
        role: 'leaving',
        release_code: releaseCode,
        release_digest: sha256(releaseCode),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** Waits for calls to carriers and webhooks that may still be running, and until all events have numbers. */
async function waitUntilQuiet(
  db: Kysely<Database>,
  accountId: string,
  onWait: (reason: string) => void,
): Promise<void> {
  const told = new Set<string>()
  for (;;) {
    await numberEvents(db)
    const reasons = await readReasons(db, accountId)
    if (reasons.length === 0) return
    for (const reason of reasons.filter((reason) => !told.has(reason))) {
      told.add(reason)
      onWait(reason)
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function readReasons(db: Kysely<Database>, accountId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ reason: string }>`
    SELECT 'cancellations that are being sent' AS reason WHERE EXISTS (SELECT 1 FROM cancel_attempt
      WHERE account_id = ${accountId} AND phase = 'pending' AND lease_owner IS NOT NULL
        AND lease_until > clock_timestamp())
    UNION ALL SELECT 'bookings that are being sent' WHERE EXISTS (SELECT 1 FROM shipment
      WHERE account_id = ${accountId} AND booking_until > clock_timestamp())
    UNION ALL SELECT 'webhooks that are being sent' WHERE EXISTS (SELECT 1 FROM webhook_endpoint
      WHERE account_id = ${accountId} AND lease_until > clock_timestamp())
    UNION ALL SELECT 'events without a number' WHERE EXISTS (SELECT 1 FROM account_event
      WHERE account_id = ${accountId} AND sequence IS NULL)`.execute(db)
  return rows.map(({ reason }) => reason)
}
