/**
 * Every step of a cancellation as tables: each event, with what follows it in each situation. The documentation prints
 * them, and steps.test.ts compares them with what is right.
 */
import {
  type Callers,
  type CancelEffect,
  type CancelEvent,
  decide,
} from '../../../src/core/shipments/cancel-steps.ts'
import type {
  CancelBegun,
  CancelOutcome,
  CancelProgress,
  CancelTicket,
  CarrierCancelAnswer,
  CarrierRefusal,
  NotSent,
} from '../../../src/core/shipments/cancellation.ts'
import {
  afterAnswer,
  afterLookup,
  firstStep,
  type ParcelOutcome,
  type ParcelStep,
  type Settlement,
} from '../../../src/core/shipments/parcels.ts'
import type { Refusal, ShipmentState } from '../../../src/core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../../../src/core/shipments/tracking.ts'
import { CANCEL_POLICY } from '../../../src/operations/ask-carrier/policy.ts'

/** The rows, the columns, and the text of each cell. */
export type Table = {
  readonly corner: string
  readonly columns: readonly string[]
  readonly rows: Readonly<Record<string, readonly string[]>>
}

const MINUTE_MS = 60_000
const NO_SLOT: NotSent = { kind: 'not_sent', cause: 'no slot' }
const REFUSAL: Refusal = { code: 'WINDOW_CLOSED', reason: 'too late' }
const CARRIER_REFUSAL: CarrierRefusal = {
  ...{ kind: 'refused', reason: 'UNKNOWN_PARCEL', code: 'X9', message: 'no such parcel' },
}
const TICKET: CancelTicket = {
  ...{ attemptId: 'a', shipmentId: 's', accountId: 'acme', carrierCode: 'c', carrierRef: 'r' },
  ...{ fence: 1, sends: 1, ageMs: 0 },
}

function tableOf<Row, Column>(
  corner: string,
  rows: Readonly<Record<string, Row>>,
  columns: Readonly<Record<string, Column>>,
  cell: (row: Row, column: Column) => string,
): Table {
  const line = (row: Row) => Object.values(columns).map((column) => cell(row, column))
  return {
    corner,
    columns: Object.keys(columns),
    rows: Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, line(row)])),
  }
}

const CALLERS: Readonly<Record<Callers, string>> = {
  waiting: 'the callers wait',
  'got pending': 'a caller got 504',
  'got nothing sent': 'a caller got 503',
  none: 'no caller',
}

/** All events of the tables. */
export const EVENTS: CancelEvent[] = []

function step(event: CancelEvent, callers: Callers): string {
  EVENTS.push(event)
  try {
    return textOfEffect(decide({ shipmentId: 's', callers }, event, CANCEL_POLICY, 0))
  } catch {
    return 'defect'
  }
}

/** What follows while the callers wait, and the exceptions. */
function stepForAll(event: CancelEvent): string {
  const usual = step(event, 'waiting')
  const others = (['got pending', 'got nothing sent'] as const).flatMap((callers) => {
    const text = step(event, callers)
    return text === usual ? [] : [`${CALLERS[callers]}: ${text}`]
  })
  return [usual, ...others].join('; ')
}

// What follows the statement that begins

const BEGUN: Readonly<Record<string, CancelBegun | undefined>> = {
  'not in the account': undefined,
  'was a draft, and is cancelled': { state: 'cancelled', draftCancelled: true, cancelledBy: 'draft' },
  'was cancelled before': { state: 'cancelled', draftCancelled: false, cancelledBy: 'carrier' },
  'in transit': { state: 'in_transit', draftCancelled: false, recentRefusal: REFUSAL },
  'booked, and refused in the last 30 seconds': {
    ...{ state: 'booked', draftCancelled: false, recentRefusal: REFUSAL },
  },
  'archived while it was booked': { state: 'booked', draftCancelled: false, isWindowClosed: true },
  'booked, without an open attempt': cancellable(false),
  'booked, with an open attempt': cancellable(true),
  'booked, and this process has the lease': { state: 'booked', draftCancelled: false, ticket: TICKET },
  'booked, and another process has the lease': { state: 'booked', draftCancelled: false },
  'draft that is being booked': { state: 'draft', draftCancelled: false },
  'draft from before a failover or restore': {
    ...{ state: 'draft', draftCancelled: false },
    suspectDraft: { accountId: 'acme', shipmentId: 's', carrierCode: 'c', lineage: '1' },
  },
}

function cancellable(attemptIsOpen: boolean): CancelBegun {
  return {
    ...{ state: 'booked', draftCancelled: false },
    cancellable: { accountId: 'acme', carrierCode: 'c', carrierRef: 'r', attemptIsOpen },
  }
}

