/**
 * Sorted goods codes as numbers (see `codeKey`), for lookups by prefix. A code sorts before the codes that begin with it,
 * so these follow it without a gap.
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
  keys: ArrayLike<number>,
  rows: ArrayLike<number>,
  compare: (row: number, other: number) => number,
): CodeRun {
  const order = Uint32Array.from({ length: keys.length }, (_, position) => position)
  const difference = (a: number, b: number): number =>
    keys[a]! - keys[b]! || compare(rows[a]!, rows[b]!) || a - b
  if (!isSorted(order, difference)) order.sort(difference)
  const sorted = Float64Array.from(order, (position) => keys[position]!)
  return {
    keys: sorted,
    rows: Uint32Array.from(order, (position) => rows[position]!),
    lengths: lengthsOf(sorted),
  }
}

function isSorted(order: Uint32Array, difference: (a: number, b: number) => number): boolean {
  for (let position = 1; position < order.length; position += 1)
    if (difference(position - 1, position) > 0) return false
  return true
}

/** The lengths that occur, longest first. */
export function lengthsOf(keys: Float64Array): readonly number[] {
  const lengths = new Set<number>()
  for (const key of keys) lengths.add(codeLength(key))
  return [...lengths].sort((a, b) => b - a)
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
