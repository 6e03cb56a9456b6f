/**
 * The rules of cancelling a shipment with several parcels at a carrier that numbers and cancels each parcel, without
 * I/O. One round of an attempt asks for every parcel that is not cancelled yet. The shipment is cancelled when all its
 * parcels are. See docs/cancellation.md#several-parcels.
 */
import {
  type CancelledBy,
  type CancelTicket,
  type CarrierRefusal,
  type FinalSettlement,
  refusalBy,
  retryDelayMs,
  type TicketParcel,
} from './cancellation.ts'

/** The most numbers of one shipment. One round asks for all of them at once. */
export const PARCELS_MAX = 20

/** `isLater`: the carrier will cancel it later. `isFound`: only a lookup says so. */
export type ParcelCancelled = {
  readonly kind: 'cancelled'
  readonly isLater: boolean
  readonly isFound?: boolean
}

/** What a round found out about one parcel, to be recorded before the round ends. */
export type ParcelResult =
  | ParcelCancelled
  | { readonly kind: 'refused'; readonly refusal: CarrierRefusal }
  /** The refusal is in doubt from now on, unless one is recorded already. */
  | { readonly kind: 'doubted'; readonly refusal: CarrierRefusal }
  /** The total number of sends of the attempt that did not include this parcel. */
  | { readonly kind: 'unsent'; readonly total: number }

/**
 * The state of one parcel after a round. `released`: the carrier takes no cancellations and has not scanned the parcel.
 * This is not recorded, because it may be different in the next round.
 */
export type ParcelOutcome =
  | ParcelCancelled
  | { readonly kind: 'released' }
  | { readonly kind: 'refused'; readonly refusal: CarrierRefusal }
  | {
      readonly kind: 'open'
      readonly cause: string
      readonly retryInMs: number
      /** See `UnknownAnswer.repeatAfterMs` and `LookupJudgement`. */
      readonly repeatAfterMs?: number
      /** True if nothing was sent for this parcel. */
      readonly unsent?: boolean
    }

/** The ticket for the request about one parcel. Its idempotency key is the same on every send. */
export function ticketForParcel(
  ticket: CancelTicket,
  { carrierRef, unsent }: TicketParcel,
): { readonly ticket: CancelTicket; readonly idempotencyKey: string } {
  const position = ticket.parcels?.findIndex((parcel) => parcel.carrierRef === carrierRef) ?? 0
  return {
    // At least one, because the ticket counts the send that it is for.
    ticket: { ...ticket, carrierRef, sends: Math.max(1, ticket.sends - unsent) },
    idempotencyKey: `${ticket.attemptId}-${position + 1}`,
  }
}

/** True if nothing is left to send or to look up in doubt, and the carrier has cancelled only some of the parcels. */
export function isPartlyCancelled(parcels: readonly TicketParcel[]): boolean {
  return (
    parcels.some(({ isCancelled }) => isCancelled) &&
    parcels.some((parcel) => !parcel.isCancelled && parcel.refusal !== undefined) &&
    parcels.every(({ isCancelled, refusal }) => isCancelled || refusal !== undefined)
  )
}

/** What follows a round. `Partial`: an operator has to end the attempt, or the carrier cancels the rest after all. */
export type RoundStep =
  | FinalSettlement
  | {
      readonly kind: 'Retry'
      readonly cause: string
      readonly retryInMs: number
      /** A repeat within this time brings nothing new for any of the parcels. */
      readonly repeatAfterMs: number
    }
  | { readonly kind: 'Partial'; readonly cause: string; readonly refusal: FinalSettlement }

/** `outcomes` has an entry for each parcel. */
export function afterRound(outcomes: ReadonlyMap<string, ParcelOutcome>): RoundStep {
  const all = [...outcomes].map(([carrierRef, outcome]) => ({ ...outcome, carrierRef }))
  const open = all.filter((parcel) => parcel.kind === 'open')
  const refused = all.filter((parcel) => parcel.kind === 'refused')
  const cancelled = all.filter((parcel) => parcel.kind === 'cancelled')
  const cause = [
    ...(cancelled.length > 0 ? [`${cancelled.length} of ${all.length} parcels cancelled`] : []),
    ...open.map((parcel) => `${parcel.carrierRef}: ${parcel.cause}`),
    ...refused.map(({ carrierRef, refusal }) => `${carrierRef}: refused (${refusal.code})`),
  ].join('; ')
  if (open.length > 0) {
    const retryInMs = Math.min(...open.map((parcel) => parcel.retryInMs))
    const repeatAfterMs = Math.min(...open.map((parcel) => parcel.repeatAfterMs ?? 0))
    return { kind: 'Retry', cause, retryInMs, repeatAfterMs }
  }
  // A scan is the clearest reason for the partner.
  const shown = refused.find(({ refusal }) => refusal.reason === 'SCANNED') ?? refused[0]
  if (shown === undefined) {
    const cancelledBy: CancelledBy = all.some(({ kind }) => kind === 'released') ? 'release' : 'carrier'
    return { kind: 'Accept', cancelledBy }
  }
  // A release changes nothing at the carrier.
  const refusal = refusalBy(shown.refusal)
  return cancelled.length > 0 ? { kind: 'Partial', cause, refusal } : refusal
}

/** The delay of a parcel without an answer. Every takeover raises the fence, also if it only looks parcels up. */
export function parcelRetryMs({ fence, ageMs }: CancelTicket, random: number): number {
  return retryDelayMs(fence, ageMs, random)
}
