/**
 * Shipments, the history of their states, and the attempts to cancel them at their carriers. The indexes and
 * checks here are the last line of the cancellation protocol: one open attempt per shipment, one cancelled
 * event, and no state that contradicts its other columns. Money in cents.
 */
import { type Kysely, sql } from 'kysely'

/** Creates the tables of shipments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  // Milliseconds, so that a JavaScript Date holds `created_at` exactly and a cursor made of it finds its row.
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
    booked_at timestamptz(3),
    cancelled_at timestamptz(3),
    cancel_refused_at timestamptz,
    cancel_refusal text,
    version integer NOT NULL DEFAULT 1,
    CHECK ((state = 'cancelled') = (cancelled_at IS NOT NULL)),
    CHECK (state <> 'draft' OR carrier_ref IS NULL),
    CHECK (state NOT IN ('booked', 'in_transit') OR carrier_ref IS NOT NULL),
    CHECK ((cancel_refused_at IS NULL) = (cancel_refusal IS NULL))
  )`,
  `CREATE INDEX shipment_newest ON shipment (account_id, created_at DESC, shipment_id DESC)`,
  `CREATE INDEX shipment_newest_in_state
    ON shipment (account_id, state, created_at DESC, shipment_id DESC)`,
  // `sends` is counted before sending. A lease without an owner is free; `fence` rises with each take-over.
  `CREATE TABLE cancel_attempt (
    attempt_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    shipment_id text NOT NULL REFERENCES shipment ON DELETE CASCADE,
    account_id text NOT NULL,
    phase text NOT NULL DEFAULT 'pending' CHECK (phase IN ('pending', 'accepted', 'refused')),
    fence integer NOT NULL DEFAULT 1,
    sends integer NOT NULL DEFAULT 1,
    begun_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    lease_owner text,
    lease_until timestamptz NOT NULL,
    next_try_at timestamptz NOT NULL,
    verify_at timestamptz,
    settled_at timestamptz(3),
    reason text,
    last_cause text,
    anomaly text,
    CHECK ((phase = 'pending') = (settled_at IS NULL)),
    CHECK (phase <> 'refused' OR reason IS NOT NULL)
  )`,
  `CREATE UNIQUE INDEX cancel_attempt_one_open ON cancel_attempt (shipment_id) WHERE phase = 'pending'`,
  `CREATE INDEX cancel_attempt_of_shipment ON cancel_attempt (shipment_id, begun_at)`,
  `CREATE INDEX cancel_attempt_due ON cancel_attempt (next_try_at) WHERE phase = 'pending'`,
  `CREATE INDEX cancel_attempt_to_verify ON cancel_attempt (verify_at) WHERE verify_at IS NOT NULL`,
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
]
