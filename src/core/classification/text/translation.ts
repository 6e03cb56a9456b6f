/**
 * Translates words of other languages to English before anything is looked up. A word that is also English ("Hose",
 * "robe") is translated only if the other language explains more words of the text than English does.
 */

import type { LanguageWords } from '../lexicon.ts'
import { BREAK, COLOURS, isGrammar, rawWords } from './goods-text.ts'
import { remembered } from './remembered.ts'

/**
 * The raw words of a phrase of another language after its first one, and the English translation of the phrase.
 * `isGuess`: the word is not listed in this form.
 */
type Translation = { readonly rest: readonly string[]; readonly english: string; readonly isGuess?: true }

/** One array for all single words, because most phrases are single words. */
const NO_REST: readonly string[] = []

export type Dictionary = {
  /**
   * By first word, all phrases that begin with it, in one text. `translationsOf` reads it. Texts are loaded faster than
   * objects.
   */
  readonly byFirst: ReadonlyMap<string, string>
  /** The length of the longest first word. */
  readonly longest: number
  readonly hasCompounds: boolean
}

/** A dictionary phrase in a text. Unmistakable if at least one of its words is not English. */
type FoundPhrase = { readonly at: number; readonly phrase: Translation; readonly isUnmistakable: boolean }

/** True if the raw word is an English word of the lexicon. */
export type IsEnglish = (rawWord: string) => boolean

/** The phrases that a word may begin, by dictionary, longer ones first. Undefined if there are none. */
type PhrasesByDictionary = readonly (readonly Translation[])[] | undefined

/** The `translate` option of `ReadingOptions`. `isEnglish` is called often and should remember its answers. */
export function translatorOf(
  dictionaries: readonly Dictionary[],
  isEnglish: IsEnglish,
): (words: readonly string[]) => readonly string[] {
  const phrasesFrom = remembered((word): PhrasesByDictionary => {
    const mayBeCompound = !isEnglish(word)
    const found = dictionaries.map((dictionary) =>
      phrasesFromWord(dictionary, word, mayBeCompound ? isEnglish : undefined),
    )
    return found.some((phrases) => phrases.length > 0) ? found : undefined
  })
  return (words) => {
    if (words.every((word) => word === BREAK || isEnglish(word) || HAS_DIGIT.test(word))) return words
    const candidates = words.map(phrasesFrom)
    if (candidates.every((phrases) => phrases === undefined)) return words
    let best: FoundInLanguage | undefined
    for (let nth = 0; nth < dictionaries.length; nth++) {
      const found = phrasesIn(nth, candidates, words, isEnglish)
      if (!found.some(({ isUnmistakable }) => isUnmistakable)) continue
      const known = found.reduce((sum, { phrase }) => sum + 1 + phrase.rest.length, 0)
      const guessed = found.filter(({ phrase }) => phrase.isGuess).length
      if (best === undefined || isBetter({ known, guessed }, best)) best = { found, known, guessed }
    }
    if (best === undefined) return words
    const { found, known } = best
    const isForeignText = known > words.filter((word) => isEvidenceOfEnglish(word, isEnglish)).length
    return replacePhrases(
      words,
      found.filter(({ isUnmistakable }) => isForeignText || isUnmistakable),
    )
  }
}

/** What a dictionary has of a text: the phrases, their number of words, and how many phrases are guesses. */
type FoundInLanguage = {
  readonly found: readonly FoundPhrase[]
  readonly known: number
  readonly guessed: number
}

/** True if a dictionary has more words of a text than another one, or as many with fewer guesses. */
function isBetter(one: Omit<FoundInLanguage, 'found'>, other: Omit<FoundInLanguage, 'found'>): boolean {
  return one.known === other.known ? one.guessed < other.guessed : one.known > other.known
}

/** True if a word shows that a text is English. Words like "in" and single letters also occur in other languages. */
function isEvidenceOfEnglish(word: string, isEnglish: IsEnglish): boolean {
  return word.length > 1 && word !== BREAK && !HAS_DIGIT.test(word) && !isGrammar(word) && isEnglish(word)
}

const HAS_DIGIT = /\d/

/** Languages that write compounds as one word. */
const WITH_COMPOUNDS = ['german', 'dutch']

export function dictionaryOf({ language, phrases }: LanguageWords): Dictionary {
  const lists = new Map<string, Translation[]>()
  let longest = 0
  for (const { foreign, english } of phrases) {
    const words = rawWords(foreign).filter((word) => word !== BREAK)
    const [first, ...rest] = words
    if (first === undefined) continue
    longest = Math.max(longest, first.length)
    const list = lists.get(first) ?? []
    lists.set(first, list)
    list.push({ rest, english })
  }
  const byFirst = new Map(Array.from(lists, ([first, list]) => [first, textOf(list)]))
  return { byFirst, longest, hasCompounds: WITH_COMPOUNDS.includes(language) }
}

