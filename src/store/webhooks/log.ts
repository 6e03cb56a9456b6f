/** What accounts see of their webhooks: endpoints, the log of deliveries, and replays. See docs/webhooks.md. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { groupBy } from '../../core/group-by.ts'
import type { EventType } from '../../core/shipments/event.ts'
import type { InvalidCursor, Page, PageRequest } from '../../operations/ports/pages.ts'
import type {
  LoggedDelivery,
  ReplayResult,
  WebhookEndpoint,
  WebhookLog,
} from '../../operations/ports/webhooks.ts'
import type { Database } from '../database/database.ts'
import { type FoundRow, pageOf } from '../database/page.ts'
import { ENABLED, type EndpointListing, listEndpoints } from './endpoints.ts'

export function webhookLog(db: Kysely<Database>): WebhookLog {
  return {
    endpoints: async (accountId) => (await listEndpoints(db, accountId)).map(endpointOf),
    deliveries: (accountId, endpointIds, request) => deliveries(db, accountId, endpointIds, request),
    replay: (accountId, endpointId, deliveryId, eventsMax) =>
      replay(db, { accountId, endpointId, deliveryId, eventsMax }),
  }
}

function endpointOf({ endpointId, url, types, state, waiting, ...times }: EndpointListing): WebhookEndpoint {
  return {
    endpointId,
    url,
    types: types ?? undefined,
    state,
    waiting,
    createdAt: times.createdAt,
    ...(times.nextTryAt !== null && { nextTryAt: times.nextTryAt }),
  }
}

type DeliveryRow = {
  readonly endpoint_id: string
  readonly delivery_id: number
  readonly sequence: number
  readonly at: Date
  readonly duration_ms: number
  readonly status: number | null
  readonly failure: string | null
  readonly type: EventType | null
  readonly shipment_id: string | null
}

/** Reads the page, the next delivery, and one on the other side of the cursor, for each endpoint. */
async function deliveries(
  db: Kysely<Database>,
  accountId: string,
  endpointIds: readonly string[],
  request: PageRequest,
): Promise<ReadonlyMap<string, Page<LoggedDelivery>> | InvalidCursor> {
  const { size, direction, cursor } = request
  const from = cursor === undefined ? undefined : decodeCursor(cursor)
  if (cursor !== undefined && from === undefined) return { kind: 'InvalidCursor', reason: 'malformed' }
  const isForward = direction === 'forward'
  const branch = (conditions: Branch) => branchOf(conditions, from ?? (isForward ? MAX_ID : '0'))
  const { rows } = await sql<FoundRow<DeliveryRow>>`
    SELECT endpoint.endpoint_id, logged.*, event.type, event.shipment_id
      FROM webhook_endpoint AS endpoint CROSS JOIN LATERAL (
        ${branch({ isNewest: isForward, operator: isForward ? '<' : '>', isAhead: true, limit: size + 1 })}
        UNION ALL
        ${branch({
          isNewest: !isForward,
          operator: isForward ? '>=' : '<=',
          isAhead: false,
          limit: from === undefined ? 0 : 1,
        })}
      ) AS logged
      LEFT JOIN account_event AS event
        ON event.account_id = ${accountId} AND event.sequence = logged.sequence
      WHERE endpoint.endpoint_id = ANY (${endpointIds}::text[]) AND endpoint.account_id = ${accountId}
      ORDER BY logged.delivery_id DESC`.execute(db)
  const byEndpoint = groupBy(rows, ({ endpoint_id }) => endpoint_id)
  return new Map(
    [...byEndpoint].map(([id, found]) => [
      id,
      pageOf(found, request, (row) => ({ cursor: encodeCursor(row), node: deliveryOf(row) })),
    ]),
  )
}

/** The largest bigint. */
const MAX_ID = '9223372036854775807'

type Branch = {
  /** Whether the scan starts with the newest deliveries. */
  readonly isNewest: boolean
  readonly operator: '<' | '<=' | '>' | '>='
  readonly isAhead: boolean
  readonly limit: number
}

