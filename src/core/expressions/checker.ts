/**
 * Checks a parsed expression: names, types, dimensions, ranges and divisions. What passes cannot fail when it is
 * evaluated. Rules: docs/rate-card-expressions.md.
 */
import { casesOf, type Span, spanTest } from './cases.ts'
import type { Quantity, Test } from './checked.ts'
import { type Day, dayOf } from './days.ts'
import { ExpressionFault } from './expression-fault.ts'
import {
  constant,
  constantOf,
  count,
  extreme,
  measured,
  negated,
  product,
  productDimension,
  quotient,
  quotientDimension,
  rounded,
  sum,
} from './quantities.ts'
import { rational, rationalOfDecimal, times } from './rational.ts'
import type { Choice, Comparator, Syntax } from './syntax.ts'
import { DIMENSION_TEXT, type Dimension, isCounted, UNITS } from './units.ts'
import type { DayMeasure, Measure, Vocabulary, WordMeasure } from './vocabulary.ts'

export const FUNCTIONS = ['min', 'max', 'ceil', 'floor', 'round', 'count'] as const

type Checked<Facts> =
  | { readonly type: 'quantity'; readonly quantity: Quantity<Facts> }
  | { readonly type: 'test'; readonly test: Test<Facts> }
  | Exclude<Measure<Facts>, { readonly type: 'quantity' | 'flag' }>

type SyntaxOf<Kind> = Extract<Syntax, { readonly kind: Kind }>

/** Throws an ExpressionFault. */
export class Checker<Facts> {
  private readonly vocabulary: Vocabulary<Facts>

  constructor(vocabulary: Vocabulary<Facts>) {
    this.vocabulary = vocabulary
  }

  test(syntax: Syntax): Test<Facts> {
    const checked = this.check(syntax)
    if (checked.type !== 'test')
      throw new ExpressionFault(
        syntax.at,
        `expected a condition such as kg > 20, found ${described(checked)}`,
      )
    return checked.test
  }

  quantity(syntax: Syntax): Quantity<Facts> {
    const checked = this.check(syntax)
    if (checked.type !== 'quantity')
      throw new ExpressionFault(syntax.at, `expected a number, found ${described(checked)}`)
    return checked.quantity
  }

  private check(syntax: Syntax): Checked<Facts> {
    switch (syntax.kind) {
      case 'number':
        return { type: 'quantity', quantity: this.literal(syntax) }
      case 'name':
        return this.name(syntax)
      case 'quoted':
        throw new ExpressionFault(
          syntax.at,
          'a word in quotes can only be compared with, as in to_group = "G 1"',
        )
      case 'day':
        throw new ExpressionFault(
          syntax.at,
          `${syntax.text} is a day; days are compared with date. To subtract, put blanks around the minus sign`,
        )
      case 'negative':
        return this.fitting(syntax, negated(this.quantity(syntax.part)))
      case 'arithmetic':
        return this.arithmetic(syntax)
      case 'call':
        return this.call(syntax)
      case 'comparison':
        return { type: 'test', test: this.comparison(syntax) }
      case 'in':
        return { type: 'test', test: this.membership(syntax) }
      case 'not':
        return { type: 'test', test: { kind: 'not', part: this.test(syntax.part) } }
      case 'and':
      case 'or':
        return {
          type: 'test',
          test: { kind: syntax.kind, parts: syntax.parts.map((part) => this.test(part)) },
        }
      case 'by':
        return this.by(syntax)
    }
  }

  private fitting({ at }: Syntax, quantity: Quantity<Facts> | undefined): Checked<Facts> {
    if (quantity === undefined) throw new ExpressionFault(at, 'the numbers here become too large or too fine')
    return { type: 'quantity', quantity }
  }

  private literal({ text, unit, at }: SyntaxOf<'number'>): Quantity<Facts> {
    const value = rationalOfDecimal(text)
    if (unit === '') return constant<Facts>(value, 'number', true)!
    if (unit === '%') return constant<Facts>(times(value, rational(1n, 100n)), 'number')!
    const known = UNITS.get(unit)
    if (known === undefined)
      throw new ExpressionFault(
        at,
        `unknown unit ${unit}; the units are ${[...UNITS.keys()].join(', ')}, and %`,
      )
    return constant<Facts>(times(value, known.size), known.dimension)!
  }

