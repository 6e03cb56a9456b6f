/** Database statistics during a run: sessions that are idle in a transaction, and deadlocks. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../src/store/database/database.ts'

const EVERY_MS = 20

/** Samples every 20 ms until stopped. */
export type SessionWatch = {
  /** The number of samples, and the last statement of each session that was idle in a transaction. */
  stop(): Promise<{ readonly samples: number; readonly idleInTransaction: readonly string[] }>
}

/** Starts sampling. */
export function watchSessions(db: Kysely<Database>): SessionWatch {
  const idleInTransaction: string[] = []
  let samples = 0
  let stopped = false
  const watching = (async () => {
    while (!stopped) {
      const { rows } = await sql<{ query: string }>`
        SELECT query FROM pg_stat_activity
          WHERE datname = current_database() AND state LIKE 'idle in transaction%'`.execute(db)
      idleInTransaction.push(...rows.map(({ query }) => query.replace(/\s+/g, ' ').slice(0, 120)))
      samples += 1
      await pause(EVERY_MS)
    }
  })()
  // `stop` reports a failure.
  watching.catch(() => {})
  return {
    async stop() {
      stopped = true
      await watching
      return { samples, idleInTransaction }
    },
  }
}

/** Sessions report their statistics up to a second later. */
const REPORTED_AFTER_MS = 1_500

/** Number of deadlocks in this database so far. */
export async function deadlocksSoFar(db: Kysely<Database>): Promise<number> {
  await pause(REPORTED_AFTER_MS)
  const { rows } = await sql<{ deadlocks: number }>`
    SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`.execute(db)
  return rows[0]?.deadlocks ?? 0
}
