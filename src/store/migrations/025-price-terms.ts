/**
 * The currency of rate cards, and VAT: two tables with the content of a version, like those of 002-rate-cards.ts. A
 * version without a row in `price_terms` is in euro without VAT. See docs/rate-cards.md#currency-and-vat.
 */
const TABLES = ['price_terms', 'vat_rate']

export const PRICE_TERMS = [
  `CREATE TABLE price_terms (
    version_id bigint PRIMARY KEY REFERENCES rate_card_version ON DELETE CASCADE,
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    vat_included boolean NOT NULL,
    round_to_cents integer NOT NULL CHECK (round_to_cents BETWEEN 1 AND 10000),
    rate_days integer NOT NULL CHECK (rate_days BETWEEN 1 AND 400)
  )`,
  `CREATE TABLE vat_rate (
    version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE,
    zone_chart text NOT NULL DEFAULT '',
    zone integer NOT NULL CHECK (zone >= 0),
    rate_bps integer NOT NULL CHECK (rate_bps BETWEEN 0 AND 10000),
    PRIMARY KEY (version_id, zone_chart, zone)
  )`,
  ...TABLES.flatMap((table) => [
    ...[
      ['INSERT', 'NEW TABLE AS new_rows'],
      ['UPDATE', 'OLD TABLE AS old_rows NEW TABLE AS new_rows'],
      ['DELETE', 'OLD TABLE AS old_rows'],
    ].map(
      ([event = '', rows]) => `CREATE TRIGGER only_drafts_${event.toLowerCase()} AFTER ${event} ON ${table}
        REFERENCING ${rows} FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_draft()`,
    ),
    `CREATE TRIGGER refused BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_all()`,
  ]),
]
