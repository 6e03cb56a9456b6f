/**
 * The HS codes that shops have agreed on for their products, and a number per account that grows with every change of
 * them. See docs/hs-classification.md#agreed-codes.
 */
export const AGREED_CODES = [
  'ALTER TABLE account ADD COLUMN agreed_revision bigint NOT NULL DEFAULT 0',
  `CREATE TABLE agreed_code (
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    sku text NOT NULL CHECK (length(sku) BETWEEN 1 AND 70),
    hs_code text NOT NULL CHECK (hs_code ~ '^[0-9]{6,10}$'),
    description text NOT NULL CHECK (length(description) <= 500),
    agreed_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, sku)
  )`,
]
