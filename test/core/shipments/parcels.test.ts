/** How a round of an attempt is settled, with one number and with several. */
import { describe, expect, test } from 'vitest'
import type { CancelTicket, CarrierRefusal, TicketParcel } from '../../../src/core/shipments/cancellation.ts'
import {
  isPartlyCancelled,
  type ParcelOutcome,
  type Round,
  settlementOf,
  ticketForParcel,
  unsentParcels,
} from '../../../src/core/shipments/parcels.ts'
import { type CarrierTrackAnswer, combineLookups } from '../../../src/core/shipments/tracking.ts'
import { CANCEL_POLICY } from '../../../src/operations/ask-carrier/policy.ts'

const REFUSAL: CarrierRefusal = { kind: 'refused', reason: 'WINDOW_CLOSED', code: 'X1', message: 'Too late' }
const SCAN_REFUSAL: CarrierRefusal = { kind: 'refused', reason: 'SCANNED', code: 'X2', message: 'Picked up' }
const CANCELLED: ParcelOutcome = { kind: 'cancelled', isLater: false }
const REFUSED: ParcelOutcome = { kind: 'refused', refusal: REFUSAL, verify: false }
const UNKNOWN: ParcelOutcome = { kind: 'open', cause: 'HTTP 503' }
const DAY_MS = 86_400_000

const TICKET: CancelTicket = {
  ...{ attemptId: 'a', shipmentId: 's', accountId: 'acme', carrierCode: 'c', carrierRef: 'P1' },
  ...{ fence: 5, sends: 3, ageMs: 0 },
}

/** A round of an attempt with these outcomes for P1, P2 and so on. */
function roundOf(
  outcomes: readonly ParcelOutcome[],
  ticket: Partial<CancelTicket> = {},
  parcel: Partial<TicketParcel> = {},
): Round {
  const entries = outcomes.map((outcome, index) => [`P${index + 1}`, outcome] as const)
  return {
    ticket: { ...TICKET, ...ticket },
    isEach: outcomes.length > 1,
    parcels: entries.map(([carrierRef]) => ({ carrierRef, isCancelled: false, unsent: 0, ...parcel })),
    outcomes: new Map(entries),
  }
}

const settled = (...given: Parameters<typeof roundOf>) => settlementOf(roundOf(...given), CANCEL_POLICY, 0)

describe('the settlement of a round about several parcels', () => {
  test('accepts if all parcels are cancelled', () => {
    expect(settled([CANCELLED, CANCELLED])).toEqual({
      kind: 'Accept',
      cancelledBy: 'carrier',
      isFound: false,
    })
  })

  test('is a release if a parcel was released', () => {
    expect(settled([CANCELLED, { kind: 'released' }])).toMatchObject({
      kind: 'Accept',
      cancelledBy: 'release',
    })
  })

  test.each<[string, ParcelOutcome, Partial<TicketParcel>, object]>([
    ['accepted it for later', { ...CANCELLED, isLater: true }, {}, { verifyInMs: DAY_MS, isFound: false }],
    ['accepted another for later before', CANCELLED, { isLater: true }, { verifyInMs: DAY_MS }],
    ['is only found to have cancelled it', { ...CANCELLED, isFound: true }, {}, { isFound: true }],
    ['was only found to have cancelled another', CANCELLED, { isFound: true }, { isFound: true }],
  ])('is verified if the carrier %s', (_name, outcome, parcel, expected) => {
    expect(settled([CANCELLED, outcome], {}, parcel)).toMatchObject({ kind: 'Accept', ...expected })
  })

  test('leaves the attempt open for the earliest open parcel, also if others are refused', () => {
    const waits: ParcelOutcome = { kind: 'open', cause: 'announced', againInMs: 20_000, repeatAfterMs: 9_000 }
    expect(settled([CANCELLED, waits, UNKNOWN, REFUSED])).toEqual({
      kind: 'Release',
      release: {
        cause: '1 of 4 parcels cancelled; P2: announced; P3: HTTP 503; P4: refused (X1)',
        times: { retryInMs: 16_000, callerWaitMs: 5_000 },
        unsent: false,
      },
    })
  })

  test('refuses if no parcel is cancelled, with the refusal because of a scan, and is verified', () => {
    const scanned: ParcelOutcome = { kind: 'refused', refusal: SCAN_REFUSAL, verify: false }
    expect(settled([REFUSED, { kind: 'released' }, scanned])).toEqual({
      kind: 'Refuse',
      refusal: { code: 'SCANNED', reason: 'Picked up' },
      carrierCode: 'X2',
      verifyInMs: 60_000,
    })
  })

  test.each([
    [false, 60_000],
    [true, 3 * 3_600_000],
  ])('leaves a partly cancelled shipment open (alert was raised: %s) for %i ms, also for callers', (isPartAlerted, retryInMs) => {
    expect(settled([CANCELLED, REFUSED], { isPartAlerted })).toEqual({
      kind: 'Release',
      release: {
        cause: '1 of 2 parcels cancelled; P2: refused (X1)',
        times: { retryInMs, callerWaitMs: retryInMs },
        unsent: false,
      },
      part: { kind: 'Refuse', refusal: { code: 'WINDOW_CLOSED', reason: 'Too late' }, carrierCode: 'X1' },
    })
  })

  test('counts no send if nothing was sent, and otherwise not for the parcels that were not sent', () => {
    const unsent: ParcelOutcome = { kind: 'open', cause: 'no slot', isUnsent: true }
    const none = roundOf([unsent, unsent])
    expect([settlementOf(none, CANCEL_POLICY, 0), unsentParcels(none)]).toMatchObject([
      { release: { unsent: true } },
      [],
    ])
    const some = roundOf([CANCELLED, unsent], {}, { unsent: 1 })
    expect([settlementOf(some, CANCEL_POLICY, 0), unsentParcels(some)]).toMatchObject([
      { release: { unsent: false } },
      [['P2', { kind: 'unsent', total: 2 }]],
    ])
  })

  test('leaves the number of sends while a doubt about the shipment is recorded, because its ticket counts none', () => {
    const doubted = { doubt: { refusal: REFUSAL, ageMs: 0 } }
    const unsent: ParcelOutcome = { kind: 'open', cause: 'no slot', isUnsent: true }
    for (const outcomes of [
      [unsent, unsent],
      [CANCELLED, unsent],
    ]) {
      const round = roundOf(outcomes, doubted)
      expect(settlementOf(round, CANCEL_POLICY, 0)).toMatchObject({ release: { unsent: false } })
      expect(unsentParcels(round)).toEqual([])
    }
  })
})

