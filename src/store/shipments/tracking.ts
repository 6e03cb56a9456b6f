/**
 * Records carriers' scans and the resulting states of shipments. A scan moves a booked shipment to in transit and
 * changes nothing else. Scans and cancellations can arrive in any order: the lock on the shipment serialises them, and
 * contradictions are recorded as anomalies. See docs/scan-events.md and docs/cancellation.md#states-of-a-shipment.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ParcelReference, Scan, ScanEffect } from '../../core/shipments/tracking.ts'
import { AccountClosed, type Lookup, type TrackingStore } from '../../operations/ports/recovery.ts'
import type { Database } from '../database/database.ts'
import { isNotMoved } from '../database/moved-accounts.ts'
import { isOfMovedAccount } from '../database/outage.ts'
import { type LookupRow, lookupOf } from '../row-types/shipments.ts'
import { reportStatement } from './cancellation-statements.ts'
import { NO_ACCOUNT, type NumberOwner, ownersOf } from './carrier-numbers.ts'

/** Carriers reuse numbers after some months. A scan this long before the booking belongs to an earlier parcel. */
const EARLIER_PARCEL = sql.lit('90 days')

export function trackingStore(db: Kysely<Database>): TrackingStore {
  return {
    recordScan: (scan, isFound = false) => unlessClosed(() => recordScan(db, scan, isFound)),
    recordDelivery: (parcel) => unlessClosed(() => recordDelivery(db, parcel)),
    applyUnmatchedScans: (parcel) =>
      unlessClosed(async () => {
        await applyUnmatchedScans(db, parcel)
      }),
    recordCancelledAtCarrier: (lookup) => recordCancelledAtCarrier(db, lookup),

    async bookedAfter({ accountId, shipmentId }, size) {
      // Each booked shipment is in the schedule, even when no more lookups are due. With OFFSET 0, each page reads
      // its own shipments by their keys, and not all booked ones.
      const { rows } = await sql<LookupRow>`
        SELECT shipment.* FROM lookup_schedule AS scheduled, LATERAL (
            SELECT shipment_id, account_id, carrier_code, carrier_ref, parcel_refs, cancelled_refs, carrier_order_ref,
                coalesce(booked_at, created_at) AS booked_since
              FROM shipment WHERE account_id = scheduled.account_id AND shipment_id = scheduled.shipment_id
                AND state = 'booked' AND ${isNotMoved('shipment')} OFFSET 0
          ) AS shipment
          WHERE (scheduled.account_id, scheduled.shipment_id) > (${accountId}::text, ${shipmentId}::text)
            AND NOT scheduled.in_transit
          ORDER BY scheduled.account_id, scheduled.shipment_id LIMIT ${size}`.execute(db)
      return rows.map(lookupOf)
    },

    async forgetUnmatchedScans(ageMs, limit) {
      const { rows } = await sql`
        WITH old AS (
          SELECT account_id, carrier_code, carrier_ref, event_id FROM carrier_scan WHERE shipment_id IS NULL
              AND received_at < (SELECT clock_timestamp() - ${ageMs} * interval '1 ms')
            ORDER BY received_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        )
        DELETE FROM carrier_scan AS scan USING old
          WHERE scan.account_id = old.account_id AND scan.carrier_code = old.carrier_code
            AND scan.carrier_ref = old.carrier_ref AND scan.event_id = old.event_id RETURNING 1`.execute(db)
      return rows.length
    },
  }
}

/** Applies earlier scans to imported shipments, and to bookings whose process died before it did so. */
export async function applyAllUnmatchedScans(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<ParcelReference>`
    SELECT DISTINCT scan.carrier_code AS "carrierCode", scan.carrier_ref AS "carrierRef"
      FROM carrier_scan AS scan JOIN carrier_number USING (carrier_code, carrier_ref)
      WHERE scan.account_id = ${NO_ACCOUNT} AND scan.shipment_id IS NULL AND ${isNotMoved('carrier_number')}`.execute(
    db,
  )
  for (const parcel of rows) await applyUnmatchedScans(db, parcel)
}

