/**
 * What the sweeper takes on: attempts, refusals to look into, bookings and look-ups that are due. Each claim is one
 * statement that locks shipments first, skips those another process has locked, and moves the due time on, so that
 * replicas never take the same row twice. `(SELECT clock_timestamp())` instead of the bare call lets an index answer.
 * Source: design/cancellation.md, "Sweeper" and "Verify".
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CarrierRoom, RecoveryStore } from '../operations/ports.ts'
import { ageMs, inMs, type TicketRow, ticketOf } from './cancellation-statements.ts'
import type { Database } from './database.ts'
import { SHIPMENT_COLUMNS, type ShipmentRow, shipmentOf } from './shipment-row.ts'

/** Binds recovery to a database; `owner` names this process in the leases it takes. */
export function recoveryStore(db: Kysely<Database>, owner: string): RecoveryStore {
  return {
    async dueWork() {
      const { rows } = await dueWorkStatement().execute(db)
      return rows.map(({ carrier_code: carrierCode, ...due }) => ({
        carrierCode,
        attempts: due.attempts,
        verifications: due.verifications,
        bookings: due.bookings,
        lookUps: due.look_ups,
      }))
    },

    async claimAttempts(rooms, leaseMs) {
      const { rows } = await claimAttemptsStatement(rooms, owner, leaseMs).execute(db)
      return rows.flatMap((row) => ticketOf(row.account_id, row.shipment_id, row) ?? [])
    },

    async claimVerifications(rooms, leaseMs) {
      const { rows } = await claimVerificationsStatement(rooms, leaseMs).execute(db)
      return rows.flatMap((row) => {
        const ticket = ticketOf(row.account_id, row.shipment_id, row)
        return ticket === undefined ? [] : { ticket, looks: row.looks }
      })
    },

    async settleVerification({ attemptId, shipmentId }, againInMs, anomaly) {
      await sql`
        WITH l AS (SELECT shipment_id FROM shipment WHERE shipment_id = ${shipmentId} FOR UPDATE)
        UPDATE cancel_attempt c SET verify_at = ${inMs(againInMs)},
            anomaly = coalesce(${anomaly ?? null}::text, c.anomaly)
          FROM l WHERE c.attempt_id = ${attemptId} AND c.shipment_id = l.shipment_id AND c.phase = 'refused'
      `.execute(db)
    },

    async claimBookings(rooms, leaseMs) {
      const { rows } = await claimBookingsStatement(rooms, leaseMs).execute(db)
      return rows.map((row) => ({
        shipment: shipmentOf(row),
        accountId: row.account_id,
        tries: row.booking_tries,
      }))
    },

    async claimLookUps(rooms, everyMs) {
      const { rows } = await claimLookUpsStatement(rooms, everyMs).execute(db)
      return rows.map((row) => ({
        shipmentId: row.shipment_id,
        accountId: row.account_id,
        carrierCode: row.carrier_code,
        carrierRef: row.carrier_ref,
      }))
    },

    async overdueAttempts(olderThanMs) {
      const { rows } = await overdueStatement(olderThanMs).execute(db)
      return rows.map((row) => ({
        shipmentId: row.shipment_id,
        carrierCode: row.carrier_code,
        sends: row.sends,
        ageMs: row.age_ms,
        lastCause: row.last_cause ?? undefined,
      }))
    },
  }
}

const DUE = sql`(SELECT clock_timestamp())`

type DueRow = {
  carrier_code: string
  attempts: boolean
  verifications: boolean
  bookings: boolean
  look_ups: boolean
}

function dueWorkStatement(): RawBuilder<DueRow> {
  return sql`
    SELECT * FROM (
      SELECT k.carrier_code,
        EXISTS (SELECT 1 FROM cancel_attempt c WHERE c.carrier_code = k.carrier_code
          AND c.phase = 'pending' AND c.next_try_at <= ${DUE}) AS attempts,
        EXISTS (SELECT 1 FROM cancel_attempt c WHERE c.carrier_code = k.carrier_code
          AND c.verify_at <= ${DUE}) AS verifications,
        EXISTS (SELECT 1 FROM shipment s WHERE s.carrier_code = k.carrier_code
          AND s.booking_until <= ${DUE}) AS bookings,
        EXISTS (SELECT 1 FROM shipment s WHERE s.carrier_code = k.carrier_code
          AND s.state = 'booked' AND s.next_track_at <= ${DUE}) AS look_ups
        FROM carrier k
    ) due WHERE attempts OR verifications OR bookings OR look_ups`
}

/** The carriers with room, as rows (carrier_code, room). */
function free(rooms: readonly CarrierRoom[]): RawBuilder<unknown> {
  const codes = rooms.map(({ carrierCode }) => carrierCode)
  const counts = rooms.map(({ room }) => room)
  return sql`unnest(${codes}::text[], ${counts}::integer[]) AS f (carrier_code, room)`
}

type ClaimedRow = TicketRow & { shipment_id: string; account_id: string }

