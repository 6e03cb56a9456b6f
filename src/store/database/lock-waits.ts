/**
 * Locks of tables that running replicas write. All later statements of replicas wait behind a statement that waits for
 * such a lock. So it waits only briefly, and its transaction is repeated after a pause.
 */
import { type Kysely, sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * How long a statement waits for a lock. It must be less than the connection wait of a service (1 s), whose connections
 * are all occupied by statements that wait behind it, and less than PostgreSQL's `deadlock_timeout` (1 s), so that in a
 * deadlock this statement gives up and not one of a caller.
 */
export const LOCK_WAIT_MS = 500

const PAUSES_MS = [500, 1_000, 2_000, 5_000]

/** Milliseconds to pause after so many failures, at least one. */
export function pauseAfter(failures: number): number {
  return PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0
}

/** lock_not_available or deadlock_detected. */
export function isLockFailure(error: unknown): boolean {
  return ['55P03', '40P01'].includes(String((error as { code?: unknown }).code))
}

export type LockHolder = { readonly pid: number; readonly program: string | null }

/** The longest transaction that has locked a table. Another one may have blocked the migration. */
export async function oldestLockHolder(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<LockHolder>`
    SELECT pid, application_name AS program FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'relation' AND granted AND pid <> pg_backend_pid()
        AND relation >= 16384 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      ORDER BY xact_start NULLS LAST LIMIT 1`.execute(db)
  return describeHolder(rows[0], 'the longest transaction is that of server process')
}

export function describeHolder(holder: LockHolder | undefined, prefix: string): string {
  if (holder === undefined) return ''
  return ` (${prefix} ${holder.pid}${holder.program ? `, program "${holder.program}"` : ''})`
}
