import { describe, expect, test } from 'vitest'
import { type NumberRule, parseInstant, readCountry, readNumber } from '../../src/core/input.ts'
import type { FieldProblem } from '../../src/core/problem.ts'

const WEIGHT: NumberRule = { places: 1, max: 1000 }

function faultOf(value: unknown, rule = WEIGHT): Partial<FieldProblem> | undefined {
  const problems: FieldProblem[] = []
  readNumber(problems, ['weight'], value, rule)
  return problems[0]
}

describe('a number', () => {
  const EXPECTED = expect.stringMatching(/^must be a decimal such as "12\.5"/)

  test.each([
    '.5',
    '5.',
    '+5',
    '5,5',
    ' 5 ',
    'abc',
    '1e3',
    '--5',
  ])('in the form %j gets advice on the form', (value) => {
    const message = 'must be a number with at most 1 decimal'
    expect(faultOf(value)).toEqual({ path: ['weight'], code: 'MALFORMED', message, advice: EXPECTED })
  })

  test.each(['5.25', '5.00', '-5.25', 5.25])('with too many decimals (%j) gets no other advice', (value) => {
    const message = 'must be a number with at most 1 decimal'
    expect(faultOf(value)).toEqual({ path: ['weight'], code: 'MALFORMED', message })
  })

  test.each([
    ['1234567890123456', 'must be at most 1000'],
    ['-1234567890123456', 'must be greater than zero'],
  ])('with more digits than can be calculated with (%s) is out of range', (value, advice) => {
    expect(faultOf(value)).toMatchObject({ code: 'OUT_OF_RANGE', advice })
    expect(faultOf(value, { ...WEIGHT, min: 0 })).toMatchObject({ code: 'OUT_OF_RANGE' })
  })

  test('that must be whole gets no example with a decimal', () => {
    expect(faultOf('two', { places: 0, max: 9 })).toEqual({
      path: ['weight'],
      code: 'MALFORMED',
      message: 'must be a whole number',
    })
  })
})

test.each([
  ['UK', 'GB'],
  ['uk', 'GB'],
  ['EL', 'GR'],
])('the country "%s" gets the advice to use %s', (code, assigned) => {
  const problems: FieldProblem[] = []
  readCountry(problems, ['country'], code, true)
  expect(problems[0]).toMatchObject({
    message: 'must be an ISO 3166-1 alpha-2 country code',
    advice: `must be an ISO 3166-1 alpha-2 country code: use ${assigned} instead of ${code.toUpperCase()}`,
  })
})

test('any other unknown country gets no advice', () => {
  const problems: FieldProblem[] = []
  readCountry(problems, ['country'], 'XX', true)
  expect(problems[0]).not.toHaveProperty('advice')
})

test('an instant may have a lower-case t and z', () => {
  const expected = Date.parse('2026-11-21T09:30:00Z')
  for (const text of ['2026-11-21t09:30:00z', '2026-11-21T09:30:00z', '2026-11-21t10:30:00+01:00'])
    expect(parseInstant(text)).toBe(expected)
  expect(parseInstant('2026-11-21x09:30:00z')).toBeUndefined()
})
