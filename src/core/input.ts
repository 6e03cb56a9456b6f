/**
 * A draft is a request as a door received it: known keys, unknown values. The readers below turn one value
 * each into its domain form, or note a problem and answer undefined, so that a check can go on and name every
 * fault at once. `undefined`, `null` and empty text all mean "not given".
 */
import { isCountryCode, type Place } from './place.ts'
import type { FieldPath, FieldProblem, FieldProblemCode } from './problem.ts'
import { parseDecimal } from './quantity.ts'

/** Longest text a request may carry in one field, in characters (README decision 7). */
export const MAX_TEXT_LENGTH = 500

/** A JSON object with unvalidated values. The caller chose the keys: read named keys, never spread it. */
export type JsonObject = Readonly<Record<string, unknown>>

/** False for a list and for null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One end of a route as a door received it. */
export type PlaceInput = { readonly country?: unknown; readonly zipcode?: unknown; readonly city?: unknown }

/** Gathers the problems of one request. */
export type ProblemList = FieldProblem[]

/** Notes one problem. */
export function note(
  problems: ProblemList,
  path: FieldPath,
  code: FieldProblemCode,
  message: string,
): undefined {
  problems.push({ path, code, message })
}

/** True when the caller left the field out. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** Control characters other than blanks and line ends; NUL would be a fault in PostgreSQL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being refused
const CONTROL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** Counted as a reader counts: a character outside the basic plane is one. */
function isTooLong(text: string): boolean {
  return text.length > MAX_TEXT_LENGTH && [...text].length > MAX_TEXT_LENGTH
}

/** A text of at most `MAX_TEXT_LENGTH` characters, trimmed; undefined when absent or at fault. */
export function readText(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'string') return note(problems, path, 'WRONG_TYPE', 'must be a text')
  if (isTooLong(value)) return note(problems, path, 'TOO_LONG', `at most ${MAX_TEXT_LENGTH} characters`)
  if (CONTROL_CHARACTER.test(value))
    return note(problems, path, 'MALFORMED', 'must not contain control characters')
  if (!value.isWellFormed()) return note(problems, path, 'MALFORMED', 'must be well-formed Unicode')
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** A boolean, not its name in quotes; undefined when absent or at fault. */
export function readBoolean(problems: ProblemList, path: FieldPath, value: unknown): boolean | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'boolean') return note(problems, path, 'WRONG_TYPE', 'must be true or false')
  return value
}

/** One of the allowed words; undefined when absent or at fault. */
export function readOneOf<Word extends string>(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  words: readonly Word[],
): Word | undefined {
  if (isAbsent(value)) return undefined
  const word = words.find((allowed) => allowed === value)
  if (word === undefined) return note(problems, path, 'UNKNOWN_VALUE', `must be one of ${words.join(', ')}`)
  return word
}

/** What a numeric field accepts: `places` decimals, bounds in whole units. */
export type NumberRule = {
  readonly places: number
  readonly max: number
  /** The lowest value in whole units, inclusive; default: anything above zero. */
  readonly min?: number
}

/**
 * A number, or its text, as an integer of 10^-places: 1.5 with one place is 15. Doors decide whether quoted
 * text is acceptable at all (a door that wants a number turns text into NaN). Never rounds: too many decimals
 * are a fault.
 */
export function readNumber(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  rule: NumberRule,
): number | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'string' && (typeof value !== 'number' || Number.isNaN(value)))
    return note(problems, path, 'WRONG_TYPE', 'must be a number')
  const scale = 10 ** rule.places
  const text = String(value)
  const steps = parseDecimal(text, rule.places)
  if (steps === undefined) {
    if (isTooLarge(value)) return note(problems, path, 'OUT_OF_RANGE', `at most ${rule.max}`)
    return note(problems, path, 'MALFORMED', shapeOf(rule.places))
  }
  if (steps > rule.max * scale) return note(problems, path, 'OUT_OF_RANGE', `at most ${rule.max}`)
  if (rule.min === undefined && steps <= 0)
    return note(problems, path, 'OUT_OF_RANGE', 'must be greater than zero')
  if (rule.min !== undefined && steps < rule.min * scale)
    return note(problems, path, 'OUT_OF_RANGE', `at least ${rule.min}`)
  return steps
}

function isTooLarge(value: unknown): boolean {
  return typeof value === 'number' && value >= 1e15
}

function shapeOf(places: number): string {
  if (places === 0) return 'must be a whole number'
  return `must be a number with at most ${places} ${places === 1 ? 'decimal' : 'decimals'}`
}

