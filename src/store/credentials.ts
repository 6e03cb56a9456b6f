/**
 * API keys for the hot path: answers are kept for 4 seconds, unknown keys included, so that a request touches
 * no database and a revocation is in force everywhere within 5. Secrets are compared as SHA-256 digests;
 * being 256 bits at random they need no slow hash, which would only be a lever for attackers.
 * Source: specification section 5; design/security-and-limits.md.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { ApiKey, CredentialStore, SecretMatcher } from '../operations/ports.ts'
import type { Database } from './database.ts'

/** How old an answer about a key may be; the rest of the 5 seconds is for the query and the clock. */
const MAX_AGE_MS = 4_000

/** Keys remembered at most. Callers choose the names of unknown ones. */
const MAX_KEYS = 10_000

/** Bounds of the memory for keys; the defaults are for the service. */
export type CredentialCacheOptions = { readonly maxAgeMs?: number; readonly maxKeys?: number }

/** Finds keys in the database, and remembers them for a moment. A failed look-up is not remembered. */
export function openCredentialStore(
  db: Kysely<Database>,
  { maxAgeMs = MAX_AGE_MS, maxKeys = MAX_KEYS }: CredentialCacheOptions = {},
): CredentialStore {
  const known = new LRUCache<string, Promise<ApiKey | undefined>>({ max: maxKeys, ttl: maxAgeMs })
  return {
    isKnown: (keyId) => known.has(keyId),
    findKey(keyId) {
      const remembered = known.get(keyId)
      if (remembered !== undefined) return remembered
      // Remembered before the query runs: its age counts from here, and callers at once share one query.
      const found = readKey(db, keyId)
      known.set(keyId, found)
      found.catch(() => {
        if (known.peek(keyId) === found) known.delete(keyId)
      })
      return found
    },
  }
}

async function readKey(db: Kysely<Database>, keyId: string): Promise<ApiKey | undefined> {
  const rows = await db
    .selectFrom('api_key as k')
    .innerJoin('account as a', 'a.account_id', 'k.account_id')
    .innerJoin('api_secret as s', 's.key_id', 'k.key_id')
    .select(['k.key_id', 'a.account_id', 'a.name', 'a.transit_form', 'a.price_breakdown', 's.digest'])
    .where('k.key_id', '=', keyId)
    .where('k.revoked_at', 'is', null)
    .where('s.revoked_at', 'is', null)
    .execute()
  const [key] = rows
  if (key === undefined) return undefined
  return {
    keyId: key.key_id,
    caller: {
      accountId: key.account_id,
      accountName: key.name,
      transitForm: key.transit_form,
      priceBreakdown: key.price_breakdown,
    },
    secretDigests: rows.map((row) => row.digest),
  }
}

/** What a secret is kept as: its SHA-256, 32 bytes. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest()
}

/** A digest that no secret has, for keys without any. */
const NO_DIGEST = randomBytes(32)

/** Compares in constant time, and always with every digest: which one fits must not show either. */
export const secretMatcher: SecretMatcher = {
  matches(secret, digests) {
    const presented = digestOf(secret)
    let matched = false
    for (const digest of digests.length === 0 ? [NO_DIGEST] : digests)
      matched = timingSafeEqual(presented, digest) || matched
    return matched
  },
}
