/**
 * Shipments, their state changes, attempts to cancel them at carriers, and carriers' scans. Indexes and checks back up
 * the cancellation protocol: one open attempt per shipment, one cancelled event, no contradicting columns.
 * Money in cents. See docs/cancellation.md.
 */

const REFUSAL_CODES = `('SCANNED', 'WINDOW_CLOSED', 'UNKNOWN_PARCEL', 'NOT_CANCELLABLE')`

export const SHIPMENTS = [
  // Millisecond precision, so that a JavaScript Date holds `created_at` exactly and page cursors can be built from it.
  `CREATE TABLE shipment (
    shipment_id text PRIMARY KEY CHECK (shipment_id ~ '^[A-Za-z0-9_-]{1,64}$'),
    account_id text NOT NULL REFERENCES account,
    state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'booked', 'in_transit', 'cancelled')),
    product_id integer NOT NULL CHECK (product_id > 0),
    carrier_code text NOT NULL REFERENCES carrier,
    carrier_ref text CHECK (carrier_ref <> ''),
    from_country text NOT NULL CHECK (from_country ~ '^[A-Z]{2}$'),
    from_zipcode text,
    from_city text,
    to_country text NOT NULL CHECK (to_country ~ '^[A-Z]{2}$'),
    to_zipcode text,
    to_city text,
    parcel_type text NOT NULL CHECK (parcel_type IN ('NONDOC', 'DOC', 'PALLET')),
    parcels jsonb NOT NULL CHECK (jsonb_typeof(parcels) = 'array'),
    recipient text NOT NULL CHECK (recipient IN ('individual', 'business')),
    insured_value_cents bigint CHECK (insured_value_cents >= 0),
    price_cents bigint NOT NULL CHECK (price_cents >= 0),
    tariff_version text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    -- When the lease of the process that is booking ends. NULL while no booking is running.
    booking_until timestamptz,
    booking_tries integer NOT NULL DEFAULT 0,
    booked_at timestamptz(3),
    -- When a booked parcel is next looked up at its carrier.
    next_track_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Set when a draft is cancelled while its booking is running; the end of the booking cancels it.
    cancel_requested_at timestamptz,
    cancel_refused_at timestamptz,
    cancel_refusal text,
    cancel_refusal_code text CHECK (cancel_refusal_code IN ${REFUSAL_CODES}),
    cancelled_at timestamptz(3),
    cancelled_by text CHECK (cancelled_by IN ('draft', 'carrier', 'release')),
    version integer NOT NULL DEFAULT 1,
    CHECK ((state = 'cancelled') = (cancelled_at IS NOT NULL)),
    CHECK (state <> 'draft' OR carrier_ref IS NULL),
    CHECK (state NOT IN ('booked', 'in_transit') OR carrier_ref IS NOT NULL),
    CHECK ((cancel_refused_at IS NULL) = (cancel_refusal IS NULL)),
    CHECK (cancelled_by IS NULL OR state = 'cancelled'),
    CHECK (booking_until IS NULL OR carrier_ref IS NULL),
    CHECK (cancel_requested_at IS NULL OR (state = 'draft' AND booking_until IS NOT NULL))
  )`,
  `CREATE INDEX shipment_newest ON shipment (account_id, created_at DESC, shipment_id DESC)`,
  `CREATE INDEX shipment_newest_in_state
    ON shipment (account_id, state, created_at DESC, shipment_id DESC)`,
  `CREATE INDEX shipment_by_reference ON shipment (carrier_ref, carrier_code) WHERE carrier_ref IS NOT NULL`,
  // Indexes of due work start with carrier and account: the sweeper claims the work of each pair separately.
  `CREATE INDEX shipment_to_track ON shipment (carrier_code, account_id, next_track_at) WHERE state = 'booked'`,
  `CREATE INDEX shipment_booking_due ON shipment (carrier_code, account_id, booking_until)
    WHERE booking_until IS NOT NULL`,

  `CREATE TABLE cancel_attempt (
    attempt_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    shipment_id text NOT NULL REFERENCES shipment ON DELETE CASCADE,
    account_id text NOT NULL,
    carrier_code text NOT NULL,
    phase text NOT NULL DEFAULT 'pending' CHECK (phase IN ('pending', 'accepted', 'refused')),
    -- Incremented at each takeover; a holder with an older number can no longer settle the attempt.
    fence integer NOT NULL DEFAULT 1,
    -- Incremented before the carrier is called.
    sends integer NOT NULL DEFAULT 1,
    -- The caller was answered that the cancellation is pending, so the attempt stays open if it could not be sent.
    promised boolean NOT NULL DEFAULT false,
    begun_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    -- Null while the lease is free.
    lease_owner text,
    lease_until timestamptz NOT NULL,
    next_try_at timestamptz NOT NULL,
    -- When a refusal is next verified by a lookup; null: not to be verified.
    verify_at timestamptz,
    -- Lookups made to verify a refusal.
    lookups integer NOT NULL DEFAULT 0,
    settled_at timestamptz(3),
    reason text,
    refusal_code text CHECK (refusal_code IN ${REFUSAL_CODES}),
    carrier_refusal_code text,
    last_cause text,
    alerted_at timestamptz,
    anomaly text,
    CHECK ((phase = 'pending') = (settled_at IS NULL)),
    CHECK (phase <> 'refused' OR reason IS NOT NULL)
  )`,
  `CREATE UNIQUE INDEX cancel_attempt_one_open ON cancel_attempt (shipment_id) WHERE phase = 'pending'`,
  `CREATE INDEX cancel_attempt_of_shipment ON cancel_attempt (shipment_id, begun_at)`,
  `CREATE INDEX cancel_attempt_due ON cancel_attempt (carrier_code, account_id, next_try_at)
    WHERE phase = 'pending'`,
  `CREATE INDEX cancel_attempt_to_verify ON cancel_attempt (carrier_code, account_id, verify_at)
    WHERE verify_at IS NOT NULL`,
  `CREATE INDEX cancel_attempt_not_alerted ON cancel_attempt (begun_at)
    WHERE phase = 'pending' AND alerted_at IS NULL`,

  `CREATE TABLE shipment_event (
    event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    shipment_id text NOT NULL REFERENCES shipment ON DELETE CASCADE,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    from_state text,
    to_state text NOT NULL,
    attempt_id uuid
  )`,
  `CREATE INDEX shipment_event_of_shipment ON shipment_event (shipment_id, event_id)`,
  `CREATE UNIQUE INDEX shipment_event_cancelled_once
    ON shipment_event (shipment_id) WHERE to_state = 'cancelled'`,

  // A scan can arrive before the booking is recorded. It then has no shipment until it is matched.
  `CREATE TABLE carrier_scan (
    carrier_code text NOT NULL,
    event_id text NOT NULL CHECK (event_id <> ''),
    carrier_ref text NOT NULL CHECK (carrier_ref <> ''),
    occurred_at timestamptz(3) NOT NULL,
    received_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    shipment_id text REFERENCES shipment ON DELETE CASCADE,
    PRIMARY KEY (carrier_code, carrier_ref, event_id)
  )`,
  `CREATE INDEX carrier_scan_of_shipment ON carrier_scan (shipment_id, occurred_at)`,
  `CREATE INDEX carrier_scan_unmatched ON carrier_scan (carrier_ref) WHERE shipment_id IS NULL`,
]
