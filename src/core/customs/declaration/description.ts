/**
 * Whether customs would refuse a description as vague. The table of terms is
 * src/reference/declaration/description-words.csv. See docs/customs-documents.md#descriptions.
 */

/** Normalized by `normalTerm`. */
export type DescriptionWords = {
  /** Terms that customs refuses if nothing else is said, with what to write instead. */
  readonly vagueTerms: ReadonlyMap<string, string>
  /** Words that say nothing about the goods, such as "new" and "blue". */
  readonly fillers: ReadonlySet<string>
  /** Materials and technical terms, which are no brand even in capitals. */
  readonly materials: ReadonlySet<string>
}

export const DESCRIPTION_FAULT_CODES = ['NO_WORDS', 'REPEATED_CHARACTERS', 'TOO_SHORT', 'VAGUE'] as const

export type DescriptionFault = {
  readonly code: (typeof DESCRIPTION_FAULT_CODES)[number]
  /** English sentences. */
  readonly message: string
  /** The vague terms as written in the description, in its order. */
  readonly terms: readonly string[]
}

const MIN_LETTERS = 3
/** Words in the longest term of the table. Longer terms would not be found. */
const MAX_TERM_WORDS = 5

const EXAMPLE = 'such as "knitted cotton t-shirt for men"'

/** Undefined if the description says what the goods are, as far as the table can tell. */
export function checkDescription(text: string, words: DescriptionWords): DescriptionFault | undefined {
  const found = wordsIn(text)
  if (found.length === 0)
    return fault('NO_WORDS', `The description has no words. Say what the goods are, ${EXAMPLE}.`)
  if (found.every(isRepeated))
    return fault(
      'REPEATED_CHARACTERS',
      `The description repeats one character. Say what the goods are, ${EXAMPLE}.`,
    )
  if (isTooShort(found))
    return fault('TOO_SHORT', `The description is too short. Say what the goods are, ${EXAMPLE}.`)
  return vagueFault(found, words)
}

function vagueFault(found: readonly string[], words: DescriptionWords): DescriptionFault | undefined {
  const isMixedCase = found.some((word) => word !== word.toUpperCase())
  const isBrand = (word: string): boolean =>
    hasInnerCapital(word) || (isMixedCase && isInCapitals(word) && !words.materials.has(normalWord(word)))
  const terms = vagueTermsOf(
    found.filter((word) => !isBrand(word)),
    words,
  )
  if (terms === undefined) return undefined
  const [first] = terms
  if (first === undefined)
    return fault('VAGUE', `The description does not name the goods. Say what they are, ${EXAMPLE}.`)
  const quoted = terms.map(({ text }) => text)
  const message = `Customs refuses ${quoted.map((text) => `"${text}"`).join(', ')} as too vague. ${first.suggestion}`
  return fault('VAGUE', message, quoted)
}

type VagueTerm = { readonly text: string; readonly suggestion: string }

/**
 * The vague terms that the words consist of, without fillers. Undefined if they contain another word. The longest term
 * at each place counts. Terms contain fillers, such as "of" in "freight of all kinds", so they are looked up first.
 */
function vagueTermsOf(
  found: readonly string[],
  { vagueTerms, fillers }: DescriptionWords,
): readonly VagueTerm[] | undefined {
  const normal = found.map(normalWord)
  const terms = new Map<string, VagueTerm>()
  for (let index = 0; index < found.length; ) {
    const length = termLength(normal, index, vagueTerms)
    const end = index + Math.max(1, length)
    const term = normal.slice(index, end).join(' ')
    const suggestion = vagueTerms.get(term)
    if (suggestion !== undefined) terms.set(term, { text: found.slice(index, end).join(' '), suggestion })
    else if (!fillers.has(term) && !isLetter(term)) return undefined
    index = end
  }
  return [...terms.values()]
}

/** The number of words of the longest vague term at `start`; 0 if there is none. */
function termLength(
  found: readonly string[],
  start: number,
  vagueTerms: DescriptionWords['vagueTerms'],
): number {
  for (let length = Math.min(MAX_TERM_WORDS, found.length - start); length > 0; length--)
    if (vagueTerms.has(found.slice(start, start + length).join(' '))) return length
  return 0
}

/** The normalized words of a term of the table, with single blanks between them. */
export function normalTerm(text: string): string {
  return wordsIn(text).map(normalWord).join(' ')
}

/** The words of a text without item numbers, sizes, and names that are marked as brands by ® or ™. */
function wordsIn(text: string): readonly string[] {
  return text
    .normalize('NFC')
    .split(/[\s,;/|]+/)
    .filter((part) => !/[\p{N}®™]/u.test(part))
    .flatMap((part) => part.split(/[^\p{L}\p{M}'’]+/u))
    .map(withoutQuotes)
    .filter((word) => word !== '')
}

/** An apostrophe is part of a word only between letters. */
function withoutQuotes(word: string): string {
  const isQuote = (at: number): boolean => word[at] === "'" || word[at] === '’'
  let start = 0
  while (isQuote(start)) start++
  let end = word.length
  while (end > start && isQuote(end - 1)) end--
  return word.slice(start, end)
}

/** In lower case and singular: "Gifts" is "gift", "women's" is "women". */
function normalWord(word: string): string {
  const lower = word.toLowerCase().replace(/['’]s?$/, '')
  if (/(?:x|ch|sh|ss)es$/.test(lower)) return lower.slice(0, -2)
  if (/[^aeiou]ies$/.test(lower)) return `${lower.slice(0, -3)}y`
  return /[^su]s$/.test(lower) && lower.length > MIN_LETTERS ? lower.slice(0, -1) : lower
}

/** A single Latin letter, such as the "X" of "X parts". */
function isLetter(word: string): boolean {
  return /^\p{Script=Latin}$/u.test(word)
}

/** "xxxx" */
function isRepeated(word: string): boolean {
  return word.length > 1 && new Set(word.toLowerCase()).size === 1
}

/** A word of Chinese or Japanese can have one character, so only Latin letters are counted. */
function isTooShort(found: readonly string[]): boolean {
  const letters = found.join('')
  return letters.length < MIN_LETTERS && /^[\p{Script=Latin}'’]+$/u.test(letters)
}

/** "PlayStation", but not "T-shirt" or "Shirt". */
function hasInnerCapital(word: string): boolean {
  return /\p{Ll}\p{Lu}/u.test(word)
}

/** At least four letters: shorter ones are mostly technical, such as USB and LED. */
function isInCapitals(word: string): boolean {
  return word.length > MIN_LETTERS && /^\p{Lu}+$/u.test(word)
}

function fault(
  code: DescriptionFault['code'],
  message: string,
  terms: readonly string[] = [],
): DescriptionFault {
  return { code, message, terms }
}
