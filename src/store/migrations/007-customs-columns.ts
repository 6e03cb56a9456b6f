/**
 * New columns of customs tables, and the setting of an account that depends on them. docs/customs-files.md describes the
 * columns. Rows of earlier versions get the value that an empty cell of a file has.
 */
export const ADDED_CUSTOMS_COLUMNS = [
  // Rates that are known only for six digits, and averages of groups of goods.
  `ALTER TABLE customs_measure
    ADD COLUMN level text NOT NULL DEFAULT 'line' CHECK (level IN ('line', 'subheading', 'average')),
    ADD COLUMN goods text NOT NULL DEFAULT '',
    ADD CHECK ((goods <> '') = (level = 'average')),
    DROP CONSTRAINT customs_measure_condition_check,
    ADD CONSTRAINT customs_measure_condition_check CHECK (condition IN ('', 'seasonal', 'entry_price', 'meursing',
      'not_loaded', 'not_parsed', 'range_only') AND (level = 'average' OR condition <> 'range_only'))`,
  'ALTER TABLE account ADD COLUMN count_averages boolean NOT NULL DEFAULT true',
  `ALTER TABLE customs_threshold ADD COLUMN import_schemes text[] NOT NULL DEFAULT '{}'`,
  `ALTER TABLE customs_tax ADD COLUMN recipient text NOT NULL DEFAULT 'any'
    CHECK (recipient IN ('any', 'individual', 'business'))`,
  // Origins whose goods do not owe a fee.
  `ALTER TABLE customs_fee ADD COLUMN exempt_origins text[] NOT NULL DEFAULT '{}'`,
  // Jurisdictions that share a tariff without free circulation of goods between them.
  `ALTER TABLE customs_jurisdiction ADD COLUMN tariff_of text NOT NULL DEFAULT ''`,
  // How often the publisher releases a new edition, in days. Null: not known.
  'ALTER TABLE customs_data_set ADD COLUMN cycle_days integer CHECK (cycle_days > 0)',
]
