/** Finds the terms of the lexicon in a description. Terms are indexed by their rarest word. */

import type { ClassifierWeights } from './classifier-weights.ts'
import type { UsualValues } from './families.ts'
import { dependsOnContext, foldWord, goodsWords, onlyWords } from './goods-text.ts'
import type { LexiconWord } from './lexicon-text.ts'
import { type NumberedTerm, UNKNOWN, type Vocabulary, vocabularyOf } from './vocabulary.ts'

/** Terms for the same goods. `code` is a number; for a family it is the code of the default values. */
export type NamedGoods = {
  readonly terms: readonly string[]
  readonly code: number
  /** True if another code is usual for these terms. */
  readonly possible: boolean
  readonly family: UsualValues | undefined
}

/** A term, with its words as numbers. */
export type Phrase = NumberedTerm & {
  readonly goods: NamedGoods
  readonly term: string
  /** The index of the head noun in `words`. */
  readonly head: number
  /** The sum of the information of its words, in nats. */
  readonly information: number
}

export type PhraseIndex = {
  readonly phrases: readonly Phrase[]
  readonly vocabulary: Vocabulary
  readonly byRarestWord: PhrasesByWord
}

/**
 * Terms by their rarest word. Those of word `n` are from `starts[n]` to before `starts[n + 1]`. Terms of generic words only
 * are left out, since they lead to no code.
 */
export type PhrasesByWord = {
  readonly starts: Uint32Array
  readonly phrases: readonly Phrase[]
  /** Another word of each term, if it has one. This check alone skips most terms that are not in a text. */
  readonly others: Uint32Array
}

export function indexPhrases(goods: readonly NamedGoods[]): PhraseIndex {
  const numbering: Numbering = { numbers: new Map(), plain: new Map() }
  const phrases: OpenPhrase[] = []
  for (const each of goods) for (const term of each.terms) phrases.push(parseTerm(each, term, numbering))
  const vocabulary = vocabularyOf(numbering.numbers, phrases)
  for (const phrase of phrases)
    for (const word of phrase.words) phrase.information += vocabulary.information[word]!
  return { phrases, vocabulary, byRarestWord: sortByRarestWord(phrases, vocabulary) }
}

function sortByRarestWord(
  phrases: readonly Phrase[],
  { numbers, termCounts, isGeneric }: Vocabulary,
): PhrasesByWord {
  const leading = phrases.filter(({ words }) => words.some((word) => !isGeneric[word]))
  const rarest = leading.map(({ words }) => words.reduce((a, b) => (termCounts[b]! < termCounts[a]! ? b : a)))
  const starts = new Uint32Array(numbers.size + 1)
  for (const word of rarest) starts[word + 1]!++
  for (let word = 0; word < numbers.size; word++) starts[word + 1]! += starts[word]!
  const next = starts.slice()
  const sorted: Phrase[] = Array.from({ length: leading.length })
  const others = new Uint32Array(leading.length)
  leading.forEach((phrase, nth) => {
    const word = rarest[nth]!
    const place = next[word]!++
    sorted[place] = phrase
    others[place] = phrase.words.find((each) => each !== word) ?? word
  })
  return { starts, phrases: sorted, others }
}

type OpenPhrase = Phrase & { information: number }

/** The numbers of folded words. `plain` caches raw words; CONTEXT_DEPENDENT marks those that cannot be cached. */
type Numbering = { readonly numbers: Map<string, number>; readonly plain: Map<string, number> }

const CONTEXT_DEPENDENT = -2

function parseTerm(goods: NamedGoods, term: string, numbering: Numbering): OpenPhrase {
  const words = plainNumbers(term, numbering)
  if (words !== undefined) return { goods, term, words, head: words.length - 1, information: 0 }
  const read = goodsWords(term)
  // "Artificial flowers for decoration": the head is the end of the first phrase.
  const head = Math.max(
    0,
    read.findIndex(({ endsPhrase }) => endsPhrase),
  )
  return { goods, term, words: read.map(({ key }) => numberIn(numbering, key)), head, information: 0 }
}

/** Fast path: the words of a term that can be read one by one. Undefined for other terms. */
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

// Search: every word of a term has to be in the description. The score depends on the arrangement of the words (adjacent,
// near, scattered), on what follows them, and on their position.

