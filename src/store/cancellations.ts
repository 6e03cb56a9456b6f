/**
 * The statements of the cancellation protocol: begin before a byte goes to the carrier, settle after its
 * answer, nothing held in between. Each is one autocommit statement for READ COMMITTED, locks the shipment and
 * then its attempt (the other order deadlocks), and reads time from the database alone.
 * Source: design/cancellation.md. SQL and not Kysely's builder, because each is one chain of data-modifying
 * CTEs whose order of locks must be seen at a glance.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CancelBegun, CancelStanding, CancelTicket } from '../core/shipments/cancellation.ts'
import { isShipmentId, type ShipmentState } from '../core/shipments/shipment.ts'
import type { CancelBeginTerms, ShipmentStore } from '../operations/ports.ts'
import type { Database } from './database.ts'

/** The part of the shipment store that cancels. */
export type CancellationStore = Pick<
  ShipmentStore,
  | 'beginCancellation'
  | 'cancelStanding'
  | 'acceptCancellation'
  | 'refuseCancellation'
  | 'releaseCancellation'
  | 'releaseLeases'
>

/** Binds the protocol to a database; `owner` names this process in the leases it takes. */
export function cancellationStore(db: Kysely<Database>, owner: string): CancellationStore {
  return {
    async beginCancellation(accountId, shipmentId, terms) {
      if (!isShipmentId(shipmentId)) return undefined
      const { rows } = await beginStatement(accountId, shipmentId, owner, terms).execute(db)
      return rows[0] === undefined ? undefined : begun(shipmentId, rows[0])
    },

    async cancelStanding(accountId, shipmentId) {
      if (!isShipmentId(shipmentId)) return undefined
      const { rows } = await standingStatement(accountId, shipmentId).execute(db)
      return rows[0] === undefined ? undefined : standing(rows[0])
    },

    async acceptCancellation(ticket) {
      const { rows } = await acceptStatement(ticket).execute(db)
      if (rows[0] === undefined) throw new Error(`no attempt ${ticket.attemptId} to accept`)
      return rows[0].state
    },

    async refuseCancellation(ticket, reason, verifyInMs) {
      const { rows } = await refuseStatement(ticket, reason, verifyInMs).execute(db)
      return rows.length > 0
    },

    async releaseCancellation(ticket, cause, retryInMs) {
      const { rows } = await releaseStatement(ticket, cause, retryInMs).execute(db)
      return rows.length > 0
    },

    async releaseLeases() {
      const { rows } = await releaseLeasesStatement(owner).execute(db)
      return rows.length
    },
  }
}

type BegunRow = {
  state: ShipmentState
  draft_cancelled: boolean
  carrier_code: string
  carrier_ref: string | null
  recent_refusal: string | null
  attempt_id: string | null
  fence: number | null
  sends: number | null
}

/**
 * A row when the shipment exists. With `attempt_id` the caller holds the lease; booked without it and without
 * a recent refusal, another does. The refusal is read from the shipment's row, which the lock re-reads: from
 * the attempts, under the older snapshot of the statement, some callers missed it and asked the carrier again.
 */
