/** Child processes of a run. Each holds a pipe from its parent and ends when the pipe closes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import path from 'node:path'
import { removeAtTheEnd } from '../scratch-database.ts'

/** For the child: sends itself SIGTERM when the pipe closes. */
export function endWithParent(): void {
  process.stdin.resume()
  process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM'))
  // Without this, the open pipe would keep the process running.
  if (process.stdin instanceof Socket) process.stdin.unref()
}

export type Child = {
  /** The first group of `ready` in its output. */
  readonly output: string
  stop(): Promise<void>
  /** Ends it with SIGKILL. */
  kill(): Promise<void>
}

const READY_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 20_000

/** Starts a script of this folder and waits until its output matches `ready`. */
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
      // In its own process group, so that Ctrl-C does not reach it. The parent stops it.
      detached: true,
    },
  )
  const stop = removeAtTheEnd(() => ended(child))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await stop()
  }
  return { output: await readyOutput(child, ready), stop, kill }
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(WAYBILL_|NODE_ENV|VITEST)/.test(name)))
}

function readyOutput(child: ChildProcess, ready: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => reject(new Error(`a process did not get ready: ${text}`)), READY_LIMIT_MS)
    child.stdout?.on('data', (chunk) => {
      text += chunk
      const found = ready.exec(text)?.[1]
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`a process ended with ${code}: ${text}`))
    })
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  if (!child.killed) child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await gone
  clearTimeout(timer)
}