/**
 * Adds booked shipments that are not in the schedule. Triggers add them, so this is needed only if shipments were
 * changed while triggers were disabled. Without a row, a shipment is neither looked up nor audited.
 */
export async function scheduleMissingLookups(db: Kysely<Database>): Promise<void> {
  await sql`
    INSERT INTO lookup_schedule (account_id, shipment_id, carrier_code, due_at)
      SELECT account_id, shipment_id, carrier_code, next_track_at FROM shipment
        WHERE state = 'booked' AND NOT EXISTS (SELECT 1 FROM lookup_schedule AS scheduled
          WHERE scheduled.account_id = shipment.account_id AND scheduled.shipment_id = shipment.shipment_id)
        FOR SHARE SKIP LOCKED
      ON CONFLICT DO NOTHING`.execute(db)
}

async function unlessClosed<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isOfMovedAccount(error) ? new AccountClosed(error) : error
  }
}

/** Locks a shipment that has the number, perhaps among others. */
function lockShipment(
  { accountId, shipmentId }: NumberOwner,
  { carrierCode, carrierRef }: ParcelReference,
): RawBuilder<unknown> {
  return sql`SELECT shipment_id, state, coalesce(booked_at, created_at) AS since FROM shipment
    WHERE account_id = ${accountId} AND shipment_id = ${shipmentId} AND carrier_code = ${carrierCode}
      AND (carrier_ref = ${carrierRef} OR parcel_refs @> ARRAY[${carrierRef}::text]) AND state <> 'draft' FOR UPDATE`
}

/**
 * A scan belongs to the newest shipment with its number. One that is received again stays with the account that it was
 * first matched to, even if the carrier has reused the number.
 */
async function recordScan(db: Kysely<Database>, scan: Scan, isFound: boolean): Promise<ScanEffect> {
  const { owners, hasUnmatched } = await ownersOf(db, scan)
  const [newest] = owners
  if (newest === undefined) return storeUnmatched(db, scan)
  // Otherwise the same scan could be stored twice: here, and without an account.
  const isMoved = hasUnmatched && (await applyUnmatchedScans(db, scan))
  const isShared = owners.some(({ accountId }) => accountId !== newest.accountId)
  const keeper = isShared ? await accountOfScan(db, scan, owners) : undefined
  const owner = owners.find(({ accountId }) => accountId === keeper) ?? newest
  const effect = await storeScan(db, scan, owner, isFound)
  // The same scan was waiting.
  return isMoved && effect === 'known' ? 'moved' : effect
}

/** Its number is not known yet, or the shipment was booked elsewhere. */
async function storeUnmatched(
  db: Kysely<Database>,
  { carrierCode, carrierRef, eventId, at, isDelivery = false }: Scan,
): Promise<'unmatched'> {
  await sql`
    INSERT INTO carrier_scan AS scan (account_id, carrier_code, event_id, carrier_ref, occurred_at, is_delivery)
      VALUES (${NO_ACCOUNT}, ${carrierCode}, ${eventId}, ${carrierRef}, ${at}::timestamptz, ${isDelivery}::boolean)
      ON CONFLICT (carrier_code, carrier_ref, event_id, account_id) DO UPDATE
        SET is_delivery = scan.is_delivery OR excluded.is_delivery, receipts = scan.receipts + 1`.execute(db)
  return 'unmatched'
}

/** The account that has stored this scan. Asks the accounts that have had the number. */
async function accountOfScan(
  db: Kysely<Database>,
  { carrierCode, carrierRef, eventId }: Scan,
  owners: readonly NumberOwner[],
): Promise<string | undefined> {
  const { rows } = await sql<{ account_id: string }>`
    SELECT account_id FROM carrier_scan WHERE carrier_code = ${carrierCode} AND carrier_ref = ${carrierRef}
      AND event_id = ${eventId} AND account_id = ANY (${owners.map(({ accountId }) => accountId)}::text[])
      LIMIT 1`.execute(db)
  return rows[0]?.account_id
}

