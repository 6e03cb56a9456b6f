/**
 * The embedded PostgreSQL server, used if DATABASE_URL is not set. It is a full server from an npm package. It stores
 * its data in a folder, listens on a unix socket only, and stops when this process ends.
 */
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { copyBinaries, findBinaries, program, unavailable } from './binaries.ts'
import {
  checkClusterVersion,
  clusterIn,
  makeCluster,
  makeDataFolder,
  makeSocketFolder,
  SUPERUSER,
  takeOwnership,
} from './data-folder.ts'
import { livingOwner, ownerFile, stopOrphan, thisProcess } from './owner.ts'
import { asServerUser, isRoot, runToEnd } from './run-as.ts'
import { type Command, launch } from './supervise.ts'

export interface ServerAddress {
  /** For the embedded server, the folder of its unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

export interface EmbeddedServerOptions {
  /** A folder that only Waybill uses, one process at a time. It is created if it does not exist. */
  readonly dataDir: string
  /** Whether commits survive a power failure. False is faster, for tests. */
  readonly durable: boolean
  /** Receives the lines of the server's log, which never contain statements or values. */
  readonly log?: (line: string) => void
  /** Called once, with the reason, if the server ends without a call of `stop`. */
  readonly onUnexpectedEnd?: (reason: string) => void
}

export interface EmbeddedServer {
  readonly connection: ServerAddress
  /** Ends connections, writes a checkpoint and waits until the server has ended. Can be called again. */
  stop(): Promise<void>
}

const PORT = 5432
/** How long a start waits before it signals a server whose owner has ended. */
const ORPHAN_SIGINT_MS = 3_000
const ORPHAN_SIGQUIT_MS = 15_000
/** How long a start waits for the folder. */
const LOCKED_LIMIT_MS = 30_000

/**
 * Starts PostgreSQL on `dataDir` and waits until it accepts connections. The first start creates the cluster. Throws if
 * another process uses the folder, if another major version wrote the data, or if PostgreSQL cannot run on this
 * machine.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const dataDir = await makeDataFolder(options.dataDir)
  if (starting.has(dataDir)) throw inUse(dataDir, process.pid)
  starting.add(dataDir)
  try {
    return await startOn(dataDir, options)
  } finally {
    starting.delete(dataDir)
  }
}

/** Folders on which this process is starting a server. Two starts in one process would use the same temporary files. */
const starting = new Set<string>()

async function startOn(dataDir: string, options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  refuseLivingOwner(dataDir)
  const binaries = await usableBinaries(dataDir)
  const major = await majorVersion(binaries)
  await takeOwnership(dataDir)
  await makeCluster(dataDir, binaries, options.durable)
  checkClusterVersion(dataDir, major)
  const sockets = await makeSocketFolder(dataDir)
  const stop = await launchWhenFree(dataDir, {
    postgres: postgresCommand(binaries, dataDir, sockets.path, options.durable),
    lockFile: join(dataDir, 'lock'),
    ownerFile: ownerFile(dataDir),
    ownerText: JSON.stringify(thisProcess(sockets.path)),
    pidFile: join(clusterIn(dataDir), 'postmaster.pid'),
    socketFolder: sockets.path,
    socketFolderIsTemporary: sockets.temporary,
    log: options.log ?? (() => {}),
    onUnexpectedEnd: options.onUnexpectedEnd ?? (() => {}),
  }).catch(async (error) => {
    if (sockets.temporary) await rm(sockets.path, { recursive: true, force: true })
    throw error
  })
  return { connection: addressIn(sockets.path), stop }
}

function addressIn(socketFolder: string): ServerAddress {
  return { host: socketFolder, port: PORT, user: SUPERUSER, database: SUPERUSER }
}

/** The address of the server that a running process uses on `dataDir`; undefined if there is none. */
export function runningServer(dataDir: string): ServerAddress | undefined {
  const owner = livingOwner(resolve(dataDir))
  return owner === undefined ? undefined : addressIn(owner.socketFolder)
}

/** The installed programs, or a copy in the data folder if their links are missing and cannot be created. */
async function usableBinaries(dataDir: string): Promise<string> {
  const binaries = findBinaries()
  return binaries.linked
    ? binaries.folder
    : copyBinaries(binaries, join(dataDir, `server-${binaries.packageVersion}`))
}

/** The major version of the server, for example '18'. Throws if the server's user cannot run it. */
async function majorVersion(binaries: string): Promise<string> {
  const path = program(binaries, 'postgres')
  const ended = await runToEnd(asServerUser([path, '--version']))
  const major = /\(PostgreSQL\) (\d+)/.exec(ended.stdout)?.[1]
  if (ended.status === 0 && major !== undefined) return major
  if (isRoot() && ended.errorCode === 'ENOENT')
    throw unavailable('root needs the program setpriv (util-linux), to run it as nobody')
  const detail = ended.stderr.trim().split('\n').at(-1) || ended.errorCode || `status ${ended.status}`
  // The program exists, so "no such file" refers to its loader: the programs are built for glibc.
  const hint = /ENOENT|No such file|not found/.test(detail)
    ? '; is this a system without glibc (Alpine)?'
    : ''
  throw unavailable(`${isRoot() ? 'as nobody ' : ''}it cannot run ${path} (${detail}${hint})`)
}

/**
 * Starts the server when the folder is free. Throws if the owner is running. If the owner has ended, waits for its
 * server to stop, and then signals it.
 */
async function launchWhenFree(dataDir: string, command: Command): Promise<() => Promise<void>> {
  const startedAt = performance.now()
  let sent: 'SIGINT' | 'SIGQUIT' | undefined
  for (;;) {
    const launched = await launch(command)
    if (launched.kind === 'ready') return launched.stop
    refuseLivingOwner(dataDir)
    const waitedMs = performance.now() - startedAt
    if (waitedMs > LOCKED_LIMIT_MS) {
      throw new Error(
        `the data folder ${dataDir} is locked by a server that this process cannot see, maybe in another container. ` +
          'Only one process can use it; to share data between processes, set DATABASE_URL',
      )
    }
    const next = sent === undefined ? 'SIGINT' : 'SIGQUIT'
    if (sent !== next && waitedMs > (next === 'SIGINT' ? ORPHAN_SIGINT_MS : ORPHAN_SIGQUIT_MS)) {
      const pid = stopOrphan(clusterIn(dataDir), next)
      if (pid !== undefined) {
        sent = next
        command.log(`stopping PostgreSQL ${pid}, whose owner has ended`)
      }
    }
    await new Promise((next) => setTimeout(next, 100))
  }
}

function refuseLivingOwner(dataDir: string): void {
  const owner = livingOwner(dataDir)
  if (owner !== undefined) throw inUse(dataDir, owner.pid)
}

function inUse(dataDir: string, pid: number): Error {
  return new Error(
    `the data folder ${dataDir} is in use by process ${pid}. Only one process can use it; ` +
      'to share data between processes, set DATABASE_URL',
  )
}

function postgresCommand(binaries: string, dataDir: string, sockets: string, durable: boolean): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: sockets,
    max_connections: '100',
    shared_buffers: '128MB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    cluster_name: 'waybill',
    // Keeps personal data out of the log: error messages quote values.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return [program(binaries, 'postgres'), '-D', clusterIn(dataDir), '-p', String(PORT), ...args]
}
