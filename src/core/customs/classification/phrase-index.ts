/** The lexicon's terms, folded and ready to be found by their rarest word. */
import type { UsualValues } from './families.ts'
import { foldWord, goodsWords, leansOnOthers, onlyWords } from './goods-text.ts'
import { type NumberedTerm, type Vocabulary, vocabularyOf } from './vocabulary.ts'

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
