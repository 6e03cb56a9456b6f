/**
 * Accounts, API keys and their secrets, and the production mark of the database. Only the SHA-256 of a secret is
 * stored. Keys and secrets are never deleted: a revocation sets a time.
 */
export const ACCOUNTS = [
  `CREATE TABLE account (
    account_id text PRIMARY KEY CHECK (account_id ~ '^[a-z0-9-]{1,40}$'),
    name text NOT NULL CHECK (name <> ''),
    transit_form text NOT NULL DEFAULT 'single' CHECK (transit_form IN ('single', 'range')),
    price_breakdown boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  // Printable ASCII without "@": the header is <key>@<secret>, split at the first "@".
  `CREATE TABLE api_key (
    key_id text PRIMARY KEY CHECK (key_id ~ '^[!-?A-~]{1,100}$'),
    account_id text NOT NULL REFERENCES account,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz
  )`,
  'CREATE INDEX api_key_of_account ON api_key (account_id)',
  `CREATE TABLE api_secret (
    secret_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key_id text NOT NULL REFERENCES api_key,
    digest bytea NOT NULL CHECK (length(digest) = 32),
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz,
    UNIQUE (key_id, digest)
  )`,
  // One row. The first start in production sets `since`; from then on the database refuses demo data.
  `CREATE TABLE production_use (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    since timestamptz
  )`,
  'INSERT INTO production_use DEFAULT VALUES',
]
