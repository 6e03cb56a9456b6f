/**
 * A description as the lexicon writes it: compounds ("tshirt" as "t shirt"), words that are misspelt or cut off, and the
 * number of each word in the vocabulary.
 */
import { type GoodsWord, goodsWords, type Reading } from './goods-text.ts'
import { knownSpelling, numberOf, pairOf, saysLittle, UNKNOWN, type Vocabulary } from './vocabulary.ts'

/** One word of a description; the numbers are UNKNOWN where the word is in no term. */
export type LexiconWord = GoodsWord & {
  readonly number: number
  /** UNKNOWN too where the singular is the same word. */
  readonly singularNumber: number
  /** True for a word that says nothing about which goods these are. */
  readonly isLittle: boolean
}

/** The words of a description. Words of `sayings` are known as well: they need no mending. */
export function readDescription(
  vocabulary: Vocabulary,
  sayings: ReadonlySet<string>,
  description: string,
  reading: Reading,
): readonly LexiconWord[] {
  const words: LexiconWord[] = []
  const given = goodsWords(description, reading)
  given.forEach((word, nth) => {
    const isKnown = numberOf(vocabulary, word.key) !== UNKNOWN || sayings.has(word.key)
    const parts = isKnown ? undefined : splitCompound(vocabulary, word.key)
    const before = words.at(-1)
    if (parts !== undefined) {
      words.push(numbered(vocabulary, { ...word, endsPhrase: false }, parts[0]))
      words.push(numbered(vocabulary, word, parts[1]))
    } else if (before !== undefined && !before.endsPhrase && joins(vocabulary, before, word.key)) {
      const text = `${before.text} ${word.text}`
      words[words.length - 1] = numbered(vocabulary, { ...word, text }, before.key + word.key)
    } else if (isKnown || saysLittle(word.key)) {
      const { key, singular } = word
      words.push({
        ...word,
        number: numberOf(vocabulary, key),
        singularNumber: key === singular ? UNKNOWN : numberOf(vocabulary, singular),
        isLittle: saysLittle(key),
      })
    } else {
      const guess = knownSpelling(vocabulary.spellings, word.key, nth === given.length - 1)
      words.push(
        guess === undefined
          ? numbered(vocabulary, word, word.key)
          : numbered(vocabulary, { ...word, part: word.part * GUESSED }, guess),
      )
    }
  })
  return words
}

/** What is left of the say of a word whose spelling was guessed. */
const GUESSED = 0.7

function numbered(vocabulary: Vocabulary, word: GoodsWord, key: string): LexiconWord {
  return {
    ...word,
    key,
    singular: key,
    number: numberOf(vocabulary, key),
    singularNumber: UNKNOWN,
    isLittle: saysLittle(key),
  }
}

/** Shorter compounds and parts are mostly chance. */
const SHORTEST_COMPOUND = 5

/**
 * "Keychain" and the two words it is made of, where some term has them in a row. Words longer than any two known ones
 * together are not looked at.
 */
function splitCompound(vocabulary: Vocabulary, key: string): readonly [string, string] | undefined {
  if (key.length < SHORTEST_COMPOUND || key.length > 2 * vocabulary.longest) return undefined
  for (let at = 1; at < key.length; at++) {
    const first = numberOf(vocabulary, key.slice(0, at))
    if (first === UNKNOWN) continue
    const second = numberOf(vocabulary, key.slice(at))
    if (second !== UNKNOWN && vocabulary.pairs.has(pairOf(first, second)))
      return [key.slice(0, at), key.slice(at)]
  }
  return undefined
}

/** Whether two words in a row are one word in the lexicon, and never two. */
function joins(vocabulary: Vocabulary, { key, number }: LexiconWord, second: string): boolean {
  if (key.length + second.length < SHORTEST_COMPOUND) return false
  if (numberOf(vocabulary, key + second) === UNKNOWN) return false
  const other = numberOf(vocabulary, second)
  return number === UNKNOWN || other === UNKNOWN || !vocabulary.pairs.has(pairOf(number, other))
}
