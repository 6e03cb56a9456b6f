/**
 * Reads lists of terms: separated by commas, with alternatives in parentheses and "?" for possible terms. See
 * docs/lexicon.md.
 */

/** The terms of a list, with alternatives expanded. */
export type Terms = { readonly terms: readonly string[]; readonly possibleTerms: readonly string[] }

/** Reads the list on a line and its continuation lines. A term cannot continue on the next line. */
export function readTerms(file: string, list: string, { line, continued }: LexiconLine): Terms {
  const all: OpenTerms = { terms: [], possibleTerms: [] }
  readList(file, line, list, all)
  for (const part of continued) readList(file, part.line, part.content, all)
  return all
}

type OpenTerms = { readonly terms: string[]; readonly possibleTerms: string[] }

function readList(file: string, line: number, list: string, { terms, possibleTerms }: OpenTerms): void {
  for (const part of list.split(',')) {
    const term = part.trim()
    if (term === '') continue
    if (PLAIN_TERM.test(term)) {
      terms.push(term)
      continue
    }
    const isPossible = term.endsWith('?')
    const made = expand(isPossible ? term.slice(0, -1) : term)
    if (made === undefined)
      throw fault(
        file,
        line,
        `parentheses are unbalanced, contain a comma, or contain an empty alternative: ${term}`,
      )
    for (const words of [...made.terms, ...made.possibleTerms]) {
      if (words.includes('?'))
        throw fault(file, line, `a question mark belongs at the end of a term or of an alternative: ${term}`)
      if (!HAS_WORD.test(words)) throw fault(file, line, `a term without a word: ${term}`)
    }
    if (isPossible) possibleTerms.push(...made.terms)
    else terms.push(...made.terms)
    possibleTerms.push(...made.possibleTerms)
  }
}

/** A term without alternatives and marks. */
const PLAIN_TERM = /^[a-z\d][a-z\d'-]*(?: [a-z\d'-]+)*$/i
const HAS_WORD = /[\p{L}\d]/u

/**
 * Expands "wool (sweater / jumper)" to "wool sweater" and "wool jumper". Several groups give all combinations. "?" at
 * the end of an alternative marks its terms as possible. Undefined if the text is malformed.
 */
function expand(text: string): Terms | undefined {
  let made: Terms = { terms: [''], possibleTerms: [] }
  for (let rest = text; rest !== ''; ) {
    const open = rest.indexOf('(')
    const close = rest.indexOf(')')
    if ((open === -1) !== (close === -1) || close < open) return undefined
    const between = plainWords(open === -1 ? rest : rest.slice(0, open))
    if (between !== '') made = append(made, { terms: [between], possibleTerms: [] })
    if (open === -1) break
    const choices = choicesOf(rest.slice(open + 1, close))
    if (choices === undefined) return undefined
    made = append(made, choices)
    rest = rest.slice(close + 1)
  }
  return made
}

/** The alternatives of a group. Undefined if one is empty or contains a group. */
function choicesOf(inside: string): Terms | undefined {
  if (inside.includes('(')) return undefined
  const choices: OpenTerms = { terms: [], possibleTerms: [] }
  for (const choice of inside.split('/')) {
    const words = plainWords(choice)
    const isPossible = words.endsWith('?')
    const plain = isPossible ? words.slice(0, -1).trimEnd() : words
    if (plain === '') return undefined
    ;(isPossible ? choices.possibleTerms : choices.terms).push(plain)
  }
  return choices
}

function append(made: Terms, choices: Terms): Terms {
  return {
    terms: cross(made.terms, choices.terms),
    possibleTerms: [
      ...cross(made.possibleTerms, choices.terms),
      ...cross(made.terms, choices.possibleTerms),
      ...cross(made.possibleTerms, choices.possibleTerms),
    ],
  }
}

function cross(starts: readonly string[], ends: readonly string[]): string[] {
  const made: string[] = []
  for (const start of starts) for (const end of ends) made.push(start === '' ? end : `${start} ${end}`)
  return made
}

/** Normalizes spaces. */
function plainWords(text: string): string {
  const trimmed = text.trim()
  return /\s\s|\t/.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed
}

// Lists of codes.

/** Reads a prefix of two, four or six digits, or a range of them: "9202", "9201-9208". */
export function readCodes(file: string, { line }: LexiconLine, text: string): readonly string[] {
  const [first = '', last] = text.split('-')
  if (!/^\d{2}(\d{2}){0,2}$/.test(first))
    throw fault(file, line, `expected two, four or six digits, got ${text}`)
  if (last === undefined) return [first]
  if (first.length > 4 || first.length !== last.length || !/^\d+$/.test(last) || Number(last) < Number(first))
    throw fault(file, line, `expected a range from a heading to a later one, got ${text}`)
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, nth) =>
    String(Number(first) + nth).padStart(first.length, '0'),
  )
}

/** Reads prefixes and ranges, separated by commas. Throws if no code of `known` begins with one of those named. */
export function readPrefixes(
  file: string,
  line: LexiconLine,
  list: string,
  known: ReadonlySet<string> | undefined,
): readonly string[] {
  return list.split(',').flatMap((part) => {
    const prefixes = readCodes(file, line, part.trim())
    if (known !== undefined && ![...known].some((code) => prefixes.some((prefix) => code.startsWith(prefix))))
      throw fault(file, line.line, `no code of HS 2022 begins with ${part.trim()}`)
    return prefixes
  })
}

// Lines of a lexicon file. Comments and empty lines are dropped. Indented lines continue the line above.

/** A line with its continuation lines. */
export type LexiconLine = {
  readonly line: number
  readonly content: string
  readonly continued: readonly { readonly line: number; readonly content: string }[]
}

export function fault(file: string, line: number, what: string): Error {
  return new Error(`${file}, line ${line}: ${what}`)
}

/** Reads the lines of a file. Throws if the first line is indented. */
export function readLines(file: string, text: string): readonly LexiconLine[] {
  const lines: { line: number; content: string; continued: { line: number; content: string }[] }[] = []
  text.split('\n').forEach((raw, index) => {
    const content = raw.trim()
    if (content === '' || content.startsWith('#')) return
    const line = index + 1
    if (!/^\s/.test(raw)) {
      lines.push({ line, content, continued: [] })
      return
    }
    const open = lines.at(-1)
    if (open === undefined) throw fault(file, line, 'an indented line must continue a line above it')
    if (content.includes('|'))
      throw fault(
        file,
        line,
        'an indented line may contain only terms; a line with a code must not be indented',
      )
    open.continued.push({ line, content })
  })
  return lines
}
