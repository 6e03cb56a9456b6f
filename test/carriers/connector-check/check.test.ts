/**
 * The check of connectors: those of this repository pass it, also with variants of their recorded replies, and it finds
 * faults of others.
 */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { checkConnector, subjectOf } from '../../../src/carriers/connector-check/check.ts'
import { playContradictions } from '../../../src/carriers/connector-check/contradictions.ts'
import type { Fixture } from '../../../src/carriers/connector-check/fixture.ts'
import { playFixture, playVariants } from '../../../src/carriers/connector-check/fixtures-check.ts'
import { play, type Subject } from '../../../src/carriers/connector-check/play.ts'
import type { ConnectorDefinition, Conversation } from '../../../src/carriers/connectors/define/definition.ts'
import { unknown } from '../../../src/carriers/connectors/judgement.ts'
import { type HttpReply, textAt } from '../../../src/carriers/http-exchange.ts'
import { BUILT_IN } from '../../../src/carriers/registry.ts'
import type { CarrierBookAnswer } from '../../../src/core/shipments/booking.ts'
import type { Shipment } from '../../../src/core/shipments/shipment.ts'
import { EXAMPLE } from '../connectors/define/example.ts'
import { fixturesOf } from '../contract/contract.ts'
import { CONTRACTS } from '../contract/contracts.ts'

// Each check waits for time limits of seconds, and plays hundreds of cases.
vi.setConfig({ testTimeout: 300_000 })

type Sent = (number: string) => readonly [method: string, path: string]
type Known = {
  readonly number: string
  readonly tokenPath?: string
  readonly cancel: Sent
  readonly track: Sent
}

const express: Sent = (number) => ['GET', `/shipments/${number}/tracking`]
const dpd: Sent = (number) => ['GET', `/api/v1/getOrderStatus/${number}/null`]
const KNOWN: Readonly<Record<keyof typeof CONTRACTS, Known>> = {
  ups: {
    number: '1ZISDE016691676846',
    tokenPath: '/security/v1/oauth/token',
    cancel: (number) => ['DELETE', `/api/shipments/v2409/void/cancel/${number}`],
    track: (number) => ['GET', `/api/track/v1/details/${number}`],
  },
  fedex: {
    number: '794953555571',
    tokenPath: '/oauth/token',
    cancel: () => ['PUT', '/ship/v1/shipments/cancel'],
    track: () => ['POST', '/track/v1/trackingnumbers'],
  },
  'dhl-parcel-de': {
    number: '00340434292135100056',
    cancel: () => ['DELETE', '/parcel/de/shipping/v2/orders'],
    track: () => ['GET', '/track/shipments'],
  },
  'gls-shipit': {
    number: 'ABCD1234',
    tokenPath: '/oauth2/v2/token',
    cancel: (number) => ['POST', `/shipit-farm/v1/backend/rs/shipments/cancel/${number}`],
    track: (number) => ['GET', `/track-and-trace-v1/tracking/simple/references/${number}`],
  },
  'dhl-express': { number: '1234567890', cancel: express, track: express },
  dpd: { number: '01234567890123', cancel: dpd, track: dpd },
}

function subjectNamed(name: string, tokenPath?: string): Subject {
  return { name, type: BUILT_IN.get(name)!, ...(tokenPath !== undefined && { tokenPath }), settings: {} }
}

const faultsIn = (results: readonly { readonly name: string; readonly fault?: string }[]) =>
  results.flatMap(({ name, fault }) => (fault === undefined ? [] : [`${name}: ${fault}`]))

