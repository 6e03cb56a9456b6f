/**
 * Claims the background work that is due: attempts, verifications, bookings and lookups
 * (docs/cancellation.md#background-work).
 *
 * Each claim is one statement. It locks shipments first (reports and lookups: their own rows), skips those that other
 * transactions have locked, and moves the due time, so replicas never claim the same row. Claims are limited to
 * carriers and accounts, the first two columns of the indexes, so a backlog of one account does not slow the claims of
 * others. The time is written as `(SELECT clock_timestamp())`, because PostgreSQL uses no index for a comparison with
 * the bare volatile function.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ClaimRoom, LookupTerms, RecoveryStore, Verification } from '../../operations/ports/recovery.ts'
import type { Database } from '../database/database.ts'
import { isNotMoved } from '../database/moved-accounts.ts'
import { ageMs, inMs } from '../database/times.ts'
import {
  type LookupRow,
  lookupOf,
  SHIPMENT_COLUMNS,
  type ShipmentRow,
  shipmentOf,
} from '../row-types/shipments.ts'
import { leaseOf } from './bookings.ts'
import { type TicketRow, ticketColumns, ticketOf } from './cancel-tickets.ts'
import { ONE_UNLESS_IN_DOUBT } from './cancellation-statements.ts'
import { dueWorkReader } from './due-work.ts'
import { eraseShipments } from './erasure.ts'

/** `owner` identifies this process in the leases that it takes. */
export function recoveryStore(db: Kysely<Database>, owner: string): RecoveryStore {
  return {
    ...reportStore(db),

    dueWork: dueWorkReader(db),

    async claimAttempts(rooms, leaseMs) {
      const { rows } = await claimAttemptsStatement(rooms, owner, leaseMs).execute(db)
      return rows.flatMap((row) => ticketOf(row.account_id, row.shipment_id, row) ?? [])
    },

    async claimVerifications(rooms, leaseMs) {
      const { rows } = await claimVerificationsStatement(rooms, leaseMs).execute(db)
      return rows.flatMap((row) => {
        const ticket = ticketOf(row.account_id, row.shipment_id, row)
        return ticket === undefined ? [] : { phase: row.phase, ticket, lookups: row.lookups }
      })
    },

    async settleVerification({ phase, ticket: { attemptId, accountId, shipmentId } }, againInMs, anomaly) {
      await sql`
        WITH locked AS (
          SELECT shipment_id FROM shipment WHERE account_id = ${accountId} AND shipment_id = ${shipmentId} FOR UPDATE
        )
        UPDATE cancel_attempt AS attempt SET verify_at = ${inMs(againInMs)},
            anomaly = coalesce(${anomaly ?? null}::text, attempt.anomaly)
          FROM locked WHERE attempt.account_id = ${accountId} AND attempt.attempt_id = ${attemptId}
            AND attempt.shipment_id = locked.shipment_id AND attempt.phase = ${phase}
      `.execute(db)
    },

    async claimBookings(rooms, leaseMs) {
      const { rows } = await claimBookingsStatement(rooms, leaseMs).execute(db)
      return rows.map((row) => ({
        shipment: shipmentOf(row),
        accountId: row.account_id,
        tries: row.booking_tries,
        lease: row.lease,
      }))
    },

    eraseShipments: (olderThanDays, limit) => eraseShipments(db, olderThanDays, limit),

    async claimLookups(rooms, everyMs, terms = {}) {
      const { rows } = await claimLookupsStatement(rooms, everyMs, terms).execute(db)
      return rows.map(lookupOf)
    },
  }
}