function beginStatement(
  accountId: string,
  shipmentId: string,
  owner: string,
  { leaseMs, refusalMemoryMs }: CancelBeginTerms,
): RawBuilder<BegunRow> {
  return sql`
    WITH s AS (
      SELECT shipment_id, carrier_code, carrier_ref, state, cancel_refused_at, cancel_refusal
        FROM shipment WHERE shipment_id = ${shipmentId} AND account_id = ${accountId} FOR UPDATE
    ), neg AS (
      SELECT cancel_refusal AS reason FROM s
        WHERE cancel_refused_at > clock_timestamp() - ${refusalMemoryMs} * interval '1 ms'
    ), d AS (
      UPDATE shipment t SET state = 'cancelled', cancelled_at = clock_timestamp(), version = t.version + 1
        FROM s WHERE t.shipment_id = s.shipment_id AND s.state = 'draft' RETURNING t.shipment_id
    ), e AS (
      INSERT INTO shipment_event (shipment_id, from_state, to_state)
        SELECT shipment_id, 'draft', 'cancelled' FROM d
    ), a AS (
      INSERT INTO cancel_attempt AS c (shipment_id, account_id, lease_owner, lease_until, next_try_at)
        SELECT s.shipment_id, ${accountId}, ${owner}, ${inMs(leaseMs)}, ${inMs(leaseMs)}
          FROM s WHERE s.state = 'booked' AND NOT EXISTS (SELECT 1 FROM neg)
        ON CONFLICT (shipment_id) WHERE phase = 'pending' DO UPDATE
          SET fence = c.fence + 1, sends = c.sends + 1, lease_owner = excluded.lease_owner,
            lease_until = excluded.lease_until, next_try_at = excluded.next_try_at
          WHERE c.lease_until <= clock_timestamp()
        RETURNING c.attempt_id, c.fence, c.sends
    )
    SELECT CASE WHEN EXISTS (SELECT 1 FROM d) THEN 'cancelled' ELSE s.state END AS state,
      EXISTS (SELECT 1 FROM d) AS draft_cancelled, s.carrier_code, s.carrier_ref,
      (SELECT reason FROM neg) AS recent_refusal, a.attempt_id, a.fence, a.sends
      FROM s LEFT JOIN a ON true`
}

function begun(shipmentId: string, row: BegunRow): CancelBegun {
  const ticket = ticketOf(shipmentId, row)
  return {
    state: row.state,
    draftCancelled: row.draft_cancelled,
    ...(row.carrier_ref !== null && { carrierRef: row.carrier_ref }),
    ...(row.recent_refusal !== null && { recentRefusal: row.recent_refusal }),
    ...(ticket !== undefined && { ticket }),
  }
}

/** The ticket of a row that holds a lease; undefined for any other row. */
export function ticketOf(
  shipmentId: string,
  row: Pick<BegunRow, 'carrier_code' | 'carrier_ref' | 'attempt_id' | 'fence' | 'sends'>,
): CancelTicket | undefined {
  const { attempt_id: attemptId, carrier_code: carrierCode, carrier_ref: carrierRef, fence, sends } = row
  if (attemptId === null || carrierRef === null || fence === null || sends === null) return undefined
  return { attemptId, shipmentId, carrierCode, carrierRef, fence, sends }
}

type StandingRow = {
  state: ShipmentState
  carrier_ref: string | null
  cancel_refusal: string | null
  attempt_id: string | null
  working: boolean | null
}

function standingStatement(accountId: string, shipmentId: string): RawBuilder<StandingRow> {
  return sql`
    SELECT s.state, s.carrier_ref, s.cancel_refusal, c.attempt_id,
      c.lease_owner IS NOT NULL AND c.lease_until > clock_timestamp() AS working
      FROM shipment s
      LEFT JOIN cancel_attempt c ON c.shipment_id = s.shipment_id AND c.phase = 'pending'
      WHERE s.shipment_id = ${shipmentId} AND s.account_id = ${accountId}`
}

function standing(row: StandingRow): CancelStanding {
  const open = row.working === true ? 'working' : 'waiting'
  return {
    state: row.state,
    attempt: row.attempt_id === null ? 'none' : open,
    ...(row.carrier_ref !== null && { carrierRef: row.carrier_ref }),
    ...(row.cancel_refusal !== null && { refusal: row.cancel_refusal }),
  }
}

/**
 * No fence: that the carrier cancelled is true whoever hears it, also after another heard a refusal. A shipment
 * scanned meanwhile stays in transit and the attempt is marked for people to look at.
 */