  private name(syntax: SyntaxOf<'name'>): Checked<Facts> {
    const measure = this.measure(syntax)
    if (measure.type === 'quantity') return { type: 'quantity', quantity: measured(measure) }
    return measure.type === 'flag' ? { type: 'test', test: { kind: 'fact', read: measure.read } } : measure
  }

  private measure({ name, index, at }: SyntaxOf<'name'>): Measure<Facts> {
    const { measures, lists, unavailable } = this.vocabulary
    const list = lists.get(name)
    const reason = unavailable.get(name)
    if (reason !== undefined) throw new ExpressionFault(at, `${reason}: ${name}`)
    if (list === undefined && index !== undefined) throw new ExpressionFault(at, `${name} has no elements`)
    const key = list === undefined ? name : list[(index ?? 0) - 1]
    if (key === undefined) throw new ExpressionFault(at, `expected ${name}[1] to ${name}[${list!.length}]`)
    const measure = measures.get(key)
    if (measure !== undefined) return measure
    const known = [...measures.keys(), ...lists.keys()].join(', ')
    throw new ExpressionFault(at, `unknown name ${name}; the names are ${known}`)
  }

  private arithmetic(syntax: SyntaxOf<'arithmetic'>): Checked<Facts> {
    const { operator, at } = syntax
    const [left, right] = [this.quantity(syntax.left), this.quantity(syntax.right)]
    if (operator === '+' || operator === '-') {
      const [first, second] = this.alike([left, right], at) as [Quantity<Facts>, Quantity<Facts>]
      return this.fitting(syntax, sum(first, second, operator === '+' ? 1n : -1n, first.dimension))
    }
    const dimension = (operator === '*' ? productDimension : quotientDimension)(
      left.dimension,
      right.dimension,
    )
    if (dimension === undefined) {
      const [a, b] = [DIMENSION_TEXT[left.dimension], DIMENSION_TEXT[right.dimension]]
      throw new ExpressionFault(at, `units that do not fit: ${a} ${operator} ${b}`)
    }
    if (operator === '*') return this.fitting(syntax, product(left, right, dimension))
    const divisor = constantOf(right)
    if (divisor === undefined)
      throw new ExpressionFault(
        at,
        'division by a figure that is not constant; only constants can be divisors',
      )
    if (divisor.numerator === 0n) throw new ExpressionFault(at, 'division by zero')
    return this.fitting(syntax, quotient(left, divisor, dimension))
  }

  /** Figures of one dimension. Next to weights, bare constants count kilograms; next to floors, loading metres. */
  private alike(quantities: readonly Quantity<Facts>[], at: number): readonly Quantity<Facts>[] {
    const counted = quantities.find(({ dimension }) => isCounted(dimension))?.dimension
    const converted = quantities.map((quantity) =>
      counted !== undefined && quantity.isBare
        ? { ...quantity, dimension: counted, isBare: false }
        : quantity,
    )
    const dimensions = [...new Set(converted.map(({ dimension }) => dimension))]
    const [first, second] = dimensions as [Dimension, Dimension | undefined]
    if (second === undefined) return converted
    throw new ExpressionFault(
      at,
      `units that do not fit: ${DIMENSION_TEXT[first]} with ${DIMENSION_TEXT[second]}`,
    )
  }

  private call(syntax: SyntaxOf<'call'>): Checked<Facts> {
    const { name, parts, at } = syntax
    switch (name) {
      case 'count':
        return { type: 'quantity', quantity: count(parts.map((part) => this.test(part))) }
      case 'min':
      case 'max': {
        if (parts.length < 2) throw new ExpressionFault(at, `${name} needs at least two figures`)
        const quantities = this.alike(
          parts.map((part) => this.quantity(part)),
          at,
        )
        return this.fitting(syntax, extreme(name, quantities, quantities[0]!.dimension))
      }
      case 'ceil':
      case 'floor':
      case 'round':
        return this.fitting(syntax, this.rounding(name, parts, at))
    }
    throw new ExpressionFault(at, `unknown function ${name}; the functions are ${FUNCTIONS.join(', ')}`)
  }

