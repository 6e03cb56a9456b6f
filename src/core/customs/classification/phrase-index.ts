/** The lexicon's terms, folded and ready to be found by their rarest word, and what is known of each word. */
import { type GoodsWord, goodsWords } from './goods-text.ts'
import type { LexiconEntry } from './lexicon.ts'
import { saysLittle } from './noise-words.ts'

/** One term, folded; `code` is the entry's index. */
export type Phrase = {
  readonly code: number
  readonly term: string
  readonly possible: boolean
  readonly words: readonly string[]
  /** The index of the head noun in `words`. */
  readonly head: number
  /** The information of the words, in nats, added up. */
  readonly information: number
}

/** All terms, to be found by their rarest word. */
export type PhraseIndex = {
  readonly phrases: readonly Phrase[]
  readonly byRarestWord: ReadonlyMap<string, readonly Phrase[]>
  /** Every word of a term, with its information in nats. */
  readonly information: ReadonlyMap<string, number>
  /** How often a word is the head of the terms it is in, 0 to 1. */
  readonly headness: ReadonlyMap<string, number>
  /** "keychain" and the two words it is made of, for every two words in a row. */
  readonly splits: ReadonlyMap<string, readonly [string, string]>
  /** Every two words in a row, with a space between. */
  readonly pairs: ReadonlySet<string>
}

/** Builds the index. The information of a word is the logarithm of how rare it is among the terms, half for noise. */
export function indexPhrases(entries: readonly LexiconEntry[]): PhraseIndex {
  const parsed: ParsedTerm[] = []
  entries.forEach((entry, code) => {
    for (const term of entry.terms) parsed.push(parseTerm(code, term, false))
    for (const term of entry.possibleTerms) parsed.push(parseTerm(code, term, true))
  })
  const counts = countWords(parsed)
  const information = new Map<string, number>()
  const headness = new Map<string, number>()
  for (const [word, count] of counts.termsWith) {
    const little = saysLittle(word) ? 0.5 : 1
    information.set(word, little * Math.log(1 + (2 * parsed.length) / (count + 3)))
    headness.set(word, (counts.termsHeaded.get(word) ?? 0) / (count + 1))
  }
  for (const phrase of parsed) {
    for (const word of phrase.words) phrase.information += information.get(word)!
  }
  const byRarest = byRarestWord(parsed, counts.termsWith)
  return {
    phrases: parsed,
    byRarestWord: byRarest,
    information,
    headness,
    pairs: counts.pairs,
    splits: counts.splits,
  }
}

type ParsedTerm = Phrase & { information: number }

function parseTerm(code: number, term: string, possible: boolean): ParsedTerm {
  const words = goodsWords(term)
  // "Artificial flowers for decoration": the head stands where the first phrase ends.
  const head = Math.max(
    0,
    words.findIndex((word) => word.endsPhrase),
  )
  return { code, term, possible, words: words.map((word) => word.key), head, information: 0 }
}

function countWords(phrases: readonly Phrase[]) {
  const termsWith = new Map<string, number>()
  const termsHeaded = new Map<string, number>()
  const pairs = new Set<string>()
  const splits = new Map<string, readonly [string, string]>()
  for (const { words, head } of phrases) {
    words.forEach((word, at) => {
      if (words.indexOf(word) === at) termsWith.set(word, (termsWith.get(word) ?? 0) + 1)
      if (at === head) termsHeaded.set(word, (termsHeaded.get(word) ?? 0) + 1)
      if (at === 0) return
      const before = words[at - 1]!
      pairs.add(`${before} ${word}`)
      if (before.length + word.length > 4) splits.set(before + word, [before, word])
    })
  }
  return { termsWith, termsHeaded, pairs, splits }
}

function byRarestWord(
  phrases: readonly Phrase[],
  termsWith: ReadonlyMap<string, number>,
): Map<string, Phrase[]> {
  const index = new Map<string, Phrase[]>()
  for (const phrase of phrases) {
    if (phrase.words.length === 0) continue
    let rarest = phrase.words[0]!
    for (const word of phrase.words) if (termsWith.get(word)! < termsWith.get(rarest)!) rarest = word
    const list = index.get(rarest) ?? []
    list.push(phrase)
    index.set(rarest, list)
  }
  return index
}

/** The words of a description, with compounds written the lexicon's way ("tshirt" as "t shirt"). */
export function wordsAsInLexicon(index: PhraseIndex, description: string): readonly GoodsWord[] {
  const words: GoodsWord[] = []
  for (const word of goodsWords(description)) {
    const split = index.information.has(word.key) ? undefined : index.splits.get(word.key)
    const before = words.at(-1)
    if (split !== undefined) {
      words.push({ ...word, key: split[0], singular: split[0], endsPhrase: false })
      words.push({ ...word, key: split[1], singular: split[1] })
    } else if (before !== undefined && !before.endsPhrase && joins(index, before.key, word.key)) {
      const key = before.key + word.key
      words[words.length - 1] = { ...word, text: `${before.text} ${word.text}`, key, singular: key }
    } else {
      words.push(word)
    }
  }
  return words
}

function joins(index: PhraseIndex, first: string, second: string): boolean {
  return (
    first.length + second.length > 4 &&
    index.information.has(first + second) &&
    !index.pairs.has(`${first} ${second}`)
  )
}
