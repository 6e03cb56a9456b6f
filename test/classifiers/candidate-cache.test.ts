/** The memory of recent descriptions: what is asked again, in which order results come, and its limit. */
import { describe, expect, it } from 'vitest'
import { rememberCandidates } from '../../src/classifiers/candidate-cache.ts'
import type { HsCandidate } from '../../src/core/hs-candidate.ts'
import type { Classifier } from '../../src/operations/ports/ports.ts'
import { RequestStopped, UNLIMITED_TURNS } from '../../src/operations/ports/work.ts'

const candidate = (label: string): HsCandidate => ({
  ...{ code: '610910', label, heading: undefined, confidence: 0.9, matchedTerms: ['t-shirt'], questions: [] },
})

/** Records what it is asked. Knows nothing of descriptions that begin with "?". */
function recordingClassifier() {
  const asked: (readonly string[])[] = []
  const classifier: Classifier = {
    classify: async (descriptions, limit, turns) => {
      asked.push(descriptions)
      if (turns?.over()) await turns.next()
      return descriptions.map((text) => (text.startsWith('?') ? [] : [candidate(`${text} ${limit}`)]))
    },
  }
  return { asked, classifier }
}

const labels = (lists: readonly (readonly HsCandidate[])[]) => lists.map(([best]) => best?.label)

describe('recent descriptions', () => {
  it('are not classified again, even those without candidates', async () => {
    const { asked, classifier } = recordingClassifier()
    const remembering = rememberCandidates(classifier)
    const first = await remembering.classify(['shirt', '?'], 6)
    expect(await remembering.classify(['?', 'shirt'], 6)).toEqual([...first].reverse())
    expect(asked).toEqual([['shirt', '?']])
  })

  it('are combined with new ones in the order of the request', async () => {
    const { asked, classifier } = recordingClassifier()
    const remembering = rememberCandidates(classifier)
    await remembering.classify(['b', 'd'], 6)
    const found = await remembering.classify(['a', 'b', 'c', 'a', 'd', '?'], 6)
    expect(labels(found)).toEqual(['a 6', 'b 6', 'c 6', 'a 6', 'd 6', undefined])
    expect(asked).toEqual([
      ['b', 'd'],
      ['a', 'c', '?'],
    ])
  })

  it('are kept separately for each limit', async () => {
    const { classifier } = recordingClassifier()
    const remembering = rememberCandidates(classifier)
    expect(labels(await remembering.classify(['1 shirt', 'shirt'], 6))).toEqual(['1 shirt 6', 'shirt 6'])
    expect(labels(await remembering.classify(['shirt'], 61))).toEqual(['shirt 61'])
    expect(labels(await remembering.classify(['1 shirt'], 6))).toEqual(['1 shirt 6'])
  })

  it('are forgotten when the memory is used up, those first that were not requested for the longest time', async () => {
    const { asked, classifier } = recordingClassifier()
    const remembering = rememberCandidates(classifier, 20_000)
    await remembering.classify(['kept'], 6)
    for (let nth = 0; nth < 100; nth++) {
      await remembering.classify([`text ${nth}`], 6)
      await remembering.classify(['kept'], 6)
    }
    asked.length = 0
    await remembering.classify(['kept', 'text 99', 'text 0'], 6)
    expect(asked).toEqual([['text 0']])
  })

  it('do not use more memory if they are long', async () => {
    const { asked, classifier } = recordingClassifier()
    const remembering = rememberCandidates(classifier, 20_000)
    const long = Array.from({ length: 20 }, (_, nth) => `${nth}`.padEnd(5_000, '.'))
    for (const text of long) await remembering.classify([text], 6)
    asked.length = 0
    expect(labels(await remembering.classify(long, 6))).toEqual(long.map((text) => `${text} 6`))
    expect(asked[0]!.length).toBeGreaterThanOrEqual(19)
  })

  it('are not remembered if the request was stopped', async () => {
    const { asked, classifier } = recordingClassifier()
    const remembering = rememberCandidates(classifier)
    const stopped = { over: () => true, next: async () => Promise.reject(new RequestStopped('deadline')) }
    await expect(remembering.classify(['shirt'], 6, stopped)).rejects.toThrow(RequestStopped)
    expect(labels(await remembering.classify(['shirt'], 6, UNLIMITED_TURNS))).toEqual(['shirt 6'])
    expect(asked).toEqual([['shirt'], ['shirt']])
  })
})
