/**
 * Translates words of other languages to English before anything is looked up. A word that is also English ("Hose",
 * "robe") is translated only if the other language explains more words of the text than English does.
 */

import type { LanguageWords } from '../lexicon.ts'
import { BREAK, isGrammar, rawWords } from './goods-text.ts'
import { remembered } from './remembered.ts'

/** A phrase of another language as raw words, with its English translation. */
type Translation = { readonly foreign: readonly string[]; readonly english: string }

/**
 * The phrases of a language by their first word, longer ones first. `longest` is the length of the longest first word.
 */
export type Dictionary = {
  readonly byFirst: ReadonlyMap<string, readonly Translation[]>
  readonly longest: number
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
    const found = dictionaries.map((dictionary) => phrasesFromWord(dictionary, word, mayBeCompound))
    return found.some((phrases) => phrases.length > 0) ? found : undefined
  })
  return (words) => {
    if (words.every((word) => word === BREAK || isEnglish(word) || HAS_DIGIT.test(word))) return words
    const candidates = words.map(phrasesFrom)
    if (candidates.every((phrases) => phrases === undefined)) return words
    let best: { readonly found: readonly FoundPhrase[]; readonly known: number } | undefined
    for (let nth = 0; nth < dictionaries.length; nth++) {
      const found = phrasesIn(nth, candidates, words, isEnglish)
      if (!found.some(({ isUnmistakable }) => isUnmistakable)) continue
      const known = found.reduce((sum, { phrase }) => sum + phrase.foreign.length, 0)
      if (best === undefined || known > best.known) best = { found, known }
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

function phrasesFromWord(
  dictionary: Dictionary,
  word: string,
  mayBeCompound: boolean,
): readonly Translation[] {
  const phrases = dictionary.byFirst.get(word) ?? []
  const compound = mayBeCompound ? translateCompound(dictionary, word) : undefined
  return compound === undefined ? phrases : [...phrases, compound]
}

/** The phrases of a dictionary that are in a text. `candidates` is by position. */
function phrasesIn(
  dictionary: number,
  candidates: readonly PhrasesByDictionary[],
  words: readonly string[],
  isEnglish: IsEnglish,
): FoundPhrase[] {
  const found: FoundPhrase[] = []
  for (let at = 0; at < words.length; ) {
    const phrase = candidates[at]?.[dictionary]?.find(({ foreign }) =>
      foreign.every((part, nth) => words[at + nth] === part),
    )
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
