/**
 * Writes JSON as bytes. A response consists of hundreds of short parts; as strings they would be concatenated, flattened
 * and encoded, which takes twice as long and allocates four times as much.
 */
import { quote } from './json-text.ts'

const INITIAL_BYTES = 64 * 1024

/** A larger buffer is not reused, so that one large response does not occupy memory for ever. */
const MAX_REUSED_BYTES = 1024 * 1024

/** The longest integer that is written, with its sign. */
const INTEGER_BYTES = 24

const [ZERO, POINT, MINUS] = [48, 46, 45]

/** Up to this value, integers are divided with 32-bit arithmetic. */
const MAX_FAST_INTEGER = 999_999_999

/** Collects the bytes of one JSON text. `finish` returns them. */
class JsonBytes {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES)
  #length = 0

  clear(): this {
    this.#length = 0
    return this
  }

  /** Adds JSON as it is. */
  add(part: Uint8Array): this {
    const at = this.#reserve(part.length)
    this.#bytes.set(part, at)
    return this
  }

  /** Throws if the value is not a safe integer. */
  integer(value: number): this {
    this.#length = this.#write(value, this.#reserve(INTEGER_BYTES))
    return this
  }

  /** A whole number of hundredths as a JSON number, written like `JSON.stringify(value / 100)`. */
  hundredths(value: number): this {
    const start = this.#reserve(INTEGER_BYTES)
    const bytes = this.#bytes
    const rest = Math.abs(value % 100)
    const whole = (Math.abs(value) - rest) / 100
    let at = start
    if (value < 0) bytes[at++] = MINUS
    at = this.#write(whole, at)
    if (rest !== 0) {
      bytes[at++] = POINT
      bytes[at++] = ZERO + Math.floor(rest / 10)
      if (rest % 10 !== 0) bytes[at++] = ZERO + (rest % 10)
    }
    this.#length = at
    return this
  }

  /** A copy of the bytes. */
  finish(): Buffer {
    const copy = Buffer.from(this.#bytes.subarray(0, this.#length))
    if (this.#bytes.length > MAX_REUSED_BYTES) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES)
    return copy
  }

  /** Returns the current end and moves it by `count` bytes. */
  #reserve(count: number): number {
    const at = this.#length
    if (at + count > this.#bytes.length) this.#grow(at + count)
    this.#length = at + count
    return at
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(2 * needed)
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }

  /** Writes an integer at `at` and returns the position after it. */
  #write(value: number, at: number): number {
    const bytes = this.#bytes
    let position = at
    if (value >= 0 && value <= MAX_FAST_INTEGER) {
      let divisor = 1
      while (divisor * 10 <= value) divisor *= 10
      for (let rest = value; divisor >= 1; divisor = (divisor / 10) | 0) {
        const digit = (rest / divisor) | 0
        bytes[position++] = ZERO + digit
        rest -= digit * divisor
      }
      return position
    }
    if (!Number.isSafeInteger(value)) throw new RangeError('not a safe integer')
    return at + bytes.write(String(value), at, 'latin1')
  }
}

const shared = new JsonBytes()

export type { JsonBytes }

/** Starts a text. The same object is returned each time, so a text must be finished before another one is started. */
export function startJson(): JsonBytes {
  return shared.clear()
}

/** JSON for `add`. */
export function jsonPart(text: string): Uint8Array {
  return Buffer.from(text)
}

/** Texts that are remembered at most; then all are forgotten. */
const MAX_REMEMBERED = 2_000

/**
 * Returns a function that makes the part of a text once: `before`, the text as a JSON string, `after`. For texts that
 * repeat, such as the names of surcharges.
 */
export function rememberedPart(before: string, after: string): (text: string) => Uint8Array {
  const parts = new Map<string, Uint8Array>()
  return (text) => {
    const known = parts.get(text)
    if (known !== undefined) return known
    if (parts.size >= MAX_REMEMBERED) parts.clear()
    const part = jsonPart(`${before}${quote(text)}${after}`)
    parts.set(text, part)
    return part
  }
}
