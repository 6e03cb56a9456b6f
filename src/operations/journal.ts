/**
 * The journal: one log line for each cancelled draft, booking, and opened or settled attempt. After a restore or a failover
 * to an asynchronous standby, only the log shows what the database has lost (docs/audit.md#repair-from-the-log). Each line
 * is written before a caller or a carrier is told what it records.
 */
import type { BookedNumbers } from '../core/shipments/booking.ts'
import type { CancelledBy, CancelTicket } from '../core/shipments/cancellation.ts'
import type { ShipmentState } from '../core/shipments/shipment.ts'
import type { Ports } from './ports/ports.ts'

type JournaledPorts = Pick<Ports, 'shipments' | 'recovery' | 'carriers'>

/** Writes a line. Resolves when it is written. */
export type WriteJournal = (
  kind: 'draftCancelled' | 'booked' | 'opened' | 'settled',
  line: object,
) => Promise<void>

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
    { carrierRef, parcelRefs }: BookedNumbers,
  ) => write('booked', { bookedShipment: { accountId, shipmentId, carrierCode, carrierRef, parcelRefs } })
  return {
    ...carriers,
    async book(accountId, shipment, ...given) {
      const answer = await carriers.book(accountId, shipment, ...given)
      if (answer.kind === 'booked') await booked(accountId, shipment, answer)
      return answer
    },
    async findBooking(draft, ...given) {
      const answer = await carriers.findBooking(draft, ...given)
      if (answer.kind === 'booked') await booked(draft.accountId, draft, answer)
      return answer
    },
  }
}

/** An attempt is logged when it is opened, and when it is taken over first: the result of its opening may have been lost. */
const LOGGED_FENCES = 2

async function noteOpened(write: WriteJournal, ticket: CancelTicket | undefined): Promise<void> {
  if (ticket === undefined || ticket.fence > LOGGED_FENCES) return
  const { attemptId, accountId, shipmentId, carrierCode, carrierRef } = ticket
  await write('opened', {
    openedCancellation: { attemptId, accountId, shipmentId, carrierCode, carrierRef },
  })
}

function journaledRecovery(recovery: Ports['recovery'], write: WriteJournal): Ports['recovery'] {
  return {
    ...recovery,
    async claimAttempts(...given) {
      const tickets = await recovery.claimAttempts(...given)
      await Promise.all(tickets.map((ticket) => noteOpened(write, ticket)))
      return tickets
    },
  }
}

function journaledShipments(store: Ports['shipments'], write: WriteJournal): Ports['shipments'] {
  /** A repeated cancellation is logged again, because the result of the first one may have been lost. */
  const noteDraft = async (
    accountId: string,
    shipmentId: string,
    found: { readonly state: ShipmentState; readonly cancelledBy?: CancelledBy } | undefined,
  ): Promise<void> => {
    if (found?.state === 'cancelled' && found.cancelledBy === 'draft')
      await write('draftCancelled', { cancelledDraft: { accountId, shipmentId } })
  }
  const noteSettled = (
    { attemptId, accountId, shipmentId }: CancelTicket,
    outcome: 'accepted' | 'refused',
  ): Promise<void> => write('settled', { settledCancellation: { attemptId, accountId, shipmentId, outcome } })
  return {
    ...store,
    async beginCancellation(accountId, shipmentId, ...given) {
      const begun = await store.beginCancellation(accountId, shipmentId, ...given)
      await noteDraft(accountId, shipmentId, begun)
      await noteOpened(write, begun?.ticket)
      return begun
    },
    async cancelProgress(accountId, shipmentId, ...given) {
      const progress = await store.cancelProgress(accountId, shipmentId, ...given)
      await noteDraft(accountId, shipmentId, progress)
      return progress
    },
    async markBooked(...given) {
      const mark = await store.markBooked(...given)
      await noteOpened(write, mark?.withdrawal)
      return mark
    },
    async acceptCancellation(ticket, ...given) {
      const state = await store.acceptCancellation(ticket, ...given)
      await noteSettled(ticket, 'accepted')
      return state
    },
    async refuseCancellation(ticket, ...given) {
      const state = await store.refuseCancellation(ticket, ...given)
      if (state !== undefined) await noteSettled(ticket, 'refused')
      return state
    },
  }
}
