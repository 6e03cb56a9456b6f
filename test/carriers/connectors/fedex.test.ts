/** The FedEx connector against a fake: the interpretation of every reply, and no leak of secrets. */

import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connector } from '../../../src/carriers/connector.ts'
import { CONNECTORS } from '../../../src/carriers/registry.ts'
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
  trackResponses,
  trackResult,
} from '../fakes/fedex.ts'
import { already, COMMON_OUTCOMES, now, refusedAs, testOutcomes, unknown } from './outcomes.ts'

const { fedex } = CONNECTORS

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

function cancel(carrierRef = NUMBER, sends = 1, signal = AbortSignal.timeout(5_000)) {
  const request = { carrierCode: 'fedex', carrierRef, idempotencyKey: 'canary-key', sends, ageMs: 0 }
  return connector.cancel(request, signal)
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
    // `cancelledShipment: false`, and the parcel is announced.
    partial: [[no, no, no], 'announced'],
    'window-closed': [[closed, closed, closed], 'announced'],
  },
  (script) => fake.parcels.add(NUMBER, script),
  (sends, signal) => cancel(NUMBER, sends, signal),
)

const UNAVAILABLE = fedexError(503, 'SERVICE.UNAVAILABLE.ERROR', 'The service is currently unavailable.')
const DELETED = 'CANCELSHIPMENT.TRACKINGNUMBER.DELETED'
const CLOSED = 'TRACKINGIDS.TRACKINGNUMBER.CLOSED'
const FAILURE = 'SHIPMENT.CANCELEDWITHOUTPICKUP.FAILURE'

/** Nobody has to correct anything. */
const inconclusive = { ...unknown, configuration: undefined }
/** An operator has to correct the credentials or settings. */
const misconfigured = { ...unknown, configuration: true }
const NOT_THERE = 'TRACKINGNUMBER.NOT.FOUND'

