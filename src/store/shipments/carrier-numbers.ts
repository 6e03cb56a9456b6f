/**
 * Finds the account of a carrier's number. Scans name no account, and `carrier_number` is the only table that is read
 * without one: every other statement about a scan then names the account that was found. See docs/distribution.md.
 */
import { type Kysely, sql } from 'kysely'
import type { ParcelReference } from '../../core/shipments/tracking.ts'
import type { Database } from '../database/database.ts'

/** The account of scans whose number no shipment has. They wait under it until a shipment gets the number. */
export const NO_ACCOUNT = ''

/** A shipment that has the number. */
export type NumberOwner = { readonly accountId: string; readonly shipmentId: string }

export type NumberOwners = {
  /** Newest first. Several if the carrier has reused the number, or if shipments share it. */
  readonly owners: readonly NumberOwner[]
  /** Whether scans of the number wait for a shipment. */
  readonly hasUnmatched: boolean
}

/** How many shipments with the same number are considered. */
const OWNERS_MAX = 20

export async function ownersOf(
  db: Kysely<Database>,
  { carrierCode, carrierRef }: ParcelReference,
): Promise<NumberOwners> {
  const { rows } = await sql<{ accounts: string[] | null; shipments: string[] | null; unmatched: boolean }>`
    SELECT array_agg(account_id ORDER BY place) AS accounts, array_agg(shipment_id ORDER BY place) AS shipments,
        EXISTS (SELECT 1 FROM carrier_scan WHERE account_id = ${NO_ACCOUNT} AND carrier_ref = ${carrierRef}
          AND carrier_code = ${carrierCode} AND shipment_id IS NULL) AS unmatched
      FROM (
        SELECT account_id, shipment_id, row_number() OVER (ORDER BY created_at DESC, shipment_id DESC, account_id) AS place
          FROM carrier_number WHERE carrier_code = ${carrierCode} AND carrier_ref = ${carrierRef}
          ORDER BY place LIMIT ${OWNERS_MAX}
      ) AS owner`.execute(db)
  const { accounts, shipments, unmatched = false } = rows[0] ?? {}
  return {
    owners: (accounts ?? []).map((accountId, index) => ({ accountId, shipmentId: shipments?.[index] ?? '' })),
    hasUnmatched: unmatched,
  }
}

/**
 * Adds the numbers of shipments that are booked or looked up. Triggers add them, so this is needed only if shipments
 * were changed while triggers were disabled. Without its number, a shipment gets neither scans nor deliveries.
 */
export async function recordMissingNumbers(db: Kysely<Database>): Promise<void> {
  await sql`
    INSERT INTO carrier_number (carrier_code, carrier_ref, account_id, shipment_id, created_at)
      SELECT shipment.carrier_code, number, account_id, shipment_id, shipment.created_at
        FROM lookup_schedule JOIN shipment USING (account_id, shipment_id),
          unnest(coalesce(shipment.parcel_refs, ARRAY[shipment.carrier_ref])) AS number
        WHERE number IS NOT NULL AND NOT EXISTS (SELECT 1 FROM carrier_number AS known
          WHERE known.carrier_code = shipment.carrier_code AND known.carrier_ref = number
            AND known.account_id = shipment.account_id AND known.shipment_id = shipment.shipment_id)
        FOR SHARE OF shipment SKIP LOCKED
      ON CONFLICT DO NOTHING`.execute(db)
}
