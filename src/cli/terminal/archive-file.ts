/**
 * Writes the files of `waybill archive`: JSON lines, compressed with gzip. A file gets its name only when it is
 * complete and durable. Archives may contain personal data, so only the user may read them (mode 0600, new folders
 * 0700).
 */
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Refusal } from './errors.ts'

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
const compress = promisify(gzip)

/** Creates the folder if needed. Throws a Refusal if it cannot be written. */
export async function openArchiveFolder(folder: string): Promise<void> {
  await refuseFileErrors(folder, async () => {
    const created = await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
    if (created === undefined) return
    // From the new folder up to the first one that existed before.
    const existing = path.dirname(path.resolve(created))
    for (let made = path.resolve(folder); made !== existing; made = path.dirname(made))
      await makeDurable(path.dirname(made))
  })
}

/**
 * Writes lines to a new file, and returns when the file and its name are durable. Writes no file if there are no lines.
 * Leaves nothing behind if a line cannot be read or written; the end of the process leaves a file that begins with
 * `.unfinished-`. Throws a Refusal for errors of the file system.
 */
export async function writeArchiveFile(
  folder: string,
  name: string,
  chunks: AsyncIterable<readonly string[]>,
): Promise<void> {
  const unfinished = path.join(folder, `.unfinished-${name}`)
  let file: FileHandle | undefined
  try {
    for await (const lines of chunks) {
      // Each chunk is a member of the file; RFC 1952 allows several.
      const member = await compress(lines.map((line) => `${line}\n`).join(''))
      await refuseFileErrors(unfinished, async () => {
        file ??= await open(unfinished, 'wx', PRIVATE_FILE)
        await file.appendFile(member)
      })
    }
    const written = file
    if (written === undefined) return
    await refuseFileErrors(unfinished, async () => {
      await written.sync()
      await rename(unfinished, path.join(folder, name))
      await makeDurable(folder)
    })
  } finally {
    await file?.close()
    await rm(unfinished, { force: true })
  }
}

/** The name of a new file is durable only when its folder is. */
async function makeDurable(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function refuseFileErrors(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new Refusal(`${file} cannot be written: ${code}`)
  }
}