describe('an error reply', () => {
  const listed: readonly [code: string, expected: object][] = [
    [DELETED, already],
    ['MASTERTRACKINGID.TRACKINGNUMBER.CANCELLED', already],
    ['SHIPMENT.CANCELEDWITHOUTPICKUP.SUCCESS', now],
    [CLOSED, { ...refusedAs('WINDOW_CLOSED'), code: CLOSED, message: 'The reason' }],
    [FAILURE, refusedAs('NOT_CANCELLABLE')],
    [NOT_THERE, { ...refusedAs('UNKNOWN_PARCEL'), code: NOT_THERE, message: 'The reason' }],
    ['TRACKING.TRACKINGNUMBER.NOTFOUND', refusedAs('UNKNOWN_PARCEL')],
    ['TRACKINGNUMBER.INVALID', refusedAs('UNKNOWN_PARCEL')],
    ['NOT.AUTHORIZED.ERROR', misconfigured],
    ['FORBIDDEN.ERROR', misconfigured],
    ['NOT.FOUND.ERROR', inconclusive],
    ['INTERNAL.SERVER.ERROR', inconclusive],
    ['SERVICE.UNAVAILABLE.ERROR', inconclusive],
    ['SYSTEM.UNAVAILABLE', inconclusive],
    ['INVALID.INPUT.EXCEPTION', misconfigured],
    ['SHIPPER.ACCOUNT.REQUIRED', misconfigured],
    ['SHIPMENT.ACCOUNTNUMBER.INVALID', misconfigured],
    ['SHIPMENT.USER.UNAUTHORIZED', misconfigured],
    ['ACCOUNTNUMBER.REGISTRATION.REQUIRED', misconfigured],
    ['TRACKINGNUMBER.NOT.FOUND.YET', misconfigured],
    ['SOME.CODE', misconfigured],
  ]
  const statuses = [200, 400, 404, 422]
  const everyStatus = listed.flatMap(([code, expected]) =>
    statuses.map((status): [string, FakeReply, object] => [
      `${code} with a ${status}`,
      fedexError(status, code, 'The reason'),
      expected,
    ]),
  )

  test.each<[string, FakeReply, object]>([
    ...everyStatus,
    ['an unlisted code without a message', fedexError(400, 'SOME.CODE', ''), misconfigured],
    ['a listed code without a message', fedexError(400, CLOSED, ''), refusedAs('WINDOW_CLOSED')],
    ['a message without a code', errors(400, { message: 'No' }), misconfigured],
    ['errors that are not objects', errors(400, 'x'), misconfigured],
    ['an empty list of errors', errors(400), misconfigured],
    ['a 400 without a body', { status: 400 }, misconfigured],
    ['a 404 without a body', { status: 404 }, misconfigured],
    ['a 400 with a confirmation', { status: 400, body: cancelResponse() }, unknown],
    ['a cancellation and an unclear error', errors(400, { code: DELETED }, { code: 'X.ERROR' }), unknown],
    ['a cancellation and a refusal', errors(400, { code: DELETED }, { code: CLOSED }), inconclusive],
    ['two refusals', errors(400, { code: FAILURE }, { code: CLOSED }), inconclusive],
    ['a confirmation and a refusal', { status: 200, body: confirmedWith(CLOSED) }, inconclusive],
    ['a confirmation and a cancellation', { status: 200, body: confirmedWith(DELETED) }, inconclusive],
    ['a refusal with a 403', fedexError(403, CLOSED, 'No'), misconfigured],
    ['a refusal with a 429', fedexError(429, CLOSED, 'No'), inconclusive],
    ['a refusal with a 500', fedexError(500, CLOSED, 'No'), inconclusive],
    ['cancelled with a 502', fedexError(502, DELETED, 'Yes'), inconclusive],
    ['408', fedexError(408, 'SOME.CODE', 'No'), inconclusive],
    ['429', fedexError(429, 'TOO.MANY.REQUESTS', 'Later'), inconclusive],
    ['a redirect', { status: 307, headers: { location: '/' } }, inconclusive],
    ['204', { status: 204 }, inconclusive],
  ])('%s', async (_name, reply, expected) => {
    fake.answerWith(reply, UNAVAILABLE)
    expect({ configuration: undefined, ...(await cancel()) }).toMatchObject(expected)
  })

  test('is unknown after two 401s, with one retry', async () => {
    fake.answerWith(fedexError(401, 'NOT.AUTHORIZED.ERROR', 'Access token expired.'))
    const before = fake.requests.length
    expect(await cancel()).toEqual({ ...misconfigured, status: 401, cause: 'HTTP 401 NOT.AUTHORIZED.ERROR' })
    const methods = fake.requests.slice(before).map(({ method }) => method)
    expect(methods).toEqual(['POST', 'PUT', 'POST', 'PUT'])
  })

  function errors(status: number, ...list: readonly unknown[]): FakeReply {
    return { status, body: { errors: list } }
  }

  function confirmedWith(code: string): object {
    return { ...cancelResponse(), errors: [{ code, message: 'The reason' }] }
  }
})

