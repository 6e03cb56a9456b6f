/** The lexicon's terms, folded and ready to be found by their rarest word. */

import type { ClassifierWeights } from './classifier-weights.ts'
import type { UsualValues } from './families.ts'
import { foldWord, goodsWords, leansOnOthers, onlyWords } from './goods-text.ts'
import type { LexiconWord } from './lexicon-text.ts'
import { type NumberedTerm, UNKNOWN, type Vocabulary, vocabularyOf } from './vocabulary.ts'

/** Terms that name the same goods: `code` is the number of their code, the usual one where a family decides. */
export type NamedGoods = {
  readonly terms: readonly string[]
  readonly code: number
  /** Another code is the usual one for these terms. */
  readonly possible: boolean
  readonly family: UsualValues | undefined
}

/** One term; its words by their numbers in the vocabulary. */
export type Phrase = NumberedTerm & {
  readonly goods: NamedGoods
  readonly term: string
  /** The index of the head noun in `words`. */
  readonly head: number
  /** The information of the words, in nats, added up. */
  readonly information: number
}

/** All terms, to be found by their rarest word. */
export type PhraseIndex = {
  readonly phrases: readonly Phrase[]
  readonly vocabulary: Vocabulary
  readonly byRarestWord: PhrasesByWord
}

/**
 * Terms by one of their words: those of word `n` stand from `starts[n]` to before `starts[n + 1]`. Terms made only of
 * words for goods of any kind are not among them: they lead to no code.
 */
export type PhrasesByWord = {
  readonly starts: Uint32Array
  readonly phrases: readonly Phrase[]
  /** Another word of each term, if it has one. Most terms that are not in a text can be passed over by this alone. */
  readonly others: Uint32Array
}

/** Builds the index. */
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
  { numbers, terms, general }: Vocabulary,
): PhrasesByWord {
  const leading = phrases.filter(({ words }) => words.some((word) => !general[word]))
  const rarest = leading.map(({ words }) => words.reduce((a, b) => (terms[b]! < terms[a]! ? b : a)))
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

/** The numbers of folded words, and those of raw words that always mean the same; LEANING for the others. */
type Numbering = { readonly numbers: Map<string, number>; readonly plain: Map<string, number> }

const LEANING = -2

function parseTerm(goods: NamedGoods, term: string, numbering: Numbering): OpenPhrase {
  const words = plainNumbers(term, numbering)
  if (words !== undefined) return { goods, term, words, head: words.length - 1, information: 0 }
  const read = goodsWords(term)
  // "Artificial flowers for decoration": the head stands where the first phrase ends.
  const head = Math.max(
    0,
    read.findIndex(({ endsPhrase }) => endsPhrase),
  )
  return { goods, term, words: read.map(({ key }) => numberIn(numbering, key)), head, information: 0 }
}

/** The words of a term that can be read one by one, which is quick; undefined for any other. */
function plainNumbers(term: string, numbering: Numbering): number[] | undefined {
  const raw = onlyWords(term)
  if (raw === undefined) return undefined
  const numbers: number[] = []
  for (const word of raw) {
    let number = numbering.plain.get(word)
    if (number === undefined) {
      const key = foldWord(word)
      number = leansOnOthers(word, key) ? LEANING : numberIn(numbering, key)
      numbering.plain.set(word, number)
    }
    if (number === LEANING) return undefined
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

// Finds the lexicon's terms in a description: every word of the term has to be there. How the words stand (together,
// near, scattered), what follows them and where they are decides how much a find is worth.

/** A term in a description, before its family was asked. `at` are the places of its own words, ascending. */
export type Find = {
  readonly phrase: Phrase
  readonly at: readonly number[]
  readonly headAt: number
  /** What order and distance of the words leave of the worth. */
  readonly standing: number
  readonly worth: number
}

/** Where each word of a text stands, by its number. */
type Places = ReadonlyMap<number, readonly number[]>

/**
 * The most finds of one text. It bounds the time that a text can take. Texts of 500 characters made of whole terms have
 * at most some 240 finds, and real titles and parcel texts at most 40. Only lists of the most frequent words have more.
 */
export const MOST_FINDS = 256

/**
 * Every term whose words are all in the description, in no particular order. Where there are more than `MOST_FINDS`, those
 * that are worth most.
 */
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
  return worthiest(finds)
}

function worthiest(finds: readonly Find[]): readonly Find[] {
  if (finds.length <= MOST_FINDS) return finds
  const kept = new Set(finds.toSorted((a, b) => b.worth - a.worth).slice(0, MOST_FINDS))
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
  // A title that repeats itself does not get more than four looks.
  for (let nth = 0; nth < heads.length && nth < 4; nth++) {
    const headAt = heads[nth]!
    const around = standAround(vocabulary, phrase, places, headAt, weights)
    const standing = around.standing * (isOnlyMentioned(text, around.at, headAt) ? weights.mentioned : 1)
    const worth = full * standing * placeFactor(vocabulary, text, headAt, weights)
    if (best === undefined || worth > best.worth) best = { phrase, at: around.at, headAt, standing, worth }
  }
  return best!
}

/** "Phone with case" is no phone case: its head is only mentioned. */
function isOnlyMentioned(text: readonly LexiconWord[], at: readonly number[], headAt: number): boolean {
  for (const place of at) if (place < headAt && text[place]!.part > text[headAt]!.part) return true
  return false
}

/** The places of the term's words nearest to its head, and what their order and distance leave of the worth. */
function standAround(
  { little, loose }: Vocabulary,
  { words, head }: Phrase,
  places: Places,
  headAt: number,
  weights: ClassifierWeights,
): Pick<Find, 'at' | 'standing'> {
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
    if (little[word]) farthest = Infinity
    else if (!loose[word]) farthest = Math.max(farthest, Math.abs(nearest - wanted))
  }
  if (at.length < words.length) return { at, standing: weights.scattered }
  if (inOrder) return { at, standing: 1 }
  if (farthest === Infinity) return { at, standing: weights.strayNoise }
  return { at, standing: farthest <= 2 ? weights.nearby : weights.scattered }
}

/** Adds a place to a few in ascending order; false where it is there already. */
export function insert(places: number[], place: number): boolean {
  let at = places.length
  while (at > 0 && places[at - 1]! > place) at--
  if (places[at - 1] === place) return false
  for (let last = places.length; last > at; last--) places[last] = places[last - 1]!
  places[at] = place
  return true
}

/** The place nearest to a wanted one, the earlier of two that are equally near; `places` ascend. */
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

/** What the place in the text leaves of a hit whose head is there. */
function placeFactor(
  { headness }: Vocabulary,
  text: readonly LexiconWord[],
  at: number,
  weights: ClassifierWeights,
): number {
  const word = text[at]!
  const late = 1 - Math.min(weights.lateMost, weights.latePerWord * at)
  if (word.endsPhrase) return word.part * late * weights.endsPhrase
  const next = text[at + 1]!
  const taken = weights.followedByHead * (next.number === UNKNOWN ? 0 : headness[next.number]!)
  return word.part * late * (1 - taken)
}
