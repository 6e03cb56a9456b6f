/**
 * The state of the model: rows as plain objects, and rules that several operations share. Written from the
 * description of the protocol in docs and ports, never from the SQL. Instants are milliseconds since 1970 on
 * a clock that only commands advance.
 */
import type {
  CancelledBy,
  CancelTicket,
  CarrierRefusal,
  TicketParcel,
} from '../../../src/core/shipments/cancellation.ts'
import type {
  CancelAttemptPhase,
  Refusal,
  RefusalCode,
  Shipment,
  ShipmentState,
} from '../../../src/core/shipments/shipment.ts'

export type ModelShipment = {
  id: string
  accountId: string
  carrierCode: string
  state: ShipmentState
  carrierRef: string | null
  /** All numbers, if there are several. */
  parcelRefs: readonly string[] | null
  /** The numbers that the carrier has cancelled, in the order of its answers. */
  cancelledRefs: readonly string[] | null
  createdAt: number
  bookedAt: number | null
  cancelledAt: number | null
  cancelledBy: CancelledBy | null
  refusedAt: number | null
  refusal: string | null
  refusalCode: RefusalCode | null
  bookingUntil: number | null
  bookingTries: number
  /** Bookings that have begun. */
  bookingNo: number
  /** When a cancellation was requested that waits for the end of the booking. */
  wantedAt: number | null
  /** When it is next looked up, and since when it is in its schedule, in these states. */
  nextTrackAt: number
  scheduledAt: number
  /** `next_track_at`: the last request for a lookup. A request for the same instant changes nothing. */
  requestedAt: number
  deliveredAt: number | null
  /** When `visibleState` last changed. Null if it has not changed. */
  updatedAt: number | null
  version: number
}

type ModelDoubt = { readonly refusal: CarrierRefusal; readonly at: number }

/** What an attempt records about one parcel. */
export type ModelParcel = {
  readonly refusal?: CarrierRefusal
  readonly doubt?: ModelDoubt
  readonly unsent?: number
  readonly isLater?: true
  readonly isFound?: true
}

/** The database chooses the id; '' until the model has read it. */
export type ModelAttempt = {
  id: string
  shipmentId: string
  accountId: string
  carrierCode: string
  phase: CancelAttemptPhase
  fence: number
  sends: number
  begunAt: number
  owner: string | null
  leaseUntil: number
  nextTryAt: number
  verifyAt: number | null
  settledAt: number | null
  reason: string | null
  refusalCode: RefusalCode | null
  carrierRefusalCode: string | null
  lastCause: string | null
  lookups: number
  alertedAt: number | null
  partlyAlertedAt: number | null
  /** True for every attempt of this version; an older version deletes other attempts that it could not send. */
  promised: boolean
  doubt: ModelDoubt | null
  /** By number. Null until something is recorded. */
  parcels: Readonly<Record<string, ModelParcel>> | null
  anomaly: string | null
}

/** `attempt` is the attempt that caused the change. */
export type ModelEvent = {
  readonly shipmentId: string
  readonly from: ShipmentState | null
  readonly to: ShipmentState
  readonly at: number
  readonly attempt: ModelAttempt | null
}

export type ModelScan = {
  readonly carrierCode: string
  readonly eventId: string
  readonly carrierRef: string
  readonly occurredAt: number
  readonly receivedAt: number
  /** Empty as long as no shipment has the number. */
  accountId: string
  receipts: number
  shipmentId: string | null
  isDelivery: boolean
}

/** What only a lookup has reported. A shipment has at most one. */
export type ModelReport = {
  readonly id: string
  readonly accountId: string
  readonly carrierCode: string
  readonly reported: 'cancelled' | 'scanned'
  readonly reportedAt: number
  /** The number that was scanned. */
  readonly carrierRef: string | null
  verifyAt: number | null
  lookups: number
  contradiction: string | null
  contradictedAt: number | null
}

/** Lists are in the order of creation. */
export type Model = {
  now: number
  shipments: ModelShipment[]
  attempts: ModelAttempt[]
  events: ModelEvent[]
  scans: ModelScan[]
  /** When shipments were first scanned after their cancellation, by id. */
  readonly anomalies: Map<string, number>
  reports: ModelReport[]
  /** All tickets ever issued, including stale ones. */
  tickets: CancelTicket[]
  /** Every number that was cancelled at some time, as `<shipment> <number>`. */
  readonly everCancelled: Set<string>
}

/** Start of the clock. */
export const START = Date.UTC(2026, 0, 1)

/** Two of each, to check that they stay separate. */
export const ACCOUNTS = ['model-acme', 'model-other'] as const
export const CARRIERS = ['model-one', 'model-two'] as const
export const OWNERS = ['process-a', 'process-b'] as const

/** Undefined for a shipment of another account. */
export function owned(model: Model, accountId: string, shipmentId: string): ModelShipment | undefined {
  return model.shipments.find((one) => one.id === shipmentId && one.accountId === accountId)
}

