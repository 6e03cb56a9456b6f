/**
 * Lists of shipments in pages. A page starts at the position of a shipment in the order of the list (keyset
 * pagination), so shipments that are created later do not move the others. Every list is read from an index in its
 * order: `shipment_newest`, `shipment_newest_in_state`, `shipment_newest_moving` or
 * `shipment_newest_with_reference`. See
 * docs/graphql.md#pagination.
 */
import { createHash } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isShipmentId, type Shipment, type ShownState } from '../../core/shipments/shipment.ts'
import type { InvalidCursor, Page } from '../../operations/ports/pages.ts'
import type {
  ShipmentFilter,
  ShipmentPageRequest,
  ShipmentSort,
  ShipmentStore,
} from '../../operations/ports/shipments.ts'
import type { Database } from '../database/database.ts'
import { type FoundRow, pageOf } from '../database/page.ts'
import { SHIPMENT_COLUMNS, type ShipmentRow, shipmentOf } from '../row-types/shipments.ts'

/** The part of the shipment store that lists. */
export function shipmentLists(db: Kysely<Database>): Pick<ShipmentStore, 'list' | 'count'> {
  return {
    list: (accountId, request) => list(db, accountId, request),
    count: (accountId, filter, countedUpTo) => count(db, accountId, filter, countedUpTo),
  }
}

type Position = { readonly createdAt: Date; readonly shipmentId: string }

/** Reads the shipments of the page, the next one, and one on the other side of the cursor. */
async function list(
  db: Kysely<Database>,
  accountId: string,
  { filter, sort, size, direction, cursor }: ShipmentPageRequest,
): Promise<Page<Shipment> | InvalidCursor> {
  const listKey = listKeyOf(filter, sort)
  const position = cursor === undefined ? undefined : decodeCursor(cursor, listKey)
  if (position !== undefined && 'kind' in position) return position
  const isForward = direction === 'forward'
  const scan: ScanOrder = (sort === 'newest') === isForward ? 'descending' : 'ascending'
  const columns = sql.join(SHIPMENT_COLUMNS.map((column) => sql.ref(column)))
  const ahead = matching(accountId, filter, { columns, scan, from: position, limit: size + 1 })
  const behind = matching(accountId, filter, {
    columns,
    scan: OPPOSITE[scan],
    from: position,
    includesFrom: true,
    limit: position === undefined ? 0 : 1,
  })
  const { rows } = await sql<FoundRow<ShipmentRow>>`
    SELECT *, true AS is_ahead FROM ${ahead} AS ahead
    UNION ALL SELECT *, false FROM ${behind} AS behind
    ORDER BY ${inOrder(sort === 'newest' ? 'descending' : 'ascending')}`.execute(db)
  return pageOf(rows, { size, direction }, (row) => ({
    cursor: encodeCursor(listKey, row),
    node: shipmentOf(row),
  }))
}

async function count(
  db: Kysely<Database>,
  accountId: string,
  filter: ShipmentFilter,
  countedUpTo: number,
): Promise<number> {
  const found = matching(accountId, filter, {
    columns: sql.raw('shipment_id, created_at'),
    scan: 'descending',
    limit: countedUpTo,
  })
  const { rows } = await sql<{ n: number }>`SELECT count(*)::integer AS n FROM ${found} AS found`.execute(db)
  return rows[0]?.n ?? 0
}

type ScanOrder = 'ascending' | 'descending'

const OPPOSITE = { ascending: 'descending', descending: 'ascending' } as const

function inOrder(order: ScanOrder): RawBuilder<unknown> {
  return order === 'descending'
    ? sql.raw('created_at DESC, shipment_id DESC')
    : sql.raw('created_at ASC, shipment_id ASC')
}

type Scan = {
  readonly columns: RawBuilder<unknown>
  readonly scan: ScanOrder
  /** Where the scan starts. Absent: at the first row in its order. */
  readonly from?: Position | undefined
  /** Whether the scan includes the shipment at `from`. */
  readonly includesFrom?: boolean
  readonly limit: number
}

const ALL_STATES: readonly ShownState[] = ['draft', 'booked', 'in_transit', 'delivered', 'cancelled']

/**
 * A subquery for the first rows of a scan. The shipments of several states are read with one scan for each state,
 * because an index returns the rows in order only within one state. Fields that are not given have infinite bounds, so
 * that there are only few different statements to prepare.
 */