  private rounding(
    mode: 'ceil' | 'floor' | 'round',
    parts: readonly Syntax[],
    at: number,
  ): Quantity<Facts> | undefined {
    const [first, second, third] = parts
    if (first === undefined || third !== undefined)
      throw new ExpressionFault(at, `${mode} needs a figure, and optionally a step: ${mode}(longest, 1 in)`)
    const part = this.quantity(first)
    if (second === undefined) {
      if (part.dimension === 'number') return rounded(mode, part, rational(1n))
      const example = `${mode}(longest, 1 in)`
      throw new ExpressionFault(at, `${DIMENSION_TEXT[part.dimension]} needs a step to round to: ${example}`)
    }
    const [figure, step] = this.alike([part, this.quantity(second)], at) as [Quantity<Facts>, Quantity<Facts>]
    const size = constantOf(step)
    if (size === undefined || size.numerator <= 0n)
      throw new ExpressionFault(second.at, 'the step must be a constant above 0')
    return rounded(mode, figure, size)
  }

  private comparison({ operator, left, right, at }: SyntaxOf<'comparison'>): Test<Facts> {
    const subject = this.check(left)
    switch (subject.type) {
      case 'test':
        throw new ExpressionFault(at, 'a condition cannot be compared; use and, or, not')
      case 'word': {
        const test = this.wordTest(subject, [{ low: right, high: right, isRange: false, at: right.at }])
        if (operator === '=') return test
        if (operator === '!=') return { kind: 'not', part: test }
        throw new ExpressionFault(at, 'words can only be compared with = and !=')
      }
      case 'day':
        return this.dayComparison(subject, operator, right, at)
      case 'quantity': {
        const [a, b] = this.alike([subject.quantity, this.quantity(right)], at) as [
          Quantity<Facts>,
          Quantity<Facts>,
        ]
        return related(a, operator, b)
      }
    }
  }

  private dayComparison(
    { read }: DayMeasure<Facts>,
    operator: Comparator,
    right: Syntax,
    at: number,
  ): Test<Facts> {
    const day = dayOf(right)
    if (operator !== '=' && operator !== '!=' && day.kind === 'yearly')
      throw new ExpressionFault(
        at,
        'a day of every year can only be compared with =, != and in, as in 11-15..01-05',
      )
    if (day.kind === 'yearly') {
      const test = isOn(read, day)
      return { kind: 'fact', read: operator === '=' ? test : (facts) => !test(facts) }
    }
    const { number } = day
    const compare: Readonly<Record<Comparator, (facts: Facts) => boolean>> = {
      '=': (facts) => read(facts) === number,
      '!=': (facts) => read(facts) !== number,
      '<': (facts) => read(facts) < number,
      '<=': (facts) => read(facts) <= number,
      '>': (facts) => read(facts) > number,
      '>=': (facts) => read(facts) >= number,
    }
    return { kind: 'fact', read: compare[operator] }
  }

  private membership({ part, choices, at }: SyntaxOf<'in'>): Test<Facts> {
    const subject = this.check(part)
    switch (subject.type) {
      case 'test':
        throw new ExpressionFault(at, 'a condition cannot be compared; use and, or, not')
      case 'word':
        return this.wordTest(subject, choices)
      case 'day':
        return anyOf(choices.map((choice) => this.dayTest(subject, choice)))
      case 'quantity':
        return anyOf(choices.map((choice) => spanTest(subject.quantity, this.span(subject.quantity, choice))))
    }
  }

  private wordTest({ read, isWord, expected }: WordMeasure<Facts>, choices: readonly Choice[]): Test<Facts> {
    const words = new Set(
      choices.map(({ low, isRange, at }) => {
        const word = isRange ? undefined : wordOf(low)
        if (word === undefined || !isWord(word)) throw new ExpressionFault(at, `expected ${expected}`)
        return word
      }),
    )
    const [only, second] = read
    if (only !== undefined && second === undefined)
      return { kind: 'fact', read: (facts) => words.has(only(facts) ?? '') }
    return { kind: 'fact', read: (facts) => read.some((end) => words.has(end(facts) ?? '')) }
  }

  private dayTest({ read }: DayMeasure<Facts>, { low, high, isRange, at }: Choice): Test<Facts> {
    if (low === undefined || high === undefined)
      throw new ExpressionFault(at, 'a range of days needs both its ends')
    const [first, last] = [dayOf(low), dayOf(high)]
    if (!isRange) return { kind: 'fact', read: isOn(read, first) }
    if (first.kind === 'yearly' && last.kind === 'yearly')
      return { kind: 'fact', read: (facts) => isInSeason(read(facts), first, last) }
    if (first.kind === 'yearly' || last.kind === 'yearly')
      throw new ExpressionFault(at, 'either both ends of a range have a year, or none')
    if (first.number > last.number)
      throw new ExpressionFault(at, 'the first day of a range is after the last')
    return {
      kind: 'fact',
      read: (facts) => read(facts) >= first.number && read(facts) <= last.number,
    }
  }

