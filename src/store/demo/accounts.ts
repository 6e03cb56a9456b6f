/** The two demo accounts. Their secrets are in the documentation, so production refuses them. */
import type { Kysely } from 'kysely'
import { DEMO_KEYS, digestOf } from '../accounts/credentials.ts'
import type { Database } from '../database/database.ts'

/** The X-PP-API value of Demo Shop. */
export const DEMO_CREDENTIALS = `${DEMO_KEYS[0].keyId}@${DEMO_KEYS[0].secret}`

/** Adds missing demo accounts, keys and secrets. Call through `seedDemo`, which checks for a production database. */
export async function seedDemoAccounts(db: Kysely<Database>): Promise<void> {
  for (const { accountId, accountName: name, keyId, secret } of DEMO_KEYS) {
    await db
      .insertInto('account')
      .values({ account_id: accountId, name })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .insertInto('api_key')
      .values({ key_id: keyId, account_id: accountId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .insertInto('api_secret')
      .values({ key_id: keyId, digest: digestOf(secret) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Restores the settings, keys and secrets of the demo accounts. Call through `resetDemo`. */
export async function resetDemoAccounts(db: Kysely<Database>): Promise<void> {
  await seedDemoAccounts(db)
  for (const { accountId, accountName: name, keyId, secret } of DEMO_KEYS) {
    await db
      .updateTable('account')
      .set({ name, transit_form: 'single', price_breakdown: true })
      .where('account_id', '=', accountId)
      .execute()
    await db.updateTable('api_key').set({ revoked_at: null }).where('key_id', '=', keyId).execute()
    await db
      .updateTable('api_secret')
      .set({ revoked_at: null })
      .where('key_id', '=', keyId)
      .where('digest', '=', digestOf(secret))
      .execute()
  }
}

/** Whether a demo secret is valid for any key. */
export async function demoSecretsPresent(db: Kysely<Database>): Promise<boolean> {
  const live = await db
    .selectFrom('api_secret as secret')
    .innerJoin('api_key as key', 'key.key_id', 'secret.key_id')
    .select('secret.secret_id')
    .where(
      'secret.digest',
      'in',
      DEMO_KEYS.map(({ secret }) => digestOf(secret)),
    )
    .where('secret.revoked_at', 'is', null)
    .where('key.revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return live !== undefined
}
