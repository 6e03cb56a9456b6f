/**
 * What a round of the sweeper without due work, the audit and the archive cost when there are many shipments. Prints
 * the figures as a JSON object in the last line. `--shipments`, `--booked` and `--accounts` set the size. See
 * docs/growth.md#measurements.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { writeArchiveFile } from '../../src/cli/terminal/archive-file.ts'
import type { Database } from '../../src/store/database/database.ts'
import { openDatabase } from '../../src/store/database/open.ts'
import { type ArchivePlace, archiveBatch, countArchivable } from '../../src/store/shipments/archive.ts'
import { readAttention } from '../../src/store/shipments/operators/audit.ts'
import { recoveryStore } from '../../src/store/shipments/recovery.ts'
import { trackingStore } from '../../src/store/shipments/tracking.ts'
import { withScratchDatabase } from '../campaigns/scratch-database.ts'

const { values } = parseArgs({
  options: {
    shipments: { type: 'string', default: '2000000' },
    booked: { type: 'string', default: '100000' },
    accounts: { type: 'string', default: '20000' },
  },
})
const size = {
  shipments: Number(values.shipments),
  booked: Number(values.booked),
  accounts: Number(values.accounts),
}
const PLACE = '/tmp'
const CARRIERS = 4
/** The tables that are filled. Their indexes are built afterwards, which takes a fraction of the time. */
const FILLED = ['shipment', 'cancel_attempt', 'carrier_scan', 'carrier_number', 'lookup_schedule'] as const
const ROUNDS = 50
/** Accounts of one claim. */
const CLAIMED_ACCOUNTS = 64
const DAY_MS = 86_400_000
/** The shipments are of so many days. */
const DAYS = 150
/** So many of the oldest are archived. */
const ARCHIVED = 200_000
/** What the database takes for a shipment, with the log of its server and files for sorting, at most. */
const BYTES_FOR_SHIPMENT = 2_500

const free = statfsSync(PLACE)
if (free.bavail * free.bsize < size.shipments * BYTES_FOR_SHIPMENT)
  throw new Error(`${PLACE} has too little free space`)

const figures = await withScratchDatabase({ durable: false, place: PLACE }, async (source) => {
  const db = openDatabase(source, { poolSize: 1, statementTimeoutMs: 0 })
  try {
    const begunAt = performance.now()
    await fill(db)
    console.log(`filled in ${seconds(begunAt)} s`)
    const { rows } = await sql<{
      bytes: number
    }>`SELECT pg_database_size(current_database()) AS bytes`.execute(db)
    return { gigabytes: rounded((rows[0]?.bytes ?? 0) / 1e9), ...(await measure(db)) }
  } finally {
    await db.destroy()
  }
})
console.log(JSON.stringify({ ...size, ...figures }))

async function measure(db: Kysely<Database>) {
  const recovery = recoveryStore(db, 'bench')
  const idle = await costOf(db, ROUNDS, () => recovery.dueWork(32))
  const attention = await costOf(db, 3, () => readAttention(db, { openForMs: 900_000, withinMs: 7 * DAY_MS }))
  const page = await costOf(db, 10, () =>
    trackingStore(db).bookedAfter({ accountId: 'a00000500', shipmentId: '' }, 500),
  )
  // A backlog of all lookups at one carrier: the rows that are due longest, and the next accounts.
  await sql`UPDATE lookup_schedule SET due_at = clock_timestamp() - interval '1 minute' WHERE carrier_code = 'c0'`.execute(
    db,
  )
  await sql`VACUUM ANALYZE lookup_schedule`.execute(db)
  const backlog = await costOf(db, ROUNDS, () => recovery.dueWork(32))
  // Every run claims other lookups: of all accounts in one statement, and in one statement for each account.
  let claimed = 0
  const nextRooms = () => {
    const first = claimed
    claimed += CLAIMED_ACCOUNTS
    return Array.from({ length: CLAIMED_ACCOUNTS }, (_, index) => ({
      ...{ carrierCode: 'c0', accountId: accountId((first + index) % size.accounts), room: 2 },
    }))
  }
  const claim = await costOf(db, 10, () => recovery.claimLookups(nextRooms(), 1_800_000))
  const claimEach = await costOf(db, 10, async () => {
    for (const room of nextRooms()) await recovery.claimLookups([room], 1_800_000)
  })
  return { idle, attention, page, backlog, claim, claimEach, archive: await measureArchive(db) }
}

