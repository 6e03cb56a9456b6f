/**
 * Normalizes a description to the spelling of the lexicon: splits and joins compounds ("tshirt" to "t shirt"), corrects
 * typos and words that were cut off, and looks up the number of each word in the vocabulary.
 */
import { type FeatureWords, withFeatures } from './features.ts'
import { foldWord, type GoodsWord, goodsWords, isGrammar, readRawWord } from './goods-text.ts'
import { remembered } from './remembered.ts'
import { type Dictionary, translatorOf } from './translation.ts'
import { correctSpelling, isNoiseWord, isPair, numberOf, UNKNOWN, type Vocabulary } from './vocabulary.ts'

/** A word of a description. Numbers are UNKNOWN for words that no term contains. */
export type LexiconWord = GoodsWord & {
  readonly number: number
  /** UNKNOWN if no term contains the singular, or if the word is already singular. */
  readonly singularNumber: number
  readonly isNoise: boolean
}

/** Reads a description. `without`: a name to leave out, such as the brand. */
export type TextReader = (description: string, without?: string | undefined) => readonly LexiconWord[]

/** Words in `attributeWords` count as known and are not corrected. The reader remembers the words that it has read. */
export function textReader(
  vocabulary: Vocabulary,
  attributeWords: ReadonlySet<string>,
  dictionaries: readonly Dictionary[],
  features: FeatureWords,
): TextReader {
  const isEnglish = remembered((raw) => {
    const key = foldWord(raw)
    return isGrammar(raw) || isNoiseWord(key) || vocabulary.numbers.has(key) || attributeWords.has(key)
  })
  const reading = {
    splitAtAnd: true,
    translate: translatorOf(dictionaries, isEnglish),
    readRaw: remembered(readRawWord),
  }
  const known = remembered((key) => knownWord(vocabulary, attributeWords, key))
  const corrected = remembered((key) => correctSpelling(vocabulary.spellings, key, false))
  const correctedOrCompleted = remembered((key) => correctSpelling(vocabulary.spellings, key, true))

  return (description, without) => {
    const words: LexiconWord[] = []
    const original = goodsWords(description, without === undefined ? reading : { ...reading, without })
    for (let nth = 0; nth < original.length; nth++) {
      const word = original[nth]!
      const { number, isKnown, isNoise, parts } = known(word.key)
      const before = words.at(-1)
      if (parts !== undefined) {
        words.push(numbered(vocabulary, { ...word, endsPhrase: false }, parts[0]))
        words.push(numbered(vocabulary, word, parts[1]))
      } else if (before !== undefined && !before.endsPhrase && joins(vocabulary, before, word.key)) {
        const text = `${before.text} ${word.text}`
        words[words.length - 1] = numbered(vocabulary, { ...word, text }, before.key + word.key)
      } else if (isKnown || isNoise) {
        words.push(unchanged(vocabulary, word, number, isNoise))
      } else {
        const guess = (nth === original.length - 1 ? correctedOrCompleted : corrected)(word.key)
        words.push(
          guess === undefined
            ? numbered(vocabulary, word, word.key)
            : numbered(vocabulary, { ...word, weight: word.weight * GUESS_WEIGHT }, guess),
        )
      }
    }
    return withFeatures(words, features, vocabulary)
  }
}

/** The weight factor of a corrected word. */
const GUESS_WEIGHT = 0.7

type KnownWord = {
  readonly number: number
  /** True for words of terms and of attributes. */
  readonly isKnown: boolean
  readonly isNoise: boolean
  /** Of a compound. */
  readonly parts: readonly [string, string] | undefined
}

function knownWord(vocabulary: Vocabulary, attributeWords: ReadonlySet<string>, key: string): KnownWord {
  const number = numberOf(vocabulary, key)
  const isKnown = number !== UNKNOWN || attributeWords.has(key)
  return {
    number,
    isKnown,
    isNoise: isNoiseWord(key),
    parts: isKnown ? undefined : splitCompound(vocabulary, key),
  }
}

function unchanged(vocabulary: Vocabulary, word: GoodsWord, number: number, isNoise: boolean): LexiconWord {
  // Lists the fields, because this runs for nearly every word, and a spread takes several times as long.
  const { text, key, singular, weight, endsPhrase } = word
  const singularNumber = key === singular ? UNKNOWN : numberOf(vocabulary, singular)
  return { text, key, singular, weight, endsPhrase, number, singularNumber, isNoise }
}

function numbered(vocabulary: Vocabulary, word: GoodsWord, key: string): LexiconWord {
  const { text, weight, endsPhrase } = word
  const number = numberOf(vocabulary, key)
  const isNoise = isNoiseWord(key)
  return { text, key, singular: key, weight, endsPhrase, number, singularNumber: UNKNOWN, isNoise }
}

/** Shorter matches are mostly coincidences. */
const MIN_COMPOUND_LENGTH = 5

/**
 * Splits a compound ("keychain") into two words that are consecutive in some term. Words more than twice as long as
 * the longest known word are not split.
 */
function splitCompound(vocabulary: Vocabulary, key: string): readonly [string, string] | undefined {
  if (key.length < MIN_COMPOUND_LENGTH || key.length > 2 * vocabulary.longest) return undefined
  for (let at = 1; at < key.length; at++) {
    const first = numberOf(vocabulary, key.slice(0, at))
    if (first === UNKNOWN) continue
    const second = numberOf(vocabulary, key.slice(at))
    if (second !== UNKNOWN && isPair(vocabulary, first, second)) return [key.slice(0, at), key.slice(at)]
  }
  return undefined
}

/** True if the lexicon has two consecutive words as one word, and never as two. */
function joins(vocabulary: Vocabulary, { key, number }: LexiconWord, second: string): boolean {
  if (key.length + second.length < MIN_COMPOUND_LENGTH) return false
  if (numberOf(vocabulary, key + second) === UNKNOWN) return false
  const other = numberOf(vocabulary, second)
  return number === UNKNOWN || other === UNKNOWN || !isPair(vocabulary, number, other)
}
