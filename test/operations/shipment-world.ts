/**
 * Shipments for the tests of the operations: processes over one memory, a carrier with scripted answers, and a clock
 * that only the test advances.
 */
import type { CancelTicket, CarrierCancelAnswer, NotSent } from '../../src/core/shipments/cancellation.ts'
import type { TrackedParcel } from '../../src/core/shipments/tracking.ts'
import { CANCEL_POLICY } from '../../src/operations/ask-carrier/policy.ts'
import type { CancelTerms, CarrierGateway } from '../../src/operations/ports/carriers.ts'
import type { Alert, Ports } from '../../src/operations/ports/ports.ts'
import { openInFlight } from '../../src/operations/ports/work.ts'
import { OVERDUE_MS, type SweepPolicy } from '../../src/operations/sweep/sweep.ts'
import { DRAFT_TERMS } from '../support/app/draft-terms.ts'
import { estimatePorts } from '../support/app/memory-estimates.ts'
import { OPTION_TOKEN_PORTS } from '../support/app/option-token-ports.ts'
import { demoRateBook } from '../support/rates/demo-rate-book.ts'
import { NO_RATES } from '../support/rates/exchange-rates.ts'
import { recoveryStoreOf, trackingStoreOf } from './recovery-memory.ts'
import { type Memory, type StoredShipment, shipmentStoreOf } from './shipment-memory.ts'

/** The ports of one process. All processes share the data. */
export type Process = Pick<
  Ports,
  | 'shipments'
  | 'recovery'
  | 'tracking'
  | 'carriers'
  | 'inFlight'
  | 'clock'
  | 'monotonicMs'
  | 'sleep'
  | 'random'
  | 'reportFault'
  | 'alert'
  | 'reference'
  | 'draftTerms'
  | 'estimates'
  | 'optionTokens'
  | 'optionTokenMinutes'
> & {
  /** The faults written to the log. */
  readonly faults: unknown[]
  /** The alerts sent to people. */
  readonly alerts: Alert[]
}

/** The answer of a carrier to a cancellation, or the reason why it was not sent. */
export type CarrierReply = CarrierCancelAnswer | NotSent

/** A booked shipment of account "acme", with overrides. */
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
    updatedAt: '2026-11-01T10:00:00.000Z',
    ...overrides,
  }
}

/**
 * Creates a world whose carrier answers cancellations with `carrier` and everything else with `gateway`. By default it
 * books everything, answers lookups with `unknown`, and has room.
 */
export function shipmentWorld(
  stored: readonly StoredShipment[],
  carrier: (ticket: CancelTicket, terms?: CancelTerms) => Promise<CarrierReply>,
  gateway: Partial<CarrierGateway> = {},
) {
  const shipments = new Map(stored.map((shipment) => [shipment.shipmentId, shipment]))
  const memory: Memory = { shipments, attempts: [], scans: [], reports: [], keys: new Map(), now: 0 }
  const asked: CancelTicket[] = []
  const keys: string[] = []
  const lookups: (TrackedParcel & { timeoutMs: number | undefined })[] = []
  const track = gateway.track ?? (async () => ({ kind: 'unknown', cause: 'HTTP 503' }) as const)
  const carriers: CarrierGateway = {
    book: async (_accountId, { shipmentId }) => ({ kind: 'booked', carrierRef: `REF-${shipmentId}` }),
    findBooking: async () => ({ kind: 'none' }),
    admit: async () => ({ kind: 'admitted', leave: () => {} }),
    cancelsEachParcel: () => false,
    canLookUp: () => true,
    lookupLagMs: () => 60_000,
    channelOf: (carrierCode) => carrierCode,
    room: () => 100,
    trackingRoom: (carrierCode, accountId) => ({
      ...{ key: carriers.channelOf(carrierCode, accountId), everyMs: 0, batch: 1 },
      calls: carriers.room(carrierCode, accountId, 'lookup'),
    }),
    trackMany: (parcels) => Promise.all(parcels.map((parcel) => carriers.track(parcel))),
    ...gateway,
    cancel: async (ticket, _by, terms) => {
      if (terms?.mayStillSend?.() === false) return { kind: 'not_sent', cause: 'the time is over' }
      asked.push(ticket)
      keys.push(terms?.idempotencyKey ?? ticket.attemptId)
      return carrier(ticket, terms)
    },
    track: (parcel, timeoutMs) => {
      lookups.push({ ...parcel, timeoutMs })
      return track(parcel, timeoutMs)
    },
  }
  let processes = 0
  /** Advances the clock of this world. */
  const sleep = async (milliseconds: number): Promise<void> => {
    memory.now += milliseconds
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    shipments,
    attempts: memory.attempts,
    scans: memory.scans,
    reports: memory.reports,
    /** All cancellations sent, in order. */
    asked,
    /** The idempotency keys of these cancellations. */
    keys,
    /** All lookups, in order. */
    lookups,
    /** The time, in milliseconds since the start of the test. */
    now: () => memory.now,
    /** Waits until the condition is true, without advancing the clock. */
    until: async (condition: () => boolean): Promise<void> => {
      while (!condition()) await new Promise((resolve) => setImmediate(resolve))
    },
    /** Advances the clock. */
    pass: (milliseconds: number) => {
      memory.now += milliseconds
    },
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
        monotonicMs: () => memory.now,
        sleep,
        random: () => 0,
        draftTerms: DRAFT_TERMS,
        ...estimatePorts(() => memory.now),
        ...OPTION_TOKEN_PORTS,
        reference: {
          rateBook: demoRateBook,
          customsTables: () => NO_RATES,
        },
        ...{ faults, alerts },
        reportFault: (error) => faults.push(error),
        alert: (alert) => alerts.push(alert),
      }
    },
    policy: { ...CANCEL_POLICY, trackEveryMs: 1_800_000, overdueMs: OVERDUE_MS } satisfies SweepPolicy,
  }
}

/** A carrier's answer that the test gives later. */
export function delayedAnswer(): {
  readonly carrier: () => Promise<CarrierReply>
  readonly answer: (answer: CarrierReply) => void
} {
  let answer: (answer: CarrierReply) => void = () => {}
  const promise = new Promise<CarrierReply>((resolve) => {
    answer = resolve
  })
  return { carrier: () => promise, answer }
}

/** Answers in sequence; the last one repeats. */
export function answers(...list: readonly CarrierReply[]): () => Promise<CarrierReply> {
  let next = 0
  return async () => list[Math.min(next++, list.length - 1)] ?? { kind: 'unknown', cause: 'no answer left' }
}
