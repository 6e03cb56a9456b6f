/**
 * Units of price lists, totals of volumetric weights, size classes and smallest weights by size, packaging or floor
 * place. Only drafts of a version can be changed, as in 002-rate-cards.ts. See docs/rate-card-files.md.
 */
export const MEASURES = [
  // All that this migration changes or references, in the order in which an import writes them.
  `LOCK TABLE carrier, rate_card_version IN SHARE ROW EXCLUSIVE MODE`,
  `LOCK TABLE product, zone_price IN ACCESS EXCLUSIVE MODE`,
  `ALTER TABLE product
    ADD COLUMN list_units text CHECK (list_units IN ('lb-in', 'oz-in')),
    ADD COLUMN side_rounding text CHECK (side_rounding IN ('up', 'half-up')),
    ADD COLUMN volumetric_per text CHECK (volumetric_per = 'shipment'),
    ADD CONSTRAINT product_rounding_check CHECK (side_rounding IS NULL OR list_units IS NOT NULL),
    DROP CONSTRAINT product_pricing_basis_check,
    ADD CONSTRAINT product_pricing_basis_check CHECK
      (pricing_basis IN ('shipment', 'parcel', 'pallet-class', 'per-100kg', 'size-class'))`,
  // The rows satisfy the former checks, which are stricter. Reading a million prices would block too long.
  `ALTER TABLE zone_price
    DROP CONSTRAINT zone_price_unit_check,
    ADD CONSTRAINT zone_price_unit_check CHECK (unit IN ('KG', 'PER100KG', 'PALLET', 'SIZE')) NOT VALID,
    DROP CONSTRAINT zone_price_check,
    ADD CONSTRAINT zone_price_class_check CHECK ((unit IN ('PALLET', 'SIZE')) = (pallet_class <> '')) NOT VALID,
    DROP CONSTRAINT zone_price_check1,
    ADD CONSTRAINT zone_price_band_check CHECK (unit IN ('PALLET', 'SIZE') OR up_to_grams > over_grams) NOT VALID`,
  `CREATE TABLE size_class (
    version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE,
    sort_no integer NOT NULL,
    carrier_code text NOT NULL REFERENCES carrier,
    size_class text NOT NULL,
    condition text NOT NULL,
    products integer[],
    PRIMARY KEY (version_id, sort_no)
  )`,
  `CREATE TABLE minimum_weight (
    version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE,
    sort_no integer NOT NULL,
    carrier_code text NOT NULL REFERENCES carrier,
    name text NOT NULL,
    condition text,
    weight text NOT NULL,
    products integer[],
    PRIMARY KEY (version_id, sort_no)
  )`,
  ...['size_class', 'minimum_weight'].flatMap((table) => [
    ...[
      ['INSERT', 'NEW TABLE AS new_rows'],
      ['UPDATE', 'OLD TABLE AS old_rows NEW TABLE AS new_rows'],
      ['DELETE', 'OLD TABLE AS old_rows'],
    ].map(
      ([event = '', rows]) => `CREATE TRIGGER only_drafts_${event.toLowerCase()} AFTER ${event} ON ${table}
      REFERENCING ${rows} FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_draft()`,
    ),
    `CREATE TRIGGER refused BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_all()`,
  ]),
]
