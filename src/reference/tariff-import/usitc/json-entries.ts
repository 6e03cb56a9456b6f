/**
 * Reads the entries of a JSON array one after another. Only one entry is parsed at a time, because the parsed values of
 * a whole schedule take many times the memory of its text. The array is the whole text, or the only array of an object.
 */
import {
  atMost,
  bytesText,
  figureText,
  ImportRefusal,
  MAX_ENTRY_BYTES,
  MAX_TABLE_ROWS,
} from '../../import/import-limits.ts'

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const BLANKS: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d]
/** What ends a number, true, false or null. */
const ENDS: readonly (number | undefined)[] = [...BLANKS, COMMA, COLON, CLOSE_LIST, CLOSE_OBJECT]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

const DAMAGED = 'JSON that is complete and not damaged'
const NO_ARRAY = 'an array with an entry for each line of the schedule'

/**
 * Passes each entry to `onEntry`, with its number counted from 1. Returns the refusal if the text is not such an array,
 * or has more entries than a table has rows; the entries before the fault may have been passed.
 */
export function visitJsonEntries(
  bytes: Buffer,
  onEntry: (entry: unknown, number: number) => void,
): ImportRefusal | undefined {
  try {
    const hasMark = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte)
    const start = afterBlanks(bytes, hasMark ? BYTE_ORDER_MARK.length : 0)
    const end = endOfValue(bytes, start)
    if (afterBlanks(bytes, end) !== bytes.length) throw refusal(DAMAGED)
    const array = bytes[start] === OPEN_OBJECT ? onlyArray(bytes, start) : start
    let count = 0
    visitArray(bytes, array, () => {
      count += 1
    })
    if (count > MAX_TABLE_ROWS) throw refusal(atMost(MAX_TABLE_ROWS, 'entries'), figureText(count))
    visitArray(bytes, array, (from, to, number) => onEntry(parsed(bytes, from, to), number))
    return undefined
  } catch (error) {
    if (error instanceof ImportRefusal) return error
    throw error
  }
}

function visitArray(
  bytes: Buffer,
  start: number,
  onEntry: (from: number, to: number, number: number) => void,
): void {
  if (bytes[start] !== OPEN_LIST) throw refusal(NO_ARRAY)
  let at = afterBlanks(bytes, start + 1)
  if (bytes[at] === CLOSE_LIST) return
  for (let number = 1; ; number += 1) {
    const end = endOfValue(bytes, at)
    onEntry(at, end, number)
    at = afterBlanks(bytes, end)
    if (bytes[at] === CLOSE_LIST) return
    at = afterBlanks(bytes, expect(bytes, at, COMMA))
  }
}

/** The position of the only array among the members of an object. */
function onlyArray(bytes: Buffer, start: number): number {
  const arrays: number[] = []
  let at = afterBlanks(bytes, start + 1)
  let isLast = bytes[at] === CLOSE_OBJECT
  while (!isLast) {
    const name = endOfValue(bytes, at)
    if (typeof parsed(bytes, at, name) !== 'string') throw refusal(DAMAGED)
    const value = afterBlanks(bytes, expect(bytes, afterBlanks(bytes, name), COLON))
    const end = endOfValue(bytes, value)
    if (bytes[value] === OPEN_LIST) arrays.push(value)
    else parsed(bytes, value, end)
    at = afterBlanks(bytes, end)
    isLast = bytes[at] === CLOSE_OBJECT
    if (!isLast) at = afterBlanks(bytes, expect(bytes, at, COMMA))
  }
  const [only, ...others] = arrays
  if (only === undefined || others.length > 0) throw refusal(NO_ARRAY)
  return only
}

function refusal(expected: string, found = ''): ImportRefusal {
  return new ImportRefusal(expected, found)
}

function parsed(bytes: Buffer, start: number, end: number): unknown {
  if (end - start > MAX_ENTRY_BYTES) {
    throw refusal(`at most ${bytesText(MAX_ENTRY_BYTES)} in an entry`, bytesText(end - start))
  }
  try {
    return JSON.parse(bytes.toString('utf8', start, end))
  } catch {
    throw refusal(DAMAGED)
  }
}

/** The position after the value at `start`. Brackets and quotes are matched; parsing checks the rest. */
function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start]
  if (first === QUOTE) return endOfText(bytes, start) + 1
  if (first === OPEN_LIST || first === OPEN_OBJECT) return endOfNested(bytes, start)
  let at = start
  while (at < bytes.length && !ENDS.includes(bytes[at])) at += 1
  if (at === start) throw refusal(DAMAGED)
  return at
}

function endOfNested(bytes: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
    if (depth === 0) return at + 1
  }
  throw refusal(DAMAGED)
}

/** The position of the quote that ends the text at `start`. */
function endOfText(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1)
    if (bytes[at] === BACKSLASH) at += 1
    else if (bytes[at] === QUOTE) return at
  throw refusal(DAMAGED)
}

function expect(bytes: Buffer, at: number, byte: number): number {
  if (bytes[at] !== byte) throw refusal(DAMAGED)
  return at + 1
}

function afterBlanks(bytes: Buffer, start: number): number {
  let at = start
  while (BLANKS.includes(bytes[at])) at += 1
  return at
}