/**
 * A scan by an event, or another one than the lookup has reported, verifies the report. A delivery does not if a lookup
 * has found it: it may be the same lookup. A scan from before the shipment is stored without it, so it is known when it
 * is received again.
 *
 * If the carrier has cancelled or refused every parcel and scans a refused one, there is nothing left to cancel: the
 * attempt is refused (`ended`).
 */
async function storeScan(
  db: Kysely<Database>,
  scan: Scan,
  owner: NumberOwner,
  isFound: boolean,
): Promise<ScanEffect> {
  const { carrierCode, carrierRef, eventId, at, isDelivery = false } = scan
  const { accountId } = owner
  const { rows } = await sql<{ effect: ScanEffect }>`
    WITH locked AS (${lockShipment(owner, scan)}), scanned AS (
      SELECT shipment_id, state FROM locked
        WHERE ${at}::timestamptz > since - interval ${EARLIER_PARCEL}
    ), stored AS (
      INSERT INTO carrier_scan AS scan (account_id, carrier_code, event_id, carrier_ref, occurred_at, shipment_id,
          is_delivery)
        VALUES (${accountId}, ${carrierCode}, ${eventId}, ${carrierRef}, ${at}::timestamptz,
          (SELECT shipment_id FROM scanned), ${isDelivery}::boolean)
        ON CONFLICT (carrier_code, carrier_ref, event_id, account_id) DO UPDATE
          SET shipment_id = coalesce(scan.shipment_id, excluded.shipment_id), receipts = scan.receipts + 1,
            is_delivery = scan.is_delivery OR excluded.is_delivery
        RETURNING scan.receipts = 1 AS is_new, scan.shipment_id
    ), moved AS (
      UPDATE shipment SET state = 'in_transit', version = shipment.version + 1
        FROM scanned, stored
        WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = scanned.shipment_id
          AND scanned.state = 'booked' AND stored.shipment_id = scanned.shipment_id
        RETURNING shipment.shipment_id, shipment.account_id, shipment.carrier_code, shipment.parcel_refs,
          shipment.cancelled_refs
    ), logged AS (
      INSERT INTO shipment_event (account_id, shipment_id, from_state, to_state)
        SELECT account_id, shipment_id, 'booked', 'in_transit' FROM moved
    ), reported AS (
      ${reportStatement(
        'scanned',
        sql`
        SELECT moved.*, ${carrierRef}::text AS carrier_ref FROM moved WHERE ${isFound}::boolean AND NOT EXISTS (
          SELECT 1 FROM carrier_scan AS other WHERE other.account_id = ${accountId}
            AND other.shipment_id = moved.shipment_id AND other.event_id <> ${eventId})`,
      )}
    ), verified AS (
      UPDATE lookup_report AS report SET verify_at = NULL FROM stored, scanned
        WHERE report.account_id = ${accountId} AND report.shipment_id = scanned.shipment_id
          AND stored.shipment_id = scanned.shipment_id AND report.reported = 'scanned'
          AND (NOT ${isFound}::boolean OR (stored.is_new AND NOT ${isDelivery}::boolean))
    ), ended AS (${endRefusedStatement(accountId, carrierRef)})
    SELECT CASE
      WHEN EXISTS (SELECT 1 FROM moved) THEN 'moved'
      WHEN NOT EXISTS (SELECT 1 FROM locked) THEN 'unmatched'
      WHEN NOT EXISTS (SELECT 1 FROM scanned) THEN 'stale'
      WHEN stored.is_new AND (SELECT state FROM scanned) = 'cancelled' THEN 'anomaly'
      ELSE 'known' END AS effect FROM stored`.execute(db)
  if (rows[0] === undefined) throw new Error('recording a scan returned no row')
  return rows[0].effect
}

