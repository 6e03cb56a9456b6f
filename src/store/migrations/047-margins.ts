/** What is added to the cost of products that are sold at a margin. See docs/rate-cards.md#buy-and-sell. */
export const MARGINS = [
  `CREATE TABLE margin (
    account_id text REFERENCES account ON DELETE CASCADE,
    product_id integer CHECK (product_id > 0),
    carrier_code text REFERENCES carrier,
    zones integer[],
    over_grams integer NOT NULL CHECK (over_grams >= 0),
    up_to_grams integer CHECK (up_to_grams > over_grams),
    percent_bps integer NOT NULL CHECK (percent_bps > -10000 AND percent_bps <= 100000),
    amount_cents integer NOT NULL CHECK (amount_cents >= 0),
    minimum_cents integer NOT NULL CHECK (minimum_cents >= 0),
    ending_cents integer CHECK (ending_cents BETWEEN 0 AND 99),
    valid_from date NOT NULL,
    valid_to date,
    CHECK (valid_to > valid_from),
    CHECK (product_id IS NULL OR carrier_code IS NULL),
    CHECK (zones IS NULL OR cardinality(zones) > 0),
    CONSTRAINT margin_scope UNIQUE NULLS NOT DISTINCT
      (account_id, product_id, carrier_code, zones, over_grams, up_to_grams, valid_from)
  )`,
]
