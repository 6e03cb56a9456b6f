/**
 * The origins of all active publishable keys, for CORS (http/cors.ts). Anybody can send a preflight request with any
 * origin, so unknown origins cause at most one statement every two seconds. The list never authenticates a request.
 */
import { type Kysely, sql } from 'kysely'
import type { PageOrigins } from '../../operations/ports/caller.ts'
import type { Database } from '../database/database.ts'

const MAX_ORIGINS = 10_000
/** Age at which the list is read again, in milliseconds. */
const REFRESH_MS = 60_000
/** Minimum interval between two statements, in milliseconds. */
const SPACING_MS = 2_000

/** Reads the list. Throws if this first read fails. Needs no closing: there is no timer. */
export async function openPageOrigins(db: Kysely<Database>, now: () => number): Promise<PageOrigins> {
  let readAt = now()
  let origins = await readOrigins(db)
  let reading: Promise<void> | undefined

  const read = async (): Promise<void> => {
    readAt = now()
    try {
      origins = await readOrigins(db)
    } catch {
      // Lookups of keys report the same outage to callers.
    }
    reading = undefined
  }
  return {
    isEmpty: () => origins.size === 0,
    has(origin) {
      if (now() - readAt >= REFRESH_MS) reading ??= read()
      return origins.has(origin)
    },
    find(origin) {
      if (origins.has(origin)) return true
      if (reading === undefined && now() - readAt < SPACING_MS) return false
      reading ??= read()
      return reading.then(() => origins.has(origin))
    },
  }
}

async function readOrigins(db: Kysely<Database>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ origin: string }>`
    SELECT DISTINCT origin
    FROM api_key, unnest(origins) AS origin
    WHERE origins IS NOT NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
    LIMIT ${MAX_ORIGINS}`.execute(db)
  return new Set(rows.map(({ origin }) => origin))
}
