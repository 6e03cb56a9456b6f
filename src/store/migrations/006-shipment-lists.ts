/** What accounts read about their shipments: their own reference, declared goods, and the time of the last change. */
export const SHIPMENT_LISTS = [
  `ALTER TABLE shipment
    ADD COLUMN reference text,
    ADD COLUMN content_items jsonb,
    -- NULL for shipments that have not changed since they were created, or since this migration.
    ADD COLUMN updated_at timestamptz(3)`,
  `CREATE INDEX shipment_newest_with_reference
    ON shipment (account_id, reference, state, created_at DESC, shipment_id DESC) WHERE reference IS NOT NULL`,
  // A trigger, because an older version that runs during an upgrade does not set the column.
  `CREATE FUNCTION set_shipment_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.updated_at := clock_timestamp();
      RETURN NEW;
    END $$`,
  // Leases and the times of lookups change often, and accounts do not see them.
  `CREATE TRIGGER set_updated_at BEFORE UPDATE ON shipment FOR EACH ROW
    WHEN ((OLD.state, OLD.carrier_ref, OLD.parcel_refs, OLD.cancelled_refs, OLD.cancel_refused_at)
      IS DISTINCT FROM (NEW.state, NEW.carrier_ref, NEW.parcel_refs, NEW.cancelled_refs, NEW.cancel_refused_at))
    EXECUTE FUNCTION set_shipment_updated_at()`,
]
