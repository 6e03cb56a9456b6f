/** Runs the statements of the cancellation protocol and converts their rows (docs/cancellation.md#the-protocol). */
import { type Kysely, sql } from 'kysely'
import type {
  CancelBegun,
  CancellableParcel,
  CancelledBy,
  CancelProgress,
} from '../../core/shipments/cancellation.ts'
import {
  isShipmentId,
  type Refusal,
  type RefusalCode,
  type ShipmentState,
} from '../../core/shipments/shipment.ts'
import { NotExecuted, type ShipmentStore } from '../../operations/ports/shipments.ts'
import type { Database } from '../database/database.ts'
import { wasNotExecuted } from '../database/outage.ts'
import { shipmentOfJson } from '../row-types/shipments.ts'
import { type ArchivedShipment, findArchived } from './archive.ts'
import { ticketOf } from './cancel-tickets.ts'
import {
  acceptStatement,
  type BegunRow,
  beginCancellation,
  type FoundJson,
  type ProgressRow,
  progressStatement,
  recordParcelStatement,
  refuseStatement,
  releaseLeasesStatement,
  releaseStatement,
} from './cancellation-statements.ts'

/** The part of the shipment store that cancels. */
export type CancellationStore = Pick<
  ShipmentStore,
  | 'beginCancellation'
  | 'cancelProgress'
  | 'acceptCancellation'
  | 'refuseCancellation'
  | 'releaseCancellation'
  | 'recordParcel'
  | 'recordPartAlert'
  | 'releaseLeases'
>

/**
 * How long the statement that begins has an effect, by the database's clock. Refusals are remembered for longer than
 * this and the longest execution of a statement together. See docs/cancellation.md#delayed-statements.
 */
export const BEGIN_VALID_MS = 15_000

/**
 * `owner` identifies this process in the leases that it takes. `monotonicMs` is a clock that is never set back or
 * forward.
 */
export function cancellationStore(
  db: Kysely<Database>,
  owner: string,
  monotonicMs: () => number = () => performance.now(),
): CancellationStore {
  // The time of the database when `monotonicMs` is 0, at the latest: the last result may have been on its way for long.
  let databaseEpoch = Number.POSITIVE_INFINITY
  return {
    async beginCancellation(accountId, shipmentId, terms) {
      if (!isShipmentId(shipmentId)) return undefined
      const { withShipment = false, traceParent = '', requestId: _, ...limits } = terms
      const notAfter = databaseEpoch + monotonicMs() + BEGIN_VALID_MS
      const values = { ...limits, withShipment, traceParent, accountId, shipmentId, owner, notAfter }
      const [row] = await orNotExecuted(beginCancellation(db, values))
      if (row === undefined) return archivedBegun(db, accountId, shipmentId)
      databaseEpoch = row.now - monotonicMs()
      if (!row.draft_cancelled && row.found === null)
        throw new NotExecuted(new Error('the statement that begins reached the database too late'))
      return toBegun(accountId, shipmentId, row)
    },

    async cancelProgress(accountId, shipmentId, refusalMemoryMs) {
      if (!isShipmentId(shipmentId)) return undefined
      const { rows } = await progressStatement(accountId, shipmentId, refusalMemoryMs).execute(db)
      return rows[0] === undefined ? archivedProgress(db, accountId, shipmentId) : toProgress(rows[0])
    },

    async acceptCancellation(ticket, cancelledBy, verifyInMs, isFound = false) {
      const { rows } = await acceptStatement(ticket, cancelledBy, verifyInMs, isFound).execute(db)
      if (rows[0] === undefined) throw new Error(`the shipment of attempt ${ticket.attemptId} does not exist`)
      return rows[0].state
    },

    async refuseCancellation(ticket, refusal, carrierCode, verifyInMs) {
      const { rows } = await refuseStatement(ticket, refusal, carrierCode, verifyInMs).execute(db)
      return rows[0]?.state
    },

    async releaseCancellation(ticket, release) {
      const { rows } = await releaseStatement(ticket, release).execute(db)
      return rows[0]?.state
    },

    async recordParcel(ticket, carrierRef, result) {
      const { rows } = await recordParcelStatement(ticket, carrierRef, result).execute(db)
      if (rows[0] === undefined) throw new Error(`attempt ${ticket.attemptId} does not exist`)
      return rows[0].phase
    },

    async recordPartAlert({ attemptId, accountId }) {
      await sql`
        UPDATE cancel_attempt SET partly_alerted_at = clock_timestamp()
          WHERE account_id = ${accountId} AND attempt_id = ${attemptId} AND partly_alerted_at IS NULL`.execute(
        db,
      )
    },

    async releaseLeases() {
      const { rows } = await releaseLeasesStatement(owner).execute(db)
      return rows.length
    },
  }
}

