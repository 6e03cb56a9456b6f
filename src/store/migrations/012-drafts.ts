/**
 * Finds the drafts of an account, for its quota, and the oldest ones, which expire; see docs/limits.md#drafts. Counts
 * the bookings of a draft, so that a statement that was made before the last one has no effect.
 */
export const DRAFTS = [
  // Rises with each begin of a booking, and is never reset.
  'ALTER TABLE shipment ADD COLUMN booking_no integer NOT NULL DEFAULT 0',
  // Imported shipments have no parcels, and expired drafts have none any more.
  `CREATE INDEX shipment_unbooked ON shipment (account_id) INCLUDE (content_bytes)
    WHERE carrier_ref IS NULL AND parcel_rows > 0`,
  `CREATE INDEX shipment_unbooked_oldest ON shipment (created_at) WHERE carrier_ref IS NULL AND parcel_rows > 0`,
]
