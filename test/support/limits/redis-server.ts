/** A real Valkey or Redis server. Tests that need one are skipped where neither is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
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

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    child = spawn(PROGRAM, ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    })
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
    url: `redis://127.0.0.1:${port}`,
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