/** The contract has one answer for each state, however old the shipment is. */
async function archivedBegun(
  db: Kysely<Database>,
  accountId: string,
  shipmentId: string,
): Promise<CancelBegun | undefined> {
  // The first statement has found nothing, so nothing is recorded, whatever happens to this one.
  const found = await findArchived(db, accountId, shipmentId).catch((error: unknown) => {
    throw new NotExecuted(error)
  })
  if (found === undefined) return undefined
  return { ...archivedState(found), draftCancelled: false }
}

async function archivedProgress(
  db: Kysely<Database>,
  accountId: string,
  shipmentId: string,
): Promise<CancelProgress | undefined> {
  const found = await findArchived(db, accountId, shipmentId)
  if (found === undefined) return undefined
  return { ...archivedState(found), attempt: 'none' }
}

function archivedState({ state, cancelledBy }: ArchivedShipment) {
  return {
    state,
    ...(cancelledBy !== undefined && { cancelledBy }),
    ...(state === 'booked' && { isWindowClosed: true as const }),
  }
}

function toBegun(accountId: string, shipmentId: string, { shipment, found }: BegunRow): CancelBegun {
  if (found === null)
    return {
      state: 'cancelled',
      draftCancelled: true,
      cancelledBy: 'draft',
      ...(shipment !== null && { shipment: shipmentOfJson(shipment) }),
    }
  const ticket = ticketOf(accountId, shipmentId, { ...found, booked_since: new Date(found.booked_since) })
  const recentRefusal = refusalOf(found.recent_refusal_code, found.recent_refusal)
  const { state } = found
  const cancellable =
    ticket === undefined && recentRefusal === undefined ? cancellableOf(accountId, found) : undefined
  const cancelledBy = cancelledByOf(found.cancelled_by, { state, carrierRef: found.carrier_ref })
  const { carrier_code: carrierCode, suspect_lineage: lineage } = found
  return {
    state,
    draftCancelled: false,
    ...(lineage !== null && { suspectDraft: { accountId, shipmentId, carrierCode, lineage } }),
    ...(cancelledBy !== undefined && { cancelledBy }),
    ...(recentRefusal !== undefined && { recentRefusal }),
    ...(ticket !== undefined && { ticket }),
    ...(cancellable !== undefined && { cancellable }),
  }
}

function cancellableOf(accountId: string, row: FoundJson): CancellableParcel | undefined {
  const { state, carrier_code: carrierCode, carrier_ref: carrierRef, open_attempt: openAttempt } = row
  if (state !== 'booked' || carrierRef === null || openAttempt === 'working') return undefined
  return { accountId, carrierCode, carrierRef, attemptIsOpen: openAttempt === 'waiting' }
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

/** The result of a statement. Throws `NotExecuted` if the statement was certainly not executed. */
export async function orNotExecuted<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (error) {
    throw wasNotExecuted(error) ? new NotExecuted(error) : error
  }
}

export function refusalOf(code: RefusalCode | null, reason: string | null): Refusal | undefined {
  return reason === null ? undefined : { code: code ?? 'NOT_CANCELLABLE', reason }
}
