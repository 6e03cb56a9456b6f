/**
 * Rate cards with the prices that the broker pays. Versions of Waybill that do not know them quote neither these cards
 * nor products that only they contain. See docs/rate-cards.md#buy-and-sell.
 */
export const COST_CARDS = [
  `ALTER TABLE rate_card DROP CONSTRAINT rate_card_audience_check`,
  `ALTER TABLE rate_card
    ADD CONSTRAINT rate_card_audience_check CHECK (audience IN ('everyone', 'contract', 'cost'))`,
]
