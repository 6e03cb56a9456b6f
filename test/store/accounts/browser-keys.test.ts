/** What the database checks about keys, the origins of publishable keys, and last uses. */
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createAccount } from '../../../src/store/accounts/accounts.ts'
import { openCredentialStore } from '../../../src/store/accounts/credentials.ts'
import {
  addSecret,
  createKey,
  createPublishableKey,
  listKeys,
  type PublishableKeyProperties,
  renewCheckoutSecret,
  revokeKey,
} from '../../../src/store/accounts/keys.ts'
import { openLastUses } from '../../../src/store/accounts/last-uses.ts'
import { openPageOrigins } from '../../../src/store/accounts/page-origins.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase()
  await createAccount(cloned.db, 'a-shop', { accountName: 'A Shop' })
})
afterAll(() => cloned.drop())
afterEach(() => {
  vi.restoreAllMocks()
})

async function publishable(properties: Partial<PublishableKeyProperties> = {}): Promise<string> {
  const keyId = await createPublishableKey(cloned.db, 'a-shop', {
    scopes: ['rates'],
    origins: ['https://shop.example'],
    addressRequestsPerMinute: 60,
    needsCheckoutToken: true,
    ...properties,
  })
  if (keyId === undefined) throw new Error('no account')
  return keyId
}

async function secretKeyId(): Promise<string> {
  const issued = await createKey(cloned.db, 'a-shop')
  return issued?.keyId ?? ''
}

const find = async (keyId: string) => (await openCredentialStore(cloned.db)).findKey(keyId)
const listing = async (keyId: string) =>
  (await listKeys(cloned.db, 'a-shop')).find((key) => key.keyId === keyId)

describe('a publishable key', () => {
  test('is found without a secret, with its rules', async () => {
    const expiresAt = new Date('2027-01-31T00:00:00Z')
    const keyId = await publishable({ expiresAt, requestsPerMinute: 500, label: 'Shop front end' })
    expect(keyId).toMatch(/^pk_[A-Za-z0-9]{17}$/)
    expect(await find(keyId)).toMatchObject({
      keyId,
      caller: { accountId: 'a-shop', scopes: new Set(['rates']) },
      secretDigests: [],
      expiresAt,
      requestsPerMinute: 500,
      publishable: {
        origins: ['https://shop.example'],
        addressRequestsPerMinute: 60,
        needsCheckoutToken: true,
        checkoutSecret: expect.any(Buffer),
      },
    })
    expect(await listing(keyId)).toEqual({
      keyId,
      accountId: 'a-shop',
      createdAt: expect.any(String),
      label: 'Shop front end',
      scopes: ['rates'],
      requestsPerMinute: 500,
      expiresAt: expiresAt.toISOString(),
      publishable: {
        origins: ['https://shop.example'],
        addressRequestsPerMinute: 60,
        needsCheckoutToken: true,
      },
      secrets: [],
    })
  })

  test('counts as known, until it is revoked', async () => {
    const keyId = await publishable()
    expect((await openCredentialStore(cloned.db)).isKnown(keyId)).toBe(true)
    expect(await revokeKey(cloned.db, keyId)).toBe(true)
    expect(await find(keyId)).toBeUndefined()
    expect((await openCredentialStore(cloned.db)).isKnown(keyId)).toBe(false)
  })

  test('gets no secret, and a new signing secret only while it is not revoked', async () => {
    const keyId = await publishable()
    const secretOf = async () => (await find(keyId))?.publishable?.checkoutSecret.toString('hex')
    const before = await secretOf()
    expect(await addSecret(cloned.db, keyId)).toBeUndefined()
    expect(await renewCheckoutSecret(cloned.db, keyId)).toBe(true)
    expect(await secretOf()).not.toBe(before)
    await revokeKey(cloned.db, keyId)
    expect(await renewCheckoutSecret(cloned.db, keyId)).toBe(false)
    expect(await renewCheckoutSecret(cloned.db, await secretKeyId())).toBe(false)
  })

  test('of an unknown account is not created', async () => {
    const properties = { scopes: ['rates'], origins: ['https://x.example'] } as const
    expect(
      await createPublishableKey(cloned.db, 'no-shop', {
        ...properties,
        addressRequestsPerMinute: 1,
        needsCheckoutToken: false,
      }),
    ).toBeUndefined()
  })

  test.each([
    ['all scopes', { scopes: null }],
    ['a scope for shipments', { scopes: ['rates', 'cancel'] as ('rates' | 'cancel')[] }],
    ['no limit for an address', { address_requests_per_minute: null }],
    ['no signing secret', { checkout_secret: null }],
    ['no origins', { origins: null }],
    ['an empty list of origins', { origins: [] }],
    ['an empty label', { label: '' }],
  ])('cannot have %s in the database', async (_name, columns) => {
    const keyId = await publishable()
    const change = cloned.db.updateTable('api_key').set(columns).where('key_id', '=', keyId)
    await expect(change.execute()).rejects.toThrow(/api_key_(publishable|origins_check|label_check)/)
  })
})

