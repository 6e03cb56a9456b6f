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
import type { ParcelResult, Release } from '../../core/shipments/parcels.ts'
import type {
  CancelAttemptPhase,
  Refusal,
  RefusalCode,
  ShipmentState,
} from '../../core/shipments/shipment.ts'
import type { CancelBeginTerms } from '../../operations/ports/shipments.ts'
import { compiledStatement } from '../database/compiled-statement.ts'
import { isNotMoved } from '../database/moved-accounts.ts'
import { ageMs, epochMs, inMs } from '../database/times.ts'
import { SHIPMENT_COLUMNS, type ShipmentJson } from '../row-types/shipments.ts'
import { type TicketRow, ticketColumns } from './cancel-tickets.ts'
import { SUSPECT_LINEAGE } from './restores.ts'

/** What the statement found, unless it has cancelled a draft. A column of type JSON, so times are texts. */
export type FoundJson = Omit<TicketRow, 'booked_since'> & {
  booked_since: string
  state: ShipmentState
  cancelled_by: CancelledBy | null
  recent_refusal: string | null
  recent_refusal_code: RefusalCode | null
  /** The current lineage, if the shipment is a suspect draft. */
  suspect_lineage: string | null
  /** 'none', 'working' (leased) or 'waiting': the open attempt before this statement. */
  open_attempt: 'none' | 'working' | 'waiting'
}

/** If neither `draft_cancelled` is true nor `found` present, the statement was late and has done nothing. */
export type BegunRow = {
  /** The time of the database, in milliseconds. */
  now: number
  draft_cancelled: boolean
  /** The cancelled draft, if the caller reads it. */
  shipment: ShipmentJson | null
  found: FoundJson | null
}

export type BeginValues = Required<Omit<CancelBeginTerms, 'requestId'>> & {
  readonly accountId: string
  readonly shipmentId: string
  readonly owner: string
  /** The time of the database from which on the statement does nothing, in milliseconds. */
  readonly notAfter: number
}

/**
 * Returns a row if the shipment exists. If `found` has an `attempt_id`, the caller holds the lease. If a booked
 * shipment has neither an `attempt_id` nor a recent refusal, another process holds the lease.
 *
 * A draft is cancelled at once, unless it is suspect (see `SUSPECT_LINEAGE`) or being booked. In the latter case the
 * carrier may already have the booking, so the request is recorded and carried out when the booking ends.
 *
 * The statement does nothing if it gets the lock at `notAfter` or later. A packet can be delayed on its way, and a
 * refusal that another process has recorded in the meantime is then no longer remembered. See
 * docs/cancellation.md#delayed-statements.
 *
 * The refusal is read from the shipment, because FOR UPDATE returns the newest version of the row. Attempts are read
 * from the older snapshot of the statement. A caller that waited for the lock would not see the refusal there, and
 * would call the carrier again.
 *
 * The result has few columns, because the driver reads a description of each column with every result. That takes
 * longer than parsing JSON.
 */