/** Refuses the attempt of a shipment in `moved` if no parcel is left that the carrier may still cancel. */
function endRefusedStatement(accountId: string, carrierRef: string): RawBuilder<unknown> {
  return sql`
      UPDATE cancel_attempt AS attempt SET phase = 'refused', settled_at = clock_timestamp(), lease_owner = NULL,
          reason = refused.answer ->> 'message', refusal_code = refused.answer ->> 'reason',
          carrier_refusal_code = refused.answer ->> 'code'
        FROM moved, LATERAL (SELECT named.parcels -> ${carrierRef}::text -> 'refusal' AS answer FROM cancel_attempt AS named
          WHERE named.account_id = ${accountId} AND named.shipment_id = moved.shipment_id
            AND named.phase = 'pending') AS refused
        WHERE attempt.account_id = ${accountId} AND attempt.shipment_id = moved.shipment_id
          AND attempt.phase = 'pending' AND refused.answer IS NOT NULL
          AND moved.cancelled_refs IS NOT NULL AND NOT moved.cancelled_refs @> ARRAY[${carrierRef}::text]
          AND NOT EXISTS (SELECT 1 FROM unnest(moved.parcel_refs) AS number WHERE moved.cancelled_refs @> ARRAY[number]
            IS NOT TRUE AND attempt.parcels -> number -> 'refusal' IS NULL)`
}

/** Cancelled parcels of a partly cancelled shipment are not delivered. The latest delivery of a parcel counts. */
async function recordDelivery(db: Kysely<Database>, parcel: ParcelReference): Promise<void> {
  const [owner] = (await ownersOf(db, parcel)).owners
  if (owner === undefined) return
  const { accountId } = owner
  await sql`
    WITH locked AS (${lockShipment(owner, parcel)})
    UPDATE shipment SET delivered_at = delivered.at, version = shipment.version + 1
      FROM locked, LATERAL (
        SELECT max(parcel.delivered_at) AS at, bool_and(parcel.delivered_at IS NOT NULL) AS is_complete FROM (
          SELECT (SELECT max(scan.occurred_at) FROM carrier_scan AS scan
              WHERE scan.account_id = ${accountId} AND scan.shipment_id = locked.shipment_id
                AND scan.carrier_ref = number AND scan.is_delivery) AS delivered_at
            FROM shipment AS whole, unnest(coalesce(whole.parcel_refs, ARRAY[whole.carrier_ref])) AS number
            WHERE whole.account_id = ${accountId} AND whole.shipment_id = locked.shipment_id
              AND NOT coalesce(whole.cancelled_refs, '{}') @> ARRAY[number]
        ) AS parcel
      ) AS delivered
      WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = locked.shipment_id
        AND shipment.state = 'in_transit' AND shipment.delivered_at IS NULL AND delivered.is_complete`.execute(
    db,
  )
}

/**
 * Moves the waiting scans of a number to the account of the newest shipment with it, and this shipment to in transit. A
 * scan cannot be under both accounts: the row without an account is deleted first, in the same transaction. Returns
 * whether the shipment was moved.
 */
async function applyUnmatchedScans(db: Kysely<Database>, parcel: ParcelReference): Promise<boolean> {
  const {
    owners: [owner],
    hasUnmatched,
  } = await ownersOf(db, parcel)
  if (owner === undefined || !hasUnmatched) return false
  return db.transaction().execute(async (trx) => {
    // The shipment is locked before its scans, as everywhere.
    await lockShipment(owner, parcel).execute(trx)
    const { rows: scans } = await sql<{ row: unknown }>`
      DELETE FROM carrier_scan AS scan WHERE account_id = ${NO_ACCOUNT} AND carrier_ref = ${parcel.carrierRef}
        AND carrier_code = ${parcel.carrierCode} AND shipment_id IS NULL
        RETURNING to_jsonb(scan) AS row`.execute(trx)
    const given = scans.map(({ row }) => row)
    const { rows } = await matchStatement(owner, parcel, given).execute(trx)
    // In the same transaction: a scan that has a shipment is not applied again, so its delivery would be lost.
    if (rows[0]?.is_delivered === true) await recordDelivery(trx, parcel)
    return rows[0]?.is_moved === true
  })
}

