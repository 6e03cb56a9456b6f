/**
 * Writes the files of export commands. They hold contract prices and descriptions of goods, so only the user may read
 * them (mode 0600, new folders 0700). A file gets its name when it is complete, and never replaces another file.
 */
import { randomBytes } from 'node:crypto'
import { constants, copyFileSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { orRefusal, Refusal } from './output.ts'

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
/** File systems without hard links: FAT, some network shares. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

/** Writes a file that is not there yet. Throws a Refusal when it is, or cannot be written; nothing is left then. */
export function writeExport(file: string, text: string): void {
  const folder = path.dirname(file)
  const unfinished = path.join(folder, `.waybill-${randomBytes(6).toString('hex')}`)
  try {
    writeFileSync(unfinished, text, { flag: 'wx', mode: PRIVATE_FILE })
    nameAs(unfinished, file)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const code = codeOf(error)
    if (code === '') throw error
    throw new Refusal(code === 'ENOENT' ? `${folder} does not exist` : `${file} cannot be written: ${code}`)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Writes several files into a folder, which is made where it is not there. Throws as `writeExport` does. */
export function writeExports(folder: string, files: ReadonlyMap<string, string>): void {
  orRefusal(() => mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER }))
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

/** Gives a file its name. Unlike a rename, a link never replaces a file that was created in the meantime. */
function nameAs(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new Refusal(`${file} is there already`)
    if (!NO_LINKS.includes(codeOf(error))) throw error
    copyTo(unfinished, file)
  }
}

function copyTo(unfinished: string, file: string): void {
  try {
    copyFileSync(unfinished, file, constants.COPYFILE_EXCL)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new Refusal(`${file} is there already`)
    rmSync(file, { force: true })
    throw error
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}
