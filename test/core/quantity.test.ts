import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ceilToStep,
  decimal,
  formatDecimal,
  formatKilograms,
  parseDecimal,
  stepsOf,
} from '../../src/core/quantity.ts'

describe('decimals', () => {
  test.each([
    ['12.5', 1, 125],
    ['3', 2, 300],
    ['-0.5', 1, -5],
    ['-0', 1, 0],
    ['007', 0, 7],
  ])('%s with %i places is %i steps', (text, places, steps) => {
    expect(parseDecimal(text, places)).toBe(steps)
  })

  test.each([
    '1.50',
    '1e3',
    '0x1F',
    ' 5',
    '5 ',
    '+5',
    '.5',
    '5.',
    '1,5',
    '',
    '٣',
    'NaN',
    '9999999999999999999',
  ])('%j is not a decimal with one place', (text) => expect(parseDecimal(text, 1)).toBeUndefined())

  test('formatting and parsing are inverse', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 4 }), (steps, places) => {
        expect(parseDecimal(formatDecimal(steps, places), places)).toBe(steps)
      }),
    )
  })

  test('numbers have the same steps as their shortest text', () => {
    const numbers = fc.oneof(
      fc.double({ noNaN: true }),
      fc.integer(),
      fc.maxSafeInteger(),
      fc
        .tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 6 }))
        .map(([steps, places]) => steps / 10 ** places),
      fc.tuple(fc.integer(), fc.integer({ min: 0, max: 6 })).map(([steps, places]) => steps / 10 ** places),
      fc.constantFrom(-0, 0.1 + 0.2, 1.005, 1e15, 1e15 - 0.5, 1e-7, 999_999_999_999_999, 1e21),
    )
    fc.assert(
      fc.property(numbers, fc.integer({ min: 0, max: 4 }), (value, places) => {
        expect(stepsOf(value, places)).toBe(parseDecimal(String(value), places))
      }),
      { numRuns: 5_000 },
    )
  })

  test('an invalid shipped figure throws', () => {
    expect(decimal('31.5', 3)).toBe(31_500)
    expect(() => decimal('x', 3)).toThrow('not a decimal')
  })

  test('weights are rounded up to the next multiple of a step', () => {
    expect(ceilToStep(5001, 1, 500)).toBe(5500)
    expect(ceilToStep(5000, 1, 500)).toBe(5000)
    expect(ceilToStep(24_000 * 1000, 5000, 500)).toBe(5000)
    expect(formatKilograms(12_400)).toBe('12.4')
  })
})
