/**
 * The sweeper: background work that every replica does about once a second. A round claims due work of every channel
 * that has free slots, divides the slots evenly among the accounts of the channel, and takes each piece of work one
 * step further. Channels whose circuit is open are skipped. Each row is claimed by one replica only. See
 * docs/cancellation.md#background-work.
 */
import { groupBy } from '../core/group-by.ts'
import type { CancelTicket, NotSent } from '../core/shipments/cancellation.ts'
import {
  afterReport,
  type CarrierTrackAnswer,
  combineLookups,
  type ParcelLookup,
} from '../core/shipments/tracking.ts'
import type { CancelPolicy } from './ask-carrier/policy.ts'
import { type BookPorts, driveBooking } from './book-shipment.ts'
import { continueAttempt } from './cancel-shipment.ts'
import { expireDrafts } from './expire-drafts.ts'
import type { CarrierCallKind } from './ports/carriers.ts'
import type { Ports } from './ports/ports.ts'
import type { ClaimRoom, DueWork, Lookup, ReportToVerify, Verification, WorkKind } from './ports/recovery.ts'
import { applyLookup, lookUpShipment } from './record-scans.ts'
import { openRateWatch, type RateWatchPorts } from './watch-exchange-rates.ts'

/** Times in milliseconds. */
export type SweepPolicy = CancelPolicy & {
  /** Interval between lookups of a booked parcel; 0: no lookups. */
  readonly trackEveryMs: number
  /** An attempt that is still open after this time is reported to operators. */
  readonly overdueMs: number
}

export const OVERDUE_MS = 15 * 60_000

/** Failed lookups of a refused attempt after which an alert is raised. Verification continues. */
const LOOKUPS_BEFORE_ALERT = 6
/** Calls of routine tracking, for each channel and replica. They are not urgent, and carriers limit them. */
const LOOKUP_CALLS_PER_ROUND = 8
/** The due work of an account is counted up to this number. No channel has more background slots. */
const COUNTED_UP_TO = 32
const FIRST_LOOKUP_RETRY_MS = 15_000
const SLOWEST_LOOKUP_RETRY_MS = 3_600_000
const DAY_MS = 86_400_000
/** Age of an attempt up to which a cancellation that the carrier accepted for later is looked up, once a day. */
const VERIFY_ACCEPTED_UP_TO_MS = 5 * DAY_MS

export type SweepPorts = BookPorts & Pick<Ports, 'recovery' | 'draftTerms' | 'estimates'>

/** A running sweeper. */
export type Sweeper = {
  /**
   * Starts no further rounds. Resolves when the running round has claimed its work. `InFlight.drain` waits for that
   * work.
   */
  stop(): Promise<void>
}

const ROUND_MS = 1_000
/**
 * Overdue attempts and missing exchange rates are reported and drafts expire in the first round, and then once in this
 * many rounds.
 */
const ROUNDS_BETWEEN_REPORTS = 30

/**
 * Sweeps until stopped. The interval between rounds varies by 50 percent, so that replicas do not run in step. If
 * rounds fail in a row, only the first failure is reported.
 */
export function startSweeper(ports: SweepPorts & RateWatchPorts, policy: SweepPolicy): Sweeper {
  let round = 0
  let failing = false
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout>
  const watchExchangeRates = openRateWatch(ports)

  const runRound = async (): Promise<void> => {
    try {
      await sweep(ports, policy)
      if (round++ % ROUNDS_BETWEEN_REPORTS === 0) {
        await reportOverdue(ports, policy)
        await expireDrafts(ports)
        watchExchangeRates()
      }
      failing = false
    } catch (error) {
      if (!failing) ports.reportFault(error)
      failing = true
    }
  }
  const schedule = (): void => {
    timer = setTimeout(
      () => {
        running = runRound().finally(() => {
          if (!stopped) schedule()
        })
      },
      ROUND_MS * (0.5 + ports.random()),
    )
  }
  schedule()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
      return running
    },
  }
}

/**
 * Runs one round: starts due work and does not wait for it to end (`ports.inFlight` tracks it). Throws if the store is
 * unreachable. If one kind of work cannot be claimed, the others are still started.
 */
