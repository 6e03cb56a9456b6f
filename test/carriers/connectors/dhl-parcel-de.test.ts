/** The DHL Parcel DE connector against a fake: the interpretation of every reply, and no leak of secrets. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connector } from '../../../src/carriers/connector.ts'
import { CONNECTORS } from '../../../src/carriers/registry.ts'
import {
  DHL_CREDENTIALS,
  type DhlDialect,
  type DhlParcelFake,
  deleted,
  dhlEvent,
  item,
  manifest,
  NO_SUCH_ORDER,
  problem,
  shipments,
  startDhlParcelFake,
  unknownItem,
} from '../fakes/dhl-parcel-de.ts'
import { type FakeReply, SCRIPTS } from '../fakes/fake-carrier.ts'
import { already, COMMON_OUTCOMES, now, refusedAs, testOutcomes, unknown } from './outcomes.ts'

const { 'dhl-parcel-de': dhlParcelDe } = CONNECTORS

const NUMBER = '00340434161094042557'
let fake: DhlParcelFake
let connector: Connector

beforeAll(async () => {
  fake = await startDhlParcelFake()
})
afterAll(() => fake.close())
beforeEach(() => {
  fake.answerWith(undefined)
  fake.orderWith(undefined)
  fake.trackWith(undefined)
  fake.manifestWith(undefined)
  fake.parcels.add(NUMBER)
  connector = open()
  at(NOON)
})
afterEach(() => vi.useRealTimers())

/** 12:00 in Germany: an account closes its day later. */
const NOON = '2026-11-24T11:00:00Z'

function at(now: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) })
}

function open(credentials: Record<string, string> = DHL_CREDENTIALS, baseUrl = fake.baseUrl): Connector {
  return dhlParcelDe.open({ baseUrl, credentials })
}

function cancel(carrierRef = NUMBER, sends = 1, signal = AbortSignal.timeout(5_000)) {
  const request = { carrierCode: 'dhl', carrierRef, idempotencyKey: 'key', sends, ageMs: 0 }
  return connector.cancel(request, signal)
}

function track(carrierRef = NUMBER) {
  return connector.track?.(carrierRef, AbortSignal.timeout(5_000))
}

const closed = refusedAs('WINDOW_CLOSED')

testOutcomes(
  {
    ...COMMON_OUTCOMES,
    // At the first send, "not found" cannot be the result of an earlier cancellation.
    already: [[refusedAs('UNKNOWN_PARCEL'), already, already], 'cancelled'],
    scanned: [[closed, closed, closed], 'scanned'],
    'window-closed': [[closed, closed, closed], 'announced'],
    '401-once': [[unknown, now, already], 'cancelled', 2],
  },
  (script) => fake.parcels.add(NUMBER, script),
  (sends, signal) => cancel(NUMBER, sends, signal),
)

const unknownNumber = (code: string) => ({
  ...refusedAs('UNKNOWN_PARCEL'),
  code,
  message: 'Unknown shipment number.',
})
const misconfigured = { ...unknown, configuration: true }
const one = (statusCode: number, detail: string) => [item(NUMBER, statusCode, detail)]
const notFound = deleted(400, [unknownItem(NUMBER)], '0 of 1 shipment successfully canceled.')
const transit = dhlEvent('transit', '2026-11-20T09:15:00')

