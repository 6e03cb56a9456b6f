/**
 * Generates texts that are expensive to classify from the lexicon and a seed. Each recipe targets one part of the
 * classifier. All texts have the maximum length of 500 characters, which can be more code units.
 */
import type { LexiconSource } from '../../../src/core/classification/lexicon.ts'
import { MAX_TEXT_LENGTH } from '../../../src/core/input.ts'
import { type Dice, diceOf } from '../../support/random/seeded-dice.ts'

/** A text and the name of its recipe. */
export type HardText = { readonly recipe: string; readonly text: string }

/** The words that recipes choose from. */
export type HardWords = {
  /** Words of terms, sorted by the number of terms that contain them, divided by their length. */
  readonly dense: readonly string[]
  /** Words of `dense` with at least five letters. */
  readonly long: readonly string[]
  /** Terms of families, shortest first. */
  readonly families: readonly string[]
  /** Words of attributes, shortest first. */
  readonly mentions: readonly string[]
  /** Phrases of other languages, by language. */
  readonly foreign: readonly (readonly string[])[]
  /** Foreign phrases, sorted by the length of their translation divided by their own length. */
  readonly growing: readonly string[]
}

export function hardWords({ entries, families, dimensions, languages }: LexiconSource): HardWords {
  const names = families.flatMap((family) =>
    family.names.flatMap((group) => [...group.terms, ...group.possibleTerms]),
  )
  const counts = new Map<string, number>()
  for (const term of [...entries.flatMap((entry) => [...entry.terms, ...entry.possibleTerms]), ...names])
    for (const word of term.toLowerCase().split(/[^a-z0-9]+/))
      if (word) counts.set(word, (counts.get(word) ?? 0) + 1)
  const words = [...counts.keys()]
  const shortest = (texts: readonly string[]): string[] =>
    [...new Set(texts)].sort((a, b) => a.length - b.length)
  const phrases = languages.flatMap((language) => language.phrases)
  const growth = ({ foreign, english }: (typeof phrases)[number]): number =>
    english.length / (foreign.length + 1)
  return {
    dense: words.toSorted((a, b) => counts.get(b)! / (b.length + 1) - counts.get(a)! / (a.length + 1)),
    long: words.filter((word) => word.length >= 5).sort((a, b) => counts.get(b)! - counts.get(a)!),
    families: shortest(names),
    mentions: shortest(dimensions.flatMap(({ values }) => values.flatMap((value) => value.words))),
    foreign: languages.map((language) => language.phrases.map(({ foreign }) => foreign)),
    growing: phrases.toSorted((a, b) => growth(b) - growth(a)).map(({ foreign }) => foreign),
  }
}

type Recipe = (words: HardWords, dice: Dice) => string

const EXPANDING = ['\u{1f82}', '한', 'İ', 'ﷺ', 'ß', '\u{1d49c}', '\u{20000}', 'é']

