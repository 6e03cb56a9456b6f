/**
 * The sandbox carrier through its connector, with the same results in this process and over HTTP; and how the connector
 * interprets other replies.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Connector } from '../../../src/carriers/connector.ts'
import {
  type SandboxCarrier,
  sandboxCarrier,
  sandboxTrackingNumber,
} from '../../../src/carriers/sandbox/carrier.ts'
import {
  type Exchange,
  inProcess,
  sandbox,
  sandboxConnector,
  sandboxInProcess,
} from '../../../src/carriers/sandbox/connector.ts'
import { startSandboxServer } from '../../../src/carriers/sandbox/server.ts'
import type { Shipment } from '../../../src/core/shipments/shipment.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { programArguments } from '../../support/app/compiled-programs.ts'
import { startFake } from '../fakes/fake-carrier.ts'

const shipment: Shipment = {
  shipmentId: 'shp_1',
  state: 'draft',
  productId: 1201,
  carrierCode: 'rondeel',
  from: { country: 'NL', zipcode: '1012 LG', city: 'Amsterdam' },
  to: { country: 'DE' },
  priceCents: 985,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-01T10:00:00.000Z',
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const soon = (milliseconds = 5_000): AbortSignal => AbortSignal.timeout(milliseconds)

function cancel(connector: Connector, carrierRef: string, signal = soon(), sends = 1) {
  const request = { carrierCode: 'rondeel', carrierRef, idempotencyKey: 'key', sends, ageMs: 0 }
  return connector.cancel(request, signal)
}

const track = (connector: Connector, carrierRef: string) => connector.track?.(carrierRef, soon())
const book = (connector: Connector, what = shipment) => connector.bookings?.book(what, soon())
const find = (connector: Connector, shipmentId = 'shp_1') => connector.bookings?.find(shipmentId, soon())

/** A connector over HTTP to a new server. */
async function overHttp(carrier: SandboxCarrier): Promise<Connector> {
  const { address, close } = await startSandboxServer({ carrier })
  closing.push(close)
  return sandbox.open({ baseUrl: address, credentials: {} })
}

const now = { kind: 'cancelled', how: 'now' }
const already = { kind: 'cancelled', how: 'already' }
const unknown = { kind: 'unknown', cause: expect.any(String) }
/** After a reply with this status that says nothing about the parcel. */
const unknownAfter = (status: number) => ({ ...unknown, status })
/** The connection was cut. The gateway turns the error into `unknown`. */
const cut = { thrown: expect.any(String) }

