/**
 * A refusal in doubt: it followed an unconfirmed send, and no lookup has confirmed it yet.
 * See docs/cancellation.md#what-the-carriers-answer-means.
 */
export const CANCELLATION_DOUBTS = [
  `ALTER TABLE cancel_attempt
    ADD COLUMN doubt_code text CHECK (doubt_code IN ('SCANNED', 'WINDOW_CLOSED', 'UNKNOWN_PARCEL', 'NOT_CANCELLABLE')),
    ADD COLUMN doubt_reason text,
    ADD COLUMN doubt_carrier_code text,
    ADD COLUMN doubted_at timestamptz,
    ADD CHECK (num_nulls(doubt_code, doubt_reason, doubt_carrier_code, doubted_at) IN (0, 4))`,
]
