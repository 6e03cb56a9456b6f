/**
 * Random expressions with the value that they should have. The value is calculated with fractions of BigInt while the
 * text is written, without the parser, the checker or the compiler.
 */
import type { Vocabulary } from '../../../src/core/expressions/vocabulary.ts'
import type { Dice } from '../../support/random/seeded-dice.ts'

/** `n / d`, not reduced; `d` is above 0. */
export type Fraction = { readonly n: bigint; readonly d: bigint }

export type Facts = { readonly a: number; readonly b: number; readonly grams: number; readonly cm: number }

export const VOCABULARY: Vocabulary<Facts> = {
  measures: new Map([
    ['a', { type: 'quantity', dimension: 'number', perBaseUnit: 1, min: -50, max: 999, read: ({ a }) => a }],
    ['b', { type: 'quantity', dimension: 'number', perBaseUnit: 100, min: 0, max: 1e15, read: ({ b }) => b }],
    [
      'kg',
      {
        type: 'quantity',
        dimension: 'weight',
        perBaseUnit: 1000,
        min: 0,
        max: 1e9,
        read: ({ grams }) => grams,
      },
    ],
    [
      'side',
      { type: 'quantity', dimension: 'length', perBaseUnit: 1, min: 0, max: 1e4, read: ({ cm }) => cm },
    ],
    ['odd', { type: 'flag', read: ({ a }) => a % 2 !== 0 }],
  ]),
  lists: new Map(),
  unavailable: new Map([['service', 'not available yet']]),
}

/** Numbers of the text that are needed for an expression, as functions of the facts. */
export type Random<Value> = { readonly text: string; readonly value: (facts: Facts) => Value }

const fraction = (n: bigint, d = 1n): Fraction => ({ n, d })
const plus = (x: Fraction, y: Fraction, sign: bigint): Fraction =>
  fraction(x.n * y.d + sign * y.n * x.d, x.d * y.d)
const product = (x: Fraction, y: Fraction): Fraction => fraction(x.n * y.n, x.d * y.d)
export const isLess = (x: Fraction, y: Fraction): boolean => x.n * y.d < y.n * x.d
export const isEqual = (x: Fraction, y: Fraction): boolean => x.n * y.d === y.n * x.d

/** The largest integer that is not above a fraction, found by stepping from the truncated quotient. */
function floorOf({ n, d }: Fraction): bigint {
  let whole = n / d
  while (whole * d > n) whole -= 1n
  return whole
}

const UNITS: Readonly<Record<'weight' | 'length', readonly (readonly [string, Fraction])[]>> = {
  weight: [
    ['kg', fraction(1n)],
    ['g', fraction(1n, 1000n)],
    ['lb', fraction(45_359_237n, 100_000_000n)],
    ['oz', fraction(28_349_523_125n, 1_000_000_000_000n)],
  ],
  length: [
    ['cm', fraction(1n)],
    ['mm', fraction(1n, 10n)],
    ['m', fraction(100n)],
    ['in', fraction(254n, 100n)],
    ['ft', fraction(3048n, 100n)],
  ],
}

function decimal(dice: Dice): { text: string; value: Fraction } {
  const places = dice.int(0, 3)
  const digits = dice.int(0, dice.pick([3, 20, 1000, 99_999]))
  const scale = 10 ** places
  const text = places === 0 ? `${digits}` : (digits / scale).toFixed(places)
  return { text, value: fraction(BigInt(digits), BigInt(scale)) }
}

/** A number without a unit, of at most `depth` levels. */
export function randomNumber(dice: Dice, depth: number): Random<Fraction> {
  if (depth === 0) return randomLeaf(dice)
  const inner = (): Random<Fraction> => randomNumber(dice, depth - 1)
  const kind = dice.pick([
    'leaf',
    'sum',
    'product',
    'quotient',
    'ratio',
    'extreme',
    'round',
    'count',
    'by',
    'sign',
  ] as const)
  switch (kind) {
    case 'leaf':
      return randomLeaf(dice)
    case 'sum': {
      const [x, y, sign] = [inner(), inner(), dice.pick([1n, -1n])]
      return {
        text: `(${x.text} ${sign === 1n ? '+' : '-'} ${y.text})`,
        value: (facts) => plus(x.value(facts), y.value(facts), sign),
      }
    }
    case 'product': {
      const [x, y] = [inner(), dice.pick([randomLeaf(dice), randomKilograms(dice)])]
      return { text: `${x.text} * ${y.text}`, value: (facts) => product(x.value(facts), y.value(facts)) }
    }
    case 'quotient': {
      const [x, divisor] = [inner(), dice.int(1, 5000)]
      return {
        text: `${x.text} / ${divisor}`,
        value: (facts) => product(x.value(facts), fraction(1n, BigInt(divisor))),
      }
    }
    case 'ratio':
      return randomRatio(dice)
    case 'extreme': {
      const [name, x, y] = [dice.pick(['min', 'max']), inner(), inner()]
      const value = (facts: Facts): Fraction => {
        const [first, second] = [x.value(facts), y.value(facts)]
        return isLess(first, second) === (name === 'min') ? first : second
      }
      return { text: `${name}(${x.text}, ${y.text})`, value }
    }
    case 'round':
      return randomRounding(dice, inner())
    case 'count': {
      const [x, y] = [randomCondition(dice, depth - 1), randomCondition(dice, depth - 1)]
      const value = (facts: Facts): Fraction =>
        fraction(BigInt([x, y].filter((part) => part.value(facts)).length))
      return { text: `count(${x.text}, ${y.text})`, value }
    }
    case 'by':
      return randomCases(dice, inner(), inner(), inner())
    case 'sign': {
      const x = inner()
      return { text: `-(${x.text})`, value: (facts) => product(x.value(facts), fraction(-1n)) }
    }
  }
}

