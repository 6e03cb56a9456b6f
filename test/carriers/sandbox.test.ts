/** The sandbox carrier through the gateway, as operations meet it; and what the gateway does to answers. */
import { describe, expect, test } from 'vitest'
import type { Connector } from '../../src/carriers/connector.ts'
import { CARRIER_TEXT_MAX, carrierGateway, cleanText } from '../../src/carriers/gateway.ts'
import { sandboxCarrier, sandboxReference } from '../../src/carriers/sandbox.ts'
import type { CancelTicket, CarrierCancelAnswer } from '../../src/core/shipments/cancellation.ts'
import type { Shipment } from '../../src/core/shipments/shipment.ts'

function ticket(carrierRef: string, sends = 1): CancelTicket {
  return { attemptId: 'key', shipmentId: 'shp_1', carrierCode: 'rondeel', carrierRef, fence: sends, sends }
}

const shipment: Shipment = {
  shipmentId: 'shp_1',
  state: 'draft',
  productId: 1201,
  carrierCode: 'rondeel',
  from: { country: 'NL' },
  to: { country: 'DE' },
  priceCents: 985,
  createdAt: '2026-11-01T10:00:00.000Z',
}

/** A gateway to one connector, with the parts a test is not about left out. */
function gatewayTo(connector: Partial<Connector>, timeoutMs = 8_000) {
  const notAsked = () => Promise.reject(new Error('not asked for'))
  return carrierGateway(() => ({ cancel: notAsked, book: notAsked, ...connector }), { timeoutMs })
}

const now = { kind: 'cancelled', how: 'now' }
const already = { kind: 'cancelled', how: 'already' }
const unknown = { kind: 'unknown', cause: expect.any(String) }

describe('the sandbox', () => {
  test.each<[string, readonly object[]]>([
    ['SBX-OK-1', [now, already]],
    ['1ZANYTHING', [now, already]],
    ['SBX-ALREADY-1', [already, already]],
    ['SBX-SCANNED-1', [{ kind: 'refused', reason: 'SCANNED' }]],
    ['SBX-WINDOW-CLOSED-1', [{ kind: 'refused', reason: 'WINDOW_CLOSED' }]],
    ['SBX-PENDING-1', [{ kind: 'cancelled', how: 'accepted' }, already]],
    ['SBX-PARTIAL-1', [unknown]],
    ['SBX-SLOW-1-1', [now, already]],
    ['SBX-DOWN-1', [unknown, unknown]],
    ['SBX-503-TWICE-1', [unknown, unknown, now, already]],
    ['SBX-429-1', [unknown]],
    ['SBX-GARBAGE-1', [unknown]],
    ['SBX-LOST-1', [unknown, already]],
  ])('%s answers as its name says', async (carrierRef, expected) => {
    const sandbox = sandboxCarrier()
    const gateway = carrierGateway(() => sandbox)
    for (const [index, answer] of expected.entries())
      expect(await gateway.cancel(ticket(carrierRef, index + 1))).toMatchObject(answer)
    expect(sandbox.cancelCalls(carrierRef)).toBe(expected.length)
    expect(sandbox.cancelCalls()).toBe(expected.length)
  })

  test('a slow carrier is given up, has cancelled all the same, and says so when asked again', async () => {
    const sandbox = sandboxCarrier()
    const gateway = carrierGateway(() => sandbox, { timeoutMs: 10 })
    expect(await gateway.cancel(ticket('SBX-SLOW-60000-1'))).toEqual({
      kind: 'unknown',
      cause: 'no answer within 10 ms',
    })
    expect(await gateway.cancel(ticket('SBX-SLOW-60000-1', 2))).toEqual(already)
  })

  test('a pick-up before the cancellation makes it refused, one after it changes nothing', async () => {
    const sandbox = sandboxCarrier()
    const gateway = carrierGateway(() => sandbox)
    sandbox.scan('SBX-OK-1')
    expect(await gateway.cancel(ticket('SBX-OK-1'))).toMatchObject({ kind: 'refused', reason: 'SCANNED' })
    await gateway.cancel(ticket('SBX-OK-2'))
    sandbox.scan('SBX-OK-2')
    expect(sandbox.isCancelled('SBX-OK-2')).toBe(true)
    expect(await gateway.cancel(ticket('SBX-OK-2'))).toEqual(already)
  })

  test('books the same shipment under the same number, in any process', async () => {
    const first = await carrierGateway(() => sandboxCarrier()).book(shipment)
    expect(await carrierGateway(() => sandboxCarrier()).book(shipment)).toEqual(first)
    expect(first).toEqual({ kind: 'booked', carrierRef: sandboxReference('shp_1') })
    expect(sandboxReference('shp_1')).toMatch(/^SBX-OK-[0-9A-F]{16}$/)
    expect(sandboxReference('shp_2')).not.toBe(sandboxReference('shp_1'))
  })

  test('forgets its oldest numbers rather than grow for ever', async () => {
    const sandbox = sandboxCarrier({ remembered: 2 })
    const gateway = carrierGateway(() => sandbox)
    for (const number of [1, 2, 3]) await gateway.cancel(ticket(`SBX-OK-${number}`))
    expect([1, 2, 3].map((number) => sandbox.isCancelled(`SBX-OK-${number}`))).toEqual([false, true, true])
  })
})

