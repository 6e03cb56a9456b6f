/** The stores of shared limits: PostgreSQL, and Valkey or Redis if it is installed. docs/limits.md#shared-limits */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@redis/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  SPENDING_SLOT_SECONDS,
  SPENDING_SLOTS,
  type SpendingStore,
} from '../../../src/operations/ports/spending.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { postgresSpending, removeOldSpendings } from '../../../src/store/limits/postgres-spending.ts'
import { redisSpending, tryRedis } from '../../../src/store/limits/redis-spending.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import {
  certificatesFor,
  type RedisServer,
  redisProgram,
  redisTlsProgram,
  startRedis,
} from '../../support/limits/redis-server.ts'

let clone: ClonedDatabase
let redis: RedisServer | undefined

beforeAll(async () => {
  clone = await cloneDatabase()
  if (redisProgram !== undefined) redis = await startRedis()
})
afterAll(async () => {
  await redis?.kill()
  await clone.drop()
})

const STORES: readonly (readonly [string, () => Promise<SpendingStore>])[] = [
  ['PostgreSQL', async () => postgresSpending(openDatabase(clone.source, { poolSize: 1 }))],
  ...(redisProgram === undefined ? [] : [['Redis', () => redisSpending({ url: redis!.url })] as const]),
]

/** What was spent in total; slots may have changed between two exchanges. */
async function totals(store: SpendingStore, units: Readonly<Record<string, number>>) {
  const spendings = Object.entries(units).map(([name, units]) => ({ name, units }))
  const known = await store.exchange(spendings)
  return Object.fromEntries(
    [...known].map(([name, slots]) => [name, slots.reduce((sum, one) => sum + one.units, 0)]),
  )
}

describe.each(STORES)('%s', (_name, open) => {
  test('adds the units of all processes, and returns those of the names that were asked for', async () => {
    const [first, second] = [await open(), await open()]
    expect(await totals(first, { a: 3, b: 5 })).toEqual({ a: 3, b: 5 })
    expect(await totals(second, { a: 4 })).toEqual({ a: 7 })
    expect((await totals(first, { a: 0 }))['a']).toBe(7)
    expect(await totals(first, { a: -2 })).toEqual({ a: 5 })
    expect((await first.exchange([{ name: 'unknown', units: 0 }])).get('unknown') ?? []).toEqual([])
    expect((await first.exchange([])).size).toBe(0)
    await Promise.all([first.close(), second.close()])
  })

  test('says how long ago the units were spent, at most', async () => {
    const store = await open()
    const [now] = (await store.exchange([{ name: 'aged', units: 1 }])).get('aged') ?? []
    expect(now).toEqual({ ageMs: 0, units: 1 })
    await store.close()
  })

  test('loses no units of exchanges at the same time', async () => {
    const stores = await Promise.all([open(), open(), open(), open()])
    const names = Array.from({ length: 20 }, (_, nth) => `crowded ${nth}`)
    for (let round = 0; round < 10; round++)
      await Promise.all(
        stores.map((store, nth) =>
          // In different orders, so that processes could wait for each other.
          store.exchange((nth % 2 === 0 ? names : names.toReversed()).map((name) => ({ name, units: 1 }))),
        ),
      )
    const sums = await totals(stores[0]!, Object.fromEntries(names.map((name) => [name, 0])))
    expect(new Set(Object.values(sums))).toEqual(new Set([40]))
    await Promise.all(stores.map((store) => store.close()))
  })
})

test('PostgreSQL returns only slots that count, and removes the others', async () => {
  const store = postgresSpending(openDatabase(clone.source, { poolSize: 1 }))
  await sql`TRUNCATE shared_spending`.execute(clone.db)
  const { rows } = await sql<{ slot: number }>`
    SELECT floor(extract(epoch FROM clock_timestamp()) / ${SPENDING_SLOT_SECONDS})::bigint AS slot`.execute(
    clone.db,
  )
  const current = rows[0]!.slot
  const slots = [current - SPENDING_SLOTS - 1, current - SPENDING_SLOTS + 2]
  for (const slot of slots)
    await clone.db.insertInto('shared_spending').values({ name: 'old', slot, units: 7 }).execute()
  const known = (await store.exchange([{ name: 'old', units: 0 }])).get('old') ?? []
  expect(known.map(({ units }) => units)).toEqual([7])
  // The slot ended (SPENDING_SLOTS - 3) slots before the current one began.
  const least = (SPENDING_SLOTS - 3) * SPENDING_SLOT_SECONDS * 1_000
  expect(known[0]?.ageMs).toBeGreaterThanOrEqual(least)
  expect(known[0]?.ageMs).toBeLessThan(least + 2 * SPENDING_SLOT_SECONDS * 1_000)
  expect(await removeOldSpendings(clone.db)).toBe(1)
  expect(await removeOldSpendings(clone.db)).toBe(0)
  // The clock of the server was a minute ahead.
  await clone.db
    .insertInto('shared_spending')
    .values({ name: 'ahead', slot: current + 12, units: 7 })
    .execute()
  const ahead = (await store.exchange([{ name: 'ahead', units: 1 }])).get('ahead')
  expect(ahead).toEqual([{ ageMs: 0, units: 1 }])
  await store.close()
})

