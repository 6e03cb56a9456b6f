/** The confidence that ships is the fit of the rows, and is reliable on rows that it was not fitted on. */
import { describe, expect, test } from 'vitest'
import { classifierWeights } from '../../../src/core/classification/classifier-weights.ts'
import { type Answer, figuresOf } from './figures.ts'
import { crossValidated, fit, readRows } from './fit.ts'

const rows = readRows()

/** The rows whose source matches, with the confidences of curves that were fitted on other rows. */
function answersFrom(source: RegExp): readonly Answer[] {
  const confidences = crossValidated(rows)
  return rows.flatMap((row, nth) =>
    source.test(row.source) ? [{ confidence: confidences[nth]!, isRight: row.isRight }] : [],
  )
}

describe('the rows of the fit', () => {
  test('have features of at most 1, and folds of similar size', () => {
    expect(rows).toHaveLength(3180)
    expect(rows.flatMap(({ features }) => features).filter((value) => !(value <= 1))).toEqual([])
    for (let fold = 0; fold < 5; fold++) {
      const share = rows.filter((row) => row.fold === fold).length / rows.length
      expect(share).toBeGreaterThan(0.15)
      expect(share).toBeLessThan(0.25)
    }
  })
})

describe('the confidence', () => {
  test.each(['titles', 'others'] as const)('has the fitted weights: %s', (kind) => {
    const { bias, features } = fit(rows)[kind]
    const shipped = classifierWeights.confidence[kind]
    expect(Math.abs(bias - shipped.bias)).toBeLessThan(0.02)
    features.forEach((weight, nth) => {
      expect(Math.abs(weight - shipped.features[nth]!)).toBeLessThan(0.02)
    })
  })

  test('is close to the share of right answers', () => {
    expect(figuresOf(answersFrom(/./))['gap']).toBeLessThan(3.5)
    expect(figuresOf(answersFrom(/training titles/))['gap']).toBeLessThan(3)
    expect(figuresOf(answersFrom(/fresh/))['gap']).toBeLessThan(7)
  })

  test('is seldom high for wrong answers, and the highest ones are mostly right', () => {
    const figures = figuresOf(answersFrom(/./))
    expect(figures['high and wrong']).toBeLessThan(20)
    expect(figures['confident']).toBeGreaterThan(95)
    // Titles of the training are the clearest: where most answers are right, a wrong one is rarely told from them.
    expect(figuresOf(answersFrom(/^(?!training titles)/))['high and wrong']).toBeLessThan(15)
  })
})
