/** Connectors made of definitions, through the gateway: requests, replies that are no answers, and invalid answers. */
import { afterEach, describe, expect, test } from 'vitest'
import { SHIPMENT } from '../../../../src/carriers/connector-check/play.ts'
import { connectorTypeOf } from '../../../../src/carriers/connectors/define/connector-type.ts'
import type {
  ConnectorDefinition,
  Conversation,
  Settings,
} from '../../../../src/carriers/connectors/define/definition.ts'
import { orUnknown, refused, unknown } from '../../../../src/carriers/connectors/judgement.ts'
import { carrierGateway } from '../../../../src/carriers/gateway/gateway.ts'
import { openCarriers } from '../../../../src/carriers/registry.ts'
import type { CarrierCall } from '../../../../src/operations/ports/carrier-calls.ts'
import { type FakeCarrier, type FakeReply, type FakeRequest, startFake } from '../../fakes/fake-carrier.ts'
import { EXAMPLE } from './example.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function fakeWith(answer: (request: FakeRequest) => FakeReply): Promise<FakeCarrier> {
  const fake = await startFake(answer)
  closing.push(fake.close)
  return fake
}

const SECRET = 'canary-secret-of-the-carrier'

function gatewayOf(definition: object, baseUrl: string, credentials: Record<string, string> = {}) {
  const type = connectorTypeOf({ ...EXAMPLE, ...definition } as ConnectorDefinition)
  const alerts: string[] = []
  const records: CarrierCall[] = []
  const carriers = openCarriers(() => 'example', {
    sandboxUrl: undefined,
    settings: new Map([
      ['c', { baseUrl, credentials: { apiKey: SECRET, ...credentials }, accounts: new Map() }],
    ]),
    connectors: new Map([['example', type]]),
  })
  const gateway = carrierGateway(carriers, {
    timeoutMs: 2_000,
    alert: ({ kind }) => alerts.push(kind),
    record: (call) => records.push(call),
  })
  const parcel = { accountId: 'shop', carrierCode: 'c', carrierRef: 'N1' }
  return {
    ...{ alerts, records },
    cancel: (more: object = {}) =>
      gateway.cancel({ ...parcel, attemptId: 'a', shipmentId: 's', fence: 1, sends: 1, ageMs: 0, ...more }),
    track: (more: object = {}) => gateway.track({ ...parcel, ...more }),
    admit: () => gateway.admit(parcel),
  }
}

const CANCELLED = { number: 'N1', state: 'cancelled' }

