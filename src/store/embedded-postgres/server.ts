/**
 * The PostgreSQL that Waybill brings along for when no DATABASE_URL is given: a real server, started from the
 * npm package's programs on a folder of its own, reachable by unix socket only, gone when this process is.
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
  superuser,
  takeOwnership,
} from './data-folder.ts'
import { livingOwner, ownerFile, stopOrphan, thisProcess } from './owner.ts'
import { type RunAs, type RunAsKind, runToEnd, waysToRun, whyOutOfReach } from './run-as.ts'
import { type Command, launch } from './supervise.ts'

/** Where a server listens; for the embedded one `host` is the folder of its unix socket. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

/** How to start the server. */
export interface EmbeddedServerOptions {
  /** A folder for Waybill alone; made when missing. One process at a time. */
  readonly dataDir: string
  /** True: what is committed survives a power cut. False: faster, for tests on throw-away data. */
  readonly durable: boolean
  /** Receives the server's log, line by line. It never holds statements or values. */
  readonly log?: (line: string) => void
  /** Called once if the server ends without having been stopped, with the reason. */
  readonly onUnexpectedEnd?: (reason: string) => void
  /** Forces one way of running, for tests; otherwise the best one that works here is found. */
  readonly runAs?: RunAsKind
}

/** A running server. */
export interface EmbeddedServer {
  readonly connection: ServerAddress
  /** Ends connections, writes a checkpoint and waits until the server is gone. May be called again. */
  stop(): Promise<void>
  /** For the log: which way it runs, for example 'user-namespace' or 'nobody, copied programs'. */
  readonly how: string
}

const port = 5432
/** How long a dead owner's server may take to stop by itself, when it is asked to, and in all, in milliseconds. */
const orphanGraceMs = 3_000
const orphanPatienceMs = 15_000
const heldLimitMs = 30_000

/**
 * Starts PostgreSQL on `dataDir`, making the data on the first start, and waits until it accepts connections.
 * Throws when another living process holds the folder, when the data is of another major version, and (with
 * advice to set DATABASE_URL) where PostgreSQL cannot run at all.
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

/** Folders this process is starting on: until the lock is taken, files are told apart by our pid alone. */
const starting = new Set<string>()

async function startOn(dataDir: string, options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  refuseLivingOwner(dataDir)
  const place = await findPlace(dataDir, options.runAs)
  await takeOwnership(dataDir, place.runAs)
  await makeCluster(dataDir, place.binaries, place.runAs, options.durable)
  checkClusterVersion(dataDir, place.major)
  const sockets = await makeSocketFolder(dataDir, place.runAs)
  const stop = await launchWhenFree(dataDir, {
    runAs: place.runAs,
    postgres: postgresCommand(place.binaries, dataDir, sockets.path, options.durable),
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
  return {
    connection: addressIn(sockets.path),
    stop,
    how: place.copied ? `${place.runAs.kind}, copied programs` : place.runAs.kind,
  }
}

function addressIn(socketFolder: string): ServerAddress {
  return { host: socketFolder, port, user: superuser, database: superuser }
}

/** Where the server of a living process listens on `dataDir`; undefined when none owns the folder. */
export function runningServer(dataDir: string): ServerAddress | undefined {
  const owner = livingOwner(resolve(dataDir))
  return owner === undefined ? undefined : addressIn(owner.socketFolder)
}

/** A way to run, with the programs it can reach. */
interface Place {
  readonly runAs: RunAs
  readonly binaries: string
  readonly copied: boolean
  /** The server's major version, for example '18'. */
  readonly major: string
}

/** Tries the ways to run in turn: first those that work with everything where it is, then with a copy. */
async function findPlace(dataDir: string, forced: RunAsKind | undefined): Promise<Place> {
  const binaries = findBinaries()
  const reasons: string[] = []
  for (const runAs of waysToRun(forced)) {
    const outOfReach = await whyOutOfReach(runAs, dataDir)
    if (outOfReach !== undefined) {
      reasons.push(outOfReach)
      continue
    }
    if (binaries.linked) {
      const found = await majorVersion(runAs, binaries.folder)
      if (found.major !== undefined) {
        return { runAs, binaries: binaries.folder, copied: false, major: found.major }
      }
      reasons.push(found.reason)
    }
    const copy = await copyBinaries(binaries, join(dataDir, `server-${binaries.packageVersion}`))
    await takeOwnership(dataDir, runAs)
    const found = await majorVersion(runAs, copy)
    if (found.major !== undefined) return { runAs, binaries: copy, copied: true, major: found.major }
    reasons.push(found.reason)
  }
  throw unavailable(reasons.join('; '))
}

async function majorVersion(
  runAs: RunAs,
  binaries: string,
): Promise<{ major: string; reason?: never } | { major?: undefined; reason: string }> {
  const path = program(binaries, 'postgres')
  const ended = await runToEnd(runAs, path, ['--version'])
  const major = /\(PostgreSQL\) (\d+)/.exec(ended.stdout)?.[1]
  if (ended.status === 0 && major !== undefined) return { major }
  const detail = ended.stderr.trim().split('\n').at(-1) || ended.errorCode || `status ${ended.status}`
  // The file is there, so "no such file" is its loader: these programs are built for glibc.
  const hint = /ENOENT|No such file|not found/.test(detail)
    ? '; is this a system without glibc (Alpine)?'
    : ''
  return { reason: `as ${runAs.kind} it cannot run ${path} (${detail}${hint})` }
}

/** Starts once the folder is free: refuses a living owner, waits for (and then stops) a dead one's server. */
async function launchWhenFree(dataDir: string, command: Command): Promise<() => Promise<void>> {
  const startedAt = performance.now()
  let asked: 'SIGINT' | 'SIGQUIT' | undefined
  for (;;) {
    const launched = await launch(command)
    if (launched.kind === 'ready') return launched.stop
    refuseLivingOwner(dataDir)
    const waitedMs = performance.now() - startedAt
    if (waitedMs > heldLimitMs) {
      throw new Error(
        `the data folder ${dataDir} is held by a server that this process cannot see (another container?). ` +
          'One process at a time can use it; to share data between processes, set DATABASE_URL',
      )
    }
    const next = asked === undefined ? 'SIGINT' : 'SIGQUIT'
    if (asked !== next && waitedMs > (next === 'SIGINT' ? orphanGraceMs : orphanPatienceMs)) {
      const pid = stopOrphan(clusterIn(dataDir), next)
      if (pid !== undefined) {
        asked = next
        command.log(`stopping PostgreSQL ${pid}, whose owner is gone`)
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
    `the data folder ${dataDir} is in use by process ${pid}. One process at a time can use it; ` +
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
    // Personal data stays out of the log: no errors (they quote values) and no statements.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return [program(binaries, 'postgres'), '-D', clusterIn(dataDir), '-p', String(port), ...args]
}
