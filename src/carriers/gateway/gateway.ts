/**
 * The gateway: all calls to carriers go through it. It selects the connector, and applies the time limit, the bulkhead
 * and the circuit breaker. See docs/cancellation.md#protection-against-broken-carriers.
 */
import type { CancelTicket, NotSent } from '../../core/shipments/cancellation.ts'
import type { CarrierCall } from '../../operations/ports/carrier-calls.ts'
import type { CarrierGateway } from '../../operations/ports/carriers.ts'
import type { Alert } from '../../operations/ports/ports.ts'
import { withTimeout } from '../../operations/ports/work.ts'
import { type Connector, hintsOf } from '../connector.ts'
import { NotSentError } from '../not-sent.ts'
import {
  checkedCancelAnswer,
  hasDotSegment,
  isDotSegment,
  NOT_CONFIGURED,
  notSent,
  UNUSABLE_NUMBER,
} from './answers.ts'
import { bookings } from './bookings.ts'
import type { BulkheadLimits } from './bulkhead.ts'
import { runner } from './calls.ts'
import { type Carriers, freeBackgroundSlots, openSlots } from './channels.ts'
import { lookups } from './lookups.ts'

/** Time limit of one call, in milliseconds. */
export const CARRIER_TIMEOUT_MS = 8_000
/** Time limit for what a call needs before it is recorded. A caller waits for this, and then for the call. */
export const PREPARE_LIMIT_MS = 2_500

export type GatewayOptions = {
  /** Default: `CARRIER_TIMEOUT_MS`. */
  readonly timeoutMs?: number
  /** The limits for callers in each channel. Default: `CALLER_LIMITS`. */
  readonly bulkhead?: BulkheadLimits
  readonly alert?: (alert: Alert) => void
  /** Gets the record of each call that had a slot. Must not throw. */
  readonly record?: (call: CarrierCall) => void
}

/** Opens a gateway. There is one set of limits per channel: one per carrier, and one per account with credentials. */
export function carrierGateway(carriers: Carriers, options: GatewayOptions = {}): CarrierGateway {
  const { timeoutMs = CARRIER_TIMEOUT_MS, alert = () => {}, record } = options
  const slots = openSlots(carriers, options.bulkhead)
  const run = runner(slots, carriers, { alert, record })

  return {
    async admit({ accountId, carrierCode, carrierRef = '' }) {
      if (isDotSegment(carrierRef)) return UNUSABLE_NUMBER
      const connector = carriers.connectorOf(carrierCode, accountId)
      if (connector === undefined) return NOT_CONFIGURED
      const admission = await slots.admit(carrierCode, accountId)
      if (admission.kind === 'not_sent' || connector.prepare === undefined) return admission
      const limitMs = Math.min(PREPARE_LIMIT_MS, timeoutMs)
      const fault = await preparationFault(connector, limitMs)
      if (fault === undefined) return admission
      // Ends the admission as a call that failed, with the same alerts and effects on the circuit.
      const subject = carrierRef === '' ? accountId : carrierRef
      const answer = await run({
        kind: 'command',
        purpose: 'prepare',
        carrierCode,
        accountId,
        subject,
        limitMs,
        by: admission,
        send: (): Promise<NotSent> => Promise.reject(fault),
      })
      return notSent(answer.cause)
    },
    async cancel(ticket, by = 'caller', terms = {}) {
      const { attemptId, accountId, carrierCode, carrierRef, sends, ageMs } = ticket
      if (hasDotSegment(ticket)) return UNUSABLE_NUMBER
      const connector = carriers.connectorOf(carrierCode, accountId)
      if (connector === undefined) return NOT_CONFIGURED
      const { idempotencyKey = attemptId, mayStillSend } = terms
      const request = { carrierCode, carrierRef, idempotencyKey, sends, ageMs, ...hintsOf(ticket) }
      const answer = await run({
        kind: 'command',
        carrierCode,
        accountId,
        subject: subjectOf(ticket),
        limitMs: timeoutMs,
        by,
        purpose: 'cancel',
        carrierRef,
        attemptId,
        spend: () => (mayStillSend?.() === false ? TOO_LATE : undefined),
        send: (signal) => connector.cancel(request, signal),
      })
      return checkedCancelAnswer(answer)
    },
    ...bookings(carriers, run, timeoutMs),
    ...lookups(carriers, slots, run, { timeoutMs, alert }),
    cancelsEachParcel: (carrierCode) => carriers.cancelsEachParcel(carrierCode),
    canLookUp: (carrierCode) => carriers.canLookUp(carrierCode),
    lookupLagMs: (carrierCode) => carriers.lookupLagMs(carrierCode),
    channelOf: (carrierCode, accountId) => carriers.channelOf(carrierCode, accountId).key,
    room: (carrierCode, accountId, kind) =>
      freeBackgroundSlots(slots.limitsOf(carriers.channelOf(carrierCode, accountId)), kind),
  }
}

/** Why `prepare` failed; undefined if it succeeded within the limit. */
function preparationFault(connector: Connector, limitMs: number): Promise<unknown> {
  const prepared = async () => connector.prepare?.(AbortSignal.timeout(limitMs))
  return withTimeout<unknown>(
    prepared().catch((error: unknown) => error),
    limitMs,
    () => new NotSentError(`not ready within ${limitMs} ms`),
  )
}

const TOO_LATE = 'the time for this send is over'

/** One shipment with many parcels must not open the circuit by itself. */
function subjectOf({ carrierRef, parcels }: CancelTicket): string {
  return parcels?.[0]?.carrierRef ?? carrierRef
}
