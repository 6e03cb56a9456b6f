/**
 * The statements of the cancellation protocol: begin before a byte goes to the carrier, settle after its
 * answer, nothing held in between. Each is one autocommit statement for READ COMMITTED, locks the shipment and
 * then its attempt (the other order deadlocks), and reads time from the database alone.
 * Source: design/cancellation.md. SQL and not Kysely's builder, because each is one chain of data-modifying
 * CTEs whose order of locks must be seen at a glance.
 */
import { type RawBuilder, sql } from 'kysely'
import type { CancelledBy, CancelTicket } from '../../core/shipments/cancellation.ts'
import type { Refusal, RefusalCode, ShipmentState } from '../../core/shipments/shipment.ts'
import type { CancelBeginTerms, RetryTimes } from '../../operations/ports/shipments.ts'

/** The columns of an attempt that its holder needs; null in a row without one. */
export type TicketRow = {
  carrier_code: string
  carrier_ref: string | null
  attempt_id: string | null
  fence: number | null
  sends: number | null
  age_ms: number | null
}

/** The ticket of a row that holds a lease; undefined for any other row. */
export function ticketOf(accountId: string, shipmentId: string, row: TicketRow): CancelTicket | undefined {
  const { attempt_id: attemptId, carrier_code: carrierCode, carrier_ref: carrierRef, fence, sends } = row
  if (attemptId === null || carrierRef === null || fence === null || sends === null) return undefined
  const ageMs = Math.max(0, row.age_ms ?? 0)
  return { attemptId, shipmentId, accountId, carrierCode, carrierRef, fence, sends, ageMs }
}

/** What begin answers. */
export type BegunRow = TicketRow & {
  state: ShipmentState
  draft_cancelled: boolean
  cancelled_by: CancelledBy | null
  recent_refusal: string | null
  recent_refusal_code: RefusalCode | null
}

/**
 * A row when the shipment exists. With `attempt_id` the caller holds the lease; booked without it and without
 * a recent refusal, another does. A draft that is being booked may lie at the carrier already, so it is not cancelled
 * here alone: the wish is kept, and the end of the booking carries it out. The refusal is read from the shipment's
 * row, which the lock re-reads: from the attempts, under the older snapshot of the statement, some callers missed it
 * and asked the carrier again.
 */
export function beginStatement(
  accountId: string,
  shipmentId: string,
  owner: string,
  { leaseMs, refusalMemoryMs }: CancelBeginTerms,
): RawBuilder<BegunRow> {
  return sql`
    WITH s AS (
      SELECT shipment_id, carrier_code, carrier_ref, state, booking_until, cancelled_by, cancel_refused_at,
          cancel_refusal, cancel_refusal_code
        FROM shipment WHERE shipment_id = ${shipmentId} AND account_id = ${accountId} FOR UPDATE
    ), neg AS (
      SELECT cancel_refusal AS reason, cancel_refusal_code AS code FROM s
        WHERE cancel_refused_at > clock_timestamp() - ${refusalMemoryMs} * interval '1 ms'
    ), d AS (
      UPDATE shipment t SET state = 'cancelled', cancelled_at = clock_timestamp(), cancelled_by = 'draft',
          version = t.version + 1
        FROM s WHERE t.shipment_id = s.shipment_id AND s.state = 'draft' AND s.booking_until IS NULL
        RETURNING t.shipment_id
    ), w AS (
      UPDATE shipment t SET cancel_requested_at = coalesce(t.cancel_requested_at, clock_timestamp())
        FROM s WHERE t.shipment_id = s.shipment_id AND s.state = 'draft' AND s.booking_until IS NOT NULL
    ), e AS (
      INSERT INTO shipment_event (shipment_id, from_state, to_state)
        SELECT shipment_id, 'draft', 'cancelled' FROM d
    ), a AS (
      INSERT INTO cancel_attempt AS c
          (shipment_id, account_id, carrier_code, lease_owner, lease_until, next_try_at)
        SELECT s.shipment_id, ${accountId}, s.carrier_code, ${owner}, ${inMs(leaseMs)}, ${inMs(leaseMs)}
          FROM s WHERE s.state = 'booked' AND NOT EXISTS (SELECT 1 FROM neg)
        ON CONFLICT (shipment_id) WHERE phase = 'pending' DO UPDATE
          SET fence = c.fence + 1, sends = c.sends + 1, lease_owner = excluded.lease_owner,
            lease_until = excluded.lease_until, next_try_at = excluded.next_try_at
          WHERE c.lease_until <= clock_timestamp()
        RETURNING c.attempt_id, c.fence, c.sends, c.begun_at
    )
    SELECT CASE WHEN EXISTS (SELECT 1 FROM d) THEN 'cancelled' ELSE s.state END AS state,
      EXISTS (SELECT 1 FROM d) AS draft_cancelled, s.cancelled_by, s.carrier_code, s.carrier_ref,
      (SELECT reason FROM neg) AS recent_refusal, (SELECT code FROM neg) AS recent_refusal_code,
      a.attempt_id, a.fence, a.sends, ${ageMs('a.begun_at')} AS age_ms
      FROM s LEFT JOIN a ON true`
}

