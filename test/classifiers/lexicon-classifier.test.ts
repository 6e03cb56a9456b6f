/** The shipped classifier behind its port: order, limit, and that a long list leaves others their turn. */
import { describe, expect, it } from 'vitest'
import { lexiconClassifier } from '../../src/classifiers/lexicon-classifier.ts'
import { classify } from '../../src/core/customs/classification/classify.ts'
import { compileLexicon } from '../../src/core/customs/classification/compile-lexicon.ts'
import { plainLexicon } from '../support/plain-lexicon.ts'

const SOURCE = plainLexicon([
  { code: '660199', label: 'Umbrellas', terms: ['umbrella', 'beach umbrella'], possibleTerms: [] },
  { code: '640411', label: 'Trainers', terms: ['trainers'], possibleTerms: [] },
  { code: '640299', label: 'Beach shoes', terms: ['beach shoe'], possibleTerms: ['trainers'] },
])
const classifier = lexiconClassifier(SOURCE)

/** How many turns others got while so many descriptions were classified. */
async function turnsDuring(count: number): Promise<number> {
  let turns = 0
  let done = false
  const count1 = () => {
    turns += 1
    if (!done) setImmediate(count1)
  }
  setImmediate(count1)
  await classifier.classify(Array(count).fill('umbrella'), 1)
  done = true
  return turns
}

describe('the shipped classifier', () => {
  it('answers each description in its place, the likeliest code first', async () => {
    const found = await classifier.classify(['trainers', 'asdfgh', 'beach umbrella', 'trainers'], 5)
    expect(found.map(([best]) => best?.code)).toEqual(['640411', undefined, '660199', '640411'])
    expect(found[1]).toEqual([])
    expect(found[0]?.map(({ code }) => code)).toContain('640299')
  })

  it('answers as many codes as are asked for at most', async () => {
    const [all = []] = await classifier.classify(['trainers'], 5)
    expect(all.length).toBeGreaterThan(1)
    expect(await classifier.classify(['trainers'], 1)).toEqual([all.slice(0, 1)])
    expect(await classifier.classify(['trainers'], 0)).toEqual([[]])
    expect(await classifier.classify([], 5)).toEqual([])
  })

  it('says what the lexicon it was given says', async () => {
    const lexicon = compileLexicon(SOURCE)
    const texts = ['beach umbrella', 'umbrela', 'shoe for the beach', 'trainers']
    expect(await classifier.classify(texts, 4)).toEqual(texts.map((text) => classify(lexicon, text, 4)))
  })

  it('keeps the places of a list that takes several turns', async () => {
    const texts = Array.from({ length: 50 }, (_, nth) => (nth % 3 === 0 ? 'umbrella' : 'trainers'))
    const found = await classifier.classify(texts, 1)
    expect(found.map(([best]) => (best?.code === '660199' ? 'umbrella' : 'trainers'))).toEqual(texts)
  })

  it('lets others through after every sixteen, and only then', async () => {
    expect(await turnsDuring(16)).toBe(0)
    expect(await turnsDuring(17)).toBeGreaterThanOrEqual(1)
    expect(await turnsDuring(16 * 6 + 1)).toBeGreaterThanOrEqual(6)
  })
})
