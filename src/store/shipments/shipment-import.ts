/**
 * Registers shipments that were booked elsewhere. Decided here: all of a file or nothing, and a shipment that is
 * registered already is left as it is, so that a file may be imported again; one that is registered as something else
 * is a fault.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { ImportedShipment } from '../../reference/shipments-csv.ts'
import type { Database } from '../database/database.ts'

/** A row that cannot be registered: which one, by its place in the list, and which field says why. */
export type ShipmentFinding = {
  readonly index: number
  readonly field: 'accountId' | 'carrierCode' | 'carrierRef'
  readonly expected: string
  readonly found: string
}

/** What became of a list. With findings nothing was written. */
export type ShipmentImport = {
  readonly findings: readonly ShipmentFinding[]
  /** How many are new. */
  readonly registered: number
  /** How many were there before, and are as they were. */
  readonly alreadyThere: number
}

/** A row and its place in the list. */
type Numbered = { readonly row: ImportedShipment; readonly index: number }

/** Rows per statement: few enough for a statement of some megabytes. */
const BATCH = 5_000

/** Thrown to roll back; carries what was found. */
class Findings extends Error {
  readonly findings: readonly ShipmentFinding[]
  constructor(findings: readonly ShipmentFinding[]) {
    super('shipments that cannot be registered')
    this.findings = findings
  }
}

/** Registers the rows, whose ids differ, with the history of their states; in one transaction. */
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
        // In one order, or two imports of the same shipments could wait for each other.
        .sort((a, b) => (a.row.shipmentId < b.row.shipmentId ? -1 : 1))
      let registered = 0
      for (const batch of batchesOf(fresh)) {
        const added = await insertBatch(trx, batch)
        registered += added.size
        // Somebody else registered them since they were looked for: the same question once more.
        const met = batch.filter(({ row }) => !added.has(row.shipmentId))
        refuse((await registeredIn(trx, met)).findings)
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
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH)
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
      found.push({ index, field: 'accountId', expected: 'an account that exists', found: accountId })
    if (!carrierCodes.has(carrierCode))
      found.push({
        index,
        field: 'carrierCode',
        expected: 'a carrier that a rate card has brought',
        found: carrierCode,
      })
    return found
  })
}

type Registered = { readonly ids: ReadonlySet<string>; readonly findings: readonly ShipmentFinding[] }

/** Which of the rows are registered already, and those of them that are registered as something else. */
async function registeredIn(trx: Transaction<Database>, numbered: readonly Numbered[]): Promise<Registered> {
  const ids = new Set<string>()
  const findings: ShipmentFinding[] = []
  for (const batch of batchesOf(numbered)) {
    const known = await trx
      .selectFrom('shipment')
      .select(['shipment_id', 'account_id', 'carrier_code', 'carrier_ref'])
      .where(sql<boolean>`shipment_id = any(${batch.map(({ row }) => row.shipmentId)}::text[])`)
      .execute()
    const byId = new Map(known.map((shipment) => [shipment.shipment_id, shipment]))
    for (const { row, index } of batch) {
      const shipment = byId.get(row.shipmentId)
      if (shipment === undefined) continue
      ids.add(row.shipmentId)
      const { account_id, carrier_code, carrier_ref } = shipment
      const differs = (field: ShipmentFinding['field'], registered: string | null, found: string): void => {
        const as = registered === null ? 'nothing: the shipment has no tracking number' : `"${registered}"`
        findings.push({ index, field, expected: `${as}, as it is registered`, found })
      }
      if (account_id !== row.accountId) differs('accountId', account_id, row.accountId)
      if (carrier_code !== row.carrierCode) differs('carrierCode', carrier_code, row.carrierCode)
      // A draft says nothing of a number: it may have been booked since it was registered.
      if (row.carrierRef !== undefined && carrier_ref !== row.carrierRef)
        differs('carrierRef', carrier_ref, row.carrierRef)
    }
  }
  return { ids, findings }
}

/** Inserts those that are not there, with their events; answers their ids. */
async function insertBatch(
  trx: Transaction<Database>,
  batch: readonly Numbered[],
): Promise<ReadonlySet<string>> {
  const column = <Value>(of: (row: ImportedShipment) => Value): Value[] => batch.map(({ row }) => of(row))
  const { rows } = await sql<{ shipment_id: string }>`
    WITH given AS (
      SELECT * FROM unnest(
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
        ${column(({ priceCents }) => priceCents)}::bigint[]
      ) AS g (shipment_id, account_id, state, product_id, carrier_code, carrier_ref,
        from_country, from_zipcode, from_city, to_country, to_zipcode, to_city, price_cents)
    ), added AS (
      INSERT INTO shipment (shipment_id, account_id, state, product_id, carrier_code, carrier_ref,
          from_country, from_zipcode, from_city, to_country, to_zipcode, to_city, price_cents,
          parcel_type, parcels, recipient, tariff_version, created_at, booked_at)
        SELECT g.*, 'NONDOC', '[]', 'business', 'imported', now(), CASE WHEN g.state <> 'draft' THEN now() END
          FROM given g
        ON CONFLICT (shipment_id) DO NOTHING
        RETURNING shipment_id, state
    ), told AS (
      INSERT INTO shipment_event (shipment_id, at, from_state, to_state)
        SELECT a.shipment_id, now(), h.from_state, h.to_state
          FROM added a
          JOIN (VALUES (1, NULL, 'draft'), (2, 'draft', 'booked'), (3, 'booked', 'in_transit'))
            AS h (step, from_state, to_state)
            ON h.step <= CASE a.state WHEN 'draft' THEN 1 WHEN 'booked' THEN 2 ELSE 3 END
          ORDER BY a.shipment_id, h.step
    )
    SELECT shipment_id FROM added`.execute(trx)
  return new Set(rows.map(({ shipment_id }) => shipment_id))
}