describe('the reply to a deletion', () => {
  /** The item with these fields in its status. */
  const odd = (sstatus: object) => [{ shipmentNo: NUMBER, sstatus }]
  const title = 'UnknownShipmentNumber'
  const table: readonly (readonly [string, FakeReply, sends: number, answer: unknown])[] = [
    ['200, item 200', deleted(200, one(200, 'ok')), 1, now],
    ['207, item 200 among others', deleted(207, [item('1', 400, 'x'), ...one(200, 'ok')]), 1, now],
    ['item 200 with both spellings', deleted(200, odd({ status: 200, statusCode: 200 })), 1, now],
    ['item 200 with the new spelling', deleted(200, odd({ title: 'OK', status: 200 })), 1, now],
    ['item 200 without leading zeros', deleted(200, [item(NUMBER.slice(2), 200)]), 1, now],
    [
      'item 200 with a JSON number',
      { status: 200, body: `{"items":[{"shipmentNo":${NUMBER.slice(2)},"sstatus":{"status":200}}]}` },
      1,
      now,
    ],
    ['400, UnknownShipmentNumber', notFound, 1, unknownNumber(title)],
    ['207, UnknownShipmentNumber', deleted(207, [unknownItem(NUMBER)]), 1, unknownNumber(title)],
    [
      'UnknownShipmentNumber among others',
      deleted(207, [item('1', 200), unknownItem(NUMBER)]),
      1,
      unknownNumber(title),
    ],
    [
      'UnknownShipmentNumber, other zeros',
      deleted(400, [unknownItem(NUMBER.slice(2))]),
      1,
      unknownNumber(title),
    ],
    [
      'UnknownShipmentNumber with two codes',
      deleted(400, odd({ title, status: 400, statusCode: 204 })),
      1,
      refusedAs('UNKNOWN_PARCEL'),
    ],
    [
      'item 400, as in the specification',
      deleted(400, [unknownItem(NUMBER, 'specification')]),
      1,
      unknownNumber('Bad Request'),
    ],
    ['item 404', deleted(207, one(404, 'Unknown shipment number.')), 1, unknownNumber('Bad Request')],
    ['200, item 400', deleted(200, one(400, 'gone')), 1, refusedAs('UNKNOWN_PARCEL')],
    ['400 as a whole', deleted(400, [], 'Unknown shipment number.'), 1, refusedAs('UNKNOWN_PARCEL')],
    ['404 as a whole', deleted(404, [], 'Unknown shipment number.'), 1, refusedAs('UNKNOWN_PARCEL')],
    ['400 as a problem', problem(400, 'Bad Request'), 1, misconfigured],
    ['item 204 alone', deleted(200, one(204, 'No Content')), 1, unknown],
    ['UnknownShipmentNumber with item 200', deleted(200, [item(NUMBER, 200, 'ok', title)]), 1, unknown],
    ['UnknownShipmentNumber with item 500', deleted(207, [item(NUMBER, 500, 'ok', title)]), 1, unknown],
    ['UnknownShipmentNumber without a code', deleted(400, odd({ title })), 1, unknown],
    ['manifested', deleted(400, one(400, 'already manifested')), 1, closed],
    ['manifested, sent before', deleted(400, one(400, 'already manifested')), 2, closed],
    ['Tagesabschluss', deleted(400, one(400, 'Nach dem Tagesabschluss')), 2, closed],
    ['closed as a whole', deleted(400, [], 'The shipment is closed'), 2, closed],
    ['wrong profile', deleted(400, [], 'Unknown profile'), 1, misconfigured],
    ['wrong profile, in the item', deleted(400, one(400, 'Not permitted')), 2, misconfigured],
    ['item 200 under 400', deleted(400, one(200, 'ok')), 1, unknown],
    [
      'item 200 under 200 with an overall 500',
      { status: 200, body: { status: { statusCode: 500 }, items: one(200, 'ok') } },
      1,
      unknown,
    ],
    ['400 about other orders', deleted(400, [unknownItem('1')]), 2, unknown],
    ['400 from another server', { status: 400, body: '<html>Bad Request</html>' }, 2, unknown],
    ['400 with another status', { status: 400, body: { status: 500, title: 'x' } }, 2, unknown],
    ['item 500', deleted(207, one(500, 'error')), 2, unknown],
    ['item 429', deleted(207, one(429, 'slow down')), 2, unknown],
    ['item 409', deleted(207, one(409, 'not now')), 1, unknown],
    ...[402, 405, 406, 409, 410, 411, 413, 414, 415, 422, 423, 424, 426, 428, 431, 451, 490, 499].map(
      (status) =>
        [`${status} with a message`, problem(status, 'Not now'), 1, unknown] as [
          string,
          FakeReply,
          1,
          unknown,
        ],
    ),
    [
      '"0 of 1" and item 200',
      deleted(200, one(200, 'ok'), '0 of 1 shipment successfully canceled.'),
      1,
      unknown,
    ],
    ['"0 von 1" and item 200', deleted(200, one(200, 'ok'), '0 von 1 Sendungen storniert.'), 1, unknown],
    ['a whole that reports a failure', deleted(200, one(200, 'ok'), 'The call failed.'), 1, unknown],
    ['item 200 that reports a failure', deleted(200, one(200, 'Could not be deleted')), 1, unknown],
    ['item 200 that is closed', deleted(200, one(200, 'already manifested')), 1, unknown],
    ['item 200 "without errors"', deleted(200, one(200, 'The call ran without errors.')), 1, now],
    [
      'item 200 with a validation error',
      deleted(200, [{ ...item(NUMBER, 200), validationMessages: [{ validationState: 'Error' }] }]),
      1,
      unknown,
    ],
    [
      'item 200 with a warning',
      deleted(200, [{ ...item(NUMBER, 200), validationMessages: [{ validationState: 'Warning' }] }]),
      1,
      now,
    ],
    [
      'item 200 beside errors',
      { status: 200, body: { errors: [{ code: 'X' }], items: one(200, 'ok') } },
      1,
      unknown,
    ],
    ['two items for one order', deleted(207, [...one(200, 'ok'), unknownItem(NUMBER)]), 2, unknown],
    ['401', problem(401, 'Unauthorized'), 2, misconfigured],
    ['403', problem(403, 'Forbidden'), 2, misconfigured],
    ['404 with a message', problem(404, 'Not Found'), 1, misconfigured],
    ['404 without', { status: 404 }, 1, misconfigured],
    ['404 of another server', { status: 404, body: '<html>' }, 2, misconfigured],
    ['408', problem(408, 'Timeout'), 2, unknown],
    ['429', problem(429, 'Too Many Requests'), 2, unknown],
    ['500', problem(500, 'Internal Server Error'), 2, unknown],
    ['503', problem(503, 'Service Unavailable'), 2, unknown],
    [
      '503 with Retry-After',
      { status: 503, headers: { 'retry-after': '600' } },
      2,
      { ...unknown, retryAfterMs: 600_000 },
    ],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 1, unknown],
  ]

  test.each(table)('%s', async (_, reply, sends, answer) => {
    fake.parcels.add(NUMBER, 'already')
    fake.answerWith(reply)
    expect(await cancel(NUMBER, sends)).toMatchObject(answer as object)
  })

  const hostile: readonly unknown[] = [
    { items: null },
    { items: {} },
    { items: [null, 1, 'x', []] },
    { items: [{ shipmentNo: NUMBER }] },
    { items: [{ shipmentNo: NUMBER, sstatus: 200 }] },
    { items: [{ shipmentNo: NUMBER, sstatus: { status: '200' } }] },
    { items: [{ shipmentNo: NUMBER, sstatus: { status: 200, statusCode: 500 } }] },
    { items: [{ shipmentNo: [NUMBER], sstatus: { status: 200 } }] },
    // Another number: the last digits are lost.
    { items: [{ shipmentNo: Number(NUMBER), sstatus: { status: 200 } }] },
    { items: [item(`${NUMBER}0`, 200, 'ok')] },
    { status: { status: 200, title: 'ok' } },
    { status: { status: 200 }, items: [item('1', 200, 'ok')] },
  ]
  test.each(
    hostile.map((body) => [JSON.stringify(body), body]),
  )('is unknown for 200 with %s', async (_, body) => {
    fake.answerWith({ status: 200, body })
    expect(await cancel(NUMBER, 2)).toMatchObject(unknown)
  })
})

