/**
 * What operators read and settle: open attempts, anomalies, and the connector of each carrier (docs/audit.md). An
 * operator can settle an attempt by hand (docs/cancellation.md#settle-an-attempt-by-hand).
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CancelledBy } from '../../../core/shipments/cancellation.ts'
import type { CancelAttemptPhase, ShipmentState } from '../../../core/shipments/shipment.ts'
import type { Database } from '../../database/database.ts'
import { ageMs, inMs } from '../../database/times.ts'
import { ACCOUNTS_NAMED, type Correction, readCorrections } from './corrections.ts'

/** An attempt without an outcome. */
export type OpenAttempt = {
  readonly attemptId: string
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  /** ISO 8601 in UTC. */
  readonly since: string
  readonly ageMs: number
  readonly sends: number
  readonly lastCause: string | undefined
}

export type OperatorOutcome = 'cancelled' | 'refused'

/** What an operator decided about an attempt. */
export type OperatorSettlement = {
  readonly outcome: OperatorOutcome
  /** The name of the operator. */
  readonly by: string
  /** The user of the operating system. Undefined for decisions of older versions, which did not record it. */
  readonly systemUser: string | undefined
  /** For operators only; callers cannot read it. */
  readonly reason: string
  /** It reverses the decision of another operator. */
  readonly isReversal: boolean
}

export type SettledAttempt = OperatorSettlement & {
  readonly attemptId: string
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  /** ISO 8601 in UTC. */
  readonly at: string
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
  /** Newest first. They need no attention. */
  readonly settlements: readonly SettledAttempt[]
  /** Newest first. They need no attention. */
  readonly corrections: readonly Correction[]
}

/**
 * Reads attempts open for longer than `openForMs`, and anomalies and settlements by operators of the last `withinMs`.
 */
export async function readAttention(
  db: Kysely<Database>,
  { openForMs, withinMs }: { readonly openForMs: number; readonly withinMs: number },
): Promise<Attention> {
  const contradictions = await anomalies(withinMs).execute(db)
  return {
    openAttempts: await readOpenAttempts(db, openForMs),
    anomalies: contradictions.rows.map(({ at, ...anomaly }) => ({ ...anomaly, at: at.toISOString() })),
    settlements: await readSettlements(db, withinMs),
    corrections: await readCorrections(db, withinMs),
  }
}

/** Reads every decision of an operator about an attempt of the last `withinMs`, newest first. */
export async function readSettlements(
  db: Kysely<Database>,
  withinMs: number,
): Promise<readonly SettledAttempt[]> {
  const { rows } = await settlements(withinMs).execute(db)
  return rows.map(({ at, systemUser, ...settlement }) => ({
    ...settlement,
    systemUser: systemUser ?? undefined,
    at: at.toISOString(),
  }))
}

/** Reads attempts that have been open for at least `openForMs`, oldest first. */
export async function readOpenAttempts(
  db: Kysely<Database>,
  openForMs: number,
): Promise<readonly OpenAttempt[]> {
  const { rows } = await openAttempts(openForMs).execute(db)
  return rows.map(({ since, lastCause, ...attempt }) => ({
    ...attempt,
    since: since.toISOString(),
    lastCause: lastCause ?? undefined,
  }))
}

type OpenRow = Omit<OpenAttempt, 'since' | 'lastCause'> & { since: Date; lastCause: string | null }

function openAttempts(openForMs: number): RawBuilder<OpenRow> {
  return sql`
    SELECT attempt_id AS "attemptId", shipment_id AS "shipmentId", account_id AS "accountId",
        carrier_code AS "carrierCode", begun_at AS since, ${ageMs('begun_at')} AS "ageMs", sends,
        last_cause AS "lastCause"
      FROM cancel_attempt
      WHERE phase = 'pending' AND begun_at <= (SELECT clock_timestamp() - ${openForMs} * interval '1 ms')
      ORDER BY begun_at, shipment_id`
}

/**
 * Anomalies of attempts, cancelled shipments that were scanned (once, with the time of the first scan), partly
 * cancelled ones without an open attempt, and those of which two lookups contradict each other.
 */