describe.each<[string, (carrier: SandboxCarrier) => Promise<Connector>]>([
  ['in process', async (carrier) => sandboxInProcess(carrier)],
  ['over HTTP', overHttp],
])('the sandbox %s', (_way, connect) => {
  test.each<[string, readonly object[], 'announced' | 'scanned' | 'cancelled']>([
    ['SBX-OK-1', [now, already], 'cancelled'],
    ['1ZANYTHING', [now, already], 'cancelled'],
    ['a/b?c#d%20e é', [now, already], 'cancelled'],
    ['SBX-ALREADY-1', [already, already], 'cancelled'],
    ['SBX-SCANNED-1', [refusal('SCANNED'), refusal('SCANNED')], 'scanned'],
    ['SBX-WINDOW-CLOSED-1', [refusal('WINDOW_CLOSED'), refusal('WINDOW_CLOSED')], 'announced'],
    ['SBX-PENDING-1', [{ kind: 'cancelled', how: 'accepted' }, already], 'cancelled'],
    [
      'SBX-PARTIAL-1',
      [{ kind: 'unknown', cause: 'HTTP 200 partial', status: 200 }, unknownAfter(200)],
      'announced',
    ],
    ['SBX-SLOW-1-1', [now, already], 'cancelled'],
    ['SBX-DOWN-1', [cut, cut, cut], 'announced'],
    ['SBX-503-TWICE-1', [unknownAfter(503), unknownAfter(503), now, already], 'cancelled'],
    [
      'SBX-429-1',
      [{ kind: 'unknown', cause: 'HTTP 429 TOO_MANY_REQUESTS', status: 429 }, unknownAfter(429)],
      'announced',
    ],
    ['SBX-401-ONCE-1', [now, already], 'cancelled'],
    ['SBX-GARBAGE-1', [unknownAfter(200), unknownAfter(200)], 'announced'],
    ['SBX-MEANINGLESS-1', [unknownAfter(200), unknownAfter(200)], 'announced'],
    ['SBX-LOST-1', [cut, already], 'cancelled'],
    ['SBX-LATE-0-1', [cut, already], 'cancelled'],
    ['SBX-LATE-60000-1', [cut, cut], 'announced'],
  ])('gives the expected results for %s', async (carrierRef, expected, state) => {
    const carrier = sandboxCarrier()
    const connector = await connect(carrier)
    for (const [index, answer] of expected.entries()) {
      const given = cancel(connector, carrierRef, soon(), index + 1)
      expect(await given.catch(({ message }: Error) => ({ thrown: message }))).toEqual(answer)
    }
    // A refused login is repeated once within the first send.
    const calls = expected.length + (carrierRef.startsWith('SBX-401-') ? 1 : 0)
    expect([carrier.cancelCalls(carrierRef), carrier.cancelCalls()]).toEqual([calls, calls])
    expect(carrier.isCancelled(carrierRef)).toBe(state === 'cancelled')
    expect(await track(connector, carrierRef)).toMatchObject({ kind: state })
  })

  test('a slow carrier times out but has cancelled, as the repeat shows', async () => {
    const connector = await connect(sandboxCarrier())
    await expect(cancel(connector, 'SBX-SLOW-60000-1', soon(200))).rejects.toThrow()
    expect(await cancel(connector, 'SBX-SLOW-60000-1')).toEqual(already)
  })

  test('a call that is aborted before it starts does not reach the carrier', async () => {
    const carrier = sandboxCarrier()
    await expect(cancel(await connect(carrier), 'SBX-OK-1', AbortSignal.abort())).rejects.toThrow()
    expect([carrier.cancelCalls(), carrier.isCancelled('SBX-OK-1')]).toEqual([0, false])
  })

  test('a late cancellation takes effect after its delay unless the parcel is picked up before', async () => {
    let clock = Date.parse('2026-11-21T09:00:00Z')
    const carrier = sandboxCarrier({ now: () => clock })
    const connector = await connect(carrier)
    for (const one of ['SBX-LATE-2000-1', 'SBX-LATE-2000-2'])
      await expect(cancel(connector, one)).rejects.toThrow()
    clock += 1_999
    expect(await track(connector, 'SBX-LATE-2000-1')).toEqual({ kind: 'announced' })
    carrier.scan('SBX-LATE-2000-2')
    clock += 1
    expect(carrier.isCancelled('SBX-LATE-2000-1')).toBe(true)
    expect(await cancel(connector, 'SBX-LATE-2000-1')).toEqual(already)
    expect(await cancel(connector, 'SBX-LATE-2000-2')).toEqual(refusal('SCANNED'))
  })

  test('a cancellation after the pick-up is refused; a pick-up after the cancellation has no effect', async () => {
    const carrier = sandboxCarrier({ now: () => Date.parse('2026-11-21T09:00:00Z') })
    const connector = await connect(carrier)
    expect(await track(connector, 'SBX-OK-1')).toEqual({ kind: 'announced' })
    carrier.scan('SBX-OK-1')
    const scan = { eventId: 'SBX-OK-1/scanned', at: '2026-11-21T09:00:00.000Z' }
    expect(await track(connector, 'SBX-OK-1')).toEqual({ kind: 'scanned', scan })
    expect(await cancel(connector, 'SBX-OK-1')).toEqual(refusal('SCANNED'))
    await cancel(connector, 'SBX-OK-2')
    carrier.scan('SBX-OK-2')
    expect(carrier.isCancelled('SBX-OK-2')).toBe(true)
    expect(await track(connector, 'SBX-OK-2')).toEqual({ kind: 'cancelled' })
    expect(await cancel(connector, 'SBX-OK-2')).toEqual(already)
  })

  test('exactly one of a concurrent pick-up and cancellation succeeds', async () => {
    const carrier = sandboxCarrier()
    const connector = await connect(carrier)
    const refs = Array.from({ length: 40 }, (_unused, index) => `SBX-OK-${index}`)
    const answers = await Promise.all(
      refs.map((carrierRef, index) => {
        const answer = cancel(connector, carrierRef)
        if (index % 2 === 0) carrier.scan(carrierRef)
        return answer
      }),
    )
    for (const [index, carrierRef] of refs.entries()) {
      const { kind } = answers[index] ?? {}
      expect(kind).toBe(carrier.isCancelled(carrierRef) ? 'cancelled' : 'refused')
      expect(await track(connector, carrierRef)).toMatchObject({
        kind: carrier.isCancelled(carrierRef) ? 'cancelled' : 'scanned',
      })
    }
    expect(answers.filter(({ kind }) => kind === 'cancelled').length).toBeGreaterThanOrEqual(20)
  })

  test('books several parcels if the city of the destination asks for them', async () => {
    const connector = await connect(sandboxCarrier())
    const first = sandboxTrackingNumber(shipment.shipmentId)
    const to = (city: string) => ({ ...shipment, to: { country: 'DE', city } })
    expect(await book(connector, to('SBX-3-PARCELS'))).toEqual({
      ...{ kind: 'booked', carrierRef: first },
      parcelRefs: [first, `${first}-2`, `${first}-3`],
    })
    expect(await book(connector, to('SBX-3-PARCELS-ONE-REFUSED'))).toMatchObject({
      parcelRefs: [first, `${first}-2`, `${first.replace('SBX-OK', 'SBX-WINDOW-CLOSED')}-3`],
    })
    expect(await book(connector, to('SBX-1-PARCELS-ONE-REFUSED'))).toEqual({
      kind: 'booked',
      carrierRef: first,
    })
  })

  test('books under the prefix that the company of the recipient asks for, which then selects the outcome', async () => {
    const connector = await connect(sandboxCarrier())
    const from = (company: string) => book(connector, { ...shipment, contacts: { recipient: { company } } })
    const carrierRef = sandboxTrackingNumber(shipment.shipmentId, 'SBX-WINDOW-CLOSED')
    expect(carrierRef).toMatch(/^SBX-WINDOW-CLOSED-[0-9A-F]{16}$/)
    expect(await from('SBX-WINDOW-CLOSED')).toEqual({ kind: 'booked', carrierRef })
    expect(await cancel(connector, carrierRef)).toEqual(refusal('WINDOW_CLOSED'))
    for (const company of ['Janssen BV', 'SBX-', 'SBX-OK\nSBX-DOWN', `SBX-${'X'.repeat(31)}`])
      expect(await from(company)).toEqual({
        ...{ kind: 'booked', carrierRef: sandboxTrackingNumber(shipment.shipmentId) },
      })
  })

  test('sends the services of a shipment with its booking', async () => {
    const bodies: unknown[] = []
    const send = inProcess(sandboxCarrier())
    const connector = sandboxConnector('http://sandbox', (request, signal) => {
      bodies.push(request.body)
      return send(request, signal)
    })
    await book(connector, { ...shipment, services: ['SATURDAY', 'SIGNATURE'] })
    const serviceInputs = { cashOnDelivery: { currency: 'PLN', hundredths: 10_050 } }
    await book(connector, { ...shipment, services: ['CASH_ON_DELIVERY'], serviceInputs })
    await book(connector)
    const { from, to, shipmentId } = shipment
    expect(bodies).toEqual([
      { shipmentId, from, to, services: ['SATURDAY', 'SIGNATURE'] },
      { shipmentId, from, to, services: ['CASH_ON_DELIVERY'], serviceInputs },
      { shipmentId, from, to },
    ])
    const offered = readDemoRateBook().content.services.map(({ service }) => service)
    expect(offered.filter((service) => connector.bookings?.services?.has(service) !== true)).toEqual([])
  })

  test('books a shipment under the same number in every process, even after it was cancelled', async () => {
    const connector = await connect(sandboxCarrier())
    const carrierRef = sandboxTrackingNumber('shp_1')
    expect(await book(connector)).toEqual({ kind: 'booked', carrierRef })
    expect(await track(connector, carrierRef)).toEqual({ kind: 'announced' })
    expect(await cancel(connector, carrierRef)).toEqual(now)
    expect(await book(connector)).toEqual({ kind: 'booked', carrierRef })
    expect(await track(connector, carrierRef)).toEqual({ kind: 'cancelled' })
    expect(await book(await connect(sandboxCarrier()))).toEqual({ kind: 'booked', carrierRef })
    expect(carrierRef).toMatch(/^SBX-OK-[0-9A-F]{16}$/)
    expect(sandboxTrackingNumber('shp_2')).not.toBe(carrierRef)
  })

  test('finds a booking by the id of its shipment, even after it was cancelled, and books nothing', async () => {
    const connector = await connect(sandboxCarrier())
    const city = 'SBX-2-PARCELS'
    expect(await find(connector)).toEqual({ kind: 'none' })
    const booked = await book(connector, { ...shipment, to: { country: 'DE', city } })
    expect(await find(connector)).toEqual(booked)
    await cancel(connector, sandboxTrackingNumber('shp_1'))
    expect(await find(connector)).toEqual(booked)
    expect(await find(connector, 'shp_2')).toEqual({ kind: 'none' })
  })

  test('forgets its oldest numbers above a limit; lookups add none', async () => {
    const carrier = sandboxCarrier({ remembered: 2 })
    const connector = await connect(carrier)
    for (const number of [1, 2, 3]) await cancel(connector, `SBX-OK-${number}`)
    for (const number of [4, 5, 6]) await track(connector, `SBX-OK-${number}`)
    expect([1, 2, 3].map((number) => carrier.isCancelled(`SBX-OK-${number}`))).toEqual([false, true, true])
  })

  test.each(['', '.', '..'])('the number "%s" is not sent to the carrier', async (carrierRef) => {
    const carrier = sandboxCarrier()
    const connector = await connect(carrier)
    await expect(cancel(connector, carrierRef)).rejects.toThrow('cannot be part of a URL')
    await expect(track(connector, carrierRef)).rejects.toThrow('cannot be part of a URL')
    expect(carrier.cancelCalls()).toBe(0)
  })
})

