/**
 * Creates and drops the databases of a test run. Their names share a prefix per run, which separates concurrent runs
 * on one TEST_DATABASE_URL server and allows leftovers to be dropped.
 */
import pg from 'pg'
import type { ServerAddress } from '../../../src/store/embedded-postgres/server.ts'

/** A DATABASE_URL, or the address of a server on a unix socket. */
export type TestSource = string | ServerAddress

/** Passed from the global set-up to the test files. CREATE DATABASE runs on `maintenance`. */
export interface TestServer {
  readonly maintenance: TestSource
  /** For example 'waybill_test_3f9a1c'. The template is `<prefix>_template`, clones are `<prefix>_<…>`. */
  readonly prefix: string
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

/** The same server, another database. */
export function sourceFor(source: TestSource, database: string): TestSource {
  if (typeof source !== 'string') return { ...source, database }
  const url = new URL(source)
  url.pathname = `/${database}`
  return url.toString()
}

/** A database as a DATABASE_URL, for a separate process. */
export function urlOf(source: TestSource): string {
  if (typeof source === 'string') return source
  const { host, port, user, database } = source
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

/** Runs statements in order on a new connection, and returns the rows of the last one. */
export async function runStatements(
  source: TestSource,
  ...statements: readonly string[]
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(
    typeof source === 'string' ? { connectionString: source } : { ...source, ssl: false },
  )
  // The failed query reports the error. An error event without a handler ends the process.
  client.on('error', () => {})
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) {
      const result = await client.query<Record<string, unknown>>(statement)
      rows = result.rows
    }
    return rows
  } finally {
    await client.end()
  }
}

/** Drops all databases of a run, even if they have connections. */
export async function dropDatabases({ maintenance, prefix }: TestServer): Promise<void> {
  const rows = await runStatements(
    maintenance,
    `select datname from pg_database where datname like '${prefix.replaceAll('_', '\\_')}\\_%'`,
  )
  const drops = rows.map(({ datname }) => `drop database if exists "${String(datname)}" with (force)`)
  await runStatements(maintenance, ...drops)
}