/** What only lookups have reported, and what operators do not know yet. */
function reportStore(
  db: Kysely<Database>,
): Pick<RecoveryStore, 'claimReports' | 'settleReport' | 'overdueAttempts' | 'recordOverdueAlerts'> {
  return {
    async claimReports(rooms, leaseMs) {
      const { rows } = await claimReportsStatement(rooms, leaseMs).execute(db)
      return rows.map((row) => ({
        reported: row.reported,
        ageMs: Math.max(0, row.age_ms),
        // The numbers that the carrier has cancelled are looked up as well.
        lookup: lookupOf({ ...row, cancelled_refs: null }),
      }))
    },

    async settleReport({ reported, lookup: { accountId, shipmentId } }, againInMs, contradiction) {
      await sql`
        UPDATE lookup_report SET verify_at = ${inMs(againInMs)},
            contradiction = coalesce(${contradiction ?? null}::text, contradiction),
            contradicted_at = CASE WHEN ${contradiction ?? null}::text IS NULL THEN contradicted_at
              ELSE clock_timestamp() END
          WHERE account_id = ${accountId} AND shipment_id = ${shipmentId} AND reported = ${reported}`.execute(
        db,
      )
    },

    async overdueAttempts(olderThanMs) {
      const { rows } = await overdueStatement(olderThanMs).execute(db)
      return rows.map((row) => ({
        attemptId: row.attempt_id,
        shipmentId: row.shipment_id,
        carrierCode: row.carrier_code,
        sends: row.sends,
        ageMs: row.age_ms,
        lastCause: row.last_cause ?? undefined,
      }))
    },

    async recordOverdueAlerts(attemptIds) {
      await sql`
        WITH locked AS (
          SELECT account_id, shipment_id FROM shipment WHERE (account_id, shipment_id) IN (
            SELECT account_id, shipment_id FROM cancel_attempt WHERE attempt_id = ANY (${attemptIds}::uuid[]))
            ORDER BY account_id, shipment_id FOR UPDATE
        )
        UPDATE cancel_attempt AS attempt SET alerted_at = clock_timestamp()
          FROM locked WHERE attempt.account_id = locked.account_id AND attempt.shipment_id = locked.shipment_id
            AND attempt.attempt_id = ANY (${attemptIds}::uuid[]) AND attempt.alerted_at IS NULL`.execute(db)
    },
  }
}

const NOW = sql`(SELECT clock_timestamp())`

/** How many rows may be claimed, as a table `room (carrier_code, account_id, count)`. */
function roomTable(rooms: readonly ClaimRoom[]): RawBuilder<unknown> {
  const codes = rooms.map(({ carrierCode }) => carrierCode)
  const accounts = rooms.map(({ accountId }) => accountId)
  const counts = rooms.map(({ room }) => room)
  return sql`unnest(${codes}::text[], ${accounts}::text[], ${counts}::integer[])
    AS room (carrier_code, account_id, count)`
}

type ClaimedRow = TicketRow & { shipment_id: string; account_id: string }

/** Claims attempts whose time has come and whose lease is free. */
function claimAttemptsStatement(
  rooms: readonly ClaimRoom[],
  owner: string,
  leaseMs: number,
): RawBuilder<ClaimedRow> {
  return sql`
    WITH due AS (
      SELECT next.account_id, next.shipment_id FROM ${roomTable(rooms)} CROSS JOIN LATERAL (
        SELECT attempt.account_id, attempt.shipment_id FROM cancel_attempt AS attempt
          WHERE attempt.carrier_code = room.carrier_code AND attempt.account_id = room.account_id
            AND attempt.phase = 'pending' AND attempt.next_try_at <= ${NOW} AND attempt.lease_until <= ${NOW}
          ORDER BY attempt.next_try_at LIMIT room.count
      ) AS next
    ), locked AS (
      SELECT account_id, shipment_id, carrier_ref, parcel_refs, cancelled_refs, carrier_order_ref,
          coalesce(booked_at, created_at) AS booked_since
        FROM shipment
        WHERE (account_id, shipment_id) IN (SELECT account_id, shipment_id FROM due)
        ORDER BY account_id, shipment_id FOR UPDATE SKIP LOCKED
    )
    UPDATE cancel_attempt AS attempt SET fence = attempt.fence + 1, sends = attempt.sends + ${ONE_UNLESS_IN_DOUBT},
        lease_owner = ${owner}, lease_until = ${inMs(leaseMs)}, next_try_at = ${inMs(leaseMs)}
      FROM locked WHERE attempt.account_id = locked.account_id AND attempt.shipment_id = locked.shipment_id
        AND attempt.phase = 'pending' AND attempt.next_try_at <= clock_timestamp() AND attempt.lease_until <= clock_timestamp()
      RETURNING attempt.shipment_id, attempt.account_id, attempt.carrier_code, locked.carrier_ref,
        locked.parcel_refs, locked.cancelled_refs, locked.carrier_order_ref, locked.booked_since, ${ticketColumns('attempt')}, attempt.trace_parent`
}

