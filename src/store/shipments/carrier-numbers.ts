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
