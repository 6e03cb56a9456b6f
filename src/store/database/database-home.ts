/**
 * Locates the database: the server that DATABASE_URL names, or the embedded server on the data folder. Waits at start
 * for a server that is unavailable, for example because it starts at the same time.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { runningServer, type ServerAddress, startEmbeddedServer } from '../embedded-postgres/server.ts'
import { type DatabaseSource, openDatabase } from './open.ts'
import { isOutage } from './outage.ts'

export type DatabaseChoice = {
  /** Absent: the embedded server. */
  readonly databaseUrl: string | undefined
  /** False: statements of an external database are not named. */
  readonly namedStatements: boolean
  /** Whether `databaseUrl` leads to a transaction pooler. */
  readonly transactionPooler: boolean
  /** The embedded server's folder. */
  readonly dataDir: string
}

export type DatabaseHome = {
  readonly source: DatabaseSource
  /** For messages: "PostgreSQL at db:5432/waybill", "embedded PostgreSQL in .waybill". */
  readonly description: string
  /**
   * A sentence that explains how to replace a database that this version cannot use. Absent for an operator's server.
   */
  readonly replacement?: string
  /** Stops the embedded server if this process started it. */
  close(): Promise<void>
}

/** Starts the embedded server unless a URL is given. `onUnexpectedEnd` is called when the embedded server dies. */
export async function openDatabaseHome(
  { databaseUrl, dataDir, namedStatements, transactionPooler }: DatabaseChoice,
  onUnexpectedEnd: (reason: string) => void = () => {},
): Promise<DatabaseHome> {
  if (databaseUrl !== undefined)
    return {
      source: { connectionString: databaseUrl, namedStatements, transactionPooler },
      description: describeUrl(databaseUrl),
      close: async () => {},
    }
  const server = await startEmbeddedServer({ dataDir, durable: true, onUnexpectedEnd })
  return {
    source: server.connection,
    description: `embedded PostgreSQL in ${dataDir}`,
    replacement: deleteFolder(dataDir),
    close: () => server.stop(),
  }
}

/** For commands: connects to the embedded server of a running service, or starts it if no service is running. */
export async function joinDatabaseHome(choice: DatabaseChoice): Promise<DatabaseHome> {
  const running: ServerAddress | undefined =
    choice.databaseUrl === undefined ? runningServer(choice.dataDir) : undefined
  if (running === undefined) return openDatabaseHome(choice)
  return {
    source: running,
    description: `embedded PostgreSQL of the running service in ${choice.dataDir}`,
    replacement: deleteFolder(choice.dataDir),
    close: async () => {},
  }
}

function deleteFolder(dataDir: string): string {
  return (
    `To start with a new database, delete the folder ${dataDir}. ` +
    'If you need its data, keep a copy of the folder and import the data again (docs/production.md#upgrade).'
  )
}

function describeUrl(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return `PostgreSQL at ${host}${pathname}`
}

export type WaitOptions = {
  /** How long to wait in total; 0 tries once. */
  readonly limitMs: number
  /** Ends the wait at once; the result is then rejected with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Called once, when the first try has failed. */
  onWait(reason: string): void
  /** Called once after a wait, when the database is available. */
  onAvailable(waitedMs: number): void
}

/** Doubled after each failure. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000
const CONNECT_MS = 2_000

/**
 * Runs `prepare` when the database answers. Repeats it while it fails because of an outage; it must therefore be
 * idempotent. Other errors are thrown at once. Rejects when the limit is reached; a running `prepare` may exceed it.
 */
export async function whenAvailable<Result>(
  home: DatabaseHome,
  prepare: () => Promise<Result>,
  { limitMs, signal, onWait, onAvailable }: WaitOptions,
): Promise<Result> {
  const startedAt = performance.now()
  const waitedMs = () => Math.round(performance.now() - startedAt)
  let isWaiting = false
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      await unlessAborted(connectOnce(home), signal)
      const connectedAfterMs = waitedMs()
      const result = await unlessAborted(prepare(), signal)
      if (isWaiting) onAvailable(connectedAfterMs)
      return result
    } catch (error) {
      signal?.throwIfAborted()
      if (!isOutage(error)) throw error
      const leftMs = limitMs - waitedMs()
      if (leftMs <= 0) throw unavailable(home, limitMs, error)
      if (!isWaiting) onWait(reasonOf(error))
      isWaiting = true
      await unlessAborted(delay(Math.min(pauseMs, leftMs)), signal)
    }
  }
}

async function connectOnce({ source }: DatabaseHome): Promise<void> {
  const db = openDatabase(source, { poolSize: 1, connectionWaitMs: CONNECT_MS })
  try {
    await sql`SELECT 1`.execute(db)
  } finally {
    await db.destroy()
  }
}

/** Rejects with the reason of the signal as soon as it is aborted. The work continues. */
async function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work
  let stop = () => {}
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
  })
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
    work.catch(() => {})
  }
}

function unavailable({ description }: DatabaseHome, limitMs: number, cause: unknown): Error {
  const during = limitMs === 0 ? 'is unavailable' : `was unavailable for ${limitMs / 1_000} s`
  return new Error(`${description} ${during}: ${reasonOf(cause)}`, { cause })
}

/** A code such as ECONNREFUSED or 57P03, or a message of the driver. Messages of servers may name users. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return typeof code === 'string' ? code : String(message)
}
