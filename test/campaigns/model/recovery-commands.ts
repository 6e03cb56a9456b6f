/**
 * Commands of the sweeper, of tracking and of the clock, and statements that violate the database's
 * constraints.
 */
import fc from 'fast-check'
import type { Scan } from '../../../src/core/shipments/tracking.ts'
import type { DueWork } from '../../../src/operations/ports/recovery.ts'
import { NUMBERS } from './beginnings.ts'
import {
  chosen,
  commandsOf,
  FORGET_AFTER_MS,
  hasTickets,
  leaseMs,
  MEMORY_MS,
  OVERDUE_AFTER_MS,
  owner,
  ticketChoice,
  ticketOf,
} from './command.ts'
import {
  applyUnmatchedScans,
  bookedAfter,
  claimAttempts,
  claimBookings,
  claimLookups,
  claimReports,
  claimVerifications,
  dueWork,
  forgetUnmatchedScans,
  lookupOf,
  overdueAttempts,
  recordCancelledAtCarrier,
  recordDelivery,
  recordOverdueAlerts,
  recordScan,
  settleReport,
  settleVerification,
} from './recovering.ts'
import { expectSame } from './rows.ts'
import { ACCOUNTS, CARRIERS, type Model, openAttempt } from './state.ts'

/** Rows that may be claimed per carrier and account. Entries without room are left out. */
const DAY_MS = 86_400_000

const rooms = fc
  .array(fc.constantFrom(0, 1, 1, 2, 9), {
    minLength: CARRIERS.length * ACCOUNTS.length,
    maxLength: CARRIERS.length * ACCOUNTS.length,
  })
  .map((counts) =>
    CARRIERS.flatMap((carrierCode, carrier) =>
      ACCOUNTS.map((accountId, account) => ({
        ...{ carrierCode, accountId, room: counts[carrier * ACCOUNTS.length + account]! },
      })),
    ).filter(({ room }) => room > 0),
  )

const sorted = <Item>(items: readonly Item[], key: (item: Item) => string): Item[] =>
  [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1))

const due = commandsOf({
  name: 'dueWork',
  args: fc.record({ countedUpTo: fc.constantFrom(1, 2, 32) }),
  async run(model, { processes }, { countedUpTo }) {
    const found = await processes['process-a']!.recovery.dueWork(countedUpTo)
    const key = ({ work, carrierCode, accountId }: DueWork) => JSON.stringify([work, carrierCode, accountId])
    expectSame('dueWork', sorted(found, key), sorted(dueWork(model, countedUpTo), key))
  },
})

const takeAttempts = commandsOf({
  name: 'claimAttempts',
  weight: 3,
  args: fc.record({ rooms, owner, leaseMs }),
  async run(model, { processes }, { rooms: free, owner: who, leaseMs: lease }) {
    const found = await processes[who]!.recovery.claimAttempts(free, lease)
    const ids = found.map(({ attemptId }) => attemptId)
    const expected = claimAttempts(model, free, { owner: who, leaseMs: lease }, ids)
    const byId = ({ attemptId }: { attemptId: string }) => attemptId
    expectSame('claimAttempts', sorted(found, byId), sorted(expected, byId))
  },
})

const takeVerifications = commandsOf({
  name: 'claimVerifications',
  weight: 2,
  args: fc.record({ rooms, leaseMs }),
  async run(model, { processes }, { rooms: free, leaseMs: lease }) {
    const found = await processes['process-a']!.recovery.claimVerifications(free, lease)
    const ids = found.map(({ ticket }) => ticket.attemptId)
    const byId = ({ ticket }: { ticket: { attemptId: string } }) => ticket.attemptId
    expectSame(
      'claimVerifications',
      sorted(found, byId),
      sorted(claimVerifications(model, free, lease, ids), byId),
    )
  },
})

const settleLook = commandsOf({
  name: 'settleVerification',
  weight: 2,
  args: fc.record({
    ticket: ticketChoice,
    phase: fc.constantFrom('accepted', 'refused'),
    againInMs: fc.constantFrom(undefined, 1, 15_000),
    anomaly: fc.constantFrom(undefined, 'cannot be looked up'),
  }),
  ready: hasTickets,
  async run(model, { processes }, { ticket: choice, phase, againInMs, anomaly }) {
    const verification = { phase, ticket: ticketOf(model, choice) }
    const { recovery } = processes['process-a']!
    expectSame(
      'settleVerification',
      await recovery.settleVerification(verification, againInMs, anomaly),
      settleVerification(model, verification, againInMs, anomaly),
    )
  },
})