describe('the gateway', () => {
  test('a carrier without a connector is unknown, never refused', async () => {
    const gateway = carrierGateway(() => undefined)
    expect(await gateway.cancel(ticket('X'))).toEqual({
      kind: 'unknown',
      cause: 'no connector for this carrier',
    })
    expect(await gateway.book(shipment)).toMatchObject({ kind: 'unknown' })
  })

  test('a connector that does not mind the signal is left behind', async () => {
    const gateway = gatewayTo({ cancel: () => new Promise(() => {}) }, 5)
    expect(await gateway.cancel(ticket('X'))).toMatchObject({ kind: 'unknown' })
  })

  test.each([
    ['an error', new Error('reset\nby peer')],
    ['text', 'reset\nby peer'],
  ])('what a connector throws is unknown: %s', async (_name, thrown) => {
    const gateway = gatewayTo({ cancel: () => Promise.reject(thrown) })
    expect(await gateway.cancel(ticket('X'))).toEqual({ kind: 'unknown', cause: 'reset by peer' })
  })

  test('a connector that throws before it promises is unknown as well', async () => {
    const gateway = gatewayTo({
      cancel: () => {
        throw new Error('at once')
      },
    })
    expect(await gateway.cancel(ticket('X'))).toEqual({ kind: 'unknown', cause: 'at once' })
  })

  test('the carrier hears the attempt as idempotency key, and how often it was asked', async () => {
    const heard: unknown[] = []
    const gateway = gatewayTo({
      cancel: async (request) => {
        heard.push(request)
        return { kind: 'cancelled', how: 'now' }
      },
    })
    await gateway.cancel(ticket('X', 2))
    expect(heard).toEqual([{ carrierCode: 'rondeel', carrierRef: 'X', idempotencyKey: 'key', sends: 2 }])
  })

  test.each([
    ['two\r\nlines\u0000 and\u2028more', 'two lines and more'],
    ['\u202eevil\u202c text', 'evil text'],
    ['\ud800lone', '\ufffdlone'],
    [' \u0007 ', 'no reason given'],
    ['x'.repeat(1_000_000), 'x'.repeat(CARRIER_TEXT_MAX)],
  ])('the reason of a refusal is cleaned and capped', async (message, expected) => {
    const answer: CarrierCancelAnswer = { kind: 'refused', reason: 'NOT_CANCELLABLE', code: 'C\n1', message }
    const gateway = gatewayTo({ cancel: async () => answer })
    expect(await gateway.cancel(ticket('X'))).toEqual({ ...answer, code: 'C 1', message: expected })
  })

  test('a cut never splits a character', () => {
    expect(cleanText('😀'.repeat(CARRIER_TEXT_MAX + 1))).toBe('😀'.repeat(CARRIER_TEXT_MAX))
  })

  test.each([
    '',
    'with blank',
    'x'.repeat(65),
    'zero\u0000',
  ])('a booking under the reference "%s" is in doubt', async (carrierRef) => {
    const gateway = gatewayTo({ book: async () => ({ kind: 'booked', carrierRef }) })
    expect(await gateway.book(shipment)).toEqual({ kind: 'unknown', cause: 'unusable reference' })
  })
})
