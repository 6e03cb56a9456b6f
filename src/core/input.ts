/**
 * Readers for unvalidated input. Each reader returns the value in its domain form, or notes a problem and returns
 * undefined, so that one pass finds every fault. `undefined`, `null` and '' all mean "not given".
 * The end of the file has the rules for names and other text that is stored or printed.
 */
import { isCountryCode, type Place } from './place.ts'
import { type FieldPath, type FieldProblem, type FieldProblemCode, pathsWithin } from './problem.ts'
import { parseDecimal, powerOfTen, stepsOf } from './quantity.ts'

/** The longest text in one field, in characters (docs/rest-contract.md#r7). */
export const MAX_TEXT_LENGTH = 500

/** A JSON object with unvalidated values. The caller chose the keys: read named keys, never spread it. */
export type JsonObject = Readonly<Record<string, unknown>>

/** False for a list and for null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export type PlaceInput = { readonly country?: unknown; readonly zipcode?: unknown; readonly city?: unknown }

export type ProblemList = FieldProblem[]

/** Notes a problem. Returns undefined, so that a reader can end with `return note(…)`. */
export function note(
  problems: ProblemList,
  path: FieldPath,
  code: FieldProblemCode,
  message: string,
  advice?: string,
): undefined {
  problems.push({ path, code, message, ...(advice !== undefined && { advice }) })
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** Control characters except tabs and line ends. PostgreSQL rejects NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds control characters
const CONTROL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** Counts code points, not UTF-16 units. A code point has at most two units, so very long texts need no counting. */
function isTooLong(text: string, maxLength: number): boolean {
  return text.length > 2 * maxLength || (text.length > maxLength && [...text].length > maxLength)
}

/** True for printable ASCII without blanks at the ends. Most texts are like this and need no further checks. */
function isPrintableAscii(text: string): boolean {
  if (text.startsWith(' ') || text.endsWith(' ')) return false
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}

/** A trimmed text of at most `maxLength` characters; undefined if absent or invalid. */
export function readText(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  maxLength = MAX_TEXT_LENGTH,
): string | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'string') return note(problems, path, 'WRONG_TYPE', 'must be a string')
  if (value.length <= maxLength && isPrintableAscii(value)) return value
  if (isTooLong(value, maxLength))
    return note(problems, path, 'TOO_LONG', `must have at most ${maxLength} characters`)
  if (CONTROL_CHARACTER.test(value))
    return note(problems, path, 'MALFORMED', 'must not contain control characters')
  if (!value.isWellFormed()) return note(problems, path, 'MALFORMED', 'must be well-formed Unicode')
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** A boolean, but not the text "true" or "false"; undefined if absent or invalid. */
export function readBoolean(problems: ProblemList, path: FieldPath, value: unknown): boolean | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'boolean') return note(problems, path, 'WRONG_TYPE', 'must be true or false')
  return value
}

/** One of `words`; undefined if absent or invalid. */
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

/** At most `places` decimals. Bounds are in whole units. */
export type NumberRule = {
  readonly places: number
  readonly max: number
  /** Inclusive. By default the value must be greater than zero. */
  readonly min?: number
}

/**
 * A number, or a text with one, as an integer number of steps of 10^-places: 1.5 with one place is 15. Too many
 * decimals are a fault; nothing is rounded. A door that does not accept numbers as text passes NaN for text.
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
  const scale = powerOfTen(rule.places)
  const steps = typeof value === 'number' ? stepsOf(value, rule.places) : parseDecimal(value, rule.places)
  if (steps === undefined) return noteUnreadable(problems, path, value, rule)
  if (steps > rule.max * scale) return note(problems, path, 'OUT_OF_RANGE', `must be at most ${rule.max}`)
  if (rule.min === undefined && steps <= 0)
    return note(problems, path, 'OUT_OF_RANGE', 'must be greater than zero')
  if (rule.min !== undefined && steps < rule.min * scale)
    return note(problems, path, 'OUT_OF_RANGE', `must be at least ${rule.min}`)
  return steps
}

/** Notes why `parseDecimal` does not accept a value. */
function noteUnreadable(
  problems: ProblemList,
  path: FieldPath,
  value: number | string,
  { places, max, min }: NumberRule,
): undefined {
  const tooHigh = `must be at most ${max}`
  if (typeof value === 'number' && value >= 1e15) return note(problems, path, 'OUT_OF_RANGE', tooHigh)
  const shape = shapeOf(places)
  const [, sign, fraction = ''] = /^(-?)\d+(?:\.(\d+))?$/.exec(String(value)) ?? []
  if (sign === undefined)
    return note(problems, path, 'MALFORMED', shape, places === 0 ? undefined : DECIMAL_EXPECTED)
  if (fraction.length > places) return note(problems, path, 'MALFORMED', shape)
  const tooLow = min === undefined ? 'must be greater than zero' : `must be at least ${min}`
  return note(problems, path, 'OUT_OF_RANGE', shape, sign === '-' ? tooLow : tooHigh)
}

const DECIMAL_EXPECTED =
  'must be a decimal such as "12.5": digits with an optional decimal point, and no plus sign, spaces or exponent'

function shapeOf(places: number): string {
  if (places === 0) return 'must be a whole number'
  return `must be a number with at most ${places} ${places === 1 ? 'decimal' : 'decimals'}`
}

const INSTANT_EXPECTED = 'must be a date and time with an offset, such as 2026-11-21T09:30:00Z'

/** The UTC day ('YYYY-MM-DD') of an ISO 8601 instant or day; undefined if absent or invalid. */
export function readInstant(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value === 'string' && isDay(value)) return value
  const milliseconds = parseInstant(value)
  if (milliseconds === undefined) return note(problems, path, 'MALFORMED', INSTANT_EXPECTED)
  return new Date(milliseconds).toISOString().slice(0, 10)
}