/** Due means both: its time has come, and nobody holds it. */
function claimAttemptsStatement(
  rooms: readonly CarrierRoom[],
  owner: string,
  leaseMs: number,
): RawBuilder<ClaimedRow> {
  return sql`
    WITH due AS (
      SELECT d.shipment_id FROM ${free(rooms)} CROSS JOIN LATERAL (
        SELECT c.shipment_id FROM cancel_attempt c
          WHERE c.carrier_code = f.carrier_code AND c.phase = 'pending'
            AND c.next_try_at <= ${DUE} AND c.lease_until <= ${DUE}
          ORDER BY c.next_try_at LIMIT f.room
      ) d
    ), l AS (
      SELECT s.shipment_id, s.carrier_ref FROM shipment s
        WHERE s.shipment_id IN (SELECT shipment_id FROM due) ORDER BY s.shipment_id FOR UPDATE SKIP LOCKED
    )
    UPDATE cancel_attempt c SET fence = c.fence + 1, sends = c.sends + 1, lease_owner = ${owner},
        lease_until = ${inMs(leaseMs)}, next_try_at = ${inMs(leaseMs)}
      FROM l WHERE c.shipment_id = l.shipment_id AND c.phase = 'pending'
        AND c.next_try_at <= clock_timestamp() AND c.lease_until <= clock_timestamp()
      RETURNING c.shipment_id, c.account_id, c.carrier_code, l.carrier_ref, c.attempt_id, c.fence, c.sends,
        ${ageMs('c.begun_at')} AS age_ms`
}

function claimVerificationsStatement(
  rooms: readonly CarrierRoom[],
  leaseMs: number,
): RawBuilder<ClaimedRow & { looks: number }> {
  return sql`
    WITH due AS (
      SELECT d.attempt_id, d.shipment_id FROM ${free(rooms)} CROSS JOIN LATERAL (
        SELECT c.attempt_id, c.shipment_id FROM cancel_attempt c
          WHERE c.carrier_code = f.carrier_code AND c.verify_at <= ${DUE}
          ORDER BY c.verify_at LIMIT f.room
      ) d
    ), l AS (
      SELECT s.shipment_id, s.carrier_ref FROM shipment s
        WHERE s.shipment_id IN (SELECT shipment_id FROM due) ORDER BY s.shipment_id FOR UPDATE SKIP LOCKED
    )
    UPDATE cancel_attempt c SET verify_at = ${inMs(leaseMs)}, looks = c.looks + 1
      FROM l, due WHERE c.shipment_id = l.shipment_id AND c.attempt_id = due.attempt_id
        AND c.phase = 'refused' AND c.verify_at <= clock_timestamp()
      RETURNING c.shipment_id, c.account_id, c.carrier_code, l.carrier_ref, c.attempt_id, c.fence, c.sends,
        c.looks, ${ageMs('c.begun_at')} AS age_ms`
}

/** Also of shipments that were cancelled meanwhile: what may have been booked has to be withdrawn. */
function claimBookingsStatement(
  rooms: readonly CarrierRoom[],
  leaseMs: number,
): RawBuilder<ShipmentRow & { account_id: string; booking_tries: number }> {
  return sql`
    WITH l AS (
      SELECT d.shipment_id FROM ${free(rooms)} CROSS JOIN LATERAL (
        SELECT s.shipment_id FROM shipment s
          WHERE s.carrier_code = f.carrier_code AND s.booking_until <= ${DUE}
          ORDER BY s.booking_until LIMIT f.room FOR UPDATE SKIP LOCKED
      ) d
    )
    UPDATE shipment t SET booking_until = ${inMs(leaseMs)}, booking_tries = t.booking_tries + 1
      FROM l WHERE t.shipment_id = l.shipment_id AND t.carrier_ref IS NULL
        AND t.booking_until <= clock_timestamp()
      RETURNING ${sql.join(SHIPMENT_COLUMNS.map((column) => sql.ref(`t.${column}`)))}, t.account_id,
        t.booking_tries`
}

function claimLookUpsStatement(
  rooms: readonly CarrierRoom[],
  everyMs: number,
): RawBuilder<{ shipment_id: string; account_id: string; carrier_code: string; carrier_ref: string }> {
  return sql`
    WITH l AS (
      SELECT d.shipment_id FROM ${free(rooms)} CROSS JOIN LATERAL (
        SELECT s.shipment_id FROM shipment s
          WHERE s.carrier_code = f.carrier_code AND s.state = 'booked' AND s.next_track_at <= ${DUE}
          ORDER BY s.next_track_at LIMIT f.room FOR UPDATE SKIP LOCKED
      ) d
    )
    UPDATE shipment t SET next_track_at = ${inMs(everyMs)}
      FROM l WHERE t.shipment_id = l.shipment_id AND t.state = 'booked'
        AND t.next_track_at <= clock_timestamp()
      RETURNING t.shipment_id, t.account_id, t.carrier_code, t.carrier_ref`
}

type OverdueRow = {
  shipment_id: string
  carrier_code: string
  sends: number
  age_ms: number
  last_cause: string | null
}

function overdueStatement(olderThanMs: number): RawBuilder<OverdueRow> {
  return sql`
    WITH l AS (
      SELECT s.shipment_id FROM shipment s
        JOIN cancel_attempt c ON c.shipment_id = s.shipment_id AND c.phase = 'pending'
        WHERE c.alerted_at IS NULL AND c.begun_at <= ${DUE} - ${olderThanMs} * interval '1 ms'
        ORDER BY s.shipment_id LIMIT 100 FOR UPDATE OF s SKIP LOCKED
    )
    UPDATE cancel_attempt c SET alerted_at = clock_timestamp()
      FROM l WHERE c.shipment_id = l.shipment_id AND c.phase = 'pending' AND c.alerted_at IS NULL
      RETURNING c.shipment_id, c.carrier_code, c.sends, ${ageMs('c.begun_at')} AS age_ms, c.last_cause`
}
