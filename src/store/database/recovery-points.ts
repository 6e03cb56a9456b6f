/**
 * Notices that the database continues from an earlier state, by its timeline, the system identifier of its server and
 * its oid. A dump that is restored over the same database changes none of them: `waybill database restored` records it.
 * See docs/operations.md#after-a-failover-or-a-restore.
 */
import { type Kysely, sql } from 'kysely'
import type { Database } from './database.ts'

export type RecoveryPoint = {
  readonly cause: 'failover' | 'restore' | 'operator'
  /** ISO 8601 in UTC. */
  readonly noticedAt: string
}

/** Records a new recovery point if there is one, once for all processes, and returns it. */
export async function noteRecovery(db: Kysely<Database>): Promise<RecoveryPoint | undefined> {
  const origin = await originOf(db)
  const { rows } = await sql<{ cause: RecoveryPoint['cause'] | 'first'; at: Date }>`
    WITH latest AS (
      SELECT recovery_id, timeline, origin FROM recovery_point ORDER BY recovery_id DESC LIMIT 1
    ), current AS (
      SELECT split_part(lineage, '.', 1) AS timeline, ${origin}::text AS origin, lineage
        FROM database_lineage() AS now (lineage)
    )
    INSERT INTO recovery_point (follows, cause, timeline, origin, lineage)
      SELECT coalesce(latest.recovery_id, 0),
          CASE WHEN latest.recovery_id IS NULL THEN 'first'
            WHEN latest.origin <> current.origin THEN 'restore' ELSE 'failover' END,
          current.timeline, current.origin, current.lineage
        FROM current LEFT JOIN latest ON true
        WHERE (latest.timeline, latest.origin) IS DISTINCT FROM (current.timeline, current.origin)
      ON CONFLICT (follows) DO NOTHING
      RETURNING cause, noticed_at AS at`.execute(db)
  const [noted] = rows
  if (noted === undefined || noted.cause === 'first') return undefined
  return { cause: noted.cause, noticedAt: noted.at.toISOString() }
}

/** Records that an operator has restored the database. */
export async function recordRestore(db: Kysely<Database>): Promise<RecoveryPoint> {
  const origin = await originOf(db)
  const { rows } = await sql<{ at: Date }>`
    INSERT INTO recovery_point (cause, timeline, origin, lineage)
      SELECT 'operator', split_part(lineage, '.', 1), ${origin}, lineage FROM database_lineage() AS now (lineage)
      RETURNING noticed_at AS at`.execute(db)
  return { cause: 'operator', noticedAt: rows[0]?.at.toISOString() ?? '' }
}

/** Not every server lets its clients read the system identifier. */
async function originOf(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ oid: string }>`
    SELECT oid::text AS oid FROM pg_database WHERE datname = current_database()`.execute(db)
  const oid = rows[0]?.oid ?? ''
  try {
    const system = await sql<{
      id: string
    }>`SELECT system_identifier::text AS id FROM pg_control_system()`.execute(db)
    return `${system.rows[0]?.id ?? ''}/${oid}`
  } catch (error) {
    if (!UNREADABLE.has(String((error as { code?: unknown }).code))) throw error
    return `/${oid}`
  }
}

/** insufficient_privilege, feature_not_supported, undefined_function. */
const UNREADABLE = new Set(['42501', '0A000', '42883'])

export type RecoveryWatch = { close(): Promise<void> }

export type RecoveryWatchOptions = {
  /** Default: 10 seconds. */
  readonly everyMs?: number
  /** Called by the process that has recorded the recovery point. */
  onRecovery(point: RecoveryPoint): void
}

/** Looks for a new recovery point until closed. In an outage it waits for the next time. */
export function watchRecovery(
  db: Kysely<Database>,
  { everyMs = 10_000, onRecovery }: RecoveryWatchOptions,
): RecoveryWatch {
  let running: Promise<void> | undefined
  const check = async (): Promise<void> => {
    try {
      const point = await noteRecovery(db)
      if (point !== undefined) onRecovery(point)
    } catch {
      // In an outage the statements of callers report it.
    }
    running = undefined
  }
  const timer = setInterval(() => {
    running ??= check()
  }, everyMs)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}
