/** Random expressions against an independent evaluation, and faulty texts. */
import { expect, test } from 'vitest'
import { compileAmount, compileCondition } from '../../../src/core/expressions/expression.ts'
import { ExpressionFault } from '../../../src/core/expressions/expression-fault.ts'
import { MAX_LENGTH } from '../../../src/core/expressions/lexer.ts'
import { MAX_DEPTH, MAX_PARTS } from '../../../src/core/expressions/parser.ts'
import { printExpression } from '../../../src/core/expressions/printer.ts'
import { caseCount } from '../../support/random/case-count.ts'
import { type Dice, diceOf } from '../../support/random/seeded-dice.ts'
import {
  type Facts,
  type Fraction,
  isEqual,
  randomCondition,
  randomNumber,
  VOCABULARY,
} from './random-expression.ts'

const LIMITS = { largest: 10n ** 40n, reserve: 999n }

const randomFacts = (dice: Dice): Facts => ({
  a: dice.int(-50, 999),
  b: dice.pick([0, 1, dice.int(0, 99_999), 1e15]),
  grams: dice.pick([0, dice.int(1, 40_000), 1e9]),
  cm: dice.pick([dice.int(0, 300), 10_000]),
})

/** The value of an amount with some facts. Undefined if the expression is refused for its size. */
function valueWith(text: string, facts: Facts): Fraction | undefined {
  try {
    const { numerator, denominator } = compileAmount(text, VOCABULARY, LIMITS)
    const value = numerator.read(facts)
    if (!numerator.isBig && !Number.isSafeInteger((value as number) * 999))
      throw new Error('not a safe integer')
    return { n: BigInt(value), d: denominator }
  } catch (error) {
    if (error instanceof ExpressionFault && /become too large|could reach/.test(error.message))
      return undefined
    throw new Error(`${text}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

test('amounts have the value that they are written with', () => {
  const cases = caseCount(4_000, 100_000)
  let refused = 0
  for (let seed = 1; seed <= cases; seed++) {
    const dice = diceOf(seed)
    const { text, value } = randomNumber(dice, dice.int(0, 4))
    for (let run = 0; run < 4; run++) {
      const facts = randomFacts(dice)
      const found = valueWith(text, facts)
      if (found === undefined) refused += 1
      else if (!isEqual(found, value(facts)))
        throw new Error(`seed ${seed}: ${text} of ${JSON.stringify(facts)} is ${found.n}/${found.d}`)
    }
  }
  expect(refused / (4 * cases)).toBeLessThan(0.05)
})

test('conditions hold when they should', () => {
  let held = 0
  const cases = caseCount(4_000, 100_000)
  for (let seed = 1; seed <= cases; seed++) {
    const dice = diceOf(seed)
    const { text, value } = randomCondition(dice, dice.int(0, 3))
    const { holds } = compileCondition(text, VOCABULARY)
    const facts = randomFacts(dice)
    if (holds(facts) !== value(facts)) throw new Error(`seed ${seed}: ${text} of ${JSON.stringify(facts)}`)
    if (value(facts)) held += 1
  }
  expect(held / cases).toBeGreaterThan(0.2)
  expect(held / cases).toBeLessThan(0.8)
})

test('a printed expression has the same value', () => {
  for (let seed = 1; seed <= caseCount(1_000, 20_000); seed++) {
    const dice = diceOf(seed)
    const { text } = randomNumber(dice, dice.int(0, 4))
    const facts = randomFacts(dice)
    const before = valueWith(text, facts)
    if (before === undefined) continue
    const printed = printExpression(compileAmount(text, VOCABULARY, LIMITS).syntax, () => undefined)
    expect(isEqual(valueWith(printed, facts)!, before), `${text} -> ${printed}`).toBe(true)
  }
})

const FRAGMENTS = [
  ...['a', 'b', 'kg', 'side', 'odd', 'service', 'x', 'sides', 'min(', 'max(', 'ceil(', 'round(', 'count('],
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '..',
    '+',
    '-',
    '*',
    '/',
    '/ 0',
    '% ',
    '<',
    '<=',
    '=',
    '!=',
    '>',
  ],
  ...['and ', 'or ', 'not ', 'in ', 'between ', 'by ', 'else: ', '1', '0', '2.25', '9'.repeat(30), '0.'],
  ...[
    '12-24',
    '2026-02-30',
    '"x',
    '"DE"',
    'cm ',
    'kg ',
    'in3 ',
    'ldm ',
    'é',
    '\u0000',
    '\n',
    '$',
    '--',
    '__proto__',
  ],
]

const randomText = (dice: Dice): string =>
  Array.from({ length: dice.int(1, 25) }, () => dice.pick(FRAGMENTS)).join(dice.pick(['', ' ']))

/** A text in which some characters are replaced with a fragment. */
function damaged(text: string, dice: Dice): string {
  const at = dice.int(0, text.length)
  return text.slice(0, at) + dice.pick(FRAGMENTS) + text.slice(at + dice.int(0, 3))
}

test('any text is compiled or refused with a fault', () => {
  let compiled = 0
  for (let seed = 1; seed <= caseCount(20_000, 500_000); seed++) {
    const dice = diceOf(seed)
    const text = dice.chance(0.5) ? randomText(dice) : damaged(randomNumber(dice, 2).text, dice)
    for (const compile of [
      () => compileCondition(text, VOCABULARY).holds({ a: 1, b: 2, grams: 3, cm: 4 }),
      () => compileAmount(text, VOCABULARY, LIMITS).numerator.read({ a: 1, b: 2, grams: 3, cm: 4 }),
    ])
      try {
        compile()
        compiled += 1
      } catch (error) {
        if (!(error instanceof ExpressionFault)) throw new Error(`${JSON.stringify(text)}: ${String(error)}`)
      }
  }
  expect(compiled).toBeGreaterThan(500)
})

test.each([
  ['brackets', (n: number) => `${'('.repeat(n)}a${')'.repeat(n)}`, MAX_DEPTH],
  ['minus signs', (n: number) => `${'- '.repeat(n)}a`, MAX_DEPTH],
  ['functions', (n: number) => `${'max(1, '.repeat(n)}a${')'.repeat(n)}`, MAX_DEPTH],
  ['parts', (n: number) => Array.from({ length: (n + 1) / 2 }, () => 'a').join('+'), MAX_PARTS - 1],
  ['characters', (n: number) => 'a'.padEnd(n), MAX_LENGTH],
])('%s are limited', (_, text, limit) => {
  expect(() => compileAmount(text(limit), VOCABULARY, LIMITS)).not.toThrow()
  expect(() => compileAmount(text(limit + 2), VOCABULARY, LIMITS)).toThrow(ExpressionFault)
})

test('nested negations are limited', () => {
  expect(() => compileCondition(`${'not '.repeat(MAX_DEPTH)}odd`, VOCABULARY)).not.toThrow()
  expect(() => compileCondition(`${'not '.repeat(MAX_DEPTH + 1)}odd`, VOCABULARY)).toThrow(ExpressionFault)
})
