/**
 * Shipments in memory, with a clock that only tests move, for the operations' tests. The rules are those of
 * the statements in src/store/cancellations.ts, whose own tests run on PostgreSQL.
 */
import type { CancelBegun, CancelTicket, CarrierCancelAnswer } from '../../src/core/shipments/cancellation.ts'
import type { NewDraft } from '../../src/core/shipments/draft-shipment.ts'
import type { CancelAttemptPhase, Shipment } from '../../src/core/shipments/shipment.ts'
import { CANCEL_TERMS, type CancelTerms } from '../../src/operations/cancel-shipment.ts'
import type { CarrierGateway, ShipmentStore } from '../../src/operations/ports.ts'

/** A stored shipment: what a partner sees, whose it is, and the memory of a refusal. */
export type StoredShipment = { -readonly [Key in keyof Shipment]: Shipment[Key] } & {
  accountId: string
  refusedAt?: number
  refusal?: string
  draft?: NewDraft
}

/** A stored attempt. */
export type StoredAttempt = {
  attemptId: string
  shipmentId: string
  phase: CancelAttemptPhase
  fence: number
  sends: number
  owner?: string
  leaseUntil: number
  retryAt: number
  reason?: string
}

/** One process: its ports, over the data that all of them share. */
export type Process = {
  readonly shipments: ShipmentStore
  readonly carriers: CarrierGateway
  readonly clock: () => Date
  /** What was reported to the log. */
  readonly faults: unknown[]
  readonly reportFault: (error: unknown) => void
}

/** A booked shipment of account "acme"; override what a test is about. */
export function aShipment(overrides: Partial<StoredShipment> = {}): StoredShipment {
  return {
    shipmentId: 'shp_1',
    accountId: 'acme',
    state: 'booked',
    productId: 1201,
    carrierCode: 'rondeel',
    carrierRef: 'REF1',
    from: { country: 'NL' },
    to: { country: 'DE' },
    priceCents: 985,
    createdAt: '2026-11-01T10:00:00.000Z',
    ...overrides,
  }
}

