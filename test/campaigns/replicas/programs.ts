/** Finds programs of the system, and runs them as children that end with the campaign. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  chownSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { isRoot, serverOwner } from '../../../src/store/embedded-postgres/run-as.ts'
import { Missing, Skipped, type Undo } from '../storage/undo.ts'

const repository = path.resolve(import.meta.dirname, '../../..')
const LAST_LINES = 30
const START_MS = 60_000

/** The Debian package of each program, without PostgreSQL's. */
const PACKAGES = {
  nginx: 'nginx',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  patroni: 'patroni',
  patronictl: 'patroni',
  etcd: 'etcd-server',
  openssl: 'openssl',
} as const

export type ProgramName = keyof typeof PACKAGES

/**
 * The path of a program; undefined: it is not installed. A variable with its name in capitals selects another one, such
 * as PGBOUNCER. Debian installs servers in /usr/sbin, which may not be in the path.
 */
export function installed(name: ProgramName): string | undefined {
  const given = process.env[name.toUpperCase()]
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
  return [...(given ? [given] : []), ...folders.map((folder) => path.join(folder, name))].find(isExecutable)
}

/** The path of a program. Throws Missing. */
export function findProgram(name: ProgramName): string {
  const found = installed(name)
  if (found !== undefined) return found
  throw new Missing(`${name} is not installed (Debian: apt-get install ${PACKAGES[name]})`)
}

/** The folder of a complete PostgreSQL, with `pg_basebackup` in its `bin`. The bundled one has only the server. */
export function findPostgres(given: string | undefined): string {
  const installed = '/usr/lib/postgresql'
  const versions = given === undefined ? foldersOf(installed).sort((a, b) => Number(b) - Number(a)) : []
  const folders = given === undefined ? versions.map((version) => path.join(installed, version)) : [given]
  const found = folders.find((folder) => isExecutable(path.join(folder, 'bin/pg_basebackup')))
  if (found !== undefined) return found
  throw new Missing('PostgreSQL with pg_basebackup is not installed (Debian: apt-get install postgresql-15)')
}

function foldersOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * A file of `deploy` with some texts replaced, such as ports. Each text must occur, so that the campaign runs what is
 * shipped.
 */
export function deployed(
  file: string,
  replacements: readonly (readonly [from: string, to: string])[],
): string {
  let text = readFileSync(path.join(repository, 'deploy', file), 'utf8')
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`deploy/${file} does not contain ${JSON.stringify(from)}`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** Makes a folder for the user that servers run as. */
export function makeServerFolder(folder: string): string {
  mkdirSync(folder, { mode: 0o700 })
  giveToServer(folder)
  return folder
}

/** Writes a file that only the user that servers run as can read. */
export function writeServerFile(file: string, text: string): string {
  writeFileSync(file, text, { mode: 0o600 })
  giveToServer(file)
  return file
}

function giveToServer(file: string): void {
  const owner = serverOwner()
  if (isRoot() && owner !== undefined) chownSync(file, owner, owner)
}

export type Running = {
  readonly pid: number
  /** The end of what it printed. */
  readonly lines: readonly string[]
  hasEnded(): boolean
  /** Sends a signal and waits for its end. No effect if it has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Starts a program that runs until the campaign ends. Its last lines are kept for errors. */
export function startProgram(
  undo: Undo,
  [file = '', ...args]: readonly string[],
  { env = process.env, cwd = '/' }: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Running {
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (lines.length > LAST_LINES) lines.shift()
    })
  child.once('error', (error) => lines.push(error.message))
  undo.add(() => end(child, 'SIGKILL'))
  return {
    pid: child.pid ?? 0,
    lines,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    end: (signal) => end(child, signal),
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** Waits until `check` returns true. Throws with the program's last lines if it ends before, or after a minute. */
export async function untilReady(
  program: Running,
  name: string,
  check: () => Promise<boolean>,
  limitMs = START_MS,
): Promise<void> {
  const startedAt = performance.now()
  while (!(await check().catch(() => false))) {
    const isLate = performance.now() - startedAt > limitMs
    if (isLate || program.hasEnded())
      throw new Error(`${name} ${isLate ? 'is not ready' : 'ended'}\n${program.lines.join('\n')}`)
    await pause(100)
  }
}

/** Ports of the loopback interface that were free a moment ago. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Skipped('there are no free ports')
    return address.port
  })
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
