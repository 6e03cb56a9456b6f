/**
 * PostgreSQL servers with replication, created, copied and started with the bundled programs (or a given
 * folder), as the user that the product's launcher would choose. A standby is created with PostgreSQL's
 * backup functions, since the bundle has no pg_basebackup. Each server ends with this process.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries, program } from '../../../src/store/embedded-postgres/binaries.ts'
import {
  asServerUser,
  isRoot,
  runToEnd,
  SERVER_ENVIRONMENT,
  serverOwner,
} from '../../../src/store/embedded-postgres/run-as.ts'
import type { ServerAddress } from '../../../src/store/embedded-postgres/server.ts'
import { Skipped, type Undo } from './undo.ts'

/** The programs and a folder for the data. */
export type Programs = {
  readonly folder: string
  readonly place: string
  readonly version: string
}

export type DatabaseServer = {
  readonly address: ServerAddress
  readonly socketPath: string
  readonly dataFolder: string
  /** Kills all its processes at once, like a power failure. */
  kill(): Promise<void>
}

const USER = 'waybill'
const PORT = 5432
const START_MS = 60_000

/** Finds programs that run here with data below `place`. Throws Skipped if there are none. */
export async function findPrograms(place: string, given: string | undefined): Promise<Programs> {
  const folder = given ?? embeddedPrograms()
  const { status, stdout, stderr } = await runToEnd(asServerUser([program(folder, 'postgres'), '--version']))
  if (status === 0) return { folder, place, version: stdout.trim() }
  throw new Skipped(`PostgreSQL cannot run here (${stderr.trim() || 'it does not run'})`)
}

function embeddedPrograms(): string {
  try {
    return findBinaries().folder
  } catch (error) {
    throw new Skipped(error instanceof Error ? error.message : String(error))
  }
}

/** Further settings of PostgreSQL by name. */
export type ServerSettings = Readonly<Record<string, string>>

/** Creates an empty server and starts it. */
export async function startPrimary(
  undo: Undo,
  programs: Programs,
  name: string,
  settings: ServerSettings = {},
): Promise<DatabaseServer> {
  const dataFolder = newFolder(programs, name)
  const args = ['-D', dataFolder, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  const { status, stderr } = await runToEnd(asServerUser([program(programs.folder, 'initdb'), ...args]))
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`)
  return start(undo, programs, name, settings)
}

/** Copies a running server and starts the copy as its standby, which connects to the primary through `port`. */
export async function startStandby(
  undo: Undo,
  programs: Programs,
  name: string,
  primary: DatabaseServer,
  port: number,
): Promise<DatabaseServer> {
  const dataFolder = newFolder(programs, name)
  const client = new pg.Client({ ...primary.address, ssl: false })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    await copy(primary.dataFolder, dataFolder)
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    const connection = `host=127.0.0.1 port=${port} user=${USER} application_name=standby sslmode=disable gssencmode=disable`
    write(join(dataFolder, 'backup_label'), rows[0]?.labelfile ?? '')
    write(join(dataFolder, 'standby.signal'), '')
    write(join(dataFolder, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`)
  } finally {
    await client.end()
  }
  return start(undo, programs, name)
}

/** Files that vanish during the copy are restored by the log. */
async function copy(from: string, to: string): Promise<void> {
  const { status, stderr } = await runToEnd(asServerUser(['cp', '-a', `${from}/.`, to]))
  const serious = stderr.split('\n').filter((line) => line !== '' && !/No such file/.test(line))
  if (status !== 0 && serious.length > 0) throw new Error(`the copy failed: ${serious.join('; ')}`)
  rmSync(join(to, 'postmaster.pid'), { force: true })
  const emptied = `rm -rf "$1"/pg_wal && mkdir "$1"/pg_wal && chmod 700 "$1"/pg_wal`
  const { status: ended } = await runToEnd(asServerUser(['/bin/sh', '-c', emptied, 'sh', to]))
  if (ended !== 0) throw new Error('the copied log cannot be removed')
}

function newFolder({ place }: Programs, name: string): string {
  const folder = join(place, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  setOwner(folder)
  newSocketFolder(folder)
  return folder
}

function newSocketFolder(dataFolder: string): void {
  const sockets = `${dataFolder}-run`
  if (!existsSync(sockets)) mkdirSync(sockets, { mode: 0o700 })
  setOwner(sockets)
}

function write(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 })
  setOwner(path)
}

function setOwner(path: string): void {
  const owner = serverOwner()
  if (isRoot() && owner !== undefined) chownSync(path, owner, owner)
}

// The end of the pipe from this process stops the server, however this process ends.
const SUPERVISOR = `
trap "" INT TERM HUP
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
( read -r _ <&3; kill -QUIT "$server" ) &
watcher=$!
exec 3<&-
wait "$server"
kill -KILL "$watcher" 2>/dev/null
`