const takeReports = commandsOf({
  name: 'claimReports',
  weight: 2,
  args: fc.record({ rooms, leaseMs }),
  ready: ({ reports }) => reports.length > 0,
  async run(model, { processes }, { rooms: free, leaseMs: lease }) {
    const found = await processes['process-a']!.recovery.claimReports(free, lease)
    const byId = ({ lookup }: { lookup: { shipmentId: string } }) => lookup.shipmentId
    const expected = claimReports(model, free, lease, found.map(byId))
    expectSame('claimReports', sorted(found, byId), sorted(expected, byId))
  },
})

const settleTheReport = commandsOf({
  name: 'settleReport',
  weight: 2,
  args: fc.record({
    shipment: fc.nat(5),
    reported: fc.constantFrom('cancelled', 'scanned'),
    againInMs: fc.constantFrom(undefined, 1, 60_000),
    contradiction: fc.constantFrom(undefined, 'announced'),
  }),
  ready: ({ reports }) => reports.length > 0,
  async run(model, { processes }, { shipment, reported, againInMs, contradiction }) {
    const about = model.reports[shipment % model.reports.length]!
    const lookup = { shipmentId: about.id, accountId: about.accountId, carrierCode: '', carrierRef: '' }
    const { recovery } = processes['process-a']!
    await recovery.settleReport({ reported, lookup, ageMs: 0 }, againInMs, contradiction)
    settleReport(model, about.id, reported, againInMs, contradiction)
  },
})

const alertOverdue = commandsOf({
  name: 'recordOverdueAlerts',
  args: fc.record({ attempt: fc.nat(5) }),
  ready: ({ attempts }) => attempts.length > 0,
  async run(model, { processes }, { attempt }) {
    const { id } = model.attempts[attempt % model.attempts.length]!
    await processes['process-a']!.recovery.recordOverdueAlerts([id])
    recordOverdueAlerts(model, [id])
  },
})

const takeBookings = commandsOf({
  name: 'claimBookings',
  weight: 2,
  args: fc.record({ rooms, leaseMs }),
  async run(model, { processes }, { rooms: free, leaseMs: lease }) {
    const found = await processes['process-a']!.recovery.claimBookings(free, lease)
    const ids = found.map(({ shipment }) => shipment.shipmentId)
    const byId = ({ shipment }: { shipment: { shipmentId: string } }) => shipment.shipmentId
    expectSame('claimBookings', sorted(found, byId), sorted(claimBookings(model, free, lease, ids), byId))
  },
})

const takeLookups = commandsOf({
  name: 'claimLookups',
  weight: 2,
  args: fc.record({
    ...{ rooms, everyMs: fc.constantFrom(1, 60_000) },
    inTransitEveryMs: fc.constantFrom(60_000, DAY_MS),
  }),
  async run(model, { processes }, { rooms: free, everyMs, inTransitEveryMs }) {
    const terms = { inTransitEveryMs, forMs: 10 * 365 * DAY_MS }
    const found = await processes['process-a']!.recovery.claimLookups(free, everyMs, terms)
    const ids = found.map(({ shipmentId }) => shipmentId)
    const byId = ({ shipmentId }: { shipmentId: string }) => shipmentId
    expectSame(
      'claimLookups',
      sorted(found, byId),
      sorted(claimLookups(model, free, { everyMs, inTransitEveryMs }, ids), byId),
    )
  },
})

const overdue = commandsOf({
  name: 'overdueAttempts',
  args: fc.constant({}),
  async run(model, { processes }) {
    const found = await processes['process-a']!.recovery.overdueAttempts(OVERDUE_AFTER_MS)
    const byId = ({ shipmentId }: { shipmentId: string }) => shipmentId
    expectSame('overdue', sorted(found, byId), sorted(overdueAttempts(model, OVERDUE_AFTER_MS), byId))
  },
})

const parcel = fc.record({
  shipment: fc.nat(5),
  /** Use a tracking number of the shipment if it has one. */
  useShipmentNumber: fc.constantFrom(true, true, true, false),
  /** Which of several numbers. */
  position: fc.nat(2),
  number: fc.constantFrom(...NUMBERS),
  carrierCode: fc.constantFrom(...CARRIERS),
})
type ParcelChoice = {
  readonly shipment: number
  readonly useShipmentNumber: boolean
  readonly position: number
  readonly number: string
  readonly carrierCode: string
}

