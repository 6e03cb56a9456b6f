/** The cost of requests in points. */
import { describe, expect, test } from 'vitest'
import {
  classificationUnits,
  dutiesUnits,
  hasTariff,
  pointsFor,
  ratesUnits,
} from '../../src/operations/points.ts'

describe('points', () => {
  test('are one for a small request', () => {
    expect(pointsFor(0)).toBe(1)
    expect(pointsFor(ratesUnits(20))).toBe(1)
    expect(pointsFor(dutiesUnits([{ description: 'Cotton T-shirt', tariff: '610910' }]))).toBe(1)
  })

  test('match docs/limits.md for the largest REST request', () => {
    const ordinary = Array(99).fill({ description: 'x'.repeat(30) })
    expect(pointsFor(dutiesUnits(ordinary))).toBe(45)
    const longest = Array(99).fill({ description: 'x'.repeat(500) })
    expect(pointsFor(dutiesUnits(longest))).toBe(510)
    expect(pointsFor(ratesUnits(99))).toBe(4)
  })

  test('are no more for a text that is refused for its length than for the longest accepted text', () => {
    const unitsOf = (text: string) => [
      classificationUnits({ description: text }),
      classificationUnits({ description: '', facts: { material: text, category: text } }),
    ]
    expect(unitsOf('x'.repeat(200_000))).toEqual([510, 310])
    expect(unitsOf('x'.repeat(200_000))).not.toEqual(unitsOf('x'))
    expect(classificationUnits({ description: 17, facts: 17 })).toBe(10)
  })

  test('count no classification for an item with a tariff code, and treat a blank code as none', () => {
    expect([undefined, null, '', '  '].map((tariff) => hasTariff({ tariff }))).toEqual(Array(4).fill(false))
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(['610910', 610910, deep, {}].map((tariff) => hasTariff({ tariff }))).toEqual(Array(4).fill(true))
  })
})
