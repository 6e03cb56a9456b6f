/**
 * Creates, lists and revokes API keys for the operator's commands (docs/operations.md#accounts-and-api-keys). A secret
 * has 256 random bits, is returned once, and is stored as a digest.
 */
import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Scope } from '../../operations/ports/key-rules.ts'
import type { Database } from '../database/database.ts'
import { digestOf } from './credentials.ts'
import { newKeyId, newPublishableKeyId } from './key-ids.ts'

type Db = Kysely<Database>

/** Absent properties have no limit. */
export type KeyProperties = {
  readonly label?: string
  /** Absent: all scopes. */
  readonly scopes?: readonly Scope[]
  /** Of the whole key; absent: the limit of the service. */
  readonly requestsPerMinute?: number
  /** The time from which the key is refused. */
  readonly expiresAt?: Date
}

export type PublishableKeyProperties = KeyProperties & {
  readonly scopes: readonly Scope[]
  readonly origins: readonly string[]
  readonly addressRequestsPerMinute: number
  readonly needsCheckoutToken: boolean
}

/** A key with a new secret in plain text. The header value is `<keyId>@<secret>`. */
export type IssuedSecret = { readonly keyId: string; readonly secretId: number; readonly secret: string }

/** Times are ISO 8601 in UTC. */
export type KeyListing = Omit<KeyProperties, 'expiresAt'> & {
  readonly keyId: string
  readonly accountId: string
  readonly createdAt: string
  readonly revokedAt?: string
  readonly expiresAt?: string
  /** Up to about a minute old. Absent if the key was never used. */
  readonly lastUsedAt?: string
  readonly publishable?: Omit<PublishableKeyProperties, keyof KeyProperties>
  /** Empty for a publishable key. */
  readonly secrets: readonly SecretListing[]
}

/** A secret is valid while neither it nor its key is revoked. */
export type SecretListing = {
  readonly secretId: number
  readonly createdAt: string
  readonly revokedAt?: string
}

/** Creates a key with a secret. Undefined if the account does not exist. */
export async function createKey(
  db: Db,
  accountId: string,
  properties: KeyProperties = {},
): Promise<IssuedSecret | undefined> {
  const keyId = newKeyId()
  return db.transaction().execute(async (trx) => {
    if (!(await hasAccount(trx, accountId))) return undefined
    await trx
      .insertInto('api_key')
      .values({ key_id: keyId, account_id: accountId, ...propertyColumns(properties) })
      .execute()
    return addSecret(trx, keyId)
  })
}

/** Creates a publishable key and returns its id. Undefined if the account does not exist. */
export async function createPublishableKey(
  db: Db,
  accountId: string,
  properties: PublishableKeyProperties,
): Promise<string | undefined> {
  const keyId = newPublishableKeyId()
  return db.transaction().execute(async (trx) => {
    if (!(await hasAccount(trx, accountId))) return undefined
    await trx
      .insertInto('api_key')
      .values({
        key_id: keyId,
        account_id: accountId,
        ...propertyColumns(properties),
        origins: [...properties.origins],
        address_requests_per_minute: properties.addressRequestsPerMinute,
        needs_checkout_token: properties.needsCheckoutToken,
        checkout_secret: randomBytes(32),
      })
      .execute()
    return keyId
  })
}

async function hasAccount(db: Db, accountId: string): Promise<boolean> {
  const account = await db
    .selectFrom('account')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return account !== undefined
}

function propertyColumns({ label, scopes, requestsPerMinute, expiresAt }: KeyProperties) {
  return {
    label: label ?? null,
    scopes: scopes === undefined ? null : [...scopes],
    requests_per_minute: requestsPerMinute ?? null,
    expires_at: expiresAt ?? null,
  }
}

/**
 * Adds a secret to a key, so that the partner can switch to it before the old one is revoked. Undefined if the key is
 * unknown, revoked or publishable.
 */
export async function addSecret(db: Db, keyId: string): Promise<IssuedSecret | undefined> {
  const secret = randomBytes(32).toString('base64url')
  const digest = digestOf(secret)
  const added = await db
    .insertInto('api_secret')
    .columns(['key_id', 'digest'])
    .expression((from) =>
      from
        .selectFrom('api_key')
        .select(['key_id', sql<Buffer>`${digest}::bytea`.as('digest')])
        .where('key_id', '=', keyId)
        .where('revoked_at', 'is', null)
        .where('origins', 'is', null),
    )
    .returning('secret_id')
    .executeTakeFirst()
  return added && { keyId, secretId: added.secret_id, secret }
}

/**
 * Replaces what the checkout tokens of a publishable key are signed with, so that all its tokens become invalid within
 * 5 seconds. False if there is no such key, or if it is revoked.
 */
