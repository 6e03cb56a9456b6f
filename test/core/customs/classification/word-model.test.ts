/** The word model: which words support a code. */
import { describe, expect, it } from 'vitest'
import { compileLexicon } from '../../../../src/core/customs/classification/compile-lexicon.ts'
import { scoreWords, wordsSupporting } from '../../../../src/core/customs/classification/word-model.ts'
import { readLexicon } from '../../../../src/reference/lexicon-reader/lexicon.ts'
import { plainLexicon } from '../../../support/customs/plain-lexicon.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'

describe('words support a code', () => {
  const { model, index, codes } = compileLexicon(
    plainLexicon([
      { code: '420100', label: 'Saddlery', terms: ['dog collar'], possibleTerms: [] },
      { code: '420310', label: 'Jackets', terms: ['leather jacket'], possibleTerms: [] },
      { code: '420329', label: 'Gloves', terms: ['leather glove'], possibleTerms: [] },
      { code: '610910', label: 'T-shirts', terms: ['cotton shirt'], possibleTerms: [] },
    ]),
  )
  const numberOf = (word: string): number => index.vocabulary.numbers.get(word)!
  const speakingFor = (code: string, words: readonly string[]): string[] => {
    const number = codes.indexOf(code)
    const speaking = wordsSupporting(model, [number], words.map(numberOf)).get(number)!
    return words.filter((word) => speaking.has(numberOf(word)))
  }

  it('if they occur in it, in its heading or in its chapter', () => {
    const words = ['dog', 'leather', 'jacket', 'glove', 'shirt']
    expect(speakingFor('420310', words)).toEqual(['dog', 'leather', 'jacket', 'glove'])
    expect(speakingFor('610910', words)).toEqual(['shirt'])
  })

  it('for each of several codes', () => {
    const wanted = ['420310', '420329', '610910'].map((code) => codes.indexOf(code))
    const speaking = wordsSupporting(model, wanted, [numberOf('leather'), numberOf('leather')])
    expect(wanted.map((code) => speaking.get(code)!.size)).toEqual([1, 1, 0])
    expect(wordsSupporting(model, [], [numberOf('leather')]).size).toBe(0)
  })

  it('exactly if they add to its score', () => {
    const shipped = compileLexicon(readLexicon())
    const dice = diceOf(3)
    const words = Array.from({ length: 60 }, () => dice.int(0, shipped.index.vocabulary.numbers.size - 1))
    const wanted = Array.from({ length: 20 }, () => dice.int(0, shipped.codes.length - 1))
    const speaking = wordsSupporting(shipped.model, wanted, words)
    for (const word of words) {
      const scores = scoreWords(shipped.model, new Map([[word, 1]]))
      for (const code of wanted) expect(speaking.get(code)!.has(word)).toBe(scores[code]! > 0)
    }
  })
})
