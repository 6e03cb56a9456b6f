/** Every step of a cancellation: what follows each event, in each situation. */
import { describe, expect, test } from 'vitest'
import { type CancelEvent, type CancelState, decide } from '../../../src/core/shipments/cancel-steps.ts'
import {
  type CancelProgress,
  type CancelTicket,
  shipmentCancelled,
} from '../../../src/core/shipments/cancellation.ts'
import { afterLookup } from '../../../src/core/shipments/parcels.ts'
import { CANCEL_POLICY } from '../../../src/operations/ask-carrier/policy.ts'
import { EVENTS, TABLES, type Table, textOfEffect } from './cancellation-table.ts'

const WAITING: CancelState = { shipmentId: 's', callers: 'waiting' }
const TICKET: CancelTicket = {
  ...{ attemptId: 'a', shipmentId: 's', accountId: 'acme', carrierCode: 'c', carrierRef: 'r' },
  ...{ fence: 3, sends: 1, ageMs: 0 },
}
const IN_TRANSIT = '409 `ALREADY_IN_TRANSIT`'
const REFUSED = '409 `CARRIER_REFUSED`'

const next = (event: CancelEvent, state = WAITING) => decide(state, event, CANCEL_POLICY, 0)

describe('every step of a cancellation', () => {
  test.each<[keyof typeof TABLES, Table['rows']]>([
    [
      'began',
      {
        'not in the account': ['404', '404', '404', '404'],
        'was a draft, and is cancelled': ['200', '200', '200', '200'],
        'was cancelled before': ['200, before', '200, before', '200, before', '200, before'],
        'in transit': [IN_TRANSIT, IN_TRANSIT, IN_TRANSIT, IN_TRANSIT],
        'booked, and refused in the last 30 seconds': [REFUSED, REFUSED, REFUSED, REFUSED],
        'archived while it was booked': [REFUSED, REFUSED, REFUSED, REFUSED],
        'booked, without an open attempt': [
          'reserve (503); a caller got 504: reserve (504)',
          'reserve (503); a caller got 504: reserve (504)',
          'follow',
          'follow',
        ],
        'booked, with an open attempt': ['reserve (504)', 'reserve (504)', 'follow', 'follow'],
        // Without permission there is no lease. If there were one, nothing would be sent.
        'booked, and this process has the lease': ['settle: open', 'settle: open', 'call', 'settle: open'],
        'booked, and another process has the lease': ['follow', 'follow', 'follow', 'follow'],
        'draft that is being booked': ['follow', 'follow', 'follow', 'follow'],
        'draft from before a failover or restore': [
          'search for a booking (503); a caller got 504: search for a booking (504)',
          '503',
          'follow',
          'follow',
        ],
      },
    ],
    [
      'prepared',
      {
        'the carrier has a booking of the draft': ['begin again', 'begin again', '503'],
        'the carrier has none': ['begin again', 'begin again', '503'],
        'the carrier does not say': ['503', 'record a booking', '503'],
        'the carrier could not be asked for a booking': ['503', 'record a booking', '503'],
        'the booking of the draft is recorded': ['begin again', 'begin again', 'begin again'],
        'a slot is reserved': ['record', 'record', '503'],
        'no slot is free, or the carrier cannot be asked': ['follow', 'record without a slot', '503'],
      },
    ],
    [
      'answered',
      {
        'cancelled, now': ['cancelled', 'cancelled'],
        'cancelled, before': ['cancelled', 'cancelled'],
        'accepted for later': ['cancelled later', 'cancelled later'],
        released: ['released', 'released'],
        refused: ['refused', 'look up'],
        unknown: ['open', 'open'],
        'not sent': ['open, not counted', 'open, not counted'],
      },
    ],
    [
      'looked-up',
      {
        cancelled: Array(5).fill('cancelled, to be verified'),
        scanned: Array(5).fill('refused'),
        announced: [
          'open, in doubt',
          'refused, to be verified',
          'refused, to be verified',
          'open, in doubt',
          'refused',
        ],
        inconclusive: [
          'open, in doubt',
          'open, in doubt',
          'refused, to be verified',
          'refused, to be verified',
          'refused',
        ],
        'not looked up': [
          'open, in doubt',
          'open, in doubt',
          'refused, to be verified',
          'refused, to be verified',
          'refused',
        ],
      },
    ],
    [
      'settled',
      {
        draft: ['defect', 'follow', '504', 'alert `PARTLY_CANCELLED`, 504', '504'],
        booked: ['defect', REFUSED, '504', 'alert `PARTLY_CANCELLED`, 504', '504'],
        in_transit: [
          `alert \`ACCEPTED_IN_TRANSIT\`, ${IN_TRANSIT}`,
          IN_TRANSIT,
          IN_TRANSIT,
          'alert `PARTLY_CANCELLED`, settle: refused',
          'settle: refused',
        ],
        cancelled: [
          '200',
          'alert `WITHDRAWAL_REFUSED`, follow',
          '504',
          'alert `PARTLY_CANCELLED`, 504',
          '504',
        ],
        'another process has the lease': ['defect', 'follow', 'follow', 'follow', 'follow'],
      },
    ],
    [
      'polled',
      {
        'not in the account': ['404', '404'],
        cancelled: ['200', '200'],
        'in transit': [IN_TRANSIT, IN_TRANSIT],
        'booked or draft, a process is working': ['follow', '504'],
        'booked, the attempt is due within the time': ['follow', '504'],
        'booked, the attempt is due later': ['504', '504'],
        'booked, and refused in the last 30 seconds': [REFUSED, REFUSED],
        'archived while it was booked': [REFUSED, REFUSED],
        'booked, without an attempt': ['503', '503'],
      },
    ],
  ])('%s: is the one that is right', (name, rows) => {
    expect(TABLES[name].rows).toEqual(rows)
  })

  test('of background work is the same, but it ends where callers would follow', () => {
    for (const event of EVENTS) {
      const textFor = (callers: CancelState['callers']) => {
        try {
          return textOfEffect(next(event, { ...WAITING, callers }))
        } catch {
          return 'defect'
        }
      }
      // A poll is the only event that no background work has.
      const expected =
        event.kind === 'Polled' ? textFor('waiting') : textFor('waiting').replace('follow', 'end')
      expect(textFor('none')).toBe(expected)
    }
  })
})