function matching(accountId: string, filter: ShipmentFilter, scan: Scan): RawBuilder<unknown> {
  const order = inOrder(scan.scan)
  const limit = sql`${scan.limit}::integer`
  const branch = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    (SELECT ${scan.columns} FROM ${tableFor(accountId, filter)}
      WHERE account_id = ${accountId} AND ${condition}
        AND created_at >= ${timeOr(filter.createdFrom, '-infinity')}
        AND created_at < ${timeOr(filter.createdBefore, 'infinity')}
        AND ${isWithin(scan)}
      ORDER BY ${order} LIMIT ${limit})`
  const branches = conditionsFor(filter).map(branch)
  return sql`(SELECT * FROM (${sql.join(branches, sql` UNION ALL `)}) AS branches ORDER BY ${order} LIMIT ${limit})`
}

/** A `Date`, because PostgreSQL rejects the year 0000 of ISO 8601. */
function timeOr(time: string | undefined, bound: 'infinity' | '-infinity'): RawBuilder<Date> {
  return sql`${time === undefined ? bound : new Date(time)}::timestamptz`
}

/** Shipments with given ids are read by the primary key and then sorted. */
function tableFor(accountId: string, { ids }: ShipmentFilter): RawBuilder<unknown> {
  if (ids === undefined) return sql.raw('shipment')
  // OFFSET 0 prevents a scan of the account's shipments in the order of the list.
  return sql`(SELECT * FROM shipment
    WHERE account_id = ${accountId} AND shipment_id = ANY (${ids.filter(isShipmentId)}::text[]) OFFSET 0) AS shipment`
}

function conditionsFor({ states, ids, reference }: ShipmentFilter): readonly RawBuilder<unknown>[] {
  const withReference = reference === undefined ? sql`` : sql` AND reference = ${reference}`
  if (reference === undefined && states === undefined) return [sql`true`]
  const conditions = (states ?? ALL_STATES).map((state) => sql`${isShownAs(state)}${withReference}`)
  return ids === undefined ? conditions : [sql`(${sql.join(conditions, sql` OR `)})`]
}

/** Delivered shipments are in transit in the database (migrations/035-deliveries.ts). */
function isShownAs(state: ShownState): RawBuilder<unknown> {
  switch (state) {
    case 'in_transit':
      return sql`state = 'in_transit' AND delivered_at IS NULL`
    case 'delivered':
      return sql`state = 'in_transit' AND delivered_at IS NOT NULL`
    case 'draft':
    case 'booked':
    case 'cancelled':
      return sql`state = ${state}`
  }
}

function isWithin({ scan, from, includesFrom = false }: Scan): RawBuilder<unknown> {
  const operator = sql.raw(`${scan === 'descending' ? '<' : '>'}${includesFrom ? '=' : ''}`)
  const start = scan === 'descending' ? 'infinity' : '-infinity'
  return sql`(created_at, shipment_id) ${operator} (${from?.createdAt ?? start}::timestamptz, ${from?.shipmentId ?? ''}::text)`
}

/** Identifies the filter and sort that a cursor belongs to. Callers may read and change it; it protects nothing. */
function listKeyOf(filter: ShipmentFilter, sort: ShipmentSort): string {
  const { states = [], ids = [], reference = '', createdFrom = '', createdBefore = '' } = filter
  const text = JSON.stringify([sort, states, ids, reference, createdFrom, createdBefore])
  return createHash('sha256').update(text).digest('base64url').slice(0, 10)
}

function encodeCursor(listKey: string, row: Pick<ShipmentRow, 'created_at' | 'shipment_id'>): string {
  return Buffer.from(`${listKey}.${row.created_at.getTime()}.${row.shipment_id}`).toString('base64url')
}

const CURSOR = /^([\w-]{10})\.(\d{1,14})\.(.+)$/

function decodeCursor(cursor: string, listKey: string): Position | InvalidCursor {
  const text = cursor.length > 200 ? '' : Buffer.from(cursor, 'base64url').toString('utf8')
  const [, cursorKey, milliseconds = '', shipmentId = ''] = CURSOR.exec(text) ?? []
  if (!isShipmentId(shipmentId)) return { kind: 'InvalidCursor', reason: 'malformed' }
  if (cursorKey !== listKey) return { kind: 'InvalidCursor', reason: 'other-list' }
  return { createdAt: new Date(Number(milliseconds)), shipmentId }
}
