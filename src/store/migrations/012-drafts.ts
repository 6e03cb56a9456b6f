/** Finds the drafts of an account, for its quota, and the oldest ones, which expire. See docs/limits.md#drafts. */
export const DRAFTS = [
  // Imported shipments have no parcels, and expired drafts have none any more.
  `CREATE INDEX shipment_unbooked ON shipment (account_id) INCLUDE (content_bytes)
    WHERE carrier_ref IS NULL AND parcel_rows > 0`,
  `CREATE INDEX shipment_unbooked_oldest ON shipment (created_at) WHERE carrier_ref IS NULL AND parcel_rows > 0`,
]
