/**
 * New columns of customs tables, and the setting of an account that depends on them. docs/customs-files.md describes
 * the columns. Rows of earlier versions get the value that an empty cell of a file has.
 */

/**
 * The values of the new columns in rows that the previous release inserts. It names no columns, so they are null, and
 * the defaults of the columns have no effect. It inserts rows when it starts after a rollback, and when an operator
 * imports a set.
 */
const VALUES_OF_EARLIER_ROWS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  customs_measure: { level: "'line'", goods: "''" },
  customs_threshold: { import_schemes: "'{}'" },
  customs_tax: { recipient: "'any'" },
  customs_fee: { exempt_origins: "'{}'" },
  customs_jurisdiction: { tariff_of: "''" },
}

/** A trigger for rows without the new columns. The next release can drop it. */
function fillMissing(table: string, values: Readonly<Record<string, string>>): readonly string[] {
  const columns = Object.entries(values)
  const assignments = columns.map(([column, value]) => `NEW.${column} := coalesce(NEW.${column}, ${value});`)
  const isMissing = columns.map(([column]) => `NEW.${column} IS NULL`)
  return [
    `CREATE FUNCTION fill_${table}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${assignments.join(' ')} RETURN NEW; END $$`,
    `CREATE TRIGGER filled BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${isMissing.join(' OR ')})
      EXECUTE FUNCTION fill_${table}()`,
  ]
}

export const ADDED_CUSTOMS_COLUMNS: readonly string[] = [
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
  ...Object.entries(VALUES_OF_EARLIER_ROWS).flatMap(([table, values]) => fillMissing(table, values)),
]
