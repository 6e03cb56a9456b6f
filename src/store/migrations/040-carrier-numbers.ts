/**
 * The shipments that have a carrier's number, over all accounts: scans name no account. Where the tables are spread
 * over servers, each of them needs this table. Triggers fill it, so that shipments of an older version that runs during
 * an upgrade are in it, too. See docs/distribution.md.
 */
export const CARRIER_NUMBERS = [
  `CREATE TABLE carrier_number (
    carrier_code text NOT NULL,
    carrier_ref text NOT NULL,
    account_id text NOT NULL,
    shipment_id text NOT NULL,
    -- Of the shipment. Carriers reuse numbers, and the newest shipment has them.
    created_at timestamptz(3) NOT NULL
  )`,
  `INSERT INTO carrier_number (carrier_code, carrier_ref, account_id, shipment_id, created_at)
    SELECT carrier_code, carrier_ref, account_id, shipment_id, created_at FROM shipment
      WHERE carrier_ref IS NOT NULL AND parcel_refs IS NULL
    UNION ALL
    SELECT DISTINCT carrier_code, unnest(parcel_refs), account_id, shipment_id, created_at FROM shipment
      WHERE parcel_refs IS NOT NULL`,
  'ALTER TABLE carrier_number ADD PRIMARY KEY (carrier_code, carrier_ref, account_id, shipment_id)',
  `CREATE FUNCTION record_carrier_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO carrier_number (carrier_code, carrier_ref, account_id, shipment_id, created_at)
        SELECT NEW.carrier_code, number, NEW.account_id, NEW.shipment_id, NEW.created_at
          FROM unnest(coalesce(NEW.parcel_refs, ARRAY[NEW.carrier_ref])) AS number
        ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER record_numbers AFTER INSERT ON shipment
    FOR EACH ROW WHEN (NEW.carrier_ref IS NOT NULL) EXECUTE FUNCTION record_carrier_numbers()`,
  `CREATE TRIGGER record_new_numbers AFTER UPDATE ON shipment
    FOR EACH ROW WHEN (NEW.carrier_ref IS NOT NULL AND (OLD.carrier_ref IS DISTINCT FROM NEW.carrier_ref
      OR OLD.parcel_refs IS DISTINCT FROM NEW.parcel_refs))
    EXECUTE FUNCTION record_carrier_numbers()`,
  `CREATE OR REPLACE FUNCTION forget_shipment() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM lookup_schedule WHERE account_id = OLD.account_id AND shipment_id = OLD.shipment_id;
      DELETE FROM scan_anomaly WHERE account_id = OLD.account_id AND shipment_id = OLD.shipment_id;
      DELETE FROM carrier_number WHERE carrier_code = OLD.carrier_code
        AND carrier_ref = ANY (coalesce(OLD.parcel_refs, ARRAY[OLD.carrier_ref]))
        AND account_id = OLD.account_id AND shipment_id = OLD.shipment_id;
      RETURN NULL;
    END $$`,
]
