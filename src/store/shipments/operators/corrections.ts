/**
 * What operators add to shipments by hand: tracking numbers of further parcels, and the number of the carrier's order.
 * Each correction is recorded. See docs/shipment-import.md#add-missing-numbers.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { ShipmentState } from '../../../core/shipments/shipment.ts'
import type { Database } from '../../database/database.ts'

/** A shipment that an operator wants to complete. */
export type NumberedShipment = {
  readonly accountId: string
  readonly carrierCode: string
  readonly carrierRef: string | null
  readonly parcelRefs: readonly string[] | null
  readonly cancelledRefs: readonly string[] | null
  readonly orderRef: string | null
  readonly state: ShipmentState
  readonly hasOpenAttempt: boolean
}

/** Who made the correction: a name, and the user of the operating system. */
export type Corrector = { readonly by: string; readonly systemUser: string }

export type NotCorrected = { readonly kind: 'NotCorrected'; readonly why: string }

/** `sharedWith` are other shipments of the carrier with one of the added numbers. */
export type NumbersAdded = {
  readonly kind: 'Corrected'
  readonly numbers: readonly string[]
  readonly sharedWith: readonly string[]
}

/** `wasSet`: the shipment had this order number before. */
export type OrderNumberSet = {
  readonly kind: 'Corrected'
  readonly wasSet: boolean
  readonly sharedWith: readonly string[]
}

/** How many accounts with the same id a command names. */
export const ACCOUNTS_NAMED = 10

/** The account is only needed if several have a shipment with this id. */
export type NamedByOperator = { readonly shipmentId: string; readonly accountId?: string }

/** Returns why the shipment cannot be corrected, or undefined. Called while it is locked. */
export type Refuse = (shipment: NumberedShipment | undefined) => string | undefined

/** Adds tracking numbers to a shipment. */
export function addNumbers(
  db: Kysely<Database>,
  named: NamedByOperator,
  added: readonly string[],
  corrector: Corrector,
  refuse: Refuse,
): Promise<NumbersAdded | NotCorrected> {
  const { shipmentId } = named
  return correct(db, named, refuse, async (trx, shipment) => {
    const { accountId, carrierCode, carrierRef, parcelRefs } = shipment
    const numbers = [...(parcelRefs ?? [carrierRef ?? '']), ...added]
    const shared = await sql<{ shipment_id: string }>`
      SELECT DISTINCT account_id, shipment_id FROM carrier_number
        WHERE carrier_code = ${carrierCode} AND carrier_ref = ANY (${added}::text[])
          AND (account_id, shipment_id) <> (${accountId}::text, ${shipmentId}::text)
        ORDER BY shipment_id LIMIT 20`.execute(trx)
    await sql`
      UPDATE shipment SET parcel_refs = ${numbers}::text[], version = version + 1
        WHERE account_id = ${accountId} AND shipment_id = ${shipmentId}`.execute(trx)
    await record(trx, shipmentId, shipment, 'parcel_refs', added, corrector)
    return { kind: 'Corrected', numbers, sharedWith: shared.rows.map((row) => row.shipment_id) }
  })
}

/** Sets the number of the carrier's order. A shipment that has it already does not change. */
export function setOrderNumber(
  db: Kysely<Database>,
  named: NamedByOperator,
  orderRef: string,
  corrector: Corrector,
  refuse: Refuse,
): Promise<OrderNumberSet | NotCorrected> {
  const { shipmentId } = named
  return correct(db, named, refuse, async (trx, shipment) => {
    const { accountId, carrierCode } = shipment
    const shared = await sql<{ shipment_id: string }>`
      SELECT shipment_id FROM shipment WHERE carrier_order_ref = ${orderRef} AND carrier_code = ${carrierCode}
          AND (account_id, shipment_id) <> (${accountId}::text, ${shipmentId}::text)
        ORDER BY shipment_id LIMIT 20`.execute(trx)
    const sharedWith = shared.rows.map((row) => row.shipment_id)
    if (shipment.orderRef === orderRef) return { kind: 'Corrected', wasSet: true, sharedWith }
    await sql`
      UPDATE shipment SET carrier_order_ref = ${orderRef}, version = version + 1
        WHERE account_id = ${accountId} AND shipment_id = ${shipmentId}`.execute(trx)
    await record(trx, shipmentId, shipment, 'carrier_order_ref', [orderRef], corrector)
    return { kind: 'Corrected', wasSet: false, sharedWith }
  })
}