/** One line per translation, longer phrases first: the English words, then a tab and the rest of the foreign phrase. */
function textOf(list: readonly Translation[]): string {
  return list
    .toSorted((a, b) => b.rest.length - a.rest.length)
    .map(({ rest, english }) => (rest.length === 0 ? english : `${english}\t${rest.join(' ')}`))
    .join('\n')
}

/** The translations of the phrases that begin with a word, longer phrases first. */
function translationsOf({ byFirst }: Dictionary, first: string): readonly Translation[] {
  const text = byFirst.get(first)
  if (text === undefined) return []
  return text.split('\n').map((line) => {
    const [english = '', rest] = line.split('\t')
    return { english, rest: rest === undefined ? NO_REST : rest.split(' ') }
  })
}

/** Without `isEnglish`, the word is no compound and no other form of a listed one. */
function phrasesFromWord(
  dictionary: Dictionary,
  word: string,
  isEnglish: IsEnglish | undefined,
): readonly Translation[] {
  const phrases = translationsOf(dictionary, word)
  const other =
    isEnglish &&
    (translateCompound(dictionary, word) ??
      inflected(dictionary, word) ??
      headOfCompound(dictionary, word, isEnglish))
  return other === undefined ? phrases : [...phrases, other]
}

const MAX_ENDING_LENGTH = 4
/** A form without its ending has at least so many letters. */
const MIN_STEM_LENGTH = 4
/** Endings of nouns and adjectives without accents: those with consonants, and letters of all others. */
const CLOSED_ENDINGS = ['ych', 'ich', 'ach', 'ami', 'ego', 'iem', 'em', 'om', 'ow', 'ej']
const ENDING_LETTERS = 'aeiouynsx'
const ENDINGS = [
  ...['', 'a', 'e', 'i', 'o', 'u', 'y', 'n', 's', 'x', 'en', 'es', 'as', 'os', 'is', 'ie', 'ia', 'io'],
  ...['ne', 'na', 'no', 'ny', 'ni', 'ens', 'ene', ...CLOSED_ENDINGS],
]

/**
 * Translates a word that is another form of a listed one, such as "Decken", "gewebte" or "bawełnianego". Undefined if
 * listed words with the same stem have different translations.
 */
function inflected(dictionary: Dictionary, word: string): Translation | undefined {
  if (word.length > dictionary.longest + MAX_ENDING_LENGTH || HAS_DIGIT.test(word)) return undefined
  let stem = word.length - (CLOSED_ENDINGS.find((ending) => word.endsWith(ending))?.length ?? 0)
  while (stem > MIN_STEM_LENGTH && ENDING_LETTERS.includes(word[stem - 1]!)) stem--
  if (stem < MIN_STEM_LENGTH) return undefined
  let english: string | undefined
  for (const ending of ENDINGS) {
    const form = singleWord(dictionary, word.slice(0, stem) + ending)
    if (form === undefined) continue
    if (english !== undefined && english !== form.english) return undefined
    english = form.english
  }
  return english === undefined ? undefined : { rest: NO_REST, english, isGuess: true }
}

/** The phrases of a dictionary that are in a text. `candidates` is by position. */
function phrasesIn(
  dictionary: number,
  candidates: readonly PhrasesByDictionary[],
  words: readonly string[],
  isEnglish: IsEnglish,
): FoundPhrase[] {
  const found: FoundPhrase[] = []
  const hasEnglish = words.some((word) => isEvidenceOfEnglish(word, isEnglish))
  for (let at = 0; at < words.length; ) {
    const phrase = candidates[at]?.[dictionary]?.find(({ rest }) =>
      rest.every((part, nth) => words[at + 1 + nth] === part),
    )
    if (phrase !== undefined) {
      // A name in an English text may look like a form of a word.
      const isGuess = phrase.isGuess === true && hasEnglish
      const isUnmistakable = !isGuess && ![words[at]!, ...phrase.rest].every(isEnglish)
      found.push({ at, phrase, isUnmistakable })
    }
    at += 1 + (phrase?.rest.length ?? 0)
  }
  return found
}

