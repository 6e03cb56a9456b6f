/**
 * Other times and another clock for the service in this process, so that scenarios take seconds. The service
 * itself has no settings for them.
 */
import pg from 'pg'
import { type BulkheadLimits, CALLER_LIMITS } from '../../../../src/carriers/gateway/bulkhead.ts'
import { CANCEL_POLICY, type CancelPolicy } from '../../../../src/operations/ask-carrier/policy.ts'
import type { Ports } from '../../../../src/operations/ports/ports.ts'

export type TestTimes = {
  readonly policy?: Partial<CancelPolicy>
  readonly slots?: Partial<BulkheadLimits>
  /** Replaces the carrier's `lookupLagMs`. */
  readonly lookupLagMs?: number
  /** How long a statement waits for its answer; 5 s in the service. Not applied while the app is opened. */
  readonly answerLimitMs?: number
}

/** Changes the defaults in place: call it before the app is opened. */
export function setTimes({ policy, slots }: TestTimes): void {
  Object.assign(CANCEL_POLICY, policy)
  Object.assign(CALLER_LIMITS, slots)
}

/** Call it when the app is open. */
export function limitAnswers({ answerLimitMs }: TestTimes): void {
  if (answerLimitMs === undefined) return
  const { prototype } = pg.Client as unknown as { prototype: PatchedClient }
  const query = prototype.query
  prototype.query = function limited(...args) {
    this.connectionParameters.query_timeout = answerLimitMs
    return query.apply(this, args)
  }
}

type PatchedClient = {
  readonly connectionParameters: { query_timeout?: number }
  query(this: PatchedClient, ...args: unknown[]): unknown
}

/** The ports with the given lag of lookups. */
export function withLookupLag(ports: Ports, { lookupLagMs }: TestTimes): Ports {
  if (lookupLagMs === undefined) return ports
  return { ...ports, carriers: { ...ports.carriers, lookupLagMs: () => lookupLagMs } }
}

let offsetMs = 0

/** Sets the wall clock of this process ahead, or back if negative. Timers are not affected. */
export function setClock(aheadMs: number): void {
  if (offsetMs === 0 && aheadMs !== 0) replaceDate()
  offsetMs = aheadMs
}

function replaceDate(): void {
  const RealDate = globalThis.Date
  class SkewedDate extends RealDate {
    constructor(...args: [] | [string | number | Date]) {
      if (args.length === 0) super(SkewedDate.now())
      else super(...args)
    }
    static override now(): number {
      return RealDate.now() + offsetMs
    }
  }
  globalThis.Date = SkewedDate as DateConstructor
}
