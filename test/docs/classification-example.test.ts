/** Compares the scores in the example of docs/hs-classification.md with the classifier. */
import { expect, test } from 'vitest'
import { classifierWeights } from '../../src/core/classification/classifier-weights.ts'
import { classify, evidenceOf } from '../../src/core/classification/classify.ts'
import { loadLexicon } from '../../src/reference/lexicon-reader/lexicon.ts'
import { readPage } from './pages.ts'

test('the worked example shows the real scores and confidences', () => {
  const { prose } = readPage('docs/hs-classification.md')
  const description = prose.flatMap(({ text }) => /^> (.*)$/.exec(text)?.[1] ?? [])[0] ?? ''
  const shown = prose.flatMap(({ text }) => {
    const [, ...cells] = /^\| `(\d{6})` \| ([^|]+) \| ([\d.]+) \| ([\d.]+) \|$/.exec(text) ?? []
    return cells.length === 0 ? [] : [cells]
  })
  const lexicon = loadLexicon()
  const scores = evidenceOf(lexicon, description)?.scores ?? []
  const real = classify(lexicon, description, shown.length).map(({ code, label, confidence }, index) => [
    code,
    label,
    (scores[index] ?? 0).toFixed(1),
    confidence.toFixed(2),
  ])
  expect(shown).toHaveLength(2)
  expect(shown).toEqual(real)
})

test('the table of features has the weights of the confidence', () => {
  const { prose } = readPage('docs/hs-classification.md')
  const { titles, others } = classifierWeights.confidence
  const from = prose.findIndex(({ text }) => text === '| feature | titles | others |')
  const rows = prose.slice(from + 2, from + 2 + titles.features.length)
  const weights = rows.map(({ text }) => / (-?[\d.]+) \| (-?[\d.]+) \|$/.exec(text)?.slice(1).map(Number))
  expect(weights).toEqual(titles.features.map((weight, nth) => [weight, others.features[nth]]))
})
