/**
 * The real database with a simulated clock: a function `clock_timestamp()` in a schema that precedes
 * pg_catalog in the search path, so the statements of src read a setting. Statements can be rewritten before
 * they are sent, which creates mutants.
 */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { RecoveryStore, TrackingStore } from '../../../src/operations/ports/recovery.ts'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { recoveryStore } from '../../../src/store/shipments/recovery.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { trackingStore } from '../../../src/store/shipments/tracking.ts'
import { runStatements, type TestSource } from '../../support/database/test-server.ts'
import { initialRows, type Row } from './rows.ts'
import { ACCOUNTS, CARRIERS, type Model, OWNERS } from './state.ts'

export type Process = { readonly shipments: ShipmentStore; readonly recovery: RecoveryStore }

export type Real = {
  readonly processes: Readonly<Record<string, Process>>
  readonly tracking: TrackingStore
  /** Replaces all rows with the model's initial rows. */
  begin(model: Model): Promise<void>
  setClock(now: number): Promise<void>
  /** The next statement of the stores that reads the clock of its process was made so long before it is executed. */
  delay(delayMs: number): void
  read(): Promise<Readonly<Record<string, readonly Row[]>>>
  /** Runs a statement and returns the SQLSTATE of its error. */
  failure(statement: string, values: readonly unknown[]): Promise<string | undefined>
  close(): Promise<void>
}

/** Prepares a migrated database once: clock, accounts, carriers. */
export async function prepareModelDatabase(source: TestSource): Promise<void> {
  const defaults = [
    ['shipment', 'created_at'],
    ['shipment', 'next_track_at'],
    ['cancel_attempt', 'begun_at'],
    ['shipment_event', 'at'],
    ['carrier_scan', 'received_at'],
    ['lookup_report', 'reported_at'],
    ['lookup_schedule', 'since'],
  ]
  await runStatements(
    source,
    'CREATE SCHEMA model',
    `CREATE FUNCTION model.clock_timestamp() RETURNS timestamptz LANGUAGE sql
      AS $$ SELECT current_setting('model.now')::timestamptz $$`,
    // A column default is bound to the function that existed at its creation.
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

/** Intercepts statements hook the stores and the server. */
export type StatementHook = {
  /** Returns the statement to send. */
  rewrite(text: string): string
  /** Called with the SQLSTATE of a failed statement. */
  failed(code: string): void
}

const NOTHING: StatementHook = { rewrite: (text) => text, failed: () => {} }

/** Deleted rows make the tables grow. Truncating them this rarely is cheaper than doing it each time. */
const SEQUENCES_BETWEEN_TRUNCATIONS = 200

/** Opens a prepared database on one connection. Runs one sequence at a time. */
export async function openModelDatabase(source: TestSource, hook: StatementHook = NOTHING): Promise<Real> {
  const client = await connect(source)
  const named = statementsOn(client)
  const through: PostgresPoolClient = {
    query: <Result>(text: unknown, values?: readonly unknown[]) =>
      named<Result>(hook.rewrite(text as string), values).catch((error) => {
        hook.failed(String((error as { code?: string }).code))
        throw error
      }) as never,
    release: () => {},
  }
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { connect: async () => through, end: () => client.end() } }),
  })
  let sequences = 0
  let clock = 0
  let delayedMs = 0
  const monotonicMs = (): number => {
    const madeAt = clock - delayedMs
    delayedMs = 0
    return madeAt
  }
  return {
    processes: Object.fromEntries(
      OWNERS.map((owner) => [
        owner,
        { shipments: shipmentStore(db, owner, monotonicMs), recovery: recoveryStore(db, owner) },
      ]),
    ),
    tracking: trackingStore(db),
    async begin(model) {
      clock = model.now
      await client.query(sequences++ % SEQUENCES_BETWEEN_TRUNCATIONS === 0 ? TRUNCATE : EMPTY)
      await named(BEGIN, [new Date(model.now).toISOString(), JSON.stringify(initialRows(model))])
    },
    delay(delayMs) {
      delayedMs = delayMs
    },
    async setClock(now) {
      clock = now
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

async function connect(source: TestSource): Promise<pg.Client> {
  const types = new pg.TypeOverrides()
  // bigint as a number, as in the service.
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

/** Prepares each statement once per connection, as in the service. */
function statementsOn(client: pg.Client) {
  const names = new Map<string, string>()
  return <Result>(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult<Result & Row>> => {
    const name = names.get(text) ?? `m${names.size}`
    names.set(text, name)
    return client.query<Result & Row>({ name, text, values: [...values] })
  }
}

const EMPTY = 'DELETE FROM carrier_scan; DELETE FROM scan_anomaly; DELETE FROM shipment'
const TRUNCATE =
  'TRUNCATE lookup_report, lookup_schedule, scan_anomaly, carrier_scan, carrier_number, shipment_event, cancel_attempt, draft_key, shipment'

const BEGIN = `
  WITH rows AS (SELECT set_config('model.now', $1, false), $2::jsonb AS all_of),
  s AS (INSERT INTO shipment
    SELECT r.* FROM rows, jsonb_populate_recordset(NULL::shipment, all_of->'shipment') r),
  a AS (INSERT INTO cancel_attempt
    SELECT r.* FROM rows, jsonb_populate_recordset(NULL::cancel_attempt, all_of->'cancel_attempt') r),
  e AS (INSERT INTO shipment_event (account_id, shipment_id, at, from_state, to_state, attempt_id)
    SELECT r.account_id, r.shipment_id, r.at, r.from_state, r.to_state, r.attempt_id
      FROM rows, jsonb_populate_recordset(NULL::shipment_event, all_of->'shipment_event')
        WITH ORDINALITY AS r ORDER BY ordinality)
  INSERT INTO carrier_scan
    SELECT r.* FROM rows, jsonb_populate_recordset(NULL::carrier_scan, all_of->'carrier_scan') r`

const READ = `SELECT
  (SELECT coalesce(jsonb_agg(to_jsonb(s)), '[]') FROM shipment s) AS shipment,
  (SELECT coalesce(jsonb_agg(to_jsonb(c)), '[]') FROM cancel_attempt c) AS cancel_attempt,
  (SELECT coalesce(jsonb_agg(to_jsonb(e) ORDER BY event_id), '[]') FROM shipment_event e) AS shipment_event,
  (SELECT coalesce(jsonb_agg(to_jsonb(k)), '[]') FROM carrier_scan k) AS carrier_scan,
  (SELECT coalesce(jsonb_agg(to_jsonb(l)), '[]') FROM lookup_report l) AS lookup_report,
  (SELECT coalesce(jsonb_agg(to_jsonb(d)), '[]') FROM lookup_schedule d) AS lookup_schedule,
  (SELECT coalesce(jsonb_agg(to_jsonb(n)), '[]') FROM scan_anomaly n) AS scan_anomaly`
