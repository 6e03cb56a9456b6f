/**
 * Pages of what happened to shipments: the changes of their state, and the scans of their carriers, oldest first. See
 * schema/tracking.graphql. A page starts at the place of an event (keyset pagination), so new events move no others.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { groupBy } from '../../core/group-by.ts'
import { isShipmentId } from '../../core/shipments/shipment.ts'
import type { TrackingEvent } from '../../core/shipments/tracking.ts'
import type { InvalidCursor, Page, PageRequest } from '../../operations/ports/pages.ts'
import type { Database } from '../database/database.ts'
import { type FoundRow, pageOf } from '../database/page.ts'

/** The place of an event in the order. States come before scans of the same time. */
type Place = {
  /** Microseconds since 1970, exact. */
  readonly micros: number
  /** 1: a change of state. 2: a scan. */
  readonly kind: number
  readonly id: string
  /** Empty for a change of state. */
  readonly ref: string
}

type Row = Place & { readonly shipment_id: string; readonly type: TrackingEvent['type']; readonly at: Date }

/** The columns that order events. Ids of changes are numbers, so longer ones are higher. */
const ORDER = ['at', 'kind', 'length(id)', 'id', 'ref']

/** Reads the page, the next event, and one on the other side of the cursor, for each shipment. */
export async function trackingPages(
  db: Kysely<Database>,
  accountId: string,
  shipmentIds: readonly string[],
  request: PageRequest,
): Promise<ReadonlyMap<string, Page<TrackingEvent>> | InvalidCursor> {
  const { size, direction, cursor } = request
  const from = cursor === undefined ? undefined : decodeCursor(cursor)
  if (cursor !== undefined && from === undefined) return { kind: 'InvalidCursor', reason: 'malformed' }
  const ids = shipmentIds.filter(isShipmentId)
  if (ids.length === 0) return new Map()
  const isForward = direction === 'forward'
  const ahead = events(accountId, { isAscending: isForward, from, limit: size + 1 })
  const behind = events(accountId, {
    isAscending: !isForward,
    from,
    includesFrom: true,
    limit: from === undefined ? 0 : 1,
  })
  const { rows } = await sql<FoundRow<Row>>`
    SELECT shipment.shipment_id, event.*, (extract(epoch FROM event.at) * 1000000)::bigint AS micros
      FROM shipment CROSS JOIN LATERAL (
        SELECT *, true AS is_ahead FROM ${ahead} AS ahead UNION ALL SELECT *, false FROM ${behind} AS behind
      ) AS event
      WHERE shipment.shipment_id = ANY (${ids}::text[]) AND shipment.account_id = ${accountId}
      ORDER BY ${inOrder(true)}`.execute(db)
  const byShipment = groupBy(rows, ({ shipment_id }) => shipment_id)
  return new Map(
    [...byShipment].map(([id, found]) => [
      id,
      pageOf(found, request, (row) => ({ cursor: encodeCursor(row), node: eventOf(row) })),
    ]),
  )
}

function eventOf({ shipment_id, type, at, ref }: Row): TrackingEvent {
  return {
    shipmentId: shipment_id,
    type,
    at: at.toISOString(),
    ...(ref !== '' && { carrierRef: ref }),
  }
}

function inOrder(isAscending: boolean): RawBuilder<unknown> {
  return sql.raw(ORDER.map((column) => `${column} ${isAscending ? 'ASC' : 'DESC'}`).join(', '))
}

type Scan = {
  readonly isAscending: boolean
  readonly from: Place | undefined
  readonly includesFrom?: boolean
  readonly limit: number
}

/** A subquery for the first events of a scan. Both tables have an index that starts with the shipment. */
function events(
  accountId: string,
  { isAscending, from, includesFrom = false, limit }: Scan,
): RawBuilder<unknown> {
  const operator = sql.raw(`${isAscending ? '>' : '<'}${includesFrom ? '=' : ''}`)
  const isWithin =
    from === undefined
      ? sql`true`
      : sql`(${sql.raw(ORDER.join(', '))}) ${operator} (timestamptz 'epoch' + ${from.micros} * interval '1 microsecond',
          ${from.kind}::integer, length(${from.id}::text), ${from.id}::text, ${from.ref}::text)`
  return sql`(
    SELECT * FROM (
      SELECT to_state AS type, at, 1 AS kind, event_id::text AS id, '' AS ref
        FROM shipment_event AS changed
        WHERE changed.account_id = ${accountId} AND changed.shipment_id = shipment.shipment_id
      UNION ALL
      SELECT CASE WHEN scan.is_delivery THEN 'delivered' ELSE 'scanned' END, occurred_at, 2, event_id, carrier_ref
        FROM carrier_scan AS scan WHERE scan.account_id = ${accountId} AND scan.shipment_id = shipment.shipment_id
    ) AS happened WHERE ${isWithin} ORDER BY ${inOrder(isAscending)} LIMIT ${limit}::integer)`
}

function encodeCursor({ micros, kind, id, ref }: Place): string {
  return Buffer.from(`${micros}.${kind}.${ref} ${id}`).toString('base64url')
}

/** PostgreSQL has no text with U+0000. */
const CURSOR = /^(-?\d{1,16})\.([12])\.([^ \0]*) ([^\0]+)$/

/** Undefined if no page has returned it. Callers may read and change it; it protects nothing. */
function decodeCursor(cursor: string): Place | undefined {
  const text = cursor.length > 1_000 ? '' : Buffer.from(cursor, 'base64url').toString('utf8')
  const [, micros, kind, ref, id] = CURSOR.exec(text) ?? []
  if (id === undefined || ref === undefined) return undefined
  return { micros: Number(micros), kind: Number(kind), id, ref }
}