/** A calendar day 'YYYY-MM-DD'; undefined if absent or invalid. */
export function readDay(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value === 'string' && isDay(value)) return value
  return note(problems, path, 'MALFORMED', 'must be a day such as 2026-11-21')
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i

/**
 * Milliseconds since 1970 of an ISO 8601 instant with its offset, such as 2026-11-21T09:30:00Z or
 * 2026-11-21T10:30+01:00. `t` and `z` may be lower case, as in RFC 3339. Undefined for anything else, including days
 * that are not in the calendar.
 */
export function parseInstant(value: unknown): number | undefined {
  if (typeof value !== 'string' || !INSTANT.test(value) || !isDay(value.slice(0, 10))) return undefined
  const milliseconds = Date.parse(value.toUpperCase())
  return Number.isNaN(milliseconds) ? undefined : milliseconds
}

/**
 * True for a calendar day 'YYYY-MM-DD'. `Date.parse` turns 30 February into a day in March, so the result is compared.
 */
export function isDay(day: string): boolean {
  const milliseconds = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().slice(0, 10) === day
}

/** A required list of 1 to `max` entries; undefined if it is invalid. */
export function readList(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  max: number,
): readonly unknown[] | undefined {
  if (isAbsent(value)) return note(problems, path, 'REQUIRED', 'required')
  if (!Array.isArray(value)) return note(problems, path, 'WRONG_TYPE', 'must be a list')
  if (value.length === 0) return note(problems, path, 'REQUIRED', 'must have at least one entry')
  if (value.length > max) return note(problems, path, 'TOO_MANY', `must have at most ${max} entries`)
  return value
}

/** Codes that are used for countries, but are not assigned in ISO 3166-1, with the assigned code. */
const ASSIGNED_CODES: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' }

/** An ISO 3166-1 alpha-2 code, converted to capitals. */
export function readCountry(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  required: boolean,
): string | undefined {
  if (isAbsent(value)) return required ? note(problems, path, 'REQUIRED', 'required') : undefined
  if (typeof value !== 'string') return note(problems, path, 'WRONG_TYPE', 'must be a string')
  if (isCountryCode(value)) return value
  // Only ASCII letters are converted: toUpperCase would turn a dotless i into I.
  const code = /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : ''
  if (isCountryCode(code)) return code
  const message = 'must be an ISO 3166-1 alpha-2 country code'
  const assigned = ASSIGNED_CODES[code]
  const advice = assigned === undefined ? undefined : `${message}: use ${assigned} instead of ${code}`
  return note(problems, path, 'UNKNOWN_VALUE', message, advice)
}

const PLACE_FIELDS = ['country', 'zipcode', 'city'] as const
const PLACE_PATHS = { from: pathsWithin(['from'], PLACE_FIELDS), to: pathsWithin(['to'], PLACE_FIELDS) }

/** The start or the end of a route. Undefined if the country is invalid. */
export function readPlace(problems: ProblemList, end: 'from' | 'to', input: PlaceInput): Place | undefined {
  const paths = PLACE_PATHS[end]
  const country = readCountry(problems, paths.country, input.country, true)
  const zipcode = readText(problems, paths.zipcode, input.zipcode)
  const city = readText(problems, paths.city, input.city)
  if (country === undefined) return undefined
  const place: Place & { zipcode?: string; city?: string } = { country }
  if (zipcode !== undefined) place.zipcode = zipcode
  if (city !== undefined) place.city = city
  return place
}

/**
 * Characters that are not allowed in names, ids and reasons from the command line and from imported files. They could
 * move the cursor of a terminal, forge rows of a listing or reorder text, and PostgreSQL rejects NUL and lone
 * surrogates.
 *
 * Control characters (Cc), lone surrogates (Cs), line and paragraph separators (Zl, Zp), and the overrides, embeddings
 * and isolates of the bidirectional algorithm. With the flag `u`, surrogates of a pair do not match.
 */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const EVERY_UNSAFE = new RegExp(UNSAFE, 'gu')
const UNSAFE_RUN = new RegExp(`${UNSAFE.source}+`, 'gu')

/** Completes "expected …" for a text that `isPlainText` rejects. */
export const EXPECTED_PLAIN_TEXT = 'text on one line without control characters'

/** True for a text of any length without unsafe characters. */
export function isPlainText(text: string): boolean {
  return !UNSAFE.test(text)
}

/** Completes "expected …" for an invalid name; undefined for a valid one. An empty name is invalid. */
export function nameFault(name: string, maxLength: number = MAX_TEXT_LENGTH): string | undefined {
  if (name.trim() === '') return 'a value'
  if (name.length > maxLength) return `at most ${maxLength} characters`
  return isPlainText(name) ? undefined : EXPECTED_PLAIN_TEXT
}

/** Replaces each run of unsafe characters by a blank, for published files that are imported as they are. */
export function toPlainText(text: string): string {
  return isPlainText(text) ? text : text.replace(UNSAFE_RUN, ' ')
}

/** Escapes unsafe characters for display, as in JSON: a newline is `\n`, an escape `\u001b`. */
export function printable(text: string): string {
  return isPlainText(text) ? text : text.replace(EVERY_UNSAFE, escapeOf)
}

/** Escapes blanks and marks that look like an ordinary blank or like nothing, such as a no-break space, as well. */
export function visible(text: string): string {
  return printable(text).replace(/(?! )[\p{Cf}\p{Z}]/gu, escapeOf)
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeOf(character: string): string {
  const code = character.codePointAt(0)!.toString(16)
  return SHORT_ESCAPES[character] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`)
}
