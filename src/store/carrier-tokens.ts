/**
 * Access tokens of carriers that processes share, encrypted. One process fetches a token while the others wait for it.
 * All times are those of the database. See docs/carriers.md#access-tokens.
 */
import { type Kysely, sql } from 'kysely'
import type { CarrierTokenStore, TokenClaim } from '../operations/ports/carrier-tokens.ts'
import type { Database } from './database/database.ts'

/** Credentials that no process has fetched a token for in this time are no longer in a settings file. */
const KEPT_DAYS = 7
/** Until the next claim, if another process has just ended its fetch without a token. */
const ENDED_MS = 50

export function carrierTokenStore(db: Kysely<Database>): CarrierTokenStore {
  return {
    async claim(credentials, after, leaseMs) {
      const key = Buffer.from(credentials)
      if (leaseMs === undefined) return readClaim(db, key, after)
      const claimed = await claimFetch(db, key, after, leaseMs)
      if (claimed !== undefined) return claimed
      const found = await readClaim(db, key, after)
      // The other process has ended its fetch in the meantime.
      return found.kind === 'none' ? { kind: 'fetching', forMs: ENDED_MS } : found
    },
    async keep(credentials, version, sealed, usableMs) {
      await sql`
        UPDATE carrier_token SET version = ${version}, token = ${Buffer.from(sealed)},
            expires_at = clock_timestamp() + ${usableMs} * interval '1 millisecond',
            fetching_until = NULL, paused_until = NULL, pause_status = NULL
          WHERE credentials = ${Buffer.from(credentials)} AND version < ${version}`.execute(db)
      await sql`
        DELETE FROM carrier_token
          WHERE claimed_at < clock_timestamp() - ${KEPT_DAYS} * interval '1 day'
            AND coalesce(expires_at, '-infinity') < clock_timestamp()`.execute(db)
    },
    async release(credentials, pauseMs, status) {
      await sql`
        UPDATE carrier_token SET fetching_until = NULL,
            paused_until = clock_timestamp() + ${pauseMs} * interval '1 millisecond',
            pause_status = ${status ?? null}
          WHERE credentials = ${Buffer.from(credentials)}`.execute(db)
    },
  }
}

/** Undefined if there is a token, a pause, or a process that fetches one. */
async function claimFetch(
  db: Kysely<Database>,
  credentials: Buffer,
  after: number,
  leaseMs: number,
): Promise<TokenClaim | undefined> {
  const { rows } = await sql<{ version: number }>`
    INSERT INTO carrier_token AS known (credentials, fetching_until, claimed_at)
      VALUES (${credentials}, clock_timestamp() + ${leaseMs} * interval '1 millisecond', clock_timestamp())
    ON CONFLICT (credentials) DO UPDATE
      SET fetching_until = excluded.fetching_until, claimed_at = excluded.claimed_at
      WHERE (known.token IS NULL OR known.expires_at <= clock_timestamp() OR known.version <= ${after})
        AND coalesce(known.fetching_until, '-infinity') <= clock_timestamp()
        AND coalesce(known.paused_until, '-infinity') <= clock_timestamp()
    RETURNING version`.execute(db)
  return rows[0] && { kind: 'none', version: Math.max(rows[0].version, after) + 1 }
}

type Row = {
  readonly version: number
  readonly token: Buffer | null
  readonly usableMs: number | null
  readonly fetchingMs: number | null
  readonly pausedMs: number | null
  readonly pauseStatus: number | null
}

async function readClaim(db: Kysely<Database>, credentials: Buffer, after: number): Promise<TokenClaim> {
  const { rows } = await sql<Row>`
    SELECT version, token,
        (extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS "usableMs",
        (extract(epoch FROM fetching_until - clock_timestamp()) * 1000)::float8 AS "fetchingMs",
        (extract(epoch FROM paused_until - clock_timestamp()) * 1000)::float8 AS "pausedMs",
        pause_status AS "pauseStatus"
      FROM carrier_token WHERE credentials = ${credentials}`.execute(db)
  const row = rows[0]
  if (row === undefined) return { kind: 'none', version: after + 1 }
  const { version, token, usableMs, fetchingMs, pausedMs, pauseStatus } = row
  if (token !== null && version > after && usableMs !== null && usableMs > 0)
    return { kind: 'token', version, sealed: token, usableMs }
  if (pausedMs !== null && pausedMs > 0)
    return { kind: 'paused', forMs: pausedMs, status: pauseStatus ?? undefined }
  if (fetchingMs !== null && fetchingMs > 0) return { kind: 'fetching', forMs: fetchingMs }
  return { kind: 'none', version: Math.max(version, after) + 1 }
}
