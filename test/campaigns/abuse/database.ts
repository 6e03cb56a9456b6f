/**
 * The database of the campaign: the demo rate book and customs data without the public secrets, the attacker
 * `acme` and the partner `bravo`. One template is filled per run; each scenario uses a copy.
 */
import { randomBytes } from 'node:crypto'
import type { Insertable, Kysely } from 'kysely'
import { createAccount } from '../../../src/store/accounts/accounts.ts'
import { createKey } from '../../../src/store/accounts/keys.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { seedDemoRateBook } from '../../../src/store/demo/reset.ts'
import type { ShipmentTableRows } from '../../../src/store/row-types/shipments.ts'
import { runStatements, sourceFor, type TestSource } from '../../support/database/test-server.ts'

/** An account with its keys, each as a value of X-PP-API. */
export type Partner = { readonly accountId: string; readonly keys: readonly string[] }

/** Contents of the template. */
export type Population = {
  /** The attacker, with one key for each part of a scenario. */
  readonly acme: Partner
  /**
   * The partner that must not be affected. Three keys, so that 20 requests per second stay within the default
   * limit.
   */
  readonly bravo: Partner
  /** Drafts of `bravo`. */
  readonly drafts: readonly string[]
  /** Booked shipments of each account with the carrier `rondeel`. */
  readonly acmeBooked: readonly string[]
  readonly bravoBooked: readonly string[]
}

const ACME_KEYS = 80
const BRAVO_KEYS = 3
const DRAFTS = 2_000
const BOOKED = 200
/** Drafts of `acme`, so that counting them takes time. */
const ACME_DRAFTS = 10_000
const ROWS_PER_INSERT = 500

/** Fills a migrated database. */
export async function populate(source: TestSource): Promise<Population> {
  const db = openDatabase(source, { poolSize: 2, statementTimeoutMs: 0 })
  try {
    await seedDemoRateBook(db)
    const acme = await openAccount(db, 'acme', ACME_KEYS)
    const bravo = await openAccount(db, 'bravo', BRAVO_KEYS)
    const drafts = names('bravo-draft', DRAFTS)
    const acmeBooked = names('acme-booked', BOOKED)
    const bravoBooked = names('bravo-booked', BOOKED)
    await insertShipments(db, [
      ...drafts.map((id) => shipment(id, 'bravo', 'draft')),
      ...acmeBooked.map((id) => shipment(id, 'acme', 'booked')),
      ...names('acme-draft', ACME_DRAFTS).map((id) => shipment(id, 'acme', 'draft')),
      ...bravoBooked.map((id) => shipment(id, 'bravo', 'booked')),
    ])
    return { acme, bravo, drafts, acmeBooked, bravoBooked }
  } finally {
    await db.destroy()
  }
}

async function openAccount(db: Kysely<Database>, accountId: string, count: number): Promise<Partner> {
  await createAccount(db, accountId, { accountName: accountId })
  const keys: string[] = []
  for (let made = 0; made < count; made++) {
    const issued = await createKey(db, accountId)
    if (issued === undefined) throw new Error(`no key was created for ${accountId}`)
    keys.push(`${issued.keyId}@${issued.secret}`)
  }
  return { accountId, keys }
}

type ShipmentRow = Insertable<ShipmentTableRows['shipment']>

function shipment(id: string, accountId: string, state: 'draft' | 'booked'): ShipmentRow {
  return {
    ...{ shipment_id: id, account_id: accountId, state },
    ...{ carrier_code: 'rondeel', product_id: 1201, carrier_ref: state === 'draft' ? null : `SBX-OK-${id}` },
    ...{ from_country: 'NL', from_zipcode: '1012 LG', from_city: null },
    ...{ to_country: 'DE', to_zipcode: null, to_city: 'Berlin' },
    ...{ parcel_type: 'NONDOC', parcels: '[]', recipient: 'business' },
    ...{ price_cents: 985, tariff_version: 'demo@1' },
    // No lookups at the carrier while the campaign runs.
    next_track_at: new Date(Date.now() + 24 * 3_600_000),
  }
}

async function insertShipments(db: Kysely<Database>, rows: readonly ShipmentRow[]): Promise<void> {
  for (let first = 0; first < rows.length; first += ROWS_PER_INSERT)
    await db
      .insertInto('shipment')
      .values(rows.slice(first, first + ROWS_PER_INSERT))
      .execute()
}

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_unused, index) => `${prefix}-${index}`)
}

export type OwnDatabase = { readonly source: TestSource; drop(): Promise<void> }

/** Copies the template, which must have no connections. Without a template, creates an empty database. */
export async function createDatabase(
  server: TestSource,
  template: TestSource | undefined,
): Promise<OwnDatabase> {
  const name = `waybill_abuse_${randomBytes(6).toString('hex')}`
  const maintenance = sourceFor(server, 'postgres')
  const from = template === undefined ? `template0 encoding 'UTF8'` : `"${nameOf(template)}"`
  await runStatements(maintenance, `create database "${name}" template ${from}`)
  return {
    source: sourceFor(server, name),
    drop: async () => {
      await runStatements(maintenance, `drop database if exists "${name}" with (force)`)
    },
  }
}

function nameOf(source: TestSource): string {
  return typeof source === 'string' ? new URL(source).pathname.slice(1) : source.database
}

/** The database's URL, with a password that must not appear in any output. */
export function urlOf(source: TestSource): string {
  if (typeof source === 'string') return source
  const { host, port, user, database } = source
  return `postgres://${user}:${DATABASE_PASSWORD}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

/** The server trusts every connection to its socket, so it accepts any password. */
export const DATABASE_PASSWORD = 'canary-database-password'

/** Counters of the database; compare two readings. */
export type DatabaseWork = {
  readonly transactions: number
  /** Reads of the table of API keys. */
  readonly keyLookUps: number
}

/** Sessions report their statistics within about a second, so wait before a reading. */
export async function readDatabaseWork(source: TestSource): Promise<DatabaseWork> {
  const [row] = await runStatements(
    source,
    `select
      (select xact_commit + xact_rollback from pg_stat_database where datname = current_database())::int
        as transactions,
      (select coalesce(idx_scan, 0) + coalesce(seq_scan, 0) from pg_stat_user_tables where relname = 'api_key')::int
        as look_ups`,
  )
  return { transactions: Number(row?.['transactions']), keyLookUps: Number(row?.['look_ups']) }
}