function claimVerificationsStatement(
  rooms: readonly ClaimRoom[],
  leaseMs: number,
): RawBuilder<ClaimedRow & { phase: Verification['phase']; lookups: number }> {
  return sql`
    WITH due AS (
      SELECT next.* FROM ${roomTable(rooms)} CROSS JOIN LATERAL (
        SELECT attempt.attempt_id, attempt.account_id, attempt.shipment_id FROM cancel_attempt AS attempt
          WHERE attempt.carrier_code = room.carrier_code AND attempt.account_id = room.account_id
            AND attempt.verify_at <= ${NOW}
          ORDER BY attempt.verify_at LIMIT room.count
      ) AS next
    ), locked AS (
      SELECT account_id, shipment_id, carrier_ref, parcel_refs, cancelled_refs, carrier_order_ref,
          coalesce(booked_at, created_at) AS booked_since
        FROM shipment
        WHERE (account_id, shipment_id) IN (SELECT account_id, shipment_id FROM due)
        ORDER BY account_id, shipment_id FOR UPDATE SKIP LOCKED
    )
    UPDATE cancel_attempt AS attempt SET verify_at = ${inMs(leaseMs)}, lookups = attempt.lookups + 1
      FROM locked JOIN due USING (account_id, shipment_id)
      WHERE attempt.account_id = locked.account_id AND attempt.shipment_id = locked.shipment_id
        AND attempt.attempt_id = due.attempt_id AND attempt.phase IN ('accepted', 'refused') AND attempt.verify_at <= clock_timestamp()
      RETURNING attempt.shipment_id, attempt.account_id, attempt.carrier_code, locked.carrier_ref,
        locked.parcel_refs, locked.cancelled_refs, locked.carrier_order_ref, locked.booked_since, attempt.phase, attempt.lookups, ${ticketColumns('attempt')}, attempt.trace_parent`
}

/** Claims what only a lookup has reported. `parcel_refs` are all numbers of a cancelled shipment with several. */
function claimReportsStatement(
  rooms: readonly ClaimRoom[],
  leaseMs: number,
): RawBuilder<LookupRow & { reported: 'cancelled' | 'scanned'; age_ms: number }> {
  return sql`
    WITH locked AS (
      SELECT next.account_id, next.shipment_id FROM ${roomTable(rooms)} CROSS JOIN LATERAL (
        SELECT queued.account_id, queued.shipment_id FROM lookup_report AS queued
          WHERE queued.carrier_code = room.carrier_code AND queued.account_id = room.account_id
            AND queued.verify_at <= ${NOW}
          ORDER BY queued.verify_at LIMIT room.count FOR UPDATE SKIP LOCKED
      ) AS next
    )
    UPDATE lookup_report AS report SET verify_at = ${inMs(leaseMs)}, lookups = report.lookups + 1
      FROM locked JOIN shipment USING (account_id, shipment_id)
      WHERE report.account_id = locked.account_id AND report.shipment_id = locked.shipment_id
        AND report.verify_at <= clock_timestamp()
      RETURNING report.shipment_id, report.account_id, report.carrier_code, report.reported,
        coalesce(report.carrier_ref, shipment.carrier_ref) AS carrier_ref,
        CASE WHEN report.carrier_ref IS NULL THEN shipment.parcel_refs END AS parcel_refs,
        shipment.carrier_order_ref, coalesce(shipment.booked_at, shipment.created_at) AS booked_since,
        ${ageMs('report.reported_at')} AS age_ms`
}

