/**
 * The CSV files of a rate card, out of a folder or a zip. Decided here: what in them counts as a file of the
 * card, and how much may come out of a zip before it is refused unread.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { unzipSync } from 'fflate'

/** Files and folders in a zip at most, all told. */
export const MAX_ZIP_ENTRIES = 64
/** Bytes of the CSV files at most, unpacked. A million prices are some 30 MB. */
export const MAX_UNPACKED_BYTES = 256 * 1024 * 1024

/**
 * The CSV files in a folder or a zip, by name. In a zip they may lie in one folder; what else lies there (other
 * kinds of files, dot files, what macOS adds) is passed over. Throws an error in plain words when there is none.
 */
export function openRateCardFiles(location: string): ReadonlyMap<string, Uint8Array> {
  const files = isFolder(location) ? readFolder(location) : readZip(location)
  if (files.size === 0) throw new Error(`${location} holds no CSV files`)
  return files
}

function isFolder(location: string): boolean {
  const stats = attempt(location, 'cannot be read', () => statSync(location, { throwIfNoEntry: false }))
  if (stats === undefined) throw new Error(`${location} does not exist`)
  return stats.isDirectory()
}

function readFolder(folder: string): Map<string, Uint8Array> {
  const names = attempt(folder, 'cannot be read', () => readdirSync(folder))
    .filter(isCsvName)
    .sort()
  const files = new Map<string, Uint8Array>()
  let bytes = 0
  for (const name of names) {
    const file = path.join(folder, name)
    bytes += attempt(file, 'cannot be read', () => statSync(file).size)
    refuseTooLarge(folder, bytes)
    files.set(
      name,
      attempt(file, 'cannot be read', () => readFileSync(file)),
    )
  }
  return files
}

/** An entry of a zip's directory; the size is the one it claims to unpack to. */
type Entry = { readonly name: string; readonly bytes: number }

function readZip(file: string): Map<string, Uint8Array> {
  const size = attempt(file, 'cannot be read', () => statSync(file).size)
  refuseTooLarge(file, size)
  const packed = attempt(file, 'cannot be read', () => readFileSync(file))
  if (packed.subarray(0, 2).toString('latin1') !== 'PK')
    throw new Error(`${file} is neither a folder nor a zip`)
  const entries = listEntries(file, packed).filter(({ name }) => isCardFile(name))
  const folders = new Set(entries.map(({ name }) => path.posix.dirname(portable(name))))
  if (folders.size > 1)
    throw new Error(`${file} has CSV files in several folders: ${[...folders].sort().join(', ')}`)
  refuseTooLarge(
    file,
    entries.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  const wanted = new Set(entries.map(({ name }) => name))
  const unpacked = attempt(file, 'is a damaged zip', () =>
    unzipSync(packed, { filter: ({ name }) => wanted.has(name) }),
  )
  const files = new Map<string, Uint8Array>()
  for (const { name, bytes } of entries) {
    const content = unpacked[name]
    if (content?.length !== bytes) throw new Error(`${file} is a damaged zip (${name})`)
    files.set(path.posix.basename(portable(name)), content)
  }
  if (files.size < entries.length) throw new Error(`${file} has two files of the same name`)
  return files
}

/** Reads the directory of a zip and unpacks nothing. */
function listEntries(file: string, packed: Uint8Array): readonly Entry[] {
  const entries: Entry[] = []
  const filter = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    entries.push({ name, bytes: originalSize })
    if (entries.length > MAX_ZIP_ENTRIES)
      throw new Error(`more than ${MAX_ZIP_ENTRIES} entries; a rate card has 14 files`)
    return false
  }
  attempt(file, 'is a zip that cannot be read', () => unzipSync(packed, { filter }))
  return entries
}

function refuseTooLarge(location: string, bytes: number): void {
  if (bytes > MAX_UNPACKED_BYTES)
    throw new Error(`${location} is larger than ${MAX_UNPACKED_BYTES / 1024 / 1024} MiB`)
}

function isCardFile(name: string): boolean {
  const parts = portable(name).split('/')
  return isCsvName(parts.at(-1)!) && !parts.some((part) => part.startsWith('.') || part === '__MACOSX')
}

function isCsvName(name: string): boolean {
  return /\.csv$/i.test(name) && !name.startsWith('.')
}

/** Some programs of Windows write backslashes into a zip. */
function portable(name: string): string {
  return name.replaceAll('\\', '/')
}

/** What goes wrong in the file system or the zip, told of the file it concerns. */
function attempt<Value>(location: string, failure: string, act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    throw new Error(`${location} ${failure}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
