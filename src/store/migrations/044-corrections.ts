/** What operators have added to shipments by hand. See docs/shipment-import.md#add-missing-numbers. */
export const CORRECTIONS = [
  // Without a foreign key, because the archive deletes the rows of its shipments.
  `CREATE TABLE shipment_correction (
    correction_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    account_id text NOT NULL,
    shipment_id text NOT NULL,
    carrier_code text NOT NULL,
    corrected_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    field text NOT NULL CHECK (field IN ('carrier_order_ref', 'parcel_refs')),
    added text[] NOT NULL CHECK (cardinality(added) > 0),
    operator text NOT NULL CHECK (operator <> ''),
    system_user_name text NOT NULL,
    PRIMARY KEY (correction_id, account_id)
  )`,
  `CREATE INDEX shipment_correction_newest ON shipment_correction (corrected_at)`,
  `CREATE INDEX shipment_correction_of_shipment ON shipment_correction (account_id, shipment_id)`,
  // To find the other shipments of an order.
  `CREATE INDEX shipment_by_order ON shipment (carrier_order_ref, carrier_code) WHERE carrier_order_ref IS NOT NULL`,
]