function parcelOf(
  model: Model,
  { shipment, useShipmentNumber, position, number, carrierCode }: ParcelChoice,
) {
  const about = chosen(model, { shipment })
  const { parcelRefs } = about
  return useShipmentNumber && about.carrierRef !== null
    ? {
        carrierCode: about.carrierCode,
        carrierRef: parcelRefs?.[position % parcelRefs.length] ?? about.carrierRef,
        bookedAt: about.bookedAt ?? about.createdAt,
      }
    : { carrierCode, carrierRef: number, bookedAt: 0 }
}

const scan = commandsOf({
  name: 'recordScan',
  weight: 3,
  args: fc.record({
    parcel,
    eventId: fc.constantFrom('e0', 'e1', 'e2'),
    isFound: fc.boolean(),
    isDelivery: fc.boolean(),
    at: fc.constantFrom('now', 'yesterday', 'half a year ago', 'ninety days before', 'just after that'),
  }),
  async run(model, { tracking }, { parcel: choice, eventId, at, isFound, isDelivery }) {
    const { bookedAt, ...reference } = parcelOf(model, choice)
    const instants = {
      now: model.now,
      yesterday: model.now - DAY_MS,
      'half a year ago': model.now - 180 * DAY_MS,
      'ninety days before': (bookedAt || model.now) - 90 * DAY_MS,
      'just after that': (bookedAt || model.now) - 90 * DAY_MS + 1,
    }
    const report: Scan = { ...reference, eventId, at: new Date(instants[at]).toISOString(), isDelivery }
    expectSame('recordScan', await tracking.recordScan(report, isFound), recordScan(model, report, isFound))
  },
})

const delivery = commandsOf({
  name: 'recordDelivery',
  weight: 2,
  args: fc.record({ parcel }),
  async run(model, { tracking }, { parcel: choice }) {
    const reference = parcelOf(model, choice)
    await tracking.recordDelivery(reference)
    recordDelivery(model, reference)
  },
})

const unmatchedScans = commandsOf({
  name: 'applyUnmatchedScans',
  weight: 2,
  args: fc.record({ parcel }),
  async run(model, { tracking }, { parcel: choice }) {
    const { bookedAt: _unused, ...reference } = parcelOf(model, choice)
    expectSame(
      'applyUnmatchedScans',
      await tracking.applyUnmatchedScans(reference),
      applyUnmatchedScans(model, reference),
    )
  },
})

const foundCancelled = commandsOf({
  name: 'recordCancelledAtCarrier',
  weight: 2,
  args: fc.record({ shipment: fc.nat(5), number: fc.constantFrom(undefined, undefined, ...NUMBERS) }),
  ready: (model, choice) => chosen(model, choice).carrierRef !== null,
  async run(model, { tracking }, choice) {
    const lookup = lookupOf(chosen(model, choice))
    const report = { ...lookup, carrierRef: choice.number ?? lookup.carrierRef }
    expectSame(
      'recordCancelledAtCarrier',
      await tracking.recordCancelledAtCarrier(report),
      recordCancelledAtCarrier(model, report),
    )
  },
})

const page = commandsOf({
  name: 'bookedAfter',
  args: fc.record({
    accountId: fc.constantFrom('', ...ACCOUNTS),
    shipmentId: fc.constantFrom('', 'm0', 'm1', 'm2'),
    size: fc.integer({ min: 1, max: 3 }),
  }),
  async run(model, { tracking }, { size, ...place }) {
    expectSame('bookedAfter', await tracking.bookedAfter(place, size), bookedAfter(model, place, size))
  },
})

const forget = commandsOf({
  name: 'forgetUnmatchedScans',
  args: fc.constant({}),
  async run(model, { tracking }) {
    expectSame(
      'forgetUnmatchedScans',
      await tracking.forgetUnmatchedScans(FORGET_AFTER_MS, 1_000),
      forgetUnmatchedScans(model, FORGET_AFTER_MS),
    )
  },
})

/**
 * Moves the clock to an instant at which something becomes due, just before or after it, or by a number of
 * milliseconds.
 */