describe('a reply that settles nothing is settled by a lookup', () => {
  const AT = '2026-11-20T09:15:00.000Z'
  const label = scanEvent('OC', 'IN', '2026-11-19T15:00:00-05:00')
  const seen = (...events: readonly object[]): FakeReply => ({
    status: 200,
    body: trackResponse(NUMBER, [...events, label]),
  })
  const announced = seen()
  const scanned = seen(scanEvent('PU', 'PU', AT))
  const cancelled = seen(scanEvent('CA', 'CA', AT))
  const error = { code: 'TRACKING.TRACKINGNUMBER.NOTFOUND', message: 'No' }
  const notFound = {
    status: 200,
    body: trackResponses({ [NUMBER]: [{ trackingNumberInfo: { trackingNumber: NUMBER }, error }] }),
  }
  const bySending = (first: object, repeated = first) => [first, repeated] as const
  const bothUnknown = bySending(unknown)

  const notDone = { status: 200, body: cancelResponse(false) }
  const doneBefore = { status: 200, body: cancelResponse(false, true) }
  const failed = { status: 200, body: alerted('ERROR') }
  const noResource = fedexError(404, 'NOT.FOUND.ERROR', 'The resource is no longer available.')
  const noNumber = fedexError(400, NOT_THERE, 'Tracking number not found')
  const badInput = fedexError(400, 'INVALID.INPUT.EXCEPTION', 'Invalid field value in the input')
  const handedOver = { ...refusedAs('SCANNED'), message: `The carrier scanned the parcel at ${AT}` }
  const unknownParcel = refusedAs('UNKNOWN_PARCEL')

  test.each<[string, FakeReply, string, FakeReply, readonly [first: object, repeated: object]]>([
    ['not cancelled', notDone, 'cancelled', cancelled, bySending(already)],
    ['not cancelled', notDone, 'scanned', scanned, bySending(handedOver)],
    ['not cancelled', notDone, 'announced', announced, bySending(no)],
    ['not cancelled', notDone, 'not found', notFound, bothUnknown],
    ['not cancelled', notDone, 'unavailable', UNAVAILABLE, bothUnknown],
    ['cancelled before', doneBefore, 'cancelled', cancelled, bySending(already)],
    ['cancelled before', doneBefore, 'scanned', scanned, bySending(handedOver)],
    ['cancelled before', doneBefore, 'announced', announced, bothUnknown],
    ['cancelled before', doneBefore, 'not found', notFound, bySending(unknown, already)],
    ['cancelled before', doneBefore, 'unavailable', UNAVAILABLE, bothUnknown],
    [
      'an unreadable history',
      { status: 200, body: cancelResponse(false, 'true') },
      'announced',
      announced,
      bothUnknown,
    ],
    ['cancelled with an alert of type ERROR', failed, 'announced', announced, bothUnknown],
    ['cancelled with an alert of type ERROR', failed, 'cancelled', cancelled, bySending(already)],
    ['a 404', noResource, 'cancelled', cancelled, bySending(already)],
    ['a 404', noResource, 'scanned', scanned, bySending(handedOver)],
    ['a 404', noResource, 'announced', announced, bySending(unknownParcel)],
    ['a 404', noResource, 'not found', notFound, bySending(unknownParcel, unknown)],
    ['a 404', noResource, 'unavailable', UNAVAILABLE, bothUnknown],
    ['an unknown number', noNumber, 'cancelled', cancelled, bySending(unknownParcel, already)],
    ['an unknown number', noNumber, 'scanned', scanned, bySending(unknownParcel, handedOver)],
    ['an unknown number', noNumber, 'announced', announced, bySending(unknownParcel)],
    ['an unknown number', noNumber, 'not found', notFound, bySending(unknownParcel, unknown)],
    ['an unknown number', noNumber, 'unavailable', UNAVAILABLE, bySending(unknownParcel, unknown)],
    ['a malformed request', badInput, 'cancelled', cancelled, bySending(already)],
    ['a malformed request', badInput, 'scanned', scanned, bySending(handedOver)],
    ['a malformed request', badInput, 'announced', announced, bySending(misconfigured)],
    ['a malformed request', badInput, 'not found', notFound, bySending(misconfigured)],
    ['a malformed request', badInput, 'cut off', 'cut', bySending(misconfigured)],
  ])('%s: %j, tracking: %s', async (_reply, reply, _state, lookup, [first, repeated]) => {
    fake.answerWith(reply, lookup)
    expect(await cancel(NUMBER, 1)).toMatchObject(first)
    expect(await cancel(NUMBER, 2)).toMatchObject(repeated)
  })

  test('unless the lookup gets no reply', { timeout: 60_000 }, async () => {
    fake.answerWith(notDone)
    fake.holdLookups(true)
    try {
      expect(await cancel(NUMBER, 1, AbortSignal.timeout(30_000))).toEqual(unknown)
    } finally {
      fake.holdLookups(false)
    }
  })

  test('by the parcel of the booking, not by an earlier one with the same number', async () => {
    fake.answerWith(noResource, {
      status: 200,
      body: trackResponses({
        [NUMBER]: [trackResult(NUMBER, [scanEvent('CA', 'CA', AT)], undefined, '2026-01-31')],
      }),
    })
    const request = { carrierCode: 'fedex', carrierRef: NUMBER, idempotencyKey: 'id', sends: 1, ageMs: 0 }
    const bookedAt = '2026-11-19T12:00:00.000Z'
    expect(await connector.cancel({ ...request, bookedAt }, AbortSignal.timeout(5_000))).toEqual({
      ...{ ...unknown, status: 404 },
    })
  })
})

