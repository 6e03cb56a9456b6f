/**
 * Finds the lexicon's terms in a description: every word of the term has to be there, and how they stand (together,
 * near, scattered), what follows them and where they are decides how much the find is worth.
 */
import type { ClassifierWeights } from './classifier-weights.ts'
import { type GoodsWord, wordSet } from './goods-text.ts'
import { namesAnything, saysLittle } from './noise-words.ts'
import type { Phrase, PhraseIndex } from './phrase-index.ts'

/** A term found in a description. `at` are the places of its words, ascending; `worth` is above 0. */
export type PhraseHit = { readonly phrase: Phrase; readonly at: readonly number[]; readonly worth: number }

/** Who wears it and what it is made of may stand anywhere in a title; it still belongs to the goods. */
const ATTRIBUTES = wordSet(
  'men women kid boy girl babi unisex cotton wool silk linen polyester nylon leather wooden wood plastic metal steel',
  'stainless silver gold glass ceramic paper rubber silicone knit woven synthetic suede canvas acrylic brass copper',
)

/** Every term whose words are all in the description, in no particular order. */
function findPhrases(
  index: PhraseIndex,
  text: readonly GoodsWord[],
  weights: ClassifierWeights,
): PhraseHit[] {
  const places = new Map<string, number[]>()
  text.forEach((word, at) => {
    for (const key of word.key === word.singular ? [word.key] : [word.key, word.singular]) {
      const list = places.get(key) ?? []
      list.push(at)
      places.set(key, list)
    }
  })
  const hits: PhraseHit[] = []
  for (const key of places.keys()) {
    for (const phrase of index.byRarestWord.get(key) ?? []) {
      if (phrase.words.every((word) => places.has(word)))
        hits.push(bestHit(index, text, places, phrase, weights))
    }
  }
  return hits
}

function bestHit(
  index: PhraseIndex,
  text: readonly GoodsWord[],
  places: ReadonlyMap<string, readonly number[]>,
  phrase: Phrase,
  weights: ClassifierWeights,
): PhraseHit {
  const full = phrase.information ** weights.lengthPower * (phrase.possible ? weights.possibleTerm : 1)
  let best: PhraseHit | undefined
  // A title that repeats itself does not get more than four looks.
  for (const headAt of places.get(phrase.words[phrase.head]!)!.slice(0, 4)) {
    const { at, standing } = standAround(phrase, places, headAt, weights)
    const last = Math.max(...at.filter((place) => place <= headAt))
    const worth = full * standing * placeFactor(index, text, last, weights)
    if (best === undefined || worth > best.worth) best = { phrase, at: [...at].sort((a, b) => a - b), worth }
  }
  return best!
}

/** The places of the term's words nearest to its head, and what their order and distance leave of the worth. */
function standAround(
  phrase: Phrase,
  places: ReadonlyMap<string, readonly number[]>,
  headAt: number,
  weights: ClassifierWeights,
): { readonly at: readonly number[]; readonly standing: number } {
  const at: number[] = []
  let farthest = 0
  let inOrder = true
  phrase.words.forEach((word, nth) => {
    const wanted = headAt + nth - phrase.head
    let nearest = -1
    for (const place of places.get(word)!) {
      if (nearest === -1 || Math.abs(place - wanted) < Math.abs(nearest - wanted)) nearest = place
    }
    if (nth === phrase.head) nearest = headAt
    at.push(nearest)
    if (nearest === wanted) return
    inOrder = false
    if (saysLittle(word)) farthest = Infinity
    else if (!ATTRIBUTES.has(word)) farthest = Math.max(farthest, Math.abs(nearest - wanted))
  })
  if (new Set(at).size < at.length) return { at, standing: weights.scattered }
  if (inOrder) return { at, standing: 1 }
  if (farthest === Infinity) return { at, standing: weights.strayNoise }
  return { at, standing: farthest <= 2 ? weights.nearby : weights.scattered }
}

/** What the place in the text leaves of a hit whose head is there. */
function placeFactor(
  index: PhraseIndex,
  text: readonly GoodsWord[],
  at: number,
  weights: ClassifierWeights,
): number {
  const word = text[at]!
  const late = 1 - Math.min(weights.lateMost, weights.latePerWord * at)
  if (word.endsPhrase) return word.part * late * weights.endsPhrase
  const next = text[at + 1]!
  const taken = weights.followedByHead * (index.headness.get(next.key) ?? 0)
  return word.part * late * (1 - taken)
}

/**
 * The terms found, by the index of their code, each list best first. A term inside a longer find counts for little:
 * "leather jacket" leaves next to nothing of "jacket". Words for goods of any kind ("gift") are no find.
 */
export function hitsByCode(
  index: PhraseIndex,
  text: readonly GoodsWord[],
  weights: ClassifierWeights,
): ReadonlyMap<number, readonly PhraseHit[]> {
  const found = findPhrases(index, text, weights)
    .filter((hit) => !hit.phrase.words.every(namesAnything))
    .sort((a, b) => b.at.length - a.at.length)
  const byCode = new Map<number, PhraseHit[]>()
  for (const hit of found) {
    const inside = found.some((other) => other.at.length > hit.at.length && includesAll(other.at, hit.at))
    const covered = 1 + weights.coverage * coverage(index, text, [hit])
    const list = byCode.get(hit.phrase.code) ?? []
    list.push({ ...hit, worth: hit.worth * covered * (inside ? weights.insideLonger : 1) })
    byCode.set(hit.phrase.code, list)
  }
  for (const list of byCode.values())
    list.sort((a, b) => b.worth - a.worth || (a.phrase.term < b.phrase.term ? -1 : 1))
  return byCode
}

function includesAll(places: readonly number[], wanted: readonly number[]): boolean {
  return wanted.every((place) => places.includes(place))
}

/** The share of the text's information that the hits' words carry, 0 to 1. Unknown words count as fairly rare ones. */
export function coverage(index: PhraseIndex, text: readonly GoodsWord[], hits: readonly PhraseHit[]): number {
  const covered = new Set(hits.flatMap((hit) => hit.at))
  let all = 0
  let found = 0
  text.forEach((word, at) => {
    const unsaid = saysLittle(word.key) && !covered.has(at)
    const information = unsaid ? 0 : (index.information.get(word.key) ?? UNKNOWN_WORD) * word.part
    all += information
    if (covered.has(at)) found += information
  })
  return all === 0 ? 0 : found / all
}

/** The information of a word that is in no term, in nats: often a brand. */
const UNKNOWN_WORD = 4
