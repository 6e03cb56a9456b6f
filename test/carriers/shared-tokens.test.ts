/** Access tokens that processes share, with a fake carrier and stores in memory and on PostgreSQL. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HttpReply } from '../../src/carriers/http-exchange.ts'
import { sharedTokens } from '../../src/carriers/shared-tokens.ts'
import {
  readOAuthToken,
  type TokenSource,
  tokenLimiter,
  tokenSource,
} from '../../src/carriers/token-source.ts'
import type { CarrierTokenStore } from '../../src/operations/ports/carrier-tokens.ts'
import { carrierTokenStore } from '../../src/store/carrier-tokens.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { type MemoryTokens, memoryCarrierTokens } from '../support/memory-carrier-tokens.ts'
import { type FakeCarrier, type FakeReply, startFake } from './fakes/fake-carrier.ts'

let clone: ClonedDatabase
let fake: FakeCarrier
let clock: number
let store: CarrierTokenStore
let faults: unknown[]
let issue: (count: number) => FakeReply | Promise<FakeReply>
let isGood: (token: string) => boolean

beforeAll(async () => {
  clone = await cloneDatabase()
})
afterAll(() => clone.drop())

beforeEach(async () => {
  clock = 10_000
  faults = []
  issue = (count) => ({ status: 200, body: { access_token: `canary-token-${count}`, expires_in: 3_600 } })
  isGood = () => true
  fake = await startFake(({ path, headers }) => {
    if (path === '/token') return issue(issued())
    const token = headers.authorization ?? ''
    return isGood(token) ? { status: 200, body: { token } } : { status: 401, body: { refused: token } }
  })
})
afterEach(() => fake.close())

function issued(): number {
  return fake.requests.filter(({ path }) => path === '/token').length
}

/** A process with credentials. */
function openProcess(secret = 'canary-secret'): TokenSource {
  return tokenSource(
    { method: 'POST', url: `${fake.baseUrl}/token`, headers: { authorization: secret } },
    readOAuthToken,
    { now: () => clock, shared: sharedTokens(store, (error) => faults.push(error)), limiter: tokenLimiter() },
  )
}

function send(tokens: TokenSource): Promise<HttpReply> {
  const url = `${fake.baseUrl}/parcel`
  const signal = AbortSignal.timeout(20_000)
  return tokens.send((token) => ({ method: 'GET', url, headers: { authorization: token } }), signal)
}

async function sentWith(tokens: TokenSource): Promise<unknown> {
  const { status, json } = await send(tokens)
  expect(status).toBe(200)
  return (json as { token: unknown }).token
}

const STORES: readonly (readonly [string, () => Promise<CarrierTokenStore>])[] = [
  ['memory', async () => memoryCarrierTokens(() => clock)],
  [
    'PostgreSQL',
    async () => {
      await sql`TRUNCATE carrier_token`.execute(clone.db)
      return carrierTokenStore(clone.db)
    },
  ],
]

describe.each(STORES)('processes that share tokens in %s', (_name, open) => {
  beforeEach(async () => {
    store = await open()
  })

  test('use the token that one of them has fetched, also after a restart', async () => {
    expect(await sentWith(openProcess())).toBe('canary-token-1')
    expect(await sentWith(openProcess())).toBe('canary-token-1')
    expect(issued()).toBe(1)
  })

  test('fetch it once if they need it at the same time', async () => {
    let answer: (reply: FakeReply) => void = () => {}
    issue = () => new Promise((resolve) => (answer = resolve))
    const sending = Array.from({ length: 8 }, () => sentWith(openProcess()))
    await expect.poll(issued).toBe(1)
    answer({ status: 200, body: { access_token: 'canary-late', expires_in: 3_600 } })
    expect(new Set(await Promise.all(sending))).toEqual(new Set(['canary-late']))
    expect(issued()).toBe(1)
  })

  test('replace a rejected token once', async () => {
    const processes = Array.from({ length: 4 }, () => openProcess())
    for (const tokens of processes) await sentWith(tokens)
    isGood = (token) => token !== 'canary-token-1'
    const sent = await Promise.all(processes.map(sentWith))
    expect(new Set(sent)).toEqual(new Set(['canary-token-2']))
    expect(issued()).toBe(2)
  })

  test('never use a token of other credentials', async () => {
    expect(await sentWith(openProcess('canary-first'))).toBe('canary-token-1')
    expect(await sentWith(openProcess('canary-second'))).toBe('canary-token-2')
    expect(await sentWith(openProcess('canary-first'))).toBe('canary-token-1')
    expect(issued()).toBe(2)
  })

  test('request none while the carrier rejects the credentials', async () => {
    issue = () => ({ status: 401, body: { error: 'invalid_client' } })
    await expect(send(openProcess())).rejects.toThrow('no access token: HTTP 401')
    const refused = await send(openProcess()).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      message: 'no access token: another process was refused one: HTTP 401',
      fault: { isRejection: true },
    })
    expect(issued()).toBe(1)
  })

  test('wait for the time that the carrier asked one of them for, which is no rejection', async () => {
    issue = () => ({ status: 429, headers: { 'retry-after': '300' }, body: {} })
    await expect(send(openProcess())).rejects.toThrow('no access token: HTTP 429')
    const refused = await send(openProcess()).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      message: 'no access token: another process was refused one: HTTP 429',
      fault: { isRejection: false, retryAfterMs: expect.closeTo(300_000, -4) },
    })
    expect(issued()).toBe(1)
  })

  test('use a token whose lifetime is beyond all dates for a day', async () => {
    issue = (count) => ({ status: 200, body: { access_token: `canary-token-${count}`, expires_in: 1e300 } })
    expect(await sentWith(openProcess())).toBe('canary-token-1')
    expect(await sentWith(openProcess())).toBe('canary-token-1')
    expect(faults).toEqual([])
  })

  test('try one after the other if the first one does not reach the carrier', async () => {
    issue = (count) =>
      count === 1
        ? { status: 503, body: {} }
        : { status: 200, body: { access_token: 'canary-2', expires_in: 60 } }
    await expect(send(openProcess())).rejects.toThrow('HTTP 503')
    expect(await sentWith(openProcess())).toBe('canary-2')
  })
})

