/** Levels and averages of duty rates, and the import schemes of low-value rules. See docs/customs-files.md. */
export const DUTY_LEVELS = [
  `ALTER TABLE customs_measure
    ADD COLUMN level text NOT NULL DEFAULT 'line' CHECK (level IN ('line', 'subheading', 'average')),
    ADD COLUMN goods text NOT NULL DEFAULT '',
    ADD CHECK ((goods <> '') = (level = 'average')),
    DROP CONSTRAINT customs_measure_condition_check,
    ADD CONSTRAINT customs_measure_condition_check CHECK (condition IN ('', 'seasonal', 'entry_price', 'meursing',
      'not_loaded', 'not_parsed', 'range_only') AND (level = 'average' OR condition <> 'range_only'))`,
  `ALTER TABLE customs_threshold ADD COLUMN import_schemes text[] NOT NULL DEFAULT '{}'`,
]
