/** The FedEx connector against a fake: the interpretation of every reply, and no leak of secrets. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connector } from '../../../src/carriers/connector.ts'
import { fedex } from '../../../src/carriers/connectors/fedex.ts'
import { type FakeReply, SCRIPTS } from '../fakes/fake-carrier.ts'
import {
  cancelResponse,
  FEDEX_CREDENTIALS,
  FEDEX_TRACK_CREDENTIALS,
  type FedexFake,
  fedexError,
  scanEvent,
  startFedexFake,
  trackResponse,
} from '../fakes/fedex.ts'
import { already, COMMON_OUTCOMES, now, refusedAs, testOutcomes, unknown } from './outcomes.ts'

const NUMBER = '794953555571'
let fake: FedexFake
let connector: Connector

beforeAll(async () => {
  fake = await startFedexFake()
})
afterAll(() => fake.close())
beforeEach(() => {
  fake.answerWith(undefined)
  connector = open()
})

function open(credentials: Record<string, string> = FEDEX_CREDENTIALS, from = fake): Connector {
  return fedex.open({ baseUrl: from.baseUrl, credentials })
}

function cancel(carrierRef = NUMBER, sends = 1, timeoutMs = 5_000) {
  const request = { carrierCode: 'fedex', carrierRef, idempotencyKey: 'canary-key', sends, ageMs: 0 }
  return connector.cancel(request, AbortSignal.timeout(timeoutMs))
}

function track(carrierRef = NUMBER) {
  return connector.track?.(carrierRef, AbortSignal.timeout(5_000))
}

const no = refusedAs('NOT_CANCELLABLE')
const closed = refusedAs('WINDOW_CLOSED')
testOutcomes(
  {
    ...COMMON_OUTCOMES,
    already: [[already, already, already], 'cancelled'],
    scanned: [[no, no, no], 'scanned'],
    'window-closed': [[closed, closed, closed], 'announced'],
  },
  (script) => fake.parcels.add(NUMBER, script),
  (sends, timeoutMs) => cancel(NUMBER, sends, timeoutMs),
)

const DELETED = 'CANCELSHIPMENT.TRACKINGNUMBER.DELETED'
const CLOSED = 'TRACKINGIDS.TRACKINGNUMBER.CLOSED'
const FAILURE = 'SHIPMENT.CANCELEDWITHOUTPICKUP.FAILURE'

describe('an error reply', () => {
  const listed: readonly [code: string, expected: object][] = [
    [DELETED, already],
    ['MASTERTRACKINGID.TRACKINGNUMBER.CANCELLED', already],
    ['SHIPMENT.CANCELEDWITHOUTPICKUP.SUCCESS', now],
    [CLOSED, { ...refusedAs('WINDOW_CLOSED'), code: CLOSED, message: 'The reason' }],
    [FAILURE, refusedAs('NOT_CANCELLABLE')],
    ['NOT.AUTHORIZED.ERROR', unknown],
    ['FORBIDDEN.ERROR', unknown],
    ['NOT.FOUND.ERROR', unknown],
    ['INTERNAL.SERVER.ERROR', unknown],
    ['SYSTEM.UNAVAILABLE', unknown],
    ['SHIPMENT.USER.UNAUTHORIZED', unknown],
    ['ACCOUNTNUMBER.REGISTRATION.REQUIRED', unknown],
  ]
  const statuses = [200, 400, 422]
  const everyStatus = listed.flatMap(([code, expected]) =>
    statuses.map((status): [string, FakeReply, object] => [
      `${code} with a ${status}`,
      fedexError(status, code, 'The reason'),
      expected,
    ]),
  )

  test.each<[string, FakeReply, object]>([
    ...everyStatus,
    [
      'an unlisted code',
      fedexError(400, 'SOME.CODE', 'No'),
      { ...refusedAs('NOT_CANCELLABLE'), code: 'SOME.CODE' },
    ],
    ['an unlisted code with a 200', fedexError(200, 'SOME.CODE', 'No'), unknown],
    ['an unlisted code without a message', fedexError(400, 'SOME.CODE', ''), unknown],
    ['a listed code without a message', fedexError(400, CLOSED, ''), refusedAs('WINDOW_CLOSED')],
    [
      'a message without a code',
      errors(400, { message: 'No' }),
      { ...refusedAs('NOT_CANCELLABLE'), code: 'HTTP 400' },
    ],
    ['errors that are not objects', errors(400, 'x'), unknown],
    ['an empty list of errors', errors(400), unknown],
    ['a 400 without a body', { status: 400 }, unknown],
    ['a 400 with a confirmation', { status: 400, body: cancelResponse() }, unknown],
    ['a cancellation and an unclear error', errors(400, { code: DELETED }, { code: 'X.ERROR' }), unknown],
    ['a cancellation and a refusal', errors(400, { code: DELETED }, { code: CLOSED }), unknown],
    ['a refusal with a 403', fedexError(403, CLOSED, 'No'), unknown],
    ['a refusal with a 429', fedexError(429, CLOSED, 'No'), unknown],
    ['a refusal with a 500', fedexError(500, CLOSED, 'No'), unknown],
    ['cancelled with a 502', fedexError(502, DELETED, 'Yes'), unknown],
    ['408', fedexError(408, 'SOME.CODE', 'No'), unknown],
    ['a redirect', { status: 307, headers: { location: '/' } }, unknown],
    ['204', { status: 204 }, unknown],
  ])('%s', async (_name, reply, expected) => {
    fake.answerWith(reply)
    expect(await cancel()).toMatchObject(expected)
  })

  test('is unknown after two 401s, with one retry', async () => {
    fake.answerWith(fedexError(401, 'NOT.AUTHORIZED.ERROR', 'Access token expired.'))
    const before = fake.requests.length
    expect(await cancel()).toEqual({ kind: 'unknown', cause: 'HTTP 401 NOT.AUTHORIZED.ERROR' })
    const methods = fake.requests.slice(before).map(({ method }) => method)
    expect(methods).toEqual(['POST', 'PUT', 'POST', 'PUT'])
  })

  function errors(status: number, ...list: readonly unknown[]): FakeReply {
    return { status, body: { errors: list } }
  }
})

describe('a reply with 200', () => {
  test.each<[string, unknown]>([
    ['confirmed', cancelResponse()],
    ['confirmed, with an empty list of errors', { ...cancelResponse(), errors: [] }],
    ['confirmed, with null for the errors', { ...cancelResponse(), errors: null }],
  ])('is a cancellation: %s', async (_name, body) => {
    fake.answerWith({ status: 200, body })
    expect(await cancel()).toEqual(now)
  })

  test('is a cancellation if it is compressed', async () => {
    const body = gzipSync(JSON.stringify(cancelResponse()))
    fake.answerWith({ status: 200, body, headers: { 'content-encoding': 'gzip' } })
    expect(await cancel()).toEqual(now)
  })

  test.each<[string, unknown]>([
    ['null', 'null'],
    ['a list', []],
    ['an empty string', '""'],
    ['a string', '"s"'],
    ['true', 'true'],
    ['nothing', {}],
    ['no output', { transactionId: '1' }],
    ['a string for the output', { output: 'cancelledShipment' }],
    ['a list for the output', { output: [{ cancelledShipment: true }] }],
    ['false', cancelResponse(false)],
    ['a string for true', cancelResponse('true')],
    ['a number for true', cancelResponse(1)],
    ['an object for true', cancelResponse({})],
    ['a list for true', cancelResponse([true])],
    ['only the history', { output: { cancelledHistory: true, successMessage: 'Success' } }],
    ['confirmed with an error', { ...cancelResponse(), errors: [{ code: 'SOME.CODE', message: 'No' }] }],
    ['confirmed with a string for the errors', { ...cancelResponse(), errors: 'x' }],
    ['inherited', '{"output":{"__proto__":{"cancelledShipment":true}}}'],
    ['a confirmation in a body above the size limit', { ...cancelResponse(), pad: 'x'.repeat(300_000) }],
  ])('is unknown: %s', async (_name, body) => {
    fake.answerWith({ status: 200, body })
    expect(await cancel()).toEqual(unknown)
  })
})

describe('the state of a parcel', () => {
  const AT = '2026-11-20T09:15:00.000Z'
  const label = scanEvent('OC', 'IN', '2026-11-19T15:00:00-05:00')
  const pickedUp = scanEvent('PU', 'PU', '2026-11-20T04:15:00-05:00')
  const departed = scanEvent('DP', 'IT', '2026-11-20T13:00:00-05:00')
  const cancelledEvent = scanEvent('CA', 'CA', '2026-11-19T16:00:00-05:00')
  const announced = { kind: 'announced' }
  const cancelled = { kind: 'cancelled' }
  const scanned = (code = 'PU', at = AT) => ({ kind: 'scanned', scan: { at, eventId: `${at}/${code}` } })

  test('follows the fake from label to pick-up or cancellation', async () => {
    fake.parcels.add(NUMBER)
    expect(await track()).toEqual(announced)
    await cancel()
    expect(await track()).toEqual(cancelled)
    fake.parcels.add(NUMBER)
    fake.parcels.scan(NUMBER)
    expect(await track()).toEqual(scanned())
    expect(await track('000')).toEqual({ kind: 'unknown', cause: 'TRACKING.TRACKINGNUMBER.NOTFOUND' })
  })

  const inHands = ['PU', 'PX', 'AR', 'AF', 'OF', 'DP', 'IT', 'OD', 'DE', 'HL', 'DL', 'RS']
  const unclear = ['EP', 'AP', 'PD', 'DS', 'AO', 'DY', 'SE', 'CD', 'CC', 'EA', 'OX', 'RR', 'SP', 'ZZ']
  const earlier = '2026-11-20T04:15:00-05:00'
  test.each<[string, readonly unknown[], object | undefined, object]>([
    ['a label', [label], { code: 'OC', derivedCode: 'IN' }, announced],
    ['a label, no latest status', [label], undefined, announced],
    ['a label in its latest status only', [], { code: 'OC', derivedCode: 'IN' }, announced],
    ['a label without its event type', [{ derivedStatusCode: 'IN' }], undefined, announced],
    [
      'several scans: the earliest counts, in any order',
      [departed, pickedUp, label],
      { code: 'DP' },
      scanned(),
    ],
    [
      'several scans: the earliest counts, in another order',
      [pickedUp, label, departed],
      { code: 'DP' },
      scanned(),
    ],
    ['a scan without its event type', [{ date: earlier, derivedStatusCode: 'IT' }], undefined, scanned('IT')],
    ['a scan before the cancellation', [cancelledEvent, pickedUp, label], { code: 'CA' }, scanned()],
    ['cancelled', [cancelledEvent, label], { code: 'CA', derivedCode: 'CA' }, cancelled],
    ['cancelled by its newest event, without a latest status', [cancelledEvent, label], undefined, cancelled],
    ['cancelled in its latest status only', [label], { code: 'CA' }, cancelled],
    ['cancelled and announced again', [label, cancelledEvent], { code: 'OC', derivedCode: 'IN' }, unknown],
    ['announced, derived as in transit', [scanEvent('OC', 'IT', earlier)], undefined, unknown],
    ['picked up, derived as initiated', [scanEvent('PU', 'IN', earlier)], undefined, unknown],
    ['a scan without a time', [scanEvent('PU', 'PU', ''), label], undefined, unknown],
    ['a scan in its latest status only', [label], { code: 'IT', derivedCode: 'IT' }, unknown],
    ['no event and no status', [], undefined, unknown],
    ['a status without a code', [label], {}, unknown],
    ['events that are not objects', ['x', null, 3], undefined, unknown],
    ...inHands.map((code) => on(code, scanned(code))),
    ...unclear.map((code) => on(code, unknown)),
  ])('%s', async (_name, events, latest, expected) => {
    fake.answerWith({ status: 200, body: trackResponse(NUMBER, events, latest) })
    expect(await track()).toEqual(expected)
  })

  function on(code: string, expected: object): [string, object[], undefined, object] {
    return [`event ${code}`, [scanEvent(code, '', earlier), label], undefined, expected]
  }

  test.each([
    ['2026-11-20T09:15:00Z', AT],
    ['2026-11-20T09:15:00.000+00:00', AT],
    ['2026-11-20T20:15:00-05:00', '2026-11-21T01:15:00.000Z'],
    ['2026-11-20T00:00:00', '2026-11-20T00:00:00.000Z'],
  ])('has the time of the scan: %s', async (date, at) => {
    fake.answerWith({ status: 200, body: trackResponse(NUMBER, [scanEvent('PU', 'PU', date)]) })
    expect(await track()).toEqual(scanned('PU', at))
  })

  test.each([
    'yesterday',
    '2026-11-20',
    '2026-13-45T09:15:00Z',
    '1763630100',
  ])('is unknown if the scan has an unreadable time: %s', async (date) => {
    fake.answerWith({ status: 200, body: trackResponse(NUMBER, [scanEvent('PU', 'PU', date)]) })
    expect(await track()).toEqual({ kind: 'unknown', cause: 'scanned at an unknown time' })
  })

  test.each<[string, FakeReply]>([
    ['another number', { status: 200, body: trackResponse('794', [label]) }],
    ['another number outside', { status: 200, body: outside() }],
    ['another number inside', { status: 200, body: complete(inner('794')) }],
    ['the number twice', { status: 200, body: complete(inner(NUMBER), inner(NUMBER)) }],
    ['an error and events', { status: 200, body: complete({ ...inner(NUMBER), error: { code: 'X' } }) }],
    ['no result', { status: 200, body: complete() }],
    ['403', fedexError(403, 'FORBIDDEN.ERROR', 'No')],
    ['404', fedexError(404, 'TRACKING.TRACKINGNUMBER.NOTFOUND', 'No')],
    ['500', { status: 500, body: trackResponse(NUMBER, [label]) }],
    ['a string', { status: 200, body: '"string"' }],
    ['not JSON', { status: 200, body: '<html>' }],
    ['nothing', { status: 200, body: {} }],
    ['a string for the results', { status: 200, body: { output: { completeTrackResults: 'x' } } }],
  ])('is unknown after the reply: %s', async (_name, reply) => {
    fake.answerWith(reply)
    expect(await track()).toEqual(unknown)
  })

  function outside(): object {
    const results = [{ trackingNumber: '794', trackResults: [{ scanEvents: [label] }] }]
    return { output: { completeTrackResults: results } }
  }

  function inner(trackingNumber: string): object {
    return { trackingNumberInfo: { trackingNumber }, scanEvents: [label] }
  }

  function complete(...trackResults: readonly object[]): object {
    return { output: { completeTrackResults: [{ trackingNumber: NUMBER, trackResults }] } }
  }
})

describe('the format of a tracking number', () => {
  test.each([12, 15, 20, 22])('accepts %i digits', (digits) => {
    expect(fedex.trackingNumberFault?.('7'.repeat(digits))).toBeUndefined()
  })

  test.each([
    '79495355557',
    '7949535555711',
    '79495355557A',
    '7949 5355 5571',
    '794953555571\n',
    '1ZISDE016691676846',
    '',
  ])('rejects %j', (carrierRef) => {
    expect(fedex.trackingNumberFault?.(carrierRef)).toBe('has to be 12, 15, 20 or 22 digits')
  })
})

describe('tokens', () => {
  test('are shared by ten concurrent calls, and replaced once after 401s', async () => {
    const before = fake.tokensIssued()
    const numbers = Array.from({ length: 10 }, (_, index) => `79495355557${index}`)
    for (const number of numbers) fake.parcels.add(number)
    expect(await Promise.all(numbers.map((number) => cancel(number)))).toEqual(numbers.map(() => now))
    await track()
    expect(fake.tokensIssued() - before).toBe(1)
    fake.revokeTokens()
    expect(await Promise.all(numbers.map((number) => cancel(number)))).toEqual(numbers.map(() => already))
    expect(fake.tokensIssued() - before).toBe(2)
  })

  test('of a tracking project come from its own credentials', async () => {
    const separate = await startFedexFake()
    try {
      separate.separateProjects()
      separate.parcels.add(NUMBER)
      connector = open(FEDEX_CREDENTIALS, separate)
      expect(await track()).toEqual({ kind: 'unknown', cause: 'HTTP 403' })
      connector = open({ ...FEDEX_CREDENTIALS, ...FEDEX_TRACK_CREDENTIALS }, separate)
      expect(await track()).toEqual({ kind: 'announced' })
      expect(await cancel()).toEqual(now)
    } finally {
      await separate.close()
    }
  })

  test('are not available with wrong credentials: nothing is sent, and the error contains no secret', async () => {
    connector = open({ ...FEDEX_CREDENTIALS, clientId: 'canary-id' })
    const parcel = fake.parcels.add(NUMBER)
    const error = await cancel().catch((thrown: unknown) => thrown)
    expect(error).toEqual(new Error('no access token: HTTP 401'))
    expect(parcel.cancelCalls).toBe(0)
  })

  test('and secrets do not occur in results and errors, and the idempotency key is not sent', async () => {
    const texts: unknown[] = []
    for (const script of SCRIPTS) {
      fake.parcels.add(NUMBER, script)
      texts.push(await cancel(NUMBER, 1, 60).catch(textsOf), await track()?.catch(textsOf))
    }
    expect(texts).toHaveLength(2 * SCRIPTS.length)
    expect(JSON.stringify(texts)).not.toContain('canary')
    const sent = fake.requests.map((request) => ({ ...request, query: `${request.query}` }))
    expect(JSON.stringify(sent)).not.toContain('canary-key')
  })

  function textsOf(error: unknown): unknown {
    return error instanceof Error ? [error.message, error.stack, textsOf(error.cause)] : String(error)
  }
})
