/**
 * Reads shipments and stores drafts. Every statement checks the account. Lists are in lists.ts, bookings in
 * bookings.ts, cancellations in cancellations.ts.
 */
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { NewDraftShipment } from '../../core/shipments/draft-shipment.ts'
import {
  type CancelAttempt,
  type ContentSizes,
  isShipmentId,
  type ParcelCancellation,
  type Shipment,
  type ShipmentContents,
} from '../../core/shipments/shipment.ts'
import type { ShipmentStore } from '../../operations/ports/shipments.ts'
import type { Database } from '../database/database.ts'
import { wasNotExecuted } from '../database/outage.ts'
import { randomId } from '../database/random-id.ts'
import { type ParcelRecords, SHIPMENT_COLUMNS, shipmentOf } from '../row-types/shipments.ts'
import { bookingStore } from './bookings.ts'
import { cancellationStore, refusalOf } from './cancellations.ts'
import { draftKeyStore, type KeyDigest } from './draft-keys.ts'
import { draftStore } from './drafts.ts'
import { shipmentLists } from './lists.ts'
import { trackingPages } from './tracking-pages.ts'

/** `owner` identifies this process in the leases that it takes; use a new one per start. `monotonicMs`: its clock. */
export function shipmentStore(
  db: Kysely<Database>,
  owner: string,
  monotonicMs?: () => number,
): ShipmentStore {
  return {
    ...cancellationStore(db, owner, monotonicMs),
    ...bookingStore(db, owner),
    ...shipmentLists(db),
    ...draftStore(db),
    find: (accountId, shipmentId) => find(db, accountId, shipmentId),
    findMany: (accountId, shipmentIds) => findMany(db, accountId, shipmentIds),
    contentSizes: (accountId, shipmentIds) => contentSizes(db, accountId, shipmentIds),
    contents: (accountId, shipmentIds) => contents(db, accountId, shipmentIds),
    attempts: (accountId, shipmentIds) => attempts(db, accountId, shipmentIds),
    trackingEvents: (accountId, shipmentIds, request) => trackingPages(db, accountId, shipmentIds, request),
    insertDraft: (accountId, draft) => insertDraft(db, accountId, draft),
    ...draftKeyStore(db, (accountId, draft, key) => insertDraft(db, accountId, draft, key)),
  }
}

async function find(
  db: Kysely<Database>,
  accountId: string,
  shipmentId: string,
): Promise<Shipment | undefined> {
  if (!isShipmentId(shipmentId)) return undefined
  const row = await db
    .selectFrom('shipment')
    .select(SHIPMENT_COLUMNS)
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
    .select(SHIPMENT_COLUMNS)
    .where(isAnyOf('shipment_id', ids))
    .where('account_id', '=', accountId)
    .execute()
  return rows.map(shipmentOf)
}

