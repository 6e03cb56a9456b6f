/**
 * Writes JSON as bytes. A response consists of hundreds of short parts; as strings they would be concatenated,
 * flattened and encoded, which takes twice as long and allocates four times as much.
 */
import { quote } from './json-text.ts'

/**
 * Texts are cut from blocks of this size, so that most of them need no memory of their own. A response that a client
 * does not read keeps its whole block; such responses are small, and the kernel takes them at once.
 */
const BLOCK_BYTES = 64 * 1024

/** A block with less space than this is given up. */
const MIN_SPACE = 8 * 1024

/** The longest integer that is written, with its sign. */
const INTEGER_BYTES = 24

const [ZERO, POINT, MINUS] = [48, 46, 45]

/** Up to this value, integers are divided with 32-bit arithmetic. */
const MAX_FAST_INTEGER = 999_999_999

/** Collects the bytes of one JSON text. `finish` returns them. */
class JsonBytes {
  #bytes = Buffer.allocUnsafeSlow(BLOCK_BYTES)
  /** Where the text starts in the block. */
  #start = 0
  /** Where it ends so far. */
  #end = 0

  /** Drops what was added since the last `finish`. */
  clear(): this {
    this.#end = this.#start
    return this
  }

  /** Adds JSON as it is. */
  add(part: Uint8Array): this {
    const at = this.#reserve(part.length)
    this.#bytes.set(part, at)
    return this
  }

  /** Adds one ASCII character, such as a comma. */
  character(code: number): this {
    const at = this.#reserve(1)
    // After `#reserve`, which can replace the block.
    this.#bytes[at] = code
    return this
  }

  /** Throws if the value is not a safe integer. */
  integer(value: number): this {
    refuseFractions(value)
    this.#end = this.#write(value, this.#reserve(INTEGER_BYTES))
    return this
  }

  /**
   * A whole number of hundredths as a JSON number, written like `JSON.stringify(value / 100)`. Throws if the value is
   * not a safe integer.
   */
  hundredths(value: number): this {
    refuseFractions(value)
    const start = this.#reserve(INTEGER_BYTES)
    // After `#reserve`, which can replace the block.
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
    this.#end = at
    return this
  }

  /** Returns the bytes of the text. Later texts do not change them. */
  finish(): Buffer {
    const text = this.#bytes.subarray(this.#start, this.#end)
    const isLong = this.#bytes.length > BLOCK_BYTES
    this.#start = this.#end
    if (isLong || this.#bytes.length - this.#end < MIN_SPACE) {
      this.#bytes = Buffer.allocUnsafeSlow(BLOCK_BYTES)
      this.#start = 0
      this.#end = 0
    }
    // A long text is copied: its block can be twice as large, and would stay in memory as long as the text.
    return isLong ? Buffer.from(text) : text
  }

  /** Returns the current end and moves it by `count` bytes. */
  #reserve(count: number): number {
    if (this.#end + count > this.#bytes.length) this.#move(count)
    const at = this.#end
    this.#end = at + count
    return at
  }

  /** Moves the text to a new block with space for `count` more bytes. */
  #move(count: number): void {
    const text = this.#bytes.subarray(this.#start, this.#end)
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, 2 * (text.length + count)))
    this.#bytes.set(text)
    this.#start = 0
    this.#end = text.length
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
    return at + bytes.write(String(value), at, 'latin1')
  }
}

function refuseFractions(value: number): void {
  if (!Number.isSafeInteger(value)) throw new RangeError('not a safe integer')
}

export const [COMMA, END_OF_LIST, END_OF_OBJECT] = [44, 93, 125]

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

/** A function of `rememberedPart` forgets all its texts when it has this many. */
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
