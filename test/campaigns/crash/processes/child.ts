/** Child processes of the campaign: read line by line, ended by process id. */

import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { programArguments } from '../../../support/app/compiled-programs.ts'

const repository = path.resolve(import.meta.dirname, '../../../..')

/** Settings of a service or a test in the environment do not apply to the children. */
const surroundings = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(WAYBILL_|NODE_ENV|VITEST|DATABASE_URL|DATA_DIR|HOST|PORT|LOG_LEVEL|PG)/.test(name),
  ),
)

/** An alert in the log. */
export type LoggedAlert = { readonly kind: string; readonly shipmentId?: string; readonly detail?: string }

/** The alert in a line of the log, if it is one. */
export function alertIn(line: string): LoggedAlert | undefined {
  if (!line.includes('"alert"')) return undefined
  try {
    return (JSON.parse(line) as { readonly alert?: LoggedAlert }).alert
  } catch {
    return undefined
  }
}

export type Child = {
  readonly pid: number
  /** Writes a line to standard input. The line is lost if the process has ended. */
  send(line: string): void
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): void
  /** Resolves when the process has ended, with its exit code or signal. */
  readonly gone: Promise<number | string>
  /** The end of its standard error. */
  errorOutput(): string
}

export type ChildOptions = {
  /** A file in this folder. */
  readonly file: string
  /** Its only argument, passed as JSON. */
  readonly argument: object
  readonly onLine: (line: string) => void
}

/** Starts a process. It ends with this one, because its standard input closes. */
export function startChild({ file, argument, onLine }: ChildOptions): Child {
  const child: ChildProcess = spawn(
    process.execPath,
    [...programArguments(`test/campaigns/crash/processes/${file}`), JSON.stringify(argument)],
    { cwd: repository, env: surroundings, stdio: ['pipe', 'pipe', 'pipe'] },
  )
  let errorOutput = ''
  child.stderr?.on('data', (chunk) => {
    errorOutput = `${errorOutput}${chunk}`.slice(-2_000)
  })
  // A line to a process that has just died is lost. That is expected.
  child.stdin?.on('error', () => {})
  const allRead = new Promise<void>((resolve) => {
    if (child.stdout === null) return resolve()
    createInterface({ input: child.stdout }).on('line', onLine).on('close', resolve)
  })
  return {
    pid: child.pid ?? 0,
    send: (line) => child.stdin?.write(`${line}\n`),
    kill: (signal) => child.kill(signal),
    // Output may still arrive after the exit.
    gone: new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code, signal) => void allRead.then(() => resolve(signal ?? code ?? 0)))
    }),
    errorOutput: () => errorOutput.trim(),
  }
}
