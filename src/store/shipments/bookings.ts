/**
 * Booking a draft: on record before its carrier hears of it, settled after its answer, so that whatever dies in
 * between leaves a booking that the sweeper drives to its end. One statement each, the account in all of them.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isShipmentId, type ShipmentState } from '../../core/shipments/shipment.ts'
import type { ShipmentStore } from '../../operations/ports/shipments.ts'
import type { Database } from '../database/database.ts'
import { SHIPMENT_COLUMNS, type ShipmentRow, shipmentOf } from '../tables/shipments.ts'
import { inMs, type TicketRow, ticketOf } from './cancellation-statements.ts'

/** The part of the shipment store that books. */
export type BookingStore = Pick<ShipmentStore, 'beginBooking' | 'markBooked' | 'settleBooking'>

/** Binds booking to a database; `owner` names this process in the leases it takes. */
export function bookingStore(db: Kysely<Database>, owner: string): BookingStore {
  return {
    async beginBooking(accountId, shipmentId, leaseMs) {
      if (!isShipmentId(shipmentId)) return undefined
      const { rows } = await sql<ShipmentRow & { tries: number | null }>`
        WITH s AS (
          SELECT * FROM shipment
            WHERE shipment_id = ${shipmentId} AND account_id = ${accountId} FOR UPDATE
        ), b AS (
          UPDATE shipment t SET booking_until = ${inMs(leaseMs)}, booking_tries = t.booking_tries + 1
            FROM s WHERE t.shipment_id = s.shipment_id AND s.state = 'draft'
              AND (s.booking_until IS NULL OR s.booking_until <= clock_timestamp())
            RETURNING t.booking_tries
        )
        SELECT ${sql.join(SHIPMENT_COLUMNS.map((column) => sql.ref(`s.${column}`)))},
          b.booking_tries AS tries FROM s LEFT JOIN b ON true`.execute(db)
      const row = rows[0]
      if (row === undefined) return undefined
      return { shipment: shipmentOf(row), begun: row.tries !== null, tries: row.tries ?? 0 }
    },

    async markBooked(accountId, shipmentId, carrierRef, leaseMs) {
      if (!isShipmentId(shipmentId)) return undefined
      const row = await markBooked(db, { accountId, shipmentId, carrierRef, owner, leaseMs })
      if (row === undefined) return undefined
      const withdrawal = ticketOf(accountId, shipmentId, row)
      return {
        state: row.state,
        booked: row.booked,
        ...(row.carrier_ref !== null && { carrierRef: row.carrier_ref }),
        ...(withdrawal !== undefined && { withdrawal }),
      }
    },

    async settleBooking(accountId, shipmentId, tries, retryInMs) {
      if (!isShipmentId(shipmentId)) return
      const settled = { accountId, shipmentId, tries }
      await (retryInMs === undefined ? endBooking(settled) : postponeBooking(settled, retryInMs)).execute(db)
    },
  }
}

type Settled = { readonly accountId: string; readonly shipmentId: string; readonly tries: number }

function postponeBooking({ accountId, shipmentId, tries }: Settled, retryInMs: number): RawBuilder<unknown> {
  return sql`
    UPDATE shipment SET booking_until = ${inMs(retryInMs)}
      WHERE shipment_id = ${shipmentId} AND account_id = ${accountId}
        AND carrier_ref IS NULL AND booking_until IS NOT NULL AND booking_tries = ${tries}`
}

/** Nothing lies at the carrier, so a cancellation that waited for this end is one of a draft. */
function endBooking({ accountId, shipmentId, tries }: Settled): RawBuilder<unknown> {
  return sql`
    WITH s AS (
      SELECT shipment_id, cancel_requested_at IS NOT NULL AS wanted FROM shipment
        WHERE shipment_id = ${shipmentId} AND account_id = ${accountId}
          AND carrier_ref IS NULL AND booking_until IS NOT NULL AND booking_tries = ${tries} FOR UPDATE
    ), u AS (
      UPDATE shipment t SET booking_until = NULL, booking_tries = 0 FROM s
        WHERE t.shipment_id = s.shipment_id AND NOT s.wanted
    ), d AS (
      UPDATE shipment t SET booking_until = NULL, booking_tries = 0, cancel_requested_at = NULL, state = 'cancelled',
          cancelled_at = clock_timestamp(), cancelled_by = 'draft', version = t.version + 1
        FROM s WHERE t.shipment_id = s.shipment_id AND s.wanted RETURNING t.shipment_id
    )
    INSERT INTO shipment_event (shipment_id, from_state, to_state)
      SELECT shipment_id, 'draft', 'cancelled' FROM d`
}

type MarkRow = TicketRow & { state: ShipmentState; booked: boolean }

type Marking = {
  readonly accountId: string
  readonly shipmentId: string
  readonly carrierRef: string
  readonly owner: string
  readonly leaseMs: number
}

/**
 * Draft to booked. When a cancellation waits for that, its attempt is opened in the same statement, so that it is made
 * whatever happens to this process. A draft that was cancelled before its booking came to light gets the reference and
 * the attempt that withdraws it.
 */
async function markBooked(db: Kysely<Database>, marking: Marking): Promise<MarkRow | undefined> {
  const { accountId, shipmentId, carrierRef, owner, leaseMs } = marking
  const { rows } = await sql<MarkRow>`
    WITH s AS (
      SELECT shipment_id, state, carrier_code, carrier_ref, cancel_requested_at IS NOT NULL AS wanted
        FROM shipment WHERE shipment_id = ${shipmentId} AND account_id = ${accountId} FOR UPDATE
    ), b AS (
      UPDATE shipment t SET state = 'booked', carrier_ref = ${carrierRef}, booked_at = clock_timestamp(),
          booking_until = NULL, cancel_requested_at = NULL, next_track_at = clock_timestamp() + interval '15 minutes',
          version = t.version + 1
        FROM s WHERE t.shipment_id = s.shipment_id AND s.state = 'draft'
        RETURNING t.shipment_id, t.carrier_ref
    ), e AS (
      INSERT INTO shipment_event (shipment_id, from_state, to_state)
        SELECT shipment_id, 'draft', 'booked' FROM b
    ), w AS (
      UPDATE shipment t SET carrier_ref = ${carrierRef}, booking_until = NULL, version = t.version + 1
        FROM s WHERE t.shipment_id = s.shipment_id AND s.state = 'cancelled' AND s.carrier_ref IS NULL
        RETURNING t.carrier_ref
    ), a AS (
      INSERT INTO cancel_attempt (shipment_id, account_id, carrier_code, lease_owner, lease_until, next_try_at, promised)
        SELECT s.shipment_id, ${accountId}, s.carrier_code, ${owner}, ${inMs(leaseMs)}, ${inMs(leaseMs)}, true FROM s
          WHERE EXISTS (SELECT 1 FROM w) OR (s.wanted AND EXISTS (SELECT 1 FROM b))
        RETURNING attempt_id, fence, sends
    )
    SELECT CASE WHEN EXISTS (SELECT 1 FROM b) THEN 'booked' ELSE s.state END AS state,
      EXISTS (SELECT 1 FROM b) AS booked, s.carrier_code,
      coalesce((SELECT carrier_ref FROM b), (SELECT carrier_ref FROM w), s.carrier_ref) AS carrier_ref,
      a.attempt_id, a.fence, a.sends, 0 AS age_ms
      FROM s LEFT JOIN a ON true`.execute(db)
  return rows[0]
}
