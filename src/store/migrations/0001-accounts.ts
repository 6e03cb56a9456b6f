/**
 * Accounts, their API keys, and the keys' secrets. A secret is kept as its SHA-256 only; nothing is ever
 * deleted, a revocation is a time. Source: specification section 5; design/security-and-limits.md.
 */
import { type Kysely, sql } from 'kysely'

/** Creates the tables of accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `CREATE TABLE account (
    account_id text PRIMARY KEY CHECK (account_id ~ '^[a-z0-9-]{1,40}$'),
    name text NOT NULL CHECK (name <> ''),
    transit_form text NOT NULL DEFAULT 'single' CHECK (transit_form IN ('single', 'range')),
    price_breakdown boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  // The header is <key>@<secret>, split at the first @, in printable ASCII.
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
]
