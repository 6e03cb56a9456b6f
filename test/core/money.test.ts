import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatCents, mulDivHalfUp, mulDivToStep, roundHalfUp, sumCents } from '../../src/core/money.ts'

describe('money', () => {
  test.each([
    [1, 1, 2, 1],
    [3, 1, 2, 2],
    [-1, 1, 2, 0],
    [-3, 1, 2, -1],
    [1425, 950, 10_000, 135],
    [6100, 250, 10_000, 153],
  ])('%i × %i / %i is %i, rounded half up', (factor, numerator, denominator, expected) => {
    expect(mulDivHalfUp(factor, numerator, denominator)).toBe(expected)
  })

  test('is exact for products above 2^53', () => {
    const odd = 90_071_992_547_409
    expect(mulDivHalfUp(odd, 20_001, 20_000)).toBe(Number((BigInt(odd) * 20_001n + 10_000n) / 20_000n))
  })

  test('is rounded in the same way for small and large numbers', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 0, max: 1e5 }), (cents, rate) => {
        expect(mulDivHalfUp(cents, rate, 10_000)).toBe(roundHalfUp(BigInt(cents) * BigInt(rate), 10_000n))
      }),
    )
  })

  test('throws if the result is not a safe integer', () => {
    expect(() => mulDivHalfUp(Number.MAX_SAFE_INTEGER, 3, 2)).toThrow(RangeError)
  })

  test('is formatted with two decimals', () => {
    expect([0, 5, 50, 1250, -1205].map(formatCents)).toEqual(['0.00', '0.05', '0.50', '12.50', '-12.05'])
  })

  test('can be added up', () => {
    expect(sumCents([1, 2, 3])).toBe(6)
  })

  test.each([
    [10_000, 2100, 10_000, 1, 2100],
    // 10.5% of JPY 855 is 89.775, and 10.5% of CHF 9.10 is 0.9555.
    [85_500, 1050, 10_000, 100, 9000],
    [910, 1050, 10_000, 5, 95],
    [250, 1, 1, 100, 300],
    [-250, 1, 1, 100, -200],
  ])('%i × %i / %i, rounded half up to a multiple of %i, is %i', (factor, numerator, denominator, step, expected) => {
    expect(mulDivToStep(factor, numerator, denominator, step)).toBe(expected)
  })
})
