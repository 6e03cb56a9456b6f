/**
 * Compiles checked expressions to closures. Where the ranges show that all intermediate numbers are safe integers, a
 * closure calculates with numbers, otherwise with BigInt. Both are exact.
 */
import { denominatorOf, type Quantity, type QuantityForm, type Relation, type Test } from './checked.ts'
import { rangeAt, roundedBig } from './quantities.ts'
import { magnitude } from './rational.ts'

/** The numerator of a figure. */
export type Numerator<Facts> =
  | { readonly isBig: false; readonly read: (facts: Facts) => number }
  | { readonly isBig: true; readonly read: (facts: Facts) => bigint }

const SAFE = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * The numerator over `denominator`, which is a multiple of the figure's own. It is a number only if it is a safe
 * integer even when it is multiplied by `reserve`.
 */
export function compileQuantity<Facts>(
  quantity: Quantity<Facts>,
  denominator = quantity.denominator,
  reserve = 1n,
): Numerator<Facts> {
  const factor = denominator / quantity.denominator
  const { min, max } = rangeAt(quantity, denominator)
  const isSafe = isWithin(min * reserve) && isWithin(max * reserve)
  const own = compileForm(quantity)
  if (isSafe && !own.isBig) {
    if (factor === 1n) return own
    const [read, times] = [own.read, Number(factor)]
    return { isBig: false, read: (facts) => read(facts) * times }
  }
  const read = asBig(own)
  return { isBig: true, read: factor === 1n ? read : (facts) => read(facts) * factor }
}

function isWithin(number: bigint): boolean {
  return magnitude(number) <= SAFE
}

function asBig<Facts>(numerator: Numerator<Facts>): (facts: Facts) => bigint {
  if (numerator.isBig) return numerator.read
  const { read } = numerator
  return (facts) => BigInt(read(facts))
}

function compileForm<Facts>(quantity: Quantity<Facts>): Numerator<Facts> {
  const { form, min, max, denominator } = quantity
  const fits = isWithin(min) && isWithin(max)
  switch (form.kind) {
    case 'constant': {
      const { numerator } = form
      if (!fits) return { isBig: true, read: () => numerator }
      const number = Number(numerator)
      return { isBig: false, read: () => number }
    }
    case 'measure': {
      const { read, min: lowest, max: highest } = form.measure
      return { isBig: false, read: (facts) => Math.min(Math.max(read(facts), lowest), highest) }
    }
    case 'count': {
      const tests = form.tests.map(compileTest)
      return {
        isBig: false,
        read: (facts) => tests.reduce((held, test) => (test(facts) ? held + 1 : held), 0),
      }
    }
    case 'sum':
      return compileSum(form, denominator, fits)
    case 'product':
      return compileProduct(form, fits)
    case 'min':
    case 'max':
      return compileExtreme(form, denominator)
    case 'rounded':
      return compileRounded(form, fits)
    case 'cases':
      return compileCases(form, denominator)
  }
}

type FormOf<Facts, Kind> = Extract<QuantityForm<Facts>, { readonly kind: Kind }>

function compileSum<Facts>(
  { left, right, sign }: FormOf<Facts, 'sum'>,
  denominator: bigint,
  fits: boolean,
): Numerator<Facts> {
  const [a, b] = [compileQuantity(left, denominator), compileQuantity(right, denominator)]
  if (fits && !a.isBig && !b.isBig) {
    const [first, second] = [a.read, b.read]
    return sign === 1n
      ? { isBig: false, read: (facts) => first(facts) + second(facts) }
      : { isBig: false, read: (facts) => first(facts) - second(facts) }
  }
  const [first, second] = [asBig(a), asBig(b)]
  return { isBig: true, read: (facts) => first(facts) + sign * second(facts) }
}

function compileProduct<Facts>({ left, right }: FormOf<Facts, 'product'>, fits: boolean): Numerator<Facts> {
  const [a, b] = [compileQuantity(left), compileQuantity(right)]
  if (fits && !a.isBig && !b.isBig) {
    const [first, second] = [a.read, b.read]
    return { isBig: false, read: (facts) => first(facts) * second(facts) }
  }
  const [first, second] = [asBig(a), asBig(b)]
  return { isBig: true, read: (facts) => first(facts) * second(facts) }
}