export const beginCancellation = compiledStatement<BeginValues, BegunRow>(
  [
    'accountId',
    'shipmentId',
    'owner',
    'mayOpen',
    'leaseMs',
    'refusalMemoryMs',
    'withShipment',
    'traceParent',
    'notAfter',
  ],
  ({
    accountId,
    shipmentId,
    owner,
    mayOpen,
    leaseMs,
    refusalMemoryMs,
    withShipment,
    traceParent,
    notAfter,
  }) => sql`
    WITH held AS (
      SELECT shipment_id, carrier_code, carrier_ref, parcel_refs, cancelled_refs, carrier_order_ref, state, booking_until,
          cancelled_by,
          coalesce(booked_at, created_at) AS booked_since,
          cancel_refused_at, cancel_refusal, cancel_refusal_code,
          CASE WHEN state = 'draft' AND booking_until IS NULL THEN ${SUSPECT_LINEAGE} END AS suspect_lineage
        FROM shipment WHERE shipment_id = ${shipmentId} AND account_id = ${accountId} FOR UPDATE
    ), locked AS (
      SELECT * FROM held WHERE ${epochMs(sql`clock_timestamp()`)} < ${notAfter}::double precision
    ), recent_refusal AS (
      SELECT cancel_refusal AS reason, cancel_refusal_code AS code FROM locked
        WHERE cancel_refused_at > clock_timestamp() - ${refusalMemoryMs} * interval '1 ms'
    ), cancelled AS (
      UPDATE shipment SET state = 'cancelled', cancelled_at = clock_timestamp(), cancelled_by = 'draft',
          version = shipment.version + 1
        FROM locked WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = locked.shipment_id
          AND locked.state = 'draft' AND locked.booking_until IS NULL AND locked.suspect_lineage IS NULL
        RETURNING ${sql.join(SHIPMENT_COLUMNS.map((column) => sql.ref(`shipment.${column}`)))}
    ), requested AS (
      UPDATE shipment SET cancel_requested_at = coalesce(shipment.cancel_requested_at, clock_timestamp())
        FROM locked WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = locked.shipment_id
          AND locked.state = 'draft' AND locked.booking_until IS NOT NULL
    ), logged AS (
      INSERT INTO shipment_event (account_id, shipment_id, from_state, to_state)
        SELECT ${accountId}, shipment_id, 'draft', 'cancelled' FROM cancelled
    ), leased AS (
      INSERT INTO cancel_attempt AS attempt
          (shipment_id, account_id, carrier_code, lease_owner, lease_until, next_try_at, promised,
          trace_parent)
        SELECT locked.shipment_id, ${accountId}, locked.carrier_code, ${owner}, ${inMs(leaseMs)}, ${inMs(leaseMs)}, true,
          nullif(${traceParent}::text, '')
          FROM locked WHERE locked.state = 'booked' AND ${mayOpen}::boolean
            AND NOT EXISTS (SELECT 1 FROM recent_refusal)
        ON CONFLICT (shipment_id, account_id) WHERE phase = 'pending' DO UPDATE
          SET fence = attempt.fence + 1, sends = attempt.sends + ${ONE_UNLESS_IN_DOUBT}, lease_owner = excluded.lease_owner,
            lease_until = excluded.lease_until, next_try_at = excluded.next_try_at
          WHERE attempt.lease_until <= clock_timestamp()
        RETURNING attempt.*
    ), found AS (
      SELECT locked.state, locked.cancelled_by, locked.carrier_code, locked.carrier_ref, locked.parcel_refs,
        locked.cancelled_refs, locked.carrier_order_ref, locked.booked_since, locked.suspect_lineage,
        (SELECT reason FROM recent_refusal) AS recent_refusal, (SELECT code FROM recent_refusal) AS recent_refusal_code,
        ${ticketColumns('leased')},
        coalesce((SELECT CASE WHEN attempt.lease_until > clock_timestamp() THEN 'working' ELSE 'waiting' END
          FROM cancel_attempt AS attempt WHERE attempt.account_id = ${accountId}
            AND attempt.shipment_id = locked.shipment_id AND attempt.phase = 'pending'), 'none') AS open_attempt
        FROM locked LEFT JOIN leased ON true
        WHERE NOT EXISTS (SELECT 1 FROM cancelled)
    )
    SELECT ${epochMs(sql`clock_timestamp()`)} AS now, cancelled.shipment_id IS NOT NULL AS draft_cancelled,
      CASE WHEN ${withShipment}::boolean THEN row_to_json(cancelled) END AS shipment,
      row_to_json(found) AS found
      FROM held LEFT JOIN cancelled ON true LEFT JOIN found ON true`,
)

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
      LEFT JOIN cancel_attempt AS attempt ON attempt.account_id = ${accountId}
        AND attempt.shipment_id = shipment.shipment_id AND attempt.phase = 'pending'
      WHERE shipment.shipment_id = ${shipmentId} AND shipment.account_id = ${accountId}`
}

/**
 * Does not check the fence, because the carrier has cancelled the parcel no matter which process received the answer.
 * A refusal that another process or an operator has recorded is replaced. A shipment that was scanned in the
 * meantime stays in transit. The attempt then gets an anomaly, as it does if the answer contradicts an operator.
 * `isFound`: only a lookup says that the carrier has cancelled, so later ones verify it.
 */
export function acceptStatement(
  { attemptId, accountId, shipmentId }: CancelTicket,
  cancelledBy: CancelledBy,
  verifyInMs: number | undefined,
  isFound: boolean,
): RawBuilder<{ state: ShipmentState }> {
  return sql`
    WITH locked AS (
      SELECT shipment_id, state FROM shipment
        WHERE account_id = ${accountId} AND shipment_id = ${shipmentId} FOR UPDATE
    ), settled AS (
      UPDATE cancel_attempt AS attempt SET phase = 'accepted', settled_at = clock_timestamp(),
          verify_at = ${inMs(verifyInMs)}, lease_owner = NULL,
          anomaly = CASE WHEN locked.state = 'in_transit' THEN 'carrier accepted, shipment in transit'
            WHEN attempt.operator_outcome = 'refused' THEN 'carrier accepted, an operator had settled as refused' END
        FROM locked WHERE attempt.account_id = ${accountId} AND attempt.attempt_id = ${attemptId}
          AND attempt.shipment_id = locked.shipment_id AND attempt.phase IN ('pending', 'refused')
        RETURNING attempt.attempt_id
    ), cancelled AS (
      UPDATE shipment SET state = 'cancelled', cancelled_at = clock_timestamp(),
          cancelled_by = ${cancelledBy}, cancelled_refs = shipment.parcel_refs, version = shipment.version + 1
        FROM locked, settled
        WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = locked.shipment_id AND locked.state = 'booked'
        RETURNING shipment.shipment_id, shipment.account_id, shipment.carrier_code, settled.attempt_id
    ), reported AS (
      ${reportStatement('cancelled', sql`SELECT *, NULL AS carrier_ref FROM cancelled WHERE ${isFound}::boolean`)}
    ), logged AS (
      INSERT INTO shipment_event (account_id, shipment_id, from_state, to_state, attempt_id)
        SELECT account_id, shipment_id, 'booked', 'cancelled', attempt_id FROM cancelled
    )
    SELECT CASE WHEN EXISTS (SELECT 1 FROM cancelled) THEN 'cancelled' ELSE locked.state END AS state FROM locked`
}

/** How long after a lookup reported a cancellation or a scan the first lookup verifies it. */
const FIRST_VERIFICATION_MS = 60_000

/** Records what only a lookup has reported. `rows`: the shipments with the number that was scanned. */
export function reportStatement(
  reported: 'cancelled' | 'scanned',
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`INSERT INTO lookup_report (shipment_id, account_id, carrier_code, carrier_ref, reported, reported_at, verify_at)
    SELECT found.shipment_id, found.account_id, found.carrier_code, found.carrier_ref, ${sql.lit(reported)},
        clock_timestamp(), ${inMs(FIRST_VERIFICATION_MS)}
      FROM (${rows}) AS found
    ON CONFLICT (shipment_id, account_id) DO UPDATE SET reported = excluded.reported, reported_at = excluded.reported_at,
      carrier_ref = excluded.carrier_ref, verify_at = excluded.verify_at`
}

/**
 * A refusal after an unconfirmed send may mean that an earlier send has already cancelled the parcel, so it is verified
 * by a lookup later. If the shipment is cancelled in Waybill, the refusal means that its booking could not be
 * withdrawn, and the attempt gets an anomaly. So does an attempt that an operator has settled as cancelled, whatever
 * its fence. Has no effect if a parcel was cancelled of which the ticket does not say so: the next round settles the
 * attempt. The code SCANNED makes the next lookup of the shipment due at once.
 */
export function refuseStatement(
  { attemptId, accountId, shipmentId, fence, parcels = [] }: CancelTicket,
  { code, reason }: Refusal,
  carrierCode: string,
  verifyInMs: number | undefined,
): RawBuilder<{ state: ShipmentState }> {
  const cancelled = parcels.filter(({ isCancelled }) => isCancelled).map((parcel) => parcel.carrierRef)
  return sql`
    WITH locked AS (
      SELECT shipment_id, state, coalesce(cancelled_refs, '{}') <@ ${cancelled}::text[] AS is_ticket_current
        FROM shipment WHERE account_id = ${accountId} AND shipment_id = ${shipmentId} FOR UPDATE
    ), settled AS (
      UPDATE cancel_attempt AS attempt SET phase = 'refused', reason = ${reason}, refusal_code = ${code},
          carrier_refusal_code = ${carrierCode}, settled_at = clock_timestamp(), lease_owner = NULL,
          verify_at = CASE WHEN attempt.sends > 1 THEN ${inMs(verifyInMs)} END,
          anomaly = CASE WHEN locked.state = 'cancelled' THEN 'carrier refused, shipment is cancelled here' END
        FROM locked WHERE attempt.account_id = ${accountId} AND attempt.attempt_id = ${attemptId}
          AND attempt.shipment_id = locked.shipment_id AND attempt.fence = ${fence} AND attempt.phase = 'pending'
          AND locked.is_ticket_current
        RETURNING attempt.shipment_id
    ), contradicted AS (
      UPDATE cancel_attempt AS attempt SET anomaly = 'carrier refused, shipment is cancelled here'
        FROM locked WHERE attempt.account_id = ${accountId} AND attempt.attempt_id = ${attemptId}
          AND locked.shipment_id = attempt.shipment_id AND attempt.phase = 'accepted' AND attempt.operator_outcome = 'cancelled'
        RETURNING attempt.shipment_id
    ), refused AS (
      UPDATE shipment SET cancel_refused_at = clock_timestamp(), cancel_refusal = ${reason},
          cancel_refusal_code = ${code},
          next_track_at = CASE WHEN ${code} = 'SCANNED' THEN clock_timestamp() ELSE shipment.next_track_at END
        FROM locked, settled WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = locked.shipment_id
    )
    SELECT state FROM locked
      WHERE EXISTS (SELECT 1 FROM settled UNION ALL SELECT 1 FROM contradicted)`
}

/**
 * Frees the lease: for the sweeper when the attempt is due, for a repeated request after `callerWaitMs`. The attempt
 * stays open, because its caller may have been answered that it is pending. If the result is lost, the statement is
 * repeated; a lease that is free already shows that the send has been subtracted.
 */
export function releaseStatement(
  { attemptId, accountId, shipmentId, fence }: CancelTicket,
  { cause, times, unsent = false, doubt }: Release,
): RawBuilder<{ state: ShipmentState }> {
  return sql`
    WITH locked AS (
      SELECT shipment_id, state FROM shipment
        WHERE account_id = ${accountId} AND shipment_id = ${shipmentId} FOR UPDATE
    )
    UPDATE cancel_attempt AS attempt SET lease_owner = NULL, lease_until = ${inMs(times.callerWaitMs)},
        next_try_at = ${inMs(times.retryInMs)}, last_cause = ${cause},
        sends = attempt.sends - CASE WHEN ${unsent}::boolean AND attempt.lease_owner IS NOT NULL THEN 1 ELSE 0 END,
        doubt_code = coalesce(attempt.doubt_code, ${doubt?.reason ?? null}),
        doubt_reason = coalesce(attempt.doubt_reason, ${doubt?.message ?? null}),
        doubt_carrier_code = coalesce(attempt.doubt_carrier_code, ${doubt?.code ?? null}),
        doubted_at = CASE WHEN ${doubt !== undefined}::boolean
          THEN coalesce(attempt.doubted_at, clock_timestamp()) ELSE attempt.doubted_at END
      FROM locked WHERE attempt.account_id = ${accountId} AND attempt.attempt_id = ${attemptId}
        AND attempt.shipment_id = locked.shipment_id AND attempt.fence = ${fence} AND attempt.phase = 'pending'
      RETURNING locked.state`
}

/**
 * Records what one request or lookup found out about a parcel of an open attempt. That the carrier has cancelled it,
 * now or for later, does not need the current fence, as in `acceptStatement`; everything else does. The state of the
 * shipment changes only when the attempt is settled. A refusal that contradicts an operator is an anomaly, as in
 * `refuseStatement`. Safe to repeat.
 */
export function recordParcelStatement(
  { attemptId, accountId, shipmentId, fence }: CancelTicket,
  carrierRef: string,
  result: ParcelResult,
): RawBuilder<{ phase: CancelAttemptPhase }> {
  const isCancelled = result.kind === 'cancelled'
  const isRefused = result.kind === 'refused'
  return sql`
    WITH locked AS (
      SELECT shipment_id FROM shipment WHERE account_id = ${accountId} AND shipment_id = ${shipmentId} FOR UPDATE
    ), cancelled AS (
      UPDATE shipment SET cancelled_refs = array_append(coalesce(shipment.cancelled_refs, '{}'), ${carrierRef}::text)
        FROM locked WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = locked.shipment_id
          AND ${isCancelled}::boolean
          AND shipment.parcel_refs @> ARRAY[${carrierRef}::text]
          AND NOT coalesce(shipment.cancelled_refs, '{}') @> ARRAY[${carrierRef}::text]
          AND EXISTS (SELECT 1 FROM cancel_attempt AS named
            WHERE named.account_id = ${accountId} AND named.attempt_id = ${attemptId} AND named.shipment_id = locked.shipment_id)
    )
    UPDATE cancel_attempt AS attempt SET parcels = CASE
        WHEN attempt.phase <> 'pending' OR (attempt.fence <> ${fence} AND NOT ${isCancelled}::boolean)
          THEN attempt.parcels
        ELSE coalesce(attempt.parcels, '{}') || jsonb_build_object(${carrierRef}::text,
          coalesce(attempt.parcels -> ${carrierRef}::text, '{}') || ${parcelChange(carrierRef, result)}) END,
        anomaly = CASE WHEN ${isRefused}::boolean AND attempt.phase = 'accepted' AND attempt.operator_outcome = 'cancelled'
          THEN 'carrier refused ' || ${carrierRef}::text || ', shipment is cancelled here' ELSE attempt.anomaly END
      FROM locked WHERE attempt.account_id = ${accountId} AND attempt.attempt_id = ${attemptId}
        AND attempt.shipment_id = locked.shipment_id
      RETURNING attempt.phase`
}

function parcelChange(carrierRef: string, result: ParcelResult): RawBuilder<unknown> {
  switch (result.kind) {
    case 'cancelled':
      // A later answer "already cancelled" must not replace `isLater`.
      return sql`${JSON.stringify({
        ...(result.isLater && { isLater: true }),
        ...(result.isFound === true && { isFound: true }),
      })}::jsonb`
    case 'refused':
      return sql`${JSON.stringify({ refusal: result.refusal })}::jsonb`
    case 'doubted':
      return sql`CASE WHEN attempt.parcels -> ${carrierRef}::text -> 'doubt' IS NOT NULL THEN '{}'::jsonb
        ELSE jsonb_build_object('doubt', ${JSON.stringify(result.refusal)}::jsonb,
          'doubtedAtAgeMs', ${ageMs('attempt.begun_at')}) END`
    case 'unsent':
      return sql`${JSON.stringify({ unsent: result.total })}::jsonb`
  }
}

/**
 * Locks the shipments in the order of their accounts and ids. Skips locked ones: another transaction is settling them,
 * and a shutdown must not wait.
 */
export function releaseLeasesStatement(owner: string): RawBuilder<{ attempt_id: string }> {
  return sql`
    WITH locked AS (
      SELECT shipment.account_id, shipment.shipment_id FROM shipment
        JOIN cancel_attempt AS attempt USING (account_id, shipment_id)
        WHERE attempt.lease_owner = ${owner} AND attempt.phase = 'pending' AND ${isNotMoved('attempt')}
        ORDER BY shipment.account_id, shipment.shipment_id FOR UPDATE OF shipment SKIP LOCKED
    )
    UPDATE cancel_attempt AS attempt SET lease_owner = NULL, lease_until = clock_timestamp(),
        next_try_at = clock_timestamp(), last_cause = 'shutdown'
      FROM locked WHERE attempt.account_id = locked.account_id AND attempt.shipment_id = locked.shipment_id
        AND attempt.phase = 'pending' AND attempt.lease_owner = ${owner}
      RETURNING attempt.attempt_id`
}

/** A takeover counts as a send, unless a refusal is in doubt: then the parcel is looked up, and nothing is sent. */
export const ONE_UNLESS_IN_DOUBT = sql`CASE WHEN attempt.doubted_at IS NULL THEN 1 ELSE 0 END`
