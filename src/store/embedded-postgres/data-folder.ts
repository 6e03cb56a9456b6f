/**
 * The layout of Waybill's data folder, and how it comes to be: `postgres/` is the cluster, `run/` the socket,
 * `lock` and `owner.json` say who holds it, `server-<version>/` is a copy of the programs where one is needed.
 */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { program, unavailable } from './binaries.ts'
import { type Ended, type RunAs, runToEnd } from './run-as.ts'

/** The superuser (and database) that initdb makes; only who can enter the socket folder can be it. */
export const superuser = 'postgres'

/** What is Waybill's own in the folder; the root of a mounted volume may hold other things (lost+found). */
const ours = /^(postgres|run|lock|owner\.json|server-.*)$/

/** The path of the cluster inside a data folder. */
export function clusterIn(dataDir: string): string {
  return join(dataDir, 'postgres')
}

/** Makes the data folder (0700) and returns its absolute path. Throws a readable error when it cannot. */
export async function makeDataFolder(dataDir: string): Promise<string> {
  const path = resolve(dataDir)
  try {
    // Parents keep the usual mode: a server running as nobody has to pass them.
    await mkdir(dirname(path), { recursive: true })
    await mkdir(path, { mode: 0o700 }).catch(ignoreExisting)
    return path
  } catch (error) {
    throw new Error(`Waybill cannot make its data folder ${path}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/**
 * Gives what is in the folder to the user the server runs as, when an earlier start ran as another one (a
 * container with and without user namespaces). Throws when that needs root and we are not.
 */
export async function takeOwnership(dataDir: string, runAs: RunAs): Promise<void> {
  const owner = runAs.fileOwner
  if (owner === undefined) return
  const strangers = readdirSync(dataDir)
    .filter((name) => ours.test(name))
    .map((name) => join(dataDir, name))
    .filter((path) => lstatSync(path).uid !== owner)
  const [first] = strangers
  if (first === undefined) return
  if (process.geteuid?.() !== 0) {
    throw new Error(
      `${first} belongs to uid ${lstatSync(first).uid}, and Waybill runs as uid ${owner}: ` +
        'start it as that user, or give the data folder to this one (chown -R)',
    )
  }
  const plain: RunAs = { kind: 'current-user', prefix: [], spawnIds: undefined, fileOwner: 0 }
  // -P and -h: never through a link, to a file that is not in the folder.
  const ended = await runToEnd(plain, 'chown', ['-R', '-P', '-h', `${owner}:${owner}`, ...strangers])
  if (ended.status !== 0) throw new Error(`cannot give ${dataDir} to uid ${owner}: ${ended.stderr.trim()}`)
}

/**
 * Makes the cluster if there is none, whole or not at all: initdb works in a folder beside it, which is then
 * renamed, so a crash half way leaves nothing that looks like data. Two processes may do this at once.
 */
export async function makeCluster(
  dataDir: string,
  binaries: string,
  runAs: RunAs,
  durable: boolean,
): Promise<void> {
  const cluster = clusterIn(dataDir)
  await removeUnfinished(dataDir)
  if (existsSync(join(cluster, 'PG_VERSION'))) return
  const aside = `${cluster}.new-${process.pid}`
  try {
    const ended = await initdb(binaries, runAs, aside, durable)
    if (ended.status !== 0) throw initdbError(ended)
    await rename(aside, cluster).catch((error: NodeJS.ErrnoException) => {
      // Another process was quicker: its cluster is as good as ours.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
    if (durable) await syncFolder(dataDir)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/**
 * Refuses a cluster written by another major version, which this server could not read.
 * `serverMajor` is for example '18'.
 */
export function checkClusterVersion(dataDir: string, serverMajor: string): void {
  const file = join(clusterIn(dataDir), 'PG_VERSION')
  if (!existsSync(file)) return
  const major = readFileSync(file, 'utf8').trim()
  if (major === serverMajor) return
  throw new Error(
    `the data in ${clusterIn(dataDir)} was written by PostgreSQL ${major}, and this Waybill brings ` +
      `PostgreSQL ${serverMajor}, which cannot read it. Move the data with pg_dump and psql, or run a ` +
      `PostgreSQL ${major} on it yourself and set DATABASE_URL`,
  )
}

/**
 * The folder for the unix socket: `run/` in the data folder, or a new temporary one where that path is too
 * long for a socket address (104 bytes on macOS, 108 on Linux). Mode 0700, because whoever can enter it is
 * the database's superuser. `temporary` says whether it is to be removed afterwards.
 */
export async function makeSocketFolder(
  dataDir: string,
  runAs: RunAs,
): Promise<{ path: string; temporary: boolean }> {
  const inside = join(dataDir, 'run')
  const temporary = Buffer.byteLength(join(inside, '.s.PGSQL.5432')) >= 100
  let path = inside
  if (temporary) {
    const shortEnough = Buffer.byteLength(tmpdir()) <= 60 ? tmpdir() : '/tmp'
    path = await mkdtemp(join(shortEnough, 'waybill-socket-'))
  } else {
    await mkdir(inside, { mode: 0o700 }).catch(ignoreExisting)
    await chmod(inside, 0o700)
  }
  if (runAs.fileOwner !== undefined && process.geteuid?.() === 0) {
    await chown(path, runAs.fileOwner, runAs.fileOwner)
  }
  return { path, temporary }
}

async function initdb(binaries: string, runAs: RunAs, aside: string, durable: boolean): Promise<Ended> {
  const args = ['-D', aside, '-U', superuser, '--auth=trust', '--encoding=UTF8']
  if (!durable) args.push('--no-sync')
  const ended = await runToEnd(runAs, program(binaries, 'initdb'), [...args, '--locale=C.UTF-8'])
  if (ended.status === 0 || !/invalid locale/.test(ended.stderr)) return ended
  // Systems without that locale (older macOS, RHEL 7): PostgreSQL's own copy of it sorts the same.
  await rm(aside, { recursive: true, force: true })
  const builtin = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  return runToEnd(runAs, program(binaries, 'initdb'), [...args, ...builtin])
}

function initdbError(ended: Ended): Error {
  const said = ended.stderr.trim() || ended.stdout.trim() || ended.errorCode
  return /could not look up effective user ID/.test(ended.stderr)
    ? unavailable(`PostgreSQL needs a passwd entry for the user it runs as (${said})`)
    : new Error(`initdb failed: ${said}`)
}

/** What a crash in the middle of initdb, or of copying the programs, has left: named by a pid that is gone. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    const pid = /\.new-(\d+)$/.exec(basename(name))?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) {
      await rm(join(dataDir, name), { recursive: true, force: true })
    }
  }
}

function isRunning(pid: number): boolean {
  // Our own pid in a name is from an earlier life: in a container every start has the same pid.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
