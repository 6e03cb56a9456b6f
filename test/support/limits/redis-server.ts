/** A real Valkey or Redis server. Tests that need one are skipped where neither is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Set REDIS_SERVER to use another program. */
const PROGRAM =
  [process.env['REDIS_SERVER'], 'valkey-server', 'redis-server'].find(
    (program) => program && spawnSync(program, ['--version']).status === 0,
  ) ?? ''

/** Undefined: not installed. */
export const redisProgram = PROGRAM === '' ? undefined : PROGRAM

if (redisProgram === undefined)
  process.stdout.write(
    'Neither valkey-server nor redis-server is installed; the tests of shared limits on it are skipped.\n',
  )

export type RedisServer = {
  readonly url: string
  /** Ends the server at once; what it knew is lost. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** It keeps its connections and answers nothing. */
  freeze(): void
  thaw(): void
}

/** The files of a certificate authority, and of a server at 127.0.0.1 and localhost. */
export type Certificates = { readonly ca: string; readonly certificate: string; readonly key: string }

/** Undefined: the server, its TLS, or openssl is not installed. */
export const redisTlsProgram =
  redisProgram !== undefined && hasTls() && spawnSync('openssl', ['version']).status === 0
    ? redisProgram
    : undefined

if (redisProgram !== undefined && redisTlsProgram === undefined)
  process.stdout.write('The server has no TLS, or openssl is not installed; the tests of TLS are skipped.\n')

/** A server that was built without TLS refuses the option. */
function hasTls(): boolean {
  const { stdout } = spawnSync(PROGRAM, ['--port', '0', '--tls-port', '0', '--unixsocket', '/none/none'])
  return !/Bad directive/.test(String(stdout))
}

/** Writes new certificates into a new folder. */
export function certificatesFor(folder: string): Certificates {
  mkdirSync(folder)
  const run = (...words: string[]): void => {
    const { status, stderr } = spawnSync('openssl', words, { cwd: folder })
    if (status !== 0) throw new Error(`openssl failed: ${stderr}`)
  }
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  run(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=test authority',
  )
  run('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=redis')
  writeFileSync(path.join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost')
  run(
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-days', '2', '-extfile', 'names', '-out', 'server.pem'],
  )
  const [ca, certificate, serverKey] = ['ca.pem', 'server.pem', 'server.key'].map((name) =>
    path.join(folder, name),
  )
  return { ca: ca!, certificate: certificate!, key: serverKey! }
}

type RedisOptions = { readonly certificates?: Certificates; readonly password?: string }

function tlsArguments(port: number, { ca, certificate, key }: Certificates): string[] {
  return [
    ...['--port', '0', '--tls-port', `${port}`, '--tls-auth-clients', 'no'],
    ...['--tls-ca-cert-file', ca, '--tls-cert-file', certificate, '--tls-key-file', key],
  ]
}

export async function startRedis({ certificates, password }: RedisOptions = {}): Promise<RedisServer> {
  const port = await freePort()
  const listen = certificates === undefined ? ['--port', `${port}`] : tlsArguments(port, certificates)
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    child = spawn(
      PROGRAM,
      [
        ...[...listen, '--bind', '127.0.0.1', '-127.0.0.2', '--save', '', '--appendonly', 'no'],
        ...(password === undefined ? [] : ['--requirepass', password]),
      ],
      { stdio: 'ignore' },
    )
    for (let tries = 0; !(await answers(port)); tries++) {
      if (tries > 200) throw new Error('the server does not answer')
      await pause(25)
    }
  }
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  await start()
  return {
    url: `${certificates === undefined ? 'redis' : 'rediss'}://127.0.0.1:${port}`,
    ...{ kill, start },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}
