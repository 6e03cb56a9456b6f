/** What follows a round of an attempt at a carrier that cancels each parcel. */
import { describe, expect, test } from 'vitest'
import type { CancelTicket, CarrierRefusal, TicketParcel } from '../../../src/core/shipments/cancellation.ts'
import {
  afterRound,
  isPartlyCancelled,
  type ParcelOutcome,
  ticketForParcel,
} from '../../../src/core/shipments/parcels.ts'
import { type CarrierTrackAnswer, combineLookups } from '../../../src/core/shipments/tracking.ts'

const REFUSAL: CarrierRefusal = { kind: 'refused', reason: 'WINDOW_CLOSED', code: 'X1', message: 'Too late' }
const SCAN_REFUSAL: CarrierRefusal = { kind: 'refused', reason: 'SCANNED', code: 'X2', message: 'Picked up' }
const CANCELLED: ParcelOutcome = { kind: 'cancelled', isLater: false }
const REFUSED: ParcelOutcome = { kind: 'refused', refusal: REFUSAL }
const open = (retryInMs: number): ParcelOutcome => ({ kind: 'open', cause: 'HTTP 503', retryInMs })

const afterOutcomes = (...outcomes: readonly ParcelOutcome[]) =>
  afterRound(new Map(outcomes.map((outcome, index) => [`P${index + 1}`, outcome])))

describe('after a round', () => {
  test('the shipment is cancelled when all parcels are', () => {
    expect(afterOutcomes(CANCELLED, CANCELLED)).toEqual({ kind: 'Accept', cancelledBy: 'carrier' })
  })

  test('a released parcel makes it a release', () => {
    expect(afterOutcomes(CANCELLED, { kind: 'released' })).toEqual({ kind: 'Accept', cancelledBy: 'release' })
  })

  test('the earliest open parcel decides about the retry, also if others are refused', () => {
    expect(afterOutcomes(CANCELLED, open(4_000), open(1_000), REFUSED)).toEqual({
      kind: 'Retry',
      cause: '1 of 4 parcels cancelled; P2: HTTP 503; P3: HTTP 503; P4: refused (X1)',
      retryInMs: 1_000,
      repeatAfterMs: 0,
    })
  })

  test('the shipment is refused if no parcel is cancelled, with the refusal because of a scan', () => {
    expect(afterOutcomes(REFUSED, { kind: 'released' }, { kind: 'refused', refusal: SCAN_REFUSAL })).toEqual({
      kind: 'Refuse',
      refusal: { code: 'SCANNED', reason: 'Picked up' },
      carrierCode: 'X2',
    })
  })

  test('the shipment is partly cancelled if some parcels are cancelled and the others refused', () => {
    expect(afterOutcomes(CANCELLED, REFUSED)).toEqual({
      kind: 'Partial',
      cause: '1 of 2 parcels cancelled; P2: refused (X1)',
      refusal: { kind: 'Refuse', refusal: { code: 'WINDOW_CLOSED', reason: 'Too late' }, carrierCode: 'X1' },
    })
  })
})

describe('the parcels of a ticket', () => {
  const parcel = (overrides: Partial<TicketParcel> = {}): TicketParcel => ({
    ...{ carrierRef: 'P1', isCancelled: false, unsent: 0 },
    ...overrides,
  })

  test('are partly cancelled only if nothing is open', () => {
    const cancelled = parcel({ isCancelled: true })
    const refused = parcel({ refusal: REFUSAL })
    expect(isPartlyCancelled([cancelled, refused])).toBe(true)
    expect(isPartlyCancelled([cancelled, refused, parcel()])).toBe(false)
    expect(isPartlyCancelled([cancelled, cancelled])).toBe(false)
    expect(isPartlyCancelled([refused, refused])).toBe(false)
  })

  test('have their own idempotency keys, and count only sends that included them', () => {
    const parcels = [parcel(), parcel({ carrierRef: 'P2', unsent: 2 })]
    const ticket: CancelTicket = {
      ...{ attemptId: 'a', shipmentId: 's', accountId: 'acme', carrierCode: 'c', carrierRef: 'P1' },
      ...{ fence: 3, sends: 3, ageMs: 0, parcels },
    }
    const requests = parcels.map((one) => ticketForParcel(ticket, one))
    expect(requests.map((one) => [one.idempotencyKey, one.ticket.carrierRef, one.ticket.sends])).toEqual([
      ['a-1', 'P1', 3],
      ['a-2', 'P2', 1],
    ])
  })
})

describe('lookups of several numbers', () => {
  const combined = (...answers: readonly CarrierTrackAnswer[]) =>
    combineLookups(answers.map((answer, index) => ({ carrierRef: `P${index + 1}`, answer })))
  const scanned: CarrierTrackAnswer = { kind: 'scanned', scan: { eventId: 'e', at: '2026-11-02T08:00:00Z' } }

  test('are a scan if one number is scanned, with that number', () => {
    expect(combined({ kind: 'announced' }, scanned)).toEqual({ carrierRef: 'P2', answer: scanned })
  })

  test.each(['announced', 'cancelled'] as const)('agree if all are %s', (kind) => {
    expect(combined({ kind }, { kind })).toEqual({ carrierRef: 'P1', answer: { kind } })
  })

  test('are unknown with a list if they differ or one is unknown', () => {
    const cause = 'P1: cancelled; P2: announced; P3: HTTP 404'
    const answers = [
      { kind: 'cancelled' },
      { kind: 'announced' },
      { kind: 'unknown', cause: 'HTTP 404' },
    ] as const
    expect(combined(...answers)).toEqual({ carrierRef: 'P1', answer: { kind: 'unknown', cause } })
  })

  test('are announced if they differ and one announced parcel is to be found', () => {
    const lookups = [
      { carrierRef: 'P1', answer: { kind: 'cancelled' } },
      { carrierRef: 'P2', answer: { kind: 'announced' } },
    ] as const
    expect(combineLookups(lookups, 'announced')).toEqual(lookups[1])
  })
})
