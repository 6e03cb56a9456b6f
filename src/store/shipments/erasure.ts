/**
 * Erases what is personal, and what takes most of the space, from shipments that have not changed for a long time. The
 * row stays with its state, its numbers and its attempts, so a repeated cancellation gets the same answer as before.
 * See docs/growth.md#erasure.
 */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { isNotMoved } from '../database/moved-accounts.ts'

/**
 * Erases up to `limit` shipments that last changed more than `olderThanDays` ago, and returns how many. Drafts expire
 * instead. Shipments with an open attempt, a running booking or a planned lookup of a report are left for later.
 */
export async function eraseShipments(
  db: Kysely<Database>,
  olderThanDays: number,
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    WITH due AS (
      SELECT account_id, shipment_id FROM shipment
        WHERE erased_at IS NULL AND state <> 'draft' AND booking_until IS NULL
          AND coalesce(updated_at, created_at) < (SELECT clock_timestamp() - ${olderThanDays} * interval '1 day')
          AND NOT EXISTS (SELECT 1 FROM cancel_attempt AS attempt
            WHERE attempt.account_id = shipment.account_id AND attempt.shipment_id = shipment.shipment_id
            AND (attempt.phase = 'pending' OR attempt.verify_at IS NOT NULL))
          AND NOT EXISTS (SELECT 1 FROM lookup_report AS report
            WHERE report.account_id = shipment.account_id AND report.shipment_id = shipment.shipment_id
            AND report.verify_at IS NOT NULL)
          AND ${isNotMoved('shipment')}
        ORDER BY coalesce(updated_at, created_at) LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), scans AS (
      DELETE FROM carrier_scan USING due
        WHERE carrier_scan.account_id = due.account_id AND carrier_scan.shipment_id = due.shipment_id
    )
    UPDATE shipment SET erased_at = clock_timestamp(), reference = NULL, from_zipcode = NULL, from_city = NULL,
        to_zipcode = NULL, to_city = NULL, contacts = NULL, content_items = NULL, parcels = '[]',
        parcel_rows = 0, item_count = 0, quantity_count = 0, content_bytes = 0
      FROM due WHERE shipment.account_id = due.account_id AND shipment.shipment_id = due.shipment_id
      RETURNING shipment.shipment_id`.execute(db)
  return rows.length
}
