/**
 * Limits on the text of a document, checked before graphql-js parses it. The parser recurses per bracket, so deeply
 * nested brackets overflow the stack (2,000 levels do on Node 24). To find the line of an error, it counts lines from
 * the start of the text. The check reads the text once, and skips strings and comments like the lexer of graphql-js.
 */
import type { GraphQLError } from 'graphql'
import { excess } from './errors.ts'

export const TEXT_LIMITS = {
  /** Lexical tokens. */
  tokens: 2_000,
  /** Levels of brackets of any kind: selections, arguments, lists, objects, list types. */
  nesting: 64,
  /** Includes lines in comments and strings. */
  lines: 2_000,
} as const

export type TextMeasure = { -readonly [Limit in keyof typeof TEXT_LIMITS]: number }

/** Returns one error per limit that the text exceeds. */
export function checkText(text: string): readonly GraphQLError[] {
  const { tokens, nesting, lines } = measureText(text)
  return [
    ...excess('tokens', tokens, TEXT_LIMITS.tokens),
    ...excess('nesting', nesting, TEXT_LIMITS.nesting),
    ...excess('lines', lines, TEXT_LIMITS.lines),
  ]
}

/** If the text is not valid GraphQL, the counts are correct up to the first error. */
export function measureText(text: string): TextMeasure {
  const measure: TextMeasure = { tokens: 0, nesting: 0, lines: 1 }
  let depth = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === LF || code === CR) {
      if (code === LF || text.charCodeAt(at + 1) !== LF) measure.lines++
      at++
    } else if (isIgnored(code)) at++
    else if (code === HASH) at = endOfComment(text, at)
    else {
      measure.tokens++
      if (code === QUOTE) at = endOfString(text, at, measure)
      else if (isNameStart(code)) at = endOfName(text, at + 1)
      else if (isDigit(code) || code === MINUS) at = endOfNumber(text, at + 1)
      else {
        if (isOpening(code)) measure.nesting = Math.max(measure.nesting, ++depth)
        else if (isClosing(code)) depth = Math.max(0, depth - 1)
        at += code === DOT ? SPREAD_LENGTH : 1
      }
    }
  }
  return measure
}

const [LF, CR, HASH, QUOTE, BACKSLASH, DOT, MINUS] = [0x0a, 0x0d, 0x23, 0x22, 0x5c, 0x2e, 0x2d]
const SPREAD_LENGTH = '...'.length
const BLOCK_QUOTE = '"""'

/** Byte order mark, tab, space and comma. */
function isIgnored(code: number): boolean {
  return code === 0x20 || code === 0x2c || code === 0x09 || code === 0xfeff
}

function isOpening(code: number): boolean {
  return code === 0x28 || code === 0x5b || code === 0x7b
}

function isClosing(code: number): boolean {
  return code === 0x29 || code === 0x5d || code === 0x7d
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isNameStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f
}

function endOfName(text: string, start: number): number {
  let at = start
  for (let code = text.charCodeAt(at); isNameStart(code) || isDigit(code); code = text.charCodeAt(at)) at++
  return at
}

/** A sign after `e` or `E` belongs to the exponent. Any other sign starts a new token. */
function endOfNumber(text: string, start: number): number {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at)
    if (isDigit(code) || code === DOT) continue
    if (code !== 0x65 && code !== 0x45) return at
    const sign = text.charCodeAt(at + 1)
    if (sign === 0x2b || sign === MINUS) at++
  }
}

/** Stops before the line break, which the caller counts. */
function endOfComment(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) !== LF && text.charCodeAt(at) !== CR) at++
  return at
}

/** The index after a string. An unclosed string ends with its line, an unclosed block string with the text. */
function endOfString(text: string, start: number, measure: TextMeasure): number {
  if (text.startsWith(BLOCK_QUOTE, start)) return endOfBlockString(text, start + BLOCK_QUOTE.length, measure)
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === LF || code === CR) return at
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at++
  }
  return text.length
}

function endOfBlockString(text: string, start: number, measure: TextMeasure): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH && text.startsWith(BLOCK_QUOTE, at + 1)) at += BLOCK_QUOTE.length
    else if (code === QUOTE && text.startsWith(BLOCK_QUOTE, at)) return at + BLOCK_QUOTE.length
    else if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) measure.lines++
  }
  return text.length
}
