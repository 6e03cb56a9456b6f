/**
 * Booking drafts. A booking is recorded before the carrier is called and settled after it has answered, so the sweeper
 * can finish a booking whose process died. Each step is one statement and checks the account.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isShipmentId, type ShipmentState } from '../../core/shipments/shipment.ts'
import type { ShipmentStore } from '../../operations/ports/shipments.ts'
import type { Database } from '../database/database.ts'
import { inMs } from '../database/times.ts'
import { SHIPMENT_COLUMNS, type ShipmentRow, shipmentOf } from '../row-types/shipments.ts'
import { type TicketRow, ticketColumns, ticketOf } from './cancel-tickets.ts'
import { orNotExecuted } from './cancellations.ts'
import { confirmDraftStatement, SUSPECT_LINEAGE } from './restores.ts'

/** The part of the shipment store that books. */
export type BookingStore = Pick<
  ShipmentStore,
  'beginBooking' | 'markBooked' | 'settleBooking' | 'confirmDraft'
>

/** `owner` identifies this process in the leases that it takes. */
export function bookingStore(db: Kysely<Database>, owner: string): BookingStore {
  return {
    async beginBooking(accountId, shipmentId, { mayOpen, leaseMs, bookingNo }) {
      if (!isShipmentId(shipmentId)) return undefined
      const statement = sql<
        ShipmentRow & {
          booking_no: number
          tries: number | null
          lease: string | null
          earlier: 'none' | 'working' | 'waiting'
        }
      >`
        WITH locked AS (
          SELECT * FROM shipment
            WHERE shipment_id = ${shipmentId} AND account_id = ${accountId} FOR UPDATE
        ), begun AS (
          UPDATE shipment SET booking_until = ${inMs(leaseMs)}, booking_tries = shipment.booking_tries + 1,
              booking_no = shipment.booking_no + 1
            FROM locked WHERE ${mayOpen}::boolean
              AND locked.booking_no = coalesce(${bookingNo ?? null}::integer, locked.booking_no)
              AND shipment.account_id = ${accountId} AND shipment.shipment_id = locked.shipment_id
              AND locked.state = 'draft'
              AND (locked.booking_until IS NULL OR locked.booking_until <= clock_timestamp())
            RETURNING shipment.booking_tries, shipment.booking_until
        )
        SELECT ${sql.join(SHIPMENT_COLUMNS.map((column) => sql.ref(`locked.${column}`)))},
          locked.booking_no, begun.booking_tries AS tries, ${leaseOf('begun')} AS lease,
          CASE WHEN locked.booking_until IS NULL THEN 'none'
            WHEN locked.booking_until > clock_timestamp() THEN 'working' ELSE 'waiting' END AS earlier
          FROM locked LEFT JOIN begun ON true`
      const { rows } = await orNotExecuted(statement.execute(db))
      const row = rows[0]
      if (row === undefined) return undefined
      return {
        shipment: shipmentOf(row),
        begun: row.tries !== null,
        earlier: row.earlier,
        bookingNo: row.booking_no,
        tries: row.tries ?? 0,
        lease: row.lease ?? '',
      }
    },

    async markBooked(accountId, shipmentId, carrierRef, leaseMs, parcelRefs, orderRef) {
      if (!isShipmentId(shipmentId)) return undefined
      const numbers = { carrierRef, parcelRefs, orderRef }
      const row = await markBooked(db, { accountId, shipmentId, ...numbers, owner, leaseMs })
      if (row === undefined) return undefined
      const withdrawal = ticketOf(accountId, shipmentId, row)
      return {
        state: row.state,
        booked: row.booked,
        ...(row.carrier_ref !== null && { carrierRef: row.carrier_ref }),
        ...(withdrawal !== undefined && { withdrawal }),
      }
    },

    async settleBooking(accountId, shipmentId, lease, retryInMs, wasAsked = true) {
      if (!isShipmentId(shipmentId)) return
      const booking = { accountId, shipmentId, lease }
      const statement =
        retryInMs === undefined ? endBooking(booking, wasAsked) : postponeBooking(booking, retryInMs)
      await statement.execute(db)
    },

    async confirmDraft(draft) {
      await confirmDraftStatement(draft).execute(db)
    },
  }
}

/**
 * The end of the lease is a fence: if the try has been settled, or another one has begun, the statement changes
 * nothing. The number of tries is no fence, because it starts again with each booking.
 */
type BookingTry = { readonly accountId: string; readonly shipmentId: string; readonly lease: string }

/** The end of a booking's lease in microseconds. */
export function leaseOf(table: string): RawBuilder<string> {
  return sql<string>`(extract(epoch FROM ${sql.ref(`${table}.booking_until`)}) * 1000000)::bigint::text`
}

function postponeBooking(
  { accountId, shipmentId, lease }: BookingTry,
  retryInMs: number,
): RawBuilder<unknown> {
  return sql`
    UPDATE shipment SET booking_until = ${inMs(retryInMs)}
      WHERE shipment_id = ${shipmentId} AND account_id = ${accountId}
        AND carrier_ref IS NULL AND ${leaseOf('shipment')} = ${lease}`
}

/**
 * The carrier has no booking, so a cancellation that was requested in the meantime only cancels the draft. If the
 * carrier was not asked, it may have a booking of a suspect draft: the booking then continues, and the cancellation
 * waits for it.
 */
