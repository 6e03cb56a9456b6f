/** What the parts of the service are opened with, and what has to be closed again. */
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { AcceptedCarriers } from '../carriers/configured-carriers.ts'
import type { Config } from '../config/config.ts'
import type { SpendingLink } from '../http/credentials.ts'
import type { LogOptions } from '../http/log.ts'
import type { Clock, Ports } from '../operations/ports/ports.ts'
import { withTimeout } from '../operations/ports/work.ts'
import type { Database } from '../store/database/database.ts'
import type { DatabaseHome } from '../store/database/database-home.ts'

/** Overrides for tests. The service sets only `onDatabaseLost` and `signal`, and its
 * workers `database`, `log`, `spendingLink`, `shareMetrics`, `testsCarriers` and `acceptedCarriers`. */
export type AppOptions = {
  readonly clock?: Clock
  readonly log?: LogOptions
  /** Used instead of the configured database. */
  readonly database?: DatabaseHome
  /** Wraps the ports, for example to inject faults. */
  readonly wrapPorts?: (ports: Ports) => Ports
  /** Ends the wait for an unavailable database; `openApp` then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** See store/customs/live-customs.ts. */
  readonly customsWorker?: URL | undefined
  /** Set in a worker process. */
  readonly spendingLink?: SpendingLink
  /** Set in a worker process: the primary process reads the metrics of all workers, and serves them. */
  readonly shareMetrics?: (read: () => Promise<object | undefined>) => void
  /** Whether the credentials of the carriers are tested at start. Default: true. One worker of a service does it. */
  readonly testsCarriers?: boolean
  /** Set in a worker process. */
  readonly acceptedCarriers?: AcceptedCarriers
  /** Called if the embedded database stops while the service runs. */
  onDatabaseLost?(reason: string): void
}

/** What every part of the app is opened with. */
export type Context = {
  readonly config: Config
  readonly home: DatabaseHome
  readonly log: FastifyBaseLogger
  readonly options: AppOptions
}

/** What has to be closed: first everything that follows the database, then the connections. */
export type Opened = {
  readonly followers: { close(): Promise<void> }[]
  readonly databases: Kysely<Database>[]
}

const DATABASE_CLOSE_MS = 3_000

export async function closeOpened({ followers, databases }: Opened): Promise<void> {
  const close = async (): Promise<void> => {
    await Promise.all(followers.map((follower) => follower.close()))
    await Promise.all(databases.map((db) => db.destroy()))
  }
  // Reading whole tables from a database that does not respond may take a minute.
  await withTimeout(close(), DATABASE_CLOSE_MS, () => undefined)
}