describe('an order that DHL does not find after a repeated send', () => {
  const orders: readonly (readonly [string, FakeReply, answer: unknown])[] = [
    ['absent: UnknownShipmentNumber', deleted(400, [unknownItem(NUMBER)]), already],
    ['absent: 207', deleted(207, [unknownItem(NUMBER)]), already],
    ['absent: as in the specification', deleted(400, [unknownItem(NUMBER, 'specification')]), already],
    ['absent: 404', NO_SUCH_ORDER, already],
    ['404 of a gateway', problem(404, 'Not Found'), misconfigured],
    ['absent: 400 as a whole', deleted(400, [], 'Unknown shipment number.'), already],
    ['present', deleted(200, one(200, 'ok')), misconfigured],
    ['present, other zeros', deleted(200, [item(NUMBER.slice(2), 200)]), misconfigured],
    ['closed', deleted(400, one(400, 'The shipment is closed')), closed],
    ['closed as a whole', deleted(400, [], 'already manifested'), closed],
    ['absent: item 404', deleted(207, one(404, 'Not Found')), already],
    ['absent: another wording', deleted(400, one(400, 'The shipment could not be found')), already],
    ['another order', deleted(200, [item('1', 200)]), unknown],
    ['another absent order', deleted(400, [unknownItem('1')]), unknown],
    ['item 400 for another reason', deleted(400, one(400, 'No label')), unknown],
    ['item 204', deleted(200, one(204, 'No Content')), unknown],
    ['item 200 under 400', deleted(400, one(200, 'ok')), unknown],
    ['400 as a problem', problem(400, 'Bad Request'), unknown],
    ['404 without a body', { status: 404 }, unknown],
    ['404 from another server', { status: 404, body: '<html>' }, unknown],
    ['404 with another status', { status: 404, body: { title: 'x', status: 500 } }, unknown],
    ['200 without items', { status: 200, body: {} }, unknown],
    ['401', problem(401, 'Unauthorized'), misconfigured],
    [
      '429',
      { status: 429, headers: { 'retry-after': '30' } },
      { kind: 'unknown', cause: 'order lookup: HTTP 429', retryAfterMs: 30_000 },
    ],
    ['500', problem(500, 'Internal Server Error'), unknown],
    ['503', { status: 503 }, unknown],
    ['no reply', 'cut', unknown],
  ]
  test.each(orders)('is judged by the order lookup: %s', async (_, reply, answer) => {
    fake.answerWith(notFound)
    fake.orderWith(reply)
    fake.trackWith(problem(404, 'No result found'))
    expect(await cancel(NUMBER, 2)).toMatchObject(answer as object)
  })

  const pieces = ['340434161094042557']
  const scanned = refusedAs('SCANNED')
  const tracked: readonly (readonly [string, FakeReply, answer: unknown])[] = [
    ['404', problem(404, 'No result found'), already],
    ['no shipment', { status: 200, body: { shipments: [] } }, already],
    ['an announcement', shipments(NUMBER, [dhlEvent('pre-transit', '2026-11-20T09:15:00')]), already],
    ['401', { status: 401 }, already],
    ['429', { status: 429 }, already],
    ['503', { status: 503 }, already],
    ['no reply', 'cut', already],
    ['a scan', shipments(NUMBER, [transit]), scanned],
    ['a scan, fewer zeros', shipments(NUMBER.slice(2), [transit]), scanned],
    ['a scan, more zeros', shipments(`0${NUMBER}`, [transit]), scanned],
    ['a scan of its piece', shipments('JJD000390006060575288', [transit], pieces), scanned],
    ['another parcel', shipments('00340434161094042558', [transit]), unknown],
    ['another parcel, announced', shipments('1', [dhlEvent('pre-transit', '2026-11-20T09:15:00')]), unknown],
    ['an unclear event', shipments(NUMBER, [dhlEvent('failure', '2026-11-20T09:15:00')]), unknown],
    ['an unreadable body', { status: 200, body: '<html>' }, unknown],
  ]
  test.each(
    tracked,
  )('is not cancelled if tracking contradicts an absent order: %s', async (_, reply, answer) => {
    fake.answerWith(notFound)
    fake.orderWith(deleted(400, [unknownItem(NUMBER)]))
    fake.trackWith(reply)
    expect(await cancel(NUMBER, 2)).toMatchObject(answer as object)
  })

  test.each<[string, FakeReply]>([
    ['is unavailable', { status: 503 }],
    ['says that it exists', deleted(200, one(200, 'ok'))],
  ])('is scanned if tracking has a scan, even if the order lookup %s', async (_, reply) => {
    fake.answerWith(notFound)
    fake.orderWith(reply)
    fake.trackWith(shipments(NUMBER, [transit]))
    expect(await cancel(NUMBER, 2)).toMatchObject(scanned)
  })
})

