/** Tests of credentials: their verdicts at a fake of every carrier, and that they change nothing there. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type AccessReport, testAccess, verdictText } from '../../src/carriers/access-test.ts'
import { NotSentError } from '../../src/carriers/not-sent.ts'
import { CONNECTORS } from '../../src/carriers/registry.ts'
import { sharedTokens } from '../../src/carriers/shared-tokens.ts'
import { productionFault } from '../../src/carriers/test-urls.ts'
import { TokenError } from '../../src/carriers/token-source.ts'
import { CONNECTOR_NAMES } from '../../src/core/connector-names.ts'
import { memoryCarrierTokens } from '../support/memory-carrier-tokens.ts'
import { EXPRESS_CREDENTIALS, startExpressFake } from './fakes/dhl-express.ts'
import { DHL_CREDENTIALS, startDhlParcelFake } from './fakes/dhl-parcel-de.ts'
import { DPD_CREDENTIALS, startDpdFake } from './fakes/dpd.ts'
import { type FakeCarrier, type FakeReply, startFake } from './fakes/fake-carrier.ts'
import { FEDEX_CREDENTIALS, startFedexFake } from './fakes/fedex.ts'
import { GLS_CREDENTIALS, startGlsFake } from './fakes/gls-shipit.ts'
import { TLS } from './fakes/self-signed.ts'
import { startUpsFake, UPS_CREDENTIALS } from './fakes/ups.ts'

type Name = keyof typeof CONNECTORS

/** With the credential to falsify, and the requests of a test. */
const CARRIERS: readonly (readonly [
  name: Name,
  credentials: Readonly<Record<string, string>>,
  falsified: string,
  requests: readonly RegExp[],
  start: () => Promise<FakeCarrier>,
])[] = [
  [
    'ups',
    UPS_CREDENTIALS,
    'clientSecret',
    [/^POST .*\/token$/, /^GET \/api\/track\/v1\/details\/1Z0+$/],
    startUpsFake,
  ],
  [
    'fedex',
    FEDEX_CREDENTIALS,
    'clientSecret',
    [/^POST \/oauth\/token$/, /^POST \/track\/v1\/trackingnumbers$/],
    startFedexFake,
  ],
  [
    'dhl-parcel-de',
    DHL_CREDENTIALS,
    'password',
    [/^GET \/parcel\/de\/shipping\/v2\/orders$/],
    startDhlParcelFake,
  ],
  [
    'gls-shipit',
    GLS_CREDENTIALS,
    'clientSecret',
    [/^POST .*\/token$/, /^GET \/track-and-trace-v1\/.*\/ZZZZZZZZ$/],
    startGlsFake,
  ],
  [
    'dhl-express',
    EXPRESS_CREDENTIALS,
    'password',
    [/^GET \/mydhlapi\/shipments\/0{10}\/tracking$/],
    startExpressFake,
  ],
  ['dpd', DPD_CREDENTIALS, 'userToken', [/^GET \/api\/v1\/getOrderStatus\/0{14}\/null$/], startDpdFake],
]

function access(
  name: Name,
  baseUrl: string,
  credentials: Readonly<Record<string, string>>,
): Promise<AccessReport> {
  const type = CONNECTORS[name]
  const connector = type.open({ baseUrl, credentials })
  const one = { carrierCode: 'c', connectorName: name, type, baseUrl, credentials }
  return testAccess(one, connector, new AbortController().signal)
}