/** Archives the oldest shipments, at most those that are older than 60 days. The sizes are bytes for each shipment. */
async function measureArchive(db: Kysely<Database>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'waybill-bench-'))
  const share = Math.min(0.6, ARCHIVED / size.shipments)
  const old = { state: 'ended', before: new Date(Date.now() - (1 - share) * DAYS * DAY_MS) } as const
  const counted = await costOf(db, 1, () => countArchivable(db, old))
  const bytesBefore = await sizeOf(db, ['shipment', 'cancel_attempt', 'carrier_scan'])
  let [shipments, batches] = [0, 0]
  let after: ArchivePlace | undefined
  const begunAt = performance.now()
  do {
    const { archived, next } = await archiveBatch(db, old, after, (chunks) =>
      writeArchiveFile(folder, `${batches}.jsonl.gz`, chunks),
    )
    shipments += archived
    batches += 1
    after = next
  } while (after !== undefined)
  const elapsedMs = performance.now() - begunAt
  const fileBytes = readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0)
  rmSync(folder, { recursive: true })
  return {
    ...{ shipments, counted, msForThousand: rounded((1_000 * elapsedMs) / shipments) },
    bytesBefore: Math.round(bytesBefore / size.shipments),
    fileBytes: Math.round(fileBytes / shipments),
    bytesLeft: Math.round((await sizeOf(db, ['archived_shipment'])) / shipments),
  }
}

async function sizeOf(db: Kysely<Database>, tables: readonly string[]): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT sum(pg_total_relation_size(name::regclass))::float8 AS bytes FROM unnest(${tables}::text[]) AS name`.execute(
    db,
  )
  return rows[0]?.bytes ?? 0
}

/** Milliseconds for one execution: elapsed, and of the processor in the server process of the connection. */
async function costOf(db: Kysely<Database>, times: number, run: () => Promise<unknown>) {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)
  const pid = rows[0]?.pid ?? 0
  await run()
  const [cpu, begunAt] = [cpuMs(pid), performance.now()]
  for (let time = 0; time < times; time += 1) await run()
  return {
    elapsedMs: rounded((performance.now() - begunAt) / times),
    cpuMs: rounded((cpuMs(pid) - cpu) / times),
  }
}

/** User and system time of a process; a tick is 10 ms. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function seconds(begunAt: number): number {
  return Math.round((performance.now() - begunAt) / 1_000)
}

/** To two decimals. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}

function accountId(index: number): string {
  return `a${String(index).padStart(8, '0')}`
}

/** Shipments of five months. The newest are booked; of the others, a third is cancelled. */
async function fill(db: Kysely<Database>): Promise<void> {
  const run = async (statement: ReturnType<typeof sql>) => void (await statement.execute(db))
  for (let carrier = 0; carrier < CARRIERS; carrier += 1)
    await run(
      sql`INSERT INTO carrier (carrier_code, name, connector) VALUES (${`c${carrier}`}, 'c', 'sandbox')`,
    )
  await run(sql`INSERT INTO account (account_id, name)
    SELECT 'a' || lpad(n::text, 8, '0'), 'a' FROM generate_series(0, ${sql.lit(size.accounts)} - 1) AS n`)
  const rebuild = await dropIndexes(db)
  // The triggers would write two events for each shipment, one statement after the other.
  for (const table of FILLED) await run(sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`)
  for (const [table, statement] of Object.entries(fillStatements())) {
    const begunAt = performance.now()
    await run(statement)
    console.log(`filled ${table} in ${seconds(begunAt)} s`)
  }
  const begunAt = performance.now()
  for (const statement of rebuild) await run(sql.raw(statement))
  console.log(`built ${rebuild.length} indexes and constraints in ${seconds(begunAt)} s`)
  for (const table of FILLED) await run(sql`ALTER TABLE ${sql.table(table)} ENABLE TRIGGER USER`)
  await run(sql`VACUUM ANALYZE`)
}

