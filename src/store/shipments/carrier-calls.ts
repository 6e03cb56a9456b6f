/**
 * Keeps the records of calls to carriers. They are written after the call, without delaying it, so a record can be lost
 * if the database is unavailable or the process ends. What was sent is decided by the attempt alone, never by a record.
 * See docs/carriers.md#records-of-calls.
 */
import { type Kysely, sql } from 'kysely'
import type { CarrierCall } from '../../operations/ports/carrier-calls.ts'
import type { Database } from '../database/database.ts'

/** Records that wait to be written. More are dropped. */
const WAITING_MAX = 1_000
const BATCH = 100
const REMOVE_EVERY_MS = 60_000
/** Rows in one statement, which holds their locks until its end. */
const REMOVED_AT_ONCE = 500
const REMOVALS_MAX = 20

export type CallRecords = {
  /** Never throws. */
  keep(call: CarrierCall): void
  /** Writes what waits. */
  close(): Promise<void>
}

type Options = {
  readonly keptDays: number
  /** `lost` records could not be written or removed. Called once for each failed statement. */
  onFault(error: unknown, lost: number): void
}

export function openCallRecords(db: Kysely<Database>, { keptDays, onFault }: Options): CallRecords {
  const waiting: CarrierCall[] = []
  let dropped = 0
  let writing: Promise<void> | undefined
  let removing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH)
      const lost = dropped
      dropped = 0
      if (lost > 0) onFault(new Error('too many calls at once'), lost)
      await insertCalls(db, batch).catch((error: unknown) => onFault(error, batch.length))
    }
    writing = undefined
  }
  const remove = async (): Promise<void> => {
    for (let round = 0; round < REMOVALS_MAX; round += 1)
      if ((await removeCalls(db, keptDays)) < REMOVED_AT_ONCE) return
  }
  const timer = setInterval(() => {
    removing = remove().catch((error: unknown) => onFault(error, 0))
  }, REMOVE_EVERY_MS)
  timer.unref()
  return {
    keep(call) {
      if (waiting.length >= WAITING_MAX) dropped += 1
      else waiting.push(call)
      writing ??= write()
    },
    async close() {
      clearInterval(timer)
      await writing
      await removing
    },
  }
}

async function insertCalls(db: Kysely<Database>, calls: readonly CarrierCall[]): Promise<void> {
  await db
    .insertInto('carrier_call')
    .values(
      calls.map(({ begunAt, durationMs, carrierCode, accountId, attemptId, exchanges, cause, ...call }) => ({
        purpose: call.purpose,
        subject: call.subject,
        outcome: call.outcome,
        cause: cause ?? null,
        begun_at: begunAt,
        duration_ms: durationMs,
        carrier_code: carrierCode,
        account_id: accountId,
        attempt_id: attemptId ?? null,
        exchanges: JSON.stringify(exchanges),
      })),
    )
    .execute()
}

/** Returns how many were removed. */
export async function removeCalls(db: Kysely<Database>, keptDays: number): Promise<number> {
  const { rows } = await sql`
    WITH old AS (
      SELECT account_id, call_id FROM carrier_call WHERE begun_at < clock_timestamp() - ${keptDays} * interval '1 day'
        ORDER BY begun_at LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED
    )
    DELETE FROM carrier_call USING old
      WHERE carrier_call.account_id = old.account_id AND carrier_call.call_id = old.call_id RETURNING 1`.execute(
    db,
  )
  return rows.length
}

/** The newest calls that `callsForAttempt` returns. */
const CALLS_MAX = 1_000

export type AttemptCalls = {
  readonly attemptId: string
  readonly carrierCode: string
  readonly accountId: string
  /** The tracking numbers, and the id of the shipment. */
  readonly subjects: readonly string[]
  /** The attempt began so many milliseconds ago. */
  readonly ageMs: number
}

/** Calls from this long before an attempt belong to it: the request for its token, and a lookup of its parcel. */
const BEFORE_MS = 60_000

/** The calls of an attempt: its sends, and everything else about its parcels since it began. Oldest first. */
export async function callsForAttempt(
  db: Kysely<Database>,
  { attemptId, carrierCode, accountId, subjects, ageMs }: AttemptCalls,
): Promise<readonly CarrierCall[]> {
  const rows = await db
    .selectFrom('carrier_call')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((eb) =>
      eb.or([
        eb('attempt_id', '=', attemptId),
        eb.and([
          eb('attempt_id', 'is', null),
          eb('carrier_code', '=', carrierCode),
          eb('subject', 'in', [...subjects]),
          eb(
            'begun_at',
            '>=',
            sql<Date>`clock_timestamp() - ${ageMs + BEFORE_MS} * interval '1 millisecond'`,
          ),
        ]),
      ]),
    )
    .orderBy('begun_at', 'desc')
    .orderBy('call_id', 'desc')
    .limit(CALLS_MAX)
    .execute()
  return rows.reverse().map((row) => ({
    purpose: row.purpose,
    carrierCode: row.carrier_code,
    accountId: row.account_id,
    subject: row.subject,
    ...(row.attempt_id !== null && { attemptId: row.attempt_id }),
    begunAt: row.begun_at.toISOString(),
    durationMs: row.duration_ms,
    outcome: row.outcome,
    ...(row.cause !== null && { cause: row.cause }),
    exchanges: row.exchanges,
  }))
}
