/**
 * One round of the sweeper. It claims due work of every channel (set of carrier credentials) that has room, divided evenly
 * among the accounts that use the channel, and takes each piece one step further. Work of a channel whose circuit is open, or
 * whose slots are in use, is not claimed; other channels are not affected. The outcome is always what the carrier answers,
 * never a guess. All replicas sweep, and each row is claimed by one of them.
 * Source: design/cancellation.md, steps 4 and 5.
 */
import { groupBy } from '../core/group-by.ts'
import { askCarrier, type CancelTerms } from './ask-carrier.ts'
import { driveBooking } from './book-shipment.ts'
import type { CarrierCallKind } from './ports/carriers.ts'
import type { Ports } from './ports/ports.ts'
import type { ClaimRoom, DueWork, LookUp, Verification, WorkKind } from './ports/recovery.ts'
import { applyLookUp } from './record-scans.ts'
import { runOnce } from './run-once.ts'

/** How the sweeper works; times are in milliseconds. */
export type SweepTerms = CancelTerms & {
  /** Interval between look-ups of a booked parcel; 0: no look-ups. */
  readonly trackEveryMs: number
  /** Age from which an open attempt is reported. */
  readonly overdueMs: number
}

/** An attempt that is still open after a quarter of an hour needs attention. */
export const OVERDUE_MS = 15 * 60_000

/** Failed verifications of a refusal before it is reported; verification goes on. */
const LOOKS_BEFORE_ALERT = 6
/** In each channel and replica. Look-ups are not urgent, and carriers limit them. */
const LOOK_UPS_PER_ROUND = 8
/** Due work of an account is counted up to this number; a channel has no more background slots. */
const COUNTED_UP_TO = 32
const FIRST_LOOK_AGAIN_MS = 15_000
const SLOWEST_LOOK_AGAIN_MS = 3_600_000

/** The ports of the sweeper. */
export type SweepPorts = Pick<
  Ports,
  'shipments' | 'recovery' | 'tracking' | 'carriers' | 'alert' | 'reportFault'
>

/**
 * Starts what is due and does not wait for it: each piece is work of `ports.shipments`, which a shutdown waits for
 * (run-once.ts). Throws when the store is out of reach; a failure of one kind of work does not stop the others.
 */
