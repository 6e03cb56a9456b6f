/** POST /partners-api/v1/shipments/{shipmentId}/cancel, byte for byte. docs/rest-contract.md#cancellation */
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

ordinaryOutcomes()

async function cancel(asking: Asking = {}): Promise<string> {
  const answer = await ask('cancel', { raw: null, ...asking })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  const retry = answer.headers['retry-after'] === undefined ? '' : ` retry ${answer.headers['retry-after']}`
  return `${answer.statusCode}${retry} ${answer.body}`
}

const CANCELLED = '200 {"cancelled":true,"message":"The shipment is cancelled"}'

describe('responds to the outcome', () => {
  const ends: [CancelOutcome, string][] = [
    [shipmentCancelled('s-17', 'carrier', false), CANCELLED],
    [shipmentCancelled('s-17', 'draft', true), CANCELLED],
    [
      shipmentCancelled('s-17', 'release', false),
      '200 {"cancelled":true,"message":"The shipment is cancelled. Destroy its label, because this carrier does not accept cancellations"}',
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
      '503 retry 5 {"cancelled":false,"message":"The carrier cannot be reached at the moment, and nothing was sent; repeat the same request later"}',
    ],
    [
      cancellationPending('s-17'),
      '504 retry 5 {"cancelled":false,"message":"The carrier has not confirmed the cancellation yet; repeat the same request"}',
    ],
    [shipmentNotFound(), '404 "Shipment not found"'],
  ]
  test.each(ends)('%j', async (outcome, answer) => {
    vi.mocked(cancelShipment).mockResolvedValue(outcome)
    expect(await cancel()).toBe(answer)
  })
})

test('responds 503 with Retry-After if nothing was sent, never 409 or 2xx (R20)', async () => {
  vi.mocked(cancelShipment).mockRejectedValue(new Outage('connect ECONNREFUSED'))
  expect(await cancel()).toBe(
    '503 retry 2 {"cancelled":false,"message":"The service is temporarily unavailable; try again shortly"}',
  )
})

test('passes the caller and the decoded id to the operation', async () => {
  await cancel({ url: '/partners-api/v1/shipments/a%20b%2Fc/cancel' })
  expect(vi.mocked(cancelShipment).mock.calls[0]?.slice(1)).toEqual([
    { accountId: CALLER.accountId, requestId: expect.any(String) },
    'a b/c',
  ])
})

test('passes an id of any length to the operation', async () => {
  vi.mocked(cancelShipment).mockResolvedValue(shipmentNotFound())
  expect(await cancel({ url: `/partners-api/v1/shipments/${'x'.repeat(8_000)}/cancel` })).toBe(
    '404 "Shipment not found"',
  )
})

describe('ignores the body of a request with', () => {
  test.each<[string, Asking]>([
    ['no body and a JSON Content-Type', { raw: null }],
    ['neither body nor Content-Type', { raw: null, headers: { 'content-type': undefined } }],
    ['invalid JSON', { raw: '{"a":' }],
    ['a body but no Content-Type', { raw: 'x', headers: { 'content-type': undefined } }],
    ['a form', { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['an invalid Content-Type', { raw: 'x', headers: { 'content-type': 'what ever' } }],
    ['another charset', { raw: null, headers: { 'content-type': 'application/json; charset=latin1' } }],
    ['256 KiB of binary data', { raw: Buffer.alloc(256 * 1024, 0xff) }],
    ['a Content-Encoding', { raw: 'x', headers: { 'content-encoding': 'gzip' } }],
  ])('%s', async (_name, asking) => {
    expect(await cancel(asking)).toBe(CANCELLED)
  })
})
