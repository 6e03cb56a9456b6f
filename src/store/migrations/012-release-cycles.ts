/** How often the publisher of a customs data set releases a new edition, in days. Null: not known. */
export const RELEASE_CYCLES = [
  'ALTER TABLE customs_data_set ADD COLUMN cycle_days integer CHECK (cycle_days > 0)',
]