describe('a declared call', () => {
  test('sends its request with the headers of the definition, and judges the reply', async () => {
    const fake = await fakeWith(() => ({ status: 200, body: CANCELLED }))
    const { cancel, records } = gatewayOf({}, fake.baseUrl)
    expect(await cancel()).toEqual({ kind: 'cancelled', how: 'now' })
    expect(fake.requests).toMatchObject([
      { method: 'DELETE', path: '/parcels/N1', headers: { 'api-key': SECRET } },
    ])
    expect(records).toMatchObject([{ purpose: 'cancel', outcome: 'cancelled' }])
    expect(JSON.stringify(records)).not.toContain(SECRET)
  })

  test('uses another base URL if a setting has one', async () => {
    const [main, other] = [
      await fakeWith(() => ({ status: 500 })),
      await fakeWith(() => ({ status: 200, body: { number: 'N1', state: 'announced' } })),
    ]
    expect(await gatewayOf({}, main.baseUrl, { trackUrl: `${other.baseUrl}/t/` }).track()).toEqual({
      kind: 'announced',
    })
    expect(other.requests[0]?.path).toBe('/t/parcels')
    expect(other.requests[0]?.query.get('number')).toBe('N1')
    await gatewayOf({}, main.baseUrl).track()
    expect(main.requests[0]?.path).toBe('/parcels')
  })

  test.each([
    204, 301, 400, 404, 410, 422, 429, 500, 503,
  ])('judges no reply with status %d that is not listed', async (status) => {
    const fake = await fakeWith(() => ({ status, body: CANCELLED }))
    expect(await gatewayOf({}, fake.baseUrl).cancel()).toMatchObject({
      kind: 'unknown',
      cause: `HTTP ${status}`,
    })
  })

  test.each([401, 403])('raises an alert after %d', async (status) => {
    const fake = await fakeWith(() => ({ status }))
    const { cancel, alerts } = gatewayOf({}, fake.baseUrl)
    expect(await cancel()).toMatchObject({ kind: 'unknown', cause: `HTTP ${status}` })
    expect(alerts).toContain('CARRIER_CONFIGURATION')
  })

  test('raises an alert after a 404, unless it has a code of the carrier', async () => {
    const fake = await fakeWith(() => ({ status: 404, body: { code: 'NO_PARCEL' } }))
    const without = gatewayOf({}, fake.baseUrl)
    await without.cancel()
    expect(without.alerts).toEqual(['CARRIER_CONFIGURATION'])
    const errorIn = ({ json }: { json: unknown }) => (json as { code: string }).code
    const withCode = gatewayOf({ errorIn }, fake.baseUrl)
    expect(await withCode.cancel()).toMatchObject({ cause: 'HTTP 404 NO_PARCEL' })
    expect(withCode.alerts).toEqual([])
  })

  test('refuses a path that would name another host', async () => {
    const call = {
      request: () => ({ method: 'GET', path: '@evil.example/' }),
      judge: () => ({ kind: 'announced' }),
    }
    expect(await gatewayOf({ track: call }, 'http://127.0.0.1:9').track()).toMatchObject({
      kind: 'not_sent',
      cause: 'the path of a request must begin with /',
    })
  })
})

describe('an answer of a definition', () => {
  const NONSENSE = [
    ['nothing', undefined],
    ['null', null],
    ['a text', 'cancelled'],
    ['a kind without more', { kind: 'refused' }],
    ['another how', { kind: 'cancelled', how: 'soon' }],
    ['another reason', { kind: 'refused', reason: 'BECAUSE', code: 'X', message: 'x' }],
    ['a refusal without a code', { kind: 'refused', reason: 'SCANNED', message: 'x' }],
    ['that nothing was sent', { kind: 'not_sent', cause: 'nothing was sent' }],
    ['unknown without a cause', { kind: 'unknown' }],
    ['a lookup without an answer', { kind: 'look_up' }],
    ['a scan without a time', { kind: 'scanned', scan: { eventId: 'e' } }],
    ['a list', [{ kind: 'cancelled', how: 'now' }]],
  ] as const

  test.each(NONSENSE)('is unknown if it is %s', async (_, answer) => {
    const fake = await fakeWith(() => ({ status: 200 }))
    const judge = () => answer
    const { cancel, track } = gatewayOf(
      { cancel: { ...EXAMPLE.cancel, judge }, track: { ...EXAMPLE.track, judge } },
      fake.baseUrl,
    )
    expect((await cancel()).kind).toBe('unknown')
    // A lookup has the kind `cancelled` without more.
    const isLookup = typeof answer === 'object' && answer !== null && 'how' in answer
    expect((await track()).kind).toBe(isLookup ? 'cancelled' : 'unknown')
    const { cancel: before } = gatewayOf({ cancel: async () => answer }, fake.baseUrl)
    expect((await before()).kind).toBe('unknown')
  })

  test('that is thrown is unknown, unless it is thrown instead of a request, and has no credentials', async () => {
    const fake = await fakeWith(() => ({ status: 200 }))
    const fail = () => {
      throw new Error(`failed with ${SECRET}`)
    }
    const cause = 'failed with [redacted]'
    for (const cancel of [{ ...EXAMPLE.cancel, judge: fail }, fail])
      expect(await gatewayOf({ cancel }, fake.baseUrl).cancel()).toMatchObject({ kind: 'unknown', cause })
    const count = fake.requests.length
    for (const change of [{ cancel: { ...EXAMPLE.cancel, request: fail } }, { headers: fail }])
      expect(await gatewayOf(change, fake.baseUrl).cancel()).toEqual({ kind: 'not_sent', cause })
    expect(fake.requests).toHaveLength(count)
  })

  test('has no credentials in its texts', async () => {
    const fake = await fakeWith(() => ({ status: 200 }))
    const refusal = gatewayOf(
      { cancel: async () => refused('SCANNED', SECRET, `no ${SECRET}`) },
      fake.baseUrl,
    )
    expect(await refusal.cancel()).toMatchObject({ code: '[redacted]', message: 'no [redacted]' })
    const doubt = gatewayOf({ cancel: async () => unknown(`no ${SECRET}`) }, fake.baseUrl)
    expect(await doubt.cancel()).toMatchObject({ cause: 'no [redacted]' })
  })
})