function endBooking({ accountId, shipmentId, lease }: BookingTry, wasAsked: boolean): RawBuilder<unknown> {
  return sql`
    WITH locked AS (
      SELECT shipment_id, cancel_requested_at IS NOT NULL AS cancel_requested FROM shipment
        WHERE shipment_id = ${shipmentId} AND account_id = ${accountId}
          AND carrier_ref IS NULL AND ${leaseOf('shipment')} = ${lease}
          AND (${wasAsked}::boolean OR cancel_requested_at IS NULL OR ${SUSPECT_LINEAGE} IS NULL) FOR UPDATE
    ), ended AS (
      UPDATE shipment SET booking_until = NULL, booking_tries = 0 FROM locked
        WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = locked.shipment_id
          AND NOT locked.cancel_requested
    ), cancelled AS (
      UPDATE shipment SET booking_until = NULL, booking_tries = 0, cancel_requested_at = NULL, state = 'cancelled',
          cancelled_at = clock_timestamp(), cancelled_by = 'draft', version = shipment.version + 1
        FROM locked WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = locked.shipment_id
          AND locked.cancel_requested
        RETURNING shipment.shipment_id
    )
    INSERT INTO shipment_event (account_id, shipment_id, from_state, to_state)
      SELECT ${accountId}, shipment_id, 'draft', 'cancelled' FROM cancelled`
}

type MarkRow = TicketRow & { state: ShipmentState; booked: boolean }

type ConfirmedBooking = {
  readonly accountId: string
  readonly shipmentId: string
  readonly carrierRef: string
  readonly parcelRefs: readonly string[] | undefined
  readonly orderRef: string | undefined
  readonly owner: string
  readonly leaseMs: number
}

/**
 * Makes a draft booked. If its cancellation was requested during the booking, the same statement opens the attempt, so
 * that the cancellation survives a crash of this process. A draft that was cancelled before the carrier confirmed the
 * booking (`late`) gets the tracking number and an attempt that withdraws the booking.
 */
async function markBooked(db: Kysely<Database>, booking: ConfirmedBooking): Promise<MarkRow | undefined> {
  const { accountId, shipmentId, carrierRef, owner, leaseMs } = booking
  const parcelRefs = sql`${booking.parcelRefs ?? null}::text[]`
  const orderRef = sql`${booking.orderRef ?? null}::text`
  const { rows } = await sql<MarkRow>`
    WITH locked AS (
      SELECT shipment_id, state, carrier_code, carrier_ref, parcel_refs, cancelled_refs, carrier_order_ref,
          coalesce(booked_at, created_at) AS booked_since, cancel_requested_at IS NOT NULL AS cancel_requested
        FROM shipment WHERE shipment_id = ${shipmentId} AND account_id = ${accountId} FOR UPDATE
    ), booked AS (
      UPDATE shipment SET state = 'booked', carrier_ref = ${carrierRef}, parcel_refs = ${parcelRefs}, booked_at = clock_timestamp(),
          carrier_order_ref = ${orderRef}, booking_until = NULL, cancel_requested_at = NULL,
          next_track_at = clock_timestamp() + interval '15 minutes', version = shipment.version + 1
        FROM locked WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = locked.shipment_id
          AND locked.state = 'draft'
        RETURNING shipment.shipment_id, shipment.carrier_ref, shipment.booked_at
    ), logged AS (
      INSERT INTO shipment_event (account_id, shipment_id, from_state, to_state)
        SELECT ${accountId}, shipment_id, 'draft', 'booked' FROM booked
    ), late AS (
      UPDATE shipment SET carrier_ref = ${carrierRef}, parcel_refs = ${parcelRefs}, carrier_order_ref = ${orderRef},
          booking_until = NULL, version = shipment.version + 1
        FROM locked WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = locked.shipment_id
          AND locked.state = 'cancelled' AND locked.carrier_ref IS NULL
        RETURNING shipment.carrier_ref
    ), opened AS (
      INSERT INTO cancel_attempt
          (shipment_id, account_id, carrier_code, lease_owner, lease_until, next_try_at, promised)
        SELECT locked.shipment_id, ${accountId}, locked.carrier_code, ${owner}, ${inMs(leaseMs)}, ${inMs(leaseMs)}, true
          FROM locked
          WHERE EXISTS (SELECT 1 FROM late) OR (locked.cancel_requested AND EXISTS (SELECT 1 FROM booked))
        RETURNING *
    )
    SELECT CASE WHEN EXISTS (SELECT 1 FROM booked) THEN 'booked' ELSE locked.state END AS state,
      EXISTS (SELECT 1 FROM booked) AS booked, locked.carrier_code,
      coalesce((SELECT carrier_ref FROM booked), (SELECT carrier_ref FROM late), locked.carrier_ref) AS carrier_ref,
      CASE WHEN EXISTS (SELECT 1 FROM booked) OR EXISTS (SELECT 1 FROM late) THEN ${parcelRefs}
        ELSE locked.parcel_refs END AS parcel_refs, locked.cancelled_refs,
      CASE WHEN EXISTS (SELECT 1 FROM booked) OR EXISTS (SELECT 1 FROM late) THEN ${orderRef}
        ELSE locked.carrier_order_ref END AS carrier_order_ref,
      coalesce((SELECT booked_at FROM booked), locked.booked_since) AS booked_since,
      ${ticketColumns('opened')}
      FROM locked LEFT JOIN opened ON true`.execute(db)
  return rows[0]
}