/** Opens a world whose carrier answers with `carrier`. */
export function shipmentWorld(
  stored: readonly StoredShipment[],
  carrier: (ticket: CancelTicket) => Promise<CarrierCancelAnswer>,
) {
  const shipments = new Map(stored.map((shipment) => [shipment.shipmentId, shipment]))
  const attempts: StoredAttempt[] = []
  const asked: CancelTicket[] = []
  let now = 0
  const openOf = (shipmentId: string) =>
    attempts.find((attempt) => attempt.shipmentId === shipmentId && attempt.phase === 'pending')
  const ownOf = (accountId: string, shipmentId: string) => {
    const shipment = shipments.get(shipmentId)
    return shipment?.accountId === accountId ? shipment : undefined
  }
  const open = (shipment: StoredShipment, owner: string, leaseMs: number): CancelTicket | undefined => {
    let attempt = openOf(shipment.shipmentId)
    if (attempt !== undefined) {
      if (attempt.leaseUntil > now) return undefined
      attempt.fence += 1
      attempt.sends += 1
    } else {
      const attemptId = `attempt-${attempts.length + 1}`
      attempt = {
        attemptId,
        shipmentId: shipment.shipmentId,
        phase: 'pending',
        fence: 1,
        sends: 1,
        leaseUntil: 0,
        retryAt: 0,
      }
      attempts.push(attempt)
    }
    attempt.owner = owner
    attempt.leaseUntil = now + leaseMs
    const { attemptId, fence, sends } = attempt
    const { shipmentId, carrierCode, carrierRef = '' } = shipment
    return { attemptId, shipmentId, carrierCode, carrierRef, fence, sends }
  }
  const cancel = (shipment: StoredShipment) => {
    shipment.state = 'cancelled'
    shipment.cancelledAt = new Date(now).toISOString()
  }
  const ownAttempt = ({ attemptId, fence }: CancelTicket) =>
    attempts.find((one) => one.attemptId === attemptId && one.fence === fence && one.phase === 'pending')

  const storeOf = (owner: string): ShipmentStore => ({
    find: async (accountId, shipmentId) => {
      const shipment = ownOf(accountId, shipmentId)
      return shipment && { ...shipment }
    },
    findMany: async () => [],
    list: async () => undefined,
    attempts: async () => [],
    insertDraft: async (accountId, draft) => {
      const { productId, carrierCode, from, to, priceCents } = draft
      const shipment: StoredShipment = {
        ...{ shipmentId: `shp_new${shipments.size}`, accountId, state: 'draft', draft },
        ...{ productId, carrierCode, from, to, priceCents, createdAt: new Date(now).toISOString() },
      }
      shipments.set(shipment.shipmentId, shipment)
      return shipment
    },
    markBooked: async (accountId, shipmentId, carrierRef, leaseMs) => {
      const shipment = ownOf(accountId, shipmentId)
      if (shipment === undefined) return undefined
      const booked = shipment.state === 'draft'
      const orphan = shipment.state === 'cancelled' && shipment.carrierRef === undefined
      if (booked) shipment.state = 'booked'
      if (booked || orphan) shipment.carrierRef = carrierRef
      const withdrawal = orphan ? open(shipment, owner, leaseMs) : undefined
      return {
        ...{ state: shipment.state, booked },
        ...(shipment.carrierRef !== undefined && { carrierRef: shipment.carrierRef }),
        ...(withdrawal !== undefined && { withdrawal }),
      }
    },
    beginCancellation: async (accountId, shipmentId, { leaseMs, refusalMemoryMs }) => {
      const shipment = ownOf(accountId, shipmentId)
      if (shipment === undefined) return undefined
      const draftCancelled = shipment.state === 'draft'
      if (draftCancelled) cancel(shipment)
      const recent = shipment.refusedAt !== undefined && shipment.refusedAt > now - refusalMemoryMs
      const ticket = shipment.state === 'booked' && !recent ? open(shipment, owner, leaseMs) : undefined
      const begun: CancelBegun = {
        ...{ state: shipment.state, draftCancelled },
        ...(shipment.carrierRef !== undefined && { carrierRef: shipment.carrierRef }),
        ...(recent && shipment.refusal !== undefined && { recentRefusal: shipment.refusal }),
        ...(ticket !== undefined && { ticket }),
      }
      return begun
    },
    cancelStanding: async (accountId, shipmentId) => {
      const shipment = ownOf(accountId, shipmentId)
      if (shipment === undefined) return undefined
      const attempt = openOf(shipmentId)
      const working = attempt?.owner !== undefined && attempt.leaseUntil > now
      return {
        ...{
          state: shipment.state,
          attempt: attempt === undefined ? 'none' : working ? 'working' : 'waiting',
        },
        ...(shipment.carrierRef !== undefined && { carrierRef: shipment.carrierRef }),
        ...(shipment.refusal !== undefined && { refusal: shipment.refusal }),
      }
    },
    acceptCancellation: async ({ attemptId, shipmentId }) => {
      const shipment = shipments.get(shipmentId)
      const attempt = attempts.find((one) => one.attemptId === attemptId)
      if (shipment === undefined || attempt === undefined) throw new Error('no such attempt')
      if (attempt.phase !== 'accepted') {
        attempt.phase = 'accepted'
        if (shipment.state === 'booked') cancel(shipment)
      }
      return shipment.state
    },
    refuseCancellation: async (ticket, reason) => {
      const attempt = ownAttempt(ticket)
      const shipment = shipments.get(ticket.shipmentId)
      if (attempt === undefined || shipment === undefined) return false
      attempt.phase = 'refused'
      attempt.reason = reason
      shipment.refusedAt = now
      shipment.refusal = reason
      return true
    },
    releaseCancellation: async (ticket, _cause, retryInMs) => {
      const attempt = ownAttempt(ticket)
      if (attempt === undefined) return false
      delete attempt.owner
      attempt.leaseUntil = now
      attempt.retryAt = now + retryInMs
      return true
    },
    releaseLeases: async () => {
      const held = attempts.filter((attempt) => attempt.phase === 'pending' && attempt.owner === owner)
      for (const attempt of held) {
        delete attempt.owner
        attempt.leaseUntil = now
      }
      return held.length
    },
  })

  const carriers: CarrierGateway = {
    cancel: (ticket) => {
      asked.push(ticket)
      return carrier(ticket)
    },
    book: async ({ shipmentId }) => ({ kind: 'booked', carrierRef: `REF-${shipmentId}` }),
  }
  let processes = 0
  return {
    shipments,
    attempts,
    /** Every question to the carrier, in order. */
    asked,
    /** Lets time pass. */
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    /** Starts a process. */
    process: (): Process => {
      processes += 1
      const faults: unknown[] = []
      return {
        shipments: storeOf(`process-${processes}`),
        carriers,
        clock: () => new Date(now),
        faults,
        reportFault: (error) => faults.push(error),
      }
    },
    /** The service's terms, without chance, and with pauses that move this world's clock. */
    terms: {
      ...CANCEL_TERMS,
      jitter: () => 0,
      pause: async (milliseconds) => {
        now += milliseconds
        await new Promise((resolve) => setImmediate(resolve))
      },
    } satisfies CancelTerms,
  }
}

/** A carrier's answer that comes when the test says so. */
export function held(): {
  readonly carrier: () => Promise<CarrierCancelAnswer>
  readonly answer: (answer: CarrierCancelAnswer) => void
} {
  let answer: (answer: CarrierCancelAnswer) => void = () => {}
  const promise = new Promise<CarrierCancelAnswer>((resolve) => {
    answer = resolve
  })
  return { carrier: () => promise, answer }
}

/** Answers one after the other; the last one for good. */
export function answers(...list: readonly CarrierCancelAnswer[]): () => Promise<CarrierCancelAnswer> {
  let next = 0
  return async () => list[Math.min(next++, list.length - 1)] ?? { kind: 'unknown', cause: 'no answer left' }
}
