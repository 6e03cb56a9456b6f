/** When the personal data and the scans of old shipments were erased. See docs/growth.md#erasure. */
export const ERASURE = [
  `ALTER TABLE shipment ADD COLUMN erased_at timestamptz`,
  // In the order of their last change.
  `CREATE INDEX shipment_to_erase ON shipment ((coalesce(updated_at, created_at)))
    WHERE erased_at IS NULL AND state <> 'draft'`,
]