const clock = commandsOf({
  name: 'clock',
  weight: 6,
  args: fc.record({
    to: fc.option(fc.nat(30)),
    offBy: fc.constantFrom(0, 0, -1, 1),
    byMs: fc.constantFrom(1, 1_000, 12_000, 60_000, OVERDUE_AFTER_MS, FORGET_AFTER_MS, -1_000),
  }),
  async run(model, { setClock }, { to, offBy, byMs }) {
    const ahead = instantsOf(model).filter((instant) => instant > model.now)
    const reached = to === null || ahead.length === 0 ? undefined : ahead[to % ahead.length]
    model.now = reached === undefined ? model.now + byMs : reached + offBy
    await setClock(model.now)
  },
})

function instantsOf({ shipments, attempts, scans, reports }: Model): number[] {
  return [
    ...reports.map(({ verifyAt }) => verifyAt),
    ...attempts.flatMap((one) => [one.leaseUntil, one.nextTryAt, one.verifyAt]),
    ...attempts.map(({ begunAt }) => begunAt + OVERDUE_AFTER_MS),
    ...shipments.flatMap((one) => [one.bookingUntil, one.nextTrackAt]),
    ...shipments.map(({ refusedAt }) => refusedAt && refusedAt + MEMORY_MS),
    ...scans.map(({ receivedAt }) => receivedAt + FORGET_AFTER_MS),
  ].filter((instant) => instant !== null)
}

const BREACHES = {
  'a second open attempt': `INSERT INTO cancel_attempt (shipment_id, account_id, carrier_code, lease_until,
    next_try_at) SELECT shipment_id, account_id, carrier_code, now(), now() FROM shipment WHERE shipment_id = $1`,
  'a second cancelled event': `INSERT INTO shipment_event (account_id, shipment_id, from_state, to_state)
    SELECT account_id, shipment_id, 'booked', 'cancelled' FROM shipment WHERE shipment_id = $1`,
  'a cancelled shipment without an instant': `UPDATE shipment SET cancelled_at = NULL WHERE shipment_id = $1`,
  'a wish where nothing is being booked': `UPDATE shipment SET cancel_requested_at = now() WHERE shipment_id = $1`,
  'a shipment that is cancelled with only some of its parcels': `UPDATE shipment SET state = 'cancelled',
    cancelled_at = now(), cancelled_by = 'carrier' WHERE shipment_id = $1`,
  'parcels without the number of the shipment': `UPDATE shipment SET parcel_refs = parcel_refs || carrier_ref,
    carrier_ref = 'R9' WHERE shipment_id = $1`,
  'a booking that ends with a waiting cancellation': `UPDATE shipment SET booking_until = NULL WHERE shipment_id = $1`,
} as const

/** Statements that the constraints must reject. */
const breach = commandsOf({
  name: 'breach',
  args: fc.record({
    shipment: fc.nat(5),
    breach: fc.constantFrom(...(Object.keys(BREACHES) as (keyof typeof BREACHES)[])),
  }),
  ready: (model, choice) => {
    const { id, state, parcelRefs, cancelledRefs, bookingUntil, wantedAt } = chosen(model, choice)
    switch (choice.breach) {
      case 'a second open attempt':
        return openAttempt(model, id) !== undefined
      case 'a second cancelled event':
      case 'a cancelled shipment without an instant':
        return state === 'cancelled'
      case 'a shipment that is cancelled with only some of its parcels':
        return state === 'booked' && parcelRefs?.some((number) => !cancelledRefs?.includes(number)) === true
      case 'parcels without the number of the shipment':
        return parcelRefs !== null
      case 'a wish where nothing is being booked':
        return state !== 'draft' || bookingUntil === null
      case 'a booking that ends with a waiting cancellation':
        return wantedAt !== null
    }
  },
  async run(model, { failure }, choice) {
    const uniqueness = choice.breach.startsWith('a second')
    const code = await failure(BREACHES[choice.breach], [chosen(model, choice).id])
    expectSame(choice.breach, code, uniqueness ? '23505' : '23514')
  },
})

/** The commands by the names that sequences and mutants use. */
export const RECOVERY_COMMANDS = {
  dueWork: due,
  claimAttempts: takeAttempts,
  claimVerifications: takeVerifications,
  settleVerification: settleLook,
  claimReports: takeReports,
  settleReport: settleTheReport,
  recordOverdueAlerts: alertOverdue,
  claimBookings: takeBookings,
  claimLookups: takeLookups,
  overdueAttempts: overdue,
  recordScan: scan,
  recordDelivery: delivery,
  applyUnmatchedScans: unmatchedScans,
  recordCancelledAtCarrier: foundCancelled,
  bookedAfter: page,
  forgetUnmatchedScans: forget,
  clock,
  breach,
}
