/**
 * Shipments: reading them, listing them newest first, keeping drafts and marking them booked. Every statement
 * carries the account. What cancels lies in cancellations.ts.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { BookingMark } from '../core/shipments/booking.ts'
import type { NewDraft } from '../core/shipments/draft-shipment.ts'
import {
  type CancelAttempt,
  isShipmentId,
  type Shipment,
  type ShipmentState,
} from '../core/shipments/shipment.ts'
import type { ShipmentPage, ShipmentPageRequest, ShipmentStore } from '../operations/ports.ts'
import { cancellationStore, inMs, ticketOf } from './cancellations.ts'
import type { Database } from './database.ts'
import type { ShipmentTableRows } from './tables/shipments.ts'

/** Opens the store; `owner` names this process in the leases it takes, a new one per start. */
export function shipmentStore(db: Kysely<Database>, owner: string = randomUUID()): ShipmentStore {
  return {
    ...cancellationStore(db, owner),
    find: (accountId, shipmentId) => find(db, accountId, shipmentId),
    findMany: (accountId, shipmentIds) => findMany(db, accountId, shipmentIds),
    list: (accountId, request) => list(db, accountId, request),
    attempts: (accountId, shipmentIds) => attempts(db, accountId, shipmentIds),
    insertDraft: (accountId, draft) => insertDraft(db, accountId, draft),
    markBooked: (accountId, shipmentId, carrierRef, leaseMs) =>
      markBooked(db, { accountId, shipmentId, carrierRef, owner, leaseMs }),
  }
}

const COLUMNS = [
  'shipment_id',
  'state',
  'product_id',
  'carrier_code',
  'carrier_ref',
  'from_country',
  'from_zipcode',
  'from_city',
  'to_country',
  'to_zipcode',
  'to_city',
  'price_cents',
  'created_at',
  'cancelled_at',
] as const

type ShipmentRow = Pick<Selectable<ShipmentTableRows['shipment']>, (typeof COLUMNS)[number]>

function shipmentOf(row: ShipmentRow): Shipment {
  return {
    shipmentId: row.shipment_id,
    state: row.state,
    productId: row.product_id,
    carrierCode: row.carrier_code,
    ...(row.carrier_ref !== null && { carrierRef: row.carrier_ref }),
    from: placeOf(row.from_country, row.from_zipcode, row.from_city),
    to: placeOf(row.to_country, row.to_zipcode, row.to_city),
    priceCents: row.price_cents,
    createdAt: row.created_at.toISOString(),
    ...(row.cancelled_at !== null && { cancelledAt: row.cancelled_at.toISOString() }),
  }
}

function placeOf(country: string, zipcode: string | null, city: string | null): Shipment['from'] {
  return { country, ...(zipcode !== null && { zipcode }), ...(city !== null && { city }) }
}

async function find(
  db: Kysely<Database>,
  accountId: string,
  shipmentId: string,
): Promise<Shipment | undefined> {
  if (!isShipmentId(shipmentId)) return undefined
  const row = await db
    .selectFrom('shipment')
    .select(COLUMNS)
    .where('shipment_id', '=', shipmentId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row === undefined ? undefined : shipmentOf(row)
}

async function findMany(
  db: Kysely<Database>,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<readonly Shipment[]> {
  const ids = shipmentIds.filter(isShipmentId)
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('shipment')
    .select(COLUMNS)
    .where(isAnyOf('shipment_id', ids))
    .where('account_id', '=', accountId)
    .execute()
  return rows.map(shipmentOf)
}

/** One parameter whatever the number of ids, so that the statement is planned once. */
function isAnyOf(column: string, ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = any(${ids}::text[])`
}

/** One row more than asked for tells whether another page follows. */
async function list(
  db: Kysely<Database>,
  accountId: string,
  { first, after, state }: ShipmentPageRequest,
): Promise<ShipmentPage | undefined> {
  const position = after === undefined ? undefined : decodeCursor(after)
  if (after !== undefined && position === undefined) return undefined
  const rows = await db
    .selectFrom('shipment')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'draft'))
    .$if(position !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, shipment_id) < (${position?.createdAt}, ${position?.shipmentId})`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('shipment_id', 'desc')
    .limit(first + 1)
    .execute()
  return {
    edges: rows.slice(0, first).map((row) => ({ cursor: encodeCursor(row), shipment: shipmentOf(row) })),
    hasNextPage: rows.length > first,
    hasPreviousPage: position !== undefined,
  }
}

function encodeCursor(row: ShipmentRow): string {
  return Buffer.from(`${row.created_at.getTime()}.${row.shipment_id}`).toString('base64url')
}

/** Undefined for any text but one that `encodeCursor` made, or could have made. */
function decodeCursor(cursor: string): { createdAt: Date; shipmentId: string } | undefined {
  if (cursor.length > 200) return undefined
  const match = /^(\d{1,14})\.(.+)$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))
  const [, milliseconds = '', shipmentId = ''] = match ?? []
  if (!isShipmentId(shipmentId)) return undefined
  return { createdAt: new Date(Number(milliseconds)), shipmentId }
}

