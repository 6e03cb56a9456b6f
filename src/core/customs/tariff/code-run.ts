/**
 * Sorted goods codes as numbers (see `codeKey`), for lookups by prefix. A code sorts before the codes that begin with
 * it, so these follow it without a gap.
 */
import { codeKey, codeLength } from '../data/packed-rows.ts'

/** Rows by code. Both lists have one element per row. */
export type CodeRun = {
  /** Keys of the codes, in ascending order. */
  readonly keys: Float64Array
  /** Positions of the rows in their table. Rows of one code are in the order of their precedence. */
  readonly rows: Uint32Array
  /** Lengths of the codes, longest first. Lookups try no other length. */
  readonly lengths: readonly number[]
}

const MAX_DIGITS = 10
const LENGTHS = 16
const POWERS = Array.from({ length: MAX_DIGITS + 1 }, (_, exponent) => 10 ** exponent)

/** The key of the first `length` digits of a code, from its key. The code must have that many digits. */
export function prefixKey(key: number, length: number): number {
  const step = POWERS[MAX_DIGITS - length]!
  return Math.floor(key / LENGTHS / step) * step * LENGTHS + length
}

const CHAPTER_STEP = LENGTHS * 10 ** (MAX_DIGITS - 2)

/** The first two digits of a code as a number, from its key. */
export function chapterOf(key: number): number {
  return Math.floor(key / CHAPTER_STEP)
}

/** The first position whose key is not below `key`. */
export function lowerBound(keys: Float64Array, key: number): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keys[middle]! < key) low = middle + 1
    else high = middle
  }
  return low
}

/** The position after the last code that begins with the code of a key. */
export function endOfPrefix(keys: Float64Array, key: number): number {
  const length = codeLength(key)
  return lowerBound(keys, key - length + POWERS[MAX_DIGITS - length]! * LENGTHS)
}

/** True if one of the codes is equal to the code of a key. */
export function hasKey(keys: Float64Array, key: number): boolean {
  return keys[lowerBound(keys, key)] === key
}

/** True if one of the codes is a prefix of the code of a key. */
export function hasPrefixOf({ keys, lengths }: Pick<CodeRun, 'keys' | 'lengths'>, key: number): boolean {
  const digits = codeLength(key)
  for (const length of lengths) if (length <= digits && hasKey(keys, prefixKey(key, length))) return true
  return false
}

/** Sorts rows by their keys, and rows of one key by `compare` and then by their order. */
export function sortedRun(
  keys: readonly number[],
  rows: readonly number[],
  compare: (row: number, other: number) => number,
): CodeRun {
  const difference = (a: number, b: number): number => keys[a]! - keys[b]! || compare(rows[a]!, rows[b]!)
  // Rows of a file are sorted. Unlike the sort of typed arrays, that of arrays is fast for a few sorted parts.
  const order = rows.map((_, position) => position).sort(difference)
  const [sortedKeys, sortedRows] = [new Float64Array(keys.length), new Uint32Array(keys.length)]
  for (let position = 0; position < order.length; position += 1) {
    sortedKeys[position] = keys[order[position]!]!
    sortedRows[position] = rows[order[position]!]!
  }
  return { keys: sortedKeys, rows: sortedRows, lengths: lengthsOf(sortedKeys) }
}

/** The lengths that occur, longest first. */
export function lengthsOf(keys: Float64Array): readonly number[] {
  const occurs = new Uint8Array(LENGTHS)
  for (let position = 0; position < keys.length; position += 1) occurs[codeLength(keys[position]!)] = 1
  const lengths: number[] = []
  for (let length = LENGTHS - 1; length >= 0; length -= 1) if (occurs[length] === 1) lengths.push(length)
  return lengths
}

/** A list of codes without rows. */
export type CodeSet = Pick<CodeRun, 'keys' | 'lengths'>

export function codeSet(codes: Iterable<string>): CodeSet {
  return codeSetOfKeys(Float64Array.from(codes, codeKey))
}

export function codeSetOfKeys(unsorted: Float64Array): CodeSet {
  const keys = Float64Array.from(new Set(unsorted.toSorted()))
  return { keys, lengths: lengthsOf(keys) }
}
