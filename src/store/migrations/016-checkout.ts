/**
 * Secrets that sign the tokens of rate options, and the idempotency keys of drafts. See docs/checkout.md.
 *
 * A token secret is stored as it is, because it protects only prices, which are in the same database. The first one is
 * made here: it is then created once, for all replicas. gen_random_uuid has 122 random bits.
 */
const RANDOM_SECRET =
  'sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))'

export const CHECKOUT = [
  `CREATE TABLE token_secret (
    secret_no integer PRIMARY KEY CHECK (secret_no > 0),
    secret bytea NOT NULL DEFAULT ${RANDOM_SECRET} CHECK (length(secret) = 32),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  'INSERT INTO token_secret (secret_no) VALUES (1)',
  `CREATE TABLE draft_key (
    account_id text NOT NULL REFERENCES account,
    idempotency_key text NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 64),
    -- SHA-256 of the validated input.
    input_digest bytea NOT NULL CHECK (length(input_digest) = 32),
    shipment_id text NOT NULL UNIQUE REFERENCES shipment ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, idempotency_key)
  )`,
  'CREATE INDEX draft_key_oldest ON draft_key (created_at)',
]
