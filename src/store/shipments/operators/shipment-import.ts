/**
 * Registers shipments that were booked elsewhere (docs/shipment-import.md): all rows or none. Shipments that exist are
 * left as they are, so a file can be imported again. A row that contradicts an existing shipment is an error.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { ImportedShipment } from '../../../reference/shipments-csv.ts'
import type { Database } from '../../database/database.ts'

/** The reason why a row cannot be registered. `index` is its position in the list. */
export type ShipmentFinding = {
  readonly index: number
  readonly field: 'accountId' | 'carrierCode' | 'carrierRef' | 'parcelRefs' | 'orderRef'
  readonly expected: string
  readonly found: string
}

/** If there are findings, nothing was written. */
export type ShipmentImport = {
  readonly findings: readonly ShipmentFinding[]
  /** The number of new shipments. */
  readonly registered: number
  /** The number of shipments that existed and are unchanged. */
  readonly alreadyThere: number
}

type Numbered = { readonly row: ImportedShipment; readonly index: number }

/** Rows per statement; keeps a statement to a few megabytes. */
const BATCH_ROWS = 5_000

/** Thrown to roll back the transaction. */
class Findings extends Error {
  readonly findings: readonly ShipmentFinding[]
  constructor(findings: readonly ShipmentFinding[]) {
    super('the shipments cannot be registered')
    this.findings = findings
  }
}

/** Inserts shipments and their state changes in one transaction. The ids of the rows must be distinct. */
export async function importShipments(
  db: Kysely<Database>,
  rows: readonly ImportedShipment[],
  onProgress: (rowsDone: number, rowsTotal: number) => void = () => {},
): Promise<ShipmentImport> {
  const numbered = rows.map((row, index) => ({ row, index }))
  try {
    return await db.transaction().execute(async (trx) => {
      const unknown = await unknownParties(trx, numbered)
      const before = await registeredIn(trx, numbered)
      refuse([...unknown, ...before.findings])
      const fresh = numbered
        .filter(({ row }) => !before.ids.has(row.shipmentId))
        // One order for all imports prevents deadlocks.
        .sort((a, b) => (a.row.shipmentId < b.row.shipmentId ? -1 : 1))
      let registered = 0
      for (const batch of batchesOf(fresh)) {
        const added = await insertBatch(trx, batch)
        registered += added.size
        // A concurrent import has registered these rows, so they are compared again.
        const concurrent = batch.filter(({ row }) => !added.has(row.shipmentId))
        refuse((await registeredIn(trx, concurrent)).findings)
        onProgress(rows.length - fresh.length + registered, rows.length)
      }
      return { findings: [], registered, alreadyThere: rows.length - registered }
    })
  } catch (error) {
    if (!(error instanceof Findings)) throw error
    return { findings: error.findings, registered: 0, alreadyThere: 0 }
  }
}

function refuse(findings: readonly ShipmentFinding[]): void {
  if (findings.length > 0) throw new Findings([...findings].sort((a, b) => a.index - b.index))
}

function* batchesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += BATCH_ROWS) yield items.slice(start, start + BATCH_ROWS)
}

/** The rows whose account or carrier does not exist. */
async function unknownParties(
  trx: Transaction<Database>,
  numbered: readonly Numbered[],
): Promise<ShipmentFinding[]> {
  const accounts = await trx.selectFrom('account').select('account_id').execute()
  const carriers = await trx.selectFrom('carrier').select('carrier_code').execute()
  const accountIds = new Set(accounts.map(({ account_id }) => account_id))
  const carrierCodes = new Set(carriers.map(({ carrier_code }) => carrier_code))
  return numbered.flatMap(({ row: { accountId, carrierCode }, index }) => {
    const found: ShipmentFinding[] = []
    if (!accountIds.has(accountId))
      found.push({ index, field: 'accountId', expected: 'an existing account', found: accountId })
    if (!carrierCodes.has(carrierCode))
      found.push({
        index,
        field: 'carrierCode',
        expected: 'a carrier of an imported rate card',
        found: carrierCode,
      })
    return found
  })
}

type Registered = { readonly ids: ReadonlySet<string>; readonly findings: readonly ShipmentFinding[] }

/** The ids of the rows that exist, and a finding for each field that differs. */
async function registeredIn(trx: Transaction<Database>, numbered: readonly Numbered[]): Promise<Registered> {
  const ids = new Set<string>()
  const findings: ShipmentFinding[] = []
  for (const batch of batchesOf(numbered)) {
    const known = await trx
      .selectFrom('shipment')
      .select([
        'shipment_id',
        'account_id',
        'carrier_code',
        'carrier_ref',
        'parcel_refs',
        'carrier_order_ref',
      ])
      .where(sql<boolean>`shipment_id = ANY (${batch.map(({ row }) => row.shipmentId)}::text[])`)
      .execute()
    for (const id of await archivedIn(trx, batch)) ids.add(id)
    const byId = new Map(known.map((shipment) => [shipment.shipment_id, shipment]))
    for (const { row, index } of batch) {
      const shipment = byId.get(row.shipmentId)
      if (shipment === undefined) continue
      ids.add(row.shipmentId)
      const { account_id, carrier_code, carrier_ref, parcel_refs, carrier_order_ref } = shipment
      const differs = (
        field: ShipmentFinding['field'],
        registered: string | null,
        found: string,
        remedy = '',
      ): void => {
        const known =
          registered === null ? `no ${field === 'orderRef' ? 'order' : 'tracking'} number` : `"${registered}"`
        findings.push({ index, field, expected: `${known}, as in the registered shipment${remedy}`, found })
      }
      if (account_id !== row.accountId) differs('accountId', account_id, row.accountId)
      if (carrier_code !== row.carrierCode) differs('carrierCode', carrier_code, row.carrierCode)
      // A row without a number is not compared: the draft may have been booked since it was registered.
      if (row.carrierRef !== undefined && carrier_ref !== row.carrierRef)
        differs('carrierRef', carrier_ref, row.carrierRef)
      else if (row.carrierRef !== undefined && othersOf(parcel_refs) !== othersOf(row.parcelRefs))
        findings.push({ index, field: 'parcelRefs', ...otherNumbers(row, parcel_refs) })
      if (row.orderRef !== undefined && carrier_order_ref !== row.orderRef)
        differs('orderRef', carrier_order_ref, row.orderRef, orderCommand(row, carrier_order_ref))
    }
  }
  return { ids, findings }
}

