/**
 * Reads the lexicon of everyday goods: every `lexicon/*.txt`, one line per HS subheading.
 * Source: our own words; the format is described in lexicon/apparel.txt and in README.md.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { LexiconEntry } from '../core/customs/classification/lexicon.ts'

/** One line of a lexicon file after its continuation lines were joined; `line` is the first one's number. */
type RawEntry = {
  readonly line: number
  readonly code: string
  readonly label: string
  readonly list: string
}

/** Every entry of the shipped lexicon, in the order of file names and lines. Throws with file and line. */
export function readLexicon(): readonly LexiconEntry[] {
  const folder = new URL('./lexicon/', import.meta.url)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => parseLexicon(name, readFileSync(new URL(name, folder), 'utf8')))
}

/** The entries of one lexicon file. Throws `<file>, line <n>: <what is wrong>` on a malformed line. */
export function parseLexicon(file: string, text: string): readonly LexiconEntry[] {
  return joinLines(file, text).map((raw) => {
    const terms = new Set<string>()
    const possibleTerms = new Set<string>()
    for (const { line, term } of termsOf(raw)) {
      for (const { words, possible } of alternatives(file, line, term))
        (possible ? possibleTerms : terms).add(words)
    }
    if (terms.size + possibleTerms.size === 0) throw fault(file, raw.line, `${raw.code} has no terms`)
    return { code: raw.code, label: raw.label, terms: [...terms], possibleTerms: [...possibleTerms] }
  })
}

function joinLines(file: string, text: string): RawEntry[] {
  const entries: RawEntry[] = []
  text.split('\n').forEach((raw, index) => {
    const line = index + 1
    const content = raw.trimEnd()
    if (content.trim() === '' || content.trimStart().startsWith('#')) {
      // Keeps the line numbers of the terms below it right.
      const open = entries.pop()
      if (open !== undefined) entries.push({ ...open, list: `${open.list}\n` })
    } else if (raw.startsWith(' ') || raw.startsWith('\t')) {
      const open = entries.pop()
      if (open === undefined) throw fault(file, line, 'an indented line needs a code above it')
      if (content.includes('|'))
        throw fault(file, line, 'an indented line holds terms only; a code starts at the margin')
      entries.push({ ...open, list: `${open.list}\n${content}` })
    } else {
      entries.push(firstLine(file, line, content))
    }
  })
  return entries
}

function firstLine(file: string, line: number, content: string): RawEntry {
  const [code = '', label = '', list, ...rest] = content.split('|').map((part) => part.trim())
  if (list === undefined || rest.length > 0) throw fault(file, line, 'expected "code | label | term, term"')
  if (!/^\d{6}$/.test(code)) throw fault(file, line, `a code has six digits, got ${JSON.stringify(code)}`)
  if (label === '') throw fault(file, line, `${code} has no label`)
  return { line, code, label, list }
}

/** Splits the list at commas and line ends; a term never runs over a line end. */
function termsOf(raw: RawEntry): { readonly line: number; readonly term: string }[] {
  return raw.list.split('\n').flatMap((part, index) =>
    part
      .split(',')
      .map((term) => term.trim())
      .filter((term) => term !== '')
      .map((term) => ({ line: raw.line + index, term })),
  )
}

/**
 * "wool (sweater / jumper)" is "wool sweater" and "wool jumper"; several groups multiply out. A question mark at the
 * end of the term marks all of them as possible only, one at the end of an alternative those made with it.
 */
function alternatives(file: string, line: number, term: string): { words: string; possible: boolean }[] {
  const terms = expand(term.endsWith('?') ? term.slice(0, -1) : term)
  if (terms === undefined) {
    throw fault(file, line, `parentheses do not match, hold a comma or an empty alternative: ${term}`)
  }
  return terms.map((text) => {
    const words = text.replaceAll(POSSIBLE, '').trim().replace(/\s+/g, ' ')
    if (words.includes('?')) {
      throw fault(file, line, `a question mark belongs at the end of a term or of an alternative: ${term}`)
    }
    if (!/[\p{L}\d]/u.test(words)) throw fault(file, line, `a term without a word: ${term}`)
    return { words, possible: term.endsWith('?') || text.includes(POSSIBLE) }
  })
}

/** Stands for the question mark of an alternative while the alternatives are put together. */
const POSSIBLE = '\u0000'

function expand(term: string): string[] | undefined {
  const open = term.indexOf('(')
  const close = term.indexOf(')')
  if (open === -1 && close === -1) return [term]
  const inside = term.slice(open + 1, close)
  if (open === -1 || close < open || inside.includes('(')) return undefined
  const choices = inside.split('/').map((choice) => choice.trim().replace(/\s*\?$/, POSSIBLE))
  if (choices.includes('') || choices.includes(POSSIBLE)) return undefined
  const before = term.slice(0, open)
  const rest = expand(term.slice(close + 1))
  return rest && choices.flatMap((choice) => rest.map((after) => `${before} ${choice} ${after}`))
}

function fault(file: string, line: number, what: string): Error {
  return new Error(`${file}, line ${line}: ${what}`)
}
