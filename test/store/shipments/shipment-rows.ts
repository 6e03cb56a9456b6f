/** Rows for the tests of the shipment store: two accounts, one carrier, and shipments in any state. */
import { type Insertable, type Kysely, sql } from 'kysely'
import type { Database } from '../../../src/store/database/database.ts'
import type { ShipmentTableRows } from '../../../src/store/row-types/shipments.ts'

type NewRow = Insertable<ShipmentTableRows['shipment']>
type NewAttempt = Insertable<ShipmentTableRows['cancel_attempt']>

/** The number of inserted rows, used for unique ids. */
let inserted = 0

/** The accounts "acme" and "other", and the carrier "rondeel". */
export async function insertParties(db: Kysely<Database>): Promise<void> {
  await sql`INSERT INTO account (account_id, name) VALUES ('acme', 'Acme'), ('other', 'Other')
    ON CONFLICT DO NOTHING`.execute(db)
  await sql`INSERT INTO carrier (carrier_code, name, connector) VALUES ('rondeel', 'Rondeel', 'sandbox')
    ON CONFLICT DO NOTHING`.execute(db)
}

/** Inserts a shipment of "acme". Default: booked, with the tracking number SBX-OK-<id>. */
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

/** The columns of a draft. */
export const DRAFT = { state: 'draft', carrier_ref: null } as const

/** Inserts a carrier that no other row uses. */
export async function insertCarrier(db: Kysely<Database>): Promise<string> {
  inserted += 1
  const carrierCode = `carrier-${inserted}`
  await db
    .insertInto('carrier')
    .values({ carrier_code: carrierCode, name: carrierCode, connector: 'sandbox' })
    .execute()
  return carrierCode
}

/** Inserts a booked shipment of a carrier, with a new id. Its lookup is due in an hour. */
export async function insertShipmentOf(
  db: Kysely<Database>,
  carrierCode: string,
  overrides: Partial<NewRow> = {},
): Promise<string> {
  inserted += 1
  const shipmentId = `shp_of_${carrierCode}_${inserted}`
  await insertShipment(db, shipmentId, {
    ...{ carrier_code: carrierCode, next_track_at: inSeconds(3_600) },
    ...overrides,
  })
  return shipmentId
}

/** Inserts an open attempt that became due a minute ago and has no lease. Returns its id. */
export async function insertAttempt(
  db: Kysely<Database>,
  shipmentId: string,
  overrides: Partial<NewAttempt> = {},
): Promise<string> {
  const { account_id, carrier_code } = await db
    .selectFrom('shipment')
    .select(['account_id', 'carrier_code'])
    .where('shipment_id', '=', shipmentId)
    .executeTakeFirstOrThrow()
  const row: NewAttempt = {
    ...{ shipment_id: shipmentId, account_id, carrier_code },
    ...{ lease_until: inSeconds(-60), next_try_at: inSeconds(-60) },
    ...overrides,
  }
  const { attempt_id } = await db
    .insertInto('cancel_attempt')
    .values(row)
    .returning('attempt_id')
    .executeTakeFirstOrThrow()
  return attempt_id
}

/** Inserts that a lookup has found the first number of the shipment scanned. */
export async function insertReport(
  db: Kysely<Database>,
  shipmentId: string,
  overrides: Partial<Insertable<ShipmentTableRows['lookup_report']>> = {},
): Promise<void> {
  const { account_id, carrier_code, carrier_ref } = await db
    .selectFrom('shipment')
    .select(['account_id', 'carrier_code', 'carrier_ref'])
    .where('shipment_id', '=', shipmentId)
    .executeTakeFirstOrThrow()
  const row = { shipment_id: shipmentId, account_id, carrier_code, carrier_ref, reported: 'scanned' } as const
  await db
    .insertInto('lookup_report')
    .values({ ...row, ...overrides })
    .execute()
}

/** The columns of an attempt that was refused after an earlier send. */
export const REFUSED = {
  phase: 'refused',
  reason: 'no such parcel',
  refusal_code: 'UNKNOWN_PARCEL',
  sends: 2,
  settled_at: new Date(),
} as const

export function inSeconds(seconds: number): Date {
  return new Date(Date.now() + seconds * 1_000)
}

/** Runs `work` while another connection holds the lock on a shipment's row. */
export async function whileLocked(
  db: Kysely<Database>,
  shipmentId: string,
  work: () => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`SELECT 1 FROM shipment WHERE shipment_id = ${shipmentId} FOR UPDATE`.execute(transaction)
    await work()
  })
}
