/** One process of the real service, as an operator would start it, watched for dying and for what it logs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Undo } from './undo.ts'

/** A service that answers. */
export type Replica = {
  readonly origin: string
  /** Why it is not running any more; undefined while it is. */
  ended(): string | undefined
  /** Lines of its log at level error or worse, but for the alerts, which are meant for people. */
  readonly errors: readonly string[]
  /** How often its log names each error of the database, by SQLSTATE or system error. */
  readonly codes: Readonly<Record<string, number>>
  /** Whether it says that it is ready for requests. */
  ready(): Promise<boolean>
}

const repository = path.resolve(import.meta.dirname, '../../..')
const STOP_MS = 20_000

/** Starts a replica on a database, with the demonstration in it, and waits until it listens. */
export async function startReplica(
  undo: Undo,
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<Replica> {
  const clean = Object.entries(process.env).filter(([name]) => !/^(WAYBILL_|NODE_ENV|VITEST|PG)/.test(name))
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: repository,
    env: {
      ...Object.fromEntries(clean),
      DATABASE_URL: databaseUrl,
      PORT: '0',
      LOG_LEVEL: 'warn',
      WAYBILL_DEMO_DATA: 'true',
      WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let end: string | undefined
  child.once('exit', (code, signal) => {
    end = `ended with ${code ?? signal}`
  })
  undo.add(() => stop(child))
  const errors: string[] = []
  const codes: Record<string, number> = {}
  const origin = await listening(child, (line) => {
    const code = /"code":"(\w+)"/.exec(line)?.[1]
    if (code !== undefined) codes[code] = (codes[code] ?? 0) + 1
    if (/"level":"(error|fatal)"/.test(line) ? !line.includes('"alert"') : !line.startsWith('{'))
      errors.push(inShort(line))
  })
  return {
    origin,
    errors,
    codes,
    ended: () => end,
    ready: async () => {
      const reply = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(3_000) }).catch(
        () => undefined,
      )
      return reply?.status === 200
    },
  }
}

function listening(child: ChildProcess, onLine: (line: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let greeting: string[] | undefined = []
    const read = (line: string): void => {
      if (greeting === undefined) {
        onLine(line)
        return
      }
      greeting.push(line)
      const origin = /GraphQL\s+(\S+)\/graphql/.exec(greeting.join('\n'))?.[1]
      if (origin === undefined || !line.includes('/cancel')) return
      greeting = undefined
      resolve(origin)
    }
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null) createInterface({ input: stream }).on('line', (line) => line !== '' && read(line))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the replica ended with ${code}\n${greeting?.join('\n')}`)))
  })
}

/** What went wrong, without the rest of the line. */
function inShort(line: string): string {
  const [, code] = /"code":"(\w+)"/.exec(line) ?? []
  const [, said] = /"message":"((?:[^"\\]|\\.)*)"/.exec(line) ?? []
  return said === undefined ? line.slice(0, 300) : `${code ?? 'no code'}: ${said.slice(0, 300)}`
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await gone
  clearTimeout(impatience)
}
