/**
 * Properties of API keys: label, scopes, limits, expiry and last use. A publishable key has origins and no secret; see
 * docs/browser-keys.md. `checkout_secret` signs checkout tokens. It is stored as it is, because it protects only
 * prices, which are in the same database.
 */
export const BROWSER_KEYS = [
  `ALTER TABLE api_key
    ADD COLUMN label text CHECK (length(label) BETWEEN 1 AND 100),
    ADD COLUMN scopes text[] CHECK (cardinality(scopes) > 0),
    ADD COLUMN requests_per_minute integer CHECK (requests_per_minute > 0),
    ADD COLUMN expires_at timestamptz,
    ADD COLUMN last_used_at timestamptz,
    ADD COLUMN origins text[] CHECK (cardinality(origins) > 0),
    ADD COLUMN address_requests_per_minute integer CHECK (address_requests_per_minute > 0),
    ADD COLUMN checkout_secret bytea CHECK (length(checkout_secret) = 32),
    ADD COLUMN needs_checkout_token boolean NOT NULL DEFAULT false`,
  // A publishable key is public, so it must never have all scopes.
  `ALTER TABLE api_key ADD CONSTRAINT api_key_publishable CHECK (
    CASE WHEN origins IS NULL
      THEN address_requests_per_minute IS NULL AND checkout_secret IS NULL AND NOT needs_checkout_token
      ELSE address_requests_per_minute IS NOT NULL AND checkout_secret IS NOT NULL AND scopes <@ '{rates,duties}'
        AND scopes IS NOT NULL
    END)`,
  'CREATE INDEX api_key_with_origins ON api_key (key_id) WHERE origins IS NOT NULL AND revoked_at IS NULL',
]
