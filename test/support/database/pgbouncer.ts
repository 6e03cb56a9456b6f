/** A real PgBouncer in front of the test server. Tests that need one are skipped where the program is not installed. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runStatements, type TestSource } from './test-server.ts'

/** Set PGBOUNCER to use another program. Debian installs it in /usr/sbin, which may not be in the path. */
const PROGRAM =
  [process.env['PGBOUNCER'], 'pgbouncer', '/usr/sbin/pgbouncer'].find(
    (program) => program && spawnSync(program, ['--version']).status === 0,
  ) ?? ''

/** For example '1.18.0'. Undefined: not installed. */
export const pgbouncerVersion =
  PROGRAM === ''
    ? undefined
    : /(\d+\.\d+\.\d+)/.exec(spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' }).stdout)?.[1]

/** Whether this version can track prepared statements (1.21 and later). */
export const tracksStatements = Number(pgbouncerVersion?.split('.')[1] ?? 0) >= 21

export type Pgbouncer = {
  /** A DATABASE_URL through the pooler. */
  url(database: string): string
  /** Runs a command on the console, such as RECONNECT. */
  command(text: string): Promise<void>
  close(): Promise<void>
}

export type PgbouncerOptions = {
  readonly poolMode: 'transaction' | 'session'
  /** Server connections per database; default 6. */
  readonly poolSize?: number
  /** Only if `tracksStatements`. */
  readonly maxPreparedStatements?: number
}

/** Starts PgBouncer in front of the server of `source`. */
export async function startPgbouncer(
  source: TestSource,
  { poolMode, poolSize = 6, maxPreparedStatements = 0 }: PgbouncerOptions,
): Promise<Pgbouncer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waybill-pgbouncer-'))
  chmodSync(folder, 0o755)
  const relay = await relayTo(source)
  const port = await freePort()
  const file = path.join(folder, 'pgbouncer.ini')
  const users = path.join(folder, 'users.txt')
  writeFileSync(users, `"${userOf(source)}" ""\n`)
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${portOf(relay)} user=${userOf(source)}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    `admin_users = ${userOf(source)}`,
    `pool_mode = ${poolMode}`,
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 200',
    ...(tracksStatements ? [`max_prepared_statements = ${maxPreparedStatements}`] : []),
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['--user', 'nobody'] : []
  const child = spawn(PROGRAM, ['--quiet', ...user, file], { stdio: 'ignore' })
  const url = (database: string) => `postgres://${userOf(source)}@127.0.0.1:${port}/${database}`
  const command = async (text: string): Promise<void> => {
    await runStatements(url('pgbouncer'), text)
  }
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    relay.close()
    rmSync(folder, { recursive: true, force: true })
  }
  for (let tries = 0; ; tries++) {
    try {
      await command('SHOW VERSION')
      return { url, command, close }
    } catch (error) {
      if (tries >= 100) {
        await close()
        throw error
      }
      await pause(50)
    }
  }
}

/** Makes a server on a unix socket reachable by port. The user of PgBouncer may not have access to the socket. */
async function relayTo(source: TestSource): Promise<Server> {
  const target = targetOf(source)
  const relay = createServer((client) => {
    const server = connect(target)
    client.pipe(server).pipe(client)
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const)
      socket.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  return relay
}

function targetOf(source: TestSource): { path: string } | { host: string; port: number } {
  if (typeof source !== 'string') return { path: path.join(source.host, `.s.PGSQL.${source.port}`) }
  const { hostname, port } = new URL(source)
  return { host: hostname, port: Number(port || 5432) }
}

function userOf(source: TestSource): string {
  return typeof source === 'string' ? new URL(source).username : source.user
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}
