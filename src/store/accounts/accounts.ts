/**
 * Accounts and API keys as the operator's commands change them. A secret is made here, from 256 random bits,
 * returned once, and kept as a digest only.
 * Source: specification section 5; design/security-and-limits.md.
 */
import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Caller } from '../../operations/ports/caller.ts'
import type { Database } from '../database/database.ts'
import { digestOf } from './credentials.ts'
import { newKeyId } from './key-ids.ts'

type Db = Kysely<Database>

/** An account with its settings. Times are ISO 8601 in UTC. */
export type Account = Caller & { readonly createdAt: string }

/** What may be set on an account; whatever is left out stays as it is. */
export type AccountChanges = {
  readonly accountName?: string
  readonly transitForm?: Caller['transitForm']
  readonly priceBreakdown?: boolean
}

/** A key and its secret, in plain text for the only time. The header value is `<keyId>@<secret>`. */
export type IssuedSecret = { readonly keyId: string; readonly secretId: number; readonly secret: string }

/** A key with its secrets, without what they are. */
export type KeyListing = {
  readonly keyId: string
  readonly accountId: string
  readonly createdAt: string
  readonly revokedAt?: string
  readonly secrets: readonly SecretListing[]
}

/** One secret of a key; it works while neither it nor its key is revoked. */
export type SecretListing = {
  readonly secretId: number
  readonly createdAt: string
  readonly revokedAt?: string
}

/** Creates an account; false when the id is taken. Throws when the id is not 1 to 40 of `[a-z0-9-]`. */
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

/** All accounts by id. */
export async function listAccounts(db: Db): Promise<Account[]> {
  const rows = await db
    .selectFrom('account')
    .select(['account_id', 'name', 'transit_form', 'price_breakdown', 'created_at'])
    .orderBy('account_id')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    accountName: row.name,
    transitForm: row.transit_form,
    priceBreakdown: row.price_breakdown,
    createdAt: row.created_at.toISOString(),
  }))
}

/** Changes an account; false when there is none of that id. In force everywhere within 5 seconds. */
export async function setAccount(db: Db, accountId: string, changes: AccountChanges): Promise<boolean> {
  const set = await db
    .updateTable('account')
    // The id as it is, for a statement needs something to set even when nothing changes.
    .set({ account_id: accountId, ...settingColumns(changes) })
    .where('account_id', '=', accountId)
    .returning('account_id')
    .executeTakeFirst()
  return set !== undefined
}

function settingColumns({ accountName, transitForm, priceBreakdown }: AccountChanges) {
  return {
    ...(accountName !== undefined && { name: accountName }),
    ...(transitForm !== undefined && { transit_form: transitForm }),
    ...(priceBreakdown !== undefined && { price_breakdown: priceBreakdown }),
  }
}

/** A key with its first secret; undefined when there is no such account. */
export async function createKey(db: Db, accountId: string): Promise<IssuedSecret | undefined> {
  const keyId = newKeyId()
  return db.transaction().execute(async (tx) => {
    const created = await tx
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
    return created && addSecret(tx, created.key_id)
  })
}

/**
 * One more secret for a key, beside those it has: the caller changes over, then the old one is revoked.
 * Undefined when the key is unknown or revoked.
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

/** Keys by account, oldest first, with their secrets; of one account or of all. */
export async function listKeys(db: Db, accountId?: string): Promise<KeyListing[]> {
  const rows = await db
    .selectFrom('api_key as k')
    .leftJoin('api_secret as s', 's.key_id', 'k.key_id')
    .select(['k.key_id', 'k.account_id', 'k.created_at', 'k.revoked_at', 's.secret_id'])
    .select(['s.created_at as secret_created_at', 's.revoked_at as secret_revoked_at'])
    .$if(accountId !== undefined, (query) => query.where('k.account_id', '=', accountId ?? ''))
    .orderBy('k.account_id')
    .orderBy('k.created_at')
    .orderBy('k.key_id')
    .orderBy('s.secret_id')
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

/** Revokes a key with all its secrets, for good; false when it is unknown or was revoked before. */
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

/** Revokes one secret of a key, for good; false when there is none of that id or it was revoked before. */
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
