/**
 * Finds the lexicon's terms in a description: every word of the term has to be there, and how they stand (together,
 * near, scattered), what follows them and where they are decides how much the find is worth.
 */
import { type Attributes, nearness, type Observation, observe } from './attributes.ts'
import type { ClassifierWeights } from './classifier-weights.ts'
import { codesOfFamily, type FamilyCode } from './families.ts'
import type { LexiconWord } from './lexicon-text.ts'
import type { Phrase, PhraseIndex } from './phrase-index.ts'
import { UNKNOWN, type Vocabulary } from './vocabulary.ts'

/** A term found in a description. */
export type PhraseHit = {
  readonly phrase: Phrase
  /** The places of its words, and of the words its family heeded, ascending. */
  readonly at: readonly number[]
  /** Above 0. */
  readonly worth: number
  /** The say of its head, as in `GoodsWord`. */
  readonly part: number
  /** The codes it speaks for, the best first: one, or those of its family. */
  readonly codes: readonly FamilyCode[]
}

/** What a hit says for one code. */
export type CodeHit = { readonly hit: PhraseHit; readonly code: FamilyCode; readonly worth: number }

/** What descriptions are looked up in. */
export type PhraseTables = {
  readonly index: PhraseIndex
  readonly attributes: Attributes
  readonly weights: ClassifierWeights
}

/** A find before its family was asked. `at` are the places of the term's own words. */
type Find = {
  readonly phrase: Phrase
  readonly at: readonly number[]
  readonly headAt: number
  /** What order and distance of the words leave of the worth. */
  readonly standing: number
  readonly worth: number
}

/** Where each word of a text stands, by its number. */
type Places = ReadonlyMap<number, readonly number[]>

/** Every term whose words are all in the description, in no particular order. */
function findPhrases({ index, weights }: PhraseTables, text: readonly LexiconWord[]): Find[] {
  const places = new Map<number, number[]>()
  text.forEach(({ number, singularNumber }, at) => {
    for (const each of [number, singularNumber]) {
      if (each === UNKNOWN) continue
      const list = places.get(each)
      if (list === undefined) places.set(each, [at])
      else list.push(at)
    }
  })
  const { vocabulary, byRarestWord } = index
  const finds: Find[] = []
  for (const word of places.keys()) {
    for (const phrase of byRarestWord[word] ?? []) {
      if (
        phrase.words.every((each) => places.has(each)) &&
        !phrase.words.every((each) => vocabulary.general[each])
      )
        finds.push(bestFind(vocabulary, text, places, phrase, weights))
    }
  }
  return finds
}

function bestFind(
  vocabulary: Vocabulary,
  text: readonly LexiconWord[],
  places: Places,
  phrase: Phrase,
  weights: ClassifierWeights,
): Find {
  const full = phrase.information ** weights.lengthPower * (phrase.goods.possible ? weights.possibleTerm : 1)
  let best: Find | undefined
  // A title that repeats itself does not get more than four looks.
  for (const headAt of places.get(phrase.words[phrase.head]!)!.slice(0, 4)) {
    const around = standAround(vocabulary, phrase, places, headAt, weights)
    const { at } = around
    // "Phone with case" is no phone case: its head is only mentioned.
    const isMentioned = at.some((place) => place < headAt && text[place]!.part > text[headAt]!.part)
    const standing = around.standing * (isMentioned ? weights.mentioned : 1)
    const last = Math.max(...at.filter((place) => place <= headAt))
    const worth = full * standing * placeFactor(vocabulary, text, last, weights)
    if (best === undefined || worth > best.worth)
      best = { phrase, at: [...new Set(at)].sort((a, b) => a - b), headAt, standing, worth }
  }
  return best!
}

/** The places of the term's words nearest to its head, and what their order and distance leave of the worth. */
function standAround(
  { little, loose }: Vocabulary,
  phrase: Phrase,
  places: Places,
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
    if (little[word]) farthest = Infinity
    else if (!loose[word]) farthest = Math.max(farthest, Math.abs(nearest - wanted))
  })
  if (new Set(at).size < at.length) return { at, standing: weights.scattered }
  if (inOrder) return { at, standing: 1 }
  if (farthest === Infinity) return { at, standing: weights.strayNoise }
  return { at, standing: farthest <= 2 ? weights.nearby : weights.scattered }
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