function refusal(reason: 'SCANNED' | 'WINDOW_CLOSED') {
  return { kind: 'refused', reason, code: reason, message: expect.stringMatching(/^The .+/) }
}

describe('the sandbox over HTTP', () => {
  const ask = async (address: string, line: string, body?: string, headers: Record<string, string> = {}) => {
    const [method = '', where = ''] = line.split(' ')
    const reply = await fetch(`${address}${where}`, { method, headers, ...(body !== undefined && { body }) })
    return [reply.status, await reply.json().catch(() => 'no JSON')]
  }
  const booking = JSON.stringify({ shipmentId: 'shp_1', from: { country: 'NL' }, to: { country: 'DE' } })
  const number = sandboxTrackingNumber('shp_1')
  const problem = (code: string) => ({ code, message: expect.any(String) })

  test.each<[string, string | undefined, Record<string, string>, number, unknown]>([
    ['POST /parcels', booking, { 'idempotency-key': 'shp_1' }, 201, { trackingNumber: number }],
    ['POST /parcels', booking, {}, 400, problem('KEY_MISSING')],
    ['POST /parcels', booking, { 'idempotency-key': 'shp_2' }, 400, problem('INVALID')],
    ['POST /parcels', '{"shipmentId":"a"}', { 'idempotency-key': 'a' }, 400, problem('INVALID')],
    ['POST /parcels', '<xml>', { 'idempotency-key': 'a' }, 400, problem('INVALID')],
    ['POST /parcels', 'x'.repeat(100_000), { 'idempotency-key': 'a' }, 413, problem('TOO_LARGE')],
    ['GET /parcels', undefined, {}, 405, problem('METHOD_NOT_ALLOWED')],
    ['POST /parcels/A/cancel', undefined, {}, 200, { status: 'cancelled' }],
    ['POST /parcels/A/cancel?x=1', undefined, {}, 200, { status: 'cancelled' }],
    ['POST /parcels/SBX-PENDING-1/cancel', undefined, {}, 202, { status: 'accepted' }],
    ['POST /parcels/SBX-SCANNED-1/cancel', undefined, {}, 409, problem('SCANNED')],
    ['POST /parcels/SBX-GARBAGE-1/cancel', undefined, {}, 200, 'no JSON'],
    ['GET /parcels/A/cancel', undefined, {}, 405, problem('METHOD_NOT_ALLOWED')],
    ['GET /parcels/A', undefined, {}, 200, { trackingNumber: 'A', status: 'announced' }],
    ['GET /parcels/A%2Fb', undefined, {}, 200, { trackingNumber: 'A/b', status: 'announced' }],
    [
      'POST /parcels/A/scan',
      undefined,
      {},
      200,
      { trackingNumber: 'A', status: 'scanned', scannedAt: '2026-11-21T09:00:00.000Z' },
    ],
    [
      'POST /parcels/SBX-ALREADY-1/scan',
      undefined,
      {},
      200,
      { trackingNumber: 'SBX-ALREADY-1', status: 'cancelled' },
    ],
    ['DELETE /parcels/A', undefined, {}, 405, problem('METHOD_NOT_ALLOWED')],
    ['GET /parcels/%E0%A4%A', undefined, {}, 404, problem('NO_SUCH_PATH')],
    [`GET /parcels/${'A'.repeat(201)}`, undefined, {}, 404, problem('NO_SUCH_PATH')],
    ['GET /', undefined, {}, 404, problem('NO_SUCH_PATH')],
  ])('has the documented reply to %s', async (line, body, headers, status, expected) => {
    const carrier = sandboxCarrier({ now: () => Date.parse('2026-11-21T09:00:00Z') })
    const { address, close } = await startSandboxServer({ carrier })
    closing.push(close)
    expect(await ask(address, line, body, headers)).toEqual([status, expected])
  })

  test('gets the documented requests from the connector', async () => {
    const { baseUrl, requests, close } = await startFake(() => ({ status: 503 }))
    closing.push(close)
    const connector = sandboxConnector(`${baseUrl}/deep/path`)
    await cancel(connector, 'A/b')
    await track(connector, 'A/b')
    await book(connector)
    expect(
      requests.map(({ method, path: asked, headers, text }) => [
        `${method} ${asked}`,
        headers['idempotency-key'],
        text,
      ]),
    ).toEqual([
      ['POST /deep/path/parcels/A/b/cancel', 'key', ''],
      ['GET /deep/path/parcels/A/b', undefined, ''],
      [
        'POST /deep/path/parcels',
        'shp_1',
        JSON.stringify({ shipmentId: 'shp_1', from: shipment.from, to: shipment.to }),
      ],
    ])
    expect(requests[2]?.headers['content-type']).toBe('application/json')
  })
})

