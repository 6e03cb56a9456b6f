/** The classifier with metrics still reads facts and asks questions, and counts what it classifies. */
import { expect, test } from 'vitest'
import { lexiconClassifier } from '../../src/classifiers/classifiers.ts'
import { openMetrics } from '../../src/metrics/metrics.ts'
import { observeClassifier } from '../../src/metrics/observe.ts'
import { plainLexicon } from '../support/customs/plain-lexicon.ts'

const LEXICON = plainLexicon([
  { code: '610910', label: 'T-shirts', terms: ['t-shirt'], possibleTerms: [] },
  { code: '960810', label: 'Pens', terms: ['pen'], possibleTerms: [] },
])

test('a classifier with metrics counts goods once, with and without facts', async () => {
  const metrics = openMetrics(1)
  const count = async () => {
    const { values } = await metrics.confidence.get()
    return values.find(({ metricName }) => metricName?.endsWith('_count'))?.value
  }
  const classifier = observeClassifier(lexiconClassifier(LEXICON), metrics)
  await classifier.classify(['t-shirt', 'asdfgh'], 5)
  expect(await count()).toBe(2)
  const facts = { category: 'pens' }
  const described = await classifier.interview?.({ description: 'blue', facts }, 5)
  expect(described?.candidates[0]?.code).toBe('960810')
  expect(await count()).toBe(3)
  const asked = await classifier.interview?.({ description: 't-shirt, pen' }, 5)
  expect(asked?.questions).not.toEqual([])
  expect(await count()).toBe(3)
})
