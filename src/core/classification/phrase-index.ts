/** Finds the terms of the lexicon in a description. Terms are indexed by their rarest word. */

import type { ClassifierWeights } from './classifier-weights.ts'
import type { UsualValues } from './families.ts'
import { dependsOnContext, foldWord, goodsWords, onlyWords } from './text/goods-text.ts'
import type { LexiconWord } from './text/lexicon-text.ts'
import { type NumberedTerm, UNKNOWN, type Vocabulary, vocabularyOf } from './text/vocabulary.ts'

/** Goods with the same terms. `code` is a number; for a family it is the code of the default values. */
export type Goods = {
  readonly code: number
  /** True if another code is usual for these terms. */
  readonly possible: boolean
  readonly family: UsualValues | undefined
}

export type NamedGoods = Goods & { readonly terms: readonly string[] }

/** A term, with its words as numbers. */
export type Phrase = NumberedTerm & {
  readonly goods: Goods
  readonly term: string
  /** The index of the head noun in `words`. */
  readonly head: number
  /** The sum of the information of its words, in nats. */
  readonly information: number
}

export type PhraseIndex = {
  readonly phrases: PhraseTable
  readonly vocabulary: Vocabulary
  readonly byRarestWord: PhrasesByWord
}

/**
 * All terms, in columns instead of objects: the stored lexicon has more than 50,000 terms, and reading an object for
 * each would take most of the time of a start. Terms are numbered from 0.
 */
export type PhraseTable = {
  /** The goods that terms name, each once. */
  readonly goods: readonly Goods[]
  /** The index in `goods`, by term. */
  readonly goodsOf: Uint32Array
  /** The words of all terms. Those of term `n` are from `wordStarts[n]` to before `wordStarts[n + 1]`. */
  readonly words: Uint32Array
  readonly wordStarts: Uint32Array
  /** By term, as in `Phrase`. */
  readonly heads: Uint8Array
  /** The letters of all terms, one after the other, with `textStarts` as above. */
  readonly text: string
  readonly textStarts: Uint32Array
}

/**
 * Terms by their rarest word. Those of word `n` are from `starts[n]` to before `starts[n + 1]`. Terms that
 * consist of generic words are left out, because they lead to no code.
 */
export type PhrasesByWord = {
  readonly starts: Uint32Array
  /** The numbers of the terms. */
  readonly phrases: Uint32Array
  /** Another word of each term; the same word if it has only one. Checking this word first skips most terms. */
  readonly others: Uint32Array
}

export function indexPhrases(goods: readonly NamedGoods[]): PhraseIndex {
  const numbering: Numbering = { numbers: new Map(), plain: new Map() }
  const parsed: ParsedTerm[] = []
  // Goods do not refer to the list of terms, so that it is not stored.
  for (const { terms, ...named } of goods)
    for (const term of terms) parsed.push(parseTerm(named, term, numbering))
  const vocabulary = vocabularyOf(numbering.numbers, parsed)
  return { phrases: tableOf(parsed), vocabulary, byRarestWord: sortByRarestWord(parsed, vocabulary) }
}

function tableOf(parsed: readonly ParsedTerm[]): PhraseTable {
  const goods = [...new Set(parsed.map((one) => one.goods))]
  const numbers = new Map(goods.map((one, number) => [one, number]))
  return {
    goods,
    goodsOf: Uint32Array.from(parsed, (one) => numbers.get(one.goods)!),
    words: Uint32Array.from(parsed.flatMap(({ words }) => words)),
    wordStarts: startsOf(parsed.map(({ words }) => words.length)),
    heads: Uint8Array.from(parsed, ({ head }) => head),
    text: parsed.map(({ term }) => term).join(''),
    textStarts: startsOf(parsed.map(({ term }) => term.length)),
  }
}

/** Where parts of these lengths begin if they follow each other. The last entry is the end of the last part. */
function startsOf(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1)
  lengths.forEach((length, nth) => {
    starts[nth + 1] = starts[nth]! + length
  })
  return starts
}

/** The term with this number. */
export function phraseAt({ phrases, vocabulary }: PhraseIndex, number: number): Phrase {
  const { goods, goodsOf, wordStarts, heads, text, textStarts } = phrases
  const words = Array.from(phrases.words.subarray(wordStarts[number], wordStarts[number + 1]))
  return {
    goods: goods[goodsOf[number]!]!,
    term: text.slice(textStarts[number], textStarts[number + 1]),
    words,
    head: heads[number]!,
    information: words.reduce((sum, word) => sum + vocabulary.information[word]!, 0),
  }
}

/** All terms by number. */
export function phrasesOf(index: PhraseIndex): readonly Phrase[] {
  return Array.from(index.phrases.goodsOf, (_, number) => phraseAt(index, number))
}

