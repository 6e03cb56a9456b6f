/**
 * Access tokens: fetched once for concurrent calls, kept until they expire, dropped after a 401; a pause after a
 * failure.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HttpReply } from '../../src/carriers/http-exchange.ts'
import { NotSentError } from '../../src/carriers/not-sent.ts'
import { CONNECTORS } from '../../src/carriers/registry.ts'
import {
  readOAuthToken,
  type TokenLimiter,
  type TokenSource,
  tokenLimiter,
  tokenSource,
} from '../../src/carriers/token-source.ts'
import { type FakeCarrier, type FakeReply, startFake } from './fakes/fake-carrier.ts'

let fake: FakeCarrier
let clock: number
let tokens: TokenSource
/** The carrier issues `canary-token-1`, `-2`, … and accepts those for which `isGood` is true. */
let issue: (count: number) => FakeReply | Promise<FakeReply>
let isGood: (token: string, path: string) => boolean

beforeEach(async () => {
  clock = 10_000
  issue = (count) => ({ status: 200, body: { access_token: `canary-token-${count}`, expires_in: 3_600 } })
  isGood = () => true
  fake = await startFake(({ path, headers }) => {
    if (path === '/token') return issue(issued())
    const token = headers.authorization ?? ''
    return isGood(token, path) ? { status: 200, body: { token } } : { status: 401, body: { refused: token } }
  })
  tokens = tokenSource(
    { method: 'POST', url: `${fake.baseUrl}/token`, headers: { authorization: 'canary-secret' } },
    readOAuthToken,
    { now: () => clock },
  )
})
afterEach(() => fake.close())

/** Number of token requests. */
function issued(): number {
  return fake.requests.filter(({ path }) => path === '/token').length
}

function send(signal: AbortSignal = AbortSignal.timeout(5_000)): Promise<HttpReply> {
  const url = `${fake.baseUrl}/parcel`
  return tokens.send((token) => ({ method: 'GET', url, headers: { authorization: token } }), signal)
}

/** Makes a call and returns the token that it was sent with. */
async function sentWith(): Promise<unknown> {
  const { status, json } = await send()
  expect(status).toBe(200)
  return (json as { token: unknown }).token
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : error)

/** The error of a call; the test fails if it does not throw. */
async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable('a reply'),
    (error: unknown) => error,
  )
}

describe('a token', () => {
  test('is fetched once for concurrent calls, and kept', async () => {
    const sent = await Promise.all(Array.from({ length: 20 }, sentWith))
    expect(new Set(sent)).toEqual(new Set(['canary-token-1']))
    await sentWith()
    expect(issued()).toBe(1)
  })

  test('is fetched again a minute before it expires', async () => {
    await sentWith()
    clock += 3_600_000 - 60_000 - 1
    expect(await sentWith()).toBe('canary-token-1')
    clock += 1
    expect(await sentWith()).toBe('canary-token-2')
  })

  test('that expires within two minutes is kept for half of its lifetime', async () => {
    issue = (count) => ({ status: 200, body: { access_token: `canary-token-${count}`, expires_in: 30 } })
    expect(await sentWith()).toBe('canary-token-1')
    clock += 14_999
    expect(await sentWith()).toBe('canary-token-1')
    clock += 1
    expect(await sentWith()).toBe('canary-token-2')
  })

  test('is kept for later calls if the call that requested it is aborted', async () => {
    let answer: (reply: FakeReply) => void = () => {}
    issue = () => new Promise((resolve) => (answer = resolve))
    const abort = new AbortController()
    const first = thrownBy(send(abort.signal))
    await expect.poll(issued, { interval: 2 }).toBe(1)
    abort.abort()
    answer({ status: 200, body: { access_token: 'canary-late', expires_in: 3_600 } })
    expect(messageOf(await first)).toMatch(/aborted/)
    expect(await sentWith()).toBe('canary-late')
    expect(issued()).toBe(1)
  })
})

