/**
 * The services of rate card versions, and those of each shipment. Only drafts of a version can be changed, as in
 * 002-rate-cards.ts. See docs/rate-cards.md#services.
 */
export const SENDER_SERVICES = [
  `CREATE TABLE service (
    version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE,
    sort_no integer NOT NULL,
    carrier_code text NOT NULL REFERENCES carrier,
    -- A word of src/core/rating/sender-service.ts.
    service text NOT NULL,
    name text NOT NULL,
    method text NOT NULL CHECK (method IN ('flat', 'per_kg', 'pct', 'formula')),
    amount integer NOT NULL CHECK (amount >= 0),
    minimum_cents integer NOT NULL CHECK (minimum_cents >= 0),
    per text NOT NULL CHECK (per IN ('shipment', 'unit')),
    formula text CHECK ((method = 'formula') = (formula IS NOT NULL)),
    fuelable boolean NOT NULL,
    products integer[],
    from_countries text[],
    to_countries text[],
    zones integer[],
    min_shipment_grams integer,
    max_shipment_grams integer,
    max_unit_grams integer,
    condition text,
    requires text[] NOT NULL,
    excludes text[] NOT NULL,
    PRIMARY KEY (version_id, sort_no)
  )`,
  ...[
    ['INSERT', 'NEW TABLE AS new_rows'],
    ['UPDATE', 'OLD TABLE AS old_rows NEW TABLE AS new_rows'],
    ['DELETE', 'OLD TABLE AS old_rows'],
  ].map(
    ([event = '', rows]) => `CREATE TRIGGER only_drafts_${event.toLowerCase()} AFTER ${event} ON service
      REFERENCING ${rows} FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_draft()`,
  ),
  `CREATE TRIGGER refused BEFORE TRUNCATE ON service FOR EACH STATEMENT EXECUTE FUNCTION refuse_all()`,
  `ALTER TABLE shipment ADD COLUMN services text[] NOT NULL DEFAULT '{}'`,
]