/** Throws if the shipment does not exist. */
export function shipmentOf(model: Model, shipmentId: string): ModelShipment {
  const found = model.shipments.find(({ id }) => id === shipmentId)
  if (found === undefined) throw new Error(`the model has no shipment ${shipmentId}`)
  return found
}

/** A shipment has at most one. */
export function openAttempt(model: Model, shipmentId: string): ModelAttempt | undefined {
  return model.attempts.find((one) => one.shipmentId === shipmentId && one.phase === 'pending')
}

/** Undefined if the ticket names another shipment, or the attempt is gone. */
export function attemptOf(model: Model, ticket: CancelTicket): ModelAttempt | undefined {
  return model.attempts.find((one) => one.id === ticket.attemptId && one.shipmentId === ticket.shipmentId)
}

/** The attempt if it is open and the ticket has its current fence. */
export function heldAttempt(model: Model, ticket: CancelTicket): ModelAttempt | undefined {
  const attempt = attemptOf(model, ticket)
  return attempt?.phase === 'pending' && attempt.fence === ticket.fence ? attempt : undefined
}

/** Opens an attempt with a lease for `owner`. */
export function openNew(
  model: Model,
  { id: shipmentId, carrierCode, accountId }: ModelShipment,
  attemptId: string,
  lease: { readonly owner: string; readonly leaseMs: number },
): ModelAttempt {
  const until = model.now + lease.leaseMs
  const attempt: ModelAttempt = {
    ...{ id: attemptId, shipmentId, accountId, carrierCode, phase: 'pending', fence: 1, sends: 1 },
    ...{ begunAt: model.now, owner: lease.owner, leaseUntil: until, nextTryAt: until },
    ...{ verifyAt: null, settledAt: null, reason: null, refusalCode: null, carrierRefusalCode: null },
    ...{ lastCause: null, lookups: 0, alertedAt: null, promised: true, doubt: null, parcels: null },
    partlyAlertedAt: null,
    anomaly: null,
  }
  model.attempts.push(attempt)
  return attempt
}

/** Increments the fence, so that earlier holders become stale, and counts a send. */
export function takeOver(model: Model, attempt: ModelAttempt, owner: string, leaseMs: number): void {
  attempt.fence += 1
  if (attempt.doubt === null) attempt.sends += 1
  attempt.owner = owner
  attempt.leaseUntil = model.now + leaseMs
  attempt.nextTryAt = model.now + leaseMs
}

/** Issues a ticket for the current state of an attempt. */
export function issueTicket(model: Model, attempt: ModelAttempt): CancelTicket {
  const shipment = shipmentOf(model, attempt.shipmentId)
  const { carrierRef } = shipment
  if (carrierRef === null) throw new Error(`the model issues a ticket without a tracking number`)
  const { id: attemptId, shipmentId, accountId, carrierCode, fence, sends, begunAt } = attempt
  const ageMs = Math.max(0, model.now - begunAt)
  const { doubt } = attempt
  const ticket = {
    ...{ attemptId, shipmentId, accountId, carrierCode, carrierRef, fence, sends, ageMs },
    bookedAt: new Date(shipment.bookedAt ?? shipment.createdAt).toISOString(),
    ...(doubt !== null && { doubt: doubtNow(model, doubt) }),
    ...(shipment.parcelRefs !== null && {
      parcels: shipment.parcelRefs.map((number) => ticketParcel(model, shipment, attempt, number)),
    }),
    ...(attempt.partlyAlertedAt !== null && { isPartAlerted: true }),
  }
  model.tickets.push(ticket)
  return ticket
}

function doubtNow({ now }: Model, { refusal, at }: ModelDoubt) {
  return { refusal, ageMs: Math.max(0, now - at) }
}

/** A doubt about the whole shipment concerns its first parcel. */
function ticketParcel(
  model: Model,
  { carrierRef: first, cancelledRefs }: ModelShipment,
  attempt: ModelAttempt,
  carrierRef: string,
): TicketParcel {
  const { refusal, doubt, unsent = 0, isLater, isFound } = attempt.parcels?.[carrierRef] ?? {}
  const inDoubt = doubt ?? (carrierRef === first ? attempt.doubt : null)
  return {
    ...{ carrierRef, isCancelled: cancelledRefs?.includes(carrierRef) === true, unsent },
    ...(isLater && { isLater }),
    ...(isFound && { isFound }),
    ...(refusal !== undefined && { refusal }),
    ...(inDoubt !== null && { doubt: doubtNow(model, inDoubt) }),
  }
}

/** True for the number of the shipment and for the numbers of its parcels. */
export function hasNumber({ carrierRef, parcelRefs }: ModelShipment, number: string): boolean {
  return carrierRef === number || parcelRefs?.includes(number) === true
}

