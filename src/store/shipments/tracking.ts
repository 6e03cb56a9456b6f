/**
 * What carriers say about parcels, put on record: each scan once, and the state it leads to. A scan moves a booked
 * shipment on and nothing else; whatever the order in which scans and cancellations arrive, the lock on the shipment's
 * row decides, and what contradicts it is marked for people.
 * Source: specification section 3; design/cancellation.md.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ParcelReference, Scan, ScanEffect } from '../../core/shipments/tracking.ts'
import type { Lookup, TrackingStore } from '../../operations/ports/recovery.ts'
import type { Database } from '../database/database.ts'

/** Carriers give a number out again after some months: a scan this long before the booking is another parcel's. */
const EARLIER_PARCEL = sql.lit('90 days')

/** Binds tracking to a database. */
export function trackingStore(db: Kysely<Database>): TrackingStore {
  return {
    recordScan: (scan) => recordScan(db, scan),
    applyUnmatchedScans: (parcel) => applyUnmatchedScans(db, parcel),
    recordCancelledAtCarrier: (lookup) => recordCancelledAtCarrier(db, lookup),

    async bookedAfter(shipmentId, size) {
      const { rows } = await sql<Lookup>`
        SELECT shipment_id AS "shipmentId", account_id AS "accountId", carrier_code AS "carrierCode",
            carrier_ref AS "carrierRef"
          FROM shipment WHERE shipment_id > ${shipmentId} AND state = 'booked'
          ORDER BY shipment_id LIMIT ${size}`.execute(db)
      return rows
    },

    async forgetUnmatchedScans(ageMs) {
      const { numAffectedRows } = await sql`
        DELETE FROM carrier_scan WHERE shipment_id IS NULL
          AND received_at < clock_timestamp() - ${ageMs} * interval '1 ms'`.execute(db)
      return Number(numAffectedRows ?? 0n)
    },
  }
}

/** For shipments that came to be here by another way than a booking, and for a booking whose process died after it. */
export async function applyAllUnmatchedScans(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<ParcelReference>`
    SELECT DISTINCT c.carrier_code AS "carrierCode", c.carrier_ref AS "carrierRef" FROM carrier_scan c
      JOIN shipment s ON s.carrier_ref = c.carrier_ref AND s.carrier_code = c.carrier_code
      WHERE c.shipment_id IS NULL AND s.state = 'booked'`.execute(db)
  for (const parcel of rows) await applyUnmatchedScans(db, parcel)
}

/** The shipment that a carrier's number stands for, locked: a number given out twice is the newer one's. */
function shipmentUnder({ carrierCode, carrierRef }: ParcelReference): RawBuilder<unknown> {
  return sql`SELECT shipment_id, state, coalesce(booked_at, created_at) AS since FROM shipment
    WHERE carrier_ref = ${carrierRef} AND carrier_code = ${carrierCode} AND state <> 'draft'
    ORDER BY created_at DESC, shipment_id DESC LIMIT 1 FOR UPDATE`
}

