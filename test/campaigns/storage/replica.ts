/** One process of the real service, watched for its exit and its log. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Undo } from './undo.ts'

export type Replica = {
  readonly origin: string
  /** Why it ended; undefined while it runs. */
  ended(): string | undefined
  /** Log lines of level error or fatal, without alerts, which are expected. */
  readonly errors: readonly string[]
  /** Counts of database errors in the log, by SQLSTATE or system error. */
  readonly codes: Readonly<Record<string, number>>
  /** The lines of the journal. */
  readonly journal: readonly string[]
  /** Whether `/readyz` returns 200. */
  ready(): Promise<boolean>
  /** Stops it with SIGTERM, and kills it if it does not end. */
  stop(): Promise<void>
}

const repository = path.resolve(import.meta.dirname, '../../..')
/** The longest time that a shutdown may take; see docs/operations.md. */
const STOP_MS = 35_000
const JOURNAL = /"(cancelledDraft|bookedShipment|openedCancellation|settledCancellation)"/

/** Settings of a service or a test in the environment do not apply to the processes of a campaign. */
export function environmentWith(
  settings: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const clean = Object.entries(process.env).filter(([name]) => !/^(WAYBILL_|NODE_ENV|VITEST|PG)/.test(name))
  return { ...Object.fromEntries(clean), ...settings }
}

/**
 * Starts a replica with demo data and waits until it listens. `folder` contains the code; default: this repository.
 * `onLogLine` gets each line of its log.
 */
export async function startReplica(
  undo: Undo,
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
  folder = repository,
  onLogLine: (line: string) => void = () => {},
): Promise<Replica> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: folder,
    env: environmentWith({
      DATABASE_URL: databaseUrl,
      PORT: '0',
      LOG_LEVEL: 'info',
      WAYBILL_LOG_SAMPLE_EVERY: '1000',
      WAYBILL_DEMO_DATA: 'true',
      WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000',
      ...settings,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let end: string | undefined
  child.once('exit', (code, signal) => {
    end = `ended with ${code ?? signal}`
  })
  undo.add(() => stop(child))
  const errors: string[] = []
  const codes: Record<string, number> = {}
  const journal: string[] = []
  const origin = await listening(child, (line) => {
    if (JOURNAL.test(line)) journal.push(line)
    onLogLine(line)
    const code = /"code":"(\w+)"/.exec(line)?.[1]
    if (code !== undefined) codes[code] = (codes[code] ?? 0) + 1
    if (/"level":"(error|fatal)"/.test(line) ? !line.includes('"alert"') : !line.startsWith('{'))
      errors.push(summaryOf(line))
  })
  return {
    origin,
    errors,
    codes,
    journal,
    ended: () => end,
    stop: () => stop(child),
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

/** Code and message of a log line. */
function summaryOf(line: string): string {
  const [, code] = /"code":"(\w+)"/.exec(line) ?? []
  const [, message] = /"message":"((?:[^"\\]|\\.)*)"/.exec(line) ?? []
  return message === undefined ? line.slice(0, 300) : `${code ?? 'no code'}: ${message.slice(0, 300)}`
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await gone
  clearTimeout(killTimer)
}