export async function sweep(ports: SweepPorts, terms: SweepTerms): Promise<void> {
  const due = await ports.recovery.dueWork(COUNTED_UP_TO)
  let failure: unknown
  for (const work of ['attempts', 'bookings', 'verifications', 'lookUps'] as const) {
    try {
      // Computed for each kind anew: what was started before uses slots.
      const rooms = roomsFor(ports, work, due, terms)
      if (rooms.length > 0) await claimAndStart(ports, work, rooms, terms)
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
  terms: SweepTerms,
): Promise<void> {
  const { recovery } = ports
  switch (work) {
    case 'attempts':
      for (const ticket of await recovery.claimAttempts(rooms, terms.leaseMs))
        start(ports, `attempt ${ticket.attemptId}`, () => askCarrier(ports, ticket, terms))
      return
    case 'bookings':
      for (const { accountId, shipment, tries } of await recovery.claimBookings(rooms, terms.leaseMs))
        start(ports, `booking ${shipment.shipmentId}`, () =>
          driveBooking(ports, accountId, shipment, tries, terms),
        )
      return
    case 'verifications':
      for (const verification of await recovery.claimVerifications(rooms, terms.leaseMs))
        start(ports, `verification ${verification.ticket.attemptId}`, () => verify(ports, verification))
      return
    case 'lookUps':
      for (const lookUp of await recovery.claimLookUps(rooms, terms.trackEveryMs))
        start(ports, `look-up ${lookUp.shipmentId}`, () => lookAt(ports, lookUp))
      return
  }
}

/** Reports attempts that have been open for longer than `overdueMs`, each once. */
export async function reportOverdue(ports: SweepPorts, { overdueMs }: SweepTerms): Promise<void> {
  for (const { shipmentId, carrierCode, ...attempt } of await ports.recovery.overdueAttempts(overdueMs)) {
    const minutes = Math.floor(attempt.ageMs / 60_000)
    const detail = `asked ${attempt.sends} times in ${minutes} minutes; last: ${attempt.lastCause ?? 'no answer'}`
    ports.alert({ kind: 'CANCELLATION_OVERDUE', carrierCode, shipmentId, detail })
  }
}

const CALLS: Readonly<Record<WorkKind, CarrierCallKind>> = {
  attempts: 'command',
  bookings: 'command',
  verifications: 'lookUp',
  lookUps: 'lookUp',
}

/** What may be claimed of one kind of work now. Only entries with room. */
function roomsFor(
  { carriers }: SweepPorts,
  work: WorkKind,
  due: readonly DueWork[],
  { trackEveryMs, jitter }: SweepTerms,
): ClaimRoom[] {
  // Verifications are claimed also where the carrier has no look-up: that is then reported.
  const wanted = due.filter(
    (one) =>
      one.work === work && (work !== 'lookUps' || (trackEveryMs > 0 && carriers.canTrack(one.carrierCode))),
  )
  const channels = groupBy(wanted, ({ carrierCode, accountId }) => carriers.channelOf(carrierCode, accountId))
  return [...channels.values()].flatMap((channel) => {
    const [one] = channel
    if (one === undefined) return []
    const room = carriers.room(one.carrierCode, one.accountId, CALLS[work])
    return divided(channel, work === 'lookUps' ? Math.min(room, LOOK_UPS_PER_ROUND) : room, jitter())
  })
}

/**
 * Divides the room of a channel among its accounts, one row at a time in turn, so that no account is served a second row
 * before every other one with due work was served a first. Where there are more accounts than room, `chance` (0 to 1)
 * decides who is served in this round.
 */
function divided(channel: readonly DueWork[], room: number, chance: number): ClaimRoom[] {
  const first = Math.floor(chance * channel.length)
  const inTurn = [...channel.slice(first), ...channel.slice(0, first)].map((due) => ({ due, room: 0 }))
  let left = room
  let waiting = inTurn
  while (left > 0 && waiting.length > 0) {
    const served = waiting.slice(0, left)
    for (const one of served) one.room += 1
    left -= served.length
    waiting = waiting.filter((one) => one.room < one.due.count)
  }
  return inTurn
    .filter((one) => one.room > 0)
    .map(({ due: { carrierCode, accountId }, room: share }) => ({ carrierCode, accountId, room: share }))
}

function start(ports: SweepPorts, key: string, work: () => Promise<unknown>): void {
  runOnce(ports.shipments, key, work).catch(ports.reportFault)
}

/**
 * Verifies a refusal that followed a send of unknown outcome. When the carrier has cancelled the parcel, the attempt is
 * accepted after all; acceptance always wins. When the carrier cannot tell, the look-up is repeated at growing
 * intervals.
 */
async function verify(ports: SweepPorts, { ticket, lookups: looks }: Verification): Promise<void> {
  const { carriers, recovery, shipments, alert } = ports
  const { carrierCode, shipmentId } = ticket
  const notVerified = (detail: string) =>
    alert({ kind: 'REFUSAL_NOT_VERIFIED', carrierCode, shipmentId, detail })
  if (!carriers.canTrack(carrierCode)) {
    const detail = 'refused after an unconfirmed send, and this carrier cannot be looked up'
    notVerified(detail)
    return recovery.settleVerification(ticket, undefined, detail)
  }
  const seen = await carriers.track(ticket, undefined, 'background')
  switch (seen.kind) {
    case 'cancelled':
      await shipments.acceptCancellation(ticket, 'carrier')
      alert({ kind: 'CANCELLED_AT_CARRIER', carrierCode, shipmentId, detail: 'it had refused before' })
      return
    case 'announced':
      return recovery.settleVerification(ticket, undefined, undefined)
    case 'scanned':
      await applyLookUp(ports, ticket, seen)
      return recovery.settleVerification(ticket, undefined, undefined)
    case 'unknown':
    case 'not_sent': {
      if (looks === LOOKS_BEFORE_ALERT) notVerified(`looked up ${looks} times; last: ${seen.cause}`)
      const againInMs = Math.min(SLOWEST_LOOK_AGAIN_MS, FIRST_LOOK_AGAIN_MS * 2 ** (looks - 1))
      return recovery.settleVerification(ticket, againInMs, undefined)
    }
  }
}

async function lookAt(ports: SweepPorts, lookUp: LookUp): Promise<void> {
  const answer = await ports.carriers.track(lookUp, undefined, 'background')
  if (answer.kind !== 'not_sent') await applyLookUp(ports, lookUp, answer)
}

// The sweeper's clock: a round every second, give or take half, in every replica, so that they do not march in step.
// A round that fails is reported once until one succeeds; the next one comes all the same.
// Source: design/cancellation.md, step 4.

/** A sweeper that runs. */
export type Recovery = {
  /** No new rounds; resolves when the one that is running has taken on what it will. */
  stop(): Promise<void>
}

const EVERY_MS = 1_000
/** Overdue attempts are looked for once in so many rounds. */
const ROUNDS_BETWEEN_REPORTS = 30

/** Sweeps until stopped. */
export function startRecovery(ports: SweepPorts, terms: SweepTerms): Recovery {
  let round = 0
  let failing = false
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout>

  const runRound = async (): Promise<void> => {
    try {
      await sweep(ports, terms)
      if (round++ % ROUNDS_BETWEEN_REPORTS === 0) await reportOverdue(ports, terms)
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
      EVERY_MS * (0.5 + terms.jitter()),
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