/** Counts statements that contain a text. */
function countStatements(part: string) {
  const sent = vi.spyOn(Client.prototype, 'query')
  return () => sent.mock.calls.filter(([statement]) => JSON.stringify(statement).includes(part)).length
}

describe('the origins of publishable keys', () => {
  test('are those of keys that are neither revoked nor expired', async () => {
    const live = await publishable({ origins: ['https://live.example', 'https://second.example'] })
    const revoked = await publishable({ origins: ['https://revoked.example'] })
    await revokeKey(cloned.db, revoked)
    await publishable({ origins: ['https://expired.example'], expiresAt: new Date('2020-01-01') })
    const origins = await openPageOrigins(cloned.db, () => 0)
    expect(origins.isEmpty()).toBe(false)
    expect(origins.has('https://live.example')).toBe(true)
    expect(origins.find('https://second.example')).toBe(true)
    for (const gone of ['https://revoked.example', 'https://expired.example', 'https://none.example', ''])
      expect(origins.has(gone)).toBe(false)
    await revokeKey(cloned.db, live)
  })

  test('are read again for unknown origins, at most every two seconds', async () => {
    let clock = 0
    const origins = await openPageOrigins(cloned.db, () => clock)
    const statements = countStatements('unnest(origins)')
    await publishable({ origins: ['https://new.example'] })
    clock = 1_999
    expect(origins.find('https://new.example')).toBe(false)
    expect(statements()).toBe(0)
    clock = 2_000
    const found = ['https://new.example', 'https://random-1.example', 'https://random-2.example'].map(
      (origin) => origins.find(origin),
    )
    expect(await Promise.all(found)).toEqual([true, false, false])
    expect(statements()).toBe(1)
    for (let origin = 0; origin < 100; origin++) await origins.find(`https://random-${origin}.example`)
    expect(statements()).toBe(1)
  })

  test('stay as they are if the database does not answer', async () => {
    let clock = 0
    const origin = 'https://stays.example'
    await publishable({ origins: [origin] })
    const origins = await openPageOrigins(cloned.db, () => clock)
    vi.spyOn(Client.prototype, 'query').mockImplementation(() => {
      throw new Error('down')
    })
    clock = 60_000
    expect(await origins.find('https://other.example')).toBe(false)
    expect(origins.has(origin)).toBe(true)
  })
})

describe('last uses', () => {
  test('are written together, and never go back', async () => {
    const [first, second] = [await secretKeyId(), await publishable()]
    let time = Date.parse('2026-11-28T12:00:00Z')
    const uses = openLastUses(cloned.db, () => time)
    uses.note(first)
    time += 1_000
    uses.note(first)
    uses.note(second)
    uses.note('wb_unknown')
    const statements = countStatements('last_used_at')
    await uses.write()
    await uses.write()
    expect(statements()).toBe(1)
    vi.restoreAllMocks()
    const read = async () => [(await listing(first))?.lastUsedAt, (await listing(second))?.lastUsedAt]
    const at = '2026-11-28T12:00:01.000Z'
    expect(await read()).toEqual([at, at])
    // Another replica has written a later use.
    time -= 5_000
    uses.note(first)
    await uses.close()
    expect(await read()).toEqual([at, at])
  })

  test('are kept if the database does not answer', async () => {
    const keyId = await secretKeyId()
    const uses = openLastUses(cloned.db, () => Date.parse('2026-11-28T12:00:00Z'))
    uses.note(keyId)
    const down = vi.spyOn(Client.prototype, 'query').mockImplementation(() => {
      throw new Error('down')
    })
    await uses.write()
    down.mockRestore()
    expect((await listing(keyId))?.lastUsedAt).toBeUndefined()
    await uses.close()
    expect((await listing(keyId))?.lastUsedAt).toBe('2026-11-28T12:00:00.000Z')
  })

  test('of a row that another replica is writing are skipped, so nobody waits', async () => {
    const keyId = await secretKeyId()
    const uses = openLastUses(cloned.db)
    await cloned.db.transaction().execute(async (trx) => {
      await trx.updateTable('api_key').set({ label: 'locked' }).where('key_id', '=', keyId).execute()
      uses.note(keyId)
      await uses.close()
    })
    expect(await listing(keyId)).toMatchObject({ label: 'locked' })
    expect((await listing(keyId))?.lastUsedAt).toBeUndefined()
  })

  test('are noted by the credential store', async () => {
    const keyId = await secretKeyId()
    const store = await openCredentialStore(cloned.db)
    store.noteUse(keyId)
    await store.close()
    expect((await listing(keyId))?.lastUsedAt).toBeDefined()
  })
})