// Concurrently, because each check waits for a connection that is not opened.
describe.concurrent.each(Object.entries(KNOWN))('%s', (name, known) => {
  const subject = subjectNamed(name, known.tokenPath)

  test('says nothing about failures and replies that mean nothing', async () => {
    const results = await playContradictions(subject, { number: known.number, sends: 1, ageMs: 0 })
    expect(faultsIn(results)).toEqual([])
    expect(results.length).toBeGreaterThan(100)
  })

  test('says nothing about variants of its recorded replies', async () => {
    // Those with one request, so that the reply decides alone.
    const fixtures = [...fixturesOf(name)].filter(
      ([, { next, tokens, track, orders, manifests, image, earlier, gzip }]) =>
        [next, tokens, track, orders, manifests, image, earlier, gzip].every((more) => more === undefined),
    )
    const faults: string[] = []
    let variants = 0
    for (const [
      fixtureName,
      { op, ref, sends = 1, ageMs = 0, bookedAt, status, headers = {}, body },
    ] of fixtures) {
      const [method, path] = known[op](ref)
      const reply = typeof body === 'string' ? body : JSON.stringify(body)
      const [expected] = CONTRACTS[name as keyof typeof CONTRACTS].judgements[fixtureName]!
      const fixture: Fixture = {
        ...{ name: fixtureName, call: op, number: ref, sends, ageMs, expect: expected },
        ...(bookedAt !== undefined && { bookedAt }),
        exchanges: [
          {
            request: { method, path, query: {}, headers: {} },
            reply: { status, headers, ...(body !== undefined && body !== null && { body: reply }) },
            times: 1,
          },
        ],
      }
      expect((await playFixture(subject, fixture)).outcome).toBe(expected)
      const results = await playVariants(subject, fixture)
      variants += results.length
      faults.push(...faultsIn(results))
    }
    expect(faults).toEqual([])
    expect(variants).toBeGreaterThan(10)
  })
})

test('the sandbox, which books, says nothing about failures', async () => {
  const results = await playContradictions(subjectNamed('sandbox'), { number: 'N1', sends: 1, ageMs: 0 })
  expect(faultsIn(results)).toEqual([])
  expect(results.map(({ name }) => name)).toContain('find, 404 without a body')
})

const exchange = (status: number, body: unknown, method = 'DELETE', path = '/parcels/NUMBER1') => ({
  ...{ request: { method, path, query: {}, headers: {} }, times: 1 },
  reply: { status, headers: {}, body: JSON.stringify(body) },
})
const FIXTURE: Fixture = {
  ...{ name: 'cancelled', call: 'cancel', number: 'NUMBER1', sends: 1, ageMs: 0 },
  exchanges: [exchange(200, { number: 'NUMBER1', state: 'cancelled' })],
  expect: 'cancelled now',
}

async function faultsOf(change: object, fixture: Partial<Fixture> = {}): Promise<string[]> {
  const subject = subjectOf({ ...EXAMPLE, ...change } as ConnectorDefinition, { settings: {}, fixtures: [] })
  return faultsIn(await checkConnector(subject, { fixtures: [{ ...FIXTURE, ...fixture }] }))
}

test('the services of a booking are sent as its fixture says, and each has a fixture or a warning', async () => {
  const judge = ({ json }: HttpReply): CarrierBookAnswer => {
    const carrierRef = textAt(json, 'number')
    return carrierRef === undefined ? unknown('no number') : { kind: 'booked', carrierRef }
  }
  const bodyOf = ({ serviceInputs = {} }: Shipment) =>
    ({ method: 'POST', path: '/bookings', body: serviceInputs }) as const
  const bookings: ConnectorDefinition['bookings'] = {
    services: ['SATURDAY', 'SIGNATURE'],
    book: {
      request: ({ services }) => ({
        method: 'POST',
        path: '/bookings',
        query: { with: services?.join() ?? '' },
      }),
      judge,
    },
    find: {
      request: (id) => ({ method: 'GET', path: `/bookings/${id}` }),
      judge: () => unknown('no booking'),
    },
  }
  const subject = subjectOf({ ...EXAMPLE, bookings }, { settings: {}, fixtures: [] })
  const booked = exchange(200, { number: 'B1' }, 'POST', '/bookings')
  const fixture: Fixture = {
    ...{ name: 'saturday', call: 'book', number: 'B1', sends: 1, ageMs: 0, services: ['SATURDAY'] },
    exchanges: [{ ...booked, request: { ...booked.request, query: { with: 'SATURDAY' } } }],
    expect: 'booked B1',
  }
  const results = await checkConnector(subject, { fixtures: [fixture] })
  expect(results.filter(({ name }) => name === 'fixture saturday')).toEqual([
    { name: 'fixture saturday', outcome: 'booked B1' },
  ])
  expect(results.filter(({ warning }) => warning !== undefined).map(({ name }) => name)).toEqual([
    'service SIGNATURE',
  ])
  const withInputs = subjectOf(
    {
      ...EXAMPLE,
      bookings: {
        ...bookings,
        services: ['CASH_ON_DELIVERY', 'DANGEROUS_GOODS'],
        book: { judge, request: bodyOf },
      },
    },
    { settings: {}, fixtures: [] },
  )
  const body = {
    cashOnDelivery: { currency: 'EUR', hundredths: 10_000 },
    dangerousGoods: [
      { unNumber: 'UN3481', hazardClass: 'CLASS_9', limitedQuantity: false, netGrams: 400, packages: 1 },
    ],
  }
  expect(
    await playFixture(withInputs, {
      ...{ ...fixture, services: ['CASH_ON_DELIVERY', 'DANGEROUS_GOODS'] },
      exchanges: [{ ...booked, request: { ...booked.request, body } }],
    }),
  ).toMatchObject({ outcome: 'booked B1' })
  const untold = await playFixture(subject, { ...fixture, services: ['CASH_ON_DELIVERY'] })
  expect(untold).toMatchObject({ outcome: 'not sent', cause: 'SERVICE_NOT_OFFERED' })
})

