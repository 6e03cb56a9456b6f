/**
 * A world of shipments for the operations' tests: processes over one memory, a carrier that says what a test tells
 * it to, and a clock that only tests move.
 */
import type { CancelTicket, CarrierCancelAnswer, NotSent } from '../../src/core/shipments/cancellation.ts'
import type { TrackedParcel } from '../../src/core/shipments/tracking.ts'
import { CANCEL_POLICY } from '../../src/operations/ask-carrier.ts'
import type { CarrierGateway } from '../../src/operations/ports/carriers.ts'
import { openInFlight } from '../../src/operations/ports/in-flight.ts'
import type { Alert, Ports } from '../../src/operations/ports/ports.ts'
import { OVERDUE_MS, type SweepPolicy } from '../../src/operations/sweep.ts'
import { recoveryStoreOf, trackingStoreOf } from './recovery-memory.ts'
import { type Memory, type StoredShipment, shipmentStoreOf } from './shipment-memory.ts'

/** One process: its ports, over the data that all of them share. */
export type Process = Pick<
  Ports,
  | 'shipments'
  | 'recovery'
  | 'tracking'
  | 'carriers'
  | 'inFlight'
  | 'clock'
  | 'sleep'
  | 'random'
  | 'reportFault'
  | 'alert'
> & {
  /** What was reported to the log. */
  readonly faults: unknown[]
  /** What people were told. */
  readonly alerts: Alert[]
}

/** What a carrier says to a cancellation, or that nobody could ask it. */
export type Said = CarrierCancelAnswer | NotSent

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

/**
 * Opens a world whose carrier answers with `carrier`, and else as `gateway` says: without it, it books whatever it is
 * given, cannot tell where a parcel stands, and has room.
 */
export function shipmentWorld(
  stored: readonly StoredShipment[],
  carrier: (ticket: CancelTicket) => Promise<Said>,
  gateway: Partial<CarrierGateway> = {},
) {
  const shipments = new Map(stored.map((shipment) => [shipment.shipmentId, shipment]))
  const memory: Memory = { shipments, attempts: [], scans: [], now: 0 }
  const asked: CancelTicket[] = []
  const looked: (TrackedParcel & { timeoutMs: number | undefined })[] = []
  const track = gateway.track ?? (async () => ({ kind: 'unknown', cause: 'HTTP 503' }) as const)
  const carriers: CarrierGateway = {
    book: async (_accountId, { shipmentId }) => ({ kind: 'booked', carrierRef: `REF-${shipmentId}` }),
    canLookUp: () => true,
    channelOf: (carrierCode) => carrierCode,
    room: () => 100,
    ...gateway,
    cancel: (ticket) => {
      asked.push(ticket)
      return carrier(ticket)
    },
    track: (parcel, timeoutMs) => {
      looked.push({ ...parcel, timeoutMs })
      return track(parcel, timeoutMs)
    },
  }
  let processes = 0
  /** Moves this world's clock. */
  const sleep = async (milliseconds: number): Promise<void> => {
    memory.now += milliseconds
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    shipments,
    attempts: memory.attempts,
    scans: memory.scans,
    /** Every question to cancel, in order. */
    asked,
    /** Every look-up, in order. */
    looked,
    /** Lets time pass. */
    pass: (milliseconds: number) => {
      memory.now += milliseconds
    },
    /** Starts a process. */
    process: (): Process => {
      processes += 1
      const owner = `process-${processes}`
      const faults: unknown[] = []
      const alerts: Alert[] = []
      return {
        shipments: shipmentStoreOf(memory, owner),
        recovery: recoveryStoreOf(memory, owner),
        tracking: trackingStoreOf(memory),
        carriers,
        inFlight: openInFlight(),
        clock: () => new Date(memory.now),
        sleep,
        random: () => 0,
        ...{ faults, alerts },
        reportFault: (error) => faults.push(error),
        alert: (alert) => alerts.push(alert),
      }
    },
    /** The policy of the service. */
    policy: { ...CANCEL_POLICY, trackEveryMs: 1_800_000, overdueMs: OVERDUE_MS } satisfies SweepPolicy,
  }
}

/** A carrier's answer that comes when the test says so. */
export function held(): {
  readonly carrier: () => Promise<Said>
  readonly answer: (answer: Said) => void
} {
  let answer: (answer: Said) => void = () => {}
  const promise = new Promise<Said>((resolve) => {
    answer = resolve
  })
  return { carrier: () => promise, answer }
}

/** Answers one after the other; the last one for good. */
export function answers(...list: readonly Said[]): () => Promise<Said> {
  let next = 0
  return async () => list[Math.min(next++, list.length - 1)] ?? { kind: 'unknown', cause: 'no answer left' }
}