/**
 * The terms found, each with the codes it speaks for, the longest first. A term inside a longer find counts for
 * little: "leather jacket" leaves next to nothing of "jacket". Words for goods of any kind ("gift") are no find.
 */
export function hitsIn(tables: PhraseTables, text: readonly LexiconWord[]): readonly PhraseHit[] {
  const { weights, attributes } = tables
  const { vocabulary } = tables.index
  const observations = observe(attributes, text)
  const heeding = findPhrases(tables, text).map((find) => heedFamily(tables, find, observations, text))
  return heeding
    .map(({ find, at, codes, said }) => {
      const isInside = heeding.some((other) => hides(other, find, text))
      const saying = 1 + (weights.saidAttribute * said) / Math.max(1, find.phrase.information)
      const covered = 1 + weights.coverage * coverage(vocabulary, text, at)
      const worth = find.worth * saying * covered * (isInside ? weights.insideLonger : 1)
      return { phrase: find.phrase, at, codes, part: text[find.headAt]!.part, worth }
    })
    .sort((a, b) => b.at.length - a.at.length)
}

/** A find with the places of what its family heeded, the codes that gives, and the information heeded, in nats. */
type Heeding = Pick<PhraseHit, 'at' | 'codes'> & { readonly find: Find; readonly said: number }

function heedFamily(
  { attributes, index, weights }: PhraseTables,
  find: Find,
  observations: readonly Observation[],
  text: readonly LexiconWord[],
): Heeding {
  const { code, family } = find.phrase.goods
  if (family === undefined) return { find, at: find.at, codes: [{ code, share: 1, differsIn: [] }], said: 0 }
  const { codes, heeded } = codesOfFamily(attributes, family, observations, text, find, weights)
  const at = new Set(find.at)
  let said = 0
  for (const saying of heeded) {
    const near = nearness(saying, text, find.headAt)
    for (let place = saying.first; place <= saying.last; place++) {
      if (at.has(place)) continue
      at.add(place)
      said += near * informationOf(index.vocabulary, text[place]!)
    }
  }
  return { find, at: [...at].sort((a, b) => a - b), codes, said }
}

/**
 * "Leather jacket" hides "jacket", and a sweater that heeds "wool" hides the wool; not what it is itself inside of, nor
 * words that stand better together, or nearer to the goods, than its own.
 */
function hides(
  other: Pick<Heeding, 'find' | 'at'>,
  { at, headAt, standing }: Find,
  text: readonly LexiconWord[],
): boolean {
  return (
    other.at.length > at.length &&
    other.find.standing >= standing &&
    text[other.find.headAt]!.part >= text[headAt]!.part &&
    includesAll(other.at, at) &&
    !includesAll(at, other.find.at)
  )
}

function includesAll(places: readonly number[], wanted: readonly number[]): boolean {
  return wanted.every((place) => places.includes(place))
}

/** What the hits say for each code, by the code's number, each list best first. */
export function hitsByCode(hits: readonly PhraseHit[]): ReadonlyMap<number, readonly CodeHit[]> {
  const byCode = new Map<number, CodeHit[]>()
  for (const hit of hits) {
    for (const code of hit.codes) {
      const list = byCode.get(code.code)
      const codeHit = { hit, code, worth: hit.worth * code.share }
      if (list === undefined) byCode.set(code.code, [codeHit])
      else list.push(codeHit)
    }
  }
  for (const list of byCode.values())
    list.sort((a, b) => b.worth - a.worth || (a.hit.phrase.term < b.hit.phrase.term ? -1 : 1))
  return byCode
}

/** The share of the text's information that words at some places carry, 0 to 1. Unknown words count as fairly rare. */
export function coverage(
  vocabulary: Vocabulary,
  text: readonly LexiconWord[],
  places: Iterable<number>,
): number {
  const covered = new Set(places)
  let all = 0
  let found = 0
  text.forEach((word, at) => {
    const unsaid = word.isLittle && !covered.has(at)
    const information = unsaid ? 0 : informationOf(vocabulary, word) * word.part
    all += information
    if (covered.has(at)) found += information
  })
  return all === 0 ? 0 : found / all
}

/** The information of a word that is in no term, in nats: often a brand. */
const UNKNOWN_WORD = 4

function informationOf({ information }: Vocabulary, { number }: LexiconWord): number {
  return number === UNKNOWN ? UNKNOWN_WORD : information[number]!
}