function randomLeaf(dice: Dice): Random<Fraction> {
  const { text, value } = decimal(dice)
  return dice.pick<Random<Fraction>>([
    { text, value: () => value },
    { text: `${text}%`, value: () => product(value, fraction(1n, 100n)) },
    { text: 'a', value: ({ a }) => fraction(BigInt(a)) },
    { text: 'b', value: ({ b }) => fraction(BigInt(b), 100n) },
  ])
}

/** A weight in kilograms, next to a number. */
function randomKilograms(dice: Dice): Random<Fraction> {
  const { text, value } = decimal(dice)
  const [unit, size] = dice.pick(UNITS.weight)
  const difference = (facts: Facts): Fraction =>
    plus(fraction(BigInt(facts.grams), 1000n), product(value, size), -1n)
  return dice.pick<Random<Fraction>>([
    { text: 'kg', value: ({ grams }) => fraction(BigInt(grams), 1000n) },
    { text: `(kg - ${text} ${unit})`, value: difference },
  ])
}

/** A length divided by a length, or a weight by a weight. */
function randomRatio(dice: Dice): Random<Fraction> {
  const [unit, size] = dice.pick(UNITS.length)
  const [by, multiple] = [dice.int(1, 300), dice.int(0, 40)]
  const length = product(fraction(BigInt(by)), size)
  const value = ({ cm }: Facts): Fraction => {
    const scaled = plus(fraction(BigInt(cm)), product(fraction(BigInt(multiple)), size), -1n)
    return fraction(scaled.n * length.d, scaled.d * length.n)
  }
  return { text: `(side - ${multiple} ${unit}) / ${by} ${unit}`, value }
}

function randomRounding(dice: Dice, x: Random<Fraction>): Random<Fraction> {
  const [name, steps] = [dice.pick(['ceil', 'floor', 'round']), dice.int(1, 40)]
  const step = fraction(BigInt(steps), 4n)
  const value = (facts: Facts): Fraction => {
    const { n, d } = x.value(facts)
    const quotient = fraction(n * step.d, d * step.n)
    const halves = plus(quotient, fraction(1n, 2n), 1n)
    const below = floorOf(name === 'round' ? halves : quotient)
    const isExact = below * quotient.d === quotient.n
    const count = name === 'ceil' && !isExact ? below + 1n : below
    return product(fraction(count), step)
  }
  return { text: `${name}(${x.text}, ${steps} / 4)`, value }
}

function randomCases(
  dice: Dice,
  x: Random<Fraction>,
  y: Random<Fraction>,
  z: Random<Fraction>,
): Random<Fraction> {
  const [low, width] = [dice.int(0, 300), dice.int(0, 300)]
  const middle = `${low}..${low + width}`
  const value = (facts: Facts): Fraction => {
    if (facts.a < low) return x.value(facts)
    return facts.a <= low + width ? y.value(facts) : z.value(facts)
  }
  const text = `by a {..${low - 1}: ${x.text}, ${middle}: ${y.text}, ${low + width + 1}..: ${z.text}}`
  return { text, value }
}

export function randomCondition(dice: Dice, depth: number): Random<boolean> {
  if (depth > 0 && dice.chance(0.5)) {
    const [x, y] = [randomCondition(dice, depth - 1), randomCondition(dice, depth - 1)]
    return dice.pick<Random<boolean>>([
      { text: `(${x.text} and ${y.text})`, value: (facts) => x.value(facts) && y.value(facts) },
      { text: `(${x.text} or ${y.text})`, value: (facts) => x.value(facts) || y.value(facts) },
      { text: `not (${x.text})`, value: (facts) => !x.value(facts) },
    ])
  }
  if (dice.chance(0.1)) return { text: 'odd', value: ({ a }) => a % 2 !== 0 }
  if (dice.chance(0.4)) return randomWeightTest(dice)
  const [x, y] = [randomNumber(dice, Math.min(depth, 1)), randomNumber(dice, Math.min(depth, 1))]
  return compared(dice, x, y)
}

function compared(dice: Dice, x: Random<Fraction>, y: Random<Fraction>): Random<boolean> {
  const tests: Readonly<Record<string, (a: Fraction, b: Fraction) => boolean>> = {
    '<': isLess,
    '<=': (a, b) => !isLess(b, a),
    '>': (a, b) => isLess(b, a),
    '>=': (a, b) => !isLess(a, b),
    '=': isEqual,
    '!=': (a, b) => !isEqual(a, b),
  }
  const operator = dice.pick(Object.keys(tests))
  return {
    text: `${x.text} ${operator} ${y.text}`,
    value: (facts) => tests[operator]!(x.value(facts), y.value(facts)),
  }
}

function randomWeightTest(dice: Dice): Random<boolean> {
  const { text, value } = decimal(dice)
  const [unit, size] = dice.pick(UNITS.weight)
  const weight: Random<Fraction> = { text: 'kg', value: ({ grams }) => fraction(BigInt(grams), 1000n) }
  const bound = product(value, size)
  if (dice.chance(0.5)) return compared(dice, weight, { text: `${text} ${unit}`, value: () => bound })
  const upper = plus(bound, size, 1n)
  const within = (facts: Facts): boolean =>
    !isLess(weight.value(facts), bound) && !isLess(upper, weight.value(facts))
  return { text: `kg between ${text} ${unit} and (${text} ${unit} + 1 ${unit})`, value: within }
}
