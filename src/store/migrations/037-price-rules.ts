/**
 * The maximum of surcharges and services, and premiums of insurance by value. Only drafts of a version can be changed,
 * as in 002-rate-cards.ts. See docs/rate-card-files.md.
 */
export const PRICE_RULES = [
  ...['surcharge', 'service'].map(
    (table) => `ALTER TABLE ${table}
    ADD COLUMN maximum_cents integer CHECK (maximum_cents > 0 AND maximum_cents >= minimum_cents)`,
  ),
  `CREATE TABLE insurance_band (
    version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE,
    carrier_code text NOT NULL REFERENCES carrier,
    over_cents bigint NOT NULL CHECK (over_cents >= 0),
    up_to_cents bigint NOT NULL CHECK (up_to_cents > over_cents),
    price_cents integer NOT NULL CHECK (price_cents >= 0),
    value_step_cents bigint CHECK (value_step_cents > 0),
    step_price_cents integer CHECK (step_price_cents >= 0),
    PRIMARY KEY (version_id, carrier_code, up_to_cents),
    CHECK ((value_step_cents IS NULL) = (step_price_cents IS NULL))
  )`,
  ...[
    ['INSERT', 'NEW TABLE AS new_rows'],
    ['UPDATE', 'OLD TABLE AS old_rows NEW TABLE AS new_rows'],
    ['DELETE', 'OLD TABLE AS old_rows'],
  ].map(
    ([
      event = '',
      rows,
    ]) => `CREATE TRIGGER only_drafts_${event.toLowerCase()} AFTER ${event} ON insurance_band
      REFERENCING ${rows} FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_draft()`,
  ),
  `CREATE TRIGGER refused BEFORE TRUNCATE ON insurance_band FOR EACH STATEMENT EXECUTE FUNCTION refuse_all()`,
]