describe('an order that DHL no longer finds', () => {
  const MINUTE_MS = 60_000
  const HOUR_MS = 60 * MINUTE_MS
  const HTML = { status: 404, body: '<html>' }
  const gateway = { title: 'Not Found', status: 404, detail: 'The requested resource was not found.' }

  function cancelAfter(ageMs: number, bookedAt?: string) {
    const request = { carrierCode: 'dhl', carrierRef: NUMBER, idempotencyKey: 'key', sends: 2, ageMs }
    const hints = bookedAt === undefined ? {} : { bookedAt }
    return connector.cancel({ ...request, ...hints }, AbortSignal.timeout(5_000))
  }

  beforeEach(() => {
    fake.answerWith(notFound)
    fake.orderWith(deleted(400, [unknownItem(NUMBER)]))
    fake.trackWith(problem(404, 'No result found'))
    fake.manifestDays()
  })

  test.each<[string, FakeReply, unknown]>([
    ['listed', manifest('2026-11-24', ['1', NUMBER]), { ...closed, message: 'The order is closed' }],
    ['listed, other zeros', manifest('2026-11-24', [NUMBER.slice(2)]), closed],
    ['not listed', manifest('2026-11-24', ['1', 2]), already],
    ['an empty list', manifest('2026-11-24', []), already],
    ["DHL's own 404", problem(404, 'Not Found'), already],
    [
      "DHL's own 404 without the old field",
      { status: 404, body: { title: 'Not Found', status: 404, detail: 'No manifest for this day' } },
      already,
    ],
    ['404 of a gateway', { status: 404, body: gateway }, misconfigured],
    ['404 of another server', HTML, misconfigured],
    ['404 without a body', { status: 404 }, misconfigured],
    ['404 with another code', { status: 404, body: { title: 'x', status: 404, statusCode: 500 } }, unknown],
    ['400: the day is too old', problem(400, 'Bad Request'), unknown],
    ['401', problem(401, 'Unauthorized'), misconfigured],
    ['429', { status: 429, headers: { 'retry-after': '9' } }, { ...unknown, retryAfterMs: 9_000 }],
    ['500', problem(500, 'Internal Server Error'), unknown],
    ['no reply', 'cut', unknown],
    ['another day', manifest('2026-11-23', []), unknown],
    ['no list', { status: 200, body: { status: { status: 200 } } }, unknown],
    ['a list with an unreadable number', manifest('2026-11-24', ['1', null]), unknown],
    [
      'a list in a contradictory reply',
      { status: 200, body: { status: { status: 500 }, items: [] } },
      unknown,
    ],
    [
      'listed with an error',
      { status: 200, body: { items: [{ shipmentNo: NUMBER, sstatus: { status: 400 } }] } },
      unknown,
    ],
  ])('is judged by the manifest of the day: %s', async (_, reply, answer) => {
    fake.manifestWith(reply)
    expect(await cancelAfter(MINUTE_MS)).toMatchObject(answer as object)
  })

  test('is looked up on every day in Germany from the first send to now', async () => {
    at('2026-11-24T01:00:00Z')
    expect(await cancelAfter(26.5 * HOUR_MS)).toEqual(already)
    expect(fake.manifestDays().sort()).toEqual(['2026-11-22', '2026-11-23', '2026-11-24'])
  })

  test.each([
    ['before midnight in winter', '2026-11-23T22:59:00Z', '2026-11-23'],
    ['after midnight in winter', '2026-11-23T23:01:00Z', '2026-11-24'],
    ['after midnight in summer', '2026-07-23T22:01:00Z', '2026-07-24'],
    ['on the day of 25 hours', '2026-10-25T22:59:00Z', '2026-10-25'],
    ['after the day of 23 hours', '2026-03-29T22:01:00Z', '2026-03-30'],
  ])('is looked up on the right day %s', async (_, now, day) => {
    at(now)
    await cancelAfter(0)
    expect(fake.manifestDays()).toEqual([day])
  })

  test('is looked up on each day once over a change of the clock', async () => {
    at('2026-10-26T11:00:00Z')
    await cancelAfter(3 * 24 * HOUR_MS)
    expect(fake.manifestDays().sort()).toEqual(['2026-10-23', '2026-10-24', '2026-10-25', '2026-10-26'])
  })

  test('is refused if the manifest of any day lists it, even if another one fails', async () => {
    fake.manifestWith({ status: 503 })
    fake.manifestWith(manifest('2026-11-23', [NUMBER]), '2026-11-23')
    expect(await cancelAfter(24 * HOUR_MS)).toMatchObject(closed)
  })

  test('is unknown if the manifest of one day cannot be read', async () => {
    fake.manifestWith({ status: 503 }, '2026-11-23')
    expect(await cancelAfter(24 * HOUR_MS)).toMatchObject(unknown)
  })

  test('is looked up from its booking, since it may have been closed before the first send', async () => {
    fake.manifestWith(manifest('2026-11-22', [NUMBER]), '2026-11-22')
    expect(await cancelAfter(MINUTE_MS, '2026-11-22T09:00:00Z')).toMatchObject(closed)
    expect(fake.manifestDays()).toHaveLength(3)
  })

  test('is unknown if it may have been closed more than seven days ago', async () => {
    const answer = await cancelAfter(MINUTE_MS, '2026-10-01T09:00:00Z')
    expect(answer).toEqual({ ...unknown, repeatAfterMs: HOUR_MS })
    expect(fake.manifestDays()).toHaveLength(7)
  })

  test.each<[string, string, number, unknown]>([
    ['on the same day', NOON, MINUTE_MS, already],
    ['on the next day', NOON, 24 * HOUR_MS, unknown],
    ['after 16:00', '2026-11-24T15:00:00Z', MINUTE_MS, unknown],
  ])('is unknown if tracking announces it and the day may be closed: %s', async (_, now, ageMs, answer) => {
    at(now)
    fake.trackWith(shipments(NUMBER, [dhlEvent('pre-transit', '2026-11-20T09:15:00')]))
    expect(await cancelAfter(ageMs)).toMatchObject(answer as object)
  })

  test('is not looked up in manifests while the order or the tracking decides', async () => {
    fake.orderWith(deleted(200, one(200, 'ok')))
    await cancelAfter(MINUTE_MS)
    fake.orderWith(deleted(400, [unknownItem(NUMBER)]))
    fake.trackWith(shipments(NUMBER, [transit]))
    await cancelAfter(MINUTE_MS)
    expect(fake.manifestDays()).toEqual([])
  })
})

