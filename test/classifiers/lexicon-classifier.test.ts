/** The built-in classifier: order and number of candidates, and turns during long lists. */
import { describe, expect, it } from 'vitest'
import { lexiconClassifier } from '../../src/classifiers/classifiers.ts'
import { classify } from '../../src/core/classification/classify.ts'
import { compileLexicon } from '../../src/core/classification/compile-lexicon.ts'
import { RequestStopped } from '../../src/operations/ports/work.ts'
import { plainLexicon } from '../support/customs/plain-lexicon.ts'

const SOURCE = plainLexicon([
  { code: '660199', label: 'Umbrellas', terms: ['umbrella', 'beach umbrella'], possibleTerms: [] },
  { code: '640411', label: 'Trainers', terms: ['trainers'], possibleTerms: [] },
  { code: '640299', label: 'Beach shoes', terms: ['beach shoe'], possibleTerms: ['trainers'] },
])
const classifier = lexiconClassifier(SOURCE)

/** Turns that end after every third description. `taken` counts them. */
function shortTurns(stopAfter = Number.POSITIVE_INFINITY) {
  let described = 0
  const turns = {
    taken: 0,
    over: () => described++ % 3 === 2,
    next: async () => {
      turns.taken++
      if (turns.taken > stopAfter) throw new RequestStopped('deadline')
    },
  }
  return turns
}

describe('the built-in classifier', () => {
  it('returns candidates in the order of the descriptions, the most likely code first', async () => {
    const found = await classifier.classify(['trainers', 'asdfgh', 'beach umbrella', 'trainers'], 5)
    expect(found.map(([best]) => best?.code)).toEqual(['640411', undefined, '660199', '640411'])
    expect(found[1]).toEqual([])
    expect(found[0]?.map(({ code }) => code)).toContain('640299')
  })

  it('returns at most the requested number of candidates', async () => {
    const [all = []] = await classifier.classify(['trainers'], 5)
    expect(all.length).toBeGreaterThan(1)
    expect(await classifier.classify(['trainers'], 1)).toEqual([all.slice(0, 1)])
    expect(await classifier.classify(['trainers'], 0)).toEqual([[]])
    expect(await classifier.classify([], 5)).toEqual([])
  })

  it('uses the given lexicon', async () => {
    const lexicon = compileLexicon(SOURCE)
    const texts = ['beach umbrella', 'umbrela', 'shoe for the beach', 'trainers']
    expect(await classifier.classify(texts, 4)).toEqual(texts.map((text) => classify(lexicon, text, 4)))
  })

  it('keeps the order of a list that takes several turns', async () => {
    const texts = Array.from({ length: 50 }, (_, nth) => (nth % 3 === 0 ? 'umbrella' : 'trainers'))
    const found = await classifier.classify(texts, 1)
    expect(found.map(([best]) => (best?.code === '660199' ? 'umbrella' : 'trainers'))).toEqual(texts)
  })

  it('waits for the next turn when one ends, and stops with the request', async () => {
    const turns = shortTurns()
    await classifier.classify(Array(10).fill('umbrella'), 1, turns)
    expect(turns.taken).toBe(3)
    const stopped = shortTurns(1)
    await expect(classifier.classify(Array(10).fill('umbrella'), 1, stopped)).rejects.toThrow(RequestStopped)
    expect(stopped.taken).toBe(2)
  })
})
