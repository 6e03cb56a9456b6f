/**
 * What recovery and tracking need: whose turn it is and when, how a cancellation ended in words that all carriers
 * share, the bookings that are under way, and the carriers' scans.
 */
import { type Kysely, sql } from 'kysely'

/** Adds the columns and tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const REFUSAL_CODES = `('SCANNED', 'WINDOW_CLOSED', 'UNKNOWN_PARCEL', 'NOT_CANCELLABLE')`

const STATEMENTS = [
  // `booking_until`: a booking was begun and has not ended; the lease of who is at it. `cancel_wanted_at`: it is to be
  // cancelled as soon as the booking has ended. `next_track_at`: when a booked parcel is looked up again; those that are
  // booked already are looked up soon.
  `ALTER TABLE shipment
    ADD COLUMN cancelled_by text CHECK (cancelled_by IN ('draft', 'carrier', 'release')),
    ADD COLUMN cancel_refusal_code text CHECK (cancel_refusal_code IN ${REFUSAL_CODES}),
    ADD COLUMN booking_until timestamptz,
    ADD COLUMN booking_tries integer NOT NULL DEFAULT 0,
    ADD COLUMN cancel_wanted_at timestamptz,
    ADD COLUMN next_track_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ADD CHECK (cancelled_by IS NULL OR state = 'cancelled'),
    ADD CHECK (booking_until IS NULL OR carrier_ref IS NULL),
    ADD CHECK (cancel_wanted_at IS NULL OR (state = 'draft' AND booking_until IS NOT NULL))`,
  `CREATE INDEX shipment_by_reference ON shipment (carrier_ref, carrier_code) WHERE carrier_ref IS NOT NULL`,
  `CREATE INDEX shipment_to_track ON shipment (carrier_code, next_track_at) WHERE state = 'booked'`,
  `CREATE INDEX shipment_booking_due ON shipment (carrier_code, booking_until)
    WHERE booking_until IS NOT NULL`,
  // `owed`: somebody was told that it will be made, so it waits on also where it could not be sent.
  `ALTER TABLE cancel_attempt
    ADD COLUMN carrier_code text,
    ADD COLUMN refusal_code text CHECK (refusal_code IN ${REFUSAL_CODES}),
    ADD COLUMN carrier_refusal_code text,
    ADD COLUMN looks integer NOT NULL DEFAULT 0,
    ADD COLUMN owed boolean NOT NULL DEFAULT false,
    ADD COLUMN alerted_at timestamptz`,
  `UPDATE cancel_attempt c SET carrier_code = s.carrier_code FROM shipment s WHERE s.shipment_id = c.shipment_id`,
  `ALTER TABLE cancel_attempt ALTER COLUMN carrier_code SET NOT NULL`,
  `DROP INDEX cancel_attempt_due`,
  `CREATE INDEX cancel_attempt_due ON cancel_attempt (carrier_code, next_try_at) WHERE phase = 'pending'`,
  `DROP INDEX cancel_attempt_to_verify`,
  `CREATE INDEX cancel_attempt_to_verify ON cancel_attempt (carrier_code, verify_at) WHERE verify_at IS NOT NULL`,
  `CREATE INDEX cancel_attempt_not_alerted ON cancel_attempt (begun_at)
    WHERE phase = 'pending' AND alerted_at IS NULL`,
  // Kept also when no shipment has that number yet: a carrier may be faster than our own record of its booking.
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
  `CREATE INDEX carrier_scan_kept ON carrier_scan (carrier_ref) WHERE shipment_id IS NULL`,
]
