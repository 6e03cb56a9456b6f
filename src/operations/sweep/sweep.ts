/**
 * The sweeper: background work that every replica does about once a second. A round claims due work of every channel
 * that has free slots, divides the slots evenly among the accounts of the channel, and takes each piece of work one
 * step further. Channels whose circuit is open are skipped. Each row is claimed by one replica only. See
 * docs/cancellation.md#background-work.
 */
import { groupBy } from '../../core/group-by.ts'
import type { CancelTicket } from '../../core/shipments/cancellation.ts'
import type { CancelPolicy } from '../ask-carrier/policy.ts'
import { type BookPorts, driveBooking } from '../book-shipment.ts'
import { continueAttempt } from '../cancel-shipment.ts'
import type { CarrierCallKind } from '../ports/carriers.ts'
import type { Ports } from '../ports/ports.ts'
import type { ClaimRoom, DueWork, Lookup, LookupTerms, WorkKind } from '../ports/recovery.ts'
import { eraseOld, expireDrafts, forgetOldScans } from './expire-drafts.ts'
import { lookUp, verify, verifyReport } from './lookups.ts'
import { openMaintenance } from './maintenance.ts'
import { rotated } from './rotated.ts'
import { openSweepHealth, type SweepHealth } from './sweep-health.ts'
import { openRateWatch, type RateWatchPorts } from './watch-rates.ts'

/** Times in milliseconds. */
export type SweepPolicy = CancelPolicy & {
  /** Interval between lookups of a booked parcel; 0: no lookups. */
  readonly trackEveryMs: number
  /** Interval between lookups of a parcel in transit until it is delivered; 0 or absent: no lookups. */
  readonly trackInTransitEveryMs?: number
  /** Lookups of a parcel end this long after its booking, and after its first scan. Absent: never. */
  readonly trackForMs?: number
  /** Personal data of shipments is erased this many days after their last change. 0 or absent: never. */
  readonly eraseAfterDays?: number
  /** An attempt that is still open after this time is reported to operators. */
  readonly overdueMs: number
}

export const OVERDUE_MS = 15 * 60_000

/** Calls of routine tracking, for each channel and replica. They are not urgent, and carriers limit them. */
const LOOKUP_CALLS_PER_ROUND = 8
/** Lookups that cannot be made are due again after this time, and so many of them are postponed in a round. */
const POSTPONED = { againInMs: 3_600_000, perRound: 1_000 }
/** The due work of an account is counted up to this number. No channel has more background slots. */
const COUNTED_UP_TO = 32

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
const HEALTH_CHECK_MS = 10_000
/** Maintenance is done and exchange rates are checked in the first round, and then once in this many rounds. */
const ROUNDS_BETWEEN_MAINTENANCE = 30

/**
 * Sweeps until stopped. The interval between rounds varies by 50 percent, so that replicas do not run in step. `health`
 * gets the result of each round.
 */
export function startSweeper(
  ports: SweepPorts & RateWatchPorts,
  policy: SweepPolicy,
  health: SweepHealth = openSweepHealth(ports),
): Sweeper {
  let round = 0
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout>
  const watchRates = openRateWatch(ports)
  const maintain = openMaintenance(ports, [
    { name: 'the report of overdue attempts', run: () => reportOverdue(ports, policy) },
    { name: 'the expiry of drafts and estimates', run: () => expireDrafts(ports) },
    { name: 'the deletion of scans of unknown parcels', run: () => forgetOldScans(ports) },
    { name: 'the erasure of old shipments', run: () => eraseOld(ports, policy.eraseAfterDays ?? 0) },
  ])

  const runRound = async (): Promise<void> => {
    health.began()
    try {
      await sweep(ports, policy)
      if (round++ % ROUNDS_BETWEEN_MAINTENANCE === 0) {
        await maintain()
        watchRates()
      }
      health.succeeded()
    } catch (error) {
      health.failed(error)
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
  const watch = setInterval(() => health.check(), HEALTH_CHECK_MS)
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
      clearInterval(watch)
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
      if (work === 'lookups') await postponeLookups(ports, due, policy)
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
      // Carriers differ in the shortest interval that they allow, and in what they tell.
      for (const alike of groupBy(rooms, (room) => JSON.stringify(termsFor(ports, policy, room))).values()) {
        const [first] = alike
        if (first === undefined) continue
        const { everyMs, ...terms } = termsFor(ports, policy, first)
        startLookups(ports, await recovery.claimLookups(alike, everyMs, terms))
      }
      return
  }
}

/** Without this, every round would read the lookups that cannot be made. They are kept: settings can change. */
async function postponeLookups(
  ports: SweepPorts,
  due: readonly DueWork[],
  policy: SweepPolicy,
): Promise<void> {
  const idle = due.filter((row) => row.work === 'lookups' && !isLookedUp(ports, policy, row))
  if (idle.length === 0) return
  const { againInMs, perRound } = POSTPONED
  const terms = { inTransitEveryMs: againInMs, forMs: policy.trackForMs }
  await ports.recovery.claimLookups(divideRoom(idle, perRound, ports.random()), againInMs, terms)
}

function isLookedUp(
  { carriers }: Pick<SweepPorts, 'carriers'>,
  { trackEveryMs }: SweepPolicy,
  { carrierCode }: DueWork,
): boolean {
  return trackEveryMs > 0 && carriers.canLookUp(carrierCode)
}

/** How an account's parcels at a carrier are looked up. `everyMs` is the interval for booked ones. */
function termsFor(
  { carriers }: SweepPorts,
  { trackEveryMs, trackInTransitEveryMs = 0, trackForMs: forMs }: SweepPolicy,
  { carrierCode, accountId }: ClaimRoom,
): LookupTerms & { readonly everyMs: number } {
  const { everyMs, tellsDeliveries = false } = carriers.trackingRoom(carrierCode, accountId)
  const isTracked = trackInTransitEveryMs > 0 && tellsDeliveries
  return {
    everyMs: Math.max(trackEveryMs, everyMs),
    inTransitEveryMs: isTracked ? Math.max(trackInTransitEveryMs, everyMs) : undefined,
    forMs,
  }
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

/** Reports attempts that have been open for longer than `overdueMs`: again, if the alerts cannot be recorded. */
export async function reportOverdue(ports: SweepPorts, { overdueMs }: SweepPolicy): Promise<void> {
  const overdue = await ports.recovery.overdueAttempts(overdueMs)
  for (const { shipmentId, carrierCode, ...attempt } of overdue) {
    const minutes = Math.floor(attempt.ageMs / 60_000)
    const sent = attempt.sends === 1 ? 'once' : `${attempt.sends} times`
    const detail = `sent ${sent} in ${minutes} minutes; last: ${attempt.lastCause ?? 'no answer'}`
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
  policy: SweepPolicy,
): ClaimRoom[] {
  // Verifications are also claimed at carriers without lookups, so that an alert is raised for them.
  const claimable = due.filter(
    (row) => row.work === work && (work !== 'lookups' || isLookedUp({ carriers }, policy, row)),
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