const beganTable = () =>
  tableOf(
    'the shipment is',
    BEGUN,
    {
      first: { kind: 'Begin', after: 'arrival' },
      'after the search for a booking': { kind: 'Begin', after: 'booking lookup' },
      'with a reserved slot': { kind: 'Begin', after: 'admission' },
      'without a slot, for a caller who got 504': { kind: 'Begin', after: 'admission', notSent: NO_SLOT },
    } as const,
    (begun, begin) => stepForAll({ kind: 'Begun', begin, begun }),
  )

// What follows the calls before an attempt is recorded

type Preparation = Extract<CancelEvent, { kind: 'BookingLookedUp' | 'BookingRecorded' | 'Admitted' }>

const PREPARATIONS: Readonly<Record<string, Preparation>> = {
  'the carrier has a booking of the draft': { kind: 'BookingLookedUp', found: 'booked' },
  'the carrier has none': { kind: 'BookingLookedUp', found: 'none' },
  'the carrier does not say': { kind: 'BookingLookedUp', found: 'unknown' },
  'the carrier could not be asked for a booking': { kind: 'BookingLookedUp', found: 'not_sent' },
  'the booking of the draft is recorded': { kind: 'BookingRecorded' },
  'a slot is reserved': { kind: 'Admitted', admission: { kind: 'admitted' } },
  'no slot is free, or the carrier cannot be asked': { kind: 'Admitted', admission: NO_SLOT },
}

const preparationTable = () => {
  const { none: _none, ...columns } = CALLERS
  const byName = Object.fromEntries(
    Object.entries(columns).map(([callers, name]) => [name, callers as keyof typeof columns]),
  )
  return tableOf('', PREPARATIONS, byName, step)
}

// What follows the answer of a carrier about a parcel

const CANCEL_ANSWERS: Readonly<Record<string, CarrierCancelAnswer | NotSent>> = {
  'cancelled, now': { kind: 'cancelled', how: 'now' },
  'cancelled, before': { kind: 'cancelled', how: 'already' },
  'accepted for later': { kind: 'cancelled', how: 'accepted' },
  released: { kind: 'cancelled', how: 'released' },
  refused: CARRIER_REFUSAL,
  unknown: { kind: 'unknown', cause: 'HTTP 503' },
  'not sent': NO_SLOT,
}

const answerTable = () =>
  tableOf('answer', CANCEL_ANSWERS, { 'first send': 1, 'later send': 2 }, (answer, sends) =>
    textOfStep(afterAnswer(answer, sends)),
  )

const LOOKUPS: Readonly<Record<string, CarrierTrackAnswer | NotSent>> = {
  cancelled: { kind: 'cancelled' },
  scanned: { kind: 'scanned', scan: { eventId: 'e', at: '2026-11-02T08:00:00Z' } },
  announced: { kind: 'announced' },
  inconclusive: { kind: 'unknown', cause: 'HTTP 404' },
  'not looked up': NO_SLOT,
}

const LAG_MS = 30 * MINUTE_MS

const lookupTable = () =>
  tableOf(
    'lookup',
    LOOKUPS,
    {
      'in doubt, less than a minute': { doubtMs: 0 },
      'in doubt, at least a minute, code `SCANNED` or `WINDOW_CLOSED`': {
        ...{ doubtMs: MINUTE_MS, reason: 'SCANNED' },
      },
      'in doubt, at least the lag': { doubtMs: LAG_MS },
      'in doubt, and the carrier has no lookups': { doubtMs: 0, trustAfterMs: 0 },
      'final, other parcels are cancelled': {},
    } as const,
    (lookup, column: { doubtMs?: number; reason?: 'SCANNED'; trustAfterMs?: number }) => {
      const { doubtMs, reason = CARRIER_REFUSAL.reason, trustAfterMs = 15 * MINUTE_MS } = column
      const refusal = { ...CARRIER_REFUSAL, reason }
      const recorded = doubtMs === undefined ? { refusal } : { doubt: { refusal, ageMs: doubtMs } }
      const first = firstStep({ carrierRef: 'r', isCancelled: false, unsent: 0, ...recorded }, true)
      if (first.kind !== 'LookUp') throw new Error('nothing is looked up')
      return textOfStep(afterLookup(first, lookup, { lagMs: LAG_MS, trustAfterMs }))
    },
  )

// What follows the statement that settles

const STATES: Readonly<Record<ShipmentState | 'another process has the lease', ShipmentState | undefined>> = {
  draft: 'draft',
  booked: 'booked',
  in_transit: 'in_transit',
  cancelled: 'cancelled',
  'another process has the lease': undefined,
}

const REFUSE = { kind: 'Refuse', refusal: REFUSAL, carrierCode: 'X9' } as const
const RELEASE = {
  kind: 'Release',
  release: { cause: 'HTTP 503', times: { retryInMs: 1_000, callerWaitMs: 1_000 } },
} as const