/** `scans`: rows of `carrier_scan`. Those from before the shipment are stored without it. */
function matchStatement(
  owner: NumberOwner,
  parcel: ParcelReference,
  scans: readonly unknown[],
): RawBuilder<{ is_moved: boolean; is_delivered: boolean }> {
  const { accountId } = owner
  return sql`
    WITH locked AS (${lockShipment(owner, parcel)}), stored AS (
      INSERT INTO carrier_scan AS scan (account_id, carrier_code, event_id, carrier_ref, occurred_at, received_at,
          receipts, shipment_id, is_delivery)
        SELECT ${accountId}, given.carrier_code, given.event_id, given.carrier_ref, given.occurred_at, given.received_at,
            given.receipts, (SELECT shipment_id FROM locked WHERE given.occurred_at > since - interval ${EARLIER_PARCEL}),
            given.is_delivery
          FROM jsonb_to_recordset(${JSON.stringify(scans)}::jsonb) AS given (carrier_code text, event_id text,
            carrier_ref text, occurred_at timestamptz, received_at timestamptz, receipts integer, is_delivery boolean)
        ON CONFLICT (carrier_code, carrier_ref, event_id, account_id) DO UPDATE
          SET shipment_id = coalesce(scan.shipment_id, excluded.shipment_id),
            is_delivery = scan.is_delivery OR excluded.is_delivery, receipts = scan.receipts + excluded.receipts
        RETURNING scan.shipment_id, scan.is_delivery
    ), matched AS (
      SELECT stored.is_delivery FROM stored JOIN locked USING (shipment_id)
    ), moved AS (
      UPDATE shipment SET state = 'in_transit', version = shipment.version + 1
        FROM locked WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = locked.shipment_id
          AND locked.state = 'booked' AND EXISTS (SELECT 1 FROM matched)
        RETURNING shipment.shipment_id
    ), logged AS (
      INSERT INTO shipment_event (account_id, shipment_id, from_state, to_state)
        SELECT ${accountId}, shipment_id, 'booked', 'in_transit' FROM moved
    )
    SELECT EXISTS (SELECT 1 FROM moved) AS is_moved,
      EXISTS (SELECT 1 FROM matched WHERE is_delivery) AS is_delivered`
}

/**
 * Does nothing while an attempt is open, because the carrier's answer to that attempt decides. Otherwise inserts a
 * settled attempt without sends, and plans lookups that verify the cancellation. Uses two statements, so that the
 * second one sees an attempt that was opened while the first one waited for the lock.
 */
function recordCancelledAtCarrier(
  db: Kysely<Database>,
  { accountId, shipmentId, carrierRef }: Lookup,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await sql`SELECT 1 FROM shipment WHERE account_id = ${accountId} AND shipment_id = ${shipmentId} FOR UPDATE`.execute(
      trx,
    )
    const { rows } = await sql`
      WITH settled AS (
        INSERT INTO cancel_attempt (shipment_id, account_id, carrier_code, phase, sends, lease_until, next_try_at,
            settled_at, anomaly)
          SELECT shipment.shipment_id, ${accountId}, shipment.carrier_code, 'accepted', 0, clock_timestamp(),
              clock_timestamp(), clock_timestamp(), 'found cancelled at the carrier'
            FROM shipment
            WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = ${shipmentId}
              AND shipment.carrier_ref = ${carrierRef} AND shipment.state = 'booked' AND NOT EXISTS (
                SELECT 1 FROM cancel_attempt AS attempt WHERE attempt.account_id = ${accountId}
                  AND attempt.shipment_id = shipment.shipment_id AND attempt.phase = 'pending')
          RETURNING shipment_id, account_id, carrier_code, attempt_id
      ), reported AS (
        ${reportStatement('cancelled', sql`SELECT *, NULL AS carrier_ref FROM settled`)}
      ), cancelled AS (
        UPDATE shipment SET state = 'cancelled', cancelled_at = clock_timestamp(), cancelled_by = 'carrier',
            cancelled_refs = shipment.parcel_refs, version = shipment.version + 1
          FROM settled WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = settled.shipment_id
          RETURNING shipment.shipment_id, settled.attempt_id
      )
      INSERT INTO shipment_event (account_id, shipment_id, from_state, to_state, attempt_id)
        SELECT ${accountId}, shipment_id, 'booked', 'cancelled', attempt_id FROM cancelled RETURNING shipment_id`.execute(
      trx,
    )
    return rows.length > 0
  })
}