/** Includes shipments that were cancelled in the meantime: a booking that may exist has to be withdrawn. */
function claimBookingsStatement(
  rooms: readonly ClaimRoom[],
  leaseMs: number,
): RawBuilder<ShipmentRow & { account_id: string; booking_tries: number; lease: string }> {
  return sql`
    WITH locked AS (
      SELECT next.account_id, next.shipment_id FROM ${roomTable(rooms)} CROSS JOIN LATERAL (
        SELECT queued.account_id, queued.shipment_id FROM shipment AS queued
          WHERE queued.carrier_code = room.carrier_code AND queued.account_id = room.account_id
            AND queued.booking_until <= ${NOW}
          ORDER BY queued.booking_until LIMIT room.count FOR UPDATE SKIP LOCKED
      ) AS next
    )
    UPDATE shipment SET booking_until = ${inMs(leaseMs)}, booking_tries = shipment.booking_tries + 1
      FROM locked WHERE shipment.account_id = locked.account_id AND shipment.shipment_id = locked.shipment_id
        AND shipment.carrier_ref IS NULL AND shipment.booking_until <= clock_timestamp()
      RETURNING ${sql.join(SHIPMENT_COLUMNS.map((column) => sql.ref(`shipment.${column}`)))}, shipment.account_id,
        shipment.booking_tries, ${leaseOf('shipment')} AS lease`
}

/**
 * Does not lock the shipment: the lookup changes it only if its state is still the same. Where lookups have ended, the
 * row of a shipment in transit is removed. That of a booked one stays, because the audit reads it; it is looked up a
 * last time, and again only if a refusal requests that.
 */
function claimLookupsStatement(
  rooms: readonly ClaimRoom[],
  everyMs: number,
  { inTransitEveryMs, forMs }: LookupTerms,
): RawBuilder<LookupRow> {
  return sql`
    WITH locked AS (
      SELECT next.* FROM ${roomTable(rooms)} CROSS JOIN LATERAL (
        SELECT queued.account_id, queued.shipment_id, queued.in_transit,
            coalesce(queued.since <= clock_timestamp() - ${forMs ?? null}::double precision * interval '1 ms', false)
              OR (queued.in_transit AND ${inTransitEveryMs === undefined}::boolean) AS has_ended
          FROM lookup_schedule AS queued
          WHERE queued.carrier_code = room.carrier_code AND queued.account_id = room.account_id
            AND queued.due_at <= ${NOW}
          ORDER BY queued.due_at LIMIT room.count FOR UPDATE SKIP LOCKED
      ) AS next
    ), ended AS (
      DELETE FROM lookup_schedule AS scheduled USING locked WHERE locked.has_ended AND locked.in_transit
        AND scheduled.account_id = locked.account_id AND scheduled.shipment_id = locked.shipment_id
    ), claimed AS (
      UPDATE lookup_schedule AS scheduled SET due_at = CASE WHEN locked.has_ended THEN 'infinity'
          WHEN locked.in_transit THEN ${inMs(inTransitEveryMs)} ELSE ${inMs(everyMs)} END
        FROM locked WHERE scheduled.account_id = locked.account_id AND scheduled.shipment_id = locked.shipment_id
          AND scheduled.due_at <= clock_timestamp() AND NOT (locked.has_ended AND locked.in_transit)
        RETURNING locked.account_id, locked.shipment_id
    )
    SELECT shipment.shipment_id, shipment.account_id, shipment.carrier_code, shipment.carrier_ref,
        shipment.parcel_refs, shipment.cancelled_refs, shipment.carrier_order_ref,
        coalesce(shipment.booked_at, shipment.created_at) AS booked_since
      FROM claimed JOIN shipment USING (account_id, shipment_id)
      WHERE shipment.state IN ('booked', 'in_transit')`
}

type OverdueRow = {
  attempt_id: string
  shipment_id: string
  carrier_code: string
  sends: number
  age_ms: number
  last_cause: string | null
}

/**
 * Does not mark the attempts, so that the alert is repeated and not lost if the process dies before it is raised. Two
 * replicas may raise it.
 */
function overdueStatement(olderThanMs: number): RawBuilder<OverdueRow> {
  return sql`
    SELECT attempt_id, shipment_id, carrier_code, sends, ${ageMs('begun_at')} AS age_ms, last_cause
      FROM cancel_attempt
      WHERE phase = 'pending' AND alerted_at IS NULL AND ${isNotMoved('cancel_attempt')} AND begun_at <= ${NOW} - ${olderThanMs} * interval '1 ms'
      ORDER BY begun_at, shipment_id LIMIT 100`
}