/** Changes the state, increments the version and adds an event. */
export function move(
  model: Model,
  shipment: ModelShipment,
  to: ShipmentState,
  attempt: ModelAttempt | null = null,
): void {
  const { id: shipmentId, state: from } = shipment
  shipment.state = to
  shipment.version += 1
  if (to === 'in_transit') shipment.nextTrackAt = model.now + 86_400_000
  if (to === 'booked' || to === 'in_transit') shipment.scheduledAt = model.now
  model.events.push({ shipmentId, from, to, at: model.now, attempt })
}

/** Unless the shipment is a draft, all its parcels are cancelled. */
export function cancel(
  model: Model,
  shipment: ModelShipment,
  by: CancelledBy,
  attempt: ModelAttempt | null,
): void {
  move(model, shipment, 'cancelled', attempt)
  shipment.cancelledAt = model.now
  shipment.cancelledBy = by
  if (by !== 'draft') shipment.cancelledRefs = shipment.parcelRefs
}

const FIRST_VERIFICATION_MS = 60_000

/** Plans lookups that verify what only a lookup has reported. */
export function report(
  model: Model,
  { id, accountId, carrierCode }: ModelShipment,
  reported: 'cancelled' | 'scanned',
  carrierRef: string | null,
): void {
  const known = model.reports.find((one) => one.id === id)
  model.reports = model.reports.filter((one) => one !== known)
  const { lookups = 0, contradiction = null, contradictedAt = null } = known ?? {}
  model.reports.push({
    ...{ id, accountId, carrierCode, reported, carrierRef, lookups, contradiction, contradictedAt },
    ...{ reportedAt: model.now, verifyAt: model.now + FIRST_VERIFICATION_MS },
  })
}

/** The refusal, if younger than `memoryMs`. */
export function remembered(
  model: Model,
  { refusedAt, refusal, refusalCode }: ModelShipment,
  memoryMs: number,
): { readonly recentRefusal?: Refusal } {
  if (refusedAt === null || refusal === null || model.now - refusedAt >= memoryMs) return {}
  return { recentRefusal: { code: refusalCode ?? 'NOT_CANCELLABLE', reason: refusal } }
}

/** Rows from before `cancelled_by` existed: a shipment with a tracking number was cancelled by its carrier. */
export function whoCancelled({ state, cancelledBy, carrierRef }: ModelShipment): {
  readonly cancelledBy?: CancelledBy
} {
  if (state !== 'cancelled') return {}
  return { cancelledBy: cancelledBy ?? (carrierRef === null ? 'draft' : 'carrier') }
}

/** Values that are the same for all shipments. */
export const COMMON = {
  productId: 1201,
  from: { country: 'NL', zipcode: '1012 LG' },
  to: { country: 'DE', city: 'Berlin' },
  priceCents: 985,
  rateCardVersion: { code: 'model', versionNo: 1 },
} as const

/** The values whose changes count as updates of a shipment. */
export function visibleState({
  state,
  carrierRef,
  parcelRefs,
  cancelledRefs,
  refusedAt,
  deliveredAt,
}: ModelShipment): string {
  return JSON.stringify([state, carrierRef, parcelRefs, cancelledRefs, refusedAt, deliveredAt])
}

/** The shipment as the store returns it. */
export function asRead(shipment: ModelShipment): Shipment {
  const { id: shipmentId, state, carrierCode, carrierRef, parcelRefs } = shipment
  const { createdAt, bookedAt, cancelledAt } = shipment
  const updatedAt = shipment.updatedAt ?? cancelledAt ?? bookedAt ?? createdAt
  return {
    ...{ shipmentId, state, carrierCode, ...COMMON },
    ...(carrierRef !== null && { carrierRef }),
    ...(parcelRefs !== null && { parcelRefs }),
    createdAt: new Date(createdAt).toISOString(),
    ...(bookedAt !== null && { bookedAt: new Date(bookedAt).toISOString() }),
    updatedAt: new Date(updatedAt).toISOString(),
    ...(shipment.wantedAt !== null && { cancelRequestedAt: new Date(shipment.wantedAt).toISOString() }),
    ...(cancelledAt !== null && { cancelledAt: new Date(cancelledAt).toISOString() }),
    ...(shipment.deliveredAt !== null && { deliveredAt: new Date(shipment.deliveredAt).toISOString() }),
  }
}

/** Whether routine lookups are planned. */
export function isScheduled({ state, deliveredAt }: ModelShipment): boolean {
  return state === 'booked' || (state === 'in_transit' && deliveredAt === null)
}

/** To be called when a scan is assigned to a shipment. */
export function noteScan(model: Model, { shipmentId, receivedAt }: ModelScan): void {
  const shipment = model.shipments.find(({ id }) => id === shipmentId)
  if (shipment?.state !== 'cancelled') return
  model.anomalies.set(shipment.id, Math.min(receivedAt, model.anomalies.get(shipment.id) ?? receivedAt))
}