describe('an order that DHL does not find at the first send', () => {
  test.each<[string, FakeReply, unknown]>([
    ['absent', deleted(400, [unknownItem(NUMBER)]), unknownNumber('UnknownShipmentNumber')],
    ['unavailable', { status: 503 }, unknownNumber('UnknownShipmentNumber')],
    ['unreachable', 'cut', unknownNumber('UnknownShipmentNumber')],
    ['present', deleted(200, one(200, 'ok')), misconfigured],
    ['closed', deleted(400, [], 'The shipment is closed'), closed],
  ])('is refused unless the order lookup finds it: %s', async (_, reply, answer) => {
    fake.answerWith(notFound)
    fake.orderWith(reply)
    expect(await cancel()).toMatchObject(answer as object)
  })

  test.each<[string, FakeReply, unknown]>([
    ['absent', deleted(400, [unknownItem(NUMBER)]), refusedAs('UNKNOWN_PARCEL')],
    ['unavailable', { status: 503 }, unknown],
    ['present', deleted(200, one(200, 'ok')), misconfigured],
  ])('is refused after a 400 with another text only if the order lookup confirms it: %s', async (_, reply, answer) => {
    fake.answerWith(deleted(400, one(400, 'The call failed.')))
    fake.orderWith(reply)
    expect(await cancel()).toMatchObject(answer as object)
  })

  test('is not tracked', async () => {
    fake.answerWith(notFound)
    const before = fake.requests.length
    await cancel()
    expect(fake.requests.slice(before).map(({ method }) => method)).toEqual(['DELETE', 'GET'])
  })
})

