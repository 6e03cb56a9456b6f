/** Reads files of JSON. */

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Undefined if the file is not JSON in UTF-8. A byte order mark is ignored. */
export function parseJsonFile(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes))
  } catch {
    return undefined
  }
}