/** If only the order number is missing, the command that sets it. */
function orderCommand({ shipmentId, orderRef }: ImportedShipment, registered: string | null): string {
  return registered === null
    ? ` (to set it: waybill shipment set-order-number ${shipmentId} ${orderRef})`
    : ''
}

/** The ids of rows whose shipments were archived. An import must not make them booked again. */
async function archivedIn(
  trx: Transaction<Database>,
  batch: readonly Numbered[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ shipment_id: string }>`
    SELECT shipment_id FROM archived_shipment
      JOIN unnest(
        ${batch.map(({ row }) => row.accountId)}::text[], ${batch.map(({ row }) => row.shipmentId)}::text[]
      ) AS named (account_id, shipment_id) USING (account_id, shipment_id)`.execute(trx)
  return rows.map(({ shipment_id }) => shipment_id)
}

/** If only numbers are missing, the text names the command that adds them. */
function otherNumbers(
  row: ImportedShipment,
  registered: readonly string[] | null,
): Pick<ShipmentFinding, 'expected' | 'found'> {
  const found = othersOf(row.parcelRefs)
  const known = registered?.slice(1) ?? []
  const missing = row.parcelRefs?.slice(1).filter((number) => !known.includes(number)) ?? []
  const isSubset = known.every((number) => row.parcelRefs?.includes(number) === true)
  const numbers = known.length === 0 ? 'no other number' : `"${known.join(' ')}"`
  const command =
    isSubset && missing.length > 0
      ? ` (to add the others: waybill shipment add-numbers ${row.shipmentId} ${missing.join(' ')})`
      : ''
  return { expected: `${numbers}, as in the registered shipment${command}`, found }
}

/** All numbers but the first, as in the file. */
function othersOf(parcelRefs: readonly string[] | null | undefined): string {
  return parcelRefs?.slice(1).join(' ') ?? ''
}

/** Inserts the shipments that do not exist, with their events. Returns the inserted ids. */
async function insertBatch(
  trx: Transaction<Database>,
  batch: readonly Numbered[],
): Promise<ReadonlySet<string>> {
  const column = <Value>(read: (row: ImportedShipment) => Value): Value[] => batch.map(({ row }) => read(row))
  const { rows } = await sql<{ shipment_id: string }>`
    WITH given AS (
      SELECT shipment_id, account_id, state, product_id, carrier_code, carrier_ref, from_country, from_zipcode, from_city,
          to_country, to_zipcode, to_city, price_cents, string_to_array(numbers, ' '), reference, order_ref
        FROM unnest(
        ${column(({ shipmentId }) => shipmentId)}::text[],
        ${column(({ accountId }) => accountId)}::text[],
        ${column(({ state }) => state)}::text[],
        ${column(({ productId }) => productId)}::integer[],
        ${column(({ carrierCode }) => carrierCode)}::text[],
        ${column(({ carrierRef }) => carrierRef ?? null)}::text[],
        ${column(({ from }) => from.country)}::text[],
        ${column(({ from }) => from.zipcode ?? null)}::text[],
        ${column(({ from }) => from.city ?? null)}::text[],
        ${column(({ to }) => to.country)}::text[],
        ${column(({ to }) => to.zipcode ?? null)}::text[],
        ${column(({ to }) => to.city ?? null)}::text[],
        ${column(({ priceCents }) => priceCents)}::bigint[],
        ${column(({ parcelRefs }) => parcelRefs?.join(' ') ?? null)}::text[],
        ${column(({ reference }) => reference ?? null)}::text[],
        ${column(({ orderRef }) => orderRef ?? null)}::text[]
      ) AS imported (shipment_id, account_id, state, product_id, carrier_code, carrier_ref,
        from_country, from_zipcode, from_city, to_country, to_zipcode, to_city, price_cents, numbers, reference, order_ref)
    ), added AS (
      INSERT INTO shipment (shipment_id, account_id, state, product_id, carrier_code, carrier_ref,
          from_country, from_zipcode, from_city, to_country, to_zipcode, to_city, price_cents, parcel_refs, reference,
          carrier_order_ref, parcel_type, parcels, recipient, tariff_version, created_at, booked_at)
        SELECT given.*, 'NONDOC', '[]', 'business', 'imported', now(),
            CASE WHEN given.state <> 'draft' THEN now() END
          FROM given
        ON CONFLICT DO NOTHING
        RETURNING account_id, shipment_id, state
    ), logged AS (
      INSERT INTO shipment_event (account_id, shipment_id, at, from_state, to_state)
        SELECT added.account_id, added.shipment_id, now(), step.from_state, step.to_state
          FROM added
          JOIN (VALUES (1, NULL, 'draft'), (2, 'draft', 'booked'), (3, 'booked', 'in_transit'))
            AS step (number, from_state, to_state)
            ON step.number <= CASE added.state WHEN 'draft' THEN 1 WHEN 'booked' THEN 2 ELSE 3 END
          ORDER BY added.shipment_id, step.number
    )
    SELECT shipment_id FROM added`.execute(trx)
  return new Set(rows.map(({ shipment_id }) => shipment_id))
}