describe.each<DhlDialect>(['recorded', 'specification'])('a lost reply (%s)', (dialect) => {
  let dhl: DhlParcelFake
  beforeAll(async () => {
    dhl = await startDhlParcelFake({ dialect })
  })
  afterAll(() => dhl.close())
  beforeEach(() => {
    dhl.orderWith(undefined)
    dhl.trackWith(undefined)
    connector = open(DHL_CREDENTIALS, dhl.baseUrl)
  })

  test('ends as "already cancelled" at the second send, and at every later one', async () => {
    dhl.parcels.add(NUMBER, 'reply-lost')
    await expect(cancel(NUMBER, 1)).rejects.toThrow()
    for (const sends of [2, 3, 4, 5, 6]) expect(await cancel(NUMBER, sends)).toEqual(already)
  })

  test('ends as soon as the order lookup works', async () => {
    dhl.parcels.add(NUMBER, 'reply-lost')
    await expect(cancel(NUMBER, 1)).rejects.toThrow()
    for (const failure of [
      { status: 503 },
      { status: 429 },
      'cut',
      { status: 200, body: '<html>' },
    ] as const) {
      dhl.orderWith(failure)
      expect(await cancel(NUMBER, 2)).toMatchObject(unknown)
    }
    dhl.orderWith(undefined)
    expect(await cancel(NUMBER, 6)).toEqual(already)
  })

  test('ends for a number that lost its leading zeros', async () => {
    dhl.parcels.add(NUMBER, 'reply-lost')
    await expect(cancel(NUMBER.slice(2), 1)).rejects.toThrow()
    expect(await cancel(NUMBER.slice(2), 2)).toEqual(already)
  })

  test('ends for a number that DHL knows without leading zeros', async () => {
    dhl.parcels.add(NUMBER.slice(2), 'reply-lost')
    await expect(cancel(NUMBER.slice(2), 1)).rejects.toThrow()
    expect(await cancel(NUMBER.slice(2), 2)).toEqual(already)
  })

  test('ends as a cancellation if the request was lost too', async () => {
    dhl.parcels.add(NUMBER)
    expect(await cancel(NUMBER, 2)).toEqual(now)
    expect(await cancel(NUMBER, 3)).toEqual(already)
  })

  test('never ends as "cancelled" while the order exists in another user group', async () => {
    dhl.parcels.add(NUMBER)
    connector = open({ ...DHL_CREDENTIALS, profile: 'OTHER' }, dhl.baseUrl)
    for (const sends of [1, 2, 3]) expect(await cancel(NUMBER, sends)).toMatchObject(misconfigured)
    connector = open(DHL_CREDENTIALS, dhl.baseUrl)
    expect(await cancel(NUMBER, 4)).toEqual(now)
  })

  test('ends as a refusal if the parcel was scanned meanwhile', async () => {
    dhl.parcels.add(NUMBER, 'scanned')
    connector = open({ ...DHL_CREDENTIALS, profile: 'OTHER' }, dhl.baseUrl)
    expect(await cancel(NUMBER, 2)).toMatchObject(refusedAs('SCANNED'))
  })

  test('does not follow an unknown number, which is refused at the first send', async () => {
    expect(await cancel('00340434161094099999', 1)).toMatchObject(refusedAs('UNKNOWN_PARCEL'))
  })
})

