/** The maximum of surcharges and services. See docs/rate-card-files.md#surcharges. */
export const CHARGE_MAXIMUM = ['surcharge', 'service'].map(
  (table) => `ALTER TABLE ${table}
    ADD COLUMN maximum_cents integer CHECK (maximum_cents > 0 AND maximum_cents >= minimum_cents)`,
)