function sortByRarestWord(
  parsed: readonly ParsedTerm[],
  { numbers, termCounts, isGeneric }: Vocabulary,
): PhrasesByWord {
  const indexed = [...parsed.keys()].filter((nth) => parsed[nth]!.words.some((word) => !isGeneric[word]))
  const rarest = indexed.map((nth) =>
    parsed[nth]!.words.reduce((a, b) => (termCounts[b]! < termCounts[a]! ? b : a)),
  )
  const starts = new Uint32Array(numbers.size + 1)
  for (const word of rarest) starts[word + 1]!++
  for (let word = 0; word < numbers.size; word++) starts[word + 1]! += starts[word]!
  const next = starts.slice()
  const phrases = new Uint32Array(indexed.length)
  const others = new Uint32Array(indexed.length)
  rarest.forEach((rarestWord, nth) => {
    const place = next[rarestWord]!++
    phrases[place] = indexed[nth]!
    others[place] = parsed[indexed[nth]!]!.words.find((word) => word !== rarestWord) ?? rarestWord
  })
  return { starts, phrases, others }
}

type ParsedTerm = Omit<Phrase, 'information'>

/** The numbers of folded words. `plain` caches raw words; CONTEXT_DEPENDENT marks those that cannot be cached. */
type Numbering = { readonly numbers: Map<string, number>; readonly plain: Map<string, number> }

const CONTEXT_DEPENDENT = -2

function parseTerm(goods: Goods, term: string, numbering: Numbering): ParsedTerm {
  const words = plainNumbers(term, numbering)
  if (words !== undefined) return { goods, term, words, head: words.length - 1 }
  const read = goodsWords(term)
  // "Artificial flowers for decoration": the head is the end of the first phrase.
  const head = Math.max(
    0,
    read.findIndex(({ endsPhrase }) => endsPhrase),
  )
  return { goods, term, words: read.map(({ key }) => numberIn(numbering, key)), head }
}

/** Fast path for terms whose words can be read one by one. Undefined for other terms. */
function plainNumbers(term: string, numbering: Numbering): number[] | undefined {
  const raw = onlyWords(term)
  if (raw === undefined) return undefined
  const numbers: number[] = []
  for (const word of raw) {
    let number = numbering.plain.get(word)
    if (number === undefined) {
      const key = foldWord(word)
      number = dependsOnContext(word, key) ? CONTEXT_DEPENDENT : numberIn(numbering, key)
      numbering.plain.set(word, number)
    }
    if (number === CONTEXT_DEPENDENT) return undefined
    numbers.push(number)
  }
  return numbers
}

function numberIn({ numbers }: Numbering, key: string): number {
  let number = numbers.get(key)
  if (number === undefined) {
    number = numbers.size
    numbers.set(key, number)
  }
  return number
}

// Search: every word of a term has to be in the description. The score depends on the arrangement of the words
// (adjacent, near, scattered), on what follows them, and on their position.

/** A term in a description, before its family is applied. `at` are the positions of its words, ascending. */
export type PhraseMatch = {
  readonly phrase: Phrase
  readonly at: readonly number[]
  readonly headAt: number
  /** The factor for order and distance of the words, up to 1. */
  readonly arrangement: number
  readonly score: number
}

/** The positions of each word of a text, by word number. */
type Places = ReadonlyMap<number, readonly number[]>

/**
 * The maximum number of matches in one text, which limits the time of a search. Real descriptions have up to 40
 * matches; texts of 500 characters that consist of terms have up to about 240. Only lists of the most frequent words
 * have more.
 */
export const MAX_MATCHES = 256

/**
 * Every term whose words are all in the description, unordered. Above `MAX_MATCHES`, those with the highest scores.
 * Overwrites `isPresent`, which has a place for each word of the vocabulary.
 */
export function findPhrases(
  index: PhraseIndex,
  weights: ClassifierWeights,
  text: readonly LexiconWord[],
  isPresent: Uint8Array,
): readonly PhraseMatch[] {
  const { starts, phrases, others } = index.byRarestWord
  const places = placesIn(text)
  isPresent.fill(0)
  for (const word of places.keys()) isPresent[word] = 1
  const matches: PhraseMatch[] = []
  for (const word of places.keys()) {
    const end = starts[word + 1]!
    for (let at = starts[word]!; at < end; at++) {
      if (!isPresent[others[at]!]) continue
      const number = phrases[at]!
      if (hasAllWords(index.phrases, number, isPresent))
        matches.push(bestMatch(index.vocabulary, text, places, phraseAt(index, number), weights))
    }
  }
  return highestScored(matches)
}

function hasAllWords({ words, wordStarts }: PhraseTable, number: number, isPresent: Uint8Array): boolean {
  const end = wordStarts[number + 1]!
  for (let at = wordStarts[number]!; at < end; at++) if (!isPresent[words[at]!]) return false
  return true
}