/** One array parameter, so that the statement text does not depend on the number of ids and is planned once. */
function isAnyOf(column: string, ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = ANY (${ids}::text[])`
}

/** The function is called only for rows without sizes, from before migration 011. */
async function contentSizes(
  db: Kysely<Database>,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<ReadonlyMap<string, ContentSizes>> {
  const ids = shipmentIds.filter(isShipmentId)
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ContentSizes & { readonly id: string }>`
    SELECT shipment_id AS id,
        coalesce(stored.parcel_rows, calculated.parcel_rows) AS "parcelRows",
        coalesce(stored.item_count, calculated.item_count) AS items,
        coalesce(stored.quantity_count, calculated.quantity_count) AS quantities,
        coalesce(stored.content_bytes, calculated.content_bytes) AS bytes
      FROM shipment AS stored
      LEFT JOIN LATERAL (
        SELECT * FROM shipment_content_sizes(stored.parcels, stored.content_items) WHERE stored.content_bytes IS NULL
      ) AS calculated ON true
      WHERE ${isAnyOf('shipment_id', ids)} AND account_id = ${accountId}`.execute(db)
  return new Map(rows.map(({ id, ...sizes }) => [id, sizes]))
}

async function contents(
  db: Kysely<Database>,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<readonly ShipmentContents[]> {
  const ids = shipmentIds.filter(isShipmentId)
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('shipment')
    .select(['shipment_id', 'parcel_type', 'parcels', 'content_items'])
    .where(isAnyOf('shipment_id', ids))
    .where('account_id', '=', accountId)
    .execute()
  return rows.map((row) => ({
    shipmentId: row.shipment_id,
    parcelType: row.parcel_type,
    parcels: row.parcels,
    contentItems: row.content_items ?? [],
  }))
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
    .innerJoin('shipment', (join) =>
      join
        .onRef('shipment.shipment_id', '=', 'cancel_attempt.shipment_id')
        .on('shipment.account_id', '=', accountId),
    )
    .select([
      'cancel_attempt.shipment_id',
      'begun_at',
      'phase',
      'reason',
      'refusal_code',
      'carrier_refusal_code',
    ])
    .select(['sends', 'settled_at', 'next_try_at', 'operator_outcome'])
    .select(['cancel_attempt.parcels', 'parcel_refs', 'cancelled_refs'])
    .where(isAnyOf('cancel_attempt.shipment_id', ids))
    .where('cancel_attempt.account_id', '=', accountId)
    .orderBy('begun_at')
    .orderBy('attempt_id')
    .execute()
  return rows.map((row) => {
    const refusal = refusalOf(row.refusal_code, row.reason)
    return {
      shipmentId: row.shipment_id,
      at: row.begun_at.toISOString(),
      phase: row.phase,
      sends: row.sends,
      ...(refusal !== undefined && { refusal }),
      ...(row.carrier_refusal_code !== null && { carrierRefusalCode: row.carrier_refusal_code }),
      ...(row.parcel_refs !== null && {
        parcels: row.parcel_refs.map((number) => parcelOf(number, row.cancelled_refs, row.parcels)),
      }),
      ...(row.settled_at === null
        ? { nextTryAt: row.next_try_at.toISOString() }
        : { settledAt: row.settled_at.toISOString(), settledBy: settledByOf(row) }),
    }
  })
}

/** The carrier's answer takes precedence over the decision of an operator. */
function settledByOf({
  phase,
  operator_outcome: decided,
}: Pick<Selectable<Database['cancel_attempt']>, 'phase' | 'operator_outcome'>): 'carrier' | 'operator' {
  const isOperators = phase === 'accepted' ? decided === 'cancelled' : decided === 'refused'
  return isOperators ? 'operator' : 'carrier'
}

function parcelOf(
  carrierRef: string,
  cancelledRefs: readonly string[] | null,
  records: ParcelRecords | null,
): ParcelCancellation {
  if (cancelledRefs?.includes(carrierRef) === true) return { carrierRef, state: 'accepted' }
  const refusal = records?.[carrierRef]?.refusal
  if (refusal === undefined) return { carrierRef, state: 'pending' }
  return { carrierRef, state: 'refused', refusal: { code: refusal.reason, reason: refusal.message } }
}

/** 158 random bits: ids cannot be guessed and do not collide. */
function newShipmentId(): string {
  return randomId('shp', 27)
}

/** If the result is lost, inserts once more under the same id, so the account does not get a second draft. */
async function insertDraft(
  db: Kysely<Database>,
  accountId: string,
  draft: NewDraftShipment,
  key?: KeyDigest,
): Promise<Shipment> {
  const shipmentId = newShipmentId()
  try {
    return await insertDraftAs(db, shipmentId, accountId, draft, key)
  } catch (error) {
    if (wasNotExecuted(error)) throw error
    return insertDraftAs(db, shipmentId, accountId, draft, key)
  }
}

function draftRow(shipmentId: string, accountId: string, draft: NewDraftShipment) {
  return {
    shipment_id: shipmentId,
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
    services: draft.services ?? [],
    service_inputs: draft.serviceInputs === undefined ? null : JSON.stringify(draft.serviceInputs),
    price_cents: draft.priceCents,
    tariff_version: draft.rateCardVersion,
    reference: draft.reference ?? null,
    content_items: draft.contentItems === undefined ? null : JSON.stringify(draft.contentItems),
    contacts: draft.contacts === undefined ? null : JSON.stringify(draft.contacts),
  }
}

/**
 * Inserts the draft, or returns the one that was inserted under this id. With a key that the account has, the unique
 * index rejects the whole statement.
 */
export async function insertDraftAs(
  db: Kysely<Database>,
  shipmentId: string,
  accountId: string,
  draft: NewDraftShipment,
  key?: KeyDigest,
): Promise<Shipment> {
  const row = await db
    .with('inserted', (cte) =>
      cte
        .insertInto('shipment')
        .values(draftRow(shipmentId, accountId, draft))
        .onConflict((conflict) => conflict.doNothing())
        .returning(SHIPMENT_COLUMNS),
    )
    .with('logged', (cte) =>
      cte
        .insertInto('shipment_event')
        .columns(['account_id', 'shipment_id', 'to_state'])
        .expression((eb) =>
          eb
            .selectFrom('inserted')
            .select(sql<string>`${accountId}::text`.as('account_id'))
            .select(['inserted.shipment_id', sql.lit('draft').as('to_state')]),
        ),
    )
    .with('keyed', (cte) =>
      cte
        .insertInto('draft_key')
        .columns(['account_id', 'idempotency_key', 'input_digest', 'shipment_id'])
        .expression((eb) =>
          eb
            .selectFrom('inserted')
            .select(sql<string>`${accountId}::text`.as('account_id'))
            .select(sql<string>`${key?.key ?? null}::text`.as('idempotency_key'))
            .select(sql<Buffer>`${key?.inputDigest ?? null}::bytea`.as('input_digest'))
            .select('inserted.shipment_id')
            .where(sql<boolean>`${key !== undefined}::boolean`),
        ),
    )
    .selectFrom('inserted')
    .select(SHIPMENT_COLUMNS)
    .executeTakeFirst()
  if (row !== undefined) return shipmentOf(row)
  // `ON CONFLICT` has waited until the earlier insert was committed.
  const existing = await find(db, accountId, shipmentId)
  if (existing === undefined) throw new Error(`the draft ${shipmentId} was deleted by another process`)
  return existing
}
