/** Processes of a run: each holds a pipe from the run, and ends when that does, however the run ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { removeAtTheEnd } from '../scratch-database.ts'

/** In the child: stops it as a SIGTERM would when the pipe is closed. */
export function endWithParent(): void {
  process.stdin.resume()
  process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM'))
  // The pipe alone keeps nobody running.
  ;(process.stdin as unknown as { unref(): void }).unref()
}

/** A process that has said that it is ready. */
export type Child = {
  /** What `ready` found in its output. */
  readonly said: string
  stop(): Promise<void>
}

const READY_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 20_000

/** Starts a script of this folder and waits until its output matches `ready`, whose first group it answers. */
export async function startChild(
  script: string,
  { args = [], env = {}, ready }: { args?: readonly string[]; env?: NodeJS.ProcessEnv; ready: RegExp },
): Promise<Child> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', path.join(import.meta.dirname, script), ...args],
    {
      env: { ...withoutSettings(process.env), ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
      // Not to be reached by Ctrl-C: the run stops it, in its order.
      detached: true,
    },
  )
  const stop = removeAtTheEnd(() => ended(child))
  return { said: await sayingOf(child, ready), stop }
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(WAYBILL_|NODE_ENV|VITEST)/.test(name)))
}

function sayingOf(child: ChildProcess, ready: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(() => reject(new Error(`a process did not get ready: ${said}`)), READY_LIMIT_MS)
    child.stdout?.on('data', (chunk) => {
      said += chunk
      const found = ready.exec(said)?.[1]
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`a process ended with ${code}: ${said}`))
    })
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await gone
  clearTimeout(timer)
}
