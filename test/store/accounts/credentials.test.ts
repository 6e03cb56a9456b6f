/** The credential store: results, caching times, and the number of statements. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAccount, setAccount } from '../../../src/store/accounts/accounts.ts'
import { digestOf, openCredentialStore, secretMatcher } from '../../../src/store/accounts/credentials.ts'
import { isKeyId, newKeyId } from '../../../src/store/accounts/key-ids.ts'
import {
  addSecret,
  createKey,
  type IssuedSecret,
  revokeKey,
  revokeSecret,
} from '../../../src/store/accounts/keys.ts'
import { isOutage } from '../../../src/store/database/outage.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase()
  await createAccount(cloned.db, 'a-shop', { accountName: 'A Shop' })
})
afterAll(() => cloned.drop())

let clock = 0
const now = () => clock
beforeEach(() => {
  clock = 10_000
})
afterEach(() => {
  vi.restoreAllMocks()
})

async function newKey(): Promise<IssuedSecret> {
  const issued = await createKey(cloned.db, 'a-shop')
  if (issued === undefined) throw new Error('no key')
  return issued
}

/** Inserts a key with a chosen id and secret. */
async function insertKey(keyId: string, secret: string): Promise<void> {
  await cloned.db.insertInto('api_key').values({ key_id: keyId, account_id: 'a-shop' }).execute()
  await cloned.db
    .insertInto('api_secret')
    .values({ key_id: keyId, digest: digestOf(secret) })
    .execute()
}

const open = (options: Parameters<typeof openCredentialStore>[1] = {}) =>
  openCredentialStore(cloned.db, { now, ...options })

/** Counts statements about keys. All statements of this process go through `Client`. */
function countStatements() {
  const sent = vi.spyOn(Client.prototype, 'query')
  const textOf = (statement: unknown): string =>
    typeof statement === 'string' ? statement : String((statement as { readonly text?: unknown }).text)
  return {
    lookups: () =>
      sent.mock.calls.filter(([statement]) => /"api_key".*"account"/s.test(textOf(statement))).length,
    lists: () =>
      sent.mock.calls.filter(([statement]) => /^select "key"."key_id" from/.test(textOf(statement))).length,
  }
}

describe('a key', () => {
  test('is returned with its account, settings and valid secrets', async () => {
    await createAccount(cloned.db, 'named-shop', { accountName: 'Named' })
    await setAccount(cloned.db, 'named-shop', {
      transitForm: 'range',
      priceBreakdown: false,
      countAverages: false,
    })
    const issued = await createKey(cloned.db, 'named-shop')
    if (issued === undefined) throw new Error('no key')
    const second = await addSecret(cloned.db, issued.keyId)
    if (second === undefined) throw new Error('no secret')
    const store = await open()
    const key = await store.findKey(issued.keyId)
    expect(key).toEqual({
      keyId: issued.keyId,
      caller: {
        accountId: 'named-shop',
        accountName: 'Named',
        transitForm: 'range',
        priceBreakdown: false,
        countAverages: false,
      },
      secretDigests: expect.arrayContaining([digestOf(issued.secret), digestOf(second.secret)]),
    })
    expect(key?.secretDigests).toHaveLength(2)
  })

  test('is cached for 4 seconds from its statement, as is an id that does not exist', async () => {
    const { keyId } = await newKey()
    const missing = newKeyId()
    const store = await open()
    const { lookups } = countStatements()
    for (const id of [keyId, missing]) await store.findKey(id)
    expect(lookups()).toBe(2)
    clock += 3_999
    for (const id of [keyId, missing]) await store.findKey(id)
    expect(lookups()).toBe(2)
    clock += 1
    expect(await store.findKey(keyId)).toBeDefined()
    expect(await store.findKey(missing)).toBeUndefined()
    expect(lookups()).toBe(4)
  })

  test('that is revoked or has lost a secret is refused when the cached result expires', async () => {
    const [key, other] = [await newKey(), await newKey()]
    const rotated = await addSecret(cloned.db, other.keyId)
    const store = await open()
    for (const { keyId } of [key, other]) expect(await store.findKey(keyId)).toBeDefined()
    await revokeKey(cloned.db, key.keyId)
    await revokeSecret(cloned.db, other.keyId, other.secretId)
    clock += 4_000
    expect(await store.findKey(key.keyId)).toBeUndefined()
    const digests = (await store.findKey(other.keyId))?.secretDigests
    expect(digests).toEqual([digestOf(rotated?.secret ?? '')])
  })

  test('that is created after a lookup of its id is found when the cached result expires', async () => {
    const keyId = newKeyId()
    const store = await open()
    expect(await store.findKey(keyId)).toBeUndefined()
    await insertKey(keyId, 'late')
    clock += 4_000
    expect((await store.findKey(keyId))?.secretDigests).toEqual([digestOf('late')])
  })
})

