/**
 * Prices of weight steps in tenths of a cent, and percentages that are rounded as a sum. Only drafts of a version can
 * be changed, as in 002-rate-cards.ts. See docs/rate-card-files.md.
 */
export const STEP_TENTHS = [
  // 048-fuel-tables.ts has locked both tables.
  `ALTER TABLE zone_price
    ADD COLUMN step_tenths smallint CHECK (step_tenths BETWEEN 1 AND 9),
    ADD CONSTRAINT zone_price_tenths_check CHECK (step_tenths IS NULL OR step_cents IS NOT NULL)`,
  // Null: no.
  'ALTER TABLE price_terms ADD COLUMN percentages_together boolean CHECK (percentages_together)',
]