async function attempts(
  db: Kysely<Database>,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<readonly CancelAttempt[]> {
  const ids = shipmentIds.filter(isShipmentId)
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('cancel_attempt')
    .select(['shipment_id', 'begun_at', 'phase', 'reason', 'sends'])
    .where(isAnyOf('shipment_id', ids))
    .where('account_id', '=', accountId)
    .orderBy('begun_at')
    .orderBy('attempt_id')
    .execute()
  return rows.map((row) => ({
    shipmentId: row.shipment_id,
    at: row.begun_at.toISOString(),
    phase: row.phase,
    ...(row.reason !== null && { carrierMessage: row.reason }),
    sends: row.sends,
  }))
}

/** 20 random bytes: nobody guesses another's id, and no two meet. */
function newShipmentId(): string {
  return `shp_${randomBytes(20).toString('base64url')}`
}

async function insertDraft(db: Kysely<Database>, accountId: string, draft: NewDraft): Promise<Shipment> {
  const row = await db
    .with('s', (cte) =>
      cte
        .insertInto('shipment')
        .values({
          shipment_id: newShipmentId(),
          account_id: accountId,
          product_id: draft.productId,
          carrier_code: draft.carrierCode,
          carrier_ref: null,
          from_country: draft.from.country,
          from_zipcode: draft.from.zipcode ?? null,
          from_city: draft.from.city ?? null,
          to_country: draft.to.country,
          to_zipcode: draft.to.zipcode ?? null,
          to_city: draft.to.city ?? null,
          parcel_type: draft.parcelType,
          parcels: JSON.stringify(draft.parcels),
          recipient: draft.recipient,
          insured_value_cents: draft.insuredValueCents ?? null,
          price_cents: draft.priceCents,
          tariff_version: draft.tariffVersion,
        })
        .returning(COLUMNS),
    )
    .with('e', (cte) =>
      cte
        .insertInto('shipment_event')
        .columns(['shipment_id', 'to_state'])
        .expression((eb) => eb.selectFrom('s').select(['s.shipment_id', sql.lit('draft').as('to_state')])),
    )
    .selectFrom('s')
    .select(COLUMNS)
    .executeTakeFirstOrThrow()
  return shipmentOf(row)
}

type MarkRow = {
  state: ShipmentState
  booked: boolean
  carrier_code: string
  carrier_ref: string | null
  attempt_id: string | null
  fence: number | null
  sends: number | null
}

type Marking = {
  readonly accountId: string
  readonly shipmentId: string
  readonly carrierRef: string
  readonly owner: string
  readonly leaseMs: number
}

/**
 * Draft to booked, or, when a cancellation was faster, the reference and an open attempt in the same statement:
 * the booking at the carrier is then on record as something to be withdrawn, whatever happens to this process.
 */
async function markBooked(db: Kysely<Database>, marking: Marking): Promise<BookingMark | undefined> {
  const { accountId, shipmentId, carrierRef, owner, leaseMs } = marking
  if (!isShipmentId(shipmentId)) return undefined
  const { rows } = await sql<MarkRow>`
    WITH s AS (
      SELECT shipment_id, state, carrier_code, carrier_ref
        FROM shipment WHERE shipment_id = ${shipmentId} AND account_id = ${accountId} FOR UPDATE
    ), b AS (
      UPDATE shipment t SET state = 'booked', carrier_ref = ${carrierRef}, booked_at = clock_timestamp(),
          version = t.version + 1
        FROM s WHERE t.shipment_id = s.shipment_id AND s.state = 'draft'
        RETURNING t.shipment_id, t.carrier_ref
    ), e AS (
      INSERT INTO shipment_event (shipment_id, from_state, to_state)
        SELECT shipment_id, 'draft', 'booked' FROM b
    ), w AS (
      UPDATE shipment t SET carrier_ref = ${carrierRef}, version = t.version + 1
        FROM s WHERE t.shipment_id = s.shipment_id AND s.state = 'cancelled' AND s.carrier_ref IS NULL
        RETURNING t.shipment_id, t.carrier_ref
    ), a AS (
      INSERT INTO cancel_attempt (shipment_id, account_id, lease_owner, lease_until, next_try_at)
        SELECT w.shipment_id, ${accountId}, ${owner}, ${inMs(leaseMs)}, ${inMs(leaseMs)} FROM w
        RETURNING attempt_id, fence, sends
    )
    SELECT CASE WHEN EXISTS (SELECT 1 FROM b) THEN 'booked' ELSE s.state END AS state,
      EXISTS (SELECT 1 FROM b) AS booked, s.carrier_code,
      coalesce((SELECT carrier_ref FROM b), (SELECT carrier_ref FROM w), s.carrier_ref) AS carrier_ref,
      a.attempt_id, a.fence, a.sends
      FROM s LEFT JOIN a ON true`.execute(db)
  const row = rows[0]
  if (row === undefined) return undefined
  const withdrawal = ticketOf(shipmentId, row)
  return {
    state: row.state,
    booked: row.booked,
    ...(row.carrier_ref !== null && { carrierRef: row.carrier_ref }),
    ...(withdrawal !== undefined && { withdrawal }),
  }
}