export async function sweep(ports: SweepPorts, policy: SweepPolicy): Promise<void> {
  const due = await ports.recovery.dueWork(COUNTED_UP_TO)
  let failure: unknown
  for (const work of ['attempts', 'bookings', 'verifications', 'reports', 'lookups'] as const) {
    try {
      // Calculated for each kind, because the work that was just started occupies slots.
      const rooms = roomsFor(ports, work, due, policy)
      if (rooms.length > 0) await claimAndStart(ports, work, rooms, policy)
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
}

async function claimAndStart(
  ports: SweepPorts,
  work: WorkKind,
  rooms: readonly ClaimRoom[],
  policy: SweepPolicy,
): Promise<void> {
  const { recovery } = ports
  switch (work) {
    case 'attempts': {
      const leasedAtMs = ports.monotonicMs()
      for (const ticket of await recovery.claimAttempts(rooms, policy.leaseMs))
        startLinked(ports, 'attempt', ticket, () =>
          continueAttempt(ports, ticket, 'background', leasedAtMs, policy),
        )
      return
    }
    case 'bookings':
      for (const { accountId, shipment, tries, lease } of await recovery.claimBookings(rooms, policy.leaseMs))
        start(ports, `booking ${shipment.shipmentId}`, () =>
          driveBooking(ports, accountId, shipment, { tries, lease }, 'background', policy),
        )
      return
    case 'verifications':
      for (const verification of await recovery.claimVerifications(rooms, policy.leaseMs))
        startLinked(ports, 'verification', verification.ticket, () => verify(ports, verification, policy))
      return
    case 'reports':
      for (const report of await recovery.claimReports(rooms, policy.leaseMs))
        start(ports, `report ${report.lookup.shipmentId}`, () => verifyReport(ports, report))
      return
    case 'lookups':
      // Carriers differ in the shortest interval that they allow.
      for (const [everyMs, sameInterval] of groupBy(rooms, intervalFor(ports, policy)))
        startLookups(ports, await recovery.claimLookups(sameInterval, everyMs))
      return
  }
}

/** The interval between routine lookups of an account's parcels at a carrier, in milliseconds. */
function intervalFor({ carriers }: SweepPorts, { trackEveryMs }: SweepPolicy) {
  return ({ carrierCode, accountId }: ClaimRoom): number =>
    Math.max(trackEveryMs, carriers.trackingRoom(carrierCode, accountId).everyMs)
}

/** Starts lookups, with as many parcels in one call as the carrier allows. */
function startLookups(ports: SweepPorts, lookups: readonly Lookup[]): void {
  const roomOf = ({ carrierCode, accountId }: Lookup) => ports.carriers.trackingRoom(carrierCode, accountId)
  for (const group of groupBy(lookups, (lookup) => roomOf(lookup).key).values()) {
    const [first] = group
    const size = first === undefined ? 1 : roomOf(first).batch
    for (let index = 0; index < group.length; index += size) {
      const batch = group.slice(index, index + size)
      start(ports, `lookups ${batch.map(({ shipmentId }) => shipmentId).join(' ')}`, () =>
        lookUp(ports, batch, size),
      )
    }
  }
}

function start(ports: SweepPorts, key: string, work: () => Promise<unknown>): void {
  ports.inFlight.run(key, work).catch(ports.reportFault)
}

/** In traces, the work is linked to the request that opened the attempt. */
function startLinked(
  ports: SweepPorts,
  work: 'attempt' | 'verification',
  { attemptId, traceParent }: CancelTicket,
  run: () => Promise<unknown>,
): void {
  const { observer } = ports
  start(ports, `${work} ${attemptId}`, () => observer?.background?.(work, traceParent, run) ?? run())
}

/**
 * Reports attempts that have been open for longer than `overdueMs`. They are reported again if that is not recorded.
 */
export async function reportOverdue(ports: SweepPorts, { overdueMs }: SweepPolicy): Promise<void> {
  const overdue = await ports.recovery.overdueAttempts(overdueMs)
  for (const { shipmentId, carrierCode, ...attempt } of overdue) {
    const minutes = Math.floor(attempt.ageMs / 60_000)
    const detail = `sent ${attempt.sends} times in ${minutes} minutes; last: ${attempt.lastCause ?? 'no answer'}`
    ports.alert({ kind: 'CANCELLATION_OVERDUE', carrierCode, shipmentId, detail })
  }
  if (overdue.length > 0) await ports.recovery.recordOverdueAlerts(overdue.map(({ attemptId }) => attemptId))
}

const CALL_KINDS: Readonly<Record<Exclude<WorkKind, 'lookups'>, CarrierCallKind>> = {
  attempts: 'command',
  bookings: 'command',
  verifications: 'lookup',
  reports: 'lookup',
}

/** How many rows of one kind of work each account may claim now. Accounts without room are omitted. */
function roomsFor(
  { carriers, random }: SweepPorts,
  work: WorkKind,
  due: readonly DueWork[],
  { trackEveryMs }: SweepPolicy,
): ClaimRoom[] {
  // Verifications are also claimed at carriers without lookups, so that an alert is raised for them.
  const claimable = due.filter(
    (row) =>
      row.work === work && (work !== 'lookups' || (trackEveryMs > 0 && carriers.canLookUp(row.carrierCode))),
  )
  const channels = groupBy(claimable, ({ carrierCode, accountId }) =>
    work === 'lookups'
      ? carriers.trackingRoom(carrierCode, accountId).key
      : carriers.channelOf(carrierCode, accountId),
  )
  return [...channels.values()].flatMap((channel) => {
    const [first] = channel
    if (first === undefined) return []
    const { carrierCode, accountId } = first
    if (work !== 'lookups')
      return divideRoom(channel, carriers.room(carrierCode, accountId, CALL_KINDS[work]), random())
    const { calls, batch } = carriers.trackingRoom(carrierCode, accountId)
    return divideRoom(channel, Math.min(calls, LOOKUP_CALLS_PER_ROUND) * batch, random())
  })
}

/**
 * Divides the free slots of a channel among its accounts in rotation: no account gets a second slot before all accounts
 * with due work have one. `random` (0 to 1) selects the account that is first.
 */
function divideRoom(channel: readonly DueWork[], room: number, random: number): ClaimRoom[] {
  const accounts = rotated(channel, random).map((due) => ({ due, room: 0 }))
  let left = room
  let waiting = accounts
  while (left > 0 && waiting.length > 0) {
    const served = waiting.slice(0, left)
    for (const account of served) account.room += 1
    left -= served.length
    // A full count means that there may be more rows, which matters for lookups in batches.
    waiting = waiting.filter(({ room: taken, due }) => taken < due.count || due.count >= COUNTED_UP_TO)
  }
  return accounts
    .filter((account) => account.room > 0)
    .map(({ due: { carrierCode, accountId }, room: share }) => ({ carrierCode, accountId, room: share }))
}

async function verify(
  ports: SweepPorts,
  verification: Verification,
  { leaseMs }: SweepPolicy,
): Promise<void> {
  const { parcels } = verification.ticket
  // The numbers are looked up one after the other, which takes longer than the lease of one lookup.
  if (parcels !== undefined)
    await ports.recovery.settleVerification(verification, leaseMs * parcels.length, undefined)
  await (verification.phase === 'accepted'
    ? verifyAccepted(ports, verification)
    : verifyRefused(ports, verification))
}

/**
 * Verifies a refusal that followed an unconfirmed send. If the carrier has cancelled the parcel, the attempt is
 * accepted after all. If the lookup fails, it is repeated at growing intervals.
 */
async function verifyRefused(ports: SweepPorts, verification: Verification): Promise<void> {
  const { carriers, recovery, shipments, alert } = ports
  const { ticket, lookups } = verification
  const { carrierCode, shipmentId } = ticket
  const notVerified = (detail: string) =>
    alert({ kind: 'REFUSAL_NOT_VERIFIED', carrierCode, shipmentId, detail })
  if (!carriers.canLookUp(carrierCode)) {
    const detail = 'refused after an unconfirmed send, and this carrier has no lookup'
    notVerified(detail)
    return recovery.settleVerification(verification, undefined, detail)
  }
  const { answer, carrierRef } = await lookUpShipment(carriers, lookupOf(ticket))
  switch (answer.kind) {
    case 'cancelled':
      // Before the statement, because the attempt is not looked up again after it.
      alert({
        kind: 'CANCELLED_AT_CARRIER',
        carrierCode,
        shipmentId,
        detail: 'the carrier had refused before',
      })
      await shipments.acceptCancellation(ticket, 'carrier', undefined, true)
      return
    case 'announced':
      return recovery.settleVerification(verification, undefined, undefined)
    case 'scanned':
      await applyLookup(ports, ticket, answer, carrierRef)
      return recovery.settleVerification(verification, undefined, undefined)
    case 'unknown':
    case 'not_sent': {
      if (lookups === LOOKUPS_BEFORE_ALERT) notVerified(`looked up ${lookups} times; last: ${answer.cause}`)
      const againInMs = Math.min(SLOWEST_LOOKUP_RETRY_MS, FIRST_LOOKUP_RETRY_MS * 2 ** (lookups - 1))
      return recovery.settleVerification(verification, againInMs, undefined)
    }
  }
}

/**
 * Looks up a parcel whose cancellation the carrier has accepted for later, or that an operator has settled as
 * cancelled, once a day for five days. A scan raises the alert SCANNED_AFTER_CANCELLATION. A parcel that the carrier
 * does not list is as expected: it may never have been transmitted.
 */
async function verifyAccepted(ports: SweepPorts, verification: Verification): Promise<void> {
  const { carriers, recovery, alert } = ports
  const { ticket } = verification
  const { carrierCode, shipmentId } = ticket
  if (!carriers.canLookUp(carrierCode)) return recovery.settleVerification(verification, undefined, undefined)
  const { answer, carrierRef } = await lookUpShipment(carriers, lookupOf(ticket), 'announced')
  const nextInMs = ticket.ageMs < VERIFY_ACCEPTED_UP_TO_MS ? DAY_MS : undefined
  switch (answer.kind) {
    case 'cancelled':
      return recovery.settleVerification(verification, undefined, undefined)
    case 'scanned':
      await applyLookup(ports, ticket, answer, carrierRef)
      return recovery.settleVerification(verification, undefined, undefined)
    case 'announced': {
      const detail = 'the cancellation was accepted, and the carrier still lists the parcel as announced'
      alert({ kind: 'CANCELLATION_NOT_CARRIED_OUT', carrierCode, shipmentId, detail })
      return recovery.settleVerification(verification, nextInMs, detail)
    }
    case 'unknown':
      return recovery.settleVerification(verification, nextInMs, undefined)
    case 'not_sent':
      return recovery.settleVerification(verification, SLOWEST_LOOKUP_RETRY_MS, undefined)
  }
}

/**
 * Verifies what only a lookup has reported: after a minute and the next day. If the carrier now says something else, an
 * alert is raised and the audit lists the shipment, which stays as it is. Inconclusive lookups, such as of a parcel
 * that the carrier no longer lists, are repeated at growing intervals for five days.
 */
async function verifyReport(ports: SweepPorts, report: ReportToVerify): Promise<void> {
  const { carriers, recovery, alert } = ports
  const { reported, lookup, ageMs } = report
  const { carrierCode, shipmentId } = lookup
  const { answer, carrierRef } = await lookUpShipment(carriers, lookup, 'announced')
  const step = afterReport(reported, answer, ageMs)
  switch (step.kind) {
    case 'Postponed':
      return recovery.settleReport(report, SLOWEST_LOOKUP_RETRY_MS, undefined)
    case 'Open':
    case 'Confirmed':
      return recovery.settleReport(report, step.againInMs, undefined)
    case 'Contradicted': {
      if (answer.kind === 'scanned') await applyLookup(ports, lookup, answer, carrierRef)
      const detail = `${carrierRef}: ${step.contradiction}`
      // Before the statement: it is repeated and not lost if the process dies in between.
      alert({ kind: 'LOOKUP_CONTRADICTED', carrierCode, shipmentId, detail })
      return recovery.settleReport(report, step.againInMs, detail)
    }
  }
}

/**
 * Routine tracking of a batch. One batch may need several calls of `size` numbers, and the carrier's quota may stop it
 * halfway. So the order is rotated at random, and one scan of a shipment counts even if its other numbers have no
 * answer. A fault of the store for one shipment does not affect the others.
 */
async function lookUp(ports: SweepPorts, batch: readonly Lookup[], size: number): Promise<void> {
  const shipments = rotated(batch, ports.random()).map((lookup) => ({
    lookup,
    numbers: rotated(lookup.parcelRefs ?? [lookup.carrierRef], ports.random()),
  }))
  const parcels = shipments.flatMap(({ lookup, numbers }) =>
    numbers.map((carrierRef) => ({ ...lookup, carrierRef })),
  )
  const answers: (CarrierTrackAnswer | NotSent)[] = []
  for (let start = 0; start < parcels.length; start += size)
    answers.push(...(await ports.carriers.trackMany(parcels.slice(start, start + size))))
  for (const { lookup, numbers } of shipments) {
    const lookups = answers
      .splice(0, numbers.length)
      .flatMap((answer, index): ParcelLookup[] =>
        answer.kind === 'not_sent' ? [] : [{ carrierRef: numbers[index] ?? lookup.carrierRef, answer }],
      )
    const isComplete = lookups.length === numbers.length
    if (!isComplete && !lookups.some(({ answer }) => answer.kind === 'scanned')) continue
    const { answer, carrierRef } = combineLookups(lookups)
    await applyLookup(ports, lookup, answer, carrierRef).catch(ports.reportFault)
  }
}

/** The list from a random item on, followed by the items before it. `random` is 0 to 1. */
function rotated<Item>(list: readonly Item[], random: number): readonly Item[] {
  const first = Math.floor(random * list.length)
  return [...list.slice(first), ...list.slice(0, first)]
}

/** All numbers of the shipment. */
function lookupOf(ticket: CancelTicket): Lookup {
  const { parcels } = ticket
  return parcels === undefined
    ? ticket
    : { ...ticket, parcelRefs: parcels.map(({ carrierRef }) => carrierRef) }
}
