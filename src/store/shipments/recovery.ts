/**
 * Background work: attempts, verifications, bookings and look-ups that are due. Each claim is one statement. It locks
 * shipments first, skips those that another process has locked, and moves the due time, so that replicas never claim
 * the same row. Claims name carriers and accounts, and indexes start with these two columns: a backlog of one account
 * costs the claims of other accounts nothing. `(SELECT clock_timestamp())`, unlike the bare call, can use an index.
 * Source: design/cancellation.md, "Sweeper" and "Verify".
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ClaimRoom, RecoveryStore, WorkKind } from '../../operations/ports/recovery.ts'
import type { Database } from '../database/database.ts'
import { SHIPMENT_COLUMNS, type ShipmentRow, shipmentOf } from '../tables/shipments.ts'
import { ageMs, inMs, type TicketRow, ticketOf } from './cancellation-statements.ts'

/** The recovery store on a database; `owner` identifies this process in its leases. */
export function recoveryStore(db: Kysely<Database>, owner: string): RecoveryStore {
  return {
    async dueWork(countedUpTo) {
      const { rows } = await dueWorkStatement(countedUpTo).execute(db)
      return rows.map(({ work, carrier_code: carrierCode, account_id: accountId, count }) => ({
        ...{ work, carrierCode, accountId, count },
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
        return ticket === undefined ? [] : { ticket, lookups: row.lookups }
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

    async claimLookups(rooms, everyMs) {
      const { rows } = await claimLookupsStatement(rooms, everyMs).execute(db)
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

type DueRow = { work: WorkKind; carrier_code: string; account_id: string; count: number }

function dueWorkStatement(countedUpTo: number): RawBuilder<DueRow> {
  const queues = [
    dueRows('attempts', 'cancel_attempt', 'next_try_at', sql`q.phase = 'pending'`, countedUpTo),
    dueRows('verifications', 'cancel_attempt', 'verify_at', sql`q.verify_at IS NOT NULL`, countedUpTo),
    dueRows('bookings', 'shipment', 'booking_until', sql`q.booking_until IS NOT NULL`, countedUpTo),
    dueRows('lookups', 'shipment', 'next_track_at', sql`q.state = 'booked'`, countedUpTo),
  ]
  return sql`${sql.join(queues, sql` UNION ALL `)}`
}

/**
 * The due rows of one kind of work, counted by carrier and account. `waiting` is the condition of the partial index on
 * (carrier_code, account_id, due column). The recursion steps through that index from account to account and reads the
 * earliest entry of each, so that rows that are not due cost nothing, and due rows cost no more than the limit.
 */
function dueRows(
  work: WorkKind,
  table: 'cancel_attempt' | 'shipment',
  column: 'next_try_at' | 'verify_at' | 'booking_until' | 'next_track_at',
  waiting: RawBuilder<unknown>,
  countedUpTo: number,
): RawBuilder<DueRow> {
  const due = sql.ref(`q.${column}`)
  const earliest = (after: RawBuilder<unknown>) => sql`
    SELECT q.carrier_code, q.account_id, ${due} AS due_at FROM ${sql.table(table)} q
      WHERE ${after} AND ${waiting} ORDER BY q.account_id, ${due} LIMIT 1`
  return sql`(
    WITH RECURSIVE heads AS (
      SELECT h.* FROM carrier k CROSS JOIN LATERAL (${earliest(sql`q.carrier_code = k.carrier_code`)}) h
      UNION ALL
      SELECT h.* FROM heads p CROSS JOIN LATERAL (
        ${earliest(sql`q.carrier_code = p.carrier_code AND q.account_id > p.account_id`)}) h
    )
    SELECT ${sql.lit(work)} AS work, h.carrier_code, h.account_id, c.count
      FROM heads h CROSS JOIN LATERAL (
        SELECT count(*)::integer AS count FROM (
          SELECT 1 FROM ${sql.table(table)} q WHERE q.carrier_code = h.carrier_code
            AND q.account_id = h.account_id AND ${waiting} AND ${due} <= ${DUE} LIMIT ${countedUpTo}
        ) d
      ) c
      WHERE h.due_at <= ${DUE}
  )`
}

/** What may be claimed, as rows (carrier_code, account_id, room). */
function roomsTable(rooms: readonly ClaimRoom[]): RawBuilder<unknown> {
  const codes = rooms.map(({ carrierCode }) => carrierCode)
  const accounts = rooms.map(({ accountId }) => accountId)
  const counts = rooms.map(({ room }) => room)
  return sql`unnest(${codes}::text[], ${accounts}::text[], ${counts}::integer[])
    AS f (carrier_code, account_id, room)`
}

type ClaimedRow = TicketRow & { shipment_id: string; account_id: string }

/** Due: the time has come, and no lease is held. */
function claimAttemptsStatement(
  rooms: readonly ClaimRoom[],
  owner: string,
  leaseMs: number,
): RawBuilder<ClaimedRow> {
  return sql`
    WITH due AS (
      SELECT d.shipment_id FROM ${roomsTable(rooms)} CROSS JOIN LATERAL (
        SELECT c.shipment_id FROM cancel_attempt c
          WHERE c.carrier_code = f.carrier_code AND c.account_id = f.account_id AND c.phase = 'pending'
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
  rooms: readonly ClaimRoom[],
  leaseMs: number,
): RawBuilder<ClaimedRow & { lookups: number }> {
  return sql`
    WITH due AS (
      SELECT d.attempt_id, d.shipment_id FROM ${roomsTable(rooms)} CROSS JOIN LATERAL (
        SELECT c.attempt_id, c.shipment_id FROM cancel_attempt c
          WHERE c.carrier_code = f.carrier_code AND c.account_id = f.account_id AND c.verify_at <= ${DUE}
          ORDER BY c.verify_at LIMIT f.room
      ) d
    ), l AS (
      SELECT s.shipment_id, s.carrier_ref FROM shipment s
        WHERE s.shipment_id IN (SELECT shipment_id FROM due) ORDER BY s.shipment_id FOR UPDATE SKIP LOCKED
    )
    UPDATE cancel_attempt c SET verify_at = ${inMs(leaseMs)}, lookups = c.lookups + 1
      FROM l, due WHERE c.shipment_id = l.shipment_id AND c.attempt_id = due.attempt_id
        AND c.phase = 'refused' AND c.verify_at <= clock_timestamp()
      RETURNING c.shipment_id, c.account_id, c.carrier_code, l.carrier_ref, c.attempt_id, c.fence, c.sends,
        c.lookups, ${ageMs('c.begun_at')} AS age_ms`
}

/** Includes shipments that were cancelled in the meantime: a booking that may exist has to be withdrawn. */
function claimBookingsStatement(
  rooms: readonly ClaimRoom[],
  leaseMs: number,
): RawBuilder<ShipmentRow & { account_id: string; booking_tries: number }> {
  return sql`
    WITH l AS (
      SELECT d.shipment_id FROM ${roomsTable(rooms)} CROSS JOIN LATERAL (
        SELECT s.shipment_id FROM shipment s
          WHERE s.carrier_code = f.carrier_code AND s.account_id = f.account_id AND s.booking_until <= ${DUE}
          ORDER BY s.booking_until LIMIT f.room FOR UPDATE SKIP LOCKED
      ) d
    )
    UPDATE shipment t SET booking_until = ${inMs(leaseMs)}, booking_tries = t.booking_tries + 1
      FROM l WHERE t.shipment_id = l.shipment_id AND t.carrier_ref IS NULL
        AND t.booking_until <= clock_timestamp()
      RETURNING ${sql.join(SHIPMENT_COLUMNS.map((column) => sql.ref(`t.${column}`)))}, t.account_id,
        t.booking_tries`
}

function claimLookupsStatement(
  rooms: readonly ClaimRoom[],
  everyMs: number,
): RawBuilder<{ shipment_id: string; account_id: string; carrier_code: string; carrier_ref: string }> {
  return sql`
    WITH l AS (
      SELECT d.shipment_id FROM ${roomsTable(rooms)} CROSS JOIN LATERAL (
        SELECT s.shipment_id FROM shipment s
          WHERE s.carrier_code = f.carrier_code AND s.account_id = f.account_id AND s.state = 'booked'
            AND s.next_track_at <= ${DUE}
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
