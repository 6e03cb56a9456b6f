/**
 * Refusals in doubt, shipments with several numbers, and attempts that an operator settled. See docs/cancellation.md.
 */
export const CANCELLATION = [
  // A refusal that followed an unconfirmed send, and that no lookup has confirmed yet.
  `ALTER TABLE cancel_attempt
    ADD COLUMN doubt_code text CHECK (doubt_code IN ('SCANNED', 'WINDOW_CLOSED', 'UNKNOWN_PARCEL', 'NOT_CANCELLABLE')),
    ADD COLUMN doubt_reason text,
    ADD COLUMN doubt_carrier_code text,
    ADD COLUMN doubted_at timestamptz,
    ADD CHECK (num_nulls(doubt_code, doubt_reason, doubt_carrier_code, doubted_at) IN (0, 4))`,
  // The second check keeps an older version, which only cancels the first parcel, from marking the whole shipment as
  // cancelled.
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
  // Attempts that an operator settled by hand. The columns keep the decision if the carrier's answer changes the
  // outcome later.
  `ALTER TABLE cancel_attempt
    ADD COLUMN operator text,
    ADD COLUMN operator_outcome text CHECK (operator_outcome IN ('cancelled', 'refused')),
    ADD COLUMN operator_reason text,
    ADD COLUMN operator_at timestamptz(3),
    ADD CHECK (num_nulls(operator, operator_outcome, operator_reason, operator_at) IN (0, 4))`,
]