describe('a 401', () => {
  test('drops the token, and the call is repeated once with a new one', async () => {
    await sentWith()
    isGood = (token) => token !== 'canary-token-1'
    expect(await sentWith()).toBe('canary-token-2')
    expect(await sentWith()).toBe('canary-token-2')
    expect(issued()).toBe(2)
  })

  test('for many concurrent calls replaces the token once', async () => {
    await sentWith()
    isGood = (token) => token !== 'canary-token-1'
    const sent = await Promise.all(Array.from({ length: 20 }, sentWith))
    expect(new Set(sent)).toEqual(new Set(['canary-token-2']))
    expect(issued()).toBe(2)
  })

  test('is returned as the reply if it happens twice', async () => {
    isGood = () => false
    expect(await send()).toMatchObject({ status: 401, json: { refused: 'canary-token-2' } })
    expect(fake.requests.map(({ path }) => path)).toEqual(['/token', '/parcel', '/token', '/parcel'])
  })

  test('leads to one new token a minute at most, and to fewer if those are rejected as well', async () => {
    isGood = () => false
    await Promise.all(Array.from({ length: 60 }, () => send()))
    expect(issued()).toBe(2)
    const renewals: number[] = []
    const start = clock
    // Every ten seconds, and a second before each full minute.
    const moments = Array.from({ length: 3_600 }, (_, second) => second).filter(
      (second) => second % 10 === 0 || second % 60 === 59,
    )
    for (const second of moments) {
      clock = start + second * 1_000
      const before = issued()
      await send()
      if (issued() > before) renewals.push(second)
    }
    expect(renewals).toEqual([60, 180, 420, 900, 1_800, 2_700])
  })

  test('of one kind of request leads to growing pauses although other requests succeed', async () => {
    isGood = (_token, path) => path !== '/track'
    const track = () =>
      tokens.send(
        (token) => ({ method: 'GET', url: `${fake.baseUrl}/track`, headers: { authorization: token } }),
        AbortSignal.timeout(5_000),
      )
    for (let second = 0; second < 3_600; second += 20) {
      expect((await track()).status).toBe(401)
      expect((await send()).status).toBe(200)
      clock += 20_000
    }
    expect(issued()).toBe(8)
  })

  test('is not followed by another call if the signal is aborted', async () => {
    const abort = new AbortController()
    isGood = () => {
      abort.abort()
      return false
    }
    await expect(send(abort.signal)).rejects.toThrow()
    expect(fake.requests.filter(({ path }) => path === '/parcel')).toHaveLength(1)
  })
})

const NO_TOKEN: readonly (readonly [string, FakeReply, string])[] = [
  ['401', { status: 401, body: { error: 'canary-secret is wrong' } }, 'no access token: HTTP 401'],
  ['503', { status: 503, body: 'canary-secret' }, 'no access token: HTTP 503'],
  ['a redirect', { status: 302, headers: { location: '/canary-secret' } }, 'no access token: HTTP 302'],
  ['201', { status: 201, body: { access_token: 'canary-token' } }, 'no access token: HTTP 201'],
  ['no JSON', { status: 200, body: 'canary-token' }, 'no access token: HTTP 200'],
  ['no token', { status: 200, body: { error: 'canary-secret' } }, 'no access token: HTTP 200'],
  [
    'a token that is not allowed in a header',
    { status: 200, body: { access_token: 'canary\ntoken' } },
    'no access token: HTTP 200',
  ],
]

describe('a missing token', () => {
  test.each(NO_TOKEN)('causes an error without secrets: %s', async (_name, reply, message) => {
    issue = () => reply
    const error = await thrownBy(send())
    expect(messageOf(error)).toBe(message)
    expect(`${(error as Error).stack} ${(error as Error).cause}`).not.toContain('canary')
    expect(issued()).toBe(1)
  })

  test('causes an error if there is no connection', async () => {
    issue = () => 'cut'
    expect(messageOf(await thrownBy(send()))).toMatch(/^no access token: (UND_ERR_SOCKET|ECONNRESET)$/)
  })

  test('causes an error if a secret is not allowed in a header', async () => {
    const headers = { authorization: 'canary\nsecret' }
    tokens = tokenSource({ method: 'POST', url: `${fake.baseUrl}/token`, headers }, readOAuthToken)
    const error = await thrownBy(send())
    expect(messageOf(error)).toBe('no access token: the URL or a credential in the settings is invalid')
  })
})

