/**
 * Webhooks: where accounts want their events sent. An endpoint has a position in the events of its account, so events
 * wait in `account_event` and need no rows of their own. See docs/webhooks.md.
 */
export const WEBHOOKS = [
  `CREATE TABLE webhook_endpoint (
    endpoint_id text PRIMARY KEY CHECK (endpoint_id ~ '^whk_[0-9a-f]{16}$'),
    account_id text NOT NULL REFERENCES account,
    url text NOT NULL,
    -- NULL: all types.
    types text[],
    -- Signs each request, so it cannot be stored as a digest.
    secret text NOT NULL,
    -- Also signs, until its time.
    old_secret text,
    old_secret_until timestamptz,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    -- The number of the last event that was delivered or left out.
    sequence bigint NOT NULL,
    -- Failures in a row, and when the first of them happened.
    failures integer NOT NULL DEFAULT 0,
    failing_since timestamptz(3),
    next_try_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- One process delivers at a time. A process with an older fence can no longer move the position.
    lease_until timestamptz NOT NULL DEFAULT clock_timestamp(),
    fence integer NOT NULL DEFAULT 0,
    disabled_at timestamptz(3),
    CHECK ((failures = 0) = (failing_since IS NULL))
  )`,
  `CREATE INDEX webhook_endpoint_of_account ON webhook_endpoint (account_id)`,
  `CREATE TABLE webhook_delivery (
    delivery_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id text NOT NULL REFERENCES webhook_endpoint ON DELETE CASCADE,
    sequence bigint NOT NULL,
    at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    duration_ms integer NOT NULL,
    -- The status of the response. NULL: there was none.
    status integer,
    -- Why it failed. NULL: it was delivered.
    failure text
  )`,
  `CREATE INDEX webhook_delivery_newest ON webhook_delivery (endpoint_id, delivery_id DESC)`,
  `CREATE INDEX webhook_delivery_oldest ON webhook_delivery (at)`,
]
