/**
 * Which accounts have due work (docs/growth.md#a-round-of-the-sweeper). A round without due work reads one entry of an
 * index for each carrier and kind of work, however many accounts and shipments there are.
 *
 * 1. For each carrier, the rows that are due longest are read, up to `rows`, and counted by account.
 * 2. If there are more, one account or one set of credentials may have a backlog that hides the work of others. Then
 *    the next `accounts` accounts of that carrier are also asked for their earliest row. The next round continues
 *    behind them, so each account is reached after (accounts with such work / `accounts`) rounds.
 * 3. Accounts that are moved to another cell are left out.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DueWork, WorkKind } from '../../operations/ports/recovery.ts'
import type { Database } from '../database/database.ts'
import { movedAccounts } from '../database/moved-accounts.ts'

/** How much one round reads for each carrier and kind of work. */
export type DueLimits = { readonly rows: number; readonly accounts: number }

export const DUE_LIMITS: DueLimits = { rows: 5_000, accounts: 500 }

/**
 * Where the rows of a kind of work are. `isQueued` is the condition of the partial indexes on (carrier_code, column)
 * and (carrier_code, account_id, column).
 */
type Queue = {
  readonly table: 'cancel_attempt' | 'lookup_report' | 'lookup_schedule'
  readonly column: 'next_try_at' | 'verify_at' | 'due_at'
  readonly isQueued: RawBuilder<unknown>
}

const IS_VERIFIED_LATER = sql`queued.verify_at IS NOT NULL`

const QUEUES = {
  attempts: { table: 'cancel_attempt', column: 'next_try_at', isQueued: sql`queued.phase = 'pending'` },
  verifications: { table: 'cancel_attempt', column: 'verify_at', isQueued: IS_VERIFIED_LATER },
  reports: { table: 'lookup_report', column: 'verify_at', isQueued: IS_VERIFIED_LATER },
  lookups: { table: 'lookup_schedule', column: 'due_at', isQueued: sql`true` },
} as const satisfies Partial<Record<WorkKind, Queue>>

type QueuedKind = keyof typeof QUEUES

/** The result of the port. Remembers where the accounts of a backlog were read last. */
export function dueWorkReader(
  db: Kysely<Database>,
  limits: DueLimits = DUE_LIMITS,
): (countedUpTo: number) => Promise<readonly DueWork[]> {
  /** The last account that was asked, by kind of work and carrier. */
  const places = new Map<string, string>()
  return async (countedUpTo) => {
    const { rows } = await firstStatement(limits.rows).execute(db)
    const read = new Map<string, number>()
    for (const { work, carrierCode, count } of rows)
      read.set(keyOf(work, carrierCode), (read.get(keyOf(work, carrierCode)) ?? 0) + count)
    const found = new Map(rows.map((row) => [`${keyOf(row.work, row.carrierCode)} ${row.accountId}`, row]))
    for (const { work, carrierCode } of new Map(
      rows.map((row) => [keyOf(row.work, row.carrierCode), row]),
    ).values()) {
      const key = keyOf(work, carrierCode)
      // Bookings are read by account: only accounts with a running booking have any.
      if (work === 'bookings' || (read.get(key) ?? 0) < limits.rows) continue
      const further = await nextAccounts(db, work, carrierCode, places.get(key) ?? '', countedUpTo, limits)
      for (const row of further.due) found.set(`${key} ${row.accountId}`, row)
      places.set(key, further.place)
    }
    const moved = found.size === 0 ? [] : await movedAccounts(db)
    return [...found.values()]
      .filter(({ accountId }) => !moved.includes(accountId))
      .map((row) => ({ ...row, count: Math.min(row.count, countedUpTo) }))
  }
}

function keyOf(work: WorkKind, carrierCode: string): string {
  return `${work} ${carrierCode}`
}

const NOW = sql`(SELECT clock_timestamp())`

function firstStatement(rows: number): RawBuilder<DueWork> {
  const queues = (Object.keys(QUEUES) as QueuedKind[]).map((work) => firstRows(work, QUEUES[work], rows))
  return sql`${sql.join([...queues, BOOKINGS], sql` UNION ALL `)}`
}

/** The first rows of each carrier, counted by account. */
function firstRows(work: QueuedKind, { table, column, isQueued }: Queue, rows: number): RawBuilder<DueWork> {
  const due = sql.ref(`queued.${column}`)
  return sql`(
    SELECT ${sql.lit(work)} AS work, carrier.carrier_code AS "carrierCode", first.account_id AS "accountId",
        count(*)::integer AS count
      FROM carrier CROSS JOIN LATERAL (
        SELECT queued.account_id FROM ${sql.table(table)} AS queued
          WHERE queued.carrier_code = carrier.carrier_code AND ${isQueued} AND ${due} <= ${NOW}
          ORDER BY ${due} LIMIT ${rows}::integer
      ) AS first GROUP BY carrier.carrier_code, first.account_id
  )`
}

/** There are never many running bookings, and their index has nothing else. */
const BOOKINGS = sql<DueWork>`(
  SELECT 'bookings', carrier_code, account_id, count(*)::integer FROM shipment
    WHERE booking_until IS NOT NULL AND booking_until <= ${NOW} GROUP BY carrier_code, account_id
)`

type AccountRow = { account_id: string; count: number }

/** The due work of the next accounts of a carrier that have such work, and the last of these accounts. */
async function nextAccounts(
  db: Kysely<Database>,
  work: QueuedKind,
  carrierCode: string,
  after: string,
  countedUpTo: number,
  { accounts }: DueLimits,
): Promise<{ readonly due: readonly DueWork[]; readonly place: string }> {
  const { table, column, isQueued }: Queue = QUEUES[work]
  const due = sql.ref(`queued.${column}`)
  const earliest = (behind: RawBuilder<unknown>) => sql`
    SELECT queued.account_id, ${due} AS due_at FROM ${sql.table(table)} AS queued
      WHERE queued.carrier_code = ${carrierCode} AND queued.account_id > ${behind} AND ${isQueued}
      ORDER BY queued.account_id, ${due} LIMIT 1`
  const { rows } = await sql<AccountRow>`
    WITH RECURSIVE heads AS (
      (${earliest(sql`${after}`)})
      UNION ALL
      SELECT head.* FROM heads AS previous CROSS JOIN LATERAL (${earliest(sql`previous.account_id`)}) AS head
    )
    SELECT head.account_id, counted.count FROM (SELECT * FROM heads LIMIT ${accounts}::integer) AS head
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS count FROM (
          SELECT 1 FROM ${sql.table(table)} AS queued WHERE queued.carrier_code = ${carrierCode}
            AND queued.account_id = head.account_id AND ${isQueued} AND ${due} <= ${NOW} LIMIT ${countedUpTo}::integer
        ) AS due WHERE head.due_at <= ${NOW}
      ) AS counted`.execute(db)
  return {
    due: rows
      .filter(({ count }) => count > 0)
      .map(({ account_id: accountId, count }) => ({ work, carrierCode, accountId, count })),
    // Behind the last account it begins again.
    place: rows.length < accounts ? '' : (rows.at(-1)?.account_id ?? ''),
  }
}
