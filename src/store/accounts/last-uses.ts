/** Records when API keys were last used. Uses are collected in memory and written together, once a minute. */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/database.ts'

const WRITE_EVERY_MS = 60_000

export type LastUses = {
  note(keyId: string): void
  /** Writes what was noted. After an error, the uses are kept for the next time. Never rejects. */
  write(): Promise<void>
  /** Writes for the last time, and stops. */
  close(): Promise<void>
}

/** A timer runs only while uses wait to be written. `time` is the time of the system in milliseconds. */
export function openLastUses(db: Kysely<Database>, time: () => number = Date.now): LastUses {
  let uses = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const write = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (uses.size === 0) return
    const written = uses
    uses = new Map()
    try {
      await writeUses(db, written)
    } catch {
      // Lookups of keys report the same outage to callers.
      for (const [keyId, at] of uses) written.set(keyId, at)
      uses = written
      schedule()
    }
  }
  const schedule = (): void => {
    if (!isClosed) timer ??= setTimeout(() => void write(), WRITE_EVERY_MS).unref()
  }
  return {
    note(keyId) {
      uses.set(keyId, time())
      schedule()
    },
    write,
    close: () => {
      isClosed = true
      return write()
    },
  }
}

/** Skips rows that another replica is writing, so replicas never wait for each other. */
async function writeUses(db: Kysely<Database>, uses: ReadonlyMap<string, number>): Promise<void> {
  const keyIds = [...uses.keys()]
  const times = [...uses.values()].map((at) => new Date(at).toISOString())
  await sql`
    WITH used AS (
      SELECT * FROM unnest(${keyIds}::text[], ${times}::timestamptz[]) AS used (key_id, at)
    ), free AS (
      SELECT key_id FROM api_key WHERE key_id = ANY (${keyIds}::text[]) FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE api_key AS key
    SET last_used_at = used.at
    FROM used, free
    WHERE key.key_id = used.key_id AND key.key_id = free.key_id
      AND (key.last_used_at IS NULL OR key.last_used_at < used.at)`.execute(db)
}
