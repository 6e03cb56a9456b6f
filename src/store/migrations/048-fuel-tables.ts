/**
 * Fuel as an amount per parcel or kilogram, step tables of carriers, and the values of their indexes. Rows are only
 * added, as in 002-rate-cards.ts. See docs/fuel.md.
 */
export const FUEL_TABLES = [
  // All that this migration and the next one change, in the order in which services read them.
  'LOCK TABLE price_terms, zone_price, fuel_rate IN ACCESS EXCLUSIVE MODE',
  // An older version reads an entry with an amount as one that revokes those of its day.
  `ALTER TABLE fuel_rate
    ADD COLUMN unit_amount integer CHECK (unit_amount >= 0),
    ADD COLUMN per text CHECK (per IN ('parcel', 'kg')),
    ADD CONSTRAINT fuel_rate_unit_check
      CHECK ((unit_amount IS NULL) = (per IS NULL) AND (unit_amount IS NULL OR rate_bps IS NULL))`,
  `CREATE TABLE fuel_table (
    entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    carrier_code text NOT NULL REFERENCES carrier,
    fuel_code text NOT NULL CHECK (fuel_code <> ''),
    valid_from date NOT NULL,
    -- The index, its lag and the steps. The newest entry for a carrier, code and day counts; null revokes earlier ones.
    terms jsonb CHECK (jsonb_typeof(terms) = 'object'),
    entered_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  'CREATE INDEX fuel_table_in_force ON fuel_table (carrier_code, fuel_code, valid_from, entry_id DESC)',
  `CREATE TABLE fuel_index_value (
    entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    index_code text NOT NULL CHECK (index_code <> ''),
    day date NOT NULL,
    -- Ten-thousandths. The newest entry for an index and day counts; null revokes earlier ones.
    value_e4 integer CHECK (value_e4 >= 0),
    entered_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  'CREATE INDEX fuel_index_value_in_force ON fuel_index_value (index_code, day, entry_id DESC)',
  ...['fuel_table', 'fuel_index_value'].map(
    (table) => `CREATE TRIGGER refused BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_all()`,
  ),
]