/** A connector to a carrier with a fixed reply. */
function answering(status: number, json?: unknown): Connector {
  return sandboxConnector('http://carrier', async () => ({ status, json, header: () => undefined }))
}

const HOSTILE: readonly unknown[] = [
  undefined,
  null,
  [],
  '',
  'cancelled',
  'string',
  {},
  42,
  { status: ['cancelled'] },
  { status: { status: 'cancelled' } },
  { status: 'CANCELLED' },
  { status: 'partial' },
  JSON.parse('{"__proto__":{"status":"cancelled"}}'),
]

describe('the result of a cancellation', () => {
  test.each<[number, unknown, object]>([
    [200, { status: 'cancelled' }, now],
    [200, { status: 'already_cancelled', more: [] }, already],
    [200, { status: 'accepted' }, { kind: 'cancelled', how: 'accepted' }],
    [202, { status: 'accepted' }, { kind: 'cancelled', how: 'accepted' }],
    [202, { status: 'cancelled' }, unknown],
    [201, { status: 'cancelled' }, unknown],
    [204, undefined, unknown],
    [302, { status: 'cancelled' }, unknown],
    [
      409,
      { code: 'SCANNED', message: 'Gone' },
      { kind: 'refused', reason: 'SCANNED', code: 'SCANNED', message: 'Gone' },
    ],
    [409, { code: 'WINDOW_CLOSED' }, { kind: 'refused', reason: 'WINDOW_CLOSED', code: 'WINDOW_CLOSED' }],
    [409, { code: 'NOT_CANCELLABLE', message: 'No' }, { kind: 'refused', reason: 'NOT_CANCELLABLE' }],
    [
      409,
      { code: 'MOON_PHASE', message: 'Not today' },
      { kind: 'refused', reason: 'NOT_CANCELLABLE', code: 'MOON_PHASE', message: 'Not today' },
    ],
    [409, { code: 'MOON_PHASE' }, { kind: 'unknown', cause: 'HTTP 409 MOON_PHASE' }],
    [409, { code: 'UNKNOWN_PARCEL', message: 'Who?' }, { kind: 'refused', reason: 'NOT_CANCELLABLE' }],
    [409, undefined, unknown],
    [404, { code: 'UNKNOWN_PARCEL', message: 'Who?' }, { kind: 'refused', reason: 'UNKNOWN_PARCEL' }],
    [404, { code: 'NO_SUCH_PATH', message: 'Where?' }, unknown],
    [404, undefined, unknown],
    [400, { code: 'SCANNED', message: 'Gone' }, unknown],
    [401, { code: 'SCANNED', message: 'Gone' }, unknown],
    [403, { code: 'SCANNED', message: 'Gone' }, unknown],
    [429, { code: 'SCANNED', message: 'Gone' }, unknown],
    [500, { status: 'cancelled' }, unknown],
    [503, { code: 'SCANNED', message: 'Gone' }, unknown],
  ])('%i %j', async (status, json, expected) => {
    expect(await cancel(answering(status, json), 'A')).toMatchObject(expected)
  })

  test.each(HOSTILE.map((json) => [json]))('is unknown for a success with the body %j', async (json) => {
    expect(await cancel(answering(200, json), 'A')).toEqual(unknownAfter(200))
    expect(await track(answering(200, json), 'A')).toEqual(unknownAfter(200))
    expect(await book(answering(201, json))).toEqual(unknownAfter(201))
    expect((await cancel(answering(409, json), 'A')).kind).toBe('unknown')
  })

  test('is that of one repeat after a 401, and unknown after a second 401', async () => {
    const statuses = [401, 401, 401, 200]
    let asked = 0
    const send: Exchange = async () => {
      asked += 1
      return { status: statuses.shift() ?? 500, json: { status: 'cancelled' }, header: () => undefined }
    }
    const connector = sandboxConnector('http://carrier', send)
    expect(await cancel(connector, 'A')).toMatchObject({ kind: 'unknown' })
    expect(asked).toBe(2)
    expect(await cancel(connector, 'A')).toEqual(now)
    expect(asked).toBe(4)
  })

  test('a 401 is not followed by a repeat if the signal is aborted', async () => {
    const abort = new AbortController()
    let asked = 0
    const connector = sandboxConnector('http://carrier', async () => {
      asked += 1
      abort.abort()
      return { status: 401, json: undefined, header: () => undefined }
    })
    await expect(cancel(connector, 'A', abort.signal)).rejects.toThrow()
    expect(asked).toBe(1)
  })
})