test('the reply to a request for an access token is that of a fixture, and the numbers are those of a cancellation', async () => {
  const token: ConnectorDefinition['token'] = {
    request: () => ({ path: '/login', body: {} }),
    read: (json) => ({ token: textAt(json, 'ticket') ?? '', lifetimeMs: 60_000 }),
  }
  const definition: ConnectorDefinition = {
    ...{ ...EXAMPLE, token, headers: (_settings, ticket) => ({ ticket }) },
    orderNumber: { pattern: /^\d+$/, mustBe: 'digits' },
    check: { request: () => ({ method: 'GET', path: '/ping' }), judge: () => unknown('no reply') },
  }
  const login = exchange(200, { ticket: 'T1' }, 'POST', '/login')
  const cancelled: Fixture = { ...FIXTURE, orderNumber: '7', exchanges: [login, ...FIXTURE.exchanges] }
  const ping: Fixture = {
    ...{ name: 'ping', call: 'check', number: 'NUMBER1', sends: 1, ageMs: 0, expect: 'unknown' },
    exchanges: [exchange(200, {}, 'GET', '/ping')],
  }
  const faults = async (fixtures: readonly Fixture[]) =>
    faultsIn(await checkConnector(subjectOf(definition, { settings: {}, fixtures }), { fixtures }))
  expect(await faults([ping, cancelled])).toEqual([])
  // Without the exchange, no call gets beyond the token.
  const [{ exchanges, ...rest }] = [cancelled]
  expect((await faults([ping, { ...rest, exchanges: exchanges.slice(1) }])).length).toBeGreaterThan(50)
})