function acceptStatement({ attemptId, shipmentId }: CancelTicket): RawBuilder<{ state: ShipmentState }> {
  return sql`
    WITH l AS (
      SELECT shipment_id, state FROM shipment WHERE shipment_id = ${shipmentId} FOR UPDATE
    ), a AS (
      UPDATE cancel_attempt c SET phase = 'accepted', settled_at = clock_timestamp(), verify_at = NULL,
          lease_owner = NULL,
          anomaly = CASE WHEN l.state = 'in_transit' THEN 'carrier accepted, shipment in transit' END
        FROM l WHERE c.attempt_id = ${attemptId} AND c.shipment_id = l.shipment_id
          AND c.phase IN ('pending', 'refused')
        RETURNING c.attempt_id
    ), s AS (
      UPDATE shipment t SET state = 'cancelled', cancelled_at = clock_timestamp(), version = t.version + 1
        FROM l, a WHERE t.shipment_id = l.shipment_id AND l.state = 'booked'
        RETURNING t.shipment_id, a.attempt_id
    ), e AS (
      INSERT INTO shipment_event (shipment_id, from_state, to_state, attempt_id)
        SELECT shipment_id, 'booked', 'cancelled', attempt_id FROM s
    )
    SELECT CASE WHEN EXISTS (SELECT 1 FROM s) THEN 'cancelled' ELSE l.state END AS state FROM l`
}

/**
 * A refusal after an earlier send of unknown end may only mean "there is nothing left to cancel", so it gets a
 * look-up later. Refused for a shipment cancelled here is a booking that could not be withdrawn: for people.
 */
function refuseStatement(
  { attemptId, shipmentId, fence }: CancelTicket,
  reason: string,
  verifyInMs: number,
): RawBuilder<{ shipment_id: string }> {
  return sql`
    WITH l AS (
      SELECT shipment_id, state FROM shipment WHERE shipment_id = ${shipmentId} FOR UPDATE
    ), a AS (
      UPDATE cancel_attempt c SET phase = 'refused', reason = ${reason}, settled_at = clock_timestamp(),
          lease_owner = NULL, verify_at = CASE WHEN c.sends > 1 THEN ${inMs(verifyInMs)} END,
          anomaly = CASE WHEN l.state = 'cancelled' THEN 'carrier refused, shipment is cancelled here' END
        FROM l WHERE c.attempt_id = ${attemptId} AND c.shipment_id = l.shipment_id
          AND c.fence = ${fence} AND c.phase = 'pending'
        RETURNING c.shipment_id
    )
    UPDATE shipment t SET cancel_refused_at = clock_timestamp(), cancel_refusal = ${reason}
      FROM l, a WHERE t.shipment_id = l.shipment_id
      RETURNING t.shipment_id`
}

function releaseStatement(
  { attemptId, shipmentId, fence }: CancelTicket,
  cause: string,
  retryInMs: number,
): RawBuilder<{ attempt_id: string }> {
  return sql`
    WITH l AS (
      SELECT shipment_id FROM shipment WHERE shipment_id = ${shipmentId} FOR UPDATE
    )
    UPDATE cancel_attempt c SET lease_owner = NULL, lease_until = clock_timestamp(),
        next_try_at = ${inMs(retryInMs)}, last_cause = ${cause}
      FROM l WHERE c.attempt_id = ${attemptId} AND c.shipment_id = l.shipment_id
        AND c.fence = ${fence} AND c.phase = 'pending'
      RETURNING c.attempt_id`
}

/**
 * Locks the shipments first and in one order, as ever. What another has locked is being settled right now:
 * skipped, so that a shutdown waits for no one.
 */
function releaseLeasesStatement(owner: string): RawBuilder<{ attempt_id: string }> {
  return sql`
    WITH l AS (
      SELECT t.shipment_id FROM shipment t
        JOIN cancel_attempt c ON c.shipment_id = t.shipment_id AND c.phase = 'pending'
        WHERE c.lease_owner = ${owner}
        ORDER BY t.shipment_id FOR UPDATE OF t SKIP LOCKED
    )
    UPDATE cancel_attempt c SET lease_owner = NULL, lease_until = clock_timestamp(),
        next_try_at = clock_timestamp(), last_cause = 'shutdown'
      FROM l WHERE c.shipment_id = l.shipment_id AND c.phase = 'pending' AND c.lease_owner = ${owner}
      RETURNING c.attempt_id`
}

/** An instant of the database's clock, so many milliseconds from now. */
export function inMs(milliseconds: number): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + ${milliseconds} * interval '1 ms'`
}
