/** The memory of words: it is bounded, and does not change results. */
import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/core/classification/classify.ts'
import { compileLexicon, openLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import { MAX_LETTERS, MAX_WORDS, remembered } from '../../../src/core/classification/text/remembered.ts'
import { readLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'
import { bytesInUse } from '../../bench/memory-in-use.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'
import { hardTexts, hardWords, mutated } from './hard-texts.ts'

/** A remembered function, and the words for which it was calculated. */
function counted() {
  const calculated: string[] = []
  const length = remembered((word) => {
    calculated.push(word)
    return word === 'none' ? undefined : word.length
  })
  return { length, calculated }
}

describe('the memory of words', () => {
  it('calculates once per word, even if the result is undefined', () => {
    const { length, calculated } = counted()
    expect(['boot', 'none', 'boot', 'none'].map(length)).toEqual([4, undefined, 4, undefined])
    expect(calculated).toEqual(['boot', 'none'])
  })

  it('starts again when it is full', () => {
    const { length, calculated } = counted()
    for (let nth = 0; nth < MAX_WORDS; nth++) length(`w${nth}`)
    length('w0')
    expect(calculated).toHaveLength(MAX_WORDS)
    length('one more')
    length('w0')
    length('w0')
    expect(calculated.slice(MAX_WORDS)).toEqual(['one more', 'w0'])
  })

  it('leaves out long words', () => {
    const { length, calculated } = counted()
    const [longest, tooLong] = ['x'.repeat(MAX_LETTERS), 'x'.repeat(MAX_LETTERS + 1)]
    for (const word of [longest, tooLong, longest, tooLong]) length(word)
    expect(calculated).toEqual([longest, tooLong, tooLong])
  })

  it('does not keep the texts that the words are from', async () => {
    const textLength = 20_000
    const words = 1000
    const before = await bytesInUse()
    const { length, calculated } = counted()
    for (let nth = 0; nth < words; nth++) {
      const text = `${String(nth).padStart(20, 'w')} ${'x'.repeat(textLength)}${nth}`.toLowerCase()
      length(text.split(' ')[0]!)
    }
    expect((await bytesInUse()) - before).toBeLessThan((words * textLength) / 2)
    expect(calculated).toHaveLength(words)
  })
})

describe('a classifier that has read many texts', () => {
  const source = readLexicon()
  const used = compileLexicon(source)
  const words = hardWords(source)
  const dice = diceOf(11)
  const texts = [3, 4].flatMap((seed) =>
    hardTexts(words, seed).flatMap(({ text }) => [text, mutated(text, words, dice), text.slice(0, 60)]),
  )

  it('gives the same results as one that has read none', () => {
    // More different words than it remembers.
    for (let nth = 0; nth < 600; nth++)
      classify(
        used,
        Array.from({ length: 40 }, () => `${dice.pick(words.long)}${dice.int(0, 9)}`).join(' '),
        5,
      )
    for (const text of texts) {
      const fresh = classify(openLexicon(used), text, 20)
      expect(classify(used, text, 20)).toEqual(fresh)
      expect(classify(used, text, 20)).toEqual(fresh)
    }
  })
})