function anomalies(withinMs: number) {
  // The bare function is volatile, so PostgreSQL would use no index for a comparison with it.
  const since = sql`(SELECT clock_timestamp() - ${withinMs} * interval '1 ms')`
  return sql<Omit<Anomaly, 'at'> & { at: Date }>`
    SELECT * FROM (
      SELECT shipment_id AS "shipmentId", account_id AS "accountId", carrier_code AS "carrierCode",
          coalesce(settled_at, begun_at) AS at, anomaly
        FROM cancel_attempt WHERE anomaly IS NOT NULL AND coalesce(settled_at, begun_at) > ${since}
      UNION ALL
      SELECT shipment_id, account_id, carrier_code, at, 'carrier scanned, shipment is cancelled here'
        FROM scan_anomaly WHERE at > ${since}
      UNION ALL
      SELECT * FROM (
        SELECT shipment.shipment_id, shipment.account_id, shipment.carrier_code, max(attempt.settled_at) AS at,
            'carrier cancelled ' || array_to_string(shipment.cancelled_refs, ', ') || ' and not the other parcels'
          FROM shipment JOIN cancel_attempt AS attempt USING (account_id, shipment_id)
          WHERE shipment.cancelled_refs IS NOT NULL AND shipment.state <> 'cancelled'
          GROUP BY shipment.account_id, shipment.shipment_id HAVING bool_and(attempt.phase <> 'pending')
      ) AS partly_cancelled WHERE at > ${since}
      UNION ALL
      SELECT shipment_id, account_id, carrier_code, contradicted_at, contradiction
        FROM lookup_report WHERE contradicted_at > ${since}
    ) AS found ORDER BY at DESC, "shipmentId"`
}

type SettledRow = Omit<SettledAttempt, 'at' | 'systemUser'> & { at: Date; systemUser: string | null }

function settlements(withinMs: number): RawBuilder<SettledRow> {
  const since = sql`(SELECT clock_timestamp() - ${withinMs} * interval '1 ms')`
  return sql`
    SELECT * FROM (
      SELECT attempt_id AS "attemptId", shipment_id AS "shipmentId", account_id AS "accountId",
          carrier_code AS "carrierCode", decided_at AS at, outcome, operator AS by, system_user_name AS "systemUser",
          reason, is_reversal AS "isReversal"
        FROM attempt_decision WHERE decided_at > ${since}
      UNION ALL
      SELECT attempt_id, shipment_id, account_id, carrier_code, operator_at, operator_outcome, operator, NULL,
          operator_reason, false
        FROM cancel_attempt AS attempt WHERE operator_at > ${since} AND ${isNotInDecisions}
    ) AS decided ORDER BY at DESC, "shipmentId"`
}

/** Older versions record a decision only in the attempt, where the next one replaces it. */
const isNotInDecisions = sql`attempt.operator_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM attempt_decision AS decision
  WHERE decision.account_id = attempt.account_id AND decision.attempt_id = attempt.attempt_id
    AND decision.decided_at = attempt.operator_at)`

/** Names an attempt. */
export type AttemptName = { readonly accountId: string; readonly attemptId: string }

/** An attempt and its shipment, as an operator sees them before settling. */
export type AttemptToSettle = {
  readonly attemptId: string
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  readonly carrierRef: string
  /** All numbers of the shipment. Null unless there are several. */
  readonly parcelRefs: readonly string[] | null
  /** The numbers that the carrier has cancelled. */
  readonly cancelledRefs: readonly string[] | null
  readonly state: ShipmentState
  readonly phase: CancelAttemptPhase
  readonly ageMs: number
  readonly sends: number
  readonly lastCause: string | null
  /** A process is calling the carrier now. */
  readonly isRunning: boolean
  /** The last decision of an operator. */
  readonly operator: string | null
  readonly operatorOutcome: OperatorOutcome | null
  readonly operatorReason: string | null
}