test('PostgreSQL keeps what is shared in unlogged tables', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relpersistence = 'u' AND relkind = 'r' ORDER BY relname`.execute(
    clone.db,
  )
  expect(rows.map(({ name }) => name)).toEqual(['carrier_token', 'shared_spending'])
})

test.skipIf(redisProgram === undefined)('Redis forgets what a clock that was ahead has counted', async () => {
  const store = await redisSpending({ url: redis!.url })
  const client = createClient({ url: redis!.url })
  await client.connect()
  const ahead = Math.floor(Date.now() / 1_000 / SPENDING_SLOT_SECONDS) + 12
  await client.hSet('{waybill-limits}:ahead', String(ahead), 7)
  expect(await totals(store, { ahead: 1 })).toEqual({ ahead: 1 })
  expect(await client.hLen('{waybill-limits}:ahead')).toBe(1)
  client.destroy()
  await store.close()
})

test.skipIf(redisProgram === undefined)(
  'Redis is used again after it was killed, and after it was frozen',
  async () => {
    const server = await startRedis()
    const store = await redisSpending({ url: server.url })
    expect(await totals(store, { a: 1 })).toEqual({ a: 1 })
    await server.kill()
    await expect(store.exchange([{ name: 'a', units: 1 }])).rejects.toThrow()
    await server.start()
    await expect
      .poll(() => totals(store, { a: 2 }).catch(() => undefined), { timeout: 10_000 })
      .toEqual({ a: 2 })
    server.freeze()
    store.exchange([{ name: 'b', units: 1 }]).catch(() => {})
    server.thaw()
    await expect
      .poll(() => totals(store, { a: 0 }).catch(() => undefined), { timeout: 10_000 })
      .toEqual({ a: 2 })
    await store.close()
    await server.kill()
  },
)

describe.skipIf(redisTlsProgram === undefined)('Redis with TLS', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waybill-redis-tls-'))
  const [ca, otherCa] = ['ca', 'other'].map((name) => certificatesFor(path.join(folder, name)))
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis({ certificates: ca!, password: 'geheim' })
  })
  afterAll(async () => {
    await server.kill()
    rmSync(folder, { recursive: true })
  })
  const url = (password = 'geheim', host = '127.0.0.1') =>
    server.url.replace('//', `//:${password}@`).replace('127.0.0.1', host)
  const pem = (certificates = ca) => readFileSync(certificates!.ca, 'utf8')

  test('is used with the certificates of its authority, by address and by name, and again after it was killed', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const store = await redisSpending({ url: url('geheim', host), ca: pem() })
      expect(await totals(store, { [host]: 3 })).toEqual({ [host]: 3 })
      await store.close()
    }
    const store = await redisSpending({ url: url(), ca: pem() })
    expect(await totals(store, { a: 1 })).toEqual({ a: 1 })
    await server.kill()
    await expect(store.exchange([{ name: 'a', units: 1 }])).rejects.toThrow()
    await server.start()
    await expect
      .poll(() => totals(store, { a: 2 }).catch(() => undefined), { timeout: 10_000 })
      .toEqual({ a: 2 })
    await store.close()
  })

  test.each([
    ['without certificates of an authority', () => ({ url: url() }), /self-signed certificate|unable to/],
    [
      'with those of another authority',
      () => ({ url: url(), ca: pem(otherCa) }),
      /self-signed certificate|unable to/,
    ],
    [
      'under a name that the certificate does not have',
      () => ({ url: url('geheim', '127.0.0.2'), ca: pem() }),
      /does not match certificate/,
    ],
    ['with a wrong password', () => ({ url: url('falsch'), ca: pem() }), /WRONGPASS/],
    ['without TLS', () => ({ url: url().replace('rediss:', 'redis:') }), /./],
  ])('is not used %s', async (_, given, reason) => {
    await expect(tryRedis(given())).rejects.toThrow(reason)
    const store = await redisSpending(given())
    await expect(store.exchange([{ name: 'refused', units: 5 }])).rejects.toThrow(reason)
    await store.close()
    const trusted = await redisSpending({ url: url(), ca: pem() })
    // It may be still connecting.
    await expect
      .poll(() => totals(trusted, { refused: 0 }).catch(() => undefined), { timeout: 10_000 })
      .toEqual({ refused: 0 })
    await trusted.close()
  })

  test('a try changes nothing', async () => {
    const client = createClient({ url: url(), socket: { tls: true, ca: pem() } })
    await client.connect()
    const before = await client.dbSize()
    await tryRedis({ url: url(), ca: pem() })
    expect(await client.dbSize()).toBe(before)
    client.destroy()
  })
})