/** How a shipment and its open attempt stand. */
export type ProgressRow = {
  state: ShipmentState
  carrier_ref: string | null
  cancelled_by: CancelledBy | null
  recent_refusal: string | null
  recent_refusal_code: RefusalCode | null
  attempt_id: string | null
  working: boolean | null
  due_in_ms: number | null
}

/**
 * A booking that has not ended is worked at as well. Only refusals that are remembered count: an older one says nothing
 * of an attempt that is gone now.
 */
export function progressStatement(
  accountId: string,
  shipmentId: string,
  refusalMemoryMs: number,
): RawBuilder<ProgressRow> {
  const remembered = sql`s.cancel_refused_at > clock_timestamp() - ${refusalMemoryMs} * interval '1 ms'`
  return sql`
    SELECT s.state, s.carrier_ref, s.cancelled_by, c.attempt_id,
      CASE WHEN ${remembered} THEN s.cancel_refusal END AS recent_refusal,
      CASE WHEN ${remembered} THEN s.cancel_refusal_code END AS recent_refusal_code,
      (s.state = 'draft' AND s.booking_until IS NOT NULL)
        OR (c.lease_owner IS NOT NULL AND c.lease_until > clock_timestamp()) AS working,
      (extract(epoch FROM c.next_try_at - clock_timestamp()) * 1000)::bigint AS due_in_ms
      FROM shipment s
      LEFT JOIN cancel_attempt c ON c.shipment_id = s.shipment_id AND c.phase = 'pending'
      WHERE s.shipment_id = ${shipmentId} AND s.account_id = ${accountId}`
}

/**
 * No fence: that the carrier cancelled is true whoever hears it, also after another heard a refusal. A shipment
 * scanned meanwhile stays in transit and the attempt is marked for people to look at.
 */