function highestScored(matches: readonly PhraseMatch[]): readonly PhraseMatch[] {
  if (matches.length <= MAX_MATCHES) return matches
  const highest = new Set(matches.toSorted((a, b) => b.score - a.score).slice(0, MAX_MATCHES))
  return matches.filter((match) => highest.has(match))
}

function placesIn(text: readonly LexiconWord[]): Places {
  const places = new Map<number, number[]>()
  for (let at = 0; at < text.length; at++) {
    const { number, singularNumber } = text[at]!
    addPlace(places, number, at)
    addPlace(places, singularNumber, at)
  }
  return places
}

function addPlace(places: Map<number, number[]>, word: number, at: number): void {
  if (word === UNKNOWN) return
  const list = places.get(word)
  if (list === undefined) places.set(word, [at])
  else list.push(at)
}

function bestMatch(
  vocabulary: Vocabulary,
  text: readonly LexiconWord[],
  places: Places,
  phrase: Phrase,
  weights: ClassifierWeights,
): PhraseMatch {
  const full = phrase.information ** weights.lengthPower * (phrase.goods.possible ? weights.possibleTerm : 1)
  const heads = places.get(phrase.words[phrase.head]!)!
  let best: PhraseMatch | undefined
  // At most four positions: titles may repeat themselves.
  for (let nth = 0; nth < heads.length && nth < 4; nth++) {
    const headAt = heads[nth]!
    const around = arrangementAround(vocabulary, phrase, places, headAt, weights)
    const arrangement =
      around.arrangement * (isOnlyMentioned(text, around.at, headAt) ? weights.mentioned : 1)
    const score = full * arrangement * placeFactor(vocabulary, text, headAt, weights)
    if (best === undefined || score > best.score) best = { phrase, at: around.at, headAt, arrangement, score }
  }
  return best!
}

/** "Phone with case" is not a phone case: the head has less weight than another word of the term. */
function isOnlyMentioned(text: readonly LexiconWord[], at: readonly number[], headAt: number): boolean {
  for (const place of at) if (place < headAt && text[place]!.weight > text[headAt]!.weight) return true
  return false
}

/** Selects for each word of the term the position that fits its head best, and rates the arrangement. */
function arrangementAround(
  { isNoise, isMovable }: Vocabulary,
  { words, head }: Phrase,
  places: Places,
  headAt: number,
  weights: ClassifierWeights,
): Pick<PhraseMatch, 'at' | 'arrangement'> {
  const at: number[] = []
  let maxDistance = 0
  let inOrder = true
  for (let nth = 0; nth < words.length; nth++) {
    const word = words[nth]!
    const expected = headAt + nth - head
    const nearest = nth === head ? headAt : nearestTo(expected, places.get(word)!)
    insertSorted(at, nearest)
    if (nearest === expected) continue
    inOrder = false
    if (isNoise[word]) maxDistance = Infinity
    else if (!isMovable[word]) maxDistance = Math.max(maxDistance, Math.abs(nearest - expected))
  }
  if (at.length < words.length) return { at, arrangement: weights.scattered }
  if (inOrder) return { at, arrangement: 1 }
  if (maxDistance === Infinity) return { at, arrangement: weights.strayNoise }
  return { at, arrangement: maxDistance <= 2 ? weights.nearby : weights.scattered }
}

/** Inserts a position into an ascending list. Returns false if it is already there. */
export function insertSorted(places: number[], place: number): boolean {
  let at = places.length
  while (at > 0 && places[at - 1]! > place) at--
  if (places[at - 1] === place) return false
  for (let last = places.length; last > at; last--) places[last] = places[last - 1]!
  places[at] = place
  return true
}

/** The position closest to `wanted`; of two equally close ones, the earlier. `places` is ascending. */
function nearestTo(wanted: number, places: readonly number[]): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (places[middle]! < wanted) low = middle + 1
    else high = middle
  }
  const [before, after] = [places[low - 1], places[low]]
  if (before === undefined || after === undefined) return (before ?? after)!
  return after - wanted < wanted - before ? after : before
}

/** The factor for the position of the head in the text. */
function placeFactor(
  { headShare }: Vocabulary,
  text: readonly LexiconWord[],
  at: number,
  weights: ClassifierWeights,
): number {
  const word = text[at]!
  const late = 1 - Math.min(weights.lateMost, weights.latePerWord * at)
  if (word.endsPhrase) return word.weight * late * weights.endsPhrase
  const next = text[at + 1]!
  const loss = weights.followedByHead * (next.number === UNKNOWN ? 0 : headShare[next.number]!)
  return word.weight * late * (1 - loss)
}
