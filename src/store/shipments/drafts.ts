/**
 * What drafts take up, what they were priced for, and their end (docs/limits.md#drafts). A draft is inserted in
 * shipments.ts. Imported shipments are the operator's, so they neither count nor expire.
 */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { RecentShipment } from '../../core/rate-card-review/difference/recent-shipments.ts'
import type { RatesRequest } from '../../core/rating/request.ts'
import { isShipmentId } from '../../core/shipments/shipment.ts'
import type { ShipmentStore } from '../../operations/ports/shipments.ts'
import type { Database } from '../database/database.ts'
import { isNotMoved } from '../database/moved-accounts.ts'
import { placeOf } from '../row-types/shipments.ts'
import { SUSPECT_LINEAGE } from './restores.ts'

/** The columns of a shipment that decide its price. */
const PRICED_COLUMNS = [
  ...(['from_country', 'from_zipcode', 'from_city', 'to_country', 'to_zipcode', 'to_city'] as const),
  ...(['parcel_type', 'parcels', 'recipient', 'insured_value_cents'] as const),
  ...(['services', 'service_inputs'] as const),
] as const

/** The request that a shipment is priced for. */
export function pricedRequestOf(row: PricedRow): RatesRequest {
  return {
    from: placeOf(row.from_country, row.from_zipcode, row.from_city),
    to: placeOf(row.to_country, row.to_zipcode, row.to_city),
    parcelType: row.parcel_type,
    parcels: row.parcels,
    recipient: row.recipient,
    ...(row.insured_value_cents !== null && { insuredValueCents: row.insured_value_cents }),
    ...(row.services.length > 0 && { services: row.services }),
    ...(row.service_inputs !== null && { serviceInputs: row.service_inputs }),
  }
}

type PricedRow = Pick<Selectable<Database['shipment']>, (typeof PRICED_COLUMNS)[number]>

const NEWEST_EVENTS = 200_000

/**
 * At most `limit` shipments of these products that were booked in the last `days` days, the newest first. Looks at the
 * newest 200,000 events only, so that it takes a second with any number of shipments.
 */
export async function recentShipments(
  db: Kysely<Database>,
  productIds: readonly number[],
  days: number,
  limit: number,
): Promise<readonly RecentShipment[]> {
  const rows = await db
    .with('newest', (cte) =>
      cte
        .selectFrom('shipment_event')
        .select(['event_id', 'account_id', 'shipment_id', 'from_state', 'to_state', 'at'])
        .orderBy('event_id', 'desc')
        .limit(NEWEST_EVENTS),
    )
    .selectFrom('newest')
    .innerJoin('shipment', (join) =>
      join
        .onRef('shipment.account_id', '=', 'newest.account_id')
        .onRef('shipment.shipment_id', '=', 'newest.shipment_id'),
    )
    .select(['shipment.product_id', ...PRICED_COLUMNS])
    .where('newest.to_state', '=', 'booked')
    .where('newest.from_state', '=', 'draft')
    .where('newest.at', '>', sql<Date>`clock_timestamp() - ${days} * interval '1 day'`)
    // One array, because a statement has at most 65,535 parameters.
    .where(sql<boolean>`shipment.product_id = ANY(${productIds}::integer[])`)
    .where('shipment.parcel_rows', '>', 0)
    .orderBy('newest.event_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ productId: row.product_id, request: pricedRequestOf(row) }))
}

/** The part of the shipment store about drafts. */
export type DraftStore = Pick<ShipmentStore, 'draftUsage' | 'pricedRequest' | 'expireDrafts'>

export function draftStore(db: Kysely<Database>): DraftStore {
  return {
    // Reads only an index, with an entry for each of these shipments.
    async draftUsage(accountId) {
      const { count, bytes } = await db
        .selectFrom('shipment')
        .select((eb) => [
          eb.fn.countAll<number>().as('count'),
          sql<number>`coalesce(sum(content_bytes), 0)::bigint`.as('bytes'),
        ])
        .where('account_id', '=', accountId)
        .where('carrier_ref', 'is', null)
        .where('parcel_rows', '>', 0)
        .executeTakeFirstOrThrow()
      return { count, bytes }
    },

    async pricedRequest(accountId, shipmentId) {
      if (!isShipmentId(shipmentId)) return undefined
      const row = await db
        .selectFrom('shipment')
        .select(PRICED_COLUMNS)
        .where('shipment_id', '=', shipmentId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row === undefined || row.parcels.length === 0 ? undefined : pricedRequestOf(row)
    },

    async expireDrafts(keptDays, limit) {
      const { rows } = await sql`
        WITH due AS (
          SELECT account_id, shipment_id, state FROM shipment
            WHERE carrier_ref IS NULL AND parcel_rows > 0 AND booking_until IS NULL
              AND created_at < clock_timestamp() - ${keptDays} * interval '1 day'
              AND (state <> 'draft' OR ${SUSPECT_LINEAGE} IS NULL)
              AND ${isNotMoved('shipment')}
            ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ), expired AS (
          UPDATE shipment SET parcels = '[]', content_items = NULL, contacts = NULL,
              parcel_rows = 0, item_count = 0, quantity_count = 0, content_bytes = 0,
              state = 'cancelled', cancelled_at = coalesce(shipment.cancelled_at, clock_timestamp()),
              cancelled_by = 'draft', version = shipment.version + 1
            FROM due WHERE shipment.account_id = due.account_id AND shipment.shipment_id = due.shipment_id
            RETURNING due.account_id, due.shipment_id, due.state
        ), logged AS (
          INSERT INTO shipment_event (account_id, shipment_id, from_state, to_state)
            SELECT account_id, shipment_id, 'draft', 'cancelled' FROM expired WHERE state = 'draft'
        )
        SELECT shipment_id FROM expired`.execute(db)
      return rows.length
    },
  }
}