const ATTEMPT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * The attempt with this id, or else the newest attempt of the shipment with this id, an open one first. If several
 * accounts have such a shipment, one attempt for each of them. `accountId`: only of this account.
 */
export async function findAttempts(
  db: Kysely<Database>,
  id: string,
  accountId?: string,
): Promise<readonly AttemptToSettle[]> {
  const isOfAccount = accountId === undefined ? sql`true` : sql`attempt.account_id = ${accountId}`
  const names = [
    ...(ATTEMPT_ID.test(id) ? [sql`attempt.attempt_id = ${id}::uuid`] : []),
    sql`attempt.shipment_id = ${id}`,
  ]
  for (const isNamed of names) {
    const { rows } = await sql<AttemptToSettle>`
      SELECT DISTINCT ON (attempt.account_id) ${attemptColumns}
        FROM cancel_attempt AS attempt JOIN shipment USING (account_id, shipment_id)
        WHERE ${isNamed} AND ${isOfAccount}
        ORDER BY attempt.account_id, attempt.phase = 'pending' DESC, attempt.begun_at DESC
        LIMIT ${ACCOUNTS_NAMED}`.execute(db)
    if (rows.length > 0) return rows
  }
  return []
}

const attemptColumns = sql`attempt.attempt_id AS "attemptId", shipment.shipment_id AS "shipmentId",
  shipment.account_id AS "accountId", shipment.carrier_code AS "carrierCode", shipment.carrier_ref AS "carrierRef",
  shipment.parcel_refs AS "parcelRefs", shipment.cancelled_refs AS "cancelledRefs", shipment.state, attempt.phase, ${ageMs('attempt.begun_at')} AS "ageMs", attempt.sends,
  attempt.last_cause AS "lastCause", attempt.operator,
  attempt.operator_outcome AS "operatorOutcome", attempt.operator_reason AS "operatorReason",
  (attempt.lease_owner IS NOT NULL AND attempt.lease_until > clock_timestamp()) AS "isRunning"`

/**
 * Settles an attempt by an operator's decision, and cancels a booked shipment if the decision is `cancelled`. The
 * decision is added to those that were made before; none is ever changed or deleted. `refuse` returns why the attempt
 * cannot be settled so, or undefined; it is called while shipment and attempt are locked. The fence rises, so that a
 * process that still holds an old ticket cannot settle or release the attempt; see `acceptStatement` and
 * `refuseStatement` for answers of the carrier that arrive later.
 */
export async function settleByOperator(
  db: Kysely<Database>,
  { accountId, attemptId }: AttemptName,
  settlement: OperatorSettlement & { readonly cancelledBy: CancelledBy },
  refuse: (attempt: AttemptToSettle) => string | undefined,
): Promise<
  { readonly kind: 'Settled'; readonly at: string } | { readonly kind: 'NotSettled'; readonly why: string }
> {
  return db.transaction().execute(async (trx) => {
    // The shipment is locked before its attempt, as in all statements of the protocol.
    await sql`
      SELECT 1 FROM shipment WHERE account_id = ${accountId} AND shipment_id = (
        SELECT shipment_id FROM cancel_attempt WHERE account_id = ${accountId} AND attempt_id = ${attemptId})
        FOR UPDATE`.execute(trx)
    const { rows } = await sql<AttemptToSettle>`
      SELECT ${attemptColumns} FROM cancel_attempt AS attempt JOIN shipment USING (account_id, shipment_id)
        WHERE attempt.account_id = ${accountId} AND attempt.attempt_id = ${attemptId} FOR UPDATE OF attempt`.execute(
      trx,
    )
    const [attempt] = rows
    const why = attempt === undefined ? 'the attempt does not exist' : refuse(attempt)
    if (why !== undefined) return { kind: 'NotSettled', why }
    await sql`
      INSERT INTO attempt_decision (attempt_id, shipment_id, account_id, carrier_code, decided_at, outcome, operator, reason)
        SELECT attempt_id, shipment_id, account_id, carrier_code, operator_at, operator_outcome, operator, operator_reason
          FROM cancel_attempt AS attempt
          WHERE account_id = ${accountId} AND attempt_id = ${attemptId} AND ${isNotInDecisions}`.execute(trx)
    const settled = await settlementStatement({ accountId, attemptId }, settlement).execute(trx)
    return { kind: 'Settled', at: settled.rows[0]?.at.toISOString() ?? '' }
  })
}

