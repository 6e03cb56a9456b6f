/**
 * The SQL statements of the cancellation protocol (docs/cancellation.md#the-protocol). The attempt is recorded before
 * the carrier is called and settled after it has answered; no transaction is open in between. Each statement commits by
 * itself, is written for READ COMMITTED, and reads the time from the database.
 *
 * Each statement locks the shipment and then its attempt; the opposite order can deadlock. The statements are plain SQL
 * and not Kysely, so that their text shows the order of locks: each one is a chain of data-modifying CTEs.
 */
import { type RawBuilder, sql } from 'kysely'
import type { CancelledBy, CancelTicket } from '../../core/shipments/cancellation.ts'
import type { Refusal, RefusalCode, ShipmentState } from '../../core/shipments/shipment.ts'
import type { CancelBeginTerms, RetryTimes } from '../../operations/ports/shipments.ts'

/** The columns of a shipment and its attempt that make a ticket. Attempt columns are null in rows without a lease. */
export type TicketRow = {
  carrier_code: string
  carrier_ref: string | null
  attempt_id: string | null
  fence: number | null
  sends: number | null
  age_ms: number | null
}

/** Undefined for rows without a lease. */
export function ticketOf(accountId: string, shipmentId: string, row: TicketRow): CancelTicket | undefined {
  const { attempt_id: attemptId, carrier_code: carrierCode, carrier_ref: carrierRef, fence, sends } = row
  if (attemptId === null || carrierRef === null || fence === null || sends === null) return undefined
  const ageMs = Math.max(0, row.age_ms ?? 0)
  return { attemptId, shipmentId, accountId, carrierCode, carrierRef, fence, sends, ageMs }
}

export type BegunRow = TicketRow & {
  state: ShipmentState
  draft_cancelled: boolean
  cancelled_by: CancelledBy | null
  recent_refusal: string | null
  recent_refusal_code: RefusalCode | null
}

/**
 * Returns a row if the shipment exists. If the row has an `attempt_id`, the caller holds the lease. If a booked
 * shipment has neither an `attempt_id` nor a recent refusal, another process holds the lease.
 *
 * A draft is cancelled at once, unless it is being booked. In that case the carrier may already have the booking, so
 * the request is recorded and carried out when the booking ends.
 *
 * The refusal is read from the shipment, because FOR UPDATE returns the newest version of the row. Attempts are read
 * from the older snapshot of the statement. A caller that waited for the lock would not see the refusal there, and
 * would call the carrier again.
 */
export function beginStatement(
  accountId: string,
  shipmentId: string,
  owner: string,
  { leaseMs, refusalMemoryMs }: CancelBeginTerms,
): RawBuilder<BegunRow> {
  return sql`
    WITH locked AS (
      SELECT shipment_id, carrier_code, carrier_ref, state, booking_until, cancelled_by, cancel_refused_at,
          cancel_refusal, cancel_refusal_code
        FROM shipment WHERE shipment_id = ${shipmentId} AND account_id = ${accountId} FOR UPDATE
    ), recent_refusal AS (
      SELECT cancel_refusal AS reason, cancel_refusal_code AS code FROM locked
        WHERE cancel_refused_at > clock_timestamp() - ${refusalMemoryMs} * interval '1 ms'
    ), cancelled AS (
      UPDATE shipment SET state = 'cancelled', cancelled_at = clock_timestamp(), cancelled_by = 'draft',
          version = shipment.version + 1
        FROM locked WHERE shipment.shipment_id = locked.shipment_id
          AND locked.state = 'draft' AND locked.booking_until IS NULL
        RETURNING shipment.shipment_id
    ), requested AS (
      UPDATE shipment SET cancel_requested_at = coalesce(shipment.cancel_requested_at, clock_timestamp())
        FROM locked WHERE shipment.shipment_id = locked.shipment_id
          AND locked.state = 'draft' AND locked.booking_until IS NOT NULL
    ), logged AS (
      INSERT INTO shipment_event (shipment_id, from_state, to_state)
        SELECT shipment_id, 'draft', 'cancelled' FROM cancelled
    ), leased AS (
      INSERT INTO cancel_attempt AS attempt
          (shipment_id, account_id, carrier_code, lease_owner, lease_until, next_try_at)
        SELECT locked.shipment_id, ${accountId}, locked.carrier_code, ${owner}, ${inMs(leaseMs)}, ${inMs(leaseMs)}
          FROM locked WHERE locked.state = 'booked' AND NOT EXISTS (SELECT 1 FROM recent_refusal)
        ON CONFLICT (shipment_id) WHERE phase = 'pending' DO UPDATE
          SET fence = attempt.fence + 1, sends = attempt.sends + 1, lease_owner = excluded.lease_owner,
            lease_until = excluded.lease_until, next_try_at = excluded.next_try_at
          WHERE attempt.lease_until <= clock_timestamp()
        RETURNING attempt.attempt_id, attempt.fence, attempt.sends, attempt.begun_at
    )
    SELECT CASE WHEN EXISTS (SELECT 1 FROM cancelled) THEN 'cancelled' ELSE locked.state END AS state,
      EXISTS (SELECT 1 FROM cancelled) AS draft_cancelled,
      locked.cancelled_by, locked.carrier_code, locked.carrier_ref,
      (SELECT reason FROM recent_refusal) AS recent_refusal, (SELECT code FROM recent_refusal) AS recent_refusal_code,
      leased.attempt_id, leased.fence, leased.sends, ${ageMs('leased.begun_at')} AS age_ms
      FROM locked LEFT JOIN leased ON true`
}