/**
 * Drops the indexes and constraints of the filled tables, and those that refer to them. Returns the statements that
 * make them again; foreign keys are not checked for the rows.
 */
async function dropIndexes(db: Kysely<Database>): Promise<readonly string[]> {
  const { rows } = await sql<{ drop: string; make: string }>`
    WITH filled AS (SELECT unnest(${FILLED}::regclass[]) AS id)
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
        format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
          || CASE WHEN contype = 'f' AND convalidated THEN ' NOT VALID' ELSE '' END AS make,
        CASE contype WHEN 'f' THEN 3 ELSE 1 END AS step
      FROM pg_constraint WHERE contype IN ('p', 'u', 'f') AND (conrelid IN (TABLE filled) OR confrelid IN (TABLE filled))
    UNION ALL
    SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 2 FROM pg_index
      WHERE indrelid IN (TABLE filled) AND NOT EXISTS (SELECT 1 FROM pg_constraint
        WHERE conindid = indexrelid AND contype IN ('p', 'u'))
    ORDER BY step`.execute(db)
  for (const { drop } of rows.toReversed()) await sql.raw(drop).execute(db)
  await sql`SET maintenance_work_mem = '1GB'`.execute(db)
  return rows.map(({ make }) => make)
}

/** By table. */
function fillStatements(): Readonly<Record<(typeof FILLED)[number], ReturnType<typeof sql>>> {
  const [shipments, booked, accounts] = [size.shipments, size.booked, size.accounts].map((number) =>
    sql.lit(number),
  )
  const carriers = sql.lit(CARRIERS)
  return {
    shipment: sql`
    INSERT INTO shipment (shipment_id, account_id, carrier_code, state, carrier_ref, product_id, from_country, to_country,
        to_zipcode, to_city, parcel_type, parcels, recipient, price_cents, tariff_version, created_at, booked_at,
        updated_at, cancelled_at, cancelled_by, next_track_at, parcel_rows, content_bytes, lineage)
      SELECT 'shp_' || md5(n::text), 'a' || lpad((n % ${accounts})::text, 8, '0'), 'c' || (n / ${accounts} % ${carriers}),
          made.state, 'REF' || n, 1201, 'NL', 'DE', '10115', 'Berlin', 'NONDOC', '[{"count":1,"weightGrams":1500}]',
          'individual', 985, 'bench@1', made.at, made.at, made.at,
          CASE WHEN made.state = 'cancelled' THEN made.at END,
          CASE WHEN made.state = 'cancelled' THEN 'carrier' END, clock_timestamp() + interval '1 hour', 1, 40,
          (SELECT database_lineage())
        FROM generate_series(1, ${shipments}) AS n, LATERAL (
          SELECT clock_timestamp() - (${shipments} - n) * ${sql.lit(`${DAYS} days`)}::interval / ${shipments} AS at,
            CASE WHEN n > ${shipments} - ${booked} THEN 'booked' WHEN n % 3 = 0 THEN 'cancelled' ELSE 'in_transit' END AS state
        ) AS made`,
    cancel_attempt: sql`
    INSERT INTO cancel_attempt (shipment_id, account_id, carrier_code, phase, lease_until, next_try_at, settled_at)
      SELECT shipment_id, account_id, carrier_code, 'accepted', cancelled_at, cancelled_at, cancelled_at
        FROM shipment WHERE state = 'cancelled'`,
    carrier_scan: sql`
    INSERT INTO carrier_scan (account_id, carrier_code, event_id, carrier_ref, occurred_at, received_at, shipment_id)
      SELECT account_id, carrier_code, n::text, carrier_ref, updated_at, updated_at, shipment_id
        FROM shipment, generate_series(1, 3) AS n WHERE state = 'in_transit'`,
    carrier_number: sql`
    INSERT INTO carrier_number (carrier_code, carrier_ref, account_id, shipment_id, created_at)
      SELECT carrier_code, carrier_ref, account_id, shipment_id, created_at FROM shipment WHERE carrier_ref IS NOT NULL`,
    lookup_schedule: sql`
    INSERT INTO lookup_schedule (account_id, shipment_id, carrier_code, due_at)
      SELECT account_id, shipment_id, carrier_code, next_track_at FROM shipment WHERE state = 'booked'`,
  }
}