const RECIPES: Readonly<Record<string, Recipe>> = {
  'frequent words': ({ dense }, dice) => filled(shuffled(dense.slice(0, 110), dice)),
  'most frequent words': ({ dense }) => filled(dense),
  'frequent words, parted by commas': ({ dense }, dice) => filled(shuffled(dense.slice(0, 110), dice), ','),
  'frequent words, a foreign one and a misspelt one': ({ dense, foreign, long }, dice) => {
    const [strange, slip] = [dice.pick(dice.pick(foreign)), misspelt(dice.pick(long), dice)]
    return filled(shuffled([strange, slip, ...dense.slice(0, 100)], dice))
  },
  'frequent words without blanks': ({ dense }, dice) => filled(shuffled(dense.slice(0, 200), dice), ''),
  'few words, again and again': ({ dense }, dice) => {
    const few = shuffled(dense.slice(0, 60), dice).slice(0, dice.int(1, 12))
    return filled(many(() => dice.pick(few)))
  },
  'frequent words, each several times': ({ dense }, dice) => {
    const some = shuffled(dense.slice(0, 60), dice).slice(0, 30)
    return filled(many(() => dice.pick(some)))
  },
  'names of families': ({ families }, dice) => filled(shuffled(families.slice(0, 400), dice)),
  'names of families and their attributes': ({ families, mentions }, dice) =>
    filled(many(() => dice.pick(dice.chance(0.5) ? families.slice(0, 800) : mentions.slice(0, 800)))),
  percentages: ({ mentions }, dice) => filled(many(() => `${dice.int(0, 120)}% ${dice.pick(mentions)}`)),
  'percentages of families': ({ mentions, families }, dice) =>
    filled(many(() => `${dice.int(0, 100)}% ${dice.pick(mentions)} ${dice.pick(families.slice(0, 800))}`)),
  'misspelt words': ({ long }, dice) => filled(many(() => misspelt(dice.pick(long.slice(0, 3000)), dice))),
  'misspelt words of one beginning': ({ long }, dice) => {
    const alike = long.filter((word) => word.startsWith('s') && word.length < 8)
    return filled(many(() => misspelt(dice.pick(alike), dice)))
  },
  'words that end or begin as many do': (_, dice) =>
    filled(many(() => `${dice.pick(['st', 'sp', 'sc', 'ca', 'co', 'pa'])}${letters(dice, dice.int(2, 5))}e`)),
  'single letters': (_, dice) => filled(many(() => letters(dice, 1))),
  digits: (_, dice) => filled(many(() => String(dice.int(0, 999)))),
  'compounds of two words': ({ dense }, dice) =>
    filled(many(() => `${dice.pick(dense.slice(0, 500))}${dice.pick(dense.slice(0, 500))}`)),
  'one language': ({ foreign }, dice) => {
    const language = dice.pick(foreign)
    return filled(many(() => dice.pick(language)))
  },
  'short words of one language': ({ foreign }, dice) => {
    const short = dice.pick(foreign).filter((phrase) => phrase.length < 7)
    return filled(many(() => dice.pick(short)))
  },
  'six languages': ({ foreign }, dice) => filled(many(() => dice.pick(dice.pick(foreign)))),
  'foreign phrases that grow in English': ({ growing }, dice) =>
    filled(shuffled(growing.slice(0, 120), dice)),
  'foreign compounds': ({ foreign }, dice) => {
    const words = dice.pick(foreign).filter((phrase) => !phrase.includes(' '))
    const joint = (): string => dice.pick(['', 's', 'n', 'en', 'er', 'e'])
    return filled(many(() => `${dice.pick(words)}${joint()}${dice.pick(words).toLowerCase()}`))
  },
  'a bit of everything': ({ dense, families, mentions, foreign, long }, dice) =>
    filled(
      many(() =>
        dice.pick([
          dice.pick(dense.slice(0, 200)),
          dice.pick(families.slice(0, 400)),
          `${dice.int(0, 100)}% ${dice.pick(mentions)},`,
          dice.pick(dice.pick(foreign)),
          misspelt(dice.pick(long), dice),
        ]),
      ),
    ),
  punctuation: (_, dice) =>
    filled(
      many(() => dice.pick([...',;()|!?.']), 600),
      '',
    ),
  'one long word': (_, dice) =>
    filled(
      many(() => letters(dice, 1), 600),
      '',
    ),
  'one long word that grows when its accents are taken off': (_, dice) =>
    dice.pick(EXPANDING).repeat(MAX_TEXT_LENGTH),
  'letters that grow, one by one': (_, dice) => filled(many(() => dice.pick(EXPANDING))),
  'accent marks without end': () => `a${'\u0301\u0327'.repeat(MAX_TEXT_LENGTH)}`.slice(0, MAX_TEXT_LENGTH),
}

/** One text of every recipe. The same seed gives the same texts. */
export function hardTexts(words: HardWords, seed: number): readonly HardText[] {
  const dice = diceOf(seed)
  return Object.entries(RECIPES).map(([recipe, make]) => ({ recipe, text: make(words, dice) }))
}

/** The text with some words replaced, inserted or removed, cut to the maximum length. */
export function mutated(text: string, words: HardWords, dice: Dice): string {
  const parts = text.split(' ')
  for (let change = dice.int(1, 3); change > 0; change--) {
    const at = dice.int(0, parts.length - 1)
    const word = dice.pick([
      dice.pick(words.dense.slice(0, 600)),
      dice.pick(words.dense.slice(0, 600)),
      dice.pick(words.mentions.slice(0, 800)),
      dice.pick(words.families.slice(0, 800)),
      dice.pick(dice.pick(words.foreign)),
      misspelt(dice.pick(words.long), dice),
      `${dice.int(0, 100)}%,`,
    ])
    parts.splice(at, dice.int(0, 1), ...(dice.chance(0.9) ? [word] : []))
  }
  return filled(shuffledTail(parts, dice))
}

function shuffledTail(parts: string[], dice: Dice): readonly string[] {
  if (parts.length < 2 || dice.chance(0.7)) return parts
  const [one, other] = [dice.int(0, parts.length - 1), dice.int(0, parts.length - 1)]
  ;[parts[one], parts[other]] = [parts[other]!, parts[one]!]
  return parts
}

/** Joins as many words as fit into a text. */
function filled(words: readonly string[], separator = ' '): string {
  let text = ''
  let length = 0
  for (const word of words) {
    const added = [...word].length + (text === '' ? 0 : separator.length)
    if (length + added > MAX_TEXT_LENGTH) continue
    text += text === '' ? word : separator + word
    length += added
  }
  return text
}

function many(make: () => string, count = 260): readonly string[] {
  return Array.from({ length: count }, make)
}

function shuffled<Item>(items: readonly Item[], dice: Dice): readonly Item[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const other = dice.int(0, last)
    ;[result[last], result[other]] = [result[other]!, result[last]!]
  }
  return result
}

function letters(dice: Dice, count: number): string {
  return Array.from({ length: count }, () => dice.pick([...'abcdefghijklmnopqrstuvwxyz'])).join('')
}

/** A word with a typo after its first letter: a missing, extra, swapped or wrong letter. */
function misspelt(word: string, dice: Dice): string {
  const at = dice.int(1, word.length - 2)
  const [before, after] = [word.slice(0, at), word.slice(at + 1)]
  return dice.pick([
    before + after,
    `${before}q${word.slice(at)}`,
    `${before}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
    `${before}${dice.pick([...'aeioucksz'])}${after}`,
  ])
}