/** A correction as operators see it. */
export type Correction = {
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly field: 'order number' | 'tracking numbers'
  readonly added: readonly string[]
  readonly by: string
  readonly systemUser: string
}

/** Reads the corrections of the last `withinMs`, newest first. */
export async function readCorrections(
  db: Kysely<Database>,
  withinMs: number,
): Promise<readonly Correction[]> {
  const rows = await db
    .selectFrom('shipment_correction')
    .selectAll()
    .where('corrected_at', '>', sql<Date>`(SELECT clock_timestamp() - ${withinMs} * interval '1 ms')`)
    .orderBy('corrected_at', 'desc')
    .orderBy('correction_id', 'desc')
    .execute()
  return rows.map((row) => ({
    shipmentId: row.shipment_id,
    accountId: row.account_id,
    carrierCode: row.carrier_code,
    at: row.corrected_at.toISOString(),
    field: row.field === 'parcel_refs' ? 'tracking numbers' : 'order number',
    added: row.added,
    by: row.operator,
    systemUser: row.system_user_name,
  }))
}

/** Locks the shipment before `refuse` decides, so that no attempt is opened in the meantime. */
async function correct<Corrected>(
  db: Kysely<Database>,
  { shipmentId, accountId: givenAccountId }: NamedByOperator,
  refuse: Refuse,
  apply: (trx: Transaction<Database>, shipment: NumberedShipment) => Promise<Corrected>,
): Promise<Corrected | NotCorrected> {
  const accounts = await accountsWith(db, shipmentId, givenAccountId)
  if (accounts.length > 1)
    return {
      kind: 'NotCorrected',
      why: `several accounts have the shipment ${shipmentId}; name one of ${accounts.join(', ')} with --account`,
    }
  return db.transaction().execute(async (trx): Promise<Corrected | NotCorrected> => {
    const [accountId = ''] = accounts
    const isShipment = sql`account_id = ${accountId} AND shipment_id = ${shipmentId}`
    // A separate statement: after a wait for the lock, the next one sees the attempts of the transaction that held it.
    await sql`SELECT 1 FROM shipment WHERE ${isShipment} FOR UPDATE`.execute(trx)
    const { rows } = await sql<NumberedShipment>`
      SELECT account_id AS "accountId", carrier_code AS "carrierCode", carrier_ref AS "carrierRef",
          parcel_refs AS "parcelRefs", cancelled_refs AS "cancelledRefs", carrier_order_ref AS "orderRef", state,
          EXISTS (SELECT 1 FROM cancel_attempt AS attempt WHERE attempt.account_id = shipment.account_id
            AND attempt.shipment_id = shipment.shipment_id AND attempt.phase = 'pending') AS "hasOpenAttempt"
        FROM shipment WHERE ${isShipment}`.execute(trx)
    const [shipment] = rows
    const why = refuse(shipment)
    if (shipment === undefined || why !== undefined)
      return { kind: 'NotCorrected', why: why ?? 'no such shipment' }
    return apply(trx, shipment)
  })
}

/** The accounts that have a shipment with this id; at most the given one. */
async function accountsWith(
  db: Kysely<Database>,
  shipmentId: string,
  accountId: string | undefined,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('shipment')
    .select('account_id')
    .where('shipment_id', '=', shipmentId)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .orderBy('account_id')
    .limit(ACCOUNTS_NAMED)
    .execute()
  return rows.map(({ account_id }) => account_id)
}

async function record(
  trx: Transaction<Database>,
  shipmentId: string,
  { accountId, carrierCode }: NumberedShipment,
  field: 'carrier_order_ref' | 'parcel_refs',
  added: readonly string[],
  { by, systemUser }: Corrector,
): Promise<void> {
  await trx
    .insertInto('shipment_correction')
    .values({
      account_id: accountId,
      shipment_id: shipmentId,
      carrier_code: carrierCode,
      field,
      added: [...added],
      operator: by,
      system_user_name: systemUser,
    })
    .execute()
}
