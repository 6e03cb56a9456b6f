/**
 * Limits on the text of a document, before graphql-js reads it: its parser calls itself once per bracket, so a deep
 * list overflows the stack (2,000 brackets do on Node 24), and errors find their line by counting from the start.
 * One pass over the characters. Strings and comments are skipped as the lexer of graphql-js skips them.
 */
import type { GraphQLError } from 'graphql'
import { excess } from './errors.ts'

/** Limits of one document's text. */
export const TEXT_LIMITS = {
  /** Lexical tokens. */
  tokens: 2_000,
  /** Brackets within brackets of any kind: selections, arguments, lists, objects, list types. */
  nesting: 64,
  /** Lines, also those within comments and strings. */
  lines: 2_000,
} as const

/** What a text comes to under each limit. */
export type TextMeasure = { -readonly [Limit in keyof typeof TEXT_LIMITS]: number }

/** The limits that a document's text exceeds; empty for what may be parsed. */
export function checkText(text: string): readonly GraphQLError[] {
  const { tokens, nesting, lines } = measureText(text)
  return [
    ...excess('tokens', tokens, TEXT_LIMITS.tokens),
    ...excess('nesting', nesting, TEXT_LIMITS.nesting),
    ...excess('lines', lines, TEXT_LIMITS.lines),
  ]
}

/** Counts tokens, nesting and lines. Where the text is no GraphQL, the counts up to that place are right. */
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

const LF = 0x0a
const CR = 0x0d
const HASH = 0x23
const QUOTE = 0x22
const BACKSLASH = 0x5c
const DOT = 0x2e
const MINUS = 0x2d
const SPREAD_LENGTH = '...'.length
const BLOCK_QUOTE = '"""'

/** Byte order mark, tab, blank and comma. */
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

/** Digits, a point and an exponent; the sign of an exponent belongs to it, any other sign begins another number. */
function endOfNumber(text: string, start: number): number {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at)
    if (isDigit(code) || code === DOT) continue
    if (code !== 0x65 && code !== 0x45) return at
    const sign = text.charCodeAt(at + 1)
    if (sign === 0x2b || sign === MINUS) at++
  }
}

/** The line end itself is for the caller to count. */
function endOfComment(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) !== LF && text.charCodeAt(at) !== CR) at++
  return at
}

/** The place after a string; one that is not closed ends with its line, a block string with the text. */
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
