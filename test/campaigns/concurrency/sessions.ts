/** What the server says of its sessions while a crowd is in: those that sit in a transaction, and deadlocks. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../src/store/database/database.ts'

const EVERY_MS = 20

/** Looks every 20 ms until stopped. */
export type SessionWatch = {
  /** How often it looked, and each session that was found idle in a transaction, with its last statement. */
  stop(): Promise<{ readonly looks: number; readonly idleInTransaction: readonly string[] }>
}

/** Starts looking, over a connection of its own. */
export function watchSessions(db: Kysely<Database>): SessionWatch {
  const idleInTransaction: string[] = []
  let looks = 0
  let stopped = false
  const watching = (async () => {
    while (!stopped) {
      const { rows } = await sql<{ query: string }>`
        SELECT query FROM pg_stat_activity
          WHERE datname = current_database() AND state LIKE 'idle in transaction%'`.execute(db)
      idleInTransaction.push(...rows.map(({ query }) => query.replace(/\s+/g, ' ').slice(0, 120)))
      looks += 1
      await pause(EVERY_MS)
    }
  })()
  // Whoever stops it hears of a failure.
  watching.catch(() => {})
  return {
    async stop() {
      stopped = true
      await watching
      return { looks, idleInTransaction }
    },
  }
}

/** Sessions report what they met a second later. */
const REPORTED_AFTER_MS = 1_500

/** How many deadlocks this database has had. */
export async function deadlocksSoFar(db: Kysely<Database>): Promise<number> {
  await pause(REPORTED_AFTER_MS)
  const { rows } = await sql<{ deadlocks: number }>`
    SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`.execute(db)
  return rows[0]?.deadlocks ?? 0
}