export function acceptStatement(
  { attemptId, shipmentId }: CancelTicket,
  cancelledBy: CancelledBy,
): RawBuilder<{ state: ShipmentState }> {
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
      UPDATE shipment t SET state = 'cancelled', cancelled_at = clock_timestamp(),
          cancelled_by = ${cancelledBy}, version = t.version + 1
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
 * look-up later. One for a shipment cancelled here is a booking that could not be withdrawn: for people. One that
 * speaks of a scan makes the shipment's next look-up due.
 */
export function refuseStatement(
  { attemptId, shipmentId, fence }: CancelTicket,
  { code, reason }: Refusal,
  carrierCode: string,
  verifyInMs: number | undefined,
): RawBuilder<{ state: ShipmentState }> {
  return sql`
    WITH l AS (
      SELECT shipment_id, state FROM shipment WHERE shipment_id = ${shipmentId} FOR UPDATE
    ), a AS (
      UPDATE cancel_attempt c SET phase = 'refused', reason = ${reason}, refusal_code = ${code},
          carrier_refusal_code = ${carrierCode}, settled_at = clock_timestamp(), lease_owner = NULL,
          verify_at = CASE WHEN c.sends > 1 THEN ${inMs(verifyInMs)} END,
          anomaly = CASE WHEN l.state = 'cancelled' THEN 'carrier refused, shipment is cancelled here' END
        FROM l WHERE c.attempt_id = ${attemptId} AND c.shipment_id = l.shipment_id
          AND c.fence = ${fence} AND c.phase = 'pending'
        RETURNING c.shipment_id
    )
    UPDATE shipment t SET cancel_refused_at = clock_timestamp(), cancel_refusal = ${reason},
        cancel_refusal_code = ${code},
        next_track_at = CASE WHEN ${code} = 'SCANNED' THEN clock_timestamp() ELSE t.next_track_at END
      FROM l, a WHERE t.shipment_id = l.shipment_id
      RETURNING t.state`
}

/** The lease is free at once for the sweeper when the attempt is due, and for a caller after his wait. */
export function releaseStatement(
  { attemptId, shipmentId, fence }: CancelTicket,
  cause: string,
  { retryInMs, callerWaitMs }: RetryTimes,
): RawBuilder<{ state: ShipmentState }> {
  return sql`
    WITH l AS (
      SELECT shipment_id, state FROM shipment WHERE shipment_id = ${shipmentId} FOR UPDATE
    )
    UPDATE cancel_attempt c SET lease_owner = NULL, lease_until = ${inMs(callerWaitMs)},
        next_try_at = ${inMs(retryInMs)}, last_cause = ${cause}
      FROM l WHERE c.attempt_id = ${attemptId} AND c.shipment_id = l.shipment_id
        AND c.fence = ${fence} AND c.phase = 'pending'
      RETURNING l.state`
}

/**
 * An attempt that never went out leaves nothing behind: its caller hears that. One that waited for a booking is owed to
 * whoever was told that it is pending, and waits on.
 */
export function withdrawStatement(
  { attemptId, shipmentId, fence }: CancelTicket,
  cause: string,
  { retryInMs, callerWaitMs }: RetryTimes,
): RawBuilder<{ withdrawn: boolean; waiting: boolean }> {
  return sql`
    WITH l AS (
      SELECT shipment_id FROM shipment WHERE shipment_id = ${shipmentId} FOR UPDATE
    ), gone AS (
      DELETE FROM cancel_attempt c USING l
        WHERE c.attempt_id = ${attemptId} AND c.shipment_id = l.shipment_id AND c.fence = ${fence}
          AND c.phase = 'pending' AND c.sends = 1 AND NOT c.promised
        RETURNING c.attempt_id
    ), kept AS (
      UPDATE cancel_attempt c SET sends = c.sends - 1, lease_owner = NULL, lease_until = ${inMs(callerWaitMs)},
          next_try_at = ${inMs(retryInMs)}, last_cause = ${cause}
        FROM l WHERE c.attempt_id = ${attemptId} AND c.shipment_id = l.shipment_id AND c.fence = ${fence}
          AND c.phase = 'pending' AND (c.sends > 1 OR c.promised)
        RETURNING c.attempt_id
    )
    SELECT EXISTS (SELECT 1 FROM gone) AS withdrawn, EXISTS (SELECT 1 FROM kept) AS waiting FROM l`
}

/**
 * Locks the shipments first and in one order, as ever. What another has locked is being settled right now:
 * skipped, so that a shutdown waits for no one.
 */
export function releaseLeasesStatement(owner: string): RawBuilder<{ attempt_id: string }> {
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

/** An instant of the database's clock, so many milliseconds from now; null when there is no such number. */
export function inMs(milliseconds: number | undefined): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + ${milliseconds ?? null}::double precision * interval '1 ms'`
}

/** Milliseconds since the instant in a column. */
export function ageMs(column: string): RawBuilder<number> {
  return sql<number>`(extract(epoch FROM clock_timestamp() - ${sql.ref(column)}) * 1000)::bigint`
}
