/**
 * The sizes of what is in a shipment, so that reading it can be charged before it is read. `parcels` and
 * `content_items` never change after the insert.
 */
export const SHIPMENT_SIZES = [
  `ALTER TABLE shipment
    -- NULL for shipments from before this migration; shipment_content_sizes calculates them when they are read.
    ADD COLUMN parcel_rows integer,
    ADD COLUMN item_count integer,
    -- The quantities of all content items together.
    ADD COLUMN quantity_count integer,
    -- The bytes of \`parcels\` and \`content_items\` as text.
    ADD COLUMN content_bytes integer`,
  `CREATE FUNCTION shipment_content_sizes(parcels jsonb, content_items jsonb, OUT parcel_rows integer,
      OUT item_count integer, OUT quantity_count integer, OUT content_bytes integer) LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_array_length(parcels),
      coalesce(jsonb_array_length(content_items), 0),
      coalesce((SELECT sum(jsonb_array_length(item -> 'quantities'))::integer
        FROM jsonb_array_elements(content_items) AS item), 0),
      octet_length(parcels::text) + coalesce(octet_length(content_items::text), 0) $$`,
  // A trigger, because an older version that runs during an upgrade does not set the columns.
  `CREATE FUNCTION set_shipment_sizes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      SELECT sizes.parcel_rows, sizes.item_count, sizes.quantity_count, sizes.content_bytes
        INTO NEW.parcel_rows, NEW.item_count, NEW.quantity_count, NEW.content_bytes
        FROM shipment_content_sizes(NEW.parcels, NEW.content_items) AS sizes;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER set_sizes BEFORE INSERT ON shipment FOR EACH ROW EXECUTE FUNCTION set_shipment_sizes()`,
]
