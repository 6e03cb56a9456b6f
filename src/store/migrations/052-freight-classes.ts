/**
 * Prices by freight class and weight band, and lists without deficit weight. Only the checks of drafts change; see
 * docs/rate-card-files.md#freight-classes.
 */
export const FREIGHT_CLASSES = [
  `LOCK TABLE product, zone_price IN ACCESS EXCLUSIVE MODE`,
  `ALTER TABLE product
    ADD COLUMN deficit_weight text CHECK (deficit_weight = 'no'),
    DROP CONSTRAINT product_pricing_basis_check,
    ADD CONSTRAINT product_pricing_basis_check CHECK (pricing_basis IN
      ('shipment', 'parcel', 'pallet-class', 'per-100kg', 'size-class', 'freight-class')) NOT VALID`,
  // The rows satisfy the former checks, which are stricter. Reading a million prices would block too long.
  `ALTER TABLE zone_price
    DROP CONSTRAINT zone_price_unit_check,
    ADD CONSTRAINT zone_price_unit_check CHECK
      (unit IN ('KG', 'PER100KG', 'PALLET', 'SIZE', 'CLASS')) NOT VALID,
    DROP CONSTRAINT zone_price_class_check,
    ADD CONSTRAINT zone_price_class_check CHECK
      ((unit IN ('PALLET', 'SIZE', 'CLASS')) = (pallet_class <> '')) NOT VALID`,
]
