/**
 * Transaction poolers such as PgBouncer: finds out whether DATABASE_URL leads to one, and checks that the settings that
 * Waybill needs hold on the server connections behind it. See docs/decisions/database.md#d125.
 */
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { type Database, OperatorError } from './database.ts'
import { clientConfig, type DatabaseSource, isPooled, openDatabase } from './open.ts'

/** Time limit of the connects and statements of the checks. */
const LIMIT_MS = 5_000

/** Concurrent checks at start. Each occupies one server connection, so that several are checked. */
const SAMPLES = 10

/**
 * Throws an OperatorError if settings of Waybill would not hold on this database: it is behind a transaction pooler
 * that the configuration does not mention, or its role lacks required settings. Other errors are those of the
 * connection.
 */
export async function refuseUnsafePooler(source: DatabaseSource): Promise<void> {
  if (typeof source === 'object' && 'host' in source) return
  if (isPooled(source)) return refuseFaultySettings(source)
  if (await sharesServerConnections(source))
    throw new OperatorError(
      'DATABASE_URL leads to a transaction pooler, where settings of a session do not last. ' +
        'Set WAYBILL_POOLER=transaction (docs/operations.md#connection-poolers).',
    )
}

async function refuseFaultySettings(source: DatabaseSource): Promise<void> {
  const db = openDatabase(source, { poolSize: SAMPLES, connectionWaitMs: LIMIT_MS })
  try {
    const samples = await Promise.all(Array.from({ length: SAMPLES }, () => settingFaults(db)))
    const faults = distinct(samples.flat())
    if (faults.length > 0) throw new OperatorError(describeFaults(faults))
  } catch (error) {
    if (isUntrackedStatement(error))
      throw new OperatorError(
        'The pooler does not track prepared statements. Remove WAYBILL_NAMED_STATEMENTS=true, or set ' +
          'max_prepared_statements in PgBouncer 1.21 or newer (docs/operations.md#connection-poolers).',
        { cause: error },
      )
    throw error
  } finally {
    await db.destroy()
  }
}

/** invalid_sql_statement_name or duplicate_prepared_statement. */
function isUntrackedStatement(error: unknown): boolean {
  return ['26000', '42P05'].includes(String((error as { code?: unknown }).code))
}

/** One fault of each setting: of new connections if there is one, otherwise of an open connection. */
function distinct(faults: readonly SettingFault[]): SettingFault[] {
  const byCorrection = new Map<string, SettingFault>()
  for (const fault of faults)
    if (byCorrection.get(fault.correction)?.isOfNewConnections !== true)
      byCorrection.set(fault.correction, fault)
  return [...byCorrection.values()]
}

function describeFaults(faults: readonly SettingFault[]): string {
  const texts = faults.map(({ text }) => text).join('; ')
  const corrections = faults.map(({ correction }) => `  ${correction};\n`).join('')
  return (
    `Behind a transaction pooler the database role must have these settings: ${texts}.\n` +
    `Run as this role or as a superuser:\n${corrections}` +
    `Then run RECONNECT on the pooler's console, because open server connections keep the old values.`
  )
}

/**
 * Whether two client connections use the same server connection. A pooler announces a process id of its own; if the id
 * is that of the server process, there is no pooler.
 */
async function sharesServerConnections(source: DatabaseSource): Promise<boolean> {
  const [first, second] = [connectionTo(source), connectionTo(source)]
  try {
    await first.connect()
    const pid = await serverPid(first)
    const { processID } = first as Client & { readonly processID?: number | null }
    if (processID === pid) return false
    await second.connect()
    for (let round = 0; round < 10; round++)
      if ((await serverPid(second)) === pid || (await serverPid(first)) !== pid) return true
    return false
  } finally {
    await Promise.allSettled([first.end(), second.end()])
  }
}

function connectionTo(source: DatabaseSource): Client {
  const client = new Client({
    ...clientConfig(source),
    application_name: 'waybill',
    connectionTimeoutMillis: LIMIT_MS,
    query_timeout: LIMIT_MS,
  })
  // The failed query reports the error. An error event without a handler ends the process.
  client.on('error', () => {})
  return client
}

async function serverPid(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid
}

export type SettingsWatch = {
  /** False while required settings do not hold. */
  holds(): boolean
  close(): Promise<void>
}

export type SettingsWatchOptions = {
  /** Default: 10 seconds. */
  readonly everyMs?: number
  /** Called with each change of the faults; with an empty list when all settings hold again. */
  onChange(faults: readonly string[]): void
}

/** Checks the required settings until closed, on one server connection at a time. */
export function watchSettings(
  db: Kysely<Database>,
  { everyMs = 10_000, onChange }: SettingsWatchOptions,
): SettingsWatch {
  let faults: readonly string[] = []
  let running: Promise<void> = Promise.resolve()
  const check = async (): Promise<void> => {
    const found = (await settingFaults(db)).map(({ text, correction }) => `${text}: ${correction}`)
    if (found.join() === faults.join()) return
    faults = found
    onChange(found)
  }
  let isChecking = false
  const timer = setInterval(() => {
    if (isChecking) return
    isChecking = true
    // In an outage the last result remains valid.
    running = check()
      .catch(() => {})
      .finally(() => {
        isChecking = false
      })
  }, everyMs)
  timer.unref()
  return {
    holds: () => faults.length === 0,
    async close() {
      clearInterval(timer)
      await running
    },
  }
}

