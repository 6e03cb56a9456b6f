/**
 * One round of a cancellation at a carrier: sends it for every parcel that is to be sent, all at once, so that a round
 * takes no longer than a single call, and looks parcels up whose refusal is in doubt.
 * See docs/cancellation.md#what-the-carriers-answer-means and #several-parcels.
 */
import type { CancelTicket, TicketParcel } from '../../core/shipments/cancellation.ts'
import {
  afterAnswer,
  afterLookup,
  firstStep,
  isPartlyCancelled,
  isToBeSent,
  type ParcelOutcome,
  type ParcelResult,
  parcelsOf,
  type Round,
  ticketForParcel,
} from '../../core/shipments/parcels.ts'
import type { Admission, CallOrigin } from '../ports/carriers.ts'
import type { Ports } from '../ports/ports.ts'
import type { CancelPolicy } from './policy.ts'
import { settleWithRetries } from './settlement.ts'

type AskPorts = Pick<Ports, 'shipments' | 'carriers' | 'monotonicMs' | 'sleep' | 'alert'>

/**
 * The first call uses the reserved slot, if `by` is one. Nothing is sent after the lease has ended. If the carrier
 * cancels each parcel, each answer is recorded when it arrives.
 */
export async function askCarrier(
  ports: AskPorts,
  ticket: CancelTicket,
  { by, leasedAtMs }: { readonly by: CallOrigin | Admission; readonly leasedAtMs: number },
  policy: CancelPolicy,
): Promise<Round> {
  const { carriers } = ports
  const { carrierCode } = ticket
  const isEach = ticket.parcels !== undefined && carriers.cancelsEachParcel(carrierCode)
  const parcels = parcelsOf(ticket, isEach)
  const isPart = isPartlyCancelled(parcels)
  const origin = typeof by === 'string' ? by : 'caller'
  const mayStillSend = () => ports.monotonicMs() - leasedAtMs <= policy.sendWithinMs
  const first = parcels.find(isToBeSent)
  if (first === undefined && typeof by !== 'string') by.leave()

  const askFor = async (parcel: TicketParcel): Promise<readonly [string, ParcelOutcome]> => {
    const { carrierRef } = parcel
    let step = firstStep(parcel, isPart)
    if (step.kind === 'Send') {
      const request = isEach ? ticketForParcel(ticket, parcel) : { ticket }
      const { ticket: sent, ...key } = request
      const answer = await carriers.cancel(sent, parcel === first ? by : origin, { ...key, mayStillSend })
      step = afterAnswer(answer, sent.sends)
    }
    if (step.kind === 'LookUp') {
      const lookup = await carriers.track({ ...ticket, carrierRef }, policy.lookupTimeoutMs, origin)
      const trustAfterMs = carriers.canLookUp(carrierCode) ? policy.trustRefusalAfterMs : 0
      step = afterLookup(step, lookup, { lagMs: carriers.lookupLagMs(carrierCode), trustAfterMs })
    }
    if (isEach && step.record !== undefined) await recordParcel(ports, ticket, carrierRef, step.record)
    return [carrierRef, step.outcome]
  }
  const rounds = await Promise.allSettled(parcels.map(askFor))
  const outcomes = rounds.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
  return { ticket, isEach, parcels, outcomes: new Map(outcomes) }
}

export async function recordParcel(
  ports: Pick<Ports, 'shipments' | 'sleep' | 'alert'>,
  ticket: CancelTicket,
  carrierRef: string,
  result: ParcelResult,
): Promise<void> {
  const { carrierCode, shipmentId } = ticket
  const phase = await settleWithRetries(ports, () => ports.shipments.recordParcel(ticket, carrierRef, result))
  if (phase === 'refused' && result.kind === 'cancelled') {
    const detail = `${carrierRef} was cancelled after the attempt had been refused`
    ports.alert({ kind: 'PARTLY_CANCELLED', carrierCode, shipmentId, detail })
  }
}
