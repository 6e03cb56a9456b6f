/**
 * Translates words of other languages to English before anything is looked up. A word that is also English ("Hose",
 * "robe") is translated only if the other language explains more words of the text than English does.
 */
import { BREAK, isGrammar, rawWords } from './goods-text.ts'
import type { LanguageWords } from './lexicon.ts'

/** A phrase of another language as raw words, with its English translation. */
type Translation = { readonly foreign: readonly string[]; readonly english: string }

/** The phrases of a language by their first word, longer ones first. `longest` is the length of the longest first word. */
export type Dictionary = {
  readonly byFirst: ReadonlyMap<string, readonly Translation[]>
  readonly longest: number
}

/** A dictionary phrase in a text. Unmistakable if at least one of its words is not English. */
type FoundPhrase = { readonly at: number; readonly phrase: Translation; readonly isUnmistakable: boolean }

/** True if the raw word is an English word of the lexicon. */
export type IsEnglish = (rawWord: string) => boolean

/** The `translate` option of `ReadingOptions`. */
export function translatorOf(
  dictionaries: readonly Dictionary[],
  isEnglish: IsEnglish,
): (words: readonly string[]) => readonly string[] {
  return (words) => {
    const isEnglishWord = memoized(isEnglish)
    if (words.every((word) => word === BREAK || HAS_DIGIT.test(word) || isEnglishWord(word))) return words
    let best: { readonly found: readonly FoundPhrase[]; readonly known: number } | undefined
    for (const dictionary of dictionaries) {
      const found = phrasesIn(dictionary, words, isEnglishWord)
      if (!found.some(({ isUnmistakable }) => isUnmistakable)) continue
      const known = found.reduce((sum, { phrase }) => sum + phrase.foreign.length, 0)
      if (best === undefined || known > best.known) best = { found, known }
    }
    if (best === undefined) return words
    const { found, known } = best
    const isForeignText = known > words.filter((word) => isEvidenceOfEnglish(word, isEnglishWord)).length
    return replacePhrases(
      words,
      found.filter(({ isUnmistakable }) => isForeignText || isUnmistakable),
    )
  }
}

/** Caches the answers for one text. */
function memoized(isEnglish: IsEnglish): IsEnglish {
  const answers = new Map<string, boolean>()
  return (word) => {
    let answer = answers.get(word)
    if (answer === undefined) {
      answer = isEnglish(word)
      answers.set(word, answer)
    }
    return answer
  }
}

/** True if a word shows that a text is English. Words like "in" and single letters also occur in other languages. */
function isEvidenceOfEnglish(word: string, isEnglish: IsEnglish): boolean {
  return word.length > 1 && word !== BREAK && !HAS_DIGIT.test(word) && !isGrammar(word) && isEnglish(word)
}

const HAS_DIGIT = /\d/

export function dictionaryOf({ phrases }: LanguageWords): Dictionary {
  const byFirst = new Map<string, Translation[]>()
  let longest = 0
  for (const { foreign, english } of phrases) {
    const words = rawWords(foreign).filter((word) => word !== BREAK)
    const [first] = words
    if (first === undefined) continue
    longest = Math.max(longest, first.length)
    const list = byFirst.get(first)
    if (list === undefined) byFirst.set(first, [{ foreign: words, english }])
    else list.push({ foreign: words, english })
  }
  for (const list of byFirst.values()) list.sort((a, b) => b.foreign.length - a.foreign.length)
  return { byFirst, longest }
}

function phrasesIn(dictionary: Dictionary, words: readonly string[], isEnglish: IsEnglish): FoundPhrase[] {
  const found: FoundPhrase[] = []
  for (let at = 0; at < words.length; ) {
    const word = words[at]!
    const phrase =
      dictionary.byFirst
        .get(word)
        ?.find(({ foreign }) => foreign.every((part, nth) => words[at + nth] === part)) ??
      (isEnglish(word) ? undefined : translateCompound(dictionary, word))
    if (phrase !== undefined) found.push({ at, phrase, isUnmistakable: !phrase.foreign.every(isEnglish) })
    at += phrase?.foreign.length ?? 1
  }
  return found
}

const MIN_COMPOUND_LENGTH = 8
const MIN_PART_LENGTH = 4
/** Letters between the parts of German and Dutch compounds. */
const LINKING_LETTERS = ['', 's', 'n', 'en', 'er', 'e']
const MAX_JOINT_LENGTH = 2

/**
 * Translates a compound of two known words: "Damenhandtasche", "Kinderschlafanzug". Words more than twice as long
 * as the longest known word are skipped.
 */
function translateCompound(dictionary: Dictionary, word: string): Translation | undefined {
  const { longest } = dictionary
  if (word.length < MIN_COMPOUND_LENGTH || word.length > 2 * longest + MAX_JOINT_LENGTH) return undefined
  if (HAS_DIGIT.test(word)) return undefined
  for (let at = word.length - MIN_PART_LENGTH; at >= MIN_PART_LENGTH; at--) {
    const last = singleWord(dictionary, word.slice(at))
    if (last === undefined) continue
    const start = word.slice(0, at)
    for (const joint of LINKING_LETTERS) {
      if (!start.endsWith(joint)) continue
      const first = singleWord(dictionary, start.slice(0, start.length - joint.length))
      if (first !== undefined) return { foreign: [word], english: `${first.english} ${last.english}` }
    }
  }
  return undefined
}

function singleWord({ byFirst }: Dictionary, word: string): Translation | undefined {
  return byFirst.get(word)?.find(({ foreign }) => foreign.length === 1)
}

function replacePhrases(words: readonly string[], found: readonly FoundPhrase[]): readonly string[] {
  const result: string[] = []
  let next = 0
  for (const { at, phrase } of found) {
    result.push(...words.slice(next, at), ...rawWords(phrase.english))
    next = at + phrase.foreign.length
  }
  result.push(...words.slice(next))
  return result
}
