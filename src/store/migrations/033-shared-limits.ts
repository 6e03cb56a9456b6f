/**
 * What replicas share for a short time: units that names have spent, and access tokens of carriers. The tables are
 * unlogged: their commits wait for no disk and no standby, and after a crash of the server or a failover they are
 * empty. See docs/limits.md#shared-limits and docs/carriers.md#access-tokens.
 */
export const SHARED_LIMITS = [
  // `slot` counts the seconds since 1970 in steps of SPENDING_SLOT_SECONDS. Updates need space on the same page.
  `CREATE UNLOGGED TABLE shared_spending (
    name text NOT NULL,
    slot bigint NOT NULL,
    units integer NOT NULL,
    PRIMARY KEY (name, slot)
  ) WITH (fillfactor = 50)`,
  'CREATE INDEX shared_spending_oldest ON shared_spending (slot)',
  // `token` is encrypted with a key that is derived from the credentials. `version` grows with each token. A process
  // that fetches a token has the row until `fetching_until`. No process fetches one before `paused_until`.
  `CREATE UNLOGGED TABLE carrier_token (
    credentials bytea PRIMARY KEY CHECK (octet_length(credentials) = 32),
    version bigint NOT NULL DEFAULT 0,
    token bytea CHECK (octet_length(token) <= 9000),
    expires_at timestamptz,
    fetching_until timestamptz,
    paused_until timestamptz,
    claimed_at timestamptz NOT NULL,
    CHECK ((token IS NULL) = (expires_at IS NULL))
  )`,
]
