/**
 * Whole words and phrases in descriptions of goods, in the word forms of the classifier: case, plurals and spelling
 * make no difference. Words after "for" or "without" do not describe the goods: "case for drone" is no drone.
 */
import { foldWord, goodsWords, rawWords } from '../classification/text/goods-text.ts'
import { groupBy } from '../group-by.ts'

/** The keys of the words of phrases, by the first word. */
export type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>

/** The phrases of a cell, which are separated by semicolons. */
export function readPhrases(cell: string): Phrases {
  const phrases = cell
    .split(';')
    .map((text) => rawWords(text).map(foldWord))
    .filter((phrase) => phrase.length > 0)
  return groupBy(phrases, ([first = '']) => first)
}

/** A description as keys, with a gap where a phrase of the text ends. */
export type ReadDescription = {
  /** The words that describe the goods. Other words are gaps. */
  readonly goods: readonly string[]
  readonly all: readonly string[]
}

const GAP = ''

/** Words after "for", "fits" and "without" have less weight; those after "with" and "of" have this or more. */
const LEAST_WEIGHT = 0.4

export function readDescription(text: string): ReadDescription {
  const goods: string[] = []
  const all: string[] = []
  for (const { key, weight, endsPhrase } of goodsWords(text)) {
    goods.push(weight < LEAST_WEIGHT ? GAP : key)
    all.push(key)
    if (!endsPhrase) continue
    goods.push(GAP)
    all.push(GAP)
  }
  return { goods, all }
}

/** True if the words contain one of the phrases. */
export function hasPhrase(words: readonly string[], phrases: Phrases): boolean {
  for (let at = 0; at < words.length; at++) {
    const candidates = phrases.get(words[at]!)
    if (candidates === undefined) continue
    for (const phrase of candidates) if (startsAt(words, at, phrase)) return true
  }
  return false
}

function startsAt(words: readonly string[], at: number, phrase: readonly string[]): boolean {
  for (let index = 1; index < phrase.length; index++) if (words[at + index] !== phrase[index]) return false
  return true
}