test('a credential with 4 characters is hidden, and a shorter one is not', async () => {
  const cancel = async () => unknown('no pin1 or abc')
  const { cancel: call } = gatewayOf({ cancel }, 'http://127.0.0.1:9', { pin: 'pin1', code: 'abc' })
  expect(await call()).toMatchObject({ cause: 'no [redacted] or abc' })
})

describe('nothing was sent', () => {
  test('only if no connection could be opened', async () => {
    const fake = await fakeWith(() => 'cut')
    const { baseUrl } = fake
    expect((await gatewayOf({}, baseUrl).cancel()).kind).toBe('unknown')
    await fake.close()
    closing.splice(0)
    expect((await gatewayOf({}, baseUrl).cancel()).kind).toBe('not_sent')
  })

  test('but not if an earlier request of the call may have left', async () => {
    const first = await fakeWith(() => ({ status: 200, body: {} }))
    const closed = await startFake(() => 'cut')
    await closed.close()
    const { cancel } = gatewayOf(
      {
        async cancel(_: unknown, { send }: { send: (request: object) => Promise<unknown> }) {
          await send({ method: 'GET', path: '/first' })
          await send({ method: 'DELETE', path: '/second', baseUrlFrom: 'trackUrl' })
        },
      },
      first.baseUrl,
      { trackUrl: closed.baseUrl },
    )
    expect(await cancel()).toMatchObject({ kind: 'unknown', cause: 'ECONNREFUSED' })
  })

  test('if the number of the order is not registered', async () => {
    const fake = await fakeWith(() => ({ status: 200, body: CANCELLED }))
    const orderNumber = { pattern: /^\d+$/, mustBe: 'digits' }
    const request = ({ orderRef }: { orderRef?: string }) => ({
      method: 'DELETE',
      path: `/orders/${orderRef}`,
    })
    const { cancel, track } = gatewayOf({ orderNumber, cancel: { ...EXAMPLE.cancel, request } }, fake.baseUrl)
    expect(await cancel()).toMatchObject({
      kind: 'not_sent',
      cause: 'the number of the order is not registered',
    })
    expect((await track()).kind).toBe('not_sent')
    expect(fake.requests).toEqual([])
    expect((await cancel({ orderRef: '77' })).kind).toBe('cancelled')
    expect(fake.requests[0]?.path).toBe('/orders/77')
  })
})

