/**
 * The words of the lexicon's terms, by number, and what is known of each: lists by number are several times quicker to
 * build at start and to read for each description than maps by word.
 */
import { wordSet } from './goods-text.ts'
import { namesAnything, saysLittle } from './noise-words.ts'
import { type Spellings, spellingsOf } from './spelling.ts'

/** The number of a word that is in no term. */
export const UNKNOWN = -1

/** All words of the terms. */
export type Vocabulary = {
  readonly numbers: ReadonlyMap<string, number>
  /** The length of the longest word. */
  readonly longest: number
  /** In how many terms each word is. */
  readonly terms: Uint32Array
  /** The information of each word in nats: how rare it is among the terms, half for words that say little. */
  readonly information: Float64Array
  /** How often each word is the head of the terms it is in, 0 to 1. */
  readonly headness: Float64Array
  /** 1 for words that say nothing about which goods these are. */
  readonly little: Uint8Array
  /** 1 for words that stand for goods of any kind. */
  readonly general: Uint8Array
  /** 1 for words that may stand anywhere in a title and still belong to the goods. */
  readonly loose: Uint8Array
  /** Every two words that stand in a row in some term, as `pairOf`. */
  readonly pairs: ReadonlySet<number>
  readonly spellings: Spellings
}

/** Who wears it and what it is made of may stand anywhere in a title. */
const LOOSE = wordSet(
  'men women kid boy girl babi unisex cotton wool silk linen polyester nylon leather wooden wood plastic metal steel',
  'stainless silver gold glass ceramic paper rubber silicone knit woven synthetic suede canvas acrylic brass copper',
)

/** A term as numbers of words. */
export type NumberedTerm = { readonly words: readonly number[]; readonly head: number }

/** Gathers what is known of the words; `numbers` has them in the order of their numbers. */
export function vocabularyOf(
  numbers: ReadonlyMap<string, number>,
  terms: readonly NumberedTerm[],
): Vocabulary {
  const count = numbers.size
  const inTerms = new Uint32Array(count)
  const heads = new Uint32Array(count)
  for (const { words, head } of terms) {
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!
      if (words.indexOf(word) === at) inTerms[word]!++
      if (at === head) heads[word]!++
    }
  }
  const [information, headness] = [new Float64Array(count), new Float64Array(count)]
  const [little, general, loose] = [new Uint8Array(count), new Uint8Array(count), new Uint8Array(count)]
  let longest = 0
  for (const [word, number] of numbers) {
    longest = Math.max(longest, word.length)
    little[number] = saysLittle(word) ? 1 : 0
    general[number] = namesAnything(word) ? 1 : 0
    loose[number] = LOOSE.has(word) ? 1 : 0
    const rarity = Math.log(1 + (2 * terms.length) / (inTerms[number]! + 3))
    information[number] = little[number] ? rarity / 2 : rarity
    headness[number] = heads[number]! / (inTerms[number]! + 1)
  }
  return {
    ...{ numbers, longest, terms: inTerms, information, headness, little, general, loose },
    pairs: pairsIn(terms),
    spellings: spellingsOf(numbers.keys()),
  }
}

function pairsIn(terms: readonly NumberedTerm[]): ReadonlySet<number> {
  const pairs = new Set<number>()
  for (const { words } of terms)
    for (let at = 1; at < words.length; at++) pairs.add(pairOf(words[at - 1]!, words[at]!))
  return pairs
}

/** Two words in a row as one number; exact for any vocabulary that fits a memory. */
export function pairOf(first: number, second: number): number {
  return first * 2 ** 21 + second
}

/** The number of a folded word. */
export function numberOf({ numbers }: Vocabulary, key: string): number {
  return numbers.get(key) ?? UNKNOWN
}