const SETTLEMENTS: Readonly<Record<string, { settlement: Settlement; isPartAlerted?: boolean }>> = {
  accepted: { settlement: { kind: 'Accept', cancelledBy: 'carrier', isFound: false } },
  refused: { settlement: REFUSE },
  open: { settlement: RELEASE },
  'partly cancelled': { settlement: { ...RELEASE, part: REFUSE } },
  'partly cancelled, alert was raised': { settlement: { ...RELEASE, part: REFUSE }, isPartAlerted: true },
}

const settledTable = () =>
  tableOf('the shipment is', STATES, SETTLEMENTS, (state, { settlement, isPartAlerted = false }) => {
    const ticket = { ...TICKET, isPartAlerted }
    return stepForAll({ kind: 'Settled', settle: { kind: 'Settle', ticket, settlement }, state })
  })

// What follows a poll

const PROGRESS: Readonly<Record<string, CancelProgress | undefined>> = {
  'not in the account': undefined,
  cancelled: { state: 'cancelled', attempt: 'none', cancelledBy: 'carrier' },
  'in transit': { state: 'in_transit', attempt: 'none' },
  'booked or draft, a process is working': { state: 'booked', attempt: 'working', recentRefusal: REFUSAL },
  'booked, the attempt is due within the time': { state: 'booked', attempt: 'waiting', dueInMs: -1 },
  'booked, the attempt is due later': {
    ...{ state: 'booked', attempt: 'waiting', dueInMs: 1_000, recentRefusal: REFUSAL },
  },
  'booked, and refused in the last 30 seconds': { state: 'booked', attempt: 'none', recentRefusal: REFUSAL },
  'archived while it was booked': { state: 'booked', attempt: 'none', isWindowClosed: true },
  'booked, without an attempt': { state: 'booked', attempt: 'none' },
}

const polledTable = () =>
  tableOf(
    'the shipment is',
    PROGRESS,
    { 'the callers still wait': 1_000, 'their time is over': 0 },
    (progress, leftMs) =>
      stepForAll({
        kind: 'Polled',
        poll: { kind: 'Poll', pauseMs: 15, waitedMs: 15 },
        progress,
        leftMs,
      }),
  )

// Texts

function textOfOutcome(outcome: CancelOutcome): string {
  switch (outcome.kind) {
    case 'ShipmentCancelled':
      return outcome.alreadyCancelled ? '200, before' : '200'
    case 'ShipmentNotCancelled':
      return outcome.code === 'CARRIER_UNAVAILABLE' ? '503' : `409 \`${outcome.code}\``
    case 'CancellationPending':
      return '504'
    case 'ShipmentNotFound':
      return '404'
  }
}

function textOfTask(effect: CancelEffect): string {
  switch (effect.kind) {
    case 'Begin':
      if (effect.after !== 'admission') return 'begin again'
      return effect.notSent === undefined ? 'record' : 'record without a slot'
    case 'FindBooking':
      return `search for a booking (${effect.mayBeRecorded ? 504 : 503})`
    case 'RecordBooking':
      return 'record a booking'
    case 'Admit':
      return `reserve (${effect.mayBeRecorded ? 504 : 503})`
    case 'Ask':
      return 'call'
    case 'Settle':
      return effect.settlement.kind === 'Release' ? 'settle: open' : 'settle: refused'
    case 'Poll':
      return 'follow'
    case 'Answer':
      return textOfOutcome(effect.outcome)
    case 'Leave':
      return 'end'
  }
}

export function textOfEffect(effect: CancelEffect): string {
  const text = textOfTask(effect)
  return effect.alert === undefined ? text : `alert \`${effect.alert.kind}\`, ${text}`
}

function textOfParcel(outcome: ParcelOutcome): string {
  switch (outcome.kind) {
    case 'cancelled':
      return `cancelled${outcome.isLater ? ' later' : ''}${outcome.isFound === true ? ', to be verified' : ''}`
    case 'released':
      return 'released'
    case 'refused':
      return `refused${outcome.verify ? ', to be verified' : ''}`
    case 'open':
      if (outcome.doubt !== undefined) return 'open, in doubt'
      return outcome.isUnsent === true ? 'open, not counted' : 'open'
  }
}

function textOfStep(parcel: ParcelStep): string {
  switch (parcel.kind) {
    case 'Send':
      return 'send'
    case 'LookUp':
      return 'look up'
    case 'Done':
      return textOfParcel(parcel.outcome)
  }
}

/** The tables by their names in docs/cancellation.md. */
export const TABLES = {
  began: beganTable(),
  prepared: preparationTable(),
  answered: answerTable(),
  'looked-up': lookupTable(),
  settled: settledTable(),
  polled: polledTable(),
}
