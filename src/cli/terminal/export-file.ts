/**
 * Writes the files of export commands. Exports contain contract prices and descriptions of goods, so only the user may
 * read them (mode 0600, new folders 0700). A file gets its name when it is complete, and never replaces another file.
 */
import { randomBytes } from 'node:crypto'
import { constants, copyFileSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Refusal, refuseOnError } from './errors.ts'

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
/** Errors of file systems without hard links, such as FAT and some network shares. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

/** Writes a new file. Throws a Refusal and leaves nothing behind if it exists or cannot be written. */
export function writeExport(file: string, content: string | Uint8Array): void {
  const folder = path.dirname(file)
  const unfinished = path.join(folder, `.waybill-${randomBytes(6).toString('hex')}`)
  try {
    writeFileSync(unfinished, content, { flag: 'wx', mode: PRIVATE_FILE })
    giveName(unfinished, file)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const code = errorCode(error)
    if (code === '') throw error
    throw new Refusal(code === 'ENOENT' ? `${folder} does not exist` : `${file} cannot be written: ${code}`)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Writes several files into a folder, which is created if needed. Throws as `writeExport` does. */
export function writeExports(folder: string, files: ReadonlyMap<string, string>): void {
  refuseOnError(() => mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER }))
  const written: string[] = []
  try {
    for (const [name, text] of files) {
      const file = path.join(folder, name)
      writeExport(file, text)
      written.push(file)
    }
  } catch (error) {
    for (const file of written) rmSync(file, { force: true })
    throw error
  }
}

/** Uses a link, because a rename would replace a file that was created in the meantime. */
function giveName(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw alreadyExists(file)
    if (!NO_LINKS.includes(errorCode(error))) throw error
    copyTo(unfinished, file)
  }
}

function copyTo(unfinished: string, file: string): void {
  try {
    copyFileSync(unfinished, file, constants.COPYFILE_EXCL)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw alreadyExists(file)
    rmSync(file, { force: true })
    throw error
  }
}

function alreadyExists(file: string): Refusal {
  return new Refusal(`${file} already exists`)
}

function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}