/**
 * Restores a base backup that is in the folder `name` up to a time, given as PostgreSQL prints it. The log comes from
 * `archive`. Resolves when the server accepts read-only connections; the recovery may still be running.
 */
export async function startRestored(
  undo: Undo,
  programs: Programs,
  name: string,
  { archive, time }: { readonly archive: string; readonly time: string },
): Promise<DatabaseServer> {
  const dataFolder = join(programs.place, name)
  newSocketFolder(dataFolder)
  write(join(dataFolder, 'recovery.signal'), '')
  return start(undo, programs, name, {
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: time,
    recovery_target_action: 'promote',
    archive_mode: 'off',
  })
}

async function start(
  undo: Undo,
  programs: Programs,
  name: string,
  furtherSettings: ServerSettings = {},
): Promise<DatabaseServer> {
  const { folder, place } = programs
  const dataFolder = join(place, name)
  const sockets = `${dataFolder}-run`
  const postgres = [program(folder, 'postgres'), '-D', dataFolder, '-p', String(PORT)]
  const settings = {
    listen_addresses: '',
    unix_socket_directories: sockets,
    shared_buffers: '64MB',
    // In the data folder, so that nothing remains after a kill.
    dynamic_shared_memory_type: 'mmap',
    wal_keep_size: '512MB',
    max_wal_size: '512MB',
    wal_retrieve_retry_interval: '100ms',
    ...furtherSettings,
  }
  const chosen = Object.entries(settings).flatMap(([setting, value]) => ['-c', `${setting}=${value}`])
  const [first = '', ...args] = asServerUser(['/bin/sh', '-c', SUPERVISOR, 'sh', ...postgres, ...chosen])
  const child = spawn(first, args, {
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  })
  child.stdin?.on('error', () => {})
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  undo.add(async () => {
    child.stdin?.end()
    await gone
  })
  await accepting(child)
  const address = { host: sockets, port: PORT, user: USER, database: 'postgres' }
  return {
    address,
    socketPath: join(sockets, `.s.PGSQL.${PORT}`),
    dataFolder,
    async kill() {
      const sharedMemory = sharedMemoryOf(dataFolder)
      killProcessesOf(dataFolder)
      await gone
      removeSharedMemory(sharedMemory)
    },
  }
}

/** A standby becomes ready too, for read-only connections. */
function accepting(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines: string[] = []
    const limit = setTimeout(() => reject(new Error(`not ready in time\n${lines.join('\n')}`)), START_MS)
    child.once('error', reject)
    child.once('exit', () => {
      clearTimeout(limit)
      reject(new Error(`the server ended\n${lines.slice(-20).join('\n')}`))
    })
    if (child.stderr === null) return
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line)
      if (!/ready to accept (read-only )?connections/.test(line)) return
      clearTimeout(limit)
      resolve()
    })
  })
}

/** Kills the server of a data folder and its children at once, like a power failure. No effect if it does not run. */
export function killProcessesOf(dataFolder: string): void {
  if (!existsSync(join(dataFolder, 'postmaster.pid'))) return
  for (const pid of processesOf(dataFolder)) killIfThere(pid)
}

/** The server and its children. The server comes first, so that it cannot clean up after them. */
function processesOf(dataFolder: string): number[] {
  const server = Number.parseInt(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8'), 10)
  const table = execFileSync('ps', ['-A', '-w', '-w', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const processes = table.split('\n').map((line) => {
    const [, pid = '0', parent = '0', args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return { pid: Number(pid), parent: Number(parent), args }
  })
  // The file stays behind after a kill, and another process may have the id by then.
  if (!processes.some(({ pid, args }) => pid === server && args.includes(dataFolder))) return []
  return [server, ...processes.filter(({ parent }) => parent === server).map(({ pid }) => pid)]
}

/** Id of the shared memory segment that a restarted server would find. */
function sharedMemoryOf(dataFolder: string): string | undefined {
  const lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')
  return lines[6]?.trim().split(/\s+/)[1]
}

function removeSharedMemory(id: string | undefined): void {
  if (id === undefined) return
  try {
    execFileSync('ipcrm', ['-m', id], { stdio: 'ignore' })
  } catch {
    // It was removed with the last process that used it.
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** Waits until a query returns true; throws after a minute. */
export async function until(address: ServerAddress, question: string): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const client = new pg.Client({ ...address, ssl: false })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ isTrue: boolean }>(`select (${question}) as "isTrue"`)
      if (rows[0]?.isTrue === true) return
    } finally {
      await client.end().catch(() => {})
    }
    if (performance.now() - startedAt > START_MS) throw new Error(`still false after a minute: ${question}`)
    await pause(50)
  }
}
