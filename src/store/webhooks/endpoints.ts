/** What operators do with webhooks: add, list, rotate the secret, replay, remove, and read the log. */
import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { EventType } from '../../core/shipments/event.ts'
import type { Database } from '../database/database.ts'
import { numberEvents } from '../events/event-log.ts'

export type EndpointListing = {
  readonly endpointId: string
  readonly accountId: string
  readonly url: string
  readonly types: readonly EventType[] | null
  /** `failing`: the last delivery failed, and others are tried. `disabled`: none is tried any more. */
  readonly state: 'active' | 'failing' | 'disabled'
  /** Events that have not been delivered. */
  readonly waiting: number
  /** ISO 8601 in UTC. */
  readonly createdAt: string
  /** Only of a failing endpoint. */
  readonly nextTryAt: string | null
}

export type ListedDelivery = {
  readonly sequence: number
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly durationMs: number
  readonly status: number | null
  readonly failure: string | null
}

/** Endpoints of an account. */
export const ENDPOINTS_MAX = 10
/** How long the replaced secret also signs. */
const OLD_SECRET_HOURS = 24

/** As Standard Webhooks writes secrets. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/**
 * Adds an endpoint that gets the events from now on. Undefined: no such account. `full`: it has the most endpoints that
 * it may have.
 */
export async function addEndpoint(
  db: Kysely<Database>,
  accountId: string,
  url: string,
  types: readonly EventType[] | undefined,
): Promise<{ readonly endpointId: string; readonly secret: string } | 'full' | undefined> {
  // Otherwise the endpoint would also get the events that are not numbered yet.
  await numberEvents(db)
  const endpointId = `whk_${randomBytes(8).toString('hex')}`
  const secret = newSecret()
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      SELECT 1 FROM account WHERE account_id = ${accountId} FOR NO KEY UPDATE`.execute(trx)
    if (rows.length === 0) return undefined
    const inserted = await sql`
      INSERT INTO webhook_endpoint (endpoint_id, account_id, url, types, secret, sequence)
        SELECT ${endpointId}, ${accountId}, ${url}, ${types ?? null}::text[], ${secret},
            coalesce((SELECT sequence FROM account_event_head WHERE account_id = ${accountId}), 0)
          WHERE (SELECT count(*) FROM webhook_endpoint WHERE account_id = ${accountId}) < ${ENDPOINTS_MAX}
        RETURNING endpoint_id`.execute(trx)
    return inserted.rows.length === 0 ? 'full' : { endpointId, secret }
  })
}

export async function listEndpoints(
  db: Kysely<Database>,
  accountId?: string,
): Promise<readonly EndpointListing[]> {
  const { rows } = await sql<
    Omit<EndpointListing, 'createdAt' | 'nextTryAt'> & { createdAt: Date; nextTryAt: Date }
  >`
    SELECT endpoint_id AS "endpointId", account_id AS "accountId", url, types,
        CASE WHEN disabled_at IS NOT NULL THEN 'disabled' WHEN failures > 0 THEN 'failing' ELSE 'active' END AS state,
        coalesce(head.sequence - endpoint.sequence, 0) AS waiting,
        created_at AS "createdAt", next_try_at AS "nextTryAt"
      FROM webhook_endpoint AS endpoint LEFT JOIN account_event_head AS head USING (account_id)
      WHERE ${accountId ?? null}::text IS NULL OR account_id = ${accountId ?? null}
      ORDER BY account_id, created_at, endpoint_id`.execute(db)
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    nextTryAt: row.state === 'failing' ? row.nextTryAt.toISOString() : null,
  }))
}

/** The new secret. The old one also signs for a day. Undefined: no such endpoint. */
export async function rotateSecret(db: Kysely<Database>, endpointId: string): Promise<string | undefined> {
  const secret = newSecret()
  const { numAffectedRows = 0n } = await sql`
    UPDATE webhook_endpoint SET old_secret = secret, secret = ${secret},
        old_secret_until = clock_timestamp() + ${OLD_SECRET_HOURS} * interval '1 hour'
      WHERE endpoint_id = ${endpointId}`.execute(db)
  return numAffectedRows > 0n ? secret : undefined
}

/** Assignments that enable an endpoint and make its next try due. A process that is delivering loses its lease. */
export const ENABLED = sql`failures = 0, failing_since = NULL, disabled_at = NULL, fence = fence + 1,
  lease_until = clock_timestamp(), next_try_at = clock_timestamp()`

/**
 * Delivers the events after a number again, without waiting for the next try, also to a disabled endpoint. Undefined
 * for `after`: those that have not been delivered.
 */
export async function replayEvents(
  db: Kysely<Database>,
  endpointId: string,
  after: number | undefined,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE webhook_endpoint SET sequence = least(sequence, coalesce(${after ?? null}::bigint, sequence)), ${ENABLED}
      WHERE endpoint_id = ${endpointId}`.execute(db)
  return numAffectedRows > 0n
}

export async function removeEndpoint(db: Kysely<Database>, endpointId: string): Promise<boolean> {
  const { numAffectedRows = 0n } =
    await sql`DELETE FROM webhook_endpoint WHERE endpoint_id = ${endpointId}`.execute(db)
  return numAffectedRows > 0n
}

/** The newest deliveries first. */
export async function readDeliveries(
  db: Kysely<Database>,
  endpointId: string,
  limit: number,
): Promise<readonly ListedDelivery[]> {
  const rows = await db
    .selectFrom('webhook_delivery')
    .select(['sequence', 'at', 'duration_ms', 'status', 'failure'])
    .where('endpoint_id', '=', endpointId)
    .orderBy('delivery_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ at, duration_ms: durationMs, ...row }) => ({ ...row, at: at.toISOString(), durationMs }))
}
