/**
 * Normalizes a description to the spelling of the lexicon: splits and joins compounds ("tshirt" to "t shirt"), corrects
 * typos and words that were cut off, and looks up the number of each word in the vocabulary.
 */
import { type GoodsWord, goodsWords, type ReadingOptions } from './goods-text.ts'
import { correctSpelling, isNoiseWord, numberOf, pairOf, UNKNOWN, type Vocabulary } from './vocabulary.ts'

/** A word of a description. Numbers are UNKNOWN for words that no term contains. */
export type LexiconWord = GoodsWord & {
  readonly number: number
  /** UNKNOWN if no term contains the singular, or if the word is already singular. */
  readonly singularNumber: number
  readonly isNoise: boolean
}

/** Reads a description. Words in `attributeWords` count as known and are not corrected. */
export function readDescription(
  vocabulary: Vocabulary,
  attributeWords: ReadonlySet<string>,
  description: string,
  reading: ReadingOptions,
): readonly LexiconWord[] {
  const words: LexiconWord[] = []
  const original = goodsWords(description, reading)
  original.forEach((word, nth) => {
    const isKnown = numberOf(vocabulary, word.key) !== UNKNOWN || attributeWords.has(word.key)
    const parts = isKnown ? undefined : splitCompound(vocabulary, word.key)
    const before = words.at(-1)
    if (parts !== undefined) {
      words.push(numbered(vocabulary, { ...word, endsPhrase: false }, parts[0]))
      words.push(numbered(vocabulary, word, parts[1]))
    } else if (before !== undefined && !before.endsPhrase && joins(vocabulary, before, word.key)) {
      const text = `${before.text} ${word.text}`
      words[words.length - 1] = numbered(vocabulary, { ...word, text }, before.key + word.key)
    } else if (isKnown || isNoiseWord(word.key)) {
      const { key, singular } = word
      words.push({
        ...word,
        number: numberOf(vocabulary, key),
        singularNumber: key === singular ? UNKNOWN : numberOf(vocabulary, singular),
        isNoise: isNoiseWord(key),
      })
    } else {
      const guess = correctSpelling(vocabulary.spellings, word.key, nth === original.length - 1)
      words.push(
        guess === undefined
          ? numbered(vocabulary, word, word.key)
          : numbered(vocabulary, { ...word, weight: word.weight * GUESS_WEIGHT }, guess),
      )
    }
  })
  return words
}

/** The weight factor of a corrected word. */
const GUESS_WEIGHT = 0.7

function numbered(vocabulary: Vocabulary, word: GoodsWord, key: string): LexiconWord {
  return {
    ...word,
    key,
    singular: key,
    number: numberOf(vocabulary, key),
    singularNumber: UNKNOWN,
    isNoise: isNoiseWord(key),
  }
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
    if (second !== UNKNOWN && vocabulary.pairs.has(pairOf(first, second)))
      return [key.slice(0, at), key.slice(at)]
  }
  return undefined
}

/** True if the lexicon has two consecutive words as one word, and never as two. */
function joins(vocabulary: Vocabulary, { key, number }: LexiconWord, second: string): boolean {
  if (key.length + second.length < MIN_COMPOUND_LENGTH) return false
  if (numberOf(vocabulary, key + second) === UNKNOWN) return false
  const other = numberOf(vocabulary, second)
  return number === UNKNOWN || other === UNKNOWN || !vocabulary.pairs.has(pairOf(number, other))
}
