/** Counts the values of a JSON text before it is parsed: a parsed value takes far more memory than its text. */

const [QUOTE, COMMA, LIST, BACKSLASH, OBJECT] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b]

/** Counts arrays, objects and the commas between values, ignoring string contents. Malformed JSON is counted the same way. */
export function countJsonValues(bytes: Uint8Array): number {
  let count = 0
  let isInText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (isInText && byte === BACKSLASH) at += 1
    else if (byte === QUOTE) isInText = !isInText
    else if (!isInText && (byte === COMMA || byte === LIST || byte === OBJECT)) count += 1
  }
  return count
}