/** A term in a description, before its family is applied. `at` are the positions of its words, ascending. */
export type Find = {
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
 * The maximum number of finds in one text, which limits the time that it takes. Texts of 500 characters made of terms have
 * up to about 240 finds, real descriptions up to 40. Only lists of the most frequent words have more.
 */
export const MAX_FINDS = 256

/** Every term whose words are all in the description, unordered. Above `MAX_FINDS`, those with the highest scores. */
export function findPhrases(
  { vocabulary, byRarestWord }: PhraseIndex,
  weights: ClassifierWeights,
  text: readonly LexiconWord[],
): readonly Find[] {
  const { starts, phrases, others } = byRarestWord
  const places = placesIn(text)
  const isThere = new Uint8Array(vocabulary.numbers.size)
  for (const word of places.keys()) isThere[word] = 1
  const finds: Find[] = []
  for (const word of places.keys()) {
    for (let at = starts[word]!; at < starts[word + 1]!; at++) {
      if (!isThere[others[at]!]) continue
      const phrase = phrases[at]!
      if (phrase.words.every((each) => isThere[each]))
        finds.push(bestFind(vocabulary, text, places, phrase, weights))
    }
  }
  return highestScored(finds)
}

function highestScored(finds: readonly Find[]): readonly Find[] {
  if (finds.length <= MAX_FINDS) return finds
  const kept = new Set(finds.toSorted((a, b) => b.score - a.score).slice(0, MAX_FINDS))
  return finds.filter((find) => kept.has(find))
}

function placesIn(text: readonly LexiconWord[]): Places {
  const places = new Map<number, number[]>()
  text.forEach(({ number, singularNumber }, at) => {
    for (const each of [number, singularNumber]) {
      if (each === UNKNOWN) continue
      const list = places.get(each)
      if (list === undefined) places.set(each, [at])
      else list.push(at)
    }
  })
  return places
}

function bestFind(
  vocabulary: Vocabulary,
  text: readonly LexiconWord[],
  places: Places,
  phrase: Phrase,
  weights: ClassifierWeights,
): Find {
  const full = phrase.information ** weights.lengthPower * (phrase.goods.possible ? weights.possibleTerm : 1)
  const heads = places.get(phrase.words[phrase.head]!)!
  let best: Find | undefined
  // At most four positions: titles may repeat themselves.
  for (let nth = 0; nth < heads.length && nth < 4; nth++) {
    const headAt = heads[nth]!
    const around = arrangementAround(vocabulary, phrase, places, headAt, weights)
    const arrangement =
      around.arrangement * (isOnlyMentioned(text, around.at, headAt) ? weights.mentioned : 1)
    const score = full * arrangement * placeFactor(vocabulary, text, headAt, weights)
    if (best === undefined || score > best.score)
      best = { phrase, at: around.at, headAt, arrangement: arrangement, score: score }
  }
  return best!
}

/** "Phone with case" is not a phone case: the head has less weight than another word of the term. */
function isOnlyMentioned(text: readonly LexiconWord[], at: readonly number[], headAt: number): boolean {
  for (const place of at) if (place < headAt && text[place]!.weight > text[headAt]!.weight) return true
  return false
}

/** The positions of the term's words that are closest to its head, and the factor for their arrangement. */
function arrangementAround(
  { isNoise, isMovable }: Vocabulary,
  { words, head }: Phrase,
  places: Places,
  headAt: number,
  weights: ClassifierWeights,
): Pick<Find, 'at' | 'arrangement'> {
  const at: number[] = []
  let farthest = 0
  let inOrder = true
  for (let nth = 0; nth < words.length; nth++) {
    const word = words[nth]!
    const wanted = headAt + nth - head
    const nearest = nth === head ? headAt : nearestTo(wanted, places.get(word)!)
    insert(at, nearest)
    if (nearest === wanted) continue
    inOrder = false
    if (isNoise[word]) farthest = Infinity
    else if (!isMovable[word]) farthest = Math.max(farthest, Math.abs(nearest - wanted))
  }
  if (at.length < words.length) return { at, arrangement: weights.scattered }
  if (inOrder) return { at, arrangement: 1 }
  if (farthest === Infinity) return { at, arrangement: weights.strayNoise }
  return { at, arrangement: farthest <= 2 ? weights.nearby : weights.scattered }
}

/** Inserts a position into an ascending list. Returns false if it is already there. */
export function insert(places: number[], place: number): boolean {
  let at = places.length
  while (at > 0 && places[at - 1]! > place) at--
  if (places[at - 1] === place) return false
  for (let last = places.length; last > at; last--) places[last] = places[last - 1]!
  places[at] = place
  return true
}

/** The closest position to `wanted`, the earlier one of two. `places` is ascending. */
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
  const taken = weights.followedByHead * (next.number === UNKNOWN ? 0 : headShare[next.number]!)
  return word.weight * late * (1 - taken)
}
