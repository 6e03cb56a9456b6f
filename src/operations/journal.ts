/**
 * The journal: one entry for each cancelled draft, booking, and opened or settled attempt. After a restore or a
 * failover to an asynchronous standby, only the journal shows what the database has lost
 * (docs/audit.md#repair-from-the-log). Each entry is written before a caller or a carrier is told what it records. It
 * does not depend on the log, nor on its level.
 */
import type { BookedNumbers } from '../core/shipments/booking.ts'
import type { CancelledBy, CancelTicket } from '../core/shipments/cancellation.ts'
import type { ShipmentState } from '../core/shipments/shipment.ts'
import type { Ports } from './ports/ports.ts'
import type { CancelBeginTerms } from './ports/shipments.ts'

type JournaledPorts = Pick<Ports, 'shipments' | 'recovery' | 'carriers'>

/** Writes an entry: an object with one field, whose name is the kind. Throws if it cannot be written. */
export type WriteJournal = (entry: object) => void

/** The same ports, which write the journal. */
export function withJournal<Given extends JournaledPorts>(ports: Given, write: WriteJournal): Given {
  return {
    ...ports,
    shipments: journaledShipments(ports.shipments, write),
    recovery: journaledRecovery(ports.recovery, write),
    carriers: journaledCarriers(ports.carriers, write),
  }
}

/** The carrier has confirmed the booking, and nobody has been told yet. */
function journaledCarriers(carriers: Ports['carriers'], write: WriteJournal): Ports['carriers'] {
  const booked = (
    accountId: string,
    { shipmentId, carrierCode }: { readonly shipmentId: string; readonly carrierCode: string },
    { carrierRef, parcelRefs, orderRef }: BookedNumbers,
  ): void =>
    write({ bookedShipment: { accountId, shipmentId, carrierCode, carrierRef, parcelRefs, orderRef } })
  return {
    ...carriers,
    async book(accountId, shipment, ...given) {
      const answer = await carriers.book(accountId, shipment, ...given)
      if (answer.kind === 'booked') booked(accountId, shipment, answer)
      return answer
    },
    async findBooking(draft, ...given) {
      const answer = await carriers.findBooking(draft, ...given)
      if (answer.kind === 'booked') booked(draft.accountId, draft, answer)
      return answer
    },
  }
}

/**
 * An attempt is written when it is opened and each time it is taken over, because the earlier entry may be missing.
 * For background work, `requestId` is absent, and `traceParent` is that of the request that opened the attempt.
 */
function noteOpened(
  write: WriteJournal,
  ticket: CancelTicket | undefined,
  { requestId, traceParent = ticket?.traceParent }: Partial<CancelBeginTerms> = {},
): void {
  if (ticket === undefined) return
  const { attemptId, accountId, shipmentId, carrierCode, carrierRef } = ticket
  const traceId = traceParent?.split('-')[1]
  write({
    openedCancellation: { attemptId, accountId, shipmentId, carrierCode, carrierRef, requestId, traceId },
  })
}

function journaledRecovery(recovery: Ports['recovery'], write: WriteJournal): Ports['recovery'] {
  return {
    ...recovery,
    async claimAttempts(...given) {
      const tickets = await recovery.claimAttempts(...given)
      for (const ticket of tickets) noteOpened(write, ticket)
      return tickets
    },
  }
}

function journaledShipments(store: Ports['shipments'], write: WriteJournal): Ports['shipments'] {
  /** A repeated cancellation is written again, because the result of the first one may have been lost. */
  const noteDraft = (
    accountId: string,
    shipmentId: string,
    found: { readonly state: ShipmentState; readonly cancelledBy?: CancelledBy } | undefined,
    requestId?: string,
  ): void => {
    if (found?.state === 'cancelled' && found.cancelledBy === 'draft')
      write({ cancelledDraft: { accountId, shipmentId, requestId } })
  }
  const noteSettled = (
    { attemptId, accountId, shipmentId }: CancelTicket,
    outcome: 'accepted' | 'refused',
  ): void => write({ settledCancellation: { attemptId, accountId, shipmentId, outcome } })
  return {
    ...store,
    async beginCancellation(accountId, shipmentId, ...given) {
      const [terms] = given
      const begun = await store.beginCancellation(accountId, shipmentId, ...given)
      noteDraft(accountId, shipmentId, begun, terms.requestId)
      noteOpened(write, begun?.ticket, terms)
      return begun
    },
    async cancelProgress(accountId, shipmentId, ...given) {
      const progress = await store.cancelProgress(accountId, shipmentId, ...given)
      noteDraft(accountId, shipmentId, progress)
      return progress
    },
    async markBooked(...given) {
      const mark = await store.markBooked(...given)
      noteOpened(write, mark?.withdrawal)
      return mark
    },
    async acceptCancellation(ticket, ...given) {
      const state = await store.acceptCancellation(ticket, ...given)
      noteSettled(ticket, 'accepted')
      return state
    },
    async refuseCancellation(ticket, ...given) {
      const state = await store.refuseCancellation(ticket, ...given)
      if (state !== undefined) noteSettled(ticket, 'refused')
      return state
    },
  }
}
