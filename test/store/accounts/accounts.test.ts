/** Accounts, keys and secrets in PostgreSQL. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/operations/ports/caller.ts'
import { createAccount, listAccounts, setAccount } from '../../../src/store/accounts/accounts.ts'
import { digestOf, openCredentialStore, secretMatcher } from '../../../src/store/accounts/credentials.ts'
import {
  addSecret,
  createKey,
  type IssuedSecret,
  listKeys,
  revokeKey,
  revokeSecret,
} from '../../../src/store/accounts/keys.ts'
import {
  addRegistration,
  listRegistrations,
  removeRegistrations,
} from '../../../src/store/accounts/registrations.ts'
import { demoSecretsPresent, seedDemoAccounts } from '../../../src/store/demo/accounts.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase()
})
afterAll(() => cloned.drop())

let accounts = 0
/** Creates an account that only one test uses. */
async function newAccount(): Promise<string> {
  const accountId = `account-${++accounts}`
  await createAccount(cloned.db, accountId, { accountName: `Account ${accounts}` })
  return accountId
}

async function newKey(accountId?: string): Promise<IssuedSecret> {
  const issued = await createKey(cloned.db, accountId ?? (await newAccount()))
  if (issued === undefined) throw new Error('no key')
  return issued
}

/** Whether a secret is accepted by a new store, which has cached nothing. */
async function works({ keyId, secret }: IssuedSecret): Promise<boolean> {
  const key = await (await openCredentialStore(cloned.db)).findKey(keyId)
  return secretMatcher.matches(secret, key?.secretDigests ?? [])
}

describe('registrations', () => {
  const voec = { scheme: 'VOEC', number: '2012345', validFrom: '2026-01-01', validTo: null }

  test('are part of the caller, and are replaced by scheme and first day', async () => {
    const accountId = await newAccount()
    const { keyId } = await newKey(accountId)
    const read = async () =>
      (await (await openCredentialStore(cloned.db)).findKey(keyId))?.caller.registrations
    expect(await read()).toBeUndefined()
    expect(await addRegistration(cloned.db, accountId, { ...voec, number: '1' })).toBe(true)
    expect(await addRegistration(cloned.db, accountId, voec)).toBe(true)
    expect(await read()).toEqual([voec])
    expect(await listRegistrations(cloned.db, accountId)).toEqual([{ accountId, ...voec }])
    expect(await removeRegistrations(cloned.db, accountId, 'VOEC')).toBe(true)
    expect(await removeRegistrations(cloned.db, accountId, 'VOEC')).toBe(false)
    expect(await read()).toBeUndefined()
  })

  test('need an account', async () => {
    expect(await addRegistration(cloned.db, 'nobody', voec)).toBe(false)
  })
})

