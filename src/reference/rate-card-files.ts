/**
 * The CSV files of a rate card, out of a folder or a zip. Decided here: what in them counts as a file of the
 * card, and how much may come out of a zip before it is refused unread.
 */
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { readImportFile } from './import-file.ts'
import { bytesText, ImportRefusal, MAX_CARD_ENTRIES, MAX_FILE_BYTES } from './import-limits.ts'
import { declaredBytes, readZipDirectory, unpackWhole } from './zip-archive.ts'

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
  if (names.length > MAX_CARD_ENTRIES)
    throw new Error(`${folder} has ${names.length} CSV files; the limit is ${MAX_CARD_ENTRIES}`)
  const files = new Map<string, Uint8Array>()
  let bytes = 0
  for (const name of names) {
    const file = readImportFile(path.join(folder, name))
    bytes += file.length
    if (bytes > MAX_FILE_BYTES)
      throw new Error(
        `${folder} has more than ${bytesText(MAX_FILE_BYTES)} of CSV files, which is the limit for a rate card`,
      )
    files.set(name, file)
  }
  return files
}

function readZip(file: string): Map<string, Uint8Array> {
  const packed = readImportFile(file)
  if (packed.subarray(0, 2).toString('latin1') !== 'PK')
    throw new Error(`${file} is neither a folder nor a zip`)
  return attempt(file, 'is refused', () => unpackCard(packed))
}

function unpackCard(packed: Uint8Array): Map<string, Uint8Array> {
  const entries = readZipDirectory(packed, MAX_CARD_ENTRIES).filter(({ name }) => isCardFile(name))
  const folders = new Set(entries.map(({ name }) => path.posix.dirname(portable(name))))
  if (folders.size > 1)
    throw new ImportRefusal('CSV files in one folder', `several: ${[...folders].sort().join(', ')}`)
  const unpackedBytes = declaredBytes(entries)
  if (unpackedBytes > MAX_FILE_BYTES)
    throw new ImportRefusal(`at most ${bytesText(MAX_FILE_BYTES)} of CSV files`, bytesText(unpackedBytes))
  const files = new Map<string, Uint8Array>()
  for (const entry of entries) {
    const name = path.posix.basename(portable(entry.name))
    if (files.has(name)) throw new ImportRefusal('each file once', `two called ${name}`)
    files.set(name, unpackWhole(packed, entry))
  }
  return files
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

/** What goes wrong in the file system or the zip, with the file it concerns. */
function attempt<Value>(location: string, failure: string, act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    throw new Error(`${location} ${failure}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
