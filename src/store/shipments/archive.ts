/**
 * Moves ended shipments, and booked ones that cannot be cancelled any more, to an archive: each batch is one
 * transaction that locks them, passes them to the writer, and deletes them after the writer has made them durable. So
 * nothing is deleted that is not in an archive, and a batch that is interrupted is written again by the next run. See
 * docs/growth.md#archive.
 */
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { CancelledBy } from '../../core/shipments/cancellation.ts'
import type { ShipmentState } from '../../core/shipments/shipment.ts'
import type { Database } from '../database/database.ts'
import { isNotMoved, refuseIfLeft } from '../database/moved-accounts.ts'
import { NO_ACCOUNT } from './carrier-numbers.ts'

/**
 * Younger shipments are not archived: callers repeat cancellations, and carriers report scans. An archived booked
 * shipment cannot be cancelled any more.
 */
export const YOUNGEST_DAYS = { ended: 30, booked: 180 } as const
/** Shipments that one transaction examines, and those that are in memory at the same time. */
const BATCH = 1_000
const CHUNK = 100
/** The newest calls to the carrier that the archive has of a shipment. A retried attempt can have thousands. */
const CALLS_MAX = 100

/** Ended or booked shipments that have not changed since `before`. */
export type ArchiveSelection = { readonly state: keyof typeof YOUNGEST_DAYS; readonly before: Date }

/** A position among the candidates: ended ones by their last change, booked ones by account and id. */
export type ArchivePlace = {
  readonly changedAt: Date | null
  readonly accountId: string
  readonly shipmentId: string
}

/**
 * Writes lines, each a JSON document without its line break, and returns when they are durable: they must survive the
 * loss of power. There may be none.
 */
export type WriteDurably = (chunks: AsyncIterable<readonly string[]>) => Promise<void>

/**
 * Archives those of the next 1,000 shipments behind `after` that are selected and with which nothing is open. Returns
 * how many, and the place to continue from; undefined at the end. Throws what `write` throws, and then deletes nothing.
 */
export async function archiveBatch(
  db: Kysely<Database>,
  selection: ArchiveSelection,
  after: ArchivePlace | undefined,
  write: WriteDurably,
): Promise<{ readonly archived: number; readonly next: ArchivePlace | undefined }> {
  return db.transaction().execute(async (trx) => {
    await readByIndex(trx)
    const candidates = await readCandidates(trx, selection, after)
    const last = candidates.at(-1)
    if (last === undefined) return { archived: 0, next: undefined }
    const locked = await lockUnchanged(trx, candidates, selection)
    const archived: ShipmentKey[] = []
    if (locked.length > 0) {
      await write(readLines(trx, locked, selection, archived))
      await deleteArchived(trx, archived)
    }
    return { archived: archived.length, next: candidates.length < BATCH ? undefined : placeOf(last) }
  })
}

