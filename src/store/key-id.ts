/**
 * The form of API key ids: the generator, and the check that refuses every id the generator cannot have produced.
 * They are next to each other so that they cannot drift apart.
 */
import { randomBytes } from 'node:crypto'

/** Length of the random part: 12 bytes (96 bits) are 16 characters of base64url, without padding. */
const RANDOM_BYTES = 12

const KEY_ID = /^wb_[A-Za-z0-9_-]{16}$/

/** A new random key id. The prefix prevents a leading dash, which commands would parse as an option. */
export function newKeyId(): string {
  return `wb_${randomBytes(RANDOM_BYTES).toString('base64url')}`
}

/** Whether `newKeyId` can have produced the text. Cheap and linear, whatever the caller sends. */
export function isKeyId(text: string): boolean {
  return KEY_ID.test(text)
}
