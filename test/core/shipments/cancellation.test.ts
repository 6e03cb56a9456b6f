/** What the parts of a cancellation mean. */
import { describe, expect, test } from 'vitest'
import {
  afterBegin,
  afterLook,
  type CancelBegun,
  type CancelStanding,
  cancellationPending,
  RETRY_MAX_MS,
  retryDelayMs,
  settlementOf,
  shipmentNotFound,
} from '../../../src/core/shipments/cancellation.ts'

const ticket = { attemptId: 'a', shipmentId: 's', carrierCode: 'c', carrierRef: 'r', fence: 1, sends: 1 }

describe('after begin', () => {
  test.each<[string, CancelBegun, object]>([
    ['a ticket asks the carrier', { state: 'booked', draftCancelled: false, ticket }, { kind: 'AskCarrier' }],
    ['booked without a ticket follows', { state: 'booked', draftCancelled: false }, { kind: 'Follow' }],
    [
      'a recent refusal answers for the carrier',
      { state: 'booked', draftCancelled: false, recentRefusal: 'too late' },
      { outcome: { code: 'CARRIER_REFUSED', carrierReason: 'too late' } },
    ],
    [
      'a cancelled shipment is cancelled, whatever was refused before',
      { state: 'cancelled', draftCancelled: false, carrierRef: 'r', recentRefusal: 'too late' },
      { outcome: { kind: 'ShipmentCancelled', alreadyCancelled: true, carrierNotified: true } },
    ],
    [
      'in transit comes before a refusal',
      { state: 'in_transit', draftCancelled: false, carrierRef: 'r', recentRefusal: 'too late' },
      { outcome: { code: 'ALREADY_IN_TRANSIT' } },
    ],
    [
      'a draft cancelled by this call was not cancelled before it',
      { state: 'cancelled', draftCancelled: true },
      { outcome: { kind: 'ShipmentCancelled', alreadyCancelled: false, carrierNotified: false } },
    ],
  ])('%s', (_name, begun, expected) => {
    expect(afterBegin('s', begun)).toMatchObject(expected)
  })

  test('no row is not found', () => {
    expect(afterBegin('s', undefined)).toEqual({ kind: 'Answer', outcome: shipmentNotFound() })
  })
})

describe('a follower', () => {
  test.each<[CancelStanding, object | undefined]>([
    [{ state: 'booked', attempt: 'working' }, undefined],
    [{ state: 'booked', attempt: 'working', refusal: 'an older one' }, undefined],
    [{ state: 'booked', attempt: 'waiting' }, cancellationPending('s')],
    [{ state: 'booked', attempt: 'none', refusal: 'too late' }, { carrierReason: 'too late' }],
    [{ state: 'booked', attempt: 'none' }, cancellationPending('s')],
    [{ state: 'cancelled', attempt: 'none', carrierRef: 'r' }, { alreadyCancelled: false }],
    [{ state: 'in_transit', attempt: 'none', carrierRef: 'r' }, { code: 'ALREADY_IN_TRANSIT' }],
  ])('that finds %j', (standing, expected) => {
    const outcome = afterLook('s', standing)
    if (expected === undefined) expect(outcome).toBeUndefined()
    else expect(outcome).toMatchObject(expected)
  })

  test('whose shipment is gone does not find it', () => {
    expect(afterLook('s', undefined)).toEqual(shipmentNotFound())
  })
})

describe('settling', () => {
  test('only a refusal refuses, and doubt releases', () => {
    expect(settlementOf({ kind: 'cancelled', how: 'already' }, 1, 0)).toEqual({ kind: 'Accept' })
    expect(settlementOf({ kind: 'refused', reason: 'SCANNED', code: 'x', message: 'gone' }, 1, 0)).toEqual({
      kind: 'Refuse',
      reason: 'gone',
    })
    expect(settlementOf({ kind: 'unknown', cause: 'HTTP 503' }, 3, 0)).toEqual({
      kind: 'Release',
      cause: 'HTTP 503',
      retryInMs: 4_000,
    })
  })

  test('pauses double from a second to five minutes, and chance takes off up to half', () => {
    expect([1, 2, 3, 9, 10, 5_000].map((sends) => retryDelayMs(sends, 0))).toEqual([
      1_000,
      2_000,
      4_000,
      256_000,
      RETRY_MAX_MS,
      RETRY_MAX_MS,
    ])
    expect(retryDelayMs(1, 1)).toBe(500)
    expect(retryDelayMs(1, 0.5)).toBe(750)
  })
})