describe('a cancellation that a lookup settles', () => {
  const otherwise = unknown('unclear')
  const undecided = {
    ...EXAMPLE.cancel,
    judge: () => ({
      kind: 'look_up',
      otherwise,
      ifAnnounced: refused('NOT_CANCELLABLE', 'X', 'not cancelled'),
      ifNoData: { kind: 'cancelled', how: 'already' },
    }),
  }

  test.each<[state: object, answer: object]>([
    [{ kind: 'cancelled' }, { kind: 'cancelled', how: 'already' }],
    [
      { kind: 'scanned', scan: { eventId: 'e', at: '2026-11-20T10:00:00Z' } },
      { kind: 'refused', reason: 'SCANNED' },
    ],
    [{ kind: 'announced' }, { kind: 'refused', reason: 'NOT_CANCELLABLE' }],
    [
      { kind: 'no_data', cause: 'none' },
      { kind: 'cancelled', how: 'already' },
    ],
    [unknown('down'), { kind: 'unknown', cause: 'unclear' }],
  ])('%o', async (state, answer) => {
    const fake = await fakeWith(() => ({ status: 200 }))
    const track = { ...EXAMPLE.track, judge: () => state }
    expect(await gatewayOf({ cancel: undecided, track }, fake.baseUrl).cancel()).toMatchObject(answer)
  })

  test('keeps its own doubt if the lookup gets no reply', async () => {
    const fake = await fakeWith(({ method }) => (method === 'GET' ? 'cut' : { status: 200 }))
    expect(await gatewayOf({ cancel: undecided }, fake.baseUrl).cancel()).toMatchObject({
      kind: 'unknown',
      cause: 'unclear',
    })
  })
})

