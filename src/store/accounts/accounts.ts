/**
 * Creates and changes accounts and API keys for the operator's commands (docs/operations.md#accounts-and-api-keys). A
 * secret has 256 random bits, is returned once, and is stored as a digest.
 */
import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Caller } from '../../operations/ports/caller.ts'
import type { Database } from '../database/database.ts'
import { digestOf } from './credentials.ts'
import { newKeyId } from './key-ids.ts'

type Db = Kysely<Database>

export type Account = Caller & {
  /** ISO 8601 in UTC. */
  readonly createdAt: string
}

/** Absent settings are not changed. */
export type AccountChanges = {
  readonly accountName?: string
  readonly transitForm?: Caller['transitForm']
  readonly priceBreakdown?: boolean
  readonly countAverages?: boolean
}

/** A key with a new secret in plain text. The header value is `<keyId>@<secret>`. */
export type IssuedSecret = { readonly keyId: string; readonly secretId: number; readonly secret: string }

/** Times are ISO 8601 in UTC. */
export type KeyListing = {
  readonly keyId: string
  readonly accountId: string
  readonly createdAt: string
  readonly revokedAt?: string
  readonly secrets: readonly SecretListing[]
}

/** A secret is valid while neither it nor its key is revoked. */
export type SecretListing = {
  readonly secretId: number
  readonly createdAt: string
  readonly revokedAt?: string
}

/** False if the id is taken. Throws if the id is not 1 to 40 characters of `[a-z0-9-]`. */
export async function createAccount(
  db: Db,
  accountId: string,
  settings: AccountChanges & { readonly accountName: string },
): Promise<boolean> {
  const created = await db
    .insertInto('account')
    .values({ account_id: accountId, name: settings.accountName, ...settingColumns(settings) })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .returning('account_id')
    .executeTakeFirst()
  return created !== undefined
}

/** Ordered by id. */
export async function listAccounts(db: Db): Promise<Account[]> {
  const rows = await db
    .selectFrom('account')
    .select(['account_id', 'name', 'transit_form', 'price_breakdown', 'count_averages', 'created_at'])
    .orderBy('account_id')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    accountName: row.name,
    transitForm: row.transit_form,
    priceBreakdown: row.price_breakdown,
    countAverages: row.count_averages,
    createdAt: row.created_at.toISOString(),
  }))
}

/** False if the account does not exist. Takes effect in all processes within 5 seconds. */
export async function setAccount(db: Db, accountId: string, changes: AccountChanges): Promise<boolean> {
  const updated = await db
    .updateTable('account')
    // UPDATE needs a column to set even if there are no changes.
    .set({ account_id: accountId, ...settingColumns(changes) })
    .where('account_id', '=', accountId)
    .returning('account_id')
    .executeTakeFirst()
  return updated !== undefined
}

function settingColumns({ accountName, transitForm, priceBreakdown, countAverages }: AccountChanges) {
  return {
    ...(accountName !== undefined && { name: accountName }),
    ...(transitForm !== undefined && { transit_form: transitForm }),
    ...(priceBreakdown !== undefined && { price_breakdown: priceBreakdown }),
    ...(countAverages !== undefined && { count_averages: countAverages }),
  }
}

/** Creates a key with a secret. Undefined if the account does not exist. */
export async function createKey(db: Db, accountId: string): Promise<IssuedSecret | undefined> {
  const keyId = newKeyId()
  return db.transaction().execute(async (trx) => {
    const created = await trx
      .insertInto('api_key')
      .columns(['key_id', 'account_id'])
      .expression((from) =>
        from
          .selectFrom('account')
          .select([sql<string>`${keyId}::text`.as('key_id'), 'account_id'])
          .where('account_id', '=', accountId),
      )
      .returning('key_id')
      .executeTakeFirst()
    return created && addSecret(trx, created.key_id)
  })
}

/**
 * Adds a secret to a key, so that the partner can switch to it before the old one is revoked. Undefined if the key is
 * unknown or revoked.
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
        .where('revoked_at', 'is', null),
    )
    .returning('secret_id')
    .executeTakeFirst()
  return added && { keyId, secretId: added.secret_id, secret }
}

/** The keys of one or all accounts, ordered by account and age. */
export async function listKeys(db: Db, accountId?: string): Promise<KeyListing[]> {
  const rows = await db
    .selectFrom('api_key as key')
    .leftJoin('api_secret as secret', 'secret.key_id', 'key.key_id')
    .select(['key.key_id', 'key.account_id', 'key.created_at', 'key.revoked_at', 'secret.secret_id'])
    .select(['secret.created_at as secret_created_at', 'secret.revoked_at as secret_revoked_at'])
    .$if(accountId !== undefined, (query) => query.where('key.account_id', '=', accountId ?? ''))
    .orderBy('key.account_id')
    .orderBy('key.created_at')
    .orderBy('key.key_id')
    .orderBy('secret.secret_id')
    .execute()
  const keys = new Map<string, KeyListing & { secrets: SecretListing[] }>()
  for (const row of rows) {
    const key = keys.get(row.key_id) ?? {
      keyId: row.key_id,
      accountId: row.account_id,
      ...timesOf(row.created_at, row.revoked_at),
      secrets: [],
    }
    keys.set(row.key_id, key)
    if (row.secret_id !== null && row.secret_created_at !== null)
      key.secrets.push({
        secretId: row.secret_id,
        ...timesOf(row.secret_created_at, row.secret_revoked_at),
      })
  }
  return [...keys.values()]
}

function timesOf(createdAt: Date, revokedAt: Date | null) {
  return {
    createdAt: createdAt.toISOString(),
    ...(revokedAt !== null && { revokedAt: revokedAt.toISOString() }),
  }
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
