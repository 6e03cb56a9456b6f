/** Splits the text of an expression into tokens. */
import { ExpressionFault } from './expression-fault.ts'

export type TokenKind = 'number' | 'name' | 'quoted' | 'day' | 'symbol' | 'end'

/** `text` of a quoted word is without the quotes. `at` is the index of the first character. */
export type Token = { readonly kind: TokenKind; readonly text: string; readonly at: number }

/** The longest text of an expression, in characters. */
export const MAX_LENGTH = 2_000

const KINDS: readonly (readonly [TokenKind, RegExp])[] = [
  // 11-15 without blanks is a day of the year; 11 - 15 is a subtraction.
  ['day', /(?:\d{4}-)?\d{2}-\d{2}(?![\d-])/y],
  ['number', /\d{1,15}(?:\.\d{1,9})?(?!\.?\d)/y],
  ['name', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['quoted', /"[^"]*"/y],
  ['symbol', /\.\.|<=|>=|!=|[-+*/%()[\]{},:<>=]/y],
]

const BLANK = /\s/

/** Throws an ExpressionFault. The last token is of the kind `end`. */
export function tokensOf(text: string): readonly Token[] {
  if (text.length > MAX_LENGTH)
    throw new ExpressionFault(MAX_LENGTH, `an expression has at most ${MAX_LENGTH} characters`)
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    if (BLANK.test(text[at]!)) {
      at += 1
      continue
    }
    const token = tokenAt(text, at)
    tokens.push(token)
    at += token.text.length + (token.kind === 'quoted' ? 2 : 0)
  }
  tokens.push({ kind: 'end', text: '', at: text.length })
  return tokens
}

function tokenAt(text: string, at: number): Token {
  for (const [kind, pattern] of KINDS) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found === undefined) continue
    return { kind, text: kind === 'quoted' ? found.slice(1, -1) : found, at }
  }
  if (/\d/.test(text[at]!))
    throw new ExpressionFault(at, 'a number has at most 15 digits and 9 decimals, with a point')
  throw new ExpressionFault(
    at,
    `unknown character ${characterText(String.fromCodePoint(text.codePointAt(at)!))}`,
  )
}

/** With the code of a character that may look like another one: `"к" (U+043A)`. */
function characterText(character: string): string {
  const code = character.codePointAt(0)!
  const shown = JSON.stringify(character)
  return code < 128 ? shown : `${shown} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`
}
