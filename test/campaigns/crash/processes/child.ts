/** Processes of the campaign: started with tsx, read line by line, ended by their pid alone. */
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'

const repository = path.resolve(import.meta.dirname, '../../../..')

/** Whatever the surroundings set for a service or a test is not meant for these. */
const surroundings = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(WAYBILL_|NODE_ENV|VITEST|DATABASE_URL|DATA_DIR|HOST|PORT|LOG_LEVEL|PG)/.test(name),
  ),
)

/** A process that runs. */
export type Child = {
  readonly pid: number
  /** Writes a line to its standard input; lost when it is gone. */
  say(line: string): void
  kill(signal: 'SIGKILL' | 'SIGTERM'): void
  /** Resolves when it is gone, with how: its exit code, or the signal. */
  readonly gone: Promise<number | string>
  /** The end of what it wrote to its standard error. */
  complaint(): string
}

/** How to start one. */
export type ChildOptions = {
  /** A file of this folder. */
  readonly file: string
  /** Its only argument, as JSON. */
  readonly argument: object
  readonly onLine: (line: string) => void
}

/** Starts a process; it ends with this one, since its standard input does. */
export function startChild({ file, argument, onLine }: ChildOptions): Child {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', 'tsx', path.join(import.meta.dirname, file), JSON.stringify(argument)],
    { cwd: repository, env: surroundings, stdio: ['pipe', 'pipe', 'pipe'] },
  )
  let complaint = ''
  child.stderr?.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-2_000)
  })
  // A line that is said to one who just died is lost, which is no fault.
  child.stdin?.on('error', () => {})
  const allRead = new Promise<void>((resolve) => {
    if (child.stdout === null) return resolve()
    createInterface({ input: child.stdout }).on('line', onLine).on('close', resolve)
  })
  return {
    pid: child.pid ?? 0,
    say: (line) => child.stdin?.write(`${line}\n`),
    kill: (signal) => child.kill(signal),
    // Its last line may still be on its way when it is gone.
    gone: new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code, signal) => void allRead.then(() => resolve(signal ?? code ?? 0)))
    }),
    complaint: () => complaint.trim(),
  }
}
