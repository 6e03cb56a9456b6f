/** The outcomes of a cancellation, and the pauses between its tries. */
import { describe, expect, test } from 'vitest'
import {
  alreadyInTransit,
  type CancelledBy,
  carrierRefused,
  carrierUnavailable,
  retryDelayMs,
  shipmentCancelled,
} from '../../../src/core/shipments/cancellation.ts'
import type { Refusal } from '../../../src/core/shipments/shipment.ts'

const TOO_LATE: Refusal = { code: 'WINDOW_CLOSED', reason: 'too late' }

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
          labelMustBeDestroyed ? / Destroy its label, / : /^The shipment is cancelled$/,
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

describe('the pause before the next send', () => {
  test.each([
    ['just begun', 0, [1, 2, 4, 8, 16, 20, 20, 20]],
    ['three minutes old', 180_000, [1, 2, 4, 8, 16, 20, 20, 20]],
    ['ten minutes old', 600_000, [1, 2, 4, 8, 16, 32, 60, 60]],
    ['an hour old', 3_600_000, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]],
    ['a year old', 31_536_000_000, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]],
  ])('doubles from a second, up to a tenth of the age, within 20 s and 5 min: %s', (_name, ageMs, seconds) => {
    expect(seconds.map((_second, index) => retryDelayMs(index + 1, ageMs, 0) / 1_000)).toEqual(seconds)
    expect(retryDelayMs(5_000, ageMs, 0) / 1_000).toBe(seconds.at(-1))
  })

  test('is shortened at random by up to half', () => {
    expect(retryDelayMs(1, 0, 1)).toBe(500)
    expect(retryDelayMs(1, 0, 0.5)).toBe(750)
  })
})
