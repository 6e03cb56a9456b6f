/** Descriptions of goods that are costly to classify, and ordinary ones. The words come from the lexicon. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Dice } from '../../../support/random/seeded-dice.ts'

const lexicon = path.resolve(import.meta.dirname, '../../../../src/reference/lexicon')
const MAX_LENGTH = 500

/** Pairs of a number of frequent words and their maximum length. Each pair is slow in a different way. */
const MIXES = [
  { words: 60, letters: 3 },
  { words: 60, letters: 6 },
  { words: 150, letters: 4 },
  { words: 300, letters: 6 },
  { words: 12, letters: 6 },
] as const

/** Words of at least this length are mostly names of goods. */
const GOODS_LETTERS = 4
const GOODS = 400

let ranked: readonly string[] | undefined

/** Words of the lexicon, most frequent first. */
function frequentWords(): readonly string[] {
  if (ranked !== undefined) return ranked
  const counts = new Map<string, number>()
  for (const file of readdirSync(lexicon, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.txt')) continue
    const text = readFileSync(path.join(lexicon, file), 'utf8').replace(/#.*/g, '').toLowerCase()
    for (const [word] of text.matchAll(/\b[a-z]{2,6}\b/g)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  ranked = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([word]) => word)
  return ranked
}

/** Generator of descriptions of up to 500 characters from one mix of frequent words. */
export function costlyDescriptions(dice: Dice): () => string {
  const mix = dice.pick(MIXES)
  const words = frequentWords()
    .filter((word) => word.length <= mix.letters)
    .slice(0, mix.words)
  return () => {
    let text = dice.pick(words)
    for (;;) {
      const longer = `${text} ${dice.pick(words)}`
      if (longer.length > MAX_LENGTH) return text
      text = longer
    }
  }
}

/** A description of one word, which is common. */
export function ordinaryDescription(dice: Dice): string {
  const names = frequentWords().filter((word) => word.length >= GOODS_LETTERS)
  return dice.pick(names.slice(0, GOODS))
}