/** A scan that is told again is about the parcel that it was about, also where its number was given out anew. */
async function recordScan(db: Kysely<Database>, scan: Scan): Promise<ScanEffect> {
  const { carrierCode, carrierRef, eventId, at } = scan
  const { rows } = await sql<{ effect: ScanEffect }>`
    WITH s AS (${shipmentUnder(scan)}), own AS (
      SELECT shipment_id, state FROM s
        WHERE ${at}::timestamptz > since - interval ${EARLIER_PARCEL}
    ), k AS (
      INSERT INTO carrier_scan AS c (carrier_code, event_id, carrier_ref, occurred_at, shipment_id)
        VALUES (${carrierCode}, ${eventId}, ${carrierRef}, ${at}::timestamptz, (SELECT shipment_id FROM own))
        ON CONFLICT (carrier_code, carrier_ref, event_id) DO UPDATE
          SET shipment_id = coalesce(c.shipment_id, excluded.shipment_id)
        RETURNING xmax = 0 AS is_new, c.shipment_id
    ), m AS (
      UPDATE shipment t SET state = 'in_transit', version = t.version + 1
        FROM own, k WHERE t.shipment_id = own.shipment_id AND own.state = 'booked'
          AND k.shipment_id = own.shipment_id
        RETURNING t.shipment_id
    ), e AS (
      INSERT INTO shipment_event (shipment_id, from_state, to_state)
        SELECT shipment_id, 'booked', 'in_transit' FROM m
    )
    SELECT CASE
      WHEN EXISTS (SELECT 1 FROM m) THEN 'moved'
      WHEN NOT EXISTS (SELECT 1 FROM s) THEN 'kept'
      WHEN NOT EXISTS (SELECT 1 FROM own) THEN 'stale'
      WHEN k.is_new AND (SELECT state FROM own) = 'cancelled' THEN 'anomaly'
      ELSE 'known' END AS effect FROM k`.execute(db)
  if (rows[0] === undefined) throw new Error('a scan was neither kept nor known')
  return rows[0].effect
}

async function applyUnmatchedScans(db: Kysely<Database>, parcel: ParcelReference): Promise<void> {
  await sql`
    WITH s AS (${shipmentUnder(parcel)}), k AS (
      UPDATE carrier_scan c SET shipment_id = s.shipment_id
        FROM s WHERE c.carrier_ref = ${parcel.carrierRef} AND c.carrier_code = ${parcel.carrierCode}
          AND c.shipment_id IS NULL AND c.occurred_at > s.since - interval ${EARLIER_PARCEL}
        RETURNING c.event_id
    ), m AS (
      UPDATE shipment t SET state = 'in_transit', version = t.version + 1
        FROM s WHERE t.shipment_id = s.shipment_id AND s.state = 'booked' AND EXISTS (SELECT 1 FROM k)
        RETURNING t.shipment_id
    )
    INSERT INTO shipment_event (shipment_id, from_state, to_state)
      SELECT shipment_id, 'booked', 'in_transit' FROM m`.execute(db)
}

/**
 * With an open attempt its own answer decides; the attempt that is written here asked nobody. A transaction, so that
 * the second statement sees an attempt that was opened while the first waited for the lock.
 */
function recordCancelledAtCarrier(
  db: Kysely<Database>,
  { shipmentId, carrierRef }: Lookup,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await sql`SELECT 1 FROM shipment WHERE shipment_id = ${shipmentId} FOR UPDATE`.execute(transaction)
    const { rows } = await sql`
      WITH a AS (
        INSERT INTO cancel_attempt (shipment_id, account_id, carrier_code, phase, sends, lease_until, next_try_at,
            settled_at, anomaly)
          SELECT t.shipment_id, t.account_id, t.carrier_code, 'accepted', 0, clock_timestamp(),
              clock_timestamp(), clock_timestamp(), 'found cancelled at the carrier'
            FROM shipment t
            WHERE t.shipment_id = ${shipmentId} AND t.carrier_ref = ${carrierRef} AND t.state = 'booked'
              AND NOT EXISTS (
                SELECT 1 FROM cancel_attempt c WHERE c.shipment_id = t.shipment_id AND c.phase = 'pending')
          RETURNING shipment_id, attempt_id
      ), s AS (
        UPDATE shipment t SET state = 'cancelled', cancelled_at = clock_timestamp(), cancelled_by = 'carrier',
            version = t.version + 1
          FROM a WHERE t.shipment_id = a.shipment_id RETURNING t.shipment_id, a.attempt_id
      )
      INSERT INTO shipment_event (shipment_id, from_state, to_state, attempt_id)
        SELECT shipment_id, 'booked', 'cancelled', attempt_id FROM s RETURNING shipment_id`.execute(
      transaction,
    )
    return rows.length > 0
  })
}
