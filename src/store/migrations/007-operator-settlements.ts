/**
 * Attempts that an operator settled by hand. The columns keep the decision if the carrier's answer changes the outcome
 * later. See docs/cancellation.md#settle-an-attempt-by-hand.
 */
export const OPERATOR_SETTLEMENTS = [
  `ALTER TABLE cancel_attempt
    ADD COLUMN operator text,
    ADD COLUMN operator_outcome text CHECK (operator_outcome IN ('cancelled', 'refused')),
    ADD COLUMN operator_reason text,
    ADD COLUMN operator_at timestamptz(3),
    ADD CHECK (num_nulls(operator, operator_outcome, operator_reason, operator_at) IN (0, 4))`,
]
