/**
 * The terms that a contract does not state and therefore inherits: `freight`, `fuel`, `hidden` or `card`. Their columns
 * have the neutral values. Rows that were written before this column state all their terms, so that no price changes.
 * See docs/rate-cards.md#contracts.
 */
export const CONTRACT_TERMS = [
  `ALTER TABLE contract
    ADD COLUMN inherited text[] NOT NULL DEFAULT '{}'
      CHECK (inherited <@ ARRAY['freight', 'fuel', 'hidden', 'card']),
    ADD CHECK ('freight' <> ALL (inherited) OR freight_bps = 0),
    ADD CHECK ('fuel' <> ALL (inherited) OR fuel_bps = 0),
    ADD CHECK ('hidden' <> ALL (inherited) OR NOT hidden),
    ADD CHECK ('card' <> ALL (inherited) OR rate_card_code IS NULL)`,
]
