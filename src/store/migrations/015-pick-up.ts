/**
 * Pick-up days and cut-off times of products; see docs/delivery-dates.md. Null in versions of rate cards without them.
 */
export const PICK_UP = [
  `ALTER TABLE product
    -- ISO weekdays, 1 for Monday.
    ADD COLUMN pickup_days integer[]
      CHECK (cardinality(pickup_days) > 0 AND 1 <= ALL (pickup_days) AND 7 >= ALL (pickup_days)),
    -- Minutes since midnight at the origin.
    ADD COLUMN cut_off_minutes integer CHECK (cut_off_minutes BETWEEN 0 AND 1439)`,
]