/** A shipment with its open attempt. */
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

/** A running booking counts as `working`. Refusals older than `refusalMemoryMs` belong to earlier attempts. */
export function progressStatement(
  accountId: string,
  shipmentId: string,
  refusalMemoryMs: number,
): RawBuilder<ProgressRow> {
  const isRecent = sql`shipment.cancel_refused_at > clock_timestamp() - ${refusalMemoryMs} * interval '1 ms'`
  return sql`
    SELECT shipment.state, shipment.carrier_ref, shipment.cancelled_by, attempt.attempt_id,
      CASE WHEN ${isRecent} THEN shipment.cancel_refusal END AS recent_refusal,
      CASE WHEN ${isRecent} THEN shipment.cancel_refusal_code END AS recent_refusal_code,
      (shipment.state = 'draft' AND shipment.booking_until IS NOT NULL)
        OR (attempt.lease_owner IS NOT NULL AND attempt.lease_until > clock_timestamp()) AS working,
      (extract(epoch FROM attempt.next_try_at - clock_timestamp()) * 1000)::bigint AS due_in_ms
      FROM shipment
      LEFT JOIN cancel_attempt AS attempt ON attempt.shipment_id = shipment.shipment_id AND attempt.phase = 'pending'
      WHERE shipment.shipment_id = ${shipmentId} AND shipment.account_id = ${accountId}`
}

/**
 * Does not check the fence, because the carrier has cancelled the parcel no matter which process received the answer.
 * It also replaces a refusal that another process has recorded. A shipment that was scanned in the meantime stays in
 * transit, and the attempt gets an anomaly.
 */
export function acceptStatement(
  { attemptId, shipmentId }: CancelTicket,
  cancelledBy: CancelledBy,
): RawBuilder<{ state: ShipmentState }> {
  return sql`
    WITH locked AS (
      SELECT shipment_id, state FROM shipment WHERE shipment_id = ${shipmentId} FOR UPDATE
    ), settled AS (
      UPDATE cancel_attempt AS attempt SET phase = 'accepted', settled_at = clock_timestamp(), verify_at = NULL,
          lease_owner = NULL,
          anomaly = CASE WHEN locked.state = 'in_transit' THEN 'carrier accepted, shipment in transit' END
        FROM locked WHERE attempt.attempt_id = ${attemptId} AND attempt.shipment_id = locked.shipment_id
          AND attempt.phase IN ('pending', 'refused')
        RETURNING attempt.attempt_id
    ), cancelled AS (
      UPDATE shipment SET state = 'cancelled', cancelled_at = clock_timestamp(),
          cancelled_by = ${cancelledBy}, version = shipment.version + 1
        FROM locked, settled WHERE shipment.shipment_id = locked.shipment_id AND locked.state = 'booked'
        RETURNING shipment.shipment_id, settled.attempt_id
    ), logged AS (
      INSERT INTO shipment_event (shipment_id, from_state, to_state, attempt_id)
        SELECT shipment_id, 'booked', 'cancelled', attempt_id FROM cancelled
    )
    SELECT CASE WHEN EXISTS (SELECT 1 FROM cancelled) THEN 'cancelled' ELSE locked.state END AS state FROM locked`
}

/**
 * A refusal after an unconfirmed send may mean that an earlier send has already cancelled the parcel, so it is verified
 * by a lookup later. If the shipment is cancelled in Waybill, the refusal means that its booking could not be
 * withdrawn, and the attempt gets an anomaly. The code SCANNED makes the next lookup of the shipment due at once.
 */
