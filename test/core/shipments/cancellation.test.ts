/** What the parts of a cancellation mean. */
import { describe, expect, test } from 'vitest'
import {
  afterBegin,
  afterPoll,
  alreadyInTransit,
  type CancelBegun,
  type CancelledBy,
  type CancelProgress,
  type CancelTicket,
  cancellationPending,
  carrierRefused,
  carrierUnavailable,
  retryDelayMs,
  settlementFor,
  shipmentCancelled,
  shipmentNotFound,
} from '../../../src/core/shipments/cancellation.ts'
import type { Refusal } from '../../../src/core/shipments/shipment.ts'

const ticket: CancelTicket = {
  ...{ attemptId: 'a', shipmentId: 's', accountId: 'acme', carrierCode: 'c', carrierRef: 'r' },
  ...{ fence: 1, sends: 1, ageMs: 0 },
}
const TOO_LATE: Refusal = { code: 'WINDOW_CLOSED', reason: 'too late' }

describe('after begin', () => {
  test.each<[string, CancelBegun, object]>([
    ['a ticket asks the carrier', { state: 'booked', draftCancelled: false, ticket }, { kind: 'AskCarrier' }],
    ['booked without a ticket follows', { state: 'booked', draftCancelled: false }, { kind: 'Follow' }],
    ['a draft that is being booked follows', { state: 'draft', draftCancelled: false }, { kind: 'Follow' }],
    [
      'a recent refusal answers for the carrier',
      { state: 'booked', draftCancelled: false, recentRefusal: TOO_LATE },
      { outcome: { code: 'CARRIER_REFUSED', refusal: TOO_LATE } },
    ],
    [
      'a cancelled shipment is cancelled, whatever was refused before',
      { state: 'cancelled', draftCancelled: false, cancelledBy: 'carrier', recentRefusal: TOO_LATE },
      { outcome: { kind: 'ShipmentCancelled', alreadyCancelled: true, carrierNotified: true } },
    ],
    [
      'in transit comes before a refusal',
      { state: 'in_transit', draftCancelled: false, recentRefusal: TOO_LATE },
      { outcome: { code: 'ALREADY_IN_TRANSIT' } },
    ],
    [
      'a draft cancelled by this call was not cancelled before it',
      { state: 'cancelled', draftCancelled: true, cancelledBy: 'draft' },
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
  const WAITS = undefined
  test.each<[CancelProgress, object | undefined]>([
    [{ state: 'booked', attempt: 'working' }, WAITS],
    [{ state: 'booked', attempt: 'working', recentRefusal: TOO_LATE }, WAITS],
    [{ state: 'booked', attempt: 'waiting', dueInMs: 999 }, WAITS],
    [{ state: 'booked', attempt: 'waiting', dueInMs: -5_000 }, WAITS],
    [{ state: 'booked', attempt: 'waiting' }, WAITS],
    [{ state: 'booked', attempt: 'waiting', dueInMs: 1_000 }, cancellationPending('s')],
    [
      { state: 'booked', attempt: 'waiting', dueInMs: 60_000, recentRefusal: TOO_LATE },
      cancellationPending('s'),
    ],
    [{ state: 'booked', attempt: 'none', recentRefusal: TOO_LATE }, carrierRefused('s', TOO_LATE)],
    [{ state: 'booked', attempt: 'none' }, carrierUnavailable('s')],
    [
      { state: 'cancelled', attempt: 'none', cancelledBy: 'carrier' },
      { alreadyCancelled: false, carrierNotified: true },
    ],
    [
      { state: 'cancelled', attempt: 'none', cancelledBy: 'release' },
      { alreadyCancelled: false, labelMustBeDestroyed: true },
    ],
    [
      { state: 'cancelled', attempt: 'none', cancelledBy: 'draft' },
      { kind: 'ShipmentCancelled', alreadyCancelled: false, carrierNotified: false },
    ],
    [{ state: 'draft', attempt: 'working' }, WAITS],
    [{ state: 'in_transit', attempt: 'none' }, alreadyInTransit('s')],
  ])('with a second left that finds %j', (standing, expected) => {
    const outcome = afterPoll('s', standing, 1_000)
    if (expected === undefined) expect(outcome).toBeUndefined()
    else expect(outcome).toMatchObject(expected)
  })

  test('whose shipment is gone does not find it', () => {
    expect(afterPoll('s', undefined, 1_000)).toEqual(shipmentNotFound())
  })
})

describe('a cancelled shipment', () => {
  test.each<[CancelledBy | undefined, boolean, boolean]>([
    ['carrier', true, false],
    ['draft', false, false],
    ['release', false, true],
    [undefined, false, false],
  ])('by %s: the carrier was told: %s, the label must be destroyed: %s', (by, carrierNotified, labelMustBeDestroyed) => {
    for (const alreadyCancelled of [false, true])
      expect(shipmentCancelled('s', by, alreadyCancelled)).toEqual({
        kind: 'ShipmentCancelled',
        shipmentId: 's',
        message: expect.stringMatching(
          labelMustBeDestroyed ? /its label must be destroyed/ : /^The shipment is cancelled$/,
        ),
        ...{ alreadyCancelled, carrierNotified, labelMustBeDestroyed },
      })
  })
})

test('only what was not sent is worth repeating among the ends that did not cancel', () => {
  expect([alreadyInTransit('s'), carrierRefused('s', TOO_LATE), carrierUnavailable('s')]).toMatchObject([
    { code: 'ALREADY_IN_TRANSIT', retryable: false },
    { code: 'CARRIER_REFUSED', retryable: false },
    { code: 'CARRIER_UNAVAILABLE', retryable: true },
  ])
})

describe('settling', () => {
  test('only a refusal refuses, and doubt releases', () => {
    for (const how of ['now', 'already', 'accepted'] as const)
      expect(settlementFor({ kind: 'cancelled', how }, ticket, 0)).toEqual({
        kind: 'Accept',
        cancelledBy: 'carrier',
      })
    expect(settlementFor({ kind: 'cancelled', how: 'released' }, ticket, 0)).toEqual({
      kind: 'Accept',
      cancelledBy: 'release',
    })
    expect(
      settlementFor({ kind: 'refused', reason: 'SCANNED', code: 'x', message: 'gone' }, ticket, 0),
    ).toEqual({
      kind: 'Refuse',
      refusal: { code: 'SCANNED', reason: 'gone' },
      carrierCode: 'x',
    })
    expect(settlementFor({ kind: 'unknown', cause: 'HTTP 503' }, { sends: 3, ageMs: 0 }, 0)).toEqual({
      kind: 'Release',
      cause: 'HTTP 503',
      retryInMs: 4_000,
    })
  })

  test.each([
    ['just begun', 0, [1, 2, 4, 8, 16, 20, 20, 20]],
    ['three minutes old', 180_000, [1, 2, 4, 8, 16, 20, 20, 20]],
    ['ten minutes old', 600_000, [1, 2, 4, 8, 16, 32, 60, 60]],
    ['an hour old', 3_600_000, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]],
    ['a year old', 31_536_000_000, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]],
  ])('pauses double from a second, to a tenth of the age, within 20 s and 5 min: %s', (_name, ageMs, seconds) => {
    expect(seconds.map((_second, index) => retryDelayMs(index + 1, ageMs, 0) / 1_000)).toEqual(seconds)
    expect(retryDelayMs(5_000, ageMs, 0) / 1_000).toBe(seconds.at(-1))
  })

  test('chance takes off up to half', () => {
    expect(retryDelayMs(1, 0, 1)).toBe(500)
    expect(retryDelayMs(1, 0, 0.5)).toBe(750)
  })
})
