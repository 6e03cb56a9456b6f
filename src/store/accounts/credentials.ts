/**
 * Looks up API keys for requests. Results are cached for 4 seconds, so most requests send no statement and a revocation
 * takes effect within 5 seconds.
 *
 * Callers choose the ids, so malformed ids are refused without a statement, unknown ids cannot evict existing keys from
 * the cache, and lookups share statements. Secrets are compared as SHA-256 digests. A slow hash is not needed for 256
 * random bits, and would let attackers consume processor time.
 */
import crypto, { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { ApiKey, CredentialStore, SecretMatcher } from '../../operations/ports/caller.ts'
import type { PublishableKey } from '../../operations/ports/key-rules.ts'
import type { Database } from '../database/database.ts'
import { type AgreedCodes, openAgreedCodes } from './agreed-codes.ts'
import { isKeyId, openLiveKeyIds } from './key-ids.ts'
import { openLastUses } from './last-uses.ts'
import { openPageOrigins } from './page-origins.ts'
import { REGISTRATIONS } from './registrations.ts'
import { shareLookups } from './shared-lookups.ts'

export type DemoKey = {
  readonly accountId: string
  readonly accountName: string
  readonly keyId: string
  readonly secret: string
}

/**
 * The key ids and secrets of the two demo accounts. They are public, because the documentation shows them. They are
 * accepted only if demo data is enabled, and never in a database that was used in production.
 */
export const DEMO_KEYS = [
  { accountId: 'demo-shop', accountName: 'Demo Shop', keyId: 'demo', secret: 'demo-secret' },
  { accountId: 'other-shop', accountName: 'Other Shop', keyId: 'other', secret: 'other-secret' },
] as const satisfies readonly DemoKey[]

/** Maximum age of a cached result. The rest of the 5 seconds covers the query and clock differences. */
const MAX_AGE_MS = 4_000

/**
 * Maximum number of cached keys, about 1 KB each. Using more within 4 seconds takes 2,500 requests per second in one
 * process. The least recently used keys are evicted and read again on their next request.
 */
const MAX_KEYS = 10_000

/** Maximum number of cached ids that do not exist, so that repeating one sends no statement. */
const MAX_UNKNOWN_IDS = 10_000

export type CredentialStoreOptions = {
  /**
   * Whether the ids and secrets of the demo are accepted; default false. A database that was used in production always
   * refuses them.
   */
  readonly allowDemoKeys?: boolean
  readonly maxAgeMs?: number
  readonly maxKeys?: number
  readonly maxUnknownIds?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number
  /** Where all key ids and all codes of an account are read, with time limits for whole tables. Default: `db`. */
  readonly wholeTables?: Kysely<Database>
}

/** `close` writes the last uses of keys. Without any, it has no effect. */
export type OpenCredentialStore = CredentialStore & { close(): Promise<void> }

/**
 * Reads the ids of all valid keys for `isKnown`, and the origins of publishable keys. Throws if the database is
 * unreachable.
 *
 * Refusing an unknown id takes as long as a statement, while refusing a wrong secret of a cached key is faster. The
 * difference reveals whether an id exists. This is acceptable: ids are 96 random bits and useless without their secret.
 */
export async function openCredentialStore(
  db: Kysely<Database>,
  {
    allowDemoKeys = false,
    maxAgeMs = MAX_AGE_MS,
    maxKeys = MAX_KEYS,
    maxUnknownIds = MAX_UNKNOWN_IDS,
    now = () => performance.now(),
    wholeTables = db,
  }: CredentialStoreOptions = {},
): Promise<OpenCredentialStore> {
  // With `max`, the caches would allocate all places at once.
  const keys = new LRUCache<string, { readonly key: ApiKey; readonly readAt: number }>({
    maxSize: maxKeys,
    sizeCalculation: () => 1,
  })
  const unknownSince = new LRUCache<string, number>({ maxSize: maxUnknownIds, sizeCalculation: () => 1 })
  const liveIds = await openLiveKeyIds(wholeTables, now)
  const pageOrigins = await openPageOrigins(wholeTables, now)
  const lastUses = openLastUses(db)
  const agreedCodes = openAgreedCodes(wholeTables)

  const read = async (keyIds: readonly string[]): Promise<ReadonlyMap<string, ApiKey>> => {
    // Measured before the statement, which sees everything committed until then.
    const readAt = now()
    const found = await readKeys(db, keyIds, { allowDemoKeys, agreedCodes })
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
  // `has` comes first, because it also refreshes the list.
  const isKnown = (keyId: string): boolean => canExist(keyId) && (liveIds.has(keyId) || keys.has(keyId))
  const isFresh = (readAt: number | undefined): boolean => readAt !== undefined && now() - readAt < maxAgeMs

  return {
    findKey(keyId) {
      if (!canExist(keyId)) return undefined
      const cached = keys.get(keyId)
      if (isFresh(cached?.readAt)) return cached?.key
      if (isFresh(unknownSince.get(keyId))) return undefined
      return lookups.find(keyId, isKnown(keyId))
    },
    isKnown,
    noteUse: lastUses.note,
    pageOrigins,
    close: lastUses.close,
  }
}

/** The valid keys among the ids, with their valid secrets. Expired keys are included: the caller has the clock. */
async function readKeys(
  db: Kysely<Database>,
  keyIds: readonly string[],
  { allowDemoKeys, agreedCodes }: { readonly allowDemoKeys: boolean; readonly agreedCodes: AgreedCodes },
): Promise<ReadonlyMap<string, ApiKey>> {
  const rows = await selectKeys(db, keyIds).execute()
  const found = new Map<string, ApiKey & { secretDigests: Buffer[] }>()
  for (const row of rows) {
    const isDemo =
      DEMO_IDS.has(row.key_id) ||
      DEMO_DIGESTS.some((digest) => row.digest !== null && digest.equals(row.digest))
    if (isDemo && (!allowDemoKeys || row.production_since !== null)) continue
    const key = found.get(row.key_id) ?? keyOf(row, agreedCodes)
    // Neither a secret nor publishable: all secrets are revoked.
    if (row.digest === null && key.publishable === undefined) continue
    if (row.digest !== null) key.secretDigests.push(row.digest)
    found.set(row.key_id, key)
  }
  return found
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number]

/** One row for each valid secret; one row without a digest if the key has none. */
function selectKeys(db: Kysely<Database>, keyIds: readonly string[]) {
  return (
    db
      .selectFrom('api_key as key')
      .innerJoin('account', 'account.account_id', 'key.account_id')
      .leftJoin('api_secret as secret', (join) =>
        join.onRef('secret.key_id', '=', 'key.key_id').on('secret.revoked_at', 'is', null),
      )
      .select(['key.key_id', 'account.account_id', 'account.name', 'account.transit_form'])
      .select(['account.price_breakdown', 'account.count_averages', 'account.agreed_revision'])
      .select(['secret.digest'])
      .select(['key.scopes', 'key.requests_per_minute', 'key.expires_at', 'key.origins'])
      .select(['key.address_requests_per_minute', 'key.checkout_secret', 'key.needs_checkout_token'])
      .select(REGISTRATIONS.as('registrations'))
      // Read in the same statement, so that the mark takes effect at once.
      .select(({ selectFrom }) => selectFrom('production_use').select('since').as('production_since'))
      .where('key.key_id', '=', sql<string>`ANY (${keyIds}::text[])`)
      .where('key.revoked_at', 'is', null)
  )
}

function keyOf(row: KeyRow, agreedCodes: AgreedCodes): ApiKey & { secretDigests: Buffer[] } {
  const publishable = publishableOf(row)
  return {
    keyId: row.key_id,
    caller: {
      accountId: row.account_id,
      accountName: row.name,
      transitForm: row.transit_form,
      priceBreakdown: row.price_breakdown,
      countAverages: row.count_averages,
      ...(row.registrations !== null && { registrations: row.registrations }),
      // Without a change there are no codes.
      ...(row.agreed_revision > 0 && {
        agreedCodes: () => agreedCodes.codesOf(row.account_id, row.agreed_revision),
      }),
      ...(row.scopes !== null && { scopes: new Set(row.scopes) }),
    },
    secretDigests: [],
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.requests_per_minute !== null && { requestsPerMinute: row.requests_per_minute }),
    ...(publishable !== undefined && { publishable }),
  }
}

/** Either all of the three columns have a value, or none; see migrations/013-browser-keys.ts. */
function publishableOf(row: KeyRow): PublishableKey | undefined {
  const { origins, address_requests_per_minute: addressRequestsPerMinute, checkout_secret: secret } = row
  if (origins === null || addressRequestsPerMinute === null || secret === null) return undefined
  return {
    origins,
    addressRequestsPerMinute,
    needsCheckoutToken: row.needs_checkout_token,
    checkoutSecret: secret,
  }
}

/** The stored form of a secret: its SHA-256, 32 bytes. */
export function digestOf(secret: string): Buffer {
  // The faster function is missing before Node 20.12.
  return crypto.hash?.('sha256', secret, 'buffer') ?? createHash('sha256').update(secret, 'utf8').digest()
}

const DEMO_IDS: ReadonlySet<string> = new Set(DEMO_KEYS.map(({ keyId }) => keyId))
const DEMO_DIGESTS = DEMO_KEYS.map(({ secret }) => digestOf(secret))

/** For keys without secrets: no secret has this digest. */
const NO_DIGEST = randomBytes(32)

/** Compares in constant time and with every digest, so that the time does not depend on which one matches. */
export const secretMatcher: SecretMatcher = {
  matches(secret, digests) {
    const presented = digestOf(secret)
    let matched = false
    for (const digest of digests.length === 0 ? [NO_DIGEST] : digests)
      matched = timingSafeEqual(presented, digest) || matched
    return matched
  },
}