export async function renewCheckoutSecret(db: Db, keyId: string): Promise<boolean> {
  const renewed = await db
    .updateTable('api_key')
    .set({ checkout_secret: randomBytes(32) })
    .where('key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .where('origins', 'is not', null)
    .returning('key_id')
    .executeTakeFirst()
  return renewed !== undefined
}

/** The keys of one or all accounts, ordered by account and age. */
export async function listKeys(db: Db, accountId?: string): Promise<KeyListing[]> {
  const rows = await selectListings(db, accountId).execute()
  const keys = new Map<string, KeyListing & { secrets: SecretListing[] }>()
  for (const row of rows) {
    const key = keys.get(row.key_id) ?? listingOf(row)
    keys.set(row.key_id, key)
    if (row.secret_id !== null && row.secret_created_at !== null)
      key.secrets.push({
        secretId: row.secret_id,
        ...timesOf(row.secret_created_at, row.secret_revoked_at),
      })
  }
  return [...keys.values()]
}

type ListingRow = Awaited<ReturnType<ReturnType<typeof selectListings>['execute']>>[number]

function selectListings(db: Db, accountId: string | undefined) {
  return db
    .selectFrom('api_key as key')
    .leftJoin('api_secret as secret', 'secret.key_id', 'key.key_id')
    .select(['key.key_id', 'key.account_id', 'key.created_at', 'key.revoked_at', 'secret.secret_id'])
    .select(['secret.created_at as secret_created_at', 'secret.revoked_at as secret_revoked_at'])
    .select(['key.label', 'key.scopes', 'key.requests_per_minute', 'key.expires_at', 'key.last_used_at'])
    .select(['key.origins', 'key.address_requests_per_minute', 'key.needs_checkout_token'])
    .$if(accountId !== undefined, (query) => query.where('key.account_id', '=', accountId ?? ''))
    .orderBy('key.account_id')
    .orderBy('key.created_at')
    .orderBy('key.key_id')
    .orderBy('secret.secret_id')
}

function listingOf(row: ListingRow): KeyListing & { secrets: SecretListing[] } {
  const { origins, address_requests_per_minute: addressRequestsPerMinute } = row
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    ...timesOf(row.created_at, row.revoked_at),
    ...(row.label !== null && { label: row.label }),
    ...(row.scopes !== null && { scopes: row.scopes }),
    ...(row.requests_per_minute !== null && { requestsPerMinute: row.requests_per_minute }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at.toISOString() }),
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at.toISOString() }),
    ...(origins !== null &&
      addressRequestsPerMinute !== null && {
        publishable: { origins, addressRequestsPerMinute, needsCheckoutToken: row.needs_checkout_token },
      }),
    secrets: [],
  }
}

function timesOf(createdAt: Date, revokedAt: Date | null) {
  return {
    createdAt: createdAt.toISOString(),
    ...(revokedAt !== null && { revokedAt: revokedAt.toISOString() }),
  }
}

/**
 * Changes the limit of a key: for a publishable key, the requests from one address. False if it is unknown or revoked.
 */
export async function limitKey(db: Db, keyId: string, requestsPerMinute: number): Promise<boolean> {
  const limited = await db
    .updateTable('api_key')
    .set(({ eb, ref }) => ({
      requests_per_minute: eb
        .case()
        .when('address_requests_per_minute', 'is', null)
        .then(requestsPerMinute)
        .else(ref('requests_per_minute'))
        .end(),
      address_requests_per_minute: eb
        .case()
        .when('address_requests_per_minute', 'is not', null)
        .then(requestsPerMinute)
        .end(),
    }))
    .where('key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .returning('key_id')
    .executeTakeFirst()
  return limited !== undefined
}

/** Revokes a key with all its secrets, permanently. False if it is unknown or revoked already. */
export async function revokeKey(db: Db, keyId: string): Promise<boolean> {
  const revoked = await db
    .updateTable('api_key')
    .set({ revoked_at: sql<Date>`now()` })
    .where('key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .returning('key_id')
    .executeTakeFirst()
  return revoked !== undefined
}

/** Revokes one secret of a key, permanently. False if it is unknown or revoked already. */
export async function revokeSecret(db: Db, keyId: string, secretId: number): Promise<boolean> {
  const revoked = await db
    .updateTable('api_secret')
    .set({ revoked_at: sql<Date>`now()` })
    .where('key_id', '=', keyId)
    .where('secret_id', '=', secretId)
    .where('revoked_at', 'is', null)
    .returning('secret_id')
    .executeTakeFirst()
  return revoked !== undefined
}