describe('the result of a lookup', () => {
  const scannedAt = (text: unknown) => ({ trackingNumber: 'A', status: 'scanned', scannedAt: text })
  test.each<[number, unknown, object]>([
    [200, { trackingNumber: 'A', status: 'announced' }, { kind: 'announced' }],
    [200, { trackingNumber: 'A', status: 'cancelled' }, { kind: 'cancelled' }],
    [
      200,
      scannedAt('2026-11-21T10:00:00+01:00'),
      { kind: 'scanned', scan: { eventId: 'A/scanned', at: '2026-11-21T09:00:00.000Z' } },
    ],
    [200, scannedAt('2026-11-21T09:00Z'), { kind: 'scanned', scan: { at: '2026-11-21T09:00:00.000Z' } }],
    [200, scannedAt('2026-11-21'), unknown],
    [200, scannedAt('2026-11-21T09:00:00'), unknown],
    [200, scannedAt('2026-13-41T09:00:00Z'), unknown],
    [200, scannedAt('0000-01-01T00:00:00Z'), unknown],
    [200, scannedAt('yesterday'), unknown],
    [200, scannedAt(1_795_000_000), unknown],
    [200, { trackingNumber: 'B', status: 'announced' }, unknown],
    [200, { status: 'announced' }, unknown],
    [200, { trackingNumber: 'A', status: 'lost' }, unknown],
    [200, { trackingNumber: 'A' }, unknown],
    [404, { code: 'UNKNOWN_PARCEL', message: 'Who?' }, unknown],
    [404, { trackingNumber: 'A', status: 'announced' }, unknown],
    [500, undefined, unknown],
  ])('%i %j', async (status, json, expected) => {
    expect(await track(answering(status, json), 'A')).toMatchObject(expected)
  })

  test('has the current time if a scan has none', async () => {
    const at = '2026-11-24T10:00:00.000Z'
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(at) })
    try {
      const found = await track(answering(200, { trackingNumber: 'A', status: 'scanned' }), 'A')
      expect(found).toEqual({ kind: 'scanned', scan: { at, eventId: 'A/scanned' } })
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the result of a booking', () => {
  test.each<[number, unknown, object]>([
    [200, { trackingNumber: 'A' }, { kind: 'booked', carrierRef: 'A' }],
    [201, { trackingNumber: 'A' }, { kind: 'booked', carrierRef: 'A' }],
    [202, { trackingNumber: 'A' }, unknown],
    [200, { trackingNumber: ' ' }, unknown],
    [200, { trackingNumber: 12 }, unknown],
    [422, { code: 'NO', message: 'Not there' }, { kind: 'refused', code: 'NO', message: 'Not there' }],
    [422, { message: 'Not there' }, unknown],
    [422, { code: 'NO' }, unknown],
    [401, { code: 'NO', message: 'Who?' }, unknown],
    [429, { code: 'NO', message: 'Later' }, unknown],
    [503, { code: 'NO', message: 'Later' }, unknown],
  ])('%i %j', async (status, json, expected) => {
    const answer = await book(answering(status, json))
    expect(answer).toMatchObject(expected)
    if (answer?.kind === 'refused') expect(Object.keys(answer)).toEqual(['kind', 'code', 'message'])
  })
})

describe('the booking of a shipment', () => {
  test.each<[number, unknown, object]>([
    [200, { trackingNumber: 'A' }, { kind: 'booked', carrierRef: 'A' }],
    [404, { code: 'NO_BOOKING', message: 'None' }, { kind: 'none' }],
    // Another program without this path, or a proxy, must not say that there is no booking.
    [404, { code: 'NO_SUCH_PATH', message: 'No' }, unknown],
    [404, undefined, unknown],
    [200, { code: 'NO_BOOKING' }, unknown],
    [200, {}, unknown],
    [503, { trackingNumber: 'A' }, unknown],
  ])('%i %j', async (status, json, expected) => {
    expect(await find(answering(status, json))).toMatchObject(expected)
  })
})

test('a carrier in this process is called by path, regardless of the host', async () => {
  const connector = sandboxConnector('http://somewhere:99', inProcess(sandboxCarrier()))
  expect(await cancel(connector, 'SBX-OK-1')).toEqual(now)
})

describe('waybill sandbox', () => {
  test('prints its address and runs until it is stopped', async () => {
    const program = programArguments('src/cli/waybill.ts')
    const child = spawn(process.execPath, [...program, 'sandbox', '--port', '0'], {
      cwd: path.resolve(import.meta.dirname, '../../..'),
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    closing.push(async () => void child.kill('SIGKILL'))
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    expect(line).toMatch(/^Sandbox carrier at http:\/\/127\.0\.0\.1:\d+$/)
    const connector = sandboxConnector(line.slice('Sandbox carrier at '.length))
    expect(await cancel(connector, 'SBX-OK-1')).toEqual(now)
    // Slow replies do not delay the stop.
    const slow = cancel(connector, 'SBX-SLOW-60000-1').catch(() => 'cut')
    await expect.poll(() => track(connector, 'SBX-SLOW-60000-1')).toEqual({ kind: 'cancelled' })
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(await slow).toBe('cut')
  })
})
