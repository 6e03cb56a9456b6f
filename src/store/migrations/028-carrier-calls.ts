/** Records of calls to carriers. See docs/carriers.md#records-of-calls. */
export const CARRIER_CALLS = [
  `CREATE TABLE carrier_call (
    call_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    begun_at timestamptz(3) NOT NULL,
    duration_ms integer NOT NULL,
    purpose text NOT NULL,
    carrier_code text NOT NULL,
    -- Without a reference: a record may be written after the account or the attempt is gone.
    account_id text NOT NULL,
    -- A tracking number; the id of the shipment for a booking.
    subject text NOT NULL,
    attempt_id text,
    outcome text NOT NULL,
    cause text,
    -- CarrierExchange[] in operations/ports/carrier-calls.ts.
    exchanges json NOT NULL
  )`,
  `CREATE INDEX carrier_call_of_attempt ON carrier_call (attempt_id) WHERE attempt_id IS NOT NULL`,
  `CREATE INDEX carrier_call_of_subject ON carrier_call (carrier_code, subject, begun_at)`,
  `CREATE INDEX carrier_call_oldest ON carrier_call (begun_at)`,
]
