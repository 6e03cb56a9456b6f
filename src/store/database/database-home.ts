/** Locates the database: the server that DATABASE_URL names, or the embedded server on the data folder. */
import { runningServer, type ServerAddress, startEmbeddedServer } from '../embedded-postgres/server.ts'
import type { DatabaseSource } from './open.ts'

export type DatabaseChoice = {
  /** Absent: the embedded server. */
  readonly databaseUrl: string | undefined
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
  { databaseUrl, dataDir }: DatabaseChoice,
  onUnexpectedEnd: (reason: string) => void = () => {},
): Promise<DatabaseHome> {
  if (databaseUrl !== undefined)
    return { source: databaseUrl, description: describeUrl(databaseUrl), close: async () => {} }
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
