/** The word model: which words support a code. */
import { describe, expect, it } from 'vitest'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import { openWordScores, scoreWords, supports } from '../../../src/core/classification/models/word-model.ts'
import { readLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'

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
  const speakingFor = (code: string, words: readonly string[]): string[] =>
    words.filter((word) => supports(model, numberOf(word), codes.indexOf(code)))

  it('if they occur in it, in its heading or in its chapter', () => {
    const words = ['dog', 'leather', 'jacket', 'glove', 'shirt']
    expect(speakingFor('420310', words)).toEqual(['dog', 'leather', 'jacket', 'glove'])
    expect(speakingFor('610910', words)).toEqual(['shirt'])
  })

  it('exactly if they add to its score', () => {
    const shipped = compileLexicon(readLexicon())
    const dice = diceOf(3)
    const words = Array.from({ length: 60 }, () => dice.int(0, shipped.index.vocabulary.numbers.size - 1))
    const wanted = Array.from({ length: 20 }, () => dice.int(0, shipped.codes.length - 1))
    const { chapters, headings, codes: subheadings } = shipped.model
    const scores = openWordScores(shipped.model)
    for (const word of words) {
      scoreWords(shipped.model, new Map([[word, 1]]), scores)
      for (const code of wanted) {
        const score =
          scores.chapters[chapters.groupOf[code]!]! +
          scores.headings[headings.groupOf[code]!]! +
          scores.codes[subheadings.groupOf[code]!]!
        expect(supports(shipped.model, word, code)).toBe(score > 0)
      }
    }
  })
})
