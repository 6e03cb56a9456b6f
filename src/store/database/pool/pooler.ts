/**
 * Checks at start that WAYBILL_POOLER and WAYBILL_NAMED_STATEMENTS describe the server behind DATABASE_URL. Behind a
 * transaction pooler such as PgBouncer, two client connections may use the same server connection.
 * See docs/decisions/database.md#d250.
 */
import { Client, type QueryConfig } from 'pg'
import { OperatorError } from '../database.ts'
import { clientConfig, type DatabaseSource, isPooled } from '../open.ts'

/** Time limit of each connect and statement. */
const LIMIT_MS = 5_000

/** A pooler may give a client connection several server connections in turn. */
const ROUNDS = 10

/**
 * Throws an OperatorError if the configuration contradicts the server: it does not mention a transaction pooler, or
 * names statements that the pooler does not track. Other errors are those of the connection.
 */
export async function refuseUndeclaredPooler(source: DatabaseSource): Promise<void> {
  if (typeof source === 'object' && 'host' in source) return
  const isNamed = typeof source === 'string' || source.namedStatements
  if (isPooled(source) && !isNamed) return
  const clients = [connectionTo(source), connectionTo(source)] as const
  try {
    await Promise.all(clients.map((client) => client.connect()))
    if (isPooled(source)) await runNamedStatements(clients)
    else await refuseSharedConnections(clients)
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()))
  }
}

type Clients = readonly [Client, Client]

async function refuseSharedConnections([first, second]: Clients): Promise<void> {
  const [firstPid, secondPid] = [await serverPid(first), await serverPid(second)]
  for (let round = 0; round < ROUNDS; round++)
    if (
      firstPid === secondPid ||
      (await serverPid(first)) !== firstPid ||
      (await serverPid(second)) !== secondPid
    )
      throw new OperatorError(
        'DATABASE_URL leads to a transaction pooler, where settings of a session do not last. ' +
          'Set WAYBILL_POOLER=transaction (docs/operations.md#connection-poolers).',
      )
}

async function serverPid(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid
}

async function runNamedStatements(clients: Clients): Promise<void> {
  const statement: QueryConfig = { name: 'waybill_check', text: 'SELECT $1::int', values: [1] }
  try {
    for (let round = 0; round < ROUNDS; round++) for (const client of clients) await client.query(statement)
  } catch (error) {
    // invalid_sql_statement_name or duplicate_prepared_statement
    if (!['26000', '42P05'].includes(String((error as { code?: unknown }).code))) throw error
    throw new OperatorError(
      'The pooler does not track prepared statements. Remove WAYBILL_NAMED_STATEMENTS=true, or set ' +
        'max_prepared_statements in PgBouncer 1.21 or newer (docs/operations.md#connection-poolers).',
      { cause: error },
    )
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
