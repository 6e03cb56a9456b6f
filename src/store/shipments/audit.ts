/**
 * What an audit reads besides the shipments: which connector each carrier has, and what people have to look at.
 * Source: design/cancellation.md, "Sweeper" and "Verify".
 */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** An attempt to cancel that has been open for too long: the carrier was asked, and what it did is not known. */
export type OpenAttempt = {
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  /** ISO 8601 in UTC. */
  readonly since: string
  readonly sends: number
  readonly lastCause: string | undefined
}

/** Something that contradicts what is on record here. */
export type Anomaly = {
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly anomaly: string
}

/** What people have to look at. */
export type Attention = {
  /** Oldest first. */
  readonly openAttempts: readonly OpenAttempt[]
  /** Newest first. */
  readonly anomalies: readonly Anomaly[]
}

/** Reads it: attempts open for longer than `openForMs`, and what was found odd in the last `withinMs`. */
export async function readAttention(
  db: Kysely<Database>,
  { openForMs, withinMs }: { readonly openForMs: number; readonly withinMs: number },
): Promise<Attention> {
  const [open, odd] = [await openAttempts(openForMs).execute(db), await anomalies(withinMs).execute(db)]
  return {
    openAttempts: open.rows.map(({ since, lastCause, ...attempt }) => ({
      ...attempt,
      since: since.toISOString(),
      lastCause: lastCause ?? undefined,
    })),
    anomalies: odd.rows.map(({ at, ...anomaly }) => ({ ...anomaly, at: at.toISOString() })),
  }
}

type OpenRow = Omit<OpenAttempt, 'since' | 'lastCause'> & { since: Date; lastCause: string | null }

function openAttempts(openForMs: number) {
  return sql<OpenRow>`
    SELECT shipment_id AS "shipmentId", account_id AS "accountId", carrier_code AS "carrierCode",
        begun_at AS since, sends, last_cause AS "lastCause"
      FROM cancel_attempt
      WHERE phase = 'pending' AND begun_at <= clock_timestamp() - ${openForMs} * interval '1 ms'
      ORDER BY begun_at, shipment_id`
}

/** A scan of a cancelled parcel is on record as a scan alone, once per parcel here. */
function anomalies(withinMs: number) {
  const since = sql`clock_timestamp() - ${withinMs} * interval '1 ms'`
  return sql<Omit<Anomaly, 'at'> & { at: Date }>`
    SELECT * FROM (
      SELECT shipment_id AS "shipmentId", account_id AS "accountId", carrier_code AS "carrierCode",
          coalesce(settled_at, begun_at) AS at, anomaly
        FROM cancel_attempt WHERE anomaly IS NOT NULL
      UNION ALL
      SELECT s.shipment_id, s.account_id, s.carrier_code, min(k.received_at),
          'carrier scanned, shipment is cancelled here'
        FROM carrier_scan k JOIN shipment s ON s.shipment_id = k.shipment_id
        WHERE s.state = 'cancelled' GROUP BY s.shipment_id
    ) odd WHERE at > ${since} ORDER BY at DESC, "shipmentId"`
}

/** The connector of each carrier, by carrier code, as the rate cards name them. */
export async function readConnectorNames(db: Kysely<Database>): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('carrier').select(['carrier_code', 'connector']).execute()
  return new Map(rows.map((row) => [row.carrier_code, row.connector]))
}
