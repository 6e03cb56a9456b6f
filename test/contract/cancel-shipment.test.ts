/** POST /partners-api/v1/shipments/{shipmentId}/cancel, byte for byte. Decisions 20 and 22. */
import { describe, expect, test, vi } from 'vitest'
import {
  alreadyInTransit,
  type CancelOutcome,
  cancellationPending,
  carrierRefused,
  carrierUnavailable,
  shipmentCancelled,
  shipmentNotFound,
} from '../../src/core/shipments/cancellation.ts'
import { cancelShipment } from '../../src/operations/cancel-shipment.ts'
import { CALLER, Outage } from '../http/test-socket.ts'
import { type Asking, ask, ordinaryOutcomes } from './rest-door.ts'

vi.mock('../../src/operations/quote-rates.ts', () => ({ quoteRates: vi.fn() }))
vi.mock('../../src/operations/estimate-duties.ts', () => ({ estimateDuties: vi.fn(), findWith: vi.fn() }))
vi.mock('../../src/operations/cancel-shipment.ts', () => ({ cancelShipment: vi.fn() }))
ordinaryOutcomes()

async function cancel(asking: Asking = {}): Promise<string> {
  const answer = await ask('cancel', { raw: null, ...asking })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  const retry = answer.headers['retry-after'] === undefined ? '' : ` retry ${answer.headers['retry-after']}`
  return `${answer.statusCode}${retry} ${answer.body}`
}

const CANCELLED = '200 {"cancelled":true,"message":"The shipment is cancelled"}'

describe('each end of a cancellation', () => {
  const ends: [CancelOutcome, string][] = [
    [shipmentCancelled('s-17', 'carrier', false), CANCELLED],
    [shipmentCancelled('s-17', 'draft', true), CANCELLED],
    [
      shipmentCancelled('s-17', 'release', false),
      '200 {"cancelled":true,"message":"The shipment is cancelled; its label must be destroyed, since this carrier takes no cancellations"}',
    ],
    [
      alreadyInTransit('s-17'),
      '409 {"cancelled":false,"message":"The shipment is already in transit and cannot be cancelled"}',
    ],
    [
      carrierRefused('s-17', { code: 'SCANNED', reason: 'Scanned at "Depot 7"' }),
      '409 {"cancelled":false,"message":"The carrier refused the cancellation: Scanned at \\"Depot 7\\""}',
    ],
    [
      carrierUnavailable('s-17'),
      '503 retry 5 {"cancelled":false,"message":"The carrier cannot be asked at the moment and nothing was sent; repeat the same request later"}',
    ],
    [
      cancellationPending('s-17'),
      '504 retry 5 {"cancelled":false,"message":"The carrier has not confirmed yet; repeat the same request"}',
    ],
    [shipmentNotFound(), '404 "Shipment not found"'],
  ]
  test.each(ends)('%j', async (outcome, answer) => {
    vi.mocked(cancelShipment).mockResolvedValue(outcome)
    expect(await cancel()).toBe(answer)
  })
})

test('nothing was sent: 503 with Retry-After, never 409 or 2xx (20)', async () => {
  vi.mocked(cancelShipment).mockRejectedValue(new Outage('connect ECONNREFUSED'))
  expect(await cancel()).toBe(
    '503 retry 2 {"cancelled":false,"message":"The service is temporarily unavailable; try again shortly"}',
  )
})

test('the operation gets the caller and the id, decoded', async () => {
  await cancel({ url: '/partners-api/v1/shipments/a%20b%2Fc/cancel' })
  expect(vi.mocked(cancelShipment).mock.calls[0]?.slice(1)).toEqual([CALLER, 'a b/c'])
})

test('an id of any length is for the operation to know or not', async () => {
  vi.mocked(cancelShipment).mockResolvedValue(shipmentNotFound())
  expect(await cancel({ url: `/partners-api/v1/shipments/${'x'.repeat(8_000)}/cancel` })).toBe(
    '404 "Shipment not found"',
  )
})

describe('no body is needed, and none is read', () => {
  test.each<[string, Asking]>([
    ['an empty body that says JSON', { raw: null }],
    ['an empty body without a type', { raw: null, headers: { 'content-type': undefined } }],
    ['broken JSON', { raw: '{"a":' }],
    ['a body without a type', { raw: 'x', headers: { 'content-type': undefined } }],
    ['a form', { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['a type that is none', { raw: 'x', headers: { 'content-type': 'what ever' } }],
    ['a charset', { raw: null, headers: { 'content-type': 'application/json; charset=latin1' } }],
    ['bytes', { raw: Buffer.alloc(256 * 1024, 0xff) }],
    ['another encoding', { raw: 'x', headers: { 'content-encoding': 'gzip' } }],
  ])('%s', async (_name, asking) => {
    expect(await cancel(asking)).toBe(CANCELLED)
  })
})