export function refuseStatement(
  { attemptId, shipmentId, fence }: CancelTicket,
  { code, reason }: Refusal,
  carrierCode: string,
  verifyInMs: number | undefined,
): RawBuilder<{ state: ShipmentState }> {
  return sql`
    WITH locked AS (
      SELECT shipment_id, state FROM shipment WHERE shipment_id = ${shipmentId} FOR UPDATE
    ), settled AS (
      UPDATE cancel_attempt AS attempt SET phase = 'refused', reason = ${reason}, refusal_code = ${code},
          carrier_refusal_code = ${carrierCode}, settled_at = clock_timestamp(), lease_owner = NULL,
          verify_at = CASE WHEN attempt.sends > 1 THEN ${inMs(verifyInMs)} END,
          anomaly = CASE WHEN locked.state = 'cancelled' THEN 'carrier refused, shipment is cancelled here' END
        FROM locked WHERE attempt.attempt_id = ${attemptId} AND attempt.shipment_id = locked.shipment_id
          AND attempt.fence = ${fence} AND attempt.phase = 'pending'
        RETURNING attempt.shipment_id
    )
    UPDATE shipment SET cancel_refused_at = clock_timestamp(), cancel_refusal = ${reason},
        cancel_refusal_code = ${code},
        next_track_at = CASE WHEN ${code} = 'SCANNED' THEN clock_timestamp() ELSE shipment.next_track_at END
      FROM locked, settled WHERE shipment.shipment_id = locked.shipment_id
      RETURNING shipment.state`
}

/** Frees the lease. The sweeper can take it after `retryInMs`, a repeated request after `callerWaitMs`. */
export function releaseStatement(
  { attemptId, shipmentId, fence }: CancelTicket,
  cause: string,
  { retryInMs, callerWaitMs }: RetryTimes,
): RawBuilder<{ state: ShipmentState }> {
  return sql`
    WITH locked AS (
      SELECT shipment_id, state FROM shipment WHERE shipment_id = ${shipmentId} FOR UPDATE
    )
    UPDATE cancel_attempt AS attempt SET lease_owner = NULL, lease_until = ${inMs(callerWaitMs)},
        next_try_at = ${inMs(retryInMs)}, last_cause = ${cause}
      FROM locked WHERE attempt.attempt_id = ${attemptId} AND attempt.shipment_id = locked.shipment_id
        AND attempt.fence = ${fence} AND attempt.phase = 'pending'
      RETURNING locked.state`
}

/**
 * Deletes an attempt that was never sent; its caller gets an error. The attempt stays open if an earlier send may have
 * arrived, or if its caller already got the response that the cancellation is pending (`promised`, when a booking opens
 * the attempt).
 */
export function withdrawStatement(
  { attemptId, shipmentId, fence }: CancelTicket,
  cause: string,
  { retryInMs, callerWaitMs }: RetryTimes,
): RawBuilder<{ withdrawn: boolean; waiting: boolean }> {
  return sql`
    WITH locked AS (
      SELECT shipment_id FROM shipment WHERE shipment_id = ${shipmentId} FOR UPDATE
    ), withdrawn AS (
      DELETE FROM cancel_attempt AS attempt USING locked
        WHERE attempt.attempt_id = ${attemptId} AND attempt.shipment_id = locked.shipment_id
          AND attempt.fence = ${fence} AND attempt.phase = 'pending' AND attempt.sends = 1 AND NOT attempt.promised
        RETURNING attempt.attempt_id
    ), waiting AS (
      UPDATE cancel_attempt AS attempt SET sends = attempt.sends - 1, lease_owner = NULL,
          lease_until = ${inMs(callerWaitMs)}, next_try_at = ${inMs(retryInMs)}, last_cause = ${cause}
        FROM locked WHERE attempt.attempt_id = ${attemptId} AND attempt.shipment_id = locked.shipment_id
          AND attempt.fence = ${fence} AND attempt.phase = 'pending' AND (attempt.sends > 1 OR attempt.promised)
        RETURNING attempt.attempt_id
    )
    SELECT EXISTS (SELECT 1 FROM withdrawn) AS withdrawn, EXISTS (SELECT 1 FROM waiting) AS waiting FROM locked`
}

/**
 * Locks the shipments in the order of their ids. Skips locked ones: another transaction is settling them, and a shutdown
 * must not wait.
 */
export function releaseLeasesStatement(owner: string): RawBuilder<{ attempt_id: string }> {
  return sql`
    WITH locked AS (
      SELECT shipment.shipment_id FROM shipment
        JOIN cancel_attempt AS attempt ON attempt.shipment_id = shipment.shipment_id AND attempt.phase = 'pending'
        WHERE attempt.lease_owner = ${owner}
        ORDER BY shipment.shipment_id FOR UPDATE OF shipment SKIP LOCKED
    )
    UPDATE cancel_attempt AS attempt SET lease_owner = NULL, lease_until = clock_timestamp(),
        next_try_at = clock_timestamp(), last_cause = 'shutdown'
      FROM locked WHERE attempt.shipment_id = locked.shipment_id AND attempt.phase = 'pending'
        AND attempt.lease_owner = ${owner}
      RETURNING attempt.attempt_id`
}

/** The database's time plus the given milliseconds; null for undefined. */
export function inMs(milliseconds: number | undefined): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + ${milliseconds ?? null}::double precision * interval '1 ms'`
}

/** Milliseconds since the time in a column. */
export function ageMs(column: string): RawBuilder<number> {
  return sql<number>`(extract(epoch FROM clock_timestamp() - ${sql.ref(column)}) * 1000)::bigint`
}
