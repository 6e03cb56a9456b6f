/**
 * Who sends and receives a shipment. Belongs to the contents of a draft: it counts for the quota of the account, and is
 * removed with them.
 */
export const CONTACTS = [
  `ALTER TABLE shipment
    -- An object with \`sender\` and \`recipient\`. NULL if none is given, and for imported shipments.
    ADD COLUMN contacts jsonb`,
  `CREATE OR REPLACE FUNCTION set_shipment_sizes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      SELECT sizes.parcel_rows, sizes.item_count, sizes.quantity_count, sizes.content_bytes
        INTO NEW.parcel_rows, NEW.item_count, NEW.quantity_count, NEW.content_bytes
        FROM shipment_content_sizes(NEW.parcels, NEW.content_items) AS sizes;
      NEW.content_bytes := NEW.content_bytes + coalesce(octet_length(NEW.contacts::text), 0);
      RETURN NEW;
    END $$`,
]