  /** The bounds of a choice, in the dimension of the subject. */
  private span(subject: Quantity<Facts>, { low, high, at }: Choice): Span<Facts> {
    const bounds = [low, high].map((bound) => bound && this.quantity(bound))
    const [first, last] = bounds
    if (
      isCounted(subject.dimension) &&
      first !== undefined &&
      last !== undefined &&
      first.isBare !== last.isBare
    )
      throw new ExpressionFault(at, 'either both ends of a range have a unit, or none')
    const [from, to] = bounds.map((bound) => bound && this.alike([subject, bound], at)[1])
    return { low: from, high: to, at }
  }

  private by(syntax: SyntaxOf<'by'>): Checked<Facts> {
    const { subject: subjectSyntax, cases, otherwise, at } = syntax
    const subject = this.check(subjectSyntax)
    const written = [...cases.map(({ value }) => value), ...(otherwise === undefined ? [] : [otherwise])]
    const values = this.alike(
      written.map((value) => this.quantity(value)),
      at,
    )
    const last = otherwise === undefined ? undefined : values.at(-1)
    if (subject.type === 'quantity') {
      const spans = cases.map(({ choice }) => this.span(subject.quantity, choice))
      return this.fitting(syntax, casesOf(subject.quantity, spans, values, last, at))
    }
    if (subject.type !== 'word')
      throw new ExpressionFault(subjectSyntax.at, 'by needs a figure or a word, such as zone or to_country')
    if (last === undefined) throw new ExpressionFault(at, 'cases of words need an else')
    const tests = cases.map(({ choice }) => this.wordTest(subject, [choice]))
    return this.fitting(syntax, casesOf(undefined, tests, values, last, at))
  }
}

/** Days are numbers such as 20261121. */
function isOn<Facts>(read: (facts: Facts) => number, day: Day): (facts: Facts) => boolean {
  if (day.kind === 'date') return (facts) => read(facts) === day.number
  return (facts) => numberInYear(day, read(facts)) === read(facts) % 10_000
}

function numberInYear(day: Extract<Day, { kind: 'yearly' }>, on: number): number {
  return day.in(Math.floor(on / 10_000))
}

/** A season that ends on an earlier day of the year than it begins runs over New Year. */
function isInSeason(
  on: number,
  first: Extract<Day, { kind: 'yearly' }>,
  last: Extract<Day, { kind: 'yearly' }>,
): boolean {
  const [from, to, day] = [numberInYear(first, on), numberInYear(last, on), on % 10_000]
  return from <= to ? day >= from && day <= to : day >= from || day <= to
}

function related<Facts>(a: Quantity<Facts>, operator: Comparator, b: Quantity<Facts>): Test<Facts> {
  switch (operator) {
    case '<':
    case '<=':
    case '=':
      return { kind: 'relation', relation: operator, left: a, right: b }
    case '>':
      return { kind: 'relation', relation: '<', left: b, right: a }
    case '>=':
      return { kind: 'relation', relation: '<=', left: b, right: a }
    case '!=':
      return { kind: 'not', part: { kind: 'relation', relation: '=', left: a, right: b } }
  }
}

function anyOf<Facts>(tests: readonly Test<Facts>[]): Test<Facts> {
  const [only, second] = tests
  return only !== undefined && second === undefined ? only : { kind: 'or', parts: tests }
}

/** A word as it is written: a name, a number or a word in quotes. */
function wordOf(syntax: Syntax | undefined): string | undefined {
  if (syntax?.kind === 'name' && syntax.index === undefined) return syntax.name
  if (syntax?.kind === 'quoted') return syntax.text
  return syntax?.kind === 'number' && syntax.unit === '' ? syntax.text : undefined
}

function described<Facts>(checked: Checked<Facts>): string {
  switch (checked.type) {
    case 'quantity':
      return DIMENSION_TEXT[checked.quantity.dimension]
    case 'test':
      return 'a condition'
    case 'word':
      return 'a word, which can only be compared'
    case 'day':
      return 'a day, which can only be compared'
  }
}
