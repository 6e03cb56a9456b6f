/** What an audit reads besides the shipments: open attempts, anomalies, and the connector of each carrier (docs/audit.md). */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** An attempt that has been open for too long: the outcome at the carrier is unknown. */
export type OpenAttempt = {
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  /** ISO 8601 in UTC. */
  readonly since: string
  readonly sends: number
  readonly lastCause: string | undefined
}

/** A contradiction between the carrier and Waybill's records. */
export type Anomaly = {
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly anomaly: string
}

/** What an operator has to look at. */
export type Attention = {
  /** Oldest first. */
  readonly openAttempts: readonly OpenAttempt[]
  /** Newest first. */
  readonly anomalies: readonly Anomaly[]
}

/** Reads attempts open for longer than `openForMs`, and anomalies of the last `withinMs`. */
export async function readAttention(
  db: Kysely<Database>,
  { openForMs, withinMs }: { readonly openForMs: number; readonly withinMs: number },
): Promise<Attention> {
  const open = await openAttempts(openForMs).execute(db)
  const contradictions = await anomalies(withinMs).execute(db)
  return {
    openAttempts: open.rows.map(({ since, lastCause, ...attempt }) => ({
      ...attempt,
      since: since.toISOString(),
      lastCause: lastCause ?? undefined,
    })),
    anomalies: contradictions.rows.map(({ at, ...anomaly }) => ({ ...anomaly, at: at.toISOString() })),
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

/**
 * Anomalies of attempts, and cancelled shipments that were scanned. Each of these shipments is listed once, with the
 * time of its first scan.
 */
function anomalies(withinMs: number) {
  const since = sql`clock_timestamp() - ${withinMs} * interval '1 ms'`
  return sql<Omit<Anomaly, 'at'> & { at: Date }>`
    SELECT * FROM (
      SELECT shipment_id AS "shipmentId", account_id AS "accountId", carrier_code AS "carrierCode",
          coalesce(settled_at, begun_at) AS at, anomaly
        FROM cancel_attempt WHERE anomaly IS NOT NULL
      UNION ALL
      SELECT shipment.shipment_id, shipment.account_id, shipment.carrier_code, min(scan.received_at),
          'carrier scanned, shipment is cancelled here'
        FROM carrier_scan AS scan JOIN shipment USING (shipment_id)
        WHERE shipment.state = 'cancelled' GROUP BY shipment.shipment_id
    ) AS found WHERE at > ${since} ORDER BY at DESC, "shipmentId"`
}

/** The connector of each carrier, by carrier code. */
export async function readConnectorNames(db: Kysely<Database>): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('carrier').select(['carrier_code', 'connector']).execute()
  return new Map(rows.map((row) => [row.carrier_code, row.connector]))
}
