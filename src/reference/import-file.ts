/** Files an operator names, read into memory up to a limit, whatever their size is said to be. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { bytesText, MAX_FILE_BYTES } from './import-limits.ts'

const FIRST_BYTES = 64 * 1024

/**
 * Reads a file, or a pipe to its end. Throws an error in plain words when it does not exist, cannot be read, is a folder
 * or has more than `maxBytes`.
 */
export function readImportFile(location: string, maxBytes: number = MAX_FILE_BYTES): Buffer {
  const file = inWords(location, () => openSync(location, 'r'))
  try {
    const stats = inWords(location, () => fstatSync(file))
    if (stats.isDirectory()) throw new Error(`${location} is not a file`)
    if (stats.size > maxBytes) throw tooLarge(location, bytesText(stats.size), maxBytes)
    let buffer = Buffer.allocUnsafe(Math.max(stats.size, FIRST_BYTES) + 1)
    let length = 0
    for (;;) {
      const read = inWords(location, () => readSync(file, buffer, length, buffer.length - length, null))
      if (read === 0) return buffer.subarray(0, length)
      length += read
      if (length > maxBytes) throw tooLarge(location, `more than ${bytesText(maxBytes)}`, maxBytes)
      if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * length, maxBytes + 1))
    }
  } finally {
    closeSync(file)
  }
}

function tooLarge(location: string, found: string, maxBytes: number): Error {
  return new Error(`${location} has ${found}; the limit is ${bytesText(maxBytes)}`)
}

function inWords<Value>(location: string, act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const words = code === 'ENOENT' ? 'does not exist' : `cannot be read: ${message}`
    throw new Error(`${location} ${words}`, { cause: error })
  }
}
