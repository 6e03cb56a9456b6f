/**
 * A process that owns an embedded server: `server-owner.ts <dataDir> <action>`. It prints
 * `ready`, then for `insert` each number that it has committed, one per line; for `leave` it ends without stopping
 * the server; for `refuse` it expects an error and prints it.
 */
import pg from 'pg'
import { startEmbeddedServer } from '../../../src/store/embedded-postgres/server.ts'

const [dataDir = '', task = 'insert'] = process.argv.slice(2)

try {
  const server = await startEmbeddedServer({ dataDir, durable: true })
  console.log('ready')
  if (task === 'insert') await insertForEver(server.connection)
  // `leave`: the process ends here, since it has no pending work.
} catch (error) {
  console.log((error as Error).message)
  process.exitCode = 3
}

async function insertForEver(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, ssl: false })
  await client.connect()
  await client.query('create table if not exists committed (n bigint)')
  for (let n = 1; ; n += 1) {
    await client.query('insert into committed values ($1)', [n])
    console.log(n)
  }
}
