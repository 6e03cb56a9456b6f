/** The share of a text that the words of a match cover. */
import { describe, expect, it } from 'vitest'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import { coverageIn } from '../../../src/core/classification/phrases.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'

const lexicon = compileLexicon(
  plainLexicon([
    { code: '660199', label: 'Umbrellas', terms: ['umbrella'], possibleTerms: [] },
    { code: '420310', label: 'Jackets', terms: ['leather jacket', 'new jacket'], possibleTerms: [] },
  ]),
)
const { vocabulary } = lexicon.index

/** The coverage by the words at these positions, and the weighted information of each word. */
function coverageOf(text: string, places: readonly number[]) {
  const words = lexicon.read(text)
  const information = words.map(
    ({ number, weight: part }) => part * (number === -1 ? 4 : vocabulary.information[number]!),
  )
  return { coverage: coverageIn(vocabulary, words)(places), information }
}

describe('the coverage of a text', () => {
  it('is the share of the information that words at the positions carry', () => {
    const { coverage, information } = coverageOf('leather jacket acme', [0, 1])
    expect(coverage).toBeCloseTo(
      (information[0]! + information[1]!) / (information[0]! + information[1]! + 4),
    )
    expect(coverageOf('leather jacket acme', [0, 1, 2]).coverage).toBe(1)
    expect(coverageOf('leather jacket acme', []).coverage).toBe(0)
  })

  it('counts a noise word only at the given positions', () => {
    expect(coverageOf('new jacket', [1]).coverage).toBe(1)
    expect(coverageOf('new jacket', [0, 1]).coverage).toBe(1)
    const { coverage, information } = coverageOf('new jacket umbrella', [0, 1])
    const [little, jacket, umbrella] = information as [number, number, number]
    expect(little).toBeGreaterThan(0)
    expect(coverage).toBeCloseTo((little + jacket) / (little + jacket + umbrella))
  })

  it('is 0 for a text without information', () => {
    expect(coverageOf('', []).coverage).toBe(0)
    expect(coverageOf('new', []).coverage).toBe(0)
  })
})
