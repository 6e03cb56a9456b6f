/** Rows for the tests of the shipment store: two accounts, one carrier, and shipments in any state. */
import { type Insertable, type Kysely, sql } from 'kysely'
import type { Database } from '../../src/store/database.ts'
import type { ShipmentTableRows } from '../../src/store/tables/shipments.ts'

type NewRow = Insertable<ShipmentTableRows['shipment']>

/** The accounts "acme" and "other", and the carrier "rondeel". */
export async function insertParties(db: Kysely<Database>): Promise<void> {
  await sql`INSERT INTO account (account_id, name) VALUES ('acme', 'Acme'), ('other', 'Other')
    ON CONFLICT DO NOTHING`.execute(db)
  await sql`INSERT INTO carrier (carrier_code, name, connector) VALUES ('rondeel', 'Rondeel', 'sandbox')
    ON CONFLICT DO NOTHING`.execute(db)
}

/** A booked shipment of "acme" whose reference is SBX-OK-<id>; override what a test is about. */
export async function insertShipment(
  db: Kysely<Database>,
  shipmentId: string,
  overrides: Partial<NewRow> = {},
): Promise<void> {
  const row: NewRow = {
    shipment_id: shipmentId,
    account_id: 'acme',
    state: 'booked',
    product_id: 1201,
    carrier_code: 'rondeel',
    carrier_ref: `SBX-OK-${shipmentId}`,
    from_country: 'NL',
    from_zipcode: '1012 LG',
    from_city: null,
    to_country: 'DE',
    to_zipcode: null,
    to_city: 'Berlin',
    parcel_type: 'NONDOC',
    parcels: '[]',
    recipient: 'business',
    price_cents: 985,
    tariff_version: 'demo@1',
    ...overrides,
  }
  await db.insertInto('shipment').values(row).execute()
}

/** What makes a row a draft. */
export const DRAFT = { state: 'draft', carrier_ref: null } as const