/** The first deliveries of an endpoint on one side of an id, read from `webhook_delivery_newest`. */
function branchOf({ isNewest, operator, isAhead, limit }: Branch, id: string): RawBuilder<unknown> {
  return sql`(
    SELECT delivery_id, sequence, at, duration_ms, status, failure, ${isAhead}::boolean AS is_ahead
      FROM webhook_delivery AS delivery WHERE delivery.endpoint_id = endpoint.endpoint_id
        AND delivery_id ${sql.raw(operator)} ${id}::bigint
      ORDER BY delivery_id ${sql.raw(isNewest ? 'DESC' : 'ASC')} LIMIT ${limit}::integer)`
}

function deliveryOf(row: DeliveryRow): LoggedDelivery {
  const { status, failure, type, shipment_id: shipmentId } = row
  return {
    deliveryId: String(row.delivery_id),
    sequence: row.sequence,
    at: row.at.toISOString(),
    durationMs: row.duration_ms,
    ...(status !== null && { status }),
    ...(failure !== null && { failure }),
    ...(type !== null && shipmentId !== null && { event: { type, shipmentId } }),
  }
}

function encodeCursor({ delivery_id }: Pick<DeliveryRow, 'delivery_id'>): string {
  return Buffer.from(`delivery ${delivery_id}`).toString('base64url')
}

/** Undefined if no page has returned it. Callers may read and change it; it protects nothing. */
function decodeCursor(cursor: string): string | undefined {
  const text = cursor.length > 100 ? '' : Buffer.from(cursor, 'base64url').toString('utf8')
  return /^delivery ([1-9]\d{0,17})$/.exec(text)?.[1]
}

type Replay = {
  readonly accountId: string
  readonly endpointId: string
  readonly deliveryId: string | undefined
  readonly eventsMax: number
}

const ENDPOINT_ID = /^whk_[0-9a-f]{16}$/
const DELIVERY_ID = /^[1-9]\d{0,17}$/

/**
 * Locks the endpoint before it decides, so of two concurrent calls the second one sees what the first has done. The
 * position is not moved, and a running delivery is not disturbed, if nothing has to change.
 */
async function replay(
  db: Kysely<Database>,
  { accountId, endpointId, deliveryId, eventsMax }: Replay,
): Promise<ReplayResult> {
  if (!ENDPOINT_ID.test(endpointId)) return 'not_found'
  if (deliveryId !== undefined && !DELIVERY_ID.test(deliveryId)) return 'not_found'
  const { rows } = await sql<{ result: ReplayResult }>`
    WITH locked AS (
      SELECT endpoint_id, sequence, failures, disabled_at FROM webhook_endpoint
        WHERE endpoint_id = ${endpointId} AND account_id = ${accountId} FOR UPDATE
    ), named AS (
      SELECT locked.*, delivery.delivery_id, delivery.sequence AS named_sequence
        FROM locked LEFT JOIN webhook_delivery AS delivery
          ON delivery.endpoint_id = locked.endpoint_id AND delivery.delivery_id = ${deliveryId ?? null}::bigint
    ), decided AS (
      SELECT *, CASE
          WHEN named_sequence IS NULL THEN ${deliveryId === undefined ? 'replayed' : 'not_found'}::text
          WHEN named_sequence > sequence THEN 'replayed'
          WHEN sequence - named_sequence >= ${eventsMax}::bigint THEN 'too_many'
          WHEN EXISTS (SELECT FROM webhook_delivery AS later WHERE later.endpoint_id = named.endpoint_id
            AND later.delivery_id > named.delivery_id AND later.sequence = named_sequence) THEN 'already_replayed'
          ELSE 'replayed' END AS result
        FROM named
    ), enabled AS (
      UPDATE webhook_endpoint AS endpoint
        SET sequence = least(endpoint.sequence, coalesce(named_sequence - 1, endpoint.sequence)), ${ENABLED}
        FROM decided WHERE endpoint.endpoint_id = decided.endpoint_id AND result = 'replayed'
          AND (named_sequence <= decided.sequence OR decided.failures > 0 OR decided.disabled_at IS NOT NULL)
    ) SELECT result FROM decided`.execute(db)
  return rows[0]?.result ?? 'not_found'
}