describe('access tokens', () => {
  const token = {
    request: ({ apiKey = '' }) => ({ path: '/token', body: `key=${apiKey}` }),
  }
  const headers = (_: unknown, given: string) => ({ authorization: `Bearer ${given}` })

  test('are requested once, and sent with each request', async () => {
    const fake = await fakeWith(({ path }) =>
      path === '/token'
        ? { status: 200, body: { access_token: 'tok', expires_in: 60 } }
        : { status: 200, body: CANCELLED },
    )
    const { admit, cancel } = gatewayOf({ token, headers }, fake.baseUrl)
    expect((await admit()).kind).toBe('admitted')
    await cancel()
    await cancel()
    expect(fake.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /token',
      'DELETE /parcels/N1',
      'DELETE /parcels/N1',
    ])
    expect(fake.requests[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(fake.requests[1]?.headers.authorization).toBe('Bearer tok')
  })

  test('that are missing mean that nothing was sent', async () => {
    const fake = await fakeWith(() => ({ status: 503 }))
    const { admit, cancel } = gatewayOf({ token, headers }, fake.baseUrl)
    expect([(await admit()).kind, (await cancel()).kind]).toEqual(['not_sent', 'not_sent'])
  })
})

const throwing = () => {
  throw new Error(`no key ${SECRET}`)
}
test.each([
  ['throws', throwing, 'no access token: no key [redacted]'],
  ['has no path', () => ({ body: 'x' }), 'no access token: the path of a request must begin with /'],
  ['is nothing', () => undefined, /^no access token: ./],
])('a request for a token that %s means that nothing was sent', async (_, request, cause) => {
  const { admit, cancel } = gatewayOf({ token: { request } }, 'http://127.0.0.1:9')
  const answer = { kind: 'not_sent', cause: typeof cause === 'string' ? cause : expect.stringMatching(cause) }
  expect([await admit(), await cancel()]).toEqual([answer, answer])
})

test.each([
  ['nothing', () => undefined, 'HTTP 200'],
  ['no lifetime', () => ({ token: 'tok' }), 'HTTP 200'],
  ['a lifetime without end', () => ({ token: 'tok', lifetimeMs: Number.POSITIVE_INFINITY }), 'HTTP 200'],
  ['a lifetime of nothing', () => ({ token: 'tok', lifetimeMs: 0 }), 'HTTP 200'],
  ['a token with a line break', () => ({ token: 'tok\n', lifetimeMs: 60_000 }), 'HTTP 200'],
  ['an object as token', () => ({ token: {}, lifetimeMs: 60_000 }), 'HTTP 200'],
  ['an error', throwing, 'the reply cannot be read'],
])('a reply read as %s has no token', async (_, read, cause) => {
  const fake = await fakeWith(() => ({ status: 200, body: {} }))
  const token = { request: () => ({ path: '/token', body: '' }), read }
  const { admit, cancel } = gatewayOf({ token }, fake.baseUrl)
  const answer = { kind: 'not_sent', cause: `no access token: ${cause}` }
  expect([await admit(), await cancel()]).toEqual([answer, answer])
  expect(fake.requests.map(({ path }) => path)).toEqual(['/token'])
})

describe('a carrier with order numbers', () => {
  const orderNumber = { pattern: /^\d+$/, mustBe: 'digits' }
  const open = (more: object) =>
    connectorTypeOf({ ...EXAMPLE, orderNumber, ...more } as ConnectorDefinition).open({
      baseUrl: 'http://127.0.0.1:9',
      credentials: {},
    })
  const signal = AbortSignal.timeout(5_000)

  test('looks up in a batch only parcels that have one', async () => {
    const asked: unknown[] = []
    const trackMany = async (parcels: unknown) => {
      asked.push(parcels)
      return { kind: 'tracked', parcels: new Map([['B', { kind: 'announced' }]]) }
    }
    const connector = open({ trackMany })
    const tracked = await connector.trackMany?.(
      [{ carrierRef: 'A' }, { carrierRef: 'B', orderRef: '7' }],
      signal,
    )
    expect(asked).toEqual([[{ carrierRef: 'B', orderRef: '7' }]])
    expect(tracked).toEqual({ kind: 'tracked', parcels: new Map([['B', { kind: 'announced' }]]) })
    await connector.trackMany?.([{ carrierRef: 'A' }], signal)
    expect(asked).toHaveLength(1)
  })

  test.each([
    [{ orderRef: '7' }, { kind: 'booked', carrierRef: 'N1', orderRef: '7' }],
    [{}, { kind: 'unknown', cause: 'booked without a usable order number', configuration: true }],
    [{ orderRef: 'x' }, { kind: 'unknown', configuration: true }],
    [{ orderRef: 7 }, { kind: 'unknown' }],
  ])('has to return one with a booking: %o', async (numbers, answer) => {
    const booked = async () => ({ kind: 'booked', carrierRef: 'N1', ...numbers })
    const { bookings } = open({ bookings: { book: booked, find: booked } })
    expect(await bookings?.book(SHIPMENT, signal)).toMatchObject(answer)
    expect(await bookings?.find('shipment', signal)).toMatchObject(answer)
  })

  test('services that a booking passes on are those of the definition', () => {
    const book = async () => ({ kind: 'booked', carrierRef: 'N1', orderRef: '7' })
    expect(open({ bookings: { book, find: book } }).bookings?.services).toBeUndefined()
    const { bookings } = open({ bookings: { book, find: book, services: ['SATURDAY'] } })
    expect(bookings?.services).toEqual(new Set(['SATURDAY']))
  })
})

test('another base URL comes only from a setting that is checked as a URL', async () => {
  const request = () => ({ method: 'GET', path: '/', baseUrlFrom: 'apiKey' })
  const { track } = gatewayOf({ track: { ...EXAMPLE.track, request } }, 'http://127.0.0.1:9')
  expect(await track()).toMatchObject({
    kind: 'not_sent',
    cause: 'baseUrlFrom must name a setting that ends with Url',
  })
})

test('a release gets the number of the order in its lookups', async () => {
  const fake = await fakeWith(() => ({ status: 200, body: {} }))
  const track = {
    request: ({ orderRef = '' }) => ({ method: 'GET', path: `/orders/${orderRef}` }),
    judge: () => ({ kind: 'announced' }),
  }
  const { cancel } = gatewayOf({ cancel: { release: {} }, track }, fake.baseUrl)
  expect(await cancel({ orderRef: '77' })).toEqual({ kind: 'cancelled', how: 'released' })
  expect(fake.requests.map(({ path }) => path)).toEqual(['/orders/77'])
})

test('a pattern with a flag that remembers positions is the same for every value', () => {
  const { trackingNumberFault } = connectorTypeOf({
    ...EXAMPLE,
    trackingNumber: { pattern: /^\d+$/g, mustBe: 'digits' },
  })
  expect(['1', '2', '3', 'x'].map((number) => trackingNumberFault?.(number))).toEqual([
    undefined,
    undefined,
    undefined,
    'must be digits',
  ])
})

test.each([0, -1, 1.5, Number.NaN, '9'])('a limit of %s for a reply is refused', async (replyMaxBytes) => {
  const request = () => ({ method: 'GET', path: '/', replyMaxBytes })
  const { track } = gatewayOf({ track: { ...EXAMPLE.track, request } }, 'http://127.0.0.1:9')
  expect(await track()).toEqual({
    kind: 'not_sent',
    cause: 'replyMaxBytes must be a whole number from 1',
  })
})

describe('other access tokens', () => {
  const tokenOf = (name: string) => ({ request: () => ({ path: '/token', body: `client=${name}` }) })
  const definition = (otherTokens: object) => ({
    ...{ token: tokenOf('ship'), otherTokens },
    headers: (_: unknown, token: string) => ({ authorization: token }),
    track: {
      ...EXAMPLE.track,
      request: () => ({ method: 'GET', path: '/parcels', tokenFrom: 'track' }),
    },
  })
  const carrier = () =>
    fakeWith(({ path, text }) =>
      path === '/token'
        ? { status: 200, body: { access_token: `token-of-${text.slice(7)}`, expires_in: 600 } }
        : { status: 200, body: { ...CANCELLED, state: path === '/parcels' ? 'announced' : 'cancelled' } },
    )

  test('are those of the requests that name them', async () => {
    const fake = await carrier()
    const { cancel, track, admit } = gatewayOf(definition({ track: tokenOf('track') }), fake.baseUrl)
    expect(await admit()).toMatchObject({ kind: 'admitted' })
    expect(fake.requests.map(({ text }) => text)).toEqual(['client=ship'])
    expect(await cancel()).toEqual({ kind: 'cancelled', how: 'now' })
    expect(await track()).toEqual({ kind: 'announced' })
    const sent = fake.requests.map(({ path, headers }) => [path, headers.authorization])
    expect(sent).toEqual([
      ['/token', undefined],
      ['/parcels/N1', 'token-of-ship'],
      ['/token', undefined],
      ['/parcels', 'token-of-track'],
    ])
  })

  test('are shared if their requests are equal', async () => {
    const fake = await carrier()
    const { cancel, track } = gatewayOf(definition({ track: tokenOf('ship') }), fake.baseUrl)
    await cancel()
    expect(await track()).toEqual({ kind: 'announced' })
    expect(fake.requests.filter(({ path }) => path === '/token')).toHaveLength(1)
  })

  test('have to be named', async () => {
    const { track } = gatewayOf(definition({}), 'http://127.0.0.1:9')
    expect(await track()).toMatchObject({
      kind: 'not_sent',
      cause: 'tokenFrom must name one of otherTokens',
    })
  })
})

test.each([undefined, null, 'x'])('a request that is %s is not sent', async (request) => {
  const { track } = gatewayOf({ track: { ...EXAMPLE.track, request: () => request } }, 'http://127.0.0.1:9')
  expect(await track()).toMatchObject({ kind: 'not_sent' })
})

test('all calls with one set of credentials get the same settings, and others get their own', async () => {
  const given: object[] = []
  const track = async (_: unknown, { settings }: Conversation) => {
    given.push(settings)
    return unknown('x')
  }
  const cancel = {
    ...EXAMPLE.cancel,
    request: (_: unknown, settings: Settings) => {
      given.push(settings)
      throw new Error('not sent')
    },
  }
  const one = gatewayOf({ track, cancel }, 'http://127.0.0.1:9')
  const other = gatewayOf({ track, cancel }, 'http://127.0.0.1:9')
  for (const call of [one.track, one.cancel, one.track, other.track]) await call()
  const [first, ...more] = given
  expect(more.map((settings) => settings === first)).toEqual([true, true, false])
})

test('query parameters and headers that are undefined are left out', async () => {
  const fake = await fakeWith(() => ({ status: 200, body: CANCELLED }))
  const request = () => ({
    ...{ method: 'DELETE', path: '/p', query: { a: '1', b: undefined } },
    headers: { 'x-a': '1', 'x-b': undefined },
  })
  await gatewayOf({ cancel: { ...EXAMPLE.cancel, request } }, fake.baseUrl).cancel()
  const [{ query, headers } = expect.unreachable()] = fake.requests
  expect(String(query)).toBe('a=1')
  expect([headers['x-a'], headers['x-b']]).toEqual(['1', undefined])
})

test('inputs and settings cannot be changed', async () => {
  const fake = await fakeWith(() => ({ status: 200, body: CANCELLED }))
  const change = (input: { carrierRef: string }) => {
    input.carrierRef = 'OTHER'
  }
  const { cancel } = gatewayOf({ cancel: { ...EXAMPLE.cancel, request: change } }, fake.baseUrl)
  expect(await cancel()).toMatchObject({ kind: 'not_sent', cause: expect.stringContaining('read only') })
  const headers = (settings: Record<string, string>) => {
    settings['apiKey'] = 'other'
  }
  expect(await gatewayOf({ headers }, fake.baseUrl).cancel()).toMatchObject({ kind: 'not_sent' })
  expect(fake.requests).toEqual([])
})

test('a pause before a repeat is at most a day', async () => {
  const fake = await fakeWith(() => ({ status: 200 }))
  const judge = () => unknown('later', { repeatAfterMs: 1e12 })
  expect(await gatewayOf({ cancel: { ...EXAMPLE.cancel, judge } }, fake.baseUrl).cancel()).toEqual({
    ...{ kind: 'unknown', cause: 'later', repeatAfterMs: 86_400_000 },
  })
})

test.each([
  [503, 503],
  [100, 100],
  [599, 599],
  [99, undefined],
  [600, undefined],
  [200.5, undefined],
  ['503', undefined],
])('an unknown answer with the status %j has the status %j', async (given, status) => {
  const fake = await fakeWith(() => ({ status: 200 }))
  const judge = () => unknown('later', { status: given as number })
  expect(await gatewayOf({ cancel: { ...EXAMPLE.cancel, judge } }, fake.baseUrl).cancel()).toEqual({
    ...{ kind: 'unknown', cause: 'later', status },
  })
})

test('the unknown answer of a further request has no status, so it is no failure of the carrier', async () => {
  const answer = await orUnknown('label', async () =>
    unknown('HTTP 403', { status: 403, configuration: true }),
  )
  expect(answer).toEqual({ kind: 'unknown', cause: 'HTTP 403', configuration: true })
  expect(await orUnknown('label', async () => ({ status: 403 }))).toEqual({ status: 403 })
})

test.each(['.', '..'])('an order number that is the path segment %s is not sent', async (orderRef) => {
  const { cancel, track } = gatewayOf({}, 'http://127.0.0.1:9')
  const answer = { kind: 'not_sent', cause: 'this number cannot be part of a URL' }
  expect([await cancel({ orderRef }), await track({ orderRef })]).toEqual([answer, answer])
})

test('a release that is undefined is none', async () => {
  const fake = await fakeWith(() => ({ status: 200, body: CANCELLED }))
  const cancel = { ...EXAMPLE.cancel, release: undefined }
  expect(connectorTypeOf({ ...EXAMPLE, cancel } as ConnectorDefinition).releases).toBeUndefined()
  expect(await gatewayOf({ cancel }, fake.baseUrl).cancel()).toEqual({ kind: 'cancelled', how: 'now' })
})
