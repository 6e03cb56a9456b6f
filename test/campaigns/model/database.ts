/**
 * The real database under a clock of the model's: a function `clock_timestamp()` in a schema that is searched before
 * pg_catalog, so that the statements of src read a setting that a command moves. Statements may be rewritten on their
 * way to the server, which is how mutants are made.
 */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { RecoveryStore, TrackingStore } from '../../../src/operations/ports/recovery.ts'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import type { Database } from '../../../src/store/database/database.ts'
import type { DatabaseSource } from '../../../src/store/database/open.ts'
import { recoveryStore } from '../../../src/store/shipments/recovery.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { trackingStore } from '../../../src/store/shipments/tracking.ts'
import { runStatements } from '../../support/database/test-server.ts'
import { initialRows, type Row } from './rows.ts'
import { ACCOUNTS, CARRIERS, type Model, OWNERS } from './state.ts'

/** The stores of one process. */
export type Process = { readonly shipments: ShipmentStore; readonly recovery: RecoveryStore }

/** What the commands run on. */
export type Real = {
  readonly processes: Readonly<Record<string, Process>>
  readonly tracking: TrackingStore
  /** Puts the model's first rows in place of all others. */
  begin(model: Model): Promise<void>
  setClock(now: number): Promise<void>
  /** All rows, by table. */
  read(): Promise<Readonly<Record<string, readonly Row[]>>>
  /** Runs a statement of the test's own, and answers the SQLSTATE of its failure. */
  failure(statement: string, values: readonly unknown[]): Promise<string | undefined>
  close(): Promise<void>
}

/** Prepares a migrated database for the model: the clock, the parties, and no shipments. Once per database. */
export async function prepareModelDatabase(source: DatabaseSource): Promise<void> {
  const defaults = [
    ['shipment', 'created_at'],
    ['shipment', 'next_track_at'],
    ['cancel_attempt', 'begun_at'],
    ['shipment_event', 'at'],
    ['carrier_scan', 'received_at'],
  ]
  await runStatements(
    source,
    'CREATE SCHEMA model',
    `CREATE FUNCTION model.clock_timestamp() RETURNS timestamptz LANGUAGE sql
      AS $$ SELECT current_setting('model.now')::timestamptz $$`,
    // A column's default is bound to the function it was made with.
    ...defaults.map(
      ([table, column]) => `ALTER TABLE ${table} ALTER ${column} SET DEFAULT model.clock_timestamp()`,
    ),
    ...ACCOUNTS.map((id) => `INSERT INTO account (account_id, name) VALUES ('${id}', '${id}')`),
    ...CARRIERS.map(
      (code) =>
        `INSERT INTO carrier (carrier_code, name, connector) VALUES ('${code}', '${code}', 'sandbox')`,
    ),
  )
}

/** What a mutant puts between the stores and the server. */
export type Between = {
  /** A statement on its way. */
  rewrite(text: string): string
  /** The SQLSTATE of one that failed. */
  failed(code: string): void
}

const NOTHING: Between = { rewrite: (text) => text, failed: () => {} }

/** Tables grow with rows that were deleted; so many sequences are cheaper than emptying them each time. */
const SEQUENCES_BETWEEN_TRUNCATIONS = 200

/** Opens a prepared database on one connection, for one sequence at a time. */
export async function openModelDatabase(source: DatabaseSource, between: Between = NOTHING): Promise<Real> {
  const client = await connect(source)
  const named = statementsOn(client)
  const through: PostgresPoolClient = {
    query: <Result>(text: unknown, values?: readonly unknown[]) =>
      named<Result>(between.rewrite(text as string), values).catch((error) => {
        between.failed(String((error as { code?: string }).code))
        throw error
      }) as never,
    release: () => {},
  }
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { connect: async () => through, end: () => client.end() } }),
  })
  let sequences = 0
  return {
    processes: Object.fromEntries(
      OWNERS.map((owner) => [
        owner,
        { shipments: shipmentStore(db, owner), recovery: recoveryStore(db, owner) },
      ]),
    ),
    tracking: trackingStore(db),
    async begin(model) {
      await client.query(sequences++ % SEQUENCES_BETWEEN_TRUNCATIONS === 0 ? TRUNCATE : EMPTY)
      await named(BEGIN, [new Date(model.now).toISOString(), JSON.stringify(initialRows(model))])
    },
    async setClock(now) {
      await named(`SELECT set_config('model.now', $1, false)`, [new Date(now).toISOString()])
    },
    async read() {
      const { rows } = await named<Record<string, Row[]>>(READ)
      return rows[0]!
    },
    async failure(statement, values) {
      try {
        await client.query(statement, [...values])
        return undefined
      } catch (error) {
        return (error as { code?: string }).code
      }
    },
    close: () => db.destroy(),
  }
}

async function connect(source: DatabaseSource): Promise<pg.Client> {
  const types = new pg.TypeOverrides()
  // As the service reads bigint.
  types.setTypeParser(20, Number)
  const client = new pg.Client({
    ...(typeof source === 'string' ? { connectionString: source } : { ...source, ssl: false }),
    application_name: 'waybill model test',
    types,
  })
  await client.connect()
  await client.query(`SET search_path = model, pg_catalog, public; SET timezone = 'UTC'; SET jit = off`)
  return client
}

/** Each text is planned once per connection, as in the service. */
function statementsOn(client: pg.Client) {
  const names = new Map<string, string>()
  return <Result>(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult<Result & Row>> => {
    const name = names.get(text) ?? `m${names.size}`
    names.set(text, name)
    return client.query<Result & Row>({ name, text, values: [...values] })
  }
}

const EMPTY = 'DELETE FROM carrier_scan; DELETE FROM shipment'
const TRUNCATE = 'TRUNCATE carrier_scan, shipment_event, cancel_attempt, shipment'

const BEGIN = `
  WITH rows AS (SELECT set_config('model.now', $1, false), $2::jsonb AS all_of),
  s AS (INSERT INTO shipment
    SELECT r.* FROM rows, jsonb_populate_recordset(NULL::shipment, all_of->'shipment') r),
  a AS (INSERT INTO cancel_attempt
    SELECT r.* FROM rows, jsonb_populate_recordset(NULL::cancel_attempt, all_of->'cancel_attempt') r),
  e AS (INSERT INTO shipment_event (shipment_id, at, from_state, to_state, attempt_id)
    SELECT r.shipment_id, r.at, r.from_state, r.to_state, r.attempt_id
      FROM rows, jsonb_populate_recordset(NULL::shipment_event, all_of->'shipment_event')
        WITH ORDINALITY AS r ORDER BY ordinality)
  INSERT INTO carrier_scan
    SELECT r.* FROM rows, jsonb_populate_recordset(NULL::carrier_scan, all_of->'carrier_scan') r`

const READ = `SELECT
  (SELECT coalesce(jsonb_agg(to_jsonb(s)), '[]') FROM shipment s) AS shipment,
  (SELECT coalesce(jsonb_agg(to_jsonb(c)), '[]') FROM cancel_attempt c) AS cancel_attempt,
  (SELECT coalesce(jsonb_agg(to_jsonb(e) ORDER BY event_id), '[]') FROM shipment_event e) AS shipment_event,
  (SELECT coalesce(jsonb_agg(to_jsonb(k)), '[]') FROM carrier_scan k) AS carrier_scan`