describe('the state of a parcel', () => {
  const t1 = '2026-11-20T09:15:00'
  const scanned = (code: string, at = '2026-11-20T09:15:00.000Z') => ({
    kind: 'scanned',
    scan: { eventId: `${at}/${code}`, at },
  })
  /** The parcel was delivered with its only scan. */
  const delivered = (code: string) => ({ ...scanned(code), delivery: scanned(code).scan })
  const announced = { kind: 'announced' }
  const announcement = dhlEvent('pre-transit', '2026-11-19T18:00:00')
  const codes: readonly (readonly [string, unknown])[] = [
    ...['pre-transit', 'VA'].map((code) => [code, announced] as const),
    ...['transit', 'delivered', 'AA', 'AE', 'EE', 'ES', 'LA', 'NB', 'PO', 'ZF', 'ZO', 'ZU'].map(
      (code) => [code, /^(delivered|ZU)$/.test(code) ? delivered(code) : scanned(code)] as const,
    ),
    ...['failure', 'unknown', 'BV', 'ZN', 'AN', 'DD', 'GT', 'TRANSIT', ''].map(
      (code) => [code, unknown] as const,
    ),
  ]
  test.each(codes)('%s', async (code, answer) => {
    fake.trackWith(shipments(NUMBER, [dhlEvent(code, t1)]))
    expect(await track()).toMatchObject(answer as object)
  })

  const shipment = (body: object) => ({ status: 200, body: { shipments: [{ id: NUMBER, ...body }] } })
  const table: readonly (readonly [string, FakeReply, unknown])[] = [
    [
      'the earliest of several scans',
      shipments(NUMBER, [dhlEvent('ZU', '2026-11-21T08:00:00'), dhlEvent('AE', t1), announcement]),
      scanned('AE'),
    ],
    [
      'a time with an offset',
      shipments(NUMBER, [dhlEvent('AE', '2026-11-20T10:15:00+01:00')]),
      scanned('AE'),
    ],
    [
      'a scan and an unclear event',
      shipments(NUMBER, [dhlEvent('BV', t1), dhlEvent('AE', t1)]),
      scanned('AE'),
    ],
    ['an announcement and an unclear event', shipments(NUMBER, [dhlEvent('DD', t1), announcement]), unknown],
    ['a scan at an unreadable time', shipments(NUMBER, [dhlEvent('AE', 'yesterday'), announcement]), unknown],
    ['no events, status transit', shipment({ status: dhlEvent('transit', t1) }), scanned('transit')],
    ['no events, status pre-transit', shipment({ status: announcement }), announced],
    [
      'announced, status delivered',
      shipment({ status: dhlEvent('delivered', t1), events: [announcement] }),
      scanned('delivered'),
    ],
    ['no events, no status', shipment({}), unknown],
    ['other leading zeros', shipments(NUMBER.slice(2), [announcement]), announced],
    ['the number of its piece', shipments('JJD000390006060575288', [announcement], [NUMBER]), announced],
    ['another number', shipments('1', [announcement], ['2']), unknown],
    [
      'an id that is a number and has lost its last digits',
      shipments(Number(NUMBER), [announcement]),
      unknown,
    ],
    [
      'an id that is a number with all digits',
      {
        status: 200,
        body: `{"shipments":[{"id":${NUMBER.slice(2)},"status":${JSON.stringify(announcement)}}]}`,
      },
      announced,
    ],
    [
      'two shipments with the number',
      {
        status: 200,
        body: {
          shipments: [
            { id: NUMBER, status: announcement },
            { id: NUMBER, status: announcement },
          ],
        },
      },
      unknown,
    ],
    ...['dgf', 'express', 'parcel-nl', 'parcel-pl'].map(
      (service) =>
        [
          `another division: ${service}`,
          shipment({ service, status: dhlEvent('transit', t1), events: [dhlEvent('AE', t1)] }),
          unknown,
        ] as const,
    ),
    ['404', problem(404, 'No result found'), unknown],
    ['404 of another server', { status: 404, body: '<html>' }, misconfigured],
    ['401', problem(401, 'Unauthorized'), misconfigured],
    ['429', problem(429, 'Too Many Requests'), unknown],
    ['500', problem(500, 'Internal Server Error'), unknown],
    ['garbage', { status: 200, body: '<html>' }, unknown],
    ['null', { status: 200, body: 'null' }, unknown],
    ['[]', { status: 200, body: '[]' }, unknown],
  ]
  test.each(table)('%s', async (_, reply, answer) => {
    fake.trackWith(reply)
    expect(await track()).toMatchObject(answer as object)
  })

  test('is found under an id that is a number', async () => {
    fake.trackWith(shipments(7777777770, [announcement]))
    expect(await track('7777777770')).toEqual(announced)
    expect(await track('007777777770')).toEqual(announced)
    expect(await track('77777777700')).toEqual(unknown)
  })

  test('is announced, then scanned, and unknown after a deletion', async () => {
    expect(await track()).toEqual(announced)
    fake.parcels.scan(NUMBER)
    expect(await track()).toEqual(scanned('transit'))
    fake.parcels.add('deleted-one')
    await cancel('deleted-one')
    expect(await track('deleted-one')).toEqual({ ...unknown, status: 404 })
  })
})