describe('an id that cannot exist', () => {
  test.each([
    '',
    'a-key',
    'wb_',
    `wb_${'a'.repeat(15)}`,
    `wb_${'a'.repeat(17)}`,
    `WB_${'a'.repeat(16)}`,
    `wb_${'a'.repeat(15)}=`,
    `wb_${'a'.repeat(16)}\n`,
    `\u0000wb_${'a'.repeat(16)}`,
    'x'.repeat(500),
    'demo',
    'other',
  ])('%j is refused without a statement', async (keyId) => {
    const store = await open()
    const { lookups } = countStatements()
    expect(await store.findKey(keyId)).toBeUndefined()
    expect(store.isKnown(keyId)).toBe(false)
    expect(lookups()).toBe(0)
  })

  test('is refused even if it was inserted by hand', async () => {
    await insertKey('by-hand', 'x')
    const store = await open()
    expect(await store.findKey('by-hand')).toBeUndefined()
    expect(store.isKnown('by-hand')).toBe(false)
  })

  test('is never generated, whatever the random bytes are', () => {
    expect(newKeyId()).toMatch(/^wb[1-9A-HJ-NP-Za-km-z]{17}$/)
    // Bytes from 232 on are not used, because 232 is the largest multiple of 58 characters below 256.
    for (let byte = 0; byte < 232; byte++)
      expect(isKeyId(newKeyId((size) => Buffer.alloc(size, byte)))).toBe(true)
  })

  test('may have the form of older keys', () => {
    for (const character of 'Az09-_') expect(isKeyId(`wb_${character.repeat(16)}`)).toBe(true)
  })
})

describe('a flood of random ids', () => {
  const randomIds = (count: number) => Array.from({ length: count }, newKeyId)

  test('shares statements: 2,000 at once are four', async () => {
    const store = await open()
    const { lookups } = countStatements()
    const answers = await Promise.all(randomIds(2_000).map((keyId) => store.findKey(keyId)))
    expect(new Set(answers)).toEqual(new Set([undefined]))
    expect(lookups()).toBe(4)
  })

  test('fails fast as an outage when 2,000 are waiting, and known keys still pass', async () => {
    const issued = await newKey()
    const store = await open()
    const flood = Promise.allSettled(randomIds(2_500).map((keyId) => store.findKey(keyId)))
    const key = await store.findKey(issued.keyId)
    expect(secretMatcher.matches(issued.secret, key?.secretDigests ?? [])).toBe(true)
    const refused = (await flood).flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(refused).toHaveLength(500)
    expect(refused.every(isOutage)).toBe(true)
  })

  test('never evicts a known key from the cache', async () => {
    const { keyId } = await newKey()
    const store = await open({ maxKeys: 2, maxUnknownIds: 2 })
    await store.findKey(keyId)
    for (let round = 0; round < 10; round++) await Promise.all(randomIds(20).map((id) => store.findKey(id)))
    const { lookups } = countStatements()
    expect(await store.findKey(keyId)).toBeDefined()
    expect(lookups()).toBe(0)
  })
})

test('fills neither cache beyond its limit; the least recently used entries are evicted', async () => {
  const keys = [await newKey(), await newKey(), await newKey()].map(({ keyId }) => keyId)
  for (const ids of [keys, [newKeyId(), newKeyId(), newKeyId()]]) {
    const store = await open({ maxKeys: 2, maxUnknownIds: 2 })
    const { lookups } = countStatements()
    for (const id of ids) await store.findKey(id)
    await store.findKey(ids[1] ?? '')
    expect(lookups()).toBe(3)
    await store.findKey(ids[0] ?? '')
    expect(lookups()).toBe(4)
    vi.restoreAllMocks()
  }
})

describe('an outage', () => {
  test('is passed on and not cached; a fresh cached result is still used', async () => {
    const [fresh, expired] = [await newKey(), await newKey()]
    const store = await open()
    await store.findKey(expired.keyId)
    clock += 4_000
    await store.findKey(fresh.keyId)
    const failing = vi.spyOn(cloned.db, 'selectFrom').mockImplementation(() => {
      throw new Error('down')
    })
    expect(await store.findKey(fresh.keyId)).toBeDefined()
    await expect(store.findKey(expired.keyId)).rejects.toThrow('down')
    await expect(store.findKey(newKeyId())).rejects.toThrow('down')
    expect(store.isKnown(expired.keyId)).toBe(true)
    failing.mockRestore()
    expect(await store.findKey(expired.keyId)).toBeDefined()
  })

  test('fails the start of the store', async () => {
    vi.spyOn(cloned.db, 'selectFrom').mockImplementation(() => {
      throw new Error('down')
    })
    await expect(open()).rejects.toThrow('down')
  })
})