function compileExtreme<Facts>(
  { kind, parts }: FormOf<Facts, 'min' | 'max'>,
  denominator: bigint,
): Numerator<Facts> {
  const numerators = parts.map((part) => compileQuantity(part, denominator))
  const numbers = numerators.flatMap((numerator) => (numerator.isBig ? [] : [numerator.read]))
  if (numbers.length === numerators.length) {
    const choose = kind === 'min' ? Math.min : Math.max
    return { isBig: false, read: (facts) => choose(...numbers.map((read) => read(facts))) }
  }
  const bigs = numerators.map(asBig)
  const isBetter = kind === 'min' ? (a: bigint, b: bigint) => a < b : (a: bigint, b: bigint) => a > b
  return {
    isBig: true,
    read: (facts) =>
      bigs.map((read) => read(facts)).reduce((best, next) => (isBetter(next, best) ? next : best)),
  }
}

function compileRounded<Facts>(
  { mode, part, multiplier, divisor, stepNumerator }: FormOf<Facts, 'rounded'>,
  fits: boolean,
): Numerator<Facts> {
  const inner = compileQuantity(part)
  const scaled = [part.min, part.max].map((numerator) => 2n * magnitude(numerator) * multiplier + divisor)
  if (fits && !inner.isBig && scaled.every(isWithin) && isWithin(2n * divisor)) {
    const { read } = inner
    const [by, over, step] = [Number(multiplier), Number(divisor), Number(stepNumerator)]
    // A quotient of safe integers is never rounded to an integer that it is not.
    const steps = {
      floor: (facts: Facts) => Math.floor((read(facts) * by) / over),
      ceil: (facts: Facts) => Math.ceil((read(facts) * by) / over),
      round: (facts: Facts) => Math.floor((2 * read(facts) * by + over) / (2 * over)),
    }[mode]
    return { isBig: false, read: (facts) => steps(facts) * step }
  }
  const read = asBig(inner)
  const exact = (facts: Facts): bigint => roundedBig(mode, read(facts) * multiplier, divisor) * stepNumerator
  return fits ? { isBig: false, read: (facts) => Number(exact(facts)) } : { isBig: true, read: exact }
}

function compileCases<Facts>({ cases }: FormOf<Facts, 'cases'>, denominator: bigint): Numerator<Facts> {
  const tests = cases.slice(0, -1).map(({ test }) => compileTest(test))
  const values = cases.map(({ value }) => compileQuantity(value, denominator))
  const caseOf = (facts: Facts): number => {
    const found = tests.findIndex((test) => test(facts))
    return found === -1 ? tests.length : found
  }
  const numbers = values.flatMap((value) => (value.isBig ? [] : [value.read]))
  if (numbers.length === values.length)
    return { isBig: false, read: (facts) => numbers[caseOf(facts)]!(facts) }
  const bigs = values.map(asBig)
  return { isBig: true, read: (facts) => bigs[caseOf(facts)]!(facts) }
}

export function compileTest<Facts>(test: Test<Facts>): (facts: Facts) => boolean {
  switch (test.kind) {
    case 'fact':
      return test.read
    case 'relation':
      return compileRelation(test.relation, test.left, test.right)
    case 'not': {
      const part = compileTest(test.part)
      return (facts) => !part(facts)
    }
    case 'and': {
      const parts = test.parts.map(compileTest)
      return (facts) => parts.every((part) => part(facts))
    }
    case 'or': {
      const parts = test.parts.map(compileTest)
      return (facts) => parts.some((part) => part(facts))
    }
  }
}

function compileRelation<Facts>(
  relation: Relation,
  left: Quantity<Facts>,
  right: Quantity<Facts>,
): (facts: Facts) => boolean {
  const denominator = denominatorOf([left, right])
  const [a, b] = [compileQuantity(left, denominator), compileQuantity(right, denominator)]
  // Numbers and BigInts compare exactly with each other, but not with ===.
  const [first, second] = a.isBig === b.isBig ? [a.read, b.read] : [asBig(a), asBig(b)]
  switch (relation) {
    case '<':
      return (facts) => first(facts) < second(facts)
    case '<=':
      return (facts) => first(facts) <= second(facts)
    case '=':
      return (facts) => first(facts) === second(facts)
  }
}
