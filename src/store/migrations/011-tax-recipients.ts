/** Taxes that are charged on goods for consumers, or for businesses, only. */
export const TAX_RECIPIENTS = [
  `ALTER TABLE customs_tax ADD COLUMN recipient text NOT NULL DEFAULT 'any'
    CHECK (recipient IN ('any', 'individual', 'business'))`,
]