/** Callers read this text as the reason of a refusal, so it names no operator. */
const OPERATOR_REFUSAL = 'settled as refused by an operator of this service'

/**
 * When the parcel is looked up once more, to find a scan or an announcement. Not for a release: the carrier is not
 * notified, so it may list the parcel as announced for a long time.
 */
const VERIFY_AFTER_MS = 86_400_000

function settlementStatement(
  { accountId, attemptId }: AttemptName,
  {
    outcome,
    by,
    systemUser,
    reason,
    isReversal,
    cancelledBy,
  }: OperatorSettlement & { readonly cancelledBy: CancelledBy },
): RawBuilder<{ at: Date }> {
  const isCancelled = outcome === 'cancelled'
  return sql`
    WITH settled AS (
      UPDATE cancel_attempt AS attempt SET phase = ${isCancelled ? 'accepted' : 'refused'},
          operator = ${by}, operator_outcome = ${outcome}, operator_reason = ${reason},
          operator_at = clock_timestamp(), settled_at = clock_timestamp(), fence = attempt.fence + 1, lease_owner = NULL,
          verify_at = ${inMs(isCancelled && cancelledBy === 'carrier' ? VERIFY_AFTER_MS : undefined)}, reason = ${isCancelled ? null : OPERATOR_REFUSAL},
          refusal_code = ${isCancelled ? null : 'NOT_CANCELLABLE'},
          anomaly = CASE WHEN NOT ${isCancelled}::boolean AND shipment.state = 'cancelled'
            THEN 'refused by an operator, shipment is cancelled here' ELSE attempt.anomaly END
        FROM shipment WHERE attempt.account_id = ${accountId} AND attempt.attempt_id = ${attemptId}
          AND shipment.account_id = ${accountId} AND shipment.shipment_id = attempt.shipment_id
        RETURNING attempt.attempt_id, attempt.shipment_id, attempt.account_id, attempt.carrier_code, attempt.operator_at,
          shipment.state
    ), decided AS (
      INSERT INTO attempt_decision (attempt_id, shipment_id, account_id, carrier_code, decided_at, outcome, operator,
          system_user_name, reason, is_reversal)
        SELECT attempt_id, shipment_id, account_id, carrier_code, operator_at, ${outcome}, ${by}, ${systemUser ?? null}::text,
            ${reason}, ${isReversal}::boolean
          FROM settled
    ), cancelled AS (
      UPDATE shipment SET state = 'cancelled', cancelled_at = clock_timestamp(), cancelled_by = ${cancelledBy},
          cancelled_refs = shipment.parcel_refs, version = shipment.version + 1
        FROM settled WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = settled.shipment_id
          AND settled.state = 'booked' AND ${isCancelled}::boolean
        RETURNING shipment.account_id, shipment.shipment_id, settled.attempt_id
    ), logged AS (
      INSERT INTO shipment_event (account_id, shipment_id, from_state, to_state, attempt_id)
        SELECT account_id, shipment_id, 'booked', 'cancelled', attempt_id FROM cancelled
    ), refused AS (
      UPDATE shipment SET cancel_refused_at = clock_timestamp(), cancel_refusal = ${OPERATOR_REFUSAL},
          cancel_refusal_code = 'NOT_CANCELLABLE'
        FROM settled WHERE shipment.account_id = ${accountId} AND shipment.shipment_id = settled.shipment_id
          AND NOT ${isCancelled}::boolean
    )
    SELECT operator_at AS at FROM settled`
}

/** The connector of each carrier, by carrier code. */
export async function readConnectorNames(db: Kysely<Database>): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('carrier').select(['carrier_code', 'connector']).execute()
  return new Map(rows.map((row) => [row.carrier_code, row.connector]))
}
