/** The rules of cancellation: the step after begin, following, outcomes, and retry pauses. */
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

describe('the step after begin', () => {
  test.each<[string, CancelBegun, object]>([
    [
      'calls the carrier with a ticket',
      { state: 'booked', draftCancelled: false, ticket },
      { kind: 'AskCarrier' },
    ],
    [
      'follows a booked shipment without a ticket',
      { state: 'booked', draftCancelled: false },
      { kind: 'Follow' },
    ],
    ['follows a draft that is being booked', { state: 'draft', draftCancelled: false }, { kind: 'Follow' }],
    [
      'returns a recent refusal of the carrier',
      { state: 'booked', draftCancelled: false, recentRefusal: TOO_LATE },
      { outcome: { code: 'CARRIER_REFUSED', refusal: TOO_LATE } },
    ],
    [
      'returns a cancelled shipment even if a refusal preceded',
      { state: 'cancelled', draftCancelled: false, cancelledBy: 'carrier', recentRefusal: TOO_LATE },
      { outcome: { kind: 'ShipmentCancelled', alreadyCancelled: true, carrierNotified: true } },
    ],
    [
      'returns in transit rather than a refusal',
      { state: 'in_transit', draftCancelled: false, recentRefusal: TOO_LATE },
      { outcome: { code: 'ALREADY_IN_TRANSIT' } },
    ],
    [
      'returns a draft cancelled by this call as newly cancelled',
      { state: 'cancelled', draftCancelled: true, cancelledBy: 'draft' },
      { outcome: { kind: 'ShipmentCancelled', alreadyCancelled: false, carrierNotified: false } },
    ],
  ])('%s', (_name, begun, expected) => {
    expect(afterBegin('s', begun)).toMatchObject(expected)
  })

  test('does not find a shipment without a row', () => {
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
  ])('that finds %j with a second left returns the right outcome', (status, expected) => {
    const outcome = afterPoll('s', status, 1_000)
    if (expected === undefined) expect(outcome).toBeUndefined()
    else expect(outcome).toMatchObject(expected)
  })

  test('does not find a shipment that is gone', () => {
    expect(afterPoll('s', undefined, 1_000)).toEqual(shipmentNotFound())
  })
})

describe('a cancelled shipment', () => {
  test.each<[CancelledBy | undefined, boolean, boolean]>([
    ['carrier', true, false],
    ['draft', false, false],
    ['release', false, true],
    [undefined, false, false],
  ])('by %s has carrierNotified %s and labelMustBeDestroyed %s', (by, carrierNotified, labelMustBeDestroyed) => {
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

test('among the failures, only a cancellation that was not sent is retryable', () => {
  expect([alreadyInTransit('s'), carrierRefused('s', TOO_LATE), carrierUnavailable('s')]).toMatchObject([
    { code: 'ALREADY_IN_TRANSIT', retryable: false },
    { code: 'CARRIER_REFUSED', retryable: false },
    { code: 'CARRIER_UNAVAILABLE', retryable: true },
  ])
})

describe('settlement', () => {
  test('refuses only after a refusal, and releases the lease when in doubt', () => {
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
    [1_000, 4_000],
    [3_600_000, 3_600_000],
  ])('sends a request again after %i ms at the earliest, if an earlier repeat brings nothing new', (repeatAfterMs, retryInMs) => {
    const answer = { kind: 'unknown', cause: 'HTTP 500', repeatAfterMs } as const
    expect(settlementFor(answer, { sends: 3, ageMs: 0 }, 0)).toMatchObject({ retryInMs })
  })

  test.each([
    ['just begun', 0, [1, 2, 4, 8, 16, 20, 20, 20]],
    ['three minutes old', 180_000, [1, 2, 4, 8, 16, 20, 20, 20]],
    ['ten minutes old', 600_000, [1, 2, 4, 8, 16, 32, 60, 60]],
    ['an hour old', 3_600_000, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]],
    ['a year old', 31_536_000_000, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]],
  ])('doubles the pauses from a second, up to a tenth of the age, within 20 s and 5 min: %s', (_name, ageMs, seconds) => {
    expect(seconds.map((_second, index) => retryDelayMs(index + 1, ageMs, 0) / 1_000)).toEqual(seconds)
    expect(retryDelayMs(5_000, ageMs, 0) / 1_000).toBe(seconds.at(-1))
  })

  test('shortens a pause at random by up to half', () => {
    expect(retryDelayMs(1, 0, 1)).toBe(500)
    expect(retryDelayMs(1, 0, 0.5)).toBe(750)
  })
})