describe('a reply with 200', () => {
  test.each<[string, unknown]>([
    ['confirmed', cancelResponse()],
    ['confirmed, with a note', alerted('NOTE')],
    ['confirmed, with a warning', alerted('WARNING')],
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
    ['no output', { transactionId: '1' }],
    ['a string for the output', { output: 'cancelledShipment' }],
    ['a list for the output', { output: [{ cancelledShipment: true }] }],
    ['false', cancelResponse(false)],
    ['a string for true', cancelResponse('true')],
    ['a number for true', cancelResponse(1)],
    ['an object for true', cancelResponse({})],
    ['a list for true', cancelResponse([true])],
    ['only the history', { output: { cancelledHistory: true, message: 'Success' } }],
    ['confirmed with an error', { ...cancelResponse(), errors: [{ code: 'SOME.CODE', message: 'No' }] }],
    ['confirmed with a string for the errors', { ...cancelResponse(), errors: 'x' }],
    ['inherited', '{"output":{"__proto__":{"cancelledShipment":true}}}'],
    ['a confirmation in a body above the size limit', { ...cancelResponse(), pad: 'x'.repeat(300_000) }],
  ])('is unknown: %s', async (_name, body) => {
    fake.answerWith({ status: 200, body }, UNAVAILABLE)
    expect(await cancel()).toMatchObject(unknown)
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
    ...inHands.map((code) =>
      on(code, code === 'DL' ? { ...scanned(code), delivery: scanned(code).scan } : scanned(code)),
    ),
    ...unclear.map((code) => on(code, unknown)),
  ])('%s', async (_name, events, latest, expected) => {
    fake.answerWith({ status: 200, body: trackResponse(NUMBER, events, latest) })
    expect(await track()).toMatchObject(expected)
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
    ['the number twice, one of them unclear', { status: 200, body: complete(inner(NUMBER), {}) }],
    [
      'the number twice, in different states',
      { status: 200, body: complete(inner(NUMBER), { ...inner(NUMBER), scanEvents: [pickedUp, label] }) },
    ],
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
    expect(await track()).toMatchObject(unknown)
  })

  test('is that of all results if they agree, with the earliest scan', async () => {
    const twice = complete(
      { ...inner(NUMBER), scanEvents: [departed, label] },
      { ...inner(NUMBER), scanEvents: [pickedUp] },
    )
    fake.answerWith({ status: 200, body: twice })
    expect(await track()).toEqual(scanned())
    fake.answerWith({ status: 200, body: complete(inner(NUMBER), inner(NUMBER)) })
    expect(await track()).toEqual(announced)
  })

  test('is read from a result with null for its error', async () => {
    fake.answerWith({ status: 200, body: complete({ ...inner(NUMBER), error: null }) })
    expect(await track()).toEqual(announced)
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

describe('a reused tracking number', () => {
  const BOOKED_AT = '2026-11-19T12:00:00.000Z'
  const OTHER = '794953555572'
  const hints = { bookedAt: BOOKED_AT }
  const trackBooked = () => connector.track?.(NUMBER, AbortSignal.timeout(5_000), hints)
  const lookupsSince = (before: number) =>
    fake.requests
      .slice(before)
      .flatMap(({ path, json }) =>
        path.startsWith('/track') ? [(json as { trackingInfo: object }).trackingInfo] : [],
      )

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T06:00:00Z') })
    fake.parcels.add(NUMBER)
  })
  afterEach(() => {
    vi.useRealTimers()
    fake.forgetEarlier()
  })

  test('is looked up without ship dates while one result is left', async () => {
    fake.addEarlier(NUMBER, '2026-08-20')
    const before = fake.requests.length
    expect(await trackBooked()).toEqual({ kind: 'announced' })
    expect(lookupsSince(before)).toEqual([[{ trackingNumberInfo: { trackingNumber: NUMBER } }]])
  })

  test('is looked up again with ship dates around the booking', async () => {
    fake.addEarlier(NUMBER, '2026-10-01')
    const before = fake.requests.length
    expect(await trackBooked()).toEqual({ kind: 'announced' })
    expect(lookupsSince(before)[1]).toEqual([
      {
        trackingNumberInfo: { trackingNumber: NUMBER },
        shipDateBegin: '2026-11-04',
        shipDateEnd: '2026-11-22',
      },
    ])
  })

  test('is looked up with an end that is not in the future in any time zone', async () => {
    vi.setSystemTime(Date.parse('2026-11-19T12:30:00Z'))
    fake.addEarlier(NUMBER, '2026-10-01')
    const before = fake.requests.length
    await trackBooked()
    expect(lookupsSince(before)[1]).toMatchObject([{ shipDateEnd: '2026-11-19' }])
    vi.setSystemTime(Date.parse('2026-11-19T11:30:00Z'))
    await trackBooked()
    expect(lookupsSince(before)[3]).toMatchObject([{ shipDateEnd: '2026-11-18' }])
  })

  test('is looked up with a range of at most 30 days', async () => {
    vi.setSystemTime(Date.parse('2027-06-01T12:00:00Z'))
    fake.addEarlier(NUMBER, '2026-10-01')
    const before = fake.requests.length
    expect(await trackBooked()).toEqual({ kind: 'announced' })
    expect(lookupsSince(before)[1]).toMatchObject([
      { shipDateBegin: '2026-11-04', shipDateEnd: '2026-12-03' },
    ])
  })

  test.each([
    ['two parcels have ship dates near the booking', hints, '2026-11-10'],
    ['the time of the booking is unknown', {}, '2026-10-01'],
    ['the time of the booking is unreadable', { bookedAt: 'yesterday' }, '2026-10-01'],
  ])('is unknown if %s', async (_name, given, shipDate) => {
    fake.addEarlier(NUMBER, shipDate)
    expect(await connector.track?.(NUMBER, AbortSignal.timeout(5_000), given)).toEqual(unknown)
  })

  test('is unknown more than 700 days after the booking, when FedEx no longer accepts its ship date', async () => {
    vi.setSystemTime(Date.parse('2028-11-01T12:00:00Z'))
    fake.addEarlier(NUMBER, '2026-10-01')
    const before = fake.requests.length
    expect(await trackBooked()).toEqual(unknown)
    expect(lookupsSince(before)).toHaveLength(1)
  })

  test('does not affect the other parcels of a batch', async () => {
    fake.addEarlier(NUMBER, '2026-10-01')
    fake.parcels.add(OTHER, 'scanned')
    const parcels = [NUMBER, OTHER].map((carrierRef) => ({ carrierRef, ...hints }))
    const before = fake.requests.length
    expect(await connector.trackMany?.(parcels, AbortSignal.timeout(5_000))).toEqual({
      kind: 'tracked',
      parcels: new Map([
        [NUMBER, { kind: 'announced' }],
        [OTHER, expect.objectContaining({ kind: 'scanned' })],
      ]),
    })
    expect(lookupsSince(before)).toEqual([
      [NUMBER, OTHER].map((trackingNumber) => ({ trackingNumberInfo: { trackingNumber } })),
      [expect.objectContaining({ trackingNumberInfo: { trackingNumber: NUMBER } })],
    ])
  })
})

describe('a batch lookup', () => {
  const numbers = Array.from({ length: 30 }, (_, index) => `${794_953_555_600 + index}`)
  const lookUp = (carrierRefs: readonly string[]) =>
    connector.trackMany?.(
      carrierRefs.map((carrierRef) => ({ carrierRef })),
      AbortSignal.timeout(5_000),
    )

  test('looks 30 parcels up with one request', async () => {
    expect(fedex.tracking?.batch).toBe(30)
    for (const [index, number] of numbers.entries()) if (index < 29) fake.parcels.add(number)
    const before = fake.requests.length
    const expected = numbers.map((number, index): [string, object] => [
      number,
      index < 29 ? { kind: 'announced' } : { kind: 'unknown', cause: 'TRACKING.TRACKINGNUMBER.NOTFOUND' },
    ])
    expect(await lookUp(numbers)).toEqual({ kind: 'tracked', parcels: new Map(expected) })
    expect(fake.requests.slice(before).filter(({ path }) => path.startsWith('/track'))).toHaveLength(1)
  })

  test('reads the long histories of 30 parcels', async () => {
    const history = Array.from({ length: 60 }, () => ({
      ...scanEvent('DP', 'IT', '2026-11-20T13:00:00-05:00'),
      scanLocation: { streetLines: ['x'.repeat(200)] },
    }))
    const results = numbers.map((number): [string, object[]] => [number, [trackResult(number, history)]])
    fake.answerWith({ status: 200, body: trackResponses(Object.fromEntries(results)) })
    const answer = await lookUp(numbers)
    const kinds = answer?.kind === 'tracked' ? [...answer.parcels.values()].map(({ kind }) => kind) : []
    expect(kinds).toEqual(numbers.map(() => 'scanned'))
  })

  test('leaves parcels unknown that are missing in the reply', async () => {
    fake.answerWith({ status: 200, body: trackResponses({}) })
    expect(await lookUp(numbers.slice(0, 1))).toEqual({
      kind: 'tracked',
      parcels: new Map([[numbers[0], unknown]]),
    })
  })

  test.each<[string, FakeReply, object]>([
    ['a fault of FedEx', UNAVAILABLE, { ...inconclusive, cause: 'HTTP 503 SERVICE.UNAVAILABLE.ERROR' }],
    ["FedEx's own 404", fedexError(404, 'NOT.FOUND.ERROR', 'No'), inconclusive],
    ['a 404 of another server', { status: 404, body: '<html>' }, misconfigured],
    ['missing rights', fedexError(403, 'FORBIDDEN.ERROR', 'No'), misconfigured],
    [
      'a quota',
      { status: 429, headers: { 'retry-after': '60' } },
      { kind: 'unknown', cause: 'HTTP 429', retryAfterMs: 60_000 },
    ],
  ])('is unknown as a whole after %s', async (_name, reply, expected) => {
    fake.answerWith(reply)
    expect({ configuration: undefined, ...(await lookUp(numbers)) }).toMatchObject(expected)
  })
})

test('sends the id of the attempt as transaction id, and the locale of the messages', async () => {
  fake.parcels.add(NUMBER)
  await cancel()
  await track()
  const [sent, looked] = fake.requests.slice(-2).map(({ headers }) => headers)
  expect(sent).toMatchObject({ 'x-customer-transaction-id': 'canary-key', 'x-locale': 'en_US' })
  expect(looked).toMatchObject({ 'x-customer-transaction-id': expect.any(String), 'x-locale': 'en_US' })
  expect(looked?.['x-customer-transaction-id']).not.toBe('canary-key')
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
    expect(fedex.trackingNumberFault?.(carrierRef)).toBe('must be 12, 15, 20 or 22 digits')
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
      expect(await track()).toEqual({ ...misconfigured, status: 403, cause: 'HTTP 403 FORBIDDEN.ERROR' })
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

  test('and secrets do not occur in results and errors', async () => {
    const texts: unknown[] = []
    for (const script of SCRIPTS) {
      fake.parcels.add(NUMBER, script)
      texts.push(
        await cancel(NUMBER, 1, AbortSignal.timeout(60)).catch(textsOf),
        await track()?.catch(textsOf),
      )
    }
    expect(texts).toHaveLength(2 * SCRIPTS.length)
    expect(JSON.stringify(texts)).not.toContain('canary')
  })

  function textsOf(error: unknown): unknown {
    return error instanceof Error ? [error.message, error.stack, textsOf(error.cause)] : String(error)
  }
})

/** A confirmation with an alert. */
function alerted(alertType: string): object {
  const alert = { code: 'X', alertType, message: 'text' }
  return { output: { cancelledShipment: true, alerts: [alert] } }
}
