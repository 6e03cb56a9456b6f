/** Runs the statements of the cancellation protocol and converts their rows (docs/cancellation.md#the-protocol). */
import type { Kysely } from 'kysely'
import type { CancelBegun, CancelledBy, CancelProgress } from '../../core/shipments/cancellation.ts'
import {
  isShipmentId,
  type Refusal,
  type RefusalCode,
  type ShipmentState,
} from '../../core/shipments/shipment.ts'
import type { ShipmentStore } from '../../operations/ports/shipments.ts'
import type { Database } from '../database/database.ts'
import {
  acceptStatement,
  type BegunRow,
  beginStatement,
  type ProgressRow,
  progressStatement,
  refuseStatement,
  releaseLeasesStatement,
  releaseStatement,
  ticketOf,
  withdrawStatement,
} from './cancellation-statements.ts'

/** The part of the shipment store that cancels. */
export type CancellationStore = Pick<
  ShipmentStore,
  | 'beginCancellation'
  | 'cancelProgress'
  | 'acceptCancellation'
  | 'refuseCancellation'
  | 'releaseCancellation'
  | 'withdrawCancellation'
  | 'releaseLeases'
>

/** `owner` identifies this process in the leases that it takes. */
export function cancellationStore(db: Kysely<Database>, owner: string): CancellationStore {
  return {
    async beginCancellation(accountId, shipmentId, terms) {
      if (!isShipmentId(shipmentId)) return undefined
      const { rows } = await beginStatement(accountId, shipmentId, owner, terms).execute(db)
      return rows[0] === undefined ? undefined : toBegun(accountId, shipmentId, rows[0])
    },

    async cancelProgress(accountId, shipmentId, refusalMemoryMs) {
      if (!isShipmentId(shipmentId)) return undefined
      const { rows } = await progressStatement(accountId, shipmentId, refusalMemoryMs).execute(db)
      return rows[0] === undefined ? undefined : toProgress(rows[0])
    },

    async acceptCancellation(ticket, cancelledBy) {
      const { rows } = await acceptStatement(ticket, cancelledBy).execute(db)
      if (rows[0] === undefined) throw new Error(`the shipment of attempt ${ticket.attemptId} does not exist`)
      return rows[0].state
    },

    async refuseCancellation(ticket, refusal, carrierCode, verifyInMs) {
      const { rows } = await refuseStatement(ticket, refusal, carrierCode, verifyInMs).execute(db)
      return rows[0]?.state
    },

    async releaseCancellation(ticket, cause, times) {
      const { rows } = await releaseStatement(ticket, cause, times).execute(db)
      return rows[0]?.state
    },

    async withdrawCancellation(ticket, cause, times) {
      const { rows } = await withdrawStatement(ticket, cause, times).execute(db)
      if (rows[0]?.withdrawn) return 'withdrawn'
      return rows[0]?.waiting ? 'waiting' : 'void'
    },

    async releaseLeases() {
      const { rows } = await releaseLeasesStatement(owner).execute(db)
      return rows.length
    },
  }
}

function toBegun(accountId: string, shipmentId: string, row: BegunRow): CancelBegun {
  const ticket = ticketOf(accountId, shipmentId, row)
  const recentRefusal = refusalOf(row.recent_refusal_code, row.recent_refusal)
  const state = { state: row.state, carrierRef: row.carrier_ref }
  const cancelledBy = row.draft_cancelled ? 'draft' : cancelledByOf(row.cancelled_by, state)
  return {
    state: row.state,
    draftCancelled: row.draft_cancelled,
    ...(cancelledBy !== undefined && { cancelledBy }),
    ...(recentRefusal !== undefined && { recentRefusal }),
    ...(ticket !== undefined && { ticket }),
  }
}

function toProgress(row: ProgressRow): CancelProgress {
  const recentRefusal = refusalOf(row.recent_refusal_code, row.recent_refusal)
  const cancelledBy = cancelledByOf(row.cancelled_by, { state: row.state, carrierRef: row.carrier_ref })
  return {
    state: row.state,
    attempt: row.working === true ? 'working' : row.attempt_id === null ? 'none' : 'waiting',
    ...(row.due_in_ms !== null && { dueInMs: row.due_in_ms }),
    ...(cancelledBy !== undefined && { cancelledBy }),
    ...(recentRefusal !== undefined && { recentRefusal }),
  }
}

/** For a cancelled shipment without `cancelled_by`, such as a demo shipment, a tracking number means the carrier. */
function cancelledByOf(
  recorded: CancelledBy | null,
  { state, carrierRef }: { readonly state: ShipmentState; readonly carrierRef: string | null },
): CancelledBy | undefined {
  if (state !== 'cancelled') return undefined
  return recorded ?? (carrierRef === null ? 'draft' : 'carrier')
}

export function refusalOf(code: RefusalCode | null, reason: string | null): Refusal | undefined {
  return reason === null ? undefined : { code: code ?? 'NOT_CANCELLABLE', reason }
}