/** A port of loopback that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('every carrier has a harmless read', () => {
  for (const name of CONNECTOR_NAMES) {
    const connector = CONNECTORS[name].open({ baseUrl: 'http://127.0.0.1:9', credentials: {} })
    expect(connector.check, name).toBeInstanceOf(Function)
  }
})

describe.each(CARRIERS)('the test of %s', (name, credentials, falsified, requests, start) => {
  let fake: FakeCarrier
  beforeAll(async () => {
    fake = await start()
  })
  afterAll(() => fake.close())

  test('accepts right credentials with one token and one read', async () => {
    const before = fake.requests.length
    expect(await access(name, fake.baseUrl, credentials)).toMatchObject({
      verdict: 'accepted',
      isTestUrl: false,
    })
    const sent = fake.requests.slice(before).map(({ method, path }) => `${method} ${path}`)
    expect(sent).toEqual(requests.map((request) => expect.stringMatching(request)))
  })

  test('rejects wrong credentials, without showing them', async () => {
    const report = await access(name, fake.baseUrl, { ...credentials, [falsified]: 'canary-wrong' })
    expect(report).toMatchObject({ verdict: 'rejected', detail: expect.any(String) })
    expect(JSON.stringify(report)).not.toContain('canary')
  })

  test('is unclear while the carrier fails', async () => {
    const failing = await startFake(() => ({ status: 503 }))
    try {
      const report = await access(name, failing.baseUrl, credentials)
      expect(report).toMatchObject({ verdict: 'unclear', detail: expect.stringContaining('HTTP 503') })
    } finally {
      await failing.close()
    }
  })

  test.each([
    ['an unknown path', { status: 404, body: '<html>Not found</html>' }],
    ['a method that is not allowed', { status: 405 }],
    ['a redirect', { status: 302, headers: { location: 'https://www.carrier.example/' } }],
  ])('finds a wrong URL by %s', async (_what, reply) => {
    const other = await startFake(() => reply)
    try {
      expect(await access(name, other.baseUrl, credentials)).toMatchObject({ verdict: 'wrong_url' })
    } finally {
      await other.close()
    }
  })

  test('finds a wrong URL by a page with status 200', async () => {
    const headers = { 'content-type': 'Text/HTML; charset=utf-8' }
    const other = await startFake(() => ({ status: 200, headers, body: '<html>Welcome</html>' }))
    try {
      expect(await access(name, other.baseUrl, credentials)).toMatchObject({ verdict: 'wrong_url' })
    } finally {
      await other.close()
    }
  })

  test('finds a host without an address, a closed port, and a certificate that is not trusted', async () => {
    const tls = createTlsServer(TLS)
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = tls.address() as AddressInfo
      const urls = [
        'https://carrier.invalid',
        `http://127.0.0.1:${await closedPort()}`,
        `https://127.0.0.1:${port}`,
      ]
      const reports = await Promise.all(urls.map((url) => access(name, url, credentials)))
      expect(reports.map(({ verdict, failedAt }) => [verdict, failedAt])).toEqual([
        ['not_reachable', 'dns'],
        ['not_reachable', 'connection'],
        ['not_reachable', 'tls'],
      ])
      expect(new Set(reports.map(verdictText)).size).toBe(3)
    } finally {
      tls.close()
    }
  })
})

describe('processes that share their tokens agree', () => {
  /** The verdicts of processes that test the same credentials one after the other. */
  async function verdicts(reply: FakeReply): Promise<Pick<AccessReport, 'verdict' | 'detail'>[]> {
    const fake = await startFake(() => reply)
    const store = memoryCarrierTokens(() => performance.now())
    const type = CONNECTORS.ups
    const settings = { baseUrl: fake.baseUrl, credentials: UPS_CREDENTIALS }
    const reports: AccessReport[] = []
    for (let process = 0; process < 3; process += 1) {
      const connector = type.open({
        ...settings,
        sharedTokens: sharedTokens(store, () => expect.unreachable()),
      })
      const of = { carrierCode: 'c', connectorName: 'ups', type, ...settings }
      reports.push(await testAccess(of, connector, new AbortController().signal))
    }
    expect(fake.requests.length).toBe(1)
    await fake.close()
    return reports
  }

  test('that credentials are rejected', async () => {
    expect(await verdicts({ status: 401, body: { error: 'invalid_client' } })).toMatchObject([
      { verdict: 'rejected', failedAt: 'token', detail: 'no access token: HTTP 401' },
      { verdict: 'rejected', detail: 'no access token: another process was refused one: HTTP 401' },
      { verdict: 'rejected', detail: 'no access token: another process was refused one: HTTP 401' },
    ])
  })

  test('that a carrier limits requests, which says nothing about the settings', async () => {
    const reply = { status: 429, headers: { 'retry-after': '300' }, body: {} }
    expect(await verdicts(reply)).toMatchObject([
      { verdict: 'unclear', detail: 'no access token: HTTP 429' },
      { verdict: 'unclear', detail: 'no access token: another process was refused one: HTTP 429' },
      { verdict: 'unclear' },
    ])
  })
})

test.each([
  ['too many token requests are waiting', new TokenError('too many token requests to this host are waiting')],
  ['the connector fails', new NotSentError('the number of the order is not registered')],
])('is unclear if %s', async (_what, error) => {
  const of = {
    carrierCode: 'c',
    connectorName: 'x',
    type: CONNECTORS.ups,
    baseUrl: 'http://127.0.0.1:9',
    credentials: {},
  }
  const connector = { cancel: () => Promise.reject(error), prepare: () => Promise.reject(error) }
  const report = await testAccess(of, connector, new AbortController().signal)
  expect(report).toMatchObject({ verdict: 'unclear', failedAt: 'token' })
})

test('credentials that cannot be sent are a fault of the settings', async () => {
  const report = await access('dpd', 'http://127.0.0.1:9', { ...DPD_CREDENTIALS, userToken: 'ca\nnary' })
  expect(report).toMatchObject({
    verdict: 'wrong_url',
    detail: 'the URL or a credential in the settings is invalid',
  })
})

test('a connector that never ends is unclear', async () => {
  vi.useFakeTimers()
  try {
    const type = CONNECTORS.ups
    const of = { carrierCode: 'c', connectorName: 'x', type, baseUrl: 'http://127.0.0.1:9', credentials: {} }
    const endless = () => new Promise<never>(() => {})
    const cancel = endless
    const { signal } = new AbortController()
    const reports = [
      testAccess(of, { cancel, prepare: endless }, signal),
      testAccess(of, { cancel, check: endless }, signal),
    ]
    await vi.advanceTimersByTimeAsync(11_000)
    expect(await Promise.all(reports)).toMatchObject([
      { verdict: 'unclear', failedAt: 'token' },
      { verdict: 'unclear', failedAt: 'read' },
    ])
  } finally {
    vi.useRealTimers()
  }
})

describe('production refuses', () => {
  test.each(
    CONNECTOR_NAMES.filter((name) => name !== 'sandbox'),
  )('the test interface of %s, and not its live one', (name) => {
    const { liveUrl, testUrls = [] } = CONNECTORS[name]
    expect(testUrls.length).toBeGreaterThan(0)
    for (const testUrl of testUrls)
      for (const url of [testUrl, `${testUrl}/v1`, testUrl.toUpperCase()])
        expect(productionFault(`https://${url}`, testUrls)).toContain('test interface')
    for (const url of [liveUrl, `${liveUrl}/tests`, `${liveUrl}.`])
      expect(productionFault(url, testUrls)).toBeUndefined()
  })

  test.each([
    ['http://carrier.example', true],
    ['http://10.0.0.1:8080', true],
    ['http://127.0.0.1.example', true],
    ['https://carrier.example', false],
    ['http://127.0.0.1:8080', false],
    ['http://localhost:8080', false],
    ['http://[::1]:8080', false],
  ])('%s: %s', (url, isRefused) => {
    expect(productionFault(url) !== undefined).toBe(isRefused)
  })
})
