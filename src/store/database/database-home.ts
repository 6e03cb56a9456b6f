/**
 * Where the database is: the server that DATABASE_URL names, or the embedded one on the data folder. One code
 * path from here on: same driver, same dialect, same migrations.
 */
import { runningServer, type ServerAddress, startEmbeddedServer } from '../embedded-postgres/server.ts'
import type { DatabaseSource } from './open.ts'

/** Which database is wanted. */
export type DatabaseChoice = {
  /** Absent: the embedded server. */
  readonly databaseUrl: string | undefined
  /** The embedded server's folder. */
  readonly dataDir: string
}

/** A database that can be opened until it is closed. */
export type DatabaseHome = {
  readonly source: DatabaseSource
  /** For people: "PostgreSQL at db:5432/waybill", "embedded PostgreSQL in .waybill". */
  readonly description: string
  /** Stops the embedded server if this process started it. */
  close(): Promise<void>
}

/** Makes the database available. `onUnexpectedEnd` is told when the embedded server dies. */
export async function openDatabaseHome(
  { databaseUrl, dataDir }: DatabaseChoice,
  onUnexpectedEnd: (reason: string) => void = () => {},
): Promise<DatabaseHome> {
  if (databaseUrl !== undefined) return elsewhere(databaseUrl, describeUrl(databaseUrl))
  const server = await startEmbeddedServer({ dataDir, durable: true, onUnexpectedEnd })
  return {
    source: server.connection,
    description: `embedded PostgreSQL in ${dataDir}`,
    close: () => server.stop(),
  }
}

/** The same for a command beside the service: joins the embedded server of a running service. */
export async function joinDatabaseHome(choice: DatabaseChoice): Promise<DatabaseHome> {
  const running = choice.databaseUrl === undefined ? runningServer(choice.dataDir) : undefined
  if (running === undefined) return openDatabaseHome(choice)
  return elsewhere(running, `embedded PostgreSQL of the running service in ${choice.dataDir}`)
}

function elsewhere(source: string | ServerAddress, description: string): DatabaseHome {
  return { source, description, close: async () => {} }
}

function describeUrl(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return `PostgreSQL at ${host}${pathname}`
}