describe('the check whether an id is known', () => {
  test('reads the list of valid keys, without a statement', async () => {
    const [live, revoked, withoutSecret] = [await newKey(), await newKey(), await newKey()]
    await revokeKey(cloned.db, revoked.keyId)
    await revokeSecret(cloned.db, withoutSecret.keyId, withoutSecret.secretId)
    const store = await open()
    const { lookups, lists } = countStatements()
    expect(store.isKnown(live.keyId)).toBe(true)
    for (const id of [revoked.keyId, withoutSecret.keyId, newKeyId()]) expect(store.isKnown(id)).toBe(false)
    expect([lookups(), lists()]).toEqual([0, 0])
  })

  test('includes the results of lookups', async () => {
    const listed = await newKey()
    const store = await open()
    const created = await newKey()
    expect(store.isKnown(created.keyId)).toBe(false)
    await store.findKey(created.keyId)
    for (const { keyId } of [listed, created]) {
      expect(store.isKnown(keyId)).toBe(true)
      await revokeKey(cloned.db, keyId)
      expect(store.isKnown(keyId)).toBe(true)
      clock += 4_000
      await store.findKey(keyId)
      expect(store.isKnown(keyId)).toBe(false)
    }
  })

  test('reads the list at most once a minute', async () => {
    const store = await open()
    const { keyId } = await newKey()
    const { lists } = countStatements()
    clock += 59_999
    expect(store.isKnown(keyId)).toBe(false)
    expect(lists()).toBe(0)
    clock += 1
    for (let asked = 0; asked < 100; asked++) store.isKnown(keyId)
    await vi.waitFor(() => expect(store.isKnown(keyId)).toBe(true), { timeout: 60_000 })
    expect(lists()).toBe(1)
  })

  test('does not change while the list cannot be read', async () => {
    const { keyId } = await newKey()
    const store = await open()
    clock += 60_000
    const failing = vi.spyOn(cloned.db, 'selectFrom').mockImplementation(() => {
      throw new Error('down')
    })
    expect(store.isKnown(keyId)).toBe(true)
    expect(failing).toHaveBeenCalledTimes(1)
    await new Promise((resolve) => setImmediate(resolve))
    expect(store.isKnown(keyId)).toBe(true)
  })
})

describe('demo keys', () => {
  const markDatabase = (isMarked: boolean) =>
    sql`update production_use set since = case when ${isMarked} then now() end`.execute(cloned.db)

  /** Inserts a key with a demo secret. Its id has the form of a generated id. */
  async function insertKeyWithDemoSecret(): Promise<string> {
    const keyId = newKeyId()
    await insertKey(keyId, 'demo-secret')
    return keyId
  }

  test('work only where they are allowed', async () => {
    const hidden = await insertKeyWithDemoSecret()
    const allowed = await open({ allowDemoKeys: true })
    for (const keyId of ['demo', 'other', hidden]) expect(await allowed.findKey(keyId)).toBeDefined()
    expect(allowed.isKnown('demo')).toBe(true)
    const refusing = await open()
    for (const keyId of ['demo', 'other', hidden]) expect(await refusing.findKey(keyId)).toBeUndefined()
    expect(refusing.isKnown('demo')).toBe(false)
  })

  test('do not work in a database that was used in production, even if it is marked while the store is open', async () => {
    const [hidden, store] = [await insertKeyWithDemoSecret(), await open({ allowDemoKeys: true })]
    const digest = digestOf('a secret of its own')
    await cloned.db.insertInto('api_secret').values({ key_id: 'demo', digest }).execute()
    expect(await store.findKey('demo')).toBeDefined()
    await markDatabase(true)
    try {
      clock += 4_000
      for (const keyId of ['demo', 'other', hidden]) expect(await store.findKey(keyId)).toBeUndefined()
    } finally {
      await markDatabase(false)
      await cloned.db.deleteFrom('api_secret').where('digest', '=', digest).execute()
    }
  })

  test('are refused without affecting other secrets of the same key', async () => {
    const hidden = await insertKeyWithDemoSecret()
    const secret = randomBytes(32).toString('base64url')
    await cloned.db
      .insertInto('api_secret')
      .values({ key_id: hidden, digest: digestOf(secret) })
      .execute()
    expect((await (await open()).findKey(hidden))?.secretDigests).toEqual([digestOf(secret)])
  })
})
