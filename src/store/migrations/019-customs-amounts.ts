/**
 * New columns of customs tables: the unit value of a tariff line, how goods are counted as items, and the import
 * schemes and the payer of a fee. docs/customs-files.md describes the columns. Rows of earlier versions get the value
 * that an empty cell of a file has.
 */

/**
 * The values of the new columns in rows that the previous release inserts. It names no columns, so they are null, and
 * the defaults of the columns have no effect.
 */
const VALUES_OF_EARLIER_ROWS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  customs_measure: {
    unit_value_above: "''",
    unit_value_up_to: "''",
    unit_value_currency: "''",
    unit_value_per: "''",
  },
  customs_fee: { import_schemes: "'{}'", paid_by_carrier: 'false' },
}

/** A trigger for rows without the new columns. The next release can drop it. */
function fillMissing(table: string, values: Readonly<Record<string, string>>): readonly string[] {
  const columns = Object.entries(values)
  const assignments = columns.map(([column, value]) => `NEW.${column} := coalesce(NEW.${column}, ${value});`)
  const isMissing = columns.map(([column]) => `NEW.${column} IS NULL`)
  return [
    `CREATE FUNCTION fill_${table}_amounts() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${assignments.join(' ')} RETURN NEW; END $$`,
    `CREATE TRIGGER filled_amounts BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${isMissing.join(' OR ')})
      EXECUTE FUNCTION fill_${table}_amounts()`,
  ]
}

const isAmount = (column: string): string => `CHECK (${column} ~ '^([0-9]+([.][0-9]{1,6})?)?$')`

export const CUSTOMS_AMOUNTS: readonly string[] = [
  `ALTER TABLE customs_measure
    ADD COLUMN unit_value_above text NOT NULL DEFAULT '' ${isAmount('unit_value_above')},
    ADD COLUMN unit_value_up_to text NOT NULL DEFAULT '' ${isAmount('unit_value_up_to')},
    ADD COLUMN unit_value_currency text NOT NULL DEFAULT ''
      CHECK (unit_value_currency ~ '^([A-Z]{3})?$'),
    ADD COLUMN unit_value_per text NOT NULL DEFAULT ''`,
  'ALTER TABLE customs_threshold ADD COLUMN item_digits integer CHECK (item_digits > 0)',
  `ALTER TABLE customs_fee
    ADD COLUMN item_digits integer CHECK (item_digits > 0),
    ADD COLUMN import_schemes text[] NOT NULL DEFAULT '{}',
    ADD COLUMN paid_by_carrier boolean NOT NULL DEFAULT false`,
  ...Object.entries(VALUES_OF_EARLIER_ROWS).flatMap(([table, values]) => fillMissing(table, values)),
]
