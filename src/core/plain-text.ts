/**
 * Text that is safe to keep as a name and to print on one line: no control characters (they move the cursor of a
 * terminal and forge rows of a listing; NUL is an error in PostgreSQL), no line breaks, no marks that reorder what a
 * reader sees, no lone surrogates. The one definition for names, ids and reasons from the command line and from
 * imported files.
 */
import { MAX_TEXT_LENGTH } from './draft.ts'

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