/** How many shipments `archiveBatch` would archive in all batches. */
export async function countArchivable(db: Kysely<Database>, selection: ArchiveSelection): Promise<number> {
  let count = 0
  let after: ArchivePlace | undefined
  do {
    after = await db.transaction().execute(async (trx) => {
      await readByIndex(trx)
      const candidates = await readCandidates(trx, selection, after)
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count FROM ${keyTable(candidates)} JOIN shipment USING (account_id, shipment_id)
          WHERE ${mayGo(selection)}`.execute(trx)
      count += Number(rows[0]?.count ?? 0)
      const last = candidates.length < BATCH ? undefined : candidates.at(-1)
      return last && placeOf(last)
    })
  } while (after !== undefined)
  return count
}

/** What is known about a shipment that was archived. */
export type ArchivedShipment = {
  readonly state: Exclude<ShipmentState, 'draft'>
  readonly cancelledBy: CancelledBy | undefined
}

/** Undefined: the account has no archived shipment with this id. Throws an outage if the account has left. */
export async function findArchived(
  db: Kysely<Database>,
  accountId: string,
  shipmentId: string,
): Promise<ArchivedShipment | undefined> {
  const row = await db
    .selectFrom('archived_shipment')
    .select(['state', 'cancelled_by'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .executeTakeFirst()
  if (row === undefined) await refuseIfLeft(db, accountId)
  return row && { state: row.state, cancelledBy: row.cancelled_by ?? undefined }
}

type ShipmentKey = { readonly account_id: string; readonly shipment_id: string }

/** The keys as a table `named (account_id, shipment_id)`. */
function keyTable(keys: readonly ShipmentKey[]): RawBuilder<unknown> {
  return sql`unnest(${keys.map((key) => key.account_id)}::text[], ${keys.map((key) => key.shipment_id)}::text[])
    AS named (account_id, shipment_id)`
}

/**
 * Each shipment of a batch, and what belongs to it, is read by an index. By its statistics, which are old after many
 * deletions, PostgreSQL would sometimes read whole tables instead, for each batch again.
 */
async function readByIndex(trx: Transaction<Database>): Promise<void> {
  await sql`SELECT set_config(name, 'off', true)
    FROM unnest('{enable_seqscan, enable_hashjoin, enable_mergejoin}'::text[]) AS name`.execute(trx)
}

type Candidate = ShipmentKey & { readonly changed_at: Date | null }

function placeOf({ changed_at, account_id, shipment_id }: Candidate): ArchivePlace {
  return { changedAt: changed_at, accountId: account_id, shipmentId: shipment_id }
}

/**
 * Reads at most one batch of an index, even if few of these shipments can be archived. Booked ones are found in the
 * schedule of lookups, which has each of them, so that they need no index of their own.
 */
async function readCandidates(
  db: Kysely<Database>,
  { state, before }: ArchiveSelection,
  after: ArchivePlace | undefined,
): Promise<readonly Candidate[]> {
  const { rows } = await (state === 'booked'
    ? sql<Candidate>`
    SELECT account_id, shipment_id, NULL AS changed_at FROM lookup_schedule
      WHERE (account_id, shipment_id) > (${after?.accountId ?? ''}::text, ${after?.shipmentId ?? ''}::text)
      ORDER BY account_id, shipment_id LIMIT ${BATCH}`
    : sql<Candidate>`
    SELECT account_id, shipment_id, coalesce(updated_at, created_at) AS changed_at FROM shipment
      WHERE state IN ('cancelled', 'in_transit') AND coalesce(updated_at, created_at) < ${before}
        AND (coalesce(updated_at, created_at), shipment_id)
          > (${after?.changedAt ?? '-infinity'}::timestamptz, ${after?.shipmentId ?? ''}::text)
      ORDER BY coalesce(updated_at, created_at), shipment_id LIMIT ${BATCH}`
  ).execute(db)
  return rows
}

/**
 * The condition on `shipment`: it has the state, is unchanged since `before` and for the least number of days by the
 * clock of the database, and nothing is open. Each table is read by an index.
 *
 * Ended shipments are cancelled, or in transit and not looked up any more. Booked ones have no parcel that the carrier
 * has cancelled. That they are still looked up does not matter: a carrier without lookups never ends them.
 */
function mayGo({ state, before }: ArchiveSelection): RawBuilder<boolean> {
  const ofState =
    state === 'booked'
      ? sql`shipment.state = 'booked' AND shipment.cancelled_refs IS NULL`
      : sql`shipment.state IN ('cancelled', 'in_transit') AND NOT EXISTS (SELECT 1 FROM lookup_schedule AS scheduled
      WHERE scheduled.account_id = shipment.account_id AND scheduled.shipment_id = shipment.shipment_id)`
  return sql<boolean>`${ofState} AND ${isNotMoved('shipment')} AND shipment.booking_until IS NULL
    AND greatest(shipment.updated_at, shipment.booked_at, shipment.created_at)
      < least(${before}::timestamptz, clock_timestamp() - ${sql.lit(`${YOUNGEST_DAYS[state]} days`)}::interval)
    AND NOT EXISTS (SELECT 1 FROM cancel_attempt AS attempt
      WHERE attempt.account_id = shipment.account_id AND attempt.shipment_id = shipment.shipment_id
        AND (attempt.phase = 'pending' OR attempt.verify_at IS NOT NULL))
    AND NOT EXISTS (SELECT 1 FROM lookup_report AS report
      WHERE report.account_id = shipment.account_id AND report.shipment_id = shipment.shipment_id
        AND report.verify_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM carrier_scan AS scan
      WHERE scan.account_id = ${NO_ACCOUNT} AND scan.shipment_id IS NULL AND scan.carrier_code = shipment.carrier_code
        AND scan.carrier_ref = ANY (coalesce(shipment.parcel_refs, ARRAY[shipment.carrier_ref])))
    AND NOT EXISTS (SELECT 1 FROM account_event AS event
      WHERE event.sequence IS NULL AND event.account_id = shipment.account_id
        AND event.shipment_id = shipment.shipment_id)`
}

/**
 * Skips shipments that another transaction has locked. Everything that is written about a shipment locks it first, or
 * has a foreign key to it; only the verification of a report locks nothing else.
 */
async function lockUnchanged(
  trx: Transaction<Database>,
  candidates: readonly ShipmentKey[],
  selection: ArchiveSelection,
): Promise<readonly ShipmentKey[]> {
  const { rows } = await sql<ShipmentKey>`
    SELECT shipment.account_id, shipment.shipment_id FROM ${keyTable(candidates)}
      JOIN shipment USING (account_id, shipment_id)
      WHERE ${mayGo(selection)} FOR UPDATE OF shipment SKIP LOCKED`.execute(trx)
  await sql`
    SELECT 1 FROM ${keyTable(rows)} JOIN lookup_report AS report USING (account_id, shipment_id)
      FOR UPDATE OF report`.execute(trx)
  return rows
}

/** Fills `archived` with the shipments whose lines were returned: what is deleted is what was written. */
async function* readLines(
  trx: Transaction<Database>,
  locked: readonly ShipmentKey[],
  selection: ArchiveSelection,
  archived: ShipmentKey[],
): AsyncGenerator<readonly string[]> {
  for (let start = 0; start < locked.length; start += CHUNK) {
    // The condition is checked again: this statement sees what was committed before the locks were taken.
    const { rows } = await sql<ShipmentKey & { readonly line: string }>`
      SELECT shipment.account_id, shipment.shipment_id, ${LINE} AS line
        FROM ${keyTable(locked.slice(start, start + CHUNK))} JOIN shipment USING (account_id, shipment_id)
        WHERE ${mayGo(selection)}`.execute(trx)
    archived.push(...rows)
    // Within a JSON document, a line break can only be white space between two values.
    if (rows.length > 0) yield rows.map(({ line }) => line.replaceAll('\n', ' '))
  }
}

/** The rows of a table that belong to the shipment. `table` has the alias `part`. */
function rowsOf(table: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(SELECT coalesce(json_agg(row_to_json(part) ORDER BY ${order}), '[]') FROM ${table})`
}

/** The type json and not jsonb, which refuses some texts that a carrier can send. */
const LINE = sql`json_build_object(
  'version', 1,
  'archivedAt', clock_timestamp(),
  'shipment', row_to_json(shipment),
  'attempts', ${rowsOf(
    sql`cancel_attempt AS part WHERE part.account_id = shipment.account_id AND part.shipment_id = shipment.shipment_id`,
    sql`part.begun_at, part.attempt_id`,
  )},
  'decisions', ${rowsOf(
    sql`attempt_decision AS part WHERE part.account_id = shipment.account_id AND part.attempt_id IN (SELECT attempt.attempt_id FROM cancel_attempt AS attempt
      WHERE attempt.account_id = shipment.account_id AND attempt.shipment_id = shipment.shipment_id)`,
    sql`part.decision_id`,
  )},
  'corrections', ${rowsOf(
    sql`shipment_correction AS part
      WHERE part.account_id = shipment.account_id AND part.shipment_id = shipment.shipment_id`,
    sql`part.correction_id`,
  )},
  'stateChanges', ${rowsOf(
    sql`shipment_event AS part WHERE part.account_id = shipment.account_id AND part.shipment_id = shipment.shipment_id`,
    sql`part.event_id`,
  )},
  'scans', ${rowsOf(
    sql`carrier_scan AS part WHERE part.account_id = shipment.account_id AND part.shipment_id = shipment.shipment_id`,
    sql`part.occurred_at, part.event_id`,
  )},
  'lookupReports', ${rowsOf(
    sql`lookup_report AS part WHERE part.account_id = shipment.account_id AND part.shipment_id = shipment.shipment_id`,
    sql`part.reported_at`,
  )},
  'scanAnomalies', ${rowsOf(
    sql`scan_anomaly AS part WHERE part.account_id = shipment.account_id AND part.shipment_id = shipment.shipment_id`,
    sql`part.at`,
  )},
  'carrierCalls', ${rowsOf(
    sql`(SELECT call.* FROM cancel_attempt AS attempt
      JOIN carrier_call AS call ON call.account_id = attempt.account_id AND call.attempt_id = attempt.attempt_id::text
      WHERE attempt.account_id = shipment.account_id AND attempt.shipment_id = shipment.shipment_id
      ORDER BY call.call_id DESC LIMIT ${sql.lit(CALLS_MAX)}) AS part`,
    sql`part.call_id`,
  )}
)::text`

/** Foreign keys and a trigger delete the other rows. Cancelled shipments of old versions have no `cancelled_by`. */
async function deleteArchived(trx: Transaction<Database>, archived: readonly ShipmentKey[]): Promise<void> {
  const { rows } = await sql`
    WITH deleted AS (
      DELETE FROM shipment USING ${keyTable(archived)}
        WHERE shipment.account_id = named.account_id AND shipment.shipment_id = named.shipment_id
        RETURNING shipment.account_id, shipment.shipment_id, shipment.state, shipment.cancelled_by, shipment.carrier_ref
    ), corrections AS (
      DELETE FROM shipment_correction AS correction USING deleted
        WHERE correction.account_id = deleted.account_id AND correction.shipment_id = deleted.shipment_id
    )
    INSERT INTO archived_shipment (account_id, shipment_id, state, cancelled_by, was_booked)
      SELECT account_id, shipment_id, state,
          CASE WHEN state = 'cancelled'
            THEN coalesce(cancelled_by, CASE WHEN carrier_ref IS NULL THEN 'draft' ELSE 'carrier' END) END,
          carrier_ref IS NOT NULL
        FROM deleted
      ON CONFLICT (account_id, shipment_id) DO UPDATE SET state = excluded.state, cancelled_by = excluded.cancelled_by,
        was_booked = excluded.was_booked, archived_at = excluded.archived_at
      RETURNING 1`.execute(trx)
  if (rows.length !== archived.length)
    throw new Error(`${rows.length} of ${archived.length} archived shipments could be deleted`)
}