describe.concurrent('a connector', () => {
  test('without faults passes', async () => {
    expect(await faultsOf({})).toEqual([])
  })

  const judging = (judge: unknown, answers: unknown = [200]) => ({
    cancel: { ...EXAMPLE.cancel, judge, answers },
  })
  const now = { kind: 'cancelled', how: 'now' }
  const already = { kind: 'cancelled', how: 'already' }
  test.each<[what: string, change: object, found: string]>([
    [
      'that takes every 200 for a success',
      judging(() => now),
      'cancel, an empty 200: only unknown is allowed',
    ],
    [
      'that takes a repeated 404 for a success',
      judging(
        (reply: { status: number }, { sends }: { sends: number }) =>
          reply.status === 404 && sends > 1 ? already : now,
        [200, 404],
      ),
      'repeated cancel, 404 of another server: only unknown is allowed',
    ],
    [
      'that reads the body whatever the status is',
      judging(
        ({ json }: { json?: { state?: string } }) =>
          json?.state === 'cancelled' ? now : { kind: 'unknown', cause: 'x' },
        'all',
      ),
      'cancelled with status 500: only unknown is allowed',
    ],
    [
      'that does not compare the number',
      judging(({ json }: { json?: { state?: string } }) =>
        json?.state === 'cancelled' ? now : { kind: 'unknown', cause: 'x' },
      ),
      'cancelled about another number: only unknown is allowed',
    ],
    [
      'that ignores an error beside a success',
      judging(({ json }: { json?: { number?: string } }) =>
        json?.number === 'NUMBER1' ? now : { kind: 'unknown', cause: 'x' },
      ),
      'cancelled with an error beside it: only unknown is allowed',
    ],
    [
      'that refuses after a failure',
      {
        cancel: {
          ...EXAMPLE.cancel,
          answers: 'all',
          judge: ({ status }: { status: number }) =>
            status === 200 ? now : { kind: 'refused', reason: 'NOT_CANCELLABLE', code: 'X', message: 'x' },
        },
      },
      'cancel, 502 with HTML: only unknown is allowed',
    ],
    [
      'that takes a missing parcel for an announced one',
      { track: { ...EXAMPLE.track, judge: () => ({ kind: 'announced' }) } },
      'track, 200 with {}: only unknown is allowed',
    ],
    [
      'that accepts credentials without a reply of the carrier',
      { check: { request: () => ({ method: 'GET', path: '/' }), judge: () => ({ kind: 'accepted' }) } },
      'check, 200 with HTML: only unknown is allowed',
    ],
    [
      'that finds no booking in an empty reply',
      { bookings: { book: EXAMPLE.track, find: { ...EXAMPLE.track, judge: () => ({ kind: 'none' }) } } },
      'find, 200 with []: only unknown is allowed',
    ],
    [
      'that sends with its own means, and says that it failed before',
      { cancel: async () => Promise.reject(new TypeError('fetch failed')) },
      'cancel, connection refused: only not sent is allowed',
    ],
    [
      'that sends another request than the fixture has',
      { cancel: { ...EXAMPLE.cancel, request: () => ({ method: 'GET', path: '/other' }) } },
      'fixture cancelled: unexpected request GET /other; DELETE /parcels/NUMBER1 was not sent; expected cancelled now',
    ],
    [
      'that takes every success for a cancellation',
      judging(() => now, [200, 202]),
      'cancel, 202: only unknown is allowed',
    ],
    [
      'that refuses after every 400',
      judging(
        ({ status }: { status: number }) =>
          status === 400 ? { kind: 'refused', reason: 'NOT_CANCELLABLE', code: 'X', message: 'x' } : now,
        [200, 400],
      ),
      'cancel, 400 with JSON: only unknown is allowed',
    ],
    [
      'that believes the third 404',
      judging(
        ({ status }: { status: number }, { sends }: { sends: number }) =>
          status === 404 && sends > 2 ? already : { kind: 'unknown', cause: 'x' },
        [200, 404],
      ),
      'third cancel, 404 with JSON: only unknown is allowed',
    ],
    [
      'whose settings have a format',
      {
        settings: {
          apiKey: { format: { pattern: /^\d+$/, mustBe: 'digits' } },
          trackUrl: { required: false },
        },
      },
      'setting apiKey: must be digits; give one in settings.json',
    ],
  ])('%s is found', async (_, change, found) => {
    expect(await faultsOf(change)).toContain(found)
  })

  test('that cancels without a request is found', async () => {
    const faults = await faultsOf({ cancel: async () => now }, { exchanges: [] })
    expect(faults).toContain('fixture cancelled: cancelled without a request')
  })

  test('that does not judge one of several replies is found', async () => {
    const cancel = async (_: unknown, { send }: Conversation) => {
      await send({ method: 'GET', path: '/first' })
      const { status, json } = await send({ method: 'DELETE', path: '/parcels/NUMBER1' })
      const isCancelled = status === 200 && isDeepStrictEqual(json, { number: 'NUMBER1', state: 'cancelled' })
      return isCancelled ? now : { kind: 'unknown', cause: 'x' }
    }
    const exchanges = [exchange(200, { a: 1 }, 'GET', '/first'), ...FIXTURE.exchanges]
    const faults = await faultsOf({ cancel }, { exchanges })
    expect(faults).toContain('cancelled, reply 1, with status 500: only unknown is allowed')
    expect(faults.filter((fault) => fault.includes('reply 2'))).toEqual([])
  })

  test('whose test of the credentials never ends is unclear', async () => {
    const { type, ...subject } = subjectOf(EXAMPLE, { settings: {}, fixtures: [] })
    const endless = () => new Promise<never>(() => {})
    const open: typeof type.open = (access) => ({ ...type.open(access), check: endless })
    const input = { call: 'check', number: 'N1', sends: 1, ageMs: 0 } as const
    expect(await play({ ...subject, type: { ...type, open } }, input, 'http://127.0.0.1:9', 50)).toEqual({
      ...{ words: 'unknown', cause: 'no answer within 50 ms' },
    })
  })

  test('whose request differs in its query, a header or its body is found', async () => {
    const request = {
      method: 'DELETE',
      path: '/parcels/NUMBER1',
      query: { a: '1' },
      headers: { 'api-key': 'x' },
      body: { b: 1 },
    }
    const faults = await faultsOf({}, { exchanges: [{ ...FIXTURE.exchanges[0]!, request }] })
    expect(faults[0]).toBe(
      'fixture cancelled: the query parameter a of DELETE /parcels/NUMBER1 is not 1; the header api-key of DELETE /parcels/NUMBER1 differs; the body of DELETE /parcels/NUMBER1 differs',
    )
  })
})
