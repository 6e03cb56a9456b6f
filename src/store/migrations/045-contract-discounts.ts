/**
 * Discounts of contracts by zone, weight and turnover, the minimum net charge, and the turnovers of accounts. A
 * contract without a minimum inherits it. See docs/rate-cards.md#discounts-by-zone-and-weight.
 */
export const CONTRACT_DISCOUNTS = [
  // All that this migration and the next ones change, in the order in which services read them.
  `LOCK TABLE carrier, account IN SHARE ROW EXCLUSIVE MODE`,
  `LOCK TABLE rate_card, contract IN ACCESS EXCLUSIVE MODE`,
  `ALTER TABLE contract ADD COLUMN minimum_cents integer CHECK (minimum_cents >= 0)`,
  `CREATE TABLE contract_discount (
    contract_id bigint NOT NULL REFERENCES contract ON DELETE CASCADE,
    applies_to text NOT NULL,
    zones integer[],
    over_grams integer NOT NULL CHECK (over_grams >= 0),
    up_to_grams integer CHECK (up_to_grams > over_grams),
    turnover_cents bigint NOT NULL CHECK (turnover_cents >= 0),
    change_bps integer NOT NULL CHECK (change_bps >= -10000 AND change_bps <= 100000),
    CHECK (zones IS NULL OR cardinality(zones) > 0),
    UNIQUE NULLS NOT DISTINCT (contract_id, applies_to, zones, over_grams, up_to_grams, turnover_cents)
  )`,
  `CREATE TABLE contract_turnover (
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    carrier_code text REFERENCES carrier,
    valid_from date NOT NULL,
    turnover_cents bigint NOT NULL CHECK (turnover_cents >= 0),
    CONSTRAINT contract_turnover_scope UNIQUE NULLS NOT DISTINCT (account_id, carrier_code, valid_from)
  )`,
]