describe('a shared token', () => {
  let memory: MemoryTokens
  beforeEach(() => {
    memory = memoryCarrierTokens(() => clock)
    store = memory
  })

  test('is used for the rest of its time only', async () => {
    await sentWith(openProcess())
    clock += 3_600_000 - 60_000 - 1
    const second = openProcess()
    expect(await sentWith(second)).toBe('canary-token-1')
    clock += 2
    expect(await sentWith(second)).toBe('canary-token-2')
    expect(await sentWith(openProcess())).toBe('canary-token-2')
  })

  test('is not readable in the store', async () => {
    await sentWith(openProcess())
    const [row] = [...memory.rows.values()]
    const text = Buffer.from(row!.sealed!).toString('latin1')
    expect(text).not.toContain('canary')
    expect([...memory.rows.keys()].join()).not.toContain(Buffer.from('canary').toString('hex'))
  })

  test('that was changed in the store, or comes from another row, is not used', async () => {
    await sentWith(openProcess('canary-first'))
    await sentWith(openProcess('canary-second'))
    const [first, second] = [...memory.rows.values()]
    first!.sealed = second!.sealed!
    expect(await sentWith(openProcess('canary-first'))).toBe('canary-token-3')
    first!.sealed = Buffer.from('short')
    expect(await sentWith(openProcess('canary-first'))).toBe('canary-token-4')
    expect(faults).toHaveLength(2)
  })

  test('is fetched by each process for itself while the store is not available', async () => {
    memory.isAvailable = false
    expect(await sentWith(openProcess())).toBe('canary-token-1')
    expect(await sentWith(openProcess())).toBe('canary-token-2')
    expect(faults.length).toBeGreaterThan(0)
    for (const fault of faults) expect(JSON.stringify(describeAll(fault))).not.toContain('canary')
    memory.isAvailable = true
    expect(await sentWith(openProcess())).toBe('canary-token-3')
    expect(await sentWith(openProcess())).toBe('canary-token-3')
  })

  test('is fetched by another process when the one that fetches it has ended', async () => {
    const abandoned = sharedTokens(memory, () => {})({
      method: 'POST',
      url: `${fake.baseUrl}/token`,
      headers: { authorization: 'canary-secret' },
    })
    expect(await abandoned.claim(0, 8_000)).toMatchObject({ kind: 'none' })
    const sending = sentWith(openProcess())
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(issued()).toBe(0)
    clock += 8_000
    expect(await sending).toBe('canary-token-1')
  })

  test('is fetched by the process itself if the store does not answer', async () => {
    store = { ...memory, claim: () => new Promise(() => {}), keep: () => new Promise(() => {}) }
    expect(await sentWith(openProcess())).toBe('canary-token-1')
  })
})

function describeAll(error: unknown): unknown {
  return error instanceof Error ? [error.message, error.stack, describeAll(error.cause)] : error
}

test('PostgreSQL removes tokens of credentials that were not used for a week', async () => {
  await sql`TRUNCATE carrier_token`.execute(clone.db)
  await sql`
    INSERT INTO carrier_token (credentials, claimed_at)
      VALUES (sha256('old'), clock_timestamp() - interval '8 days'), (sha256('new'), clock_timestamp())`.execute(
    clone.db,
  )
  store = carrierTokenStore(clone.db)
  await sentWith(openProcess())
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM carrier_token`.execute(clone.db)
  expect(rows).toEqual([{ n: 2 }])
})