const INSTANT_EXPECTED = 'must be an instant such as 2026-11-21T09:30:00Z'
const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** The UTC day ('YYYY-MM-DD') of an ISO 8601 instant or day; undefined when absent or at fault. */
export function readInstant(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'string' || !INSTANT.test(value) || !isDay(value.slice(0, 10)))
    return note(problems, path, 'MALFORMED', INSTANT_EXPECTED)
  const milliseconds = Date.parse(value)
  if (Number.isNaN(milliseconds)) return note(problems, path, 'MALFORMED', INSTANT_EXPECTED)
  return new Date(milliseconds).toISOString().slice(0, 10)
}

/** True for a day 'YYYY-MM-DD' of the calendar. Date.parse rolls 30 February over into March; a day that does not come back as itself is none. */
export function isDay(day: string): boolean {
  const milliseconds = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().slice(0, 10) === day
}

/** A required list of 1 to `max` objects; undefined when it is no such list. */
export function readList(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  max: number,
): readonly unknown[] | undefined {
  if (isAbsent(value)) return note(problems, path, 'REQUIRED', 'required')
  if (!Array.isArray(value)) return note(problems, path, 'WRONG_TYPE', 'must be a list')
  if (value.length === 0) return note(problems, path, 'REQUIRED', 'at least one is required')
  if (value.length > max) return note(problems, path, 'TOO_MANY', `at most ${max}`)
  return value
}

/** An ISO 3166-1 alpha-2 code, in capitals; required when `required`. */
export function readCountry(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  required: boolean,
): string | undefined {
  if (isAbsent(value)) return required ? note(problems, path, 'REQUIRED', 'required') : undefined
  if (typeof value !== 'string') return note(problems, path, 'WRONG_TYPE', 'must be a text')
  // Letters first: outside ASCII, toUpperCase makes an I of a dotless one.
  const code = /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : ''
  if (!isCountryCode(code))
    return note(problems, path, 'UNKNOWN_VALUE', 'must be an ISO 3166-1 alpha-2 country code')
  return code
}

/** One end of a route; undefined when its country is at fault. */
export function readPlace(problems: ProblemList, path: FieldPath, input: PlaceInput): Place | undefined {
  const country = readCountry(problems, [...path, 'country'], input.country, true)
  const zipcode = readText(problems, [...path, 'zipcode'], input.zipcode)
  const city = readText(problems, [...path, 'city'], input.city)
  if (country === undefined) return undefined
  return { country, ...(zipcode !== undefined && { zipcode }), ...(city !== undefined && { city }) }
}

// Text that is safe to keep as a name and to print on one line: no control characters (they move the cursor of a
// terminal and forge rows of a listing; NUL is an error in PostgreSQL), no line breaks, no marks that reorder what a
// reader sees, no lone surrogates. The one definition for names, ids and reasons from the command line and from
// imported files.

/**
 * C0, DEL and C1 (Cc), lone surrogates (Cs), the line and paragraph separators (Zl, Zp), and the overrides, embeddings
 * and isolates of the bidirectional algorithm. With the flag `u`, a surrogate of a pair does not match.
 */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const EVERY_UNSAFE = new RegExp(UNSAFE, 'gu')
const UNSAFE_RUN = new RegExp(`${UNSAFE.source}+`, 'gu')

/** What is expected in place of a text that `isPlainText` refuses. */
export const EXPECTED_PLAIN_TEXT = 'text on one line without control characters'

/** True for a text that can be kept as a name; its length is not looked at. */
export function isPlainText(text: string): boolean {
  return !UNSAFE.test(text)
}

/** What is expected in place of a name that cannot be kept; undefined for one that can. Empty is no name. */
export function nameFault(name: string, maxLength: number = MAX_TEXT_LENGTH): string | undefined {
  if (name.trim() === '') return 'a value'
  if (name.length > maxLength) return `at most ${maxLength} characters`
  return isPlainText(name) ? undefined : EXPECTED_PLAIN_TEXT
}

/** The text with each run of unsafe characters as one blank, for texts of others that must not refuse a file. */
export function toPlainText(text: string): string {
  return isPlainText(text) ? text : text.replace(UNSAFE_RUN, ' ')
}

/** The text with unsafe characters written out, as in JSON: a newline is `\n`, an escape `\u001b`. For display. */
export function printable(text: string): string {
  return isPlainText(text) ? text : text.replace(EVERY_UNSAFE, escapeOf)
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeOf(character: string): string {
  return SHORT_ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
