/**
 * Shipments with several numbers of the carrier. See docs/cancellation.md#several-parcels.
 *
 * The check keeps an older version, which only cancels the first parcel, from marking the whole shipment as cancelled.
 */
export const PARCELS = [
  `ALTER TABLE shipment
    -- All numbers, the one of carrier_ref first. NULL unless there are several.
    ADD COLUMN parcel_refs text[],
    -- The numbers that the carrier has cancelled.
    ADD COLUMN cancelled_refs text[],
    ADD CHECK (parcel_refs IS NULL OR (carrier_ref = parcel_refs[1] AND cardinality(parcel_refs) > 1)) NOT VALID,
    ADD CHECK (parcel_refs IS NULL OR state <> 'cancelled' OR cancelled_by = 'draft'
      OR coalesce(cancelled_refs @> parcel_refs, false)) NOT VALID`,
  `CREATE INDEX shipment_by_parcel ON shipment USING gin (parcel_refs) WHERE parcel_refs IS NOT NULL`,
  `CREATE INDEX shipment_partly_cancelled ON shipment (shipment_id)
    WHERE cancelled_refs IS NOT NULL AND state <> 'cancelled'`,
  // By number: a final refusal, a refusal in doubt, and how many sends did not include the parcel.
  `ALTER TABLE cancel_attempt ADD COLUMN parcels jsonb`,
]
