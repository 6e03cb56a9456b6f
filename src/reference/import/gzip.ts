/**
 * Unpacks gzip files (RFC 1952) within a limit. The size that a file declares is not trusted: unpacking stops at the
 * limit, so that a small file cannot fill the memory.
 */
import { gunzipSync } from 'node:zlib'
import { bytesText, ImportRefusal, MAX_FILE_BYTES } from './import-limits.ts'

/** True if the bytes begin with the signature of gzip. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Throws ImportRefusal if the file is damaged or unpacks to more than `maxBytes`. */
export function unpackGzip(bytes: Uint8Array, maxBytes: number = MAX_FILE_BYTES): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new ImportRefusal(`at most ${bytesText(maxBytes)} after unpacking`, 'more')
    throw new ImportRefusal('a gzip file that is complete and not damaged', message)
  }
}
