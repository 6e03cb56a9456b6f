import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  centsOf,
  compare,
  cutToUnit,
  dividedBy,
  type Exact,
  exactOf,
  excess,
  plus,
  reducedFraction,
  roundToUnit,
  sumOf,
  times,
} from '../../../src/core/customs/exact.ts'

const whole = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }),
  fc.maxSafeInteger().filter((n) => n >= 0),
  fc.bigInt({ min: 0n, max: 10n ** 30n }),
)
const denominator = fc.oneof(
  fc.constantFrom(1, 2, 100, 200, 10_000, 1_000_000, 2_000_000),
  fc.integer({ min: 1, max: 1_000_000_000 }),
  fc.bigInt({ min: 1n, max: 10n ** 20n }),
)
const fraction = fc.record({ numerator: whole, denominator })

const big = ({ numerator, denominator: below }: Exact) => [BigInt(numerator), BigInt(below)] as const

function same(a: Exact, numerator: bigint, below: bigint): boolean {
  return BigInt(a.numerator) * below === numerator * BigInt(a.denominator)
}

describe('fractions are exact, small or large', () => {
  test('sum, product, quotient, difference and order are those of big integers', () => {
    fc.assert(
      fc.property(fraction, fraction, (a, b) => {
        const [an, ad] = big(a)
        const [bn, bd] = big(b)
        expect(same(plus(a, b), an * bd + bn * ad, ad * bd)).toBe(true)
        expect(same(times(a, b), an * bn, ad * bd)).toBe(true)
        if (bn > 0n) expect(same(dividedBy(a, b), an * bd, ad * bn)).toBe(true)
        const difference = an * bd - bn * ad
        expect(compare(a, b)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0)
        expect(same(excess(a, b), difference < 0n ? 0n : difference, ad * bd)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })

  test('cents are rounded half up, once', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), denominator, (numerator, below) => {
        const d = BigInt(below)
        const expected = (200n * numerator + d) / (2n * d)
        fc.pre(expected <= BigInt(Number.MAX_SAFE_INTEGER))
        const small = numerator <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(numerator) : numerator
        expect(centsOf({ numerator: small, denominator: below })).toBe(Number(expected))
      }),
      { numRuns: 5_000 },
    )
    expect([0.5, 1.5, 2.4999].map((n) => centsOf(exactOf(Math.round(n * 10_000), 6)))).toEqual([1, 2, 2])
  })

  test('negative amounts are rounded half up', () => {
    expect(centsOf({ numerator: -15, denominator: 1_000 })).toBe(-1)
    expect(centsOf({ numerator: -15n, denominator: 1_000n })).toBe(-1)
    expect(centsOf({ numerator: -16n, denominator: 1_000n })).toBe(-2)
  })

  test('cents beyond the safe integers throw an error', () => {
    expect(() => centsOf(exactOf(10n ** 20n, 0))).toThrow(RangeError)
  })
})

describe('units of a currency', () => {
  const five = exactOf(5, 2)
  test.each([
    [5022, 500, 500],
    [5025, 505, 500],
    [5049, 505, 500],
    [5050, 505, 505],
    [0, 0, 0],
  ])('%i thousandths are %i hundredths to the nearest 0.05, and %i rounded down', (steps, nearest, cut) => {
    expect(centsOf(roundToUnit(exactOf(steps, 3), five))).toBe(nearest)
    expect(centsOf(cutToUnit(exactOf(steps, 3), five))).toBe(cut)
  })
})

test('trailing zero decimals are removed', () => {
  expect(exactOf(2_500_000, 6)).toEqual({ numerator: 250, denominator: 100 })
  expect(exactOf(3_000_000, 6)).toEqual({ numerator: 3, denominator: 1 })
  expect(exactOf(123, 4)).toEqual({ numerator: 123, denominator: 10_000 })
  expect(reducedFraction(65_000, 1_000_000)).toEqual({ numerator: 13, denominator: 200 })
  expect(reducedFraction(0, 1_000_000)).toEqual({ numerator: 0, denominator: 1 })
  expect(sumOf([])).toEqual({ numerator: 0, denominator: 1 })
})
