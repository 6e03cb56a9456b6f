/** A shipment as its row says it, for every statement that reads one. */
import type { Selectable } from 'kysely'
import type { Shipment } from '../core/shipments/shipment.ts'
import type { ShipmentTableRows } from './tables/shipments.ts'

/** What a shipment is read from. */
export const SHIPMENT_COLUMNS = [
  'shipment_id',
  'state',
  'product_id',
  'carrier_code',
  'carrier_ref',
  'from_country',
  'from_zipcode',
  'from_city',
  'to_country',
  'to_zipcode',
  'to_city',
  'price_cents',
  'created_at',
  'cancelled_at',
] as const

/** A row of those columns. */
export type ShipmentRow = Pick<Selectable<ShipmentTableRows['shipment']>, (typeof SHIPMENT_COLUMNS)[number]>

/** A row as core knows it. */
export function shipmentOf(row: ShipmentRow): Shipment {
  return {
    shipmentId: row.shipment_id,
    state: row.state,
    productId: row.product_id,
    carrierCode: row.carrier_code,
    ...(row.carrier_ref !== null && { carrierRef: row.carrier_ref }),
    from: placeOf(row.from_country, row.from_zipcode, row.from_city),
    to: placeOf(row.to_country, row.to_zipcode, row.to_city),
    priceCents: row.price_cents,
    createdAt: row.created_at.toISOString(),
    ...(row.cancelled_at !== null && { cancelledAt: row.cancelled_at.toISOString() }),
  }
}

function placeOf(country: string, zipcode: string | null, city: string | null): Shipment['from'] {
  return { country, ...(zipcode !== null && { zipcode }), ...(city !== null && { city }) }
}
