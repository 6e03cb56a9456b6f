/** Estimates of duties and taxes that accounts keep. See docs/kept-estimates.md. */
export const KEPT_ESTIMATES = [
  `CREATE TABLE kept_estimate (
    estimate_id text PRIMARY KEY CHECK (estimate_id ~ '^est_[1-9A-HJ-NP-Za-km-z]{22}$'),
    account_id text NOT NULL REFERENCES account,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz(3) NOT NULL,
    -- A key is valid as long as its estimate is kept.
    idempotency_key text,
    input_digest bytea CHECK (octet_length(input_digest) = 32),
    shipment_id text,
    reference text,
    -- EstimateSnapshot in core/customs/kept-estimate.ts.
    content json NOT NULL,
    content_bytes integer NOT NULL,
    UNIQUE (account_id, idempotency_key),
    CHECK ((idempotency_key IS NULL) = (input_digest IS NULL))
  )`,
  `CREATE INDEX kept_estimate_sizes ON kept_estimate (account_id) INCLUDE (content_bytes)`,
  `CREATE INDEX kept_estimate_of_shipment ON kept_estimate (shipment_id, created_at)
    WHERE shipment_id IS NOT NULL`,
  `CREATE INDEX kept_estimate_of_reference ON kept_estimate (account_id, reference, created_at)
    WHERE reference IS NOT NULL`,
  `CREATE INDEX kept_estimate_oldest ON kept_estimate (expires_at)`,
]