describe('the settlement of a round about one number', () => {
  test.each<[string, ParcelOutcome, object]>([
    ['cancelled', CANCELLED, { kind: 'Accept', cancelledBy: 'carrier', isFound: false }],
    ['accepted for later', { ...CANCELLED, isLater: true }, { kind: 'Accept', verifyInMs: DAY_MS }],
    ['released', { kind: 'released' }, { kind: 'Accept', cancelledBy: 'release' }],
    ['refused', REFUSED, { kind: 'Refuse', carrierCode: 'X1' }],
    ['refused, to be verified', { ...REFUSED, verify: true }, { kind: 'Refuse', verifyInMs: 60_000 }],
  ])('ends the attempt: %s', (_name, outcome, expected) => {
    const settlement = settled([outcome])
    expect(settlement).toMatchObject(expected)
    if (!('verifyInMs' in expected)) expect(settlement).not.toMatchObject({ verifyInMs: expect.any(Number) })
  })

  test.each<[string, ParcelOutcome, number, number, boolean]>([
    ['an unknown answer, by the sends', UNKNOWN, 4_000, 4_000, false],
    ['nothing sent, by the fence', { kind: 'open', cause: 'HTTP 503', isUnsent: true }, 16_000, 5_000, true],
    ['an inconclusive lookup, by the fence', { ...UNKNOWN, doubt: REFUSAL }, 16_000, 5_000, false],
    ['an announced parcel', { ...UNKNOWN, doubt: REFUSAL, againInMs: 20_000 }, 20_000, 5_000, false],
    ['a repeat that brings nothing new', { ...UNKNOWN, repeatAfterMs: 1_000 }, 4_000, 4_000, false],
    ['a repeat that brings nothing new for long', { ...UNKNOWN, repeatAfterMs: 9_000 }, 9_000, 9_000, false],
  ])('leaves it open after %s', (_name, outcome, retryInMs, callerWaitMs, unsent) => {
    const doubt = 'doubt' in outcome ? { doubt: REFUSAL } : {}
    expect(settled([outcome])).toEqual({
      kind: 'Release',
      release: { cause: 'HTTP 503', times: { retryInMs, callerWaitMs }, unsent, ...doubt },
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

  test('have the status that all inconclusive ones have', () => {
    const unknown = (status: number) => ({ kind: 'unknown', cause: `HTTP ${status}`, status }) as const
    expect(combined(unknown(404), unknown(404)).answer).toEqual({
      ...{ kind: 'unknown', cause: 'P1: HTTP 404; P2: HTTP 404', status: 404 },
    })
    expect(combined(unknown(404), unknown(500)).answer).not.toHaveProperty('status')
    expect(combined(unknown(404), { kind: 'announced' }).answer).toMatchObject({ status: 404 })
    expect(combined({ kind: 'cancelled' }, { kind: 'announced' }).answer).not.toHaveProperty('status')
  })

  test('are announced if they differ and one announced parcel is to be found', () => {
    const lookups = [
      { carrierRef: 'P1', answer: { kind: 'cancelled' } },
      { carrierRef: 'P2', answer: { kind: 'announced' } },
    ] as const
    expect(combineLookups(lookups, 'announced')).toEqual(lookups[1])
  })
})