/** A setting that a database role must have behind a transaction pooler. */
type RequiredSetting = {
  /** The value to set, as SQL. */
  readonly value: string
  /** Which other values are acceptable; for the message. */
  readonly range: string
  accepts(value: string): boolean
}

const REQUIRED: Readonly<Record<string, RequiredSetting>> = {
  synchronous_commit: {
    value: 'on',
    range: 'not off',
    accepts: (value) => !['off', 'false', 'no', '0'].includes(value.toLowerCase()),
  },
  statement_timeout: { value: "'3s'", range: '1 s to 10 s', accepts: within(1_000, 10_000) },
  idle_in_transaction_session_timeout: {
    value: "'5s'",
    range: '1 s to 60 s',
    accepts: within(1_000, 60_000),
  },
  timezone: { value: "'UTC'", range: 'UTC', accepts: (value) => /^(etc\/)?(utc|gmt)$/i.test(value) },
  datestyle: { value: "'ISO, YMD'", range: 'ISO', accepts: (value) => /^\W*iso\b/i.test(value) },
  jit: {
    value: 'off',
    range: 'off',
    accepts: (value) => ['off', 'false', 'no', '0'].includes(value.toLowerCase()),
  },
}

function within(minMs: number, maxMs: number): (value: string) => boolean {
  return (value) => {
    const ms = millisecondsOf(value)
    return ms !== undefined && ms >= minMs && ms <= maxMs
  }
}

const UNIT_MS: Readonly<Record<string, number>> = {
  us: 0.001,
  ms: 1,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** A duration as PostgreSQL reads it: '3000', '3s', '0.05 min'. Undefined if the text is not one. */
function millisecondsOf(text: string): number | undefined {
  const [, number, unit = 'ms'] = /^(\d+(?:\.\d+)?) ?([a-z]+)?$/.exec(text.trim()) ?? []
  const factor = Object.hasOwn(UNIT_MS, unit) ? UNIT_MS[unit] : undefined
  return number === undefined || factor === undefined ? undefined : Number(number) * factor
}

/** A setting that is missing or wrong, and the statement that corrects it for new server connections. */
export type SettingFault = {
  readonly text: string
  readonly correction: string
  /** False: new server connections have the setting, and an open one does not. */
  readonly isOfNewConnections: boolean
}

/**
 * The required settings that do not hold. Checks the server connection that runs the statement, and what the next
 * server connection will get: the value in the catalog of ALTER ROLE and ALTER DATABASE, or else the one from the
 * server's configuration.
 */
export async function settingFaults(db: Kysely<Database>): Promise<SettingFault[]> {
  const { rows } = await settingsStatement().execute(db)
  return rows.flatMap(({ name, current, initial, declared, source, target }) => {
    const required = REQUIRED[name]
    if (required === undefined) return []
    const fault = (text: string, isOfNewConnections: boolean): SettingFault[] => [
      {
        text: `${name} ${text} (must be ${required.range})`,
        correction: `${target} SET ${name} = ${required.value}`,
        isOfNewConnections,
      },
    ]
    // The value came from ALTER ROLE or ALTER DATABASE and has been removed since. The next value is unknown.
    if (declared === null && ROLE_SOURCES.has(source)) return fault('is no longer set for the role', true)
    const next = declared ?? initial
    if (!required.accepts(next)) return fault(`is ${next} for new connections`, true)
    return required.accepts(current) ? [] : fault(`is ${current} on an open server connection`, false)
  })
}

/** Values of `pg_settings.source` for ALTER DATABASE, ALTER ROLE, ALTER ROLE IN DATABASE and ALTER ROLE ALL. */
const ROLE_SOURCES = new Set(['database', 'user', 'database user', 'global'])

type SettingRow = {
  readonly name: string
  readonly current: string
  /** The value at the start of this server connection. */
  readonly initial: string
  /** What ALTER ROLE or ALTER DATABASE declare for new connections, as it was written. */
  readonly declared: string | null
  readonly source: string
  /** "ALTER ROLE waybill IN DATABASE waybill", which has precedence over all other declarations. */
  readonly target: string
}

function settingsStatement() {
  return sql<SettingRow>`
    SELECT lower(name) AS name, setting AS current, reset_val AS initial, declared.value AS declared, source,
        format('ALTER ROLE %I IN DATABASE %I', session_user, current_database()) AS target
      FROM pg_settings
      LEFT JOIN LATERAL (
        SELECT substr(entry, strpos(entry, '=') + 1) AS value
          FROM pg_db_role_setting CROSS JOIN unnest(setconfig) AS entry
          WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
            AND setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = session_user))
            AND lower(split_part(entry, '=', 1)) = lower(pg_settings.name)
          ORDER BY (setrole <> 0 AND setdatabase <> 0) DESC, setrole <> 0 DESC, setdatabase <> 0 DESC
          LIMIT 1
      ) AS declared ON true
      WHERE lower(name) = ANY (${Object.keys(REQUIRED)}::text[])`
}
