/**
 * Finds the lexicon's terms in a description: every word of the term has to be there. How the words stand (together,
 * near, scattered), what follows them and where they are decides how much a find is worth.
 */
import type { ClassifierWeights } from './classifier-weights.ts'
import type { LexiconWord } from './lexicon-text.ts'
import type { Phrase, PhraseIndex } from './phrase-index.ts'
import { UNKNOWN, type Vocabulary } from './vocabulary.ts'

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
