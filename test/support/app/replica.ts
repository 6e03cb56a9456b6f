/** The service in a process of its own, on a test database with demo data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { devNull } from 'node:os'
import path from 'node:path'
import type { ClonedDatabase } from '../database/clone-database.ts'
import { urlOf } from '../database/test-server.ts'
import { programArguments } from './compiled-programs.ts'

const repository = path.resolve(import.meta.dirname, '../../..')

export type Replica = {
  readonly origin: string
  readonly child: ChildProcess
  /** The standard output so far. */
  printed(): string
}

/** Resolves when the replica answers requests. Rejects if it ends before. */
export async function startReplica(
  { source }: ClonedDatabase,
  settings: Readonly<Record<string, string>> = {},
): Promise<Replica> {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(WAYBILL_|NODE_ENV|VITEST)/.test(name)),
  )
  const child = spawn(process.execPath, programArguments('src/main.ts'), {
    cwd: repository,
    env: {
      ...clean,
      ...{ DATABASE_URL: urlOf(source), PORT: '0', LOG_LEVEL: 'warn' },
      ...{ WAYBILL_DEMO_DATA: 'true', WAYBILL_JOURNAL: devNull, WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000' },
      // Other tests may occupy the processor.
      WAYBILL_OVERLOAD_WAIT_MS: '60000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const origin = /GraphQL\s+(\S+)\/graphql/.exec(printed)?.[1]
      if (origin !== undefined && printed.includes('/cancel'))
        resolve({ origin, child, printed: () => printed })
    })
    child.once('exit', (code) => reject(new Error(`the replica ended with ${code}: ${printed}`)))
  })
}

/** Waits until the process is gone. No effect if it has ended. */
export async function stopReplica({ child }: Replica, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