const MIN_COMPOUND_LENGTH = 8
/** In languages that write compounds as one word. In others, shorter parts begin words that are no compounds. */
const MIN_FIRST_LENGTH = 3
const MIN_PART_LENGTH = 4
const MAX_PARTS = 3
/** Letters between the parts of German and Dutch compounds. */
const LINKING_LETTERS = ['', 's', 'n', 'en', 'er', 'e']
const MAX_JOINT_LENGTH = 2
/** The last parts of names of colours. A light may also be a lamp. */
const SHADES = new Set([...COLOURS].filter((colour) => colour !== 'light'))
/** German words lose this letter in front of another part: "Wolle", "Wollmütze". */
const LOST_LETTER = 'e'

/**
 * Translates a compound of known words: "Damenhandtasche", "Kinderschlafanzug". Words more than twice as long as the
 * longest known word are skipped.
 */
function translateCompound(dictionary: Dictionary, word: string): Translation | undefined {
  const { longest } = dictionary
  if (word.length < MIN_COMPOUND_LENGTH || word.length > 2 * longest + MAX_JOINT_LENGTH) return undefined
  if (HAS_DIGIT.test(word)) return undefined
  const english = englishOfCompound(dictionary, word, MAX_PARTS)
  return english === undefined ? undefined : { rest: NO_REST, english }
}

/** The longest last word is tried first, so the compound has few parts. */
function englishOfCompound(dictionary: Dictionary, word: string, parts: number): string | undefined {
  for (let at = minFirstLength(dictionary); at <= word.length - MIN_PART_LENGTH; at++) {
    const last = partOfCompound(dictionary, word.slice(at))
    const first = last && englishOfFirstPart(dictionary, word.slice(0, at), parts - 1)
    if (last === undefined || first === undefined) continue
    // A shade: "pistaziengrün" is green, and names no pistachios.
    return SHADES.has(last.english) ? last.english : `${first} ${last.english}`
  }
  return undefined
}

function englishOfFirstPart(dictionary: Dictionary, start: string, parts: number): string | undefined {
  const forms = LINKING_LETTERS.filter((joint) => start.endsWith(joint))
    .map((joint) => start.slice(0, start.length - joint.length))
    .filter(({ length }) => length >= minFirstLength(dictionary))
  if (dictionary.hasCompounds) forms.push(start + LOST_LETTER)
  for (const form of forms) {
    const listed = partOfCompound(dictionary, form)
    if (listed !== undefined) return listed.english
  }
  if (parts < 2) return undefined
  for (const form of forms) {
    const english = englishOfCompound(dictionary, form, parts)
    if (english !== undefined) return english
  }
  return undefined
}

function minFirstLength({ hasCompounds }: Dictionary): number {
  return hasCompounds ? MIN_FIRST_LENGTH : MIN_PART_LENGTH
}

/** A listed word. Articles and prepositions are no parts: "Einstein" is not a stone. */
function partOfCompound(dictionary: Dictionary, word: string): Translation | undefined {
  const listed = singleWord(dictionary, word)
  return listed !== undefined && rawWords(listed.english).every(isGrammar) ? undefined : listed
}

/** A head with fewer letters is found in too many words. */
const MIN_HEAD_LENGTH = 5

/**
 * Translates the head of a compound whose first part is not known: "Sisalteppich" is a carpet. Only in languages that
 * write compounds as one word.
 */
function headOfCompound(dictionary: Dictionary, word: string, isEnglish: IsEnglish): Translation | undefined {
  const { hasCompounds, longest } = dictionary
  if (!hasCompounds || word.length < MIN_COMPOUND_LENGTH || word.length > 2 * longest) return undefined
  if (HAS_DIGIT.test(word)) return undefined
  for (let at = MIN_FIRST_LENGTH; at <= word.length - MIN_HEAD_LENGTH; at++) {
    // Three letters that are no word begin many words that are no compounds: "erotisch", "stressen".
    if (at < MIN_PART_LENGTH && !isEnglish(word.slice(0, at))) continue
    const head = singleWord(dictionary, word.slice(at))
    if (head !== undefined) return { rest: NO_REST, english: head.english, isGuess: true }
  }
  return undefined
}

function singleWord(dictionary: Dictionary, word: string): Translation | undefined {
  return translationsOf(dictionary, word).find(({ rest }) => rest.length === 0)
}

function replacePhrases(words: readonly string[], found: readonly FoundPhrase[]): readonly string[] {
  const result: string[] = []
  let next = 0
  for (const { at, phrase } of found) {
    result.push(...words.slice(next, at), ...rawWords(phrase.english))
    next = at + 1 + phrase.rest.length
  }
  result.push(...words.slice(next))
  return result
}
