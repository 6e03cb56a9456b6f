/**
 * The ids of all live API keys, kept in memory so that "may this id be a real key?" needs no database. The list may be
 * a minute old: it decides only who is looked up first, never who is let in.
 */

import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../database/database.ts'

/** Ids kept at most, about 10 MB. With more live keys than this, the newest ones are kept. */
const MAX_IDS = 100_000

/** Minimum age of the list before it is read again, in milliseconds. */
const REFRESH_MS = 60_000

/** The ids of live keys. */
export type LiveKeyIds = {
  /** Whether the id is on the list. Starts a refresh in the background when the list is older than a minute. */
  has(keyId: string): boolean
  /** Takes an id off the list, after a lookup has found no live key. */
  forget(keyId: string): void
}

/**
 * Reads the list and keeps it. Throws when the first read fails; later failures leave the list as it is, and the next
 * attempt follows a minute after the failed one. There is no timer: an idle process reads nothing.
 */
export async function openLiveKeyIds(
  db: Kysely<Database>,
  now: () => number,
  maxIds = MAX_IDS,
): Promise<LiveKeyIds> {
  let refreshedAt = now()
  let ids = await readIds(db, maxIds)

  const refresh = async (): Promise<void> => {
    try {
      ids = await readIds(db, maxIds)
    } catch {
      // Lookups report the same outage, to callers who wait for an answer.
    }
  }
  return {
    has(keyId) {
      const at = now()
      if (at - refreshedAt >= REFRESH_MS) {
        refreshedAt = at
        void refresh()
      }
      return ids.has(keyId)
    },
    forget(keyId) {
      ids.delete(keyId)
    },
  }
}

async function readIds(db: Kysely<Database>, maxIds: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('api_key as k')
    .select('k.key_id')
    .where('k.revoked_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('api_secret as s')
          .select('s.secret_id')
          .whereRef('s.key_id', '=', 'k.key_id')
          .where('s.revoked_at', 'is', null),
      ),
    )
    .orderBy('k.created_at', 'desc')
    .limit(maxIds)
    .execute()
  return new Set(rows.map((row) => row.key_id))
}

// The form of API key ids: the generator, and the check that refuses every id the generator cannot have produced.
// They are next to each other so that they cannot drift apart.

/** Length of the random part: 12 bytes (96 bits) are 16 characters of base64url, without padding. */
const RANDOM_BYTES = 12

const KEY_ID = /^wb_[A-Za-z0-9_-]{16}$/

/** A new random key id. The prefix prevents a leading dash, which commands would parse as an option. */
export function newKeyId(): string {
  return `wb_${randomBytes(RANDOM_BYTES).toString('base64url')}`
}

/** Whether `newKeyId` can have produced the text. Cheap and linear, whatever the caller sends. */
export function isKeyId(text: string): boolean {
  return KEY_ID.test(text)
}
