/** How a body becomes a value: UTF-8 without exceptions, JSON without exceptions. */

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** The value in the bytes that the socket collected; undefined when they are not JSON in UTF-8. */
export function readJson(bytes: unknown): unknown {
  if (!Buffer.isBuffer(bytes)) return undefined
  try {
    return JSON.parse(UTF8.decode(bytes))
  } catch {
    return undefined
  }
}
