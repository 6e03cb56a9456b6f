/**
 * API keys for every request: answers are kept in memory for 4 seconds, so that most requests send no statement and a
 * revocation is in force everywhere within 5. Callers choose what is looked up, so ids that cannot exist are refused
 * without a statement, ids that do not exist cannot displace keys that do, and lookups share statements.
 * Secrets are compared as SHA-256 digests; being 256 bits at random they need no slow hash, which would only be a
 * lever for attackers.
 * Source: specification section 5; design/security-and-limits.md.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { ApiKey, CredentialStore, SecretMatcher } from '../../operations/ports/caller.ts'
import type { Database } from '../database/database.ts'
import { DEMO_KEYS } from './demo-keys.ts'
import { isKeyId, openLiveKeyIds } from './key-ids.ts'
import { shareLookups } from './shared-lookups.ts'

/** How old an answer about a key may be; the rest of the 5 seconds is for the query and the clock. */
const MAX_AGE_MS = 4_000

/**
 * Live keys with their answers, about 1 KB each. More than this in use within 4 seconds are 2,500 requests per second
 * for one process; beyond it the keys that were idle for longest are read again on their next request.
 */
const MAX_KEYS = 10_000

/** Ids that do not exist, remembered so that a client that repeats one sends no statement each time. */
const MAX_UNKNOWN_IDS = 10_000

/** What may differ from the service's defaults. */
export type CredentialStoreOptions = {
  /**
   * Whether the ids and secrets of the demo are accepted; default false. On a database that has been opened in
   * production they are refused all the same.
   */
  readonly allowDemoKeys?: boolean
  readonly maxAgeMs?: number
  readonly maxKeys?: number
  readonly maxUnknownIds?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number
}

/**
 * Reads the ids of all live keys once, for `isKnown`, and looks keys up as they are asked for. Throws when the database
 * is out of reach. Needs no closing, but sends statements only while its database is open.
 *
 * Refusing an unknown id takes as long as a statement, refusing a wrong secret of a known key mostly does not. This
 * tells a caller whether an id exists. It is accepted: ids are 96 random bits and useless without their secret.
 */
export async function openCredentialStore(
  db: Kysely<Database>,
  {
    allowDemoKeys = false,
    maxAgeMs = MAX_AGE_MS,
    maxKeys = MAX_KEYS,
    maxUnknownIds = MAX_UNKNOWN_IDS,
    now = () => performance.now(),
  }: CredentialStoreOptions = {},
): Promise<CredentialStore> {
  const keys = new LRUCache<string, { readonly key: ApiKey; readonly readAt: number }>({ max: maxKeys })
  const unknownSince = new LRUCache<string, number>({ max: maxUnknownIds })
  const liveIds = await openLiveKeyIds(db, now)

  const read = async (keyIds: readonly string[]): Promise<ReadonlyMap<string, ApiKey>> => {
    // The age counts from before the statement: whatever was committed until then is in the answer.
    const readAt = now()
    const found = await readKeys(db, keyIds, allowDemoKeys)
    for (const keyId of keyIds) {
      const key = found.get(keyId)
      if (key === undefined) {
        keys.delete(keyId)
        liveIds.forget(keyId)
        unknownSince.set(keyId, readAt)
      } else keys.set(keyId, { key, readAt })
    }
    return found
  }
  const lookups = shareLookups({ read, now })
  const canExist = (keyId: string): boolean => isKeyId(keyId) || (allowDemoKeys && DEMO_IDS.has(keyId))
  // The list first: asking it also keeps it up to date.
  const isKnown = (keyId: string): boolean => canExist(keyId) && (liveIds.has(keyId) || keys.has(keyId))
  const isFresh = (readAt: number | undefined): boolean => readAt !== undefined && now() - readAt < maxAgeMs

  return {
    async findKey(keyId) {
      if (!canExist(keyId)) return undefined
      const remembered = keys.get(keyId)
      if (isFresh(remembered?.readAt)) return remembered?.key
      if (isFresh(unknownSince.get(keyId))) return undefined
      return lookups.find(keyId, isKnown(keyId))
    },
    isKnown,
  }
}

/** The live keys among the ids, with their live secrets, in one statement. */
async function readKeys(
  db: Kysely<Database>,
  keyIds: readonly string[],
  allowDemoKeys: boolean,
): Promise<ReadonlyMap<string, ApiKey>> {
  const rows = await db
    .selectFrom('api_key as k')
    .innerJoin('account as a', 'a.account_id', 'k.account_id')
    .innerJoin('api_secret as s', 's.key_id', 'k.key_id')
    .select(['k.key_id', 'a.account_id', 'a.name', 'a.transit_form', 'a.price_breakdown', 's.digest'])
    // Read with the keys, so that the mark is in force at once, whoever inserted them and when.
    .select(({ selectFrom }) => selectFrom('production_use').select('since').as('production_since'))
    .where('k.key_id', '=', sql<string>`any(${keyIds}::text[])`)
    .where('k.revoked_at', 'is', null)
    .where('s.revoked_at', 'is', null)
    .execute()
  const found = new Map<string, ApiKey & { secretDigests: Buffer[] }>()
  for (const row of rows) {
    const isDemo = DEMO_IDS.has(row.key_id) || DEMO_DIGESTS.some((digest) => digest.equals(row.digest))
    if (isDemo && (!allowDemoKeys || row.production_since !== null)) continue
    const known = found.get(row.key_id)
    if (known !== undefined) known.secretDigests.push(row.digest)
    else
      found.set(row.key_id, {
        keyId: row.key_id,
        caller: {
          accountId: row.account_id,
          accountName: row.name,
          transitForm: row.transit_form,
          priceBreakdown: row.price_breakdown,
        },
        secretDigests: [row.digest],
      })
  }
  return found
}

/** What a secret is kept as: its SHA-256, 32 bytes. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest()
}

const DEMO_IDS: ReadonlySet<string> = new Set(DEMO_KEYS.map(({ keyId }) => keyId))
const DEMO_DIGESTS = DEMO_KEYS.map(({ secret }) => digestOf(secret))

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