describe('accounts', () => {
  test('are created once, with defaults, and changed field by field', async () => {
    const create = (accountName: string) => createAccount(cloned.db, 'tidy-shop', { accountName })
    expect(await create('Tidy Shop')).toBe(true)
    expect(await create('Another')).toBe(false)
    const read = async () =>
      (await listAccounts(cloned.db)).find(({ accountId }) => accountId === 'tidy-shop')
    const initial = await read()
    expect(initial).toEqual({
      accountId: 'tidy-shop',
      accountName: 'Tidy Shop',
      transitForm: 'single',
      priceBreakdown: true,
      countAverages: true,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect(await setAccount(cloned.db, 'tidy-shop', { transitForm: 'range' })).toBe(true)
    expect(await setAccount(cloned.db, 'tidy-shop', { priceBreakdown: false })).toBe(true)
    expect(await setAccount(cloned.db, 'tidy-shop', { countAverages: false })).toBe(true)
    expect(await setAccount(cloned.db, 'tidy-shop', {})).toBe(true)
    expect(await read()).toEqual({
      ...initial,
      transitForm: 'range',
      priceBreakdown: false,
      countAverages: false,
    })
    expect(await setAccount(cloned.db, 'no-shop', { transitForm: 'range' })).toBe(false)
  })

  test('have ids and settings that the database checks', async () => {
    const create = (accountId: string) => createAccount(cloned.db, accountId, { accountName: 'x' })
    await expect(create('Has Blanks')).rejects.toThrow('account_account_id_check')
    await expect(create('')).rejects.toThrow('account_account_id_check')
    const transitForm = 'both' as Caller['transitForm']
    await expect(createAccount(cloned.db, 'bad-form', { accountName: 'x', transitForm })).rejects.toThrow(
      'account_transit_form_check',
    )
  })
})

describe('keys and their secrets', () => {
  test('are unique, have a 256-bit secret, and are stored as a digest only', async () => {
    const accountId = await newAccount()
    const [one, other] = [await newKey(accountId), await newKey(accountId)]
    expect(one.keyId).toMatch(/^wb[A-Za-z0-9]{17}$/)
    expect(Buffer.from(one.secret, 'base64url')).toHaveLength(32)
    expect(one.keyId).not.toBe(other.keyId)
    expect(one.secret).not.toBe(other.secret)
    const { rows } = await sql<{ row: string }>`
      select s::text || k::text as row from api_secret s join api_key k using (key_id)`.execute(cloned.db)
    expect(rows.join()).not.toContain(one.secret)
    expect(await works(one)).toBe(true)
    expect(await works({ ...one, secret: other.secret })).toBe(false)
    expect(await createKey(cloned.db, 'no-shop')).toBeUndefined()
  })

  test('can be rotated: both secrets are valid until the old one is revoked', async () => {
    const first = await newKey()
    const second = await addSecret(cloned.db, first.keyId)
    if (second === undefined) throw new Error('no secret')
    expect([await works(first), await works(second)]).toEqual([true, true])
    expect(await revokeSecret(cloned.db, first.keyId, first.secretId)).toBe(true)
    expect([await works(first), await works(second)]).toEqual([false, true])
    expect(await revokeSecret(cloned.db, first.keyId, first.secretId)).toBe(false)
    expect(await revokeSecret(cloned.db, (await newKey()).keyId, second.secretId)).toBe(false)
  })

  test('are invalid with all their secrets after they are revoked, and get no new one', async () => {
    const issued = await newKey()
    const second = await addSecret(cloned.db, issued.keyId)
    expect(await revokeKey(cloned.db, issued.keyId)).toBe(true)
    expect(await revokeKey(cloned.db, issued.keyId)).toBe(false)
    expect([await works(issued), second && (await works(second))]).toEqual([false, false])
    expect(await addSecret(cloned.db, issued.keyId)).toBeUndefined()
    expect(await addSecret(cloned.db, 'no-key')).toBeUndefined()
  })

  test('are listed by account, with their secrets and times, without digests', async () => {
    const accountId = await newAccount()
    const issued = await newKey(accountId)
    await addSecret(cloned.db, issued.keyId)
    await revokeSecret(cloned.db, issued.keyId, issued.secretId)
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(await listKeys(cloned.db, accountId)).toEqual([
      {
        keyId: issued.keyId,
        accountId,
        createdAt: at,
        secrets: [
          { secretId: issued.secretId, createdAt: at, revokedAt: at },
          { secretId: expect.any(Number), createdAt: at },
        ],
      },
    ])
    expect((await listKeys(cloned.db)).length).toBeGreaterThan(1)
    expect(await listKeys(cloned.db, 'no-shop')).toEqual([])
  })

  test('are refused by the database with @, an invalid digest, or the same secret twice', async () => {
    const accountId = await newAccount()
    const insertKey = (keyId: string) =>
      cloned.db.insertInto('api_key').values({ key_id: keyId, account_id: accountId }).execute()
    for (const keyId of ['a@b', '', 'a b', 'k\u00e9y', 'x'.repeat(101)])
      await expect(insertKey(keyId)).rejects.toThrow('api_key_key_id_check')
    await insertKey('!"#?A~')
    const insertSecret = (digest: Buffer) =>
      cloned.db.insertInto('api_secret').values({ key_id: '!"#?A~', digest }).execute()
    await expect(insertSecret(Buffer.alloc(31))).rejects.toThrow('api_secret_digest_check')
    await insertSecret(digestOf('a'))
    await expect(insertSecret(digestOf('a'))).rejects.toThrow('api_secret_key_id_digest_key')
  })
})

test('the demo accounts are added once, and their valid secrets are detected', async () => {
  await cloned.db.deleteFrom('api_secret').where('key_id', 'in', ['demo', 'other']).execute()
  expect(await demoSecretsPresent(cloned.db)).toBe(false)
  await seedDemoAccounts(cloned.db)
  await seedDemoAccounts(cloned.db)
  expect(await demoSecretsPresent(cloned.db)).toBe(true)
  const store = await openCredentialStore(cloned.db, { allowDemoKeys: true })
  const demo = await store.findKey('demo')
  expect(demo?.caller).toMatchObject({ accountId: 'demo-shop', accountName: 'Demo Shop' })
  expect(demo?.secretDigests).toEqual([digestOf('demo-secret')])
  expect((await store.findKey('other'))?.secretDigests).toEqual([digestOf('other-secret')])
  await revokeKey(cloned.db, 'demo')
  expect(await demoSecretsPresent(cloned.db)).toBe(true)
  await revokeKey(cloned.db, 'other')
  expect(await demoSecretsPresent(cloned.db)).toBe(false)
})
