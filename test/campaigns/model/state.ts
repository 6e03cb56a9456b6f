/**
 * What the model believes: the rows as plain objects and the rules that several operations share. Written from the
 * protocol's description (cancellation-statements.ts and ports.ts say it in words), never from the SQL. Instants are
 * milliseconds since 1970 of a clock that only the model's commands move.
 */
import type { CancelledBy, CancelTicket } from '../../../src/core/shipments/cancellation.ts'
import type {
  CancelAttemptPhase,
  Refusal,
  RefusalCode,
  Shipment,
  ShipmentState,
} from '../../../src/core/shipments/shipment.ts'

/** A shipment as the model knows it. */
export type ModelShipment = {
  id: string
  accountId: string
  carrierCode: string
  state: ShipmentState
  carrierRef: string | null
  createdAt: number
  bookedAt: number | null
  cancelledAt: number | null
  cancelledBy: CancelledBy | null
  refusedAt: number | null
  refusal: string | null
  refusalCode: RefusalCode | null
  bookingUntil: number | null
  bookingTries: number
  /** Since when it is to be cancelled as soon as its booking has ended. */
  wantedAt: number | null
  nextTrackAt: number
  version: number
}

/** An attempt; its id is the database's choice, '' until the model has seen it. */
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
  /** Somebody was told that it will be made. */
  promised: boolean
  anomaly: string | null
}

/** A change of state; `attempt` is the one that led to it. */
export type ModelEvent = {
  readonly shipmentId: string
  readonly from: ShipmentState | null
  readonly to: ShipmentState
  readonly at: number
  readonly attempt: ModelAttempt | null
}

/** A carrier's scan. */
export type ModelScan = {
  readonly carrierCode: string
  readonly eventId: string
  readonly carrierRef: string
  readonly occurredAt: number
  readonly receivedAt: number
  shipmentId: string | null
}

/** All of it. Lists are in the order in which things came about. */
export type Model = {
  now: number
  shipments: ModelShipment[]
  attempts: ModelAttempt[]
  events: ModelEvent[]
  scans: ModelScan[]
  /** Every ticket that was ever handed out, however stale. */
  tickets: CancelTicket[]
}

/** When the clock starts. */
export const START = Date.UTC(2026, 0, 1)

/** Two of each; the attempts of one carrier never count for the other. */
export const ACCOUNTS = ['model-acme', 'model-other'] as const
/** See ACCOUNTS. */
export const CARRIERS = ['model-one', 'model-two'] as const
/** The processes. */
export const OWNERS = ['process-a', 'process-b'] as const

/** The shipment as its account sees it; undefined for another's. */
export function owned(model: Model, accountId: string, shipmentId: string): ModelShipment | undefined {
  return model.shipments.find((one) => one.id === shipmentId && one.accountId === accountId)
}

/** The shipment of a ticket, which nobody but the service has in hands. */
export function shipmentOf(model: Model, shipmentId: string): ModelShipment {
  const found = model.shipments.find(({ id }) => id === shipmentId)
  if (found === undefined) throw new Error(`the model has no shipment ${shipmentId}`)
  return found
}

/** The one open attempt of a shipment. */
export function openAttempt(model: Model, shipmentId: string): ModelAttempt | undefined {
  return model.attempts.find((one) => one.shipmentId === shipmentId && one.phase === 'pending')
}

/** The attempt a ticket speaks of, if it is one of that shipment and still there. */
export function attemptOf(model: Model, ticket: CancelTicket): ModelAttempt | undefined {
  return model.attempts.find((one) => one.id === ticket.attemptId && one.shipmentId === ticket.shipmentId)
}

/** The attempt, if the holder of this ticket is the last who took it over and it is still open. */
export function heldAttempt(model: Model, ticket: CancelTicket): ModelAttempt | undefined {
  const attempt = attemptOf(model, ticket)
  return attempt?.phase === 'pending' && attempt.fence === ticket.fence ? attempt : undefined
}

/** Opens an attempt under the lease of `owner`. */
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
    ...{ lastCause: null, lookups: 0, alertedAt: null, promised: false, anomaly: null },
  }
  model.attempts.push(attempt)
  return attempt
}

/** Takes an attempt over: who held it before is late from now on, and one more send is counted before it is made. */
export function takeOver(model: Model, attempt: ModelAttempt, owner: string, leaseMs: number): void {
  attempt.fence += 1
  attempt.sends += 1
  attempt.owner = owner
  attempt.leaseUntil = model.now + leaseMs
  attempt.nextTryAt = model.now + leaseMs
}

/** Hands out the ticket of an attempt as it stands, and remembers it. */
export function handOut(model: Model, attempt: ModelAttempt): CancelTicket {
  const { carrierRef } = shipmentOf(model, attempt.shipmentId)
  if (carrierRef === null) throw new Error(`the model hands out a ticket without a reference`)
  const { id: attemptId, shipmentId, accountId, carrierCode, fence, sends, begunAt } = attempt
  const ageMs = Math.max(0, model.now - begunAt)
  const ticket = { attemptId, shipmentId, accountId, carrierCode, carrierRef, fence, sends, ageMs }
  model.tickets.push(ticket)
  return ticket
}

/** Moves a shipment on: the state, its version, and the record of it. */
export function move(
  model: Model,
  shipment: ModelShipment,
  to: ShipmentState,
  attempt: ModelAttempt | null = null,
): void {
  const { id: shipmentId, state: from } = shipment
  shipment.state = to
  shipment.version += 1
  model.events.push({ shipmentId, from, to, at: model.now, attempt })
}

/** Cancels a shipment for good. */
export function cancel(
  model: Model,
  shipment: ModelShipment,
  by: CancelledBy,
  attempt: ModelAttempt | null,
): void {
  move(model, shipment, 'cancelled', attempt)
  shipment.cancelledAt = model.now
  shipment.cancelledBy = by
}

/** The refusal that is remembered: younger than the memory, not as old as it. */
export function remembered(
  model: Model,
  { refusedAt, refusal, refusalCode }: ModelShipment,
  memoryMs: number,
): { readonly recentRefusal?: Refusal } {
  if (refusedAt === null || refusal === null || model.now - refusedAt >= memoryMs) return {}
  return { recentRefusal: { code: refusalCode ?? 'NOT_CANCELLABLE', reason: refusal } }
}

/** Who cancelled it; before that was kept, a shipment with a number was cancelled by its carrier. */
export function whoCancelled({ state, cancelledBy, carrierRef }: ModelShipment): {
  readonly cancelledBy?: CancelledBy
} {
  if (state !== 'cancelled') return {}
  return { cancelledBy: cancelledBy ?? (carrierRef === null ? 'draft' : 'carrier') }
}

/** What is the same for every shipment of the model. */
export const COMMON = {
  productId: 1201,
  from: { country: 'NL', zipcode: '1012 LG' },
  to: { country: 'DE', city: 'Berlin' },
  priceCents: 985,
} as const

/** A shipment as the service reads it. */
export function asRead(shipment: ModelShipment): Shipment {
  const { id: shipmentId, state, carrierCode, carrierRef, createdAt, cancelledAt } = shipment
  return {
    ...{ shipmentId, state, carrierCode, ...COMMON },
    ...(carrierRef !== null && { carrierRef }),
    createdAt: new Date(createdAt).toISOString(),
    ...(cancelledAt !== null && { cancelledAt: new Date(cancelledAt).toISOString() }),
  }
}
