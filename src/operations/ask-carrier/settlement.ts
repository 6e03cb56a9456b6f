/** Records what a carrier's answer means: the attempt is ended, or left open with the time of the next try. */
import {
  alreadyInTransit,
  type CancelOutcome,
  type CancelTicket,
  type CarrierCancelAnswer,
  cancellationPending,
  carrierRefused,
  type FinalSettlement,
  type LookupTerms,
  retryDelayMs,
  settlementFor,
  shipmentCancelled,
} from '../../core/shipments/cancellation.ts'
import type { Ports } from '../ports/ports.ts'
import type { Release, RetryTimes } from '../ports/shipments.ts'
import { CANCEL_POLICY, type CancelPolicy } from './policy.ts'

export type AskPorts = Pick<Ports, 'shipments' | 'carriers' | 'monotonicMs' | 'sleep' | 'random' | 'alert'>

/** Pauses between the tries to record a carrier's answer; the last one repeats. */
const SETTLE_PAUSES_MS = [50, 400, 1_000]

/**
 * Leaves an attempt open that could not be sent. It is never removed: a caller may wait for it. The delay grows with
 * the fence, because the number of sends does not.
 */
export function postpone(
  ports: AskPorts,
  ticket: CancelTicket,
  cause: string,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  const retryInMs = retryDelayMs(ticket.fence, ticket.ageMs, ports.random())
  // While a refusal is in doubt, a ticket counts no send.
  const unsent = ticket.doubt === undefined
  return release(ports, ticket, { cause, times: retryTimes(retryInMs, policy), unsent })
}

export async function release(
  ports: AskPorts,
  ticket: CancelTicket,
  terms: Release,
): Promise<CancelOutcome | undefined> {
  const { shipmentId } = ticket
  const state = await settleWithRetries(ports, () => ports.shipments.releaseCancellation(ticket, terms))
  if (state === 'in_transit') return alreadyInTransit(shipmentId)
  return state === undefined ? undefined : cancellationPending(shipmentId)
}

export function settle(
  ports: AskPorts,
  ticket: CancelTicket,
  answer: CarrierCancelAnswer,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  const settlement = settlementFor(answer, ticket, ports.random())
  if (settlement.kind === 'Release') {
    const { cause, retryInMs } = settlement
    const repeatAfterMs = answer.kind === 'unknown' ? (answer.repeatAfterMs ?? 0) : 0
    return release(ports, ticket, { cause, times: retryTimes(retryInMs, policy, repeatAfterMs) })
  }
  const isAccepted = answer.kind === 'cancelled' && answer.how === 'accepted'
  const verifyInMs = isAccepted ? policy.verifyAcceptedAfterMs : undefined
  return settleWithRetries(ports, () => settleFinally(ports, ticket, settlement, { verifyInMs }))
}

/** How a settlement is verified later. `isFound`: only a lookup says that the carrier has cancelled. */
export type VerifyTerms = { readonly verifyInMs?: number | undefined; readonly isFound?: boolean }

export async function settleFinally(
  { shipments, alert }: AskPorts,
  ticket: CancelTicket,
  settlement: FinalSettlement,
  { verifyInMs, isFound }: VerifyTerms,
): Promise<CancelOutcome | undefined> {
  const { shipmentId, carrierCode } = ticket
  switch (settlement.kind) {
    case 'Accept': {
      const state = await shipments.acceptCancellation(ticket, settlement.cancelledBy, verifyInMs, isFound)
      if (state === 'cancelled') return shipmentCancelled(shipmentId, settlement.cancelledBy, false)
      if (state !== 'in_transit')
        throw new Error(`the carrier cancelled shipment ${shipmentId}, which is ${state}`)
      alert({ kind: 'ACCEPTED_IN_TRANSIT', carrierCode, shipmentId })
      return alreadyInTransit(shipmentId)
    }
    case 'Refuse': {
      const { refusal } = settlement
      const state = await shipments.refuseCancellation(ticket, refusal, settlement.carrierCode, verifyInMs)
      if (state === 'booked') return carrierRefused(shipmentId, refusal)
      if (state === 'in_transit') return alreadyInTransit(shipmentId)
      if (state === 'cancelled')
        alert({ kind: 'WITHDRAWAL_REFUSED', carrierCode, shipmentId, detail: refusal.reason })
      return undefined
    }
  }
}

export function retryTimes(retryInMs: number, { callerWaitMs }: CancelPolicy, repeatAfterMs = 0): RetryTimes {
  return { retryInMs, callerWaitMs: Math.max(repeatAfterMs, Math.min(retryInMs, callerWaitMs)) }
}

/**
 * Records a carrier's answer. While the store fails, it tries again for a lease (`CANCEL_POLICY.leaseMs`), because only
 * this process has the answer. `settlement` must be safe to repeat: the second refusal or release of one ticket changes
 * nothing.
 */
export async function settleWithRetries<Result>(
  { sleep }: Pick<Ports, 'sleep'>,
  settlement: () => Promise<Result>,
): Promise<Result> {
  let waitedMs = 0
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await settlement()
    } catch (error) {
      if (waitedMs >= CANCEL_POLICY.leaseMs) throw error
    }
    const pauseMs = SETTLE_PAUSES_MS[Math.min(attempt, SETTLE_PAUSES_MS.length - 1)] ?? 0
    waitedMs += pauseMs
    await sleep(pauseMs)
  }
}

/** How the lookups of a carrier are to be read when a refusal is in doubt. */
export function lookupTerms(
  { carriers }: AskPorts,
  { carrierCode }: CancelTicket,
  { trustRefusalAfterMs }: CancelPolicy,
): LookupTerms {
  return {
    lagMs: carriers.lookupLagMs(carrierCode),
    trustAfterMs: carriers.canLookUp(carrierCode) ? trustRefusalAfterMs : 0,
  }
}