describe('after a failed token request', () => {
  beforeEach(() => {
    issue = () => ({ status: 503 })
  })

  test('no other request is sent for two seconds; calls get the same error at once', async () => {
    const first = await thrownBy(send())
    clock += 1_999
    issue = (count) => ({ status: 200, body: { access_token: `canary-token-${count}`, expires_in: 3_600 } })
    for (const error of await Promise.all([thrownBy(send()), thrownBy(send())])) expect(error).toBe(first)
    expect(issued()).toBe(1)
    clock += 1
    expect(await sentWith()).toBe('canary-token-2')
  })

  test('all waiting calls get its error', async () => {
    const errors = await Promise.all(Array.from({ length: 20 }, () => thrownBy(send())))
    expect(new Set(errors).size).toBe(1)
    expect(issued()).toBe(1)
  })

  test('the pause starts again after every failure', async () => {
    for (let round = 1; round <= 4; round += 1) {
      await thrownBy(send())
      await thrownBy(send())
      expect(issued()).toBe(round)
      clock += 2_000
    }
  })

  test('the pause starts at the time of the failure', async () => {
    issue = () => {
      clock += 5_000
      return { status: 503 }
    }
    await thrownBy(send())
    clock += 1_999
    await thrownBy(send())
    expect(issued()).toBe(1)
  })

  test('there is a pause even if a token was dropped before', async () => {
    issue = (count) =>
      count === 1
        ? { status: 200, body: { access_token: 'canary-token', expires_in: 3_600 } }
        : { status: 503 }
    await sentWith()
    isGood = () => false
    const first = await thrownBy(send())
    isGood = () => true
    expect(await thrownBy(send())).toBe(first)
    expect(issued()).toBe(2)
  })

  test('a success ends the pauses', async () => {
    await thrownBy(send())
    clock += 2_000
    issue = () => ({ status: 200, body: { access_token: 'canary-token', expires_in: 3_600 } })
    await sentWith()
    clock += 3_600_000
    issue = () => ({ status: 503 })
    await thrownBy(send())
    expect(issued()).toBe(3)
  })
})

describe('a token request that is rejected', () => {
  test.each([
    400, 401, 403,
  ])('with %i is repeated after a minute, and then after growing pauses', async (status) => {
    issue = () => ({ status })
    const requests: number[] = []
    const start = clock
    for (let second = 0; second <= 3_600; second += 10) {
      const before = issued()
      await thrownBy(send())
      if (issued() > before) requests.push((clock - start) / 1_000)
      clock += 10_000
    }
    expect(requests).toEqual([0, 60, 180, 420, 900, 1_800, 2_700, 3_600])
  })

  test.each([429, 503])('with %i and Retry-After is repeated after that time', async (status) => {
    issue = () => ({ status, headers: { 'retry-after': '30' } })
    await thrownBy(send())
    clock += 29_999
    await thrownBy(send())
    expect(issued()).toBe(1)
    clock += 1
    await thrownBy(send())
    expect(issued()).toBe(2)
  })

  test('with a Retry-After of a day is repeated after 15 minutes', async () => {
    issue = () => ({ status: 429, headers: { 'retry-after': '86400' } })
    await thrownBy(send())
    clock += 899_999
    await thrownBy(send())
    expect(issued()).toBe(1)
    clock += 1
    await thrownBy(send())
    expect(issued()).toBe(2)
  })
})

describe('waiting for a token', () => {
  test('ends when the signal is aborted, and the token is kept for later calls', async () => {
    let answer: (reply: FakeReply) => void = () => {}
    issue = () => new Promise((resolve) => (answer = resolve))
    const abort = new AbortController()
    const waiting = thrownBy(tokens.ready(abort.signal))
    await expect.poll(issued, { interval: 2 }).toBe(1)
    abort.abort()
    expect(await waiting).toBeInstanceOf(NotSentError)
    answer({ status: 200, body: { access_token: 'canary-late', expires_in: 3_600 } })
    await tokens.ready(AbortSignal.timeout(5_000))
    expect([await sentWith(), issued()]).toEqual(['canary-late', 1])
  })
})

