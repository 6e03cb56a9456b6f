/**
 * The database of the campaign and the ways to kill it: a dedicated durable server, a database on a given
 * server, or the embedded server of the only replica. Queries of the campaign itself are repeated while it is
 * unavailable.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../../src/store/database/migrate.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { seedDemo } from '../../../src/store/demo/reset.ts'
import { clusterIn } from '../../../src/store/embedded-postgres/data-folder.ts'
import {
  type EmbeddedServer,
  runningServer,
  startEmbeddedServer,
} from '../../../src/store/embedded-postgres/server.ts'
import { makeThrowAwayFolder, removeLeftovers } from '../../support/app/throw-away-folder.ts'
import { runStatements, sourceFor, type TestSource } from '../../support/database/test-server.ts'

/** `backends`: terminates all sessions. `server`: SIGKILL of the whole server. */
export type DatabaseKill = 'backends' | 'server'

export type CampaignDatabase = {
  /** Printed at the start. */
  readonly description: string
  /** Settings that connect a replica to it. */
  readonly settings: Readonly<Record<string, string>>
  readonly kills: readonly DatabaseKill[]
  /** Repeated while the database is unavailable, so the statement must be idempotent. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /**
   * Resolves when a killed server runs again. Does not wait for an embedded server, which its replica
   * restarts.
   */
  kill(how: DatabaseKill): Promise<void>
  close(): Promise<void>
}

/** How long a query is repeated. */
const PATIENCE_MS = 60_000

const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

/** A dedicated durable server in a folder that is removed at the end. */
export async function dedicatedServer(): Promise<CampaignDatabase> {
  const folder = throwAwayFolder()
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const dataDir = join(folder, 'data')
  let server: EmbeddedServer
  let lost: () => void = () => {}
  const start = () => startEmbeddedServer({ dataDir, durable: true, onUnexpectedEnd: () => lost() })
  try {
    server = await start()
    await prepare(server.connection)
  } catch (error) {
    remove()
    throw error
  }
  const query = retrying(() => server.connection)
  return {
    description: 'a dedicated server, fsync on',
    settings: { DATABASE_URL: urlOf(server.connection), ...READY },
    kills: ['backends', 'server'],
    query,
    async kill(how) {
      if (how === 'backends') return terminate(query)
      const gone = new Promise<void>((resolve) => {
        lost = resolve
      })
      if (!killServer(dataDir)) throw new Error('the server of the campaign is not running')
      await gone
      server = await start()
    },
    async close() {
      await server.stop()
      remove()
    },
  }
}

/** A database on an existing server, dropped at the end. Only sessions can be killed. */
export async function databaseOn(serverUrl: string): Promise<CampaignDatabase> {
  const name = `waybill_crash_${randomBytes(6).toString('hex')}`
  const source = sourceFor(serverUrl, name)
  const drop = () => runStatements(serverUrl, `drop database if exists "${name}" with (force)`)
  await runStatements(serverUrl, `create database "${name}" template template0 encoding 'UTF8'`)
  try {
    await prepare(source)
  } catch (error) {
    await drop()
    throw error
  }
  return {
    ...databaseAt(source),
    description: 'a database on the server that TEST_DATABASE_URL names: only backends can be killed',
    close: async () => {
      await drop()
    },
  }
}

/** An existing database. It is not removed. Only sessions can be killed. */
export function databaseAt(source: TestSource): CampaignDatabase {
  const query = retrying(() => source)
  return {
    description: 'an existing database: only backends can be killed',
    settings: { DATABASE_URL: urlOf(source), ...READY },
    kills: ['backends'],
    query,
    kill: () => terminate(query),
    close: async () => {},
  }
}

/** The data folder of the embedded server. A replica creates and starts the server. */
export function embeddedServer(): CampaignDatabase {
  const folder = throwAwayFolder()
  const dataDir = join(folder, 'data')
  return {
    description: 'the embedded server of the only replica',
    settings: { DATA_DIR: dataDir, ...QUIET },
    kills: ['server'],
    query: retrying(() => runningServer(dataDir)),
    async kill() {
      killServer(dataDir)
    },
    async close() {
      // The supervisor stops the server after its replica has ended.
      for (let waited = 0; isServing(dataDir) && waited < 30_000; waited += 50) await pause(50)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Alerts are errors. */
const QUIET = { PORT: '0', LOG_LEVEL: 'error', WAYBILL_PLAYGROUND: 'false' }
/** The callers use the demo keys, which are accepted only with demo data. */
const READY = { ...QUIET, WAYBILL_DEMO_DATA: 'true' }

function throwAwayFolder(): string {
  removeLeftovers()
  // On disk: in a file system in memory, fsync would have no effect.
  const folder = makeThrowAwayFolder(tmpdir())
  // A server that runs as `nobody` needs access to the folder.
  chmodSync(folder, 0o755)
  return folder
}

async function prepare(source: TestSource): Promise<void> {
  await migrate(source)
  const db = openDatabase(source, { poolSize: 2, statementTimeoutMs: 0 })
  try {
    await seedDemo(db)
  } finally {
    await db.destroy()
  }
}

function urlOf(source: TestSource): string {
  if (typeof source === 'string') return source
  const { host, port, user, database } = source
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

function retrying(sourceOf: () => TestSource | undefined): CampaignDatabase['query'] {
  return async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const startedAt = performance.now()
    for (;;) {
      try {
        const source = sourceOf()
        if (source === undefined) throw new Error('the database is unavailable')
        return await queryOnce<Row>(source, text, values)
      } catch (error) {
        const isMistake = /^(22|23|42)/.test(String((error as { code?: unknown }).code ?? ''))
        if (isMistake || performance.now() - startedAt > PATIENCE_MS) throw error
        await pause(100)
      }
    }
  }
}

async function queryOnce<Row extends object>(
  source: TestSource,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = new pg.Client(
    typeof source === 'string' ? { connectionString: source } : { ...source, ssl: false },
  )
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end().catch(() => {})
  }
}

async function terminate(query: CampaignDatabase['query']): Promise<void> {
  await query(TERMINATE)
}

function killServer(dataDir: string): boolean {
  /** SIGKILL. False if the server was not running. */
  const pid = serverPid(dataDir)
  return pid !== undefined && process.kill(pid, 'SIGKILL')
}

/** The process id, if the process certainly belongs to this data folder. */
function serverPid(dataDir: string): number | undefined {
  const cluster = clusterIn(dataDir)
  try {
    const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster) ? pid : undefined
  } catch {
    return undefined
  }
}

function isServing(dataDir: string): boolean {
  return serverPid(dataDir) !== undefined
}
