/**
 * The format of API key ids, and a list of all valid ids in memory. The list can be a minute old. It decides whose
 * lookup comes first, never who is authenticated.
 */

import type { Kysely } from 'kysely'
import type { Database } from '../database/database.ts'
import { randomId } from '../database/random-id.ts'

/** Maximum length of the list, about 10 MB. It holds the newest keys. */
const MAX_IDS = 100_000

/** Age at which the list is read again, in milliseconds. */
const REFRESH_MS = 60_000

export type LiveKeyIds = {
  /** Whether the id is on the list. Refreshes the list in the background if it is older than a minute. */
  has(keyId: string): boolean
  /** Removes an id after a lookup has found no valid key. */
  forget(keyId: string): void
}

/**
 * Reads the list. Throws if this first read fails. A failed refresh keeps the old list and is repeated after a minute.
 * There is no timer, so an idle process reads nothing.
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
      // Lookups report the same outage to callers.
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
    .selectFrom('api_key as key')
    .select('key.key_id')
    .where('key.revoked_at', 'is', null)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('key.origins', 'is not', null),
        exists(
          selectFrom('api_secret as secret')
            .select('secret.secret_id')
            .whereRef('secret.key_id', '=', 'key.key_id')
            .where('secret.revoked_at', 'is', null),
        ),
      ]),
    )
    .orderBy('key.created_at', 'desc')
    .limit(maxIds)
    .execute()
  return new Set(rows.map((row) => row.key_id))
}

/** Characters of the random part: 99 bits. */
const RANDOM_LENGTH = 17

/** The second form is that of publishable keys, the third that of keys whose random part was base64url. */
const KEY_ID = /^(?:wb[A-Za-z0-9]{17}|pk_[A-Za-z0-9]{17}|wb_[A-Za-z0-9_-]{16})$/

/** The id of a key with secrets. Tests pass the source of random bytes. */
export function newKeyId(bytes?: (size: number) => Buffer): string {
  return randomId('wb', RANDOM_LENGTH, bytes)
}

/** The id of a publishable key, which is its only credential. */
export function newPublishableKeyId(): string {
  return randomId('pk_', RANDOM_LENGTH)
}

/** Whether the text has the form of a key id. */
export function isKeyId(text: string): boolean {
  return KEY_ID.test(text)
}
