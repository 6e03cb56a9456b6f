/**
 * One round of the sweeper: takes on what is due with every carrier that has room, and drives it one step towards its
 * end. It never guesses: an end is what a carrier says. All replicas sweep; each row is taken by one of them.
 * Source: design/cancellation.md, steps 4 and 5.
 */
import { askCarrier, type CancelTerms } from './ask-carrier.ts'
import { driveBooking } from './book-shipment.ts'
import type { CarrierCallKind, CarrierRoom, DueWork, LookUp, Ports, Verification } from './ports.ts'
import { applyLookUp } from './record-scans.ts'
import { runOnce } from './run-once.ts'

/** Times in milliseconds. */
export type SweepTerms = CancelTerms & {
  /** How often a booked parcel is looked up; 0 is never. */
  readonly trackEveryMs: number
  /** From when on an open attempt is reported. */
  readonly overdueMs: number
}

/** An attempt that is still open after a quarter of an hour is for people to know. */
export const OVERDUE_MS = 15 * 60_000

/** Looks into a refusal that fail before people are told; it goes on. */
const LOOKS_BEFORE_ALERT = 6
/** With each carrier, in each replica; nobody waits for a look-up, and carriers count them. */
const LOOK_UPS_PER_ROUND = 8
const FIRST_LOOK_AGAIN_MS = 15_000
const SLOWEST_LOOK_AGAIN_MS = 3_600_000

/** What the sweeper needs from outside. */
export type SweepPorts = Pick<
  Ports,
  'shipments' | 'recovery' | 'tracking' | 'carriers' | 'alert' | 'reportFault'
>

/**
 * Starts what is due and does not wait for it: each piece is work of `ports.shipments` that a shutdown drains
 * (run-once.ts). Throws when the store is out of reach; one kind of work that fails does not keep the others.
 */
export async function sweep(ports: SweepPorts, terms: SweepTerms): Promise<void> {
  const due = await ports.recovery.dueWork()
  let failure: unknown
  for (const takeOn of [sweepAttempts, sweepBookings, sweepVerifications, sweepLookUps]) {
    try {
      await takeOn(ports, due, terms)
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
}

type TakeOn = (ports: SweepPorts, due: readonly DueWork[], terms: SweepTerms) => Promise<void>

const sweepAttempts: TakeOn = async (ports, due, terms) => {
  const free = rooms(ports, due, 'attempts')
  if (free.length === 0) return
  for (const ticket of await ports.recovery.claimAttempts(free, terms.leaseMs))
    start(ports, `attempt ${ticket.attemptId}`, () => askCarrier(ports, ticket, terms))
}

const sweepBookings: TakeOn = async (ports, due, terms) => {
  const free = rooms(ports, due, 'bookings')
  if (free.length === 0) return
  for (const { accountId, shipment, tries } of await ports.recovery.claimBookings(free, terms.leaseMs))
    start(ports, `booking ${shipment.shipmentId}`, () =>
      driveBooking(ports, accountId, shipment, tries, terms),
    )
}

const sweepVerifications: TakeOn = async (ports, due, terms) => {
  const free = rooms(ports, due, 'verifications')
  if (free.length === 0) return
  for (const verification of await ports.recovery.claimVerifications(free, terms.leaseMs))
    start(ports, `verification ${verification.ticket.attemptId}`, () => verify(ports, verification))
}

const sweepLookUps: TakeOn = async (ports, due, terms) => {
  if (terms.trackEveryMs === 0) return
  const free = rooms(ports, due, 'lookUps').map(({ carrierCode, room }) => ({
    carrierCode,
    room: Math.min(room, LOOK_UPS_PER_ROUND),
  }))
  if (free.length === 0) return
  for (const lookUp of await ports.recovery.claimLookUps(free, terms.trackEveryMs))
    start(ports, `look-up ${lookUp.shipmentId}`, () => lookAt(ports, lookUp))
}

/** Reports attempts that have been open for too long, each once. */
export async function reportOverdue(ports: SweepPorts, { overdueMs }: SweepTerms): Promise<void> {
  for (const { shipmentId, carrierCode, ...attempt } of await ports.recovery.overdueAttempts(overdueMs)) {
    const minutes = Math.floor(attempt.ageMs / 60_000)
    const detail = `asked ${attempt.sends} times in ${minutes} minutes; last: ${attempt.lastCause ?? 'no answer'}`
    ports.alert({ kind: 'CANCELLATION_OVERDUE', carrierCode, shipmentId, detail })
  }
}

type WorkKind = Exclude<keyof DueWork, 'carrierCode'>

/** Which kind of call the work is; verifications are taken on even where nothing can be looked up, to say so. */
const CALLS: Readonly<Record<WorkKind, CarrierCallKind>> = {
  attempts: 'command',
  bookings: 'command',
  verifications: 'lookUp',
  lookUps: 'lookUp',
}

/** Asked anew before each kind of work, since what was begun meanwhile takes room. */
function rooms({ carriers }: SweepPorts, due: readonly DueWork[], work: WorkKind): CarrierRoom[] {
  return due
    .filter((carrier) => carrier[work] && (work !== 'lookUps' || carriers.canTrack(carrier.carrierCode)))
    .map(({ carrierCode }) => ({ carrierCode, room: carriers.room(carrierCode, CALLS[work]) }))
    .filter(({ room }) => room > 0)
}

function start(ports: SweepPorts, key: string, work: () => Promise<unknown>): void {
  runOnce(ports.shipments, key, work).catch(ports.reportFault)
}

/**
 * Looks into a refusal that followed a send of unknown end. Cancelled at the carrier: it is accepted after all, which
 * always wins. What the carrier cannot tell is asked again, ever more slowly.
 */
async function verify(ports: SweepPorts, { ticket, looks }: Verification): Promise<void> {
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
