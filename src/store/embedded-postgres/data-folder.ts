/**
 * Creates and checks the data folder: `postgres/` is the cluster, `run/` has the socket, `lock` and `owner.json`
 * identify the process that uses it, and `server-<version>/` is a copy of the programs if one is needed.
 */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { program, unavailable } from './binaries.ts'
import { asServerUser, type Ended, isRoot, runToEnd, serverOwner } from './run-as.ts'

/** The superuser and database that initdb creates. They are protected only by the permissions of the socket folder. */
export const SUPERUSER = 'postgres'

/** Waybill's files in the folder. The root of a mounted volume can contain others, such as lost+found. */
const WAYBILL_FILES = /^(postgres|run|lock|owner\.json|server-.*)$/

export function clusterIn(dataDir: string): string {
  return join(dataDir, 'postgres')
}

/** Creates the data folder (mode 0700) and returns its absolute path. */
export async function makeDataFolder(dataDir: string): Promise<string> {
  const path = resolve(dataDir)
  try {
    await mkdir(dirname(path), { recursive: true })
    await mkdir(path, { mode: 0o700 }).catch(ignoreExisting)
    return path
  } catch (error) {
    throw new Error(`Waybill cannot create its data folder ${path}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/**
 * Makes the server's user the owner of the folder and of Waybill's files in it. Another user owns them if an earlier
 * start ran as that user. Throws if root is required, or if root cannot do it.
 */
export async function takeOwnership(dataDir: string): Promise<void> {
  const owner = serverOwner()
  if (owner === undefined) return
  const otherOwners = readdirSync(dataDir)
    .filter((name) => WAYBILL_FILES.test(name))
    .map((name) => join(dataDir, name))
    .filter((path) => lstatSync(path).uid !== owner)
  const [first] = otherOwners
  if (isRoot()) {
    // -P and -h: do not follow links to files outside the folder.
    const chown = ['chown', '-P', '-h', `${owner}:${owner}`]
    const ended = await runToEnd([...chown, dataDir])
    const { status, stderr } = first === undefined ? ended : await runToEnd([...chown, '-R', ...otherOwners])
    if (ended.status !== 0 || status !== 0)
      throw unavailable(`the owner of ${dataDir} cannot be changed to uid ${owner} (${stderr.trim()})`)
  } else if (first !== undefined) {
    throw new Error(
      `${first} belongs to uid ${lstatSync(first).uid}, but Waybill runs as uid ${owner}: ` +
        'start Waybill as that user, or change the owner of the data folder (chown -R)',
    )
  }
}

export function hasCluster(dataDir: string): boolean {
  return existsSync(join(clusterIn(dataDir), 'PG_VERSION'))
}

/**
 * Creates the cluster if it does not exist. initdb writes to a temporary folder, which is then renamed, so a crash does
 * not leave an incomplete cluster. Several processes can do this at the same time.
 */
export async function makeCluster(dataDir: string, binaries: string, durable: boolean): Promise<void> {
  const cluster = clusterIn(dataDir)
  await removeUnfinished(dataDir)
  if (hasCluster(dataDir)) return
  const aside = `${cluster}.new-${process.pid}`
  try {
    const ended = await initdb(binaries, aside, durable)
    if (ended.status !== 0) throw initdbError(ended)
    await rename(aside, cluster).catch((error: NodeJS.ErrnoException) => {
      // Another process has created the cluster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
    if (durable) await syncFolder(dataDir)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/** Throws if another major version wrote the cluster. `serverMajor` is for example '18'. */
export function checkClusterVersion(dataDir: string, serverMajor: string): void {
  const file = join(clusterIn(dataDir), 'PG_VERSION')
  if (!existsSync(file)) return
  const major = readFileSync(file, 'utf8').trim()
  if (major === serverMajor) return
  throw new Error(
    `the data in ${clusterIn(dataDir)} was written by PostgreSQL ${major}, and this version of Waybill includes ` +
      `PostgreSQL ${serverMajor}, which cannot read it. Move the data with pg_dump and psql, or run ` +
      `PostgreSQL ${major} on it yourself and set DATABASE_URL`,
  )
}

/**
 * Creates the folder for the unix socket: `run/` in the data folder, or a temporary folder if that path is too long for
 * a socket address (104 bytes on macOS, 108 on Linux). The mode is 0700, because access to it gives superuser rights in
 * the database. Remove a `temporary` folder afterwards.
 */
export async function makeSocketFolder(dataDir: string): Promise<{ path: string; temporary: boolean }> {
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
  const owner = serverOwner()
  if (owner !== undefined && isRoot()) await chown(path, owner, owner)
  return { path, temporary }
}

async function initdb(binaries: string, aside: string, durable: boolean): Promise<Ended> {
  const args = ['-D', aside, '-U', SUPERUSER, '--auth=trust', '--encoding=UTF8']
  if (!durable) args.push('--no-sync')
  const run = (locale: readonly string[]): Promise<Ended> =>
    runToEnd(asServerUser([program(binaries, 'initdb'), ...args, ...locale]))
  const ended = await run(['--locale=C.UTF-8'])
  if (ended.status === 0 || !/invalid locale/.test(ended.stderr)) return ended
  // Older macOS and RHEL 7 lack that locale. PostgreSQL's built-in provider has the same sort order.
  await rm(aside, { recursive: true, force: true })
  return run(['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'])
}

function initdbError(ended: Ended): Error {
  const output = ended.stderr.trim() || ended.stdout.trim() || ended.errorCode
  return /could not look up effective user ID/.test(ended.stderr)
    ? unavailable(`PostgreSQL needs a passwd entry for the user it runs as (${output})`)
    : new Error(`initdb failed: ${output}`)
}

/** Removes folders of interrupted copies and initdb runs. Their names end with the id of a process that has ended. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    const pid = /\.new-(\d+)$/.exec(basename(name))?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) {
      await rm(join(dataDir, name), { recursive: true, force: true })
    }
  }
}

function isRunning(pid: number): boolean {
  // A folder with the id of this process is from an earlier start, because process ids repeat in a container.
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
