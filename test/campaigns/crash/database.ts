/**
 * The campaign's database, and how it is killed: a durable server of its own, a database on a server that is there, or
 * the embedded server of the one replica. Whatever happens to it, the campaign's own questions are asked until they
 * are answered.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../../src/store/database/migrate.ts'
import { type DatabaseSource, openDatabase } from '../../../src/store/database/open.ts'
import { clusterIn } from '../../../src/store/embedded-postgres/data-folder.ts'
import {
  type EmbeddedServer,
  runningServer,
  startEmbeddedServer,
} from '../../../src/store/embedded-postgres/server.ts'
import { makeThrowAwayFolder, removeLeftovers } from '../../support/app/throw-away-folder.ts'
import { seedTemplate } from '../../support/database/seed-template.ts'
import { runStatements, sourceFor } from '../../support/database/test-server.ts'

/** Ways to kill a database: all its backends at once, or the whole server without warning. */
export type DatabaseKill = 'backends' | 'server'

/** A database of the campaign. */
export type CampaignDatabase = {
  /** For the log. */
  readonly description: string
  /** The settings by which a replica finds it. */
  readonly settings: Readonly<Record<string, string>>
  readonly kills: readonly DatabaseKill[]
  /** Asks again while the database is away; so the statement must be one that can be run twice. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Kills, and resolves when a killed server is back. For an embedded one nobody waits: its replica brings it back. */
  kill(how: DatabaseKill): Promise<void>
  close(): Promise<void>
}

/** How long the campaign asks a database that is away. */
const PATIENCE_MS = 60_000

const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

/** A server of its own, durable, on a folder that is removed at the end. */
export async function ownServer(): Promise<CampaignDatabase> {
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
  const query = asking(() => server.connection)
  return {
    description: `a server of its own (${server.how}), fsync on`,
    settings: { DATABASE_URL: urlOf(server.connection), ...READY },
    kills: ['backends', 'server'],
    query,
    async kill(how) {
      if (how === 'backends') return terminate(query)
      const gone = new Promise<void>((resolve) => {
        lost = resolve
      })
      if (!killServer(dataDir)) throw new Error('the server of the campaign is not there to be killed')
      await gone
      server = await start()
    },
    async close() {
      await server.stop()
      remove()
    },
  }
}

/** A database on a server that is there, dropped at the end. Only backends can be killed. */
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

/** A database that somebody else made and removes. */
export function databaseAt(source: DatabaseSource): CampaignDatabase {
  const query = asking(() => source)
  return {
    description: 'a database that was there: only backends can be killed',
    settings: { DATABASE_URL: urlOf(source), ...READY },
    kills: ['backends'],
    query,
    kill: () => terminate(query),
    close: async () => {},
  }
}

/** The folder of the embedded server, which a replica makes and starts. */
export function embeddedServer(): CampaignDatabase {
  const folder = throwAwayFolder()
  const dataDir = join(folder, 'data')
  return {
    description: 'the embedded server of the one replica',
    settings: { DATA_DIR: dataDir, ...QUIET },
    kills: ['server'],
    query: asking(() => runningServer(dataDir)),
    async kill() {
      killServer(dataDir)
    },
    async close() {
      // The supervisor ends the server when its replica is gone.
      for (let waited = 0; isServing(dataDir) && waited < 30_000; waited += 50) await pause(50)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const QUIET = { PORT: '0', LOG_LEVEL: 'fatal', WAYBILL_PLAYGROUND: 'false' }
/** The demo keys, which the callers use, are accepted only where demo data is on. */
const READY = { ...QUIET, WAYBILL_DEMO_DATA: 'true' }

function throwAwayFolder(): string {
  removeLeftovers()
  // Not in memory, where fsync would mean nothing.
  const folder = makeThrowAwayFolder(tmpdir())
  // Others may pass, for a server that runs as nobody.
  chmodSync(folder, 0o755)
  return folder
}

async function prepare(source: DatabaseSource): Promise<void> {
  await migrate(source)
  const db = openDatabase(source, { poolSize: 2, statementTimeoutMs: 0 })
  try {
    await seedTemplate(db)
  } finally {
    await db.destroy()
  }
}

function urlOf(source: DatabaseSource): string {
  if (typeof source === 'string') return source
  const { host, port, user, database } = source
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

function asking(sourceOf: () => DatabaseSource | undefined): CampaignDatabase['query'] {
  return async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const startedAt = performance.now()
    for (;;) {
      try {
        const source = sourceOf()
        if (source === undefined) throw new Error('the database is away')
        return await askOnce<Row>(source, text, values)
      } catch (error) {
        const isMistake = /^(22|23|42)/.test(String((error as { code?: unknown }).code ?? ''))
        if (isMistake || performance.now() - startedAt > PATIENCE_MS) throw error
        await pause(100)
      }
    }
  }
}

async function askOnce<Row extends object>(
  source: DatabaseSource,
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

/** Without a moment to write anything down. False: it was not running. */
function killServer(dataDir: string): boolean {
  const pid = serverPid(dataDir)
  return pid !== undefined && process.kill(pid, 'SIGKILL')
}

/** The server's process, when it is certainly the one of this folder. */
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
