/** Random ids of letters and digits, so that a double click selects a whole id. */
import { randomBytes } from 'node:crypto'

/** Base58: no 0, O, I and l, which are easily confused. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Bytes at or above the largest multiple of 58 would make some characters more likely. */
const BYTES = 256 - (256 % ALPHABET.length)

/** `prefix` and `length` random characters of 5.86 bits each. Tests pass the source of random bytes. */
export function randomId(
  prefix: string,
  length: number,
  bytes: (size: number) => Buffer = randomBytes,
): string {
  let characters = ''
  while (characters.length < length)
    for (const byte of bytes(2 * length))
      if (byte < BYTES) characters += ALPHABET.charAt(byte % ALPHABET.length)
  return prefix + characters.slice(0, length)
}
