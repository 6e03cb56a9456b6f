/** The DHL Parcel DE connector against a fake: the interpretation of every reply, and no leak of secrets. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connector } from '../../../src/carriers/connector.ts'
import { dhlParcelDe } from '../../../src/carriers/connectors/dhl-parcel-de.ts'
import {
  DHL_CREDENTIALS,
  type DhlParcelFake,
  deleted,
  dhlEvent,
  item,
  problem,
  shipments,
  startDhlParcelFake,
} from '../fakes/dhl-parcel-de.ts'
import { type FakeReply, SCRIPTS } from '../fakes/fake-carrier.ts'
import { already, COMMON_OUTCOMES, now, refusedAs, testOutcomes, unknown } from './outcomes.ts'

const NUMBER = '00340434161094042557'
let fake: DhlParcelFake
let connector: Connector

beforeAll(async () => {
  fake = await startDhlParcelFake()
})
afterAll(() => fake.close())
beforeEach(() => {
  fake.answerWith(undefined)
  fake.trackWith(undefined)
  fake.parcels.add(NUMBER)
  connector = open()
})

function open(credentials: Record<string, string> = DHL_CREDENTIALS, baseUrl = fake.baseUrl): Connector {
  return dhlParcelDe.open({ baseUrl, credentials })
}

function cancel(carrierRef = NUMBER, sends = 1, timeoutMs = 5_000) {
  const request = { carrierCode: 'dhl', carrierRef, idempotencyKey: 'key', sends, ageMs: 0 }
  return connector.cancel(request, AbortSignal.timeout(timeoutMs))
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
  (sends, timeoutMs) => cancel(NUMBER, sends, timeoutMs),
)

describe('the reply to a deletion', () => {
  const one = (status: number, detail: string) => [item(NUMBER, status, detail)]
  const table: readonly (readonly [string, FakeReply, sends: number, answer: unknown])[] = [
    ['200, item 200', deleted(200, one(200, 'ok')), 1, now],
    ['207, item 200 among others', deleted(207, [item('1', 400, 'x'), ...one(200, 'ok')]), 1, now],
    [
      '207, item 400 among others',
      deleted(207, [item('1', 200, 'x'), ...one(400, 'gone')]),
      1,
      refusedAs('UNKNOWN_PARCEL'),
    ],
    [
      '200, item 400',
      deleted(200, one(400, 'gone')),
      1,
      { ...refusedAs('UNKNOWN_PARCEL'), code: '400', message: 'gone' },
    ],
    ['200, item 400, sent before', deleted(200, one(400, 'gone')), 2, already],
    ['400 as a whole', deleted(400, [], 'Unknown shipment number.'), 1, refusedAs('UNKNOWN_PARCEL')],
    ['400 as a whole, sent before', deleted(400, [], 'Unknown shipment number.'), 2, already],
    ['400 as a problem', problem(400, 'Bad Request'), 1, refusedAs('UNKNOWN_PARCEL')],
    ['manifested', deleted(400, one(400, 'already manifested')), 1, closed],
    ['manifested, sent before', deleted(400, one(400, 'already manifested')), 2, closed],
    ['Tagesabschluss', deleted(400, one(400, 'Nach dem Tagesabschluss')), 2, closed],
    ['closed as a whole', deleted(400, [], 'The shipment is closed'), 2, closed],
    ['wrong profile, sent before', deleted(400, [], 'Unknown profile'), 2, refusedAs('NOT_CANCELLABLE')],
    ['not permitted, sent before', deleted(400, [], 'Not permitted'), 2, refusedAs('NOT_CANCELLABLE')],
    ['item 200 under 400', deleted(400, one(200, 'ok')), 1, unknown],
    ['400 about other orders', deleted(400, [item('1', 400, 'gone')]), 2, unknown],
    ['400 from another server', { status: 400, body: '<html>Bad Request</html>' }, 2, unknown],
    ['400 with another status', { status: 400, body: { status: 500, title: 'x' } }, 2, unknown],
    ['item 500', deleted(207, one(500, 'error')), 2, unknown],
    ['item 429', deleted(207, one(429, 'slow down')), 2, unknown],
    [
      'item 409',
      deleted(207, one(409, 'not now')),
      1,
      { ...refusedAs('NOT_CANCELLABLE'), message: 'not now' },
    ],
    ['two items for one order', deleted(207, [...one(200, 'ok'), ...one(400, 'gone')]), 2, unknown],
    ['401', problem(401, 'Unauthorized'), 2, unknown],
    ['403', problem(403, 'Forbidden'), 2, unknown],
    ['404 with a message', problem(404, 'Not Found'), 1, unknown],
    ['404 without', { status: 404 }, 1, unknown],
    ['408', problem(408, 'Timeout'), 2, unknown],
    ['429', problem(429, 'Too Many Requests'), 2, unknown],
    ['500', problem(500, 'Internal Server Error'), 2, unknown],
    ['503', problem(503, 'Service Unavailable'), 2, unknown],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 1, unknown],
  ]

  test.each(table)('%s', async (_, reply, sends, answer) => {
    fake.answerWith(reply)
    expect(await cancel(NUMBER, sends)).toMatchObject(answer as object)
  })

  test('is a refusal if the order is gone, was sent before, and tracking shows a scan', async () => {
    fake.answerWith(deleted(400, one(400, 'gone')))
    fake.parcels.scan(NUMBER)
    expect(await cancel(NUMBER, 2)).toMatchObject(refusedAs('SCANNED'))
  })

  test.each<[string, FakeReply]>([
    ['401', { status: 401 }],
    ['429', { status: 429 }],
    ['503', { status: 503 }],
  ])('is unknown if the order is gone, was sent before, and tracking is inconclusive (%s)', async (_, reply) => {
    fake.answerWith(deleted(400, one(400, 'gone')))
    fake.trackWith(reply)
    expect(await cancel(NUMBER, 2)).toMatchObject(unknown)
  })

  test('throws if the order is gone, was sent before, and tracking cannot be reached', async () => {
    fake.answerWith(deleted(400, one(400, 'gone')))
    fake.trackWith('cut')
    await expect(cancel(NUMBER, 2)).rejects.toThrow()
  })

  test.each<[string, FakeReply]>([
    ['404', { status: 404 }],
    ['no shipment', { status: 200, body: { shipments: [] } }],
  ])('is "already cancelled" if the order is gone, was sent before, and tracking has no shipment (%s)', async (_, reply) => {
    fake.answerWith(deleted(400, one(400, 'gone')))
    fake.trackWith(reply)
    expect(await cancel(NUMBER, 2)).toEqual(already)
  })

  const hostile: readonly unknown[] = [
    'null',
    '[]',
    '""',
    '"string"',
    '{}',
    '200',
    { items: null },
    { items: {} },
    { items: [null, 1, 'x', []] },
    { items: [{ shipmentNo: NUMBER }] },
    { items: [{ shipmentNo: NUMBER, sstatus: 200 }] },
    { items: [{ shipmentNo: NUMBER, sstatus: { status: '200' } }] },
    { items: [{ shipmentNo: NUMBER, sstatus: { status: 200, statusCode: 500 } }] },
    { items: [{ shipmentNo: [NUMBER], sstatus: { status: 200 } }] },
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

describe('the state of a parcel', () => {
  const t1 = '2026-11-20T09:15:00'
  const scanned = (code: string, at = '2026-11-20T09:15:00.000Z') => ({
    kind: 'scanned',
    scan: { eventId: `${at}/${code}`, at },
  })
  const announced = { kind: 'announced' }
  const announcement = dhlEvent('pre-transit', '2026-11-19T18:00:00')
  const codes: readonly (readonly [string, unknown])[] = [
    ...['pre-transit', 'VA'].map((code) => [code, announced] as const),
    ...['transit', 'delivered', 'AA', 'AE', 'EE', 'ES', 'LA', 'NB', 'PO', 'ZF', 'ZO', 'ZU'].map(
      (code) => [code, scanned(code)] as const,
    ),
    ...['failure', 'unknown', 'BV', 'ZN', 'AN', 'DD', 'GT', 'TRANSIT', ''].map(
      (code) => [code, unknown] as const,
    ),
  ]
  test.each(codes)('%s', async (code, answer) => {
    fake.trackWith(shipments(NUMBER, [dhlEvent(code, t1)]))
    expect(await track()).toEqual(answer)
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
    ['another number', shipments('1', [announcement]), unknown],
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
    ['404', problem(404, 'No result found'), unknown],
    ['401', problem(401, 'Unauthorized'), unknown],
    ['429', problem(429, 'Too Many Requests'), unknown],
    ['500', problem(500, 'Internal Server Error'), unknown],
    ['garbage', { status: 200, body: '<html>' }, unknown],
    ['null', { status: 200, body: 'null' }, unknown],
    ['[]', { status: 200, body: '[]' }, unknown],
  ]
  test.each(table)('%s', async (_, reply, answer) => {
    fake.trackWith(reply)
    expect(await track()).toEqual(answer)
  })

  test('is announced, then scanned, and unknown after a deletion', async () => {
    expect(await track()).toEqual(announced)
    fake.parcels.scan(NUMBER)
    expect(await track()).toEqual(scanned('transit'))
    fake.parcels.add('deleted-one')
    await cancel('deleted-one')
    expect(await track('deleted-one')).toEqual(unknown)
  })
})

describe('a request', () => {
  test('has escaped numbers and profiles, so that no order can be added', async () => {
    const hostile = 'A&shipment=B/../C?#%'
    fake.parcels.add(hostile)
    expect(await cancel(hostile)).toEqual(now)
    expect(await track(hostile)).toEqual(unknown)
  })

  test('has the configured user group', async () => {
    const other = await startDhlParcelFake({ profile: 'GRUPPE & SÖHNE' })
    try {
      other.parcels.add(NUMBER)
      connector = open(DHL_CREDENTIALS, other.baseUrl)
      expect(await cancel(NUMBER, 2)).toMatchObject(refusedAs('NOT_CANCELLABLE'))
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
      for (const call of [cancel(NUMBER, 2, 60), track()])
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