describe('a follower', () => {
  const BOOKED: CancelProgress = { state: 'booked', attempt: 'working' }
  const polled = (progress: CancelProgress, leftMs: number, pauseMs = 15, waitedMs = 15) =>
    next({ kind: 'Polled', poll: { kind: 'Poll', pauseMs, waitedMs }, progress, leftMs })

  test('polls at once, then after growing pauses, and counts them', () => {
    expect(next({ kind: 'Begun', begin: { kind: 'Begin', after: 'arrival' }, begun: BEGUN })).toEqual({
      ...{ kind: 'Poll', pauseMs: 0, waitedMs: 0 },
    })
    expect(polled(BOOKED, 1, 0, 0)).toEqual({ kind: 'Poll', pauseMs: 15, waitedMs: 15 })
    expect(polled(BOOKED, 1, 15, 15)).toEqual({ kind: 'Poll', pauseMs: 23, waitedMs: 38 })
    expect(polled(BOOKED, 1, 199, 500)).toEqual({ kind: 'Poll', pauseMs: 200, waitedMs: 700 })
  })

  test.each([
    [-5_000, 'Poll'],
    [undefined, 'Poll'],
    [999, 'Poll'],
    [1_000, 'Answer'],
  ])('with a second left and an attempt that is due in %s ms continues with %s', (dueInMs, kind) => {
    const due = dueInMs === undefined ? {} : { dueInMs }
    expect(polled({ state: 'booked', attempt: 'waiting', ...due }, 1_000).kind).toBe(kind)
  })

  test.each([
    'draft',
    'carrier',
    'release',
  ] as const)('of a cancellation by %s learns that it is new', (cancelledBy) => {
    expect(polled({ state: 'cancelled', attempt: 'none', cancelledBy }, 1)).toEqual({
      kind: 'Answer',
      outcome: shipmentCancelled('s', cancelledBy, false),
    })
  })
})

const BEGUN = { state: 'booked', draftCancelled: false } as const

test('an attempt that cannot be sent now is due by its fence, and its send is not counted', () => {
  const cause = 'no slot'
  const begin = { kind: 'Begin', after: 'admission', notSent: { kind: 'not_sent', cause } } as const
  const afterBegin = (ticket: CancelTicket) => next({ kind: 'Begun', begin, begun: { ...BEGUN, ticket } })
  const times = { retryInMs: 4_000, callerWaitMs: 4_000 }
  expect(afterBegin(TICKET)).toMatchObject({ settlement: { release: { cause, times, unsent: true } } })
  const refusal = { kind: 'refused', reason: 'SCANNED', code: 'x', message: 'gone' } as const
  expect(afterBegin({ ...TICKET, doubt: { refusal, ageMs: 0 } })).toMatchObject({
    settlement: { release: { cause, times, unsent: false } },
  })
})

test.each([
  [0, 20_000, 0],
  [59_999, 30_000, 0],
  [60_000, 30_000, 30_000],
  [900_000, 300_000, 300_000],
  [1_750_000, 50_000, 50_000],
])('an announced parcel in doubt for %i ms is looked up again after %i ms, for callers not before %i ms', (doubtMs, againInMs, repeatAfterMs) => {
  const refusal = { kind: 'refused', reason: 'UNKNOWN_PARCEL', code: 'x', message: 'no' } as const
  const terms = { lagMs: 1_800_000, trustAfterMs: 900_000 }
  expect(afterLookup({ kind: 'LookUp', refusal, doubtMs }, { kind: 'announced' }, terms)).toEqual({
    kind: 'Done',
    outcome: {
      ...{ kind: 'open', cause: 'refused (x) after an unconfirmed send, and the parcel is announced' },
      ...{ againInMs, repeatAfterMs, doubt: refusal },
    },
    record: { kind: 'doubted', refusal },
  })
})

test('a final refusal of a parcel that another lookup does not contradict is not recorded again', () => {
  const refusal = { kind: 'refused', reason: 'UNKNOWN_PARCEL', code: 'x', message: 'no' } as const
  const terms = { lagMs: 1_800_000, trustAfterMs: 900_000 }
  for (const kind of ['announced', 'scanned'] as const) {
    const lookup =
      kind === 'announced' ? { kind } : { kind, scan: { eventId: 'e', at: '2026-11-02T08:00:00Z' } }
    expect(afterLookup({ kind: 'LookUp', refusal }, lookup, terms)).toEqual({
      kind: 'Done',
      outcome: { kind: 'refused', refusal, verify: false },
    })
  }
})
