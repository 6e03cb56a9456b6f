/**
 * The middle steps of a cancellation at a carrier: one call under a lease, a lookup if the answer needs one, and one
 * settlement. Used for callers and by the sweeper. See docs/cancellation.md#what-the-carriers-answer-means.
 */
import {
  afterLookup,
  type CancelOutcome,
  type CancelTicket,
  type Doubt,
  needsLookup,
  refusalBy,
  retryDelayMs,
} from '../../core/shipments/cancellation.ts'
import type { Admission, CallOrigin } from '../ports/carriers.ts'
import { askForEach } from './ask-for-parcels.ts'
import type { CancelPolicy } from './policy.ts'
import {
  type AskPorts,
  lookupTerms,
  postpone,
  release,
  retryTimes,
  settle,
  settleFinally,
  settleWithRetries,
} from './settlement.ts'

/**
 * Asks the carrier once, or looks the parcel up if a refusal is in doubt, and settles the attempt by the answer. If the
 * carrier cancels each parcel, does so for each one. `leasedAtMs` is the time before the statement that took the lease,
 * by `Ports.monotonicMs`: nothing is sent after the lease has ended. Returns undefined if another process has settled
 * the attempt; poll the shipment for the outcome.
 */
export async function askCarrier(
  ports: AskPorts,
  ticket: CancelTicket,
  by: CallOrigin | Admission,
  leasedAtMs: number,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  const origin = typeof by === 'string' ? by : 'caller'
  const mayStillSend = () => ports.monotonicMs() - leasedAtMs <= policy.sendWithinMs
  const { parcels } = ticket
  if (parcels !== undefined && ports.carriers.cancelsEachParcel(ticket.carrierCode))
    return askForEach({ ports, ticket, parcels, by, mayStillSend, policy })
  if (ticket.doubt !== undefined) {
    if (typeof by !== 'string') by.leave()
    return lookUpRefusal(ports, ticket, ticket.doubt, origin, policy)
  }
  const answer = await ports.carriers.cancel(ticket, by, { mayStillSend })
  if (answer.kind === 'not_sent') return postpone(ports, ticket, answer.cause, policy)
  if (needsLookup(answer, ticket))
    return lookUpRefusal(ports, ticket, { refusal: answer, ageMs: 0 }, origin, policy)
  return settle(ports, ticket, answer, policy)
}

/** Looks a parcel up whose refusal is in doubt, and settles the attempt or leaves it open for another lookup. */
async function lookUpRefusal(
  ports: AskPorts,
  ticket: CancelTicket,
  doubt: Doubt,
  origin: CallOrigin,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  const lookup = await ports.carriers.track(ticket, policy.lookupTimeoutMs, origin)
  const judgement = afterLookup(doubt, lookup, lookupTerms(ports, ticket, policy))
  switch (judgement.kind) {
    case 'Cancelled': {
      const accepted = { kind: 'Accept', cancelledBy: 'carrier' } as const
      return settleWithRetries(ports, () => settleFinally(ports, ticket, accepted, { isFound: true }))
    }
    case 'Refused': {
      const refused = refusalBy(doubt.refusal)
      const verifyInMs = judgement.verify ? policy.verifyAfterMs : undefined
      return settleWithRetries(ports, () => settleFinally(ports, ticket, refused, { verifyInMs }))
    }
    case 'LookUpAgain': {
      const { cause, repeatAfterMs } = judgement
      // The fence counts the lookups as well. The number of sends no longer rises.
      const againInMs = judgement.againInMs ?? retryDelayMs(ticket.fence, ticket.ageMs, ports.random())
      const times = retryTimes(againInMs, policy, repeatAfterMs)
      return release(ports, ticket, { cause, times, doubt: doubt.refusal })
    }
  }
}