describe('the limiter of token requests', () => {
  const url = 'http://carrier.example/token'
  const FEDEX = CONNECTORS.fedex.tokenRequests
  let time: number
  /** The times at which requests may be sent. */
  let sentAt: number[]
  /** The next sleep takes this much longer. */
  let pausedMs: number
  const limiterOf = (limits = FEDEX) =>
    tokenLimiter(
      limits,
      () => time,
      async (ms) => {
        // Requests that may be sent now note their time first.
        await new Promise((resolve) => setImmediate(resolve))
        time += ms + pausedMs
        pausedMs = 0
      },
    )
  const enter = (limiter: TokenLimiter, to = url) => limiter.enter(to).then(() => sentAt.push(time))
  beforeEach(() => {
    time = 1_000
    pausedMs = 0
    sentAt = []
  })

  test('lets some through at once, and the others one after the other', async () => {
    const limiter = limiterOf({ burst: 3, everyMs: 2_500 })
    await Promise.all(Array.from({ length: 6 }, () => enter(limiter)))
    expect(sentAt).toEqual([1_000, 1_000, 1_000, 3_500, 6_000, 8_500])
    // Another host has its own limit.
    await enter(limiter, 'http://other.example/token')
    expect(sentAt.at(-1)).toBe(8_500)
  })

  test('stays below the limits of FedEx, also with two replicas', async () => {
    const limiter = limiterOf()
    await Promise.all(Array.from({ length: 120 }, () => enter(limiter)))
    const most = (windowMs: number) =>
      Math.max(...sentAt.map((start) => sentAt.filter((at) => at >= start && at < start + windowMs).length))
    expect(2 * most(5_000)).toBeLessThan(15)
    expect(2 * most(120_000)).toBeLessThan(120)
  })

  test('does not send all waiting requests at once after the process was paused', async () => {
    const limiter = limiterOf({ burst: 3, everyMs: 2_500 })
    const all = Promise.all(Array.from({ length: 30 }, () => enter(limiter)))
    pausedMs = 600_000
    await all
    const afterPause = sentAt.filter((at) => at > 600_000)
    expect(afterPause.filter((at) => at < (afterPause[0] ?? 0) + 2_500)).toHaveLength(4)
  })

  test('gives all accounts a token at a cold start: no request fails', async () => {
    const limiter = limiterOf()
    const sources = Array.from({ length: 20 }, () =>
      tokenSource({ method: 'POST', url: `${fake.baseUrl}/token` }, readOAuthToken, { limiter }),
    )
    await Promise.all(sources.map((source) => source.ready(AbortSignal.timeout(5_000))))
    expect(issued()).toBe(20)
  })

  test('rejects a request when too many are waiting', async () => {
    const limiter = limiterOf()
    const results = await Promise.allSettled(Array.from({ length: 520 }, () => enter(limiter)))
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(reasons).toHaveLength(20)
    for (const reason of reasons) expect(reason).toBeInstanceOf(NotSentError)
  })
})

describe('the token and lifetime of an OAuth reply', () => {
  const minutes = 300_000
  test.each<[unknown, number | undefined]>([
    [{ access_token: 't', expires_in: 3_600 }, 3_600_000],
    [{ access_token: 't', expires_in: '3599' }, 3_599_000],
    [{ access_token: 't' }, minutes],
    [{ access_token: 't', expires_in: 'soon' }, minutes],
    [{ access_token: 't', expires_in: 0 }, minutes],
    [{ access_token: 't', expires_in: -1 }, minutes],
    [{ access_token: 't', expires_in: null }, minutes],
    [{ access_token: 't', expires_in: Number.POSITIVE_INFINITY }, minutes],
    [{ access_token: '' }, undefined],
    [{ access_token: 'a b' }, undefined],
    [{ access_token: 'a\nb' }, undefined],
    [{ access_token: 'é' }, undefined],
    [{ access_token: 'x'.repeat(8_193) }, undefined],
    [{ access_token: ['t'] }, undefined],
    [{ token: 't' }, undefined],
    [null, undefined],
    [undefined, undefined],
    ['t', undefined],
    [[], undefined],
  ])('%j', (json, lifetimeMs) => {
    expect(readOAuthToken(json)).toEqual(lifetimeMs === undefined ? undefined : { token: 't', lifetimeMs })
  })
})
