/** What requests cost. */
import { describe, expect, test } from 'vitest'
import {
  classificationUnits,
  dutiesUnits,
  hasTariff,
  pointsFor,
  ratesUnits,
} from '../../src/operations/points.ts'

describe('points', () => {
  test('a small request costs one', () => {
    expect(pointsFor(0)).toBe(1)
    expect(pointsFor(ratesUnits(20))).toBe(1)
    expect(pointsFor(dutiesUnits([{ description: 'Cotton T-shirt', tariff: '610910' }]))).toBe(1)
  })

  test('the largest REST request costs what docs/limits.md says', () => {
    const ordinary = Array(99).fill({ description: 'x'.repeat(30) })
    expect(pointsFor(dutiesUnits(ordinary))).toBe(45)
    const longest = Array(99).fill({ description: 'x'.repeat(500) })
    expect(pointsFor(dutiesUnits(longest))).toBe(510)
    expect(pointsFor(ratesUnits(99))).toBe(4)
  })

  test('a text that is refused for its length costs no more than the longest that is accepted', () => {
    expect(classificationUnits('x'.repeat(200_000))).toBe(classificationUnits('x'.repeat(500)))
    expect(classificationUnits(17)).toBe(10)
  })

  test('an item with a tariff code is not classified; a blank code is none, and any other value is for core to refuse', () => {
    expect([undefined, null, '', '  '].map((tariff) => hasTariff({ tariff }))).toEqual(Array(4).fill(false))
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(['610910', 610910, deep, {}].map((tariff) => hasTariff({ tariff }))).toEqual(Array(4).fill(true))
  })
})
