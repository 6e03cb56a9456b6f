/**
 * Statements of the version whose newest migration is 004-customs, as its store sent them: a draft, its booking, its
 * cancellation, and what callers read. A later version must not change this file.
 */
export const STATEMENTS_OF_004 = {
  insertDraft: `with "inserted" as (insert into "shipment" ("shipment_id", "account_id", "product_id", "carrier_code", "carrier_ref", "from_country", "from_zipcode", "from_city", "to_country", "to_zipcode", "to_city", "parcel_type", "parcels", "recipient", "insured_value_cents", "price_cents", "tariff_version") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) returning "shipment_id", "state", "product_id", "carrier_code", "carrier_ref", "from_country", "from_zipcode", "from_city", "to_country", "to_zipcode", "to_city", "price_cents", "created_at", "cancelled_at"), "logged" as (insert into "shipment_event" ("shipment_id", "to_state") select "inserted"."shipment_id", 'draft' as "to_state" from "inserted") select "shipment_id", "state", "product_id", "carrier_code", "carrier_ref", "from_country", "from_zipcode", "from_city", "to_country", "to_zipcode", "to_city", "price_cents", "created_at", "cancelled_at" from "inserted"`,
  beginBooking: `WITH locked AS (
          SELECT * FROM shipment
            WHERE shipment_id = $1 AND account_id = $2 FOR UPDATE
        ), begun AS (
          UPDATE shipment SET booking_until = clock_timestamp() + $3::double precision * interval '1 ms', booking_tries = shipment.booking_tries + 1
            FROM locked WHERE shipment.shipment_id = locked.shipment_id AND locked.state = 'draft'
              AND (locked.booking_until IS NULL OR locked.booking_until <= clock_timestamp())
            RETURNING shipment.booking_tries
        )
        SELECT "locked"."shipment_id", "locked"."state", "locked"."product_id", "locked"."carrier_code", "locked"."carrier_ref", "locked"."from_country", "locked"."from_zipcode", "locked"."from_city", "locked"."to_country", "locked"."to_zipcode", "locked"."to_city", "locked"."price_cents", "locked"."created_at", "locked"."cancelled_at",
          begun.booking_tries AS tries FROM locked LEFT JOIN begun ON true`,
  markBooked: `WITH locked AS (
      SELECT shipment_id, state, carrier_code, carrier_ref, cancel_requested_at IS NOT NULL AS cancel_requested
        FROM shipment WHERE shipment_id = $1 AND account_id = $2 FOR UPDATE
    ), booked AS (
      UPDATE shipment SET state = 'booked', carrier_ref = $3, booked_at = clock_timestamp(),
          booking_until = NULL, cancel_requested_at = NULL,
          next_track_at = clock_timestamp() + interval '15 minutes', version = shipment.version + 1
        FROM locked WHERE shipment.shipment_id = locked.shipment_id AND locked.state = 'draft'
        RETURNING shipment.shipment_id, shipment.carrier_ref
    ), logged AS (
      INSERT INTO shipment_event (shipment_id, from_state, to_state)
        SELECT shipment_id, 'draft', 'booked' FROM booked
    ), late AS (
      UPDATE shipment SET carrier_ref = $4, booking_until = NULL, version = shipment.version + 1
        FROM locked WHERE shipment.shipment_id = locked.shipment_id
          AND locked.state = 'cancelled' AND locked.carrier_ref IS NULL
        RETURNING shipment.carrier_ref
    ), opened AS (
      INSERT INTO cancel_attempt
          (shipment_id, account_id, carrier_code, lease_owner, lease_until, next_try_at, promised)
        SELECT locked.shipment_id, $5, locked.carrier_code, $6, clock_timestamp() + $7::double precision * interval '1 ms', clock_timestamp() + $8::double precision * interval '1 ms', true
          FROM locked
          WHERE EXISTS (SELECT 1 FROM late) OR (locked.cancel_requested AND EXISTS (SELECT 1 FROM booked))
        RETURNING attempt_id, fence, sends
    )
    SELECT CASE WHEN EXISTS (SELECT 1 FROM booked) THEN 'booked' ELSE locked.state END AS state,
      EXISTS (SELECT 1 FROM booked) AS booked, locked.carrier_code,
      coalesce((SELECT carrier_ref FROM booked), (SELECT carrier_ref FROM late), locked.carrier_ref) AS carrier_ref,
      opened.attempt_id, opened.fence, opened.sends, 0 AS age_ms
      FROM locked LEFT JOIN opened ON true`,
  beginCancellation: `WITH locked AS (
      SELECT shipment_id, carrier_code, carrier_ref, state, booking_until, cancelled_by, cancel_refused_at,
          cancel_refusal, cancel_refusal_code
        FROM shipment WHERE shipment_id = $1 AND account_id = $2 FOR UPDATE
    ), recent_refusal AS (
      SELECT cancel_refusal AS reason, cancel_refusal_code AS code FROM locked
        WHERE cancel_refused_at > clock_timestamp() - $3 * interval '1 ms'
    ), cancelled AS (
      UPDATE shipment SET state = 'cancelled', cancelled_at = clock_timestamp(), cancelled_by = 'draft',
          version = shipment.version + 1
        FROM locked WHERE shipment.shipment_id = locked.shipment_id
          AND locked.state = 'draft' AND locked.booking_until IS NULL
        RETURNING shipment.shipment_id
    ), requested AS (
      UPDATE shipment SET cancel_requested_at = coalesce(shipment.cancel_requested_at, clock_timestamp())
        FROM locked WHERE shipment.shipment_id = locked.shipment_id
          AND locked.state = 'draft' AND locked.booking_until IS NOT NULL
    ), logged AS (
      INSERT INTO shipment_event (shipment_id, from_state, to_state)
        SELECT shipment_id, 'draft', 'cancelled' FROM cancelled
    ), leased AS (
      INSERT INTO cancel_attempt AS attempt
          (shipment_id, account_id, carrier_code, lease_owner, lease_until, next_try_at)
        SELECT locked.shipment_id, $4, locked.carrier_code, $5, clock_timestamp() + $6::double precision * interval '1 ms', clock_timestamp() + $7::double precision * interval '1 ms'
          FROM locked WHERE locked.state = 'booked' AND NOT EXISTS (SELECT 1 FROM recent_refusal)
        ON CONFLICT (shipment_id) WHERE phase = 'pending' DO UPDATE
          SET fence = attempt.fence + 1, sends = attempt.sends + 1, lease_owner = excluded.lease_owner,
            lease_until = excluded.lease_until, next_try_at = excluded.next_try_at
          WHERE attempt.lease_until <= clock_timestamp()
        RETURNING attempt.attempt_id, attempt.fence, attempt.sends, attempt.begun_at
    )
    SELECT CASE WHEN EXISTS (SELECT 1 FROM cancelled) THEN 'cancelled' ELSE locked.state END AS state,
      EXISTS (SELECT 1 FROM cancelled) AS draft_cancelled,
      locked.cancelled_by, locked.carrier_code, locked.carrier_ref,
      (SELECT reason FROM recent_refusal) AS recent_refusal, (SELECT code FROM recent_refusal) AS recent_refusal_code,
      leased.attempt_id, leased.fence, leased.sends, (extract(epoch FROM clock_timestamp() - "leased"."begun_at") * 1000)::bigint AS age_ms
      FROM locked LEFT JOIN leased ON true`,
  cancelProgress: `SELECT shipment.state, shipment.carrier_ref, shipment.cancelled_by, attempt.attempt_id,
      CASE WHEN shipment.cancel_refused_at > clock_timestamp() - $1 * interval '1 ms' THEN shipment.cancel_refusal END AS recent_refusal,
      CASE WHEN shipment.cancel_refused_at > clock_timestamp() - $2 * interval '1 ms' THEN shipment.cancel_refusal_code END AS recent_refusal_code,
      (shipment.state = 'draft' AND shipment.booking_until IS NOT NULL)
        OR (attempt.lease_owner IS NOT NULL AND attempt.lease_until > clock_timestamp()) AS working,
      (extract(epoch FROM attempt.next_try_at - clock_timestamp()) * 1000)::bigint AS due_in_ms
      FROM shipment
      LEFT JOIN cancel_attempt AS attempt ON attempt.shipment_id = shipment.shipment_id AND attempt.phase = 'pending'
      WHERE shipment.shipment_id = $3 AND shipment.account_id = $4`,
  acceptCancellation: `WITH locked AS (
      SELECT shipment_id, state FROM shipment WHERE shipment_id = $1 FOR UPDATE
    ), settled AS (
      UPDATE cancel_attempt AS attempt SET phase = 'accepted', settled_at = clock_timestamp(), verify_at = NULL,
          lease_owner = NULL,
          anomaly = CASE WHEN locked.state = 'in_transit' THEN 'carrier accepted, shipment in transit' END
        FROM locked WHERE attempt.attempt_id = $2 AND attempt.shipment_id = locked.shipment_id
          AND attempt.phase IN ('pending', 'refused')
        RETURNING attempt.attempt_id
    ), cancelled AS (
      UPDATE shipment SET state = 'cancelled', cancelled_at = clock_timestamp(),
          cancelled_by = $3, version = shipment.version + 1
        FROM locked, settled WHERE shipment.shipment_id = locked.shipment_id AND locked.state = 'booked'
        RETURNING shipment.shipment_id, settled.attempt_id
    ), logged AS (
      INSERT INTO shipment_event (shipment_id, from_state, to_state, attempt_id)
        SELECT shipment_id, 'booked', 'cancelled', attempt_id FROM cancelled
    )
    SELECT CASE WHEN EXISTS (SELECT 1 FROM cancelled) THEN 'cancelled' ELSE locked.state END AS state FROM locked`,
  attempts: `select "shipment_id", "begun_at", "phase", "reason", "refusal_code", "carrier_refusal_code", "sends", "settled_at", "next_try_at" from "cancel_attempt" where "shipment_id" = ANY ($1::text[]) and "account_id" = $2 order by "begun_at", "attempt_id"`,
  list: `select "shipment_id", "state", "product_id", "carrier_code", "carrier_ref", "from_country", "from_zipcode", "from_city", "to_country", "to_zipcode", "to_city", "price_cents", "created_at", "cancelled_at" from "shipment" where "account_id" = $1 order by "created_at" desc, "shipment_id" desc limit $2`,
} as const