describe('a request', () => {
  test('has escaped numbers and profiles, so that no order can be added', async () => {
    const hostile = 'A&shipment=B/../C?#%'
    fake.parcels.add(hostile)
    expect(await cancel(hostile)).toEqual(now)
    expect(await track(hostile)).toEqual({ ...unknown, status: 404 })
  })

  test('has the configured user group', async () => {
    const other = await startDhlParcelFake({ profile: 'GRUPPE & SÖHNE' })
    try {
      other.parcels.add(NUMBER)
      connector = open(DHL_CREDENTIALS, other.baseUrl)
      expect(await cancel(NUMBER, 2)).toMatchObject(unknown)
      connector = open({ ...DHL_CREDENTIALS, profile: 'GRUPPE & SÖHNE' }, other.baseUrl)
      expect(await cancel()).toEqual(now)
    } finally {
      await other.close()
    }
  })

  test('goes to another host for tracking if configured', async () => {
    connector = open({ ...DHL_CREDENTIALS, trackingUrl: `${fake.baseUrl}/` }, 'http://127.0.0.1:1')
    expect(await track()).toEqual({ kind: 'announced' })
    await expect(cancel()).rejects.toThrow()
  })

  test('is not sent after the timeout', async () => {
    const before = fake.requests.length
    const request = { carrierCode: 'dhl', carrierRef: NUMBER, idempotencyKey: 'key', sends: 1, ageMs: 0 }
    await expect(connector.cancel(request, AbortSignal.abort())).rejects.toThrow()
    expect(fake.requests.length).toBe(before)
  })

  test('leaks no secret in results and errors', async () => {
    const texts: string[] = []
    for (const script of SCRIPTS) {
      fake.parcels.add(NUMBER, script)
      for (const call of [cancel(NUMBER, 2, AbortSignal.timeout(60)), track()])
        texts.push(await Promise.resolve(call).then(JSON.stringify, String))
    }
    connector = open({ ...DHL_CREDENTIALS, password: 'canary-wrong' })
    texts.push(await cancel().then(JSON.stringify, String))
    connector = open(DHL_CREDENTIALS, 'http://127.0.0.1:1')
    texts.push(await cancel().then(JSON.stringify, String))
    const basic = Buffer.from(`${DHL_CREDENTIALS.user}:${DHL_CREDENTIALS.password}`).toString('base64')
    for (const secret of ['canary', basic, basic.slice(0, 12)]) expect(texts.join('\n')).not.toContain(secret)
    expect(texts).toHaveLength(2 * SCRIPTS.length + 2)
  })
})

describe('the format of a number', () => {
  test.each([
    '00340434161094042557',
    '340434161094042557',
    'JJD000390006060575288',
    'CV123456785DE',
    '423475729485',
  ])('accepts %s', (number) => expect(dhlParcelDe.trackingNumberFault?.(number)).toBeUndefined())
  test.each(['3.40434E+17', '340 434 161', '123', 'jjd000390006060575288', ''])('rejects %j', (number) =>
    expect(dhlParcelDe.trackingNumberFault?.(number)).toBe('must be 10 to 50 digits or upper-case letters'))
})
