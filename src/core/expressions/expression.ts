/**
 * The expression language of rate cards: conditions and amounts of surcharges. An expression is parsed, checked and
 * compiled once; what passes cannot fail afterwards. Language: docs/rate-card-expressions.md.
 */
import type { Quantity } from './checked.ts'
import { Checker } from './checker.ts'
import { compileQuantity, compileTest, type Numerator } from './compiler.ts'
import { ExpressionFault } from './expression-fault.ts'
import { parseExpression } from './parser.ts'
import { rationalText } from './rational.ts'
import type { Syntax } from './syntax.ts'
import { DIMENSION_TEXT } from './units.ts'
import type { Measure, Vocabulary } from './vocabulary.ts'

export type Compiled<Facts> = {
  /** As it is written. */
  readonly text: string
  readonly syntax: Syntax
  /** Undefined for words that measures are compared with. `index` is that of a list's element, from 1. */
  readonly measureOf: (name: string, index: number | undefined) => Measure<Facts> | undefined
}

export type Condition<Facts> = Compiled<Facts> & { readonly holds: (facts: Facts) => boolean }

/** A number without a unit: `numerator / denominator`. */
export type Amount<Facts> = Compiled<Facts> & {
  readonly denominator: bigint
  readonly numerator: Numerator<Facts>
}

/** A weight in kilograms: `numerator / denominator`. */
export type Weight<Facts> = Amount<Facts>

/** Throws an ExpressionFault. */
export function compileCondition<Facts>(text: string, vocabulary: Vocabulary<Facts>): Condition<Facts> {
  const syntax = parseExpression(text)
  return { ...compiled(text, syntax, vocabulary), holds: compileTest(new Checker(vocabulary).test(syntax)) }
}

/**
 * Throws an ExpressionFault, also if the amount can exceed `largest`. The numerator is a number only if it is a safe
 * integer even when it is multiplied by `reserve`.
 */
export function compileAmount<Facts>(
  text: string,
  vocabulary: Vocabulary<Facts>,
  { largest, reserve }: { readonly largest: bigint; readonly reserve: bigint },
): Amount<Facts> {
  const syntax = parseExpression(text)
  const quantity = new Checker(vocabulary).quantity(syntax)
  const { dimension } = quantity
  if (dimension !== 'number') {
    const found = DIMENSION_TEXT[dimension]
    throw new ExpressionFault(
      syntax.at,
      `expected an amount, which is a number without a unit, found ${found}`,
    )
  }
  const limit = { largest, what: 'amount', example: 'min(560, 2.25 * billed_kg)' }
  requireWithin(quantity, limit, syntax)
  return { ...compiled(text, syntax, vocabulary), ...compiledQuantity(quantity, reserve) }
}

/** A number without a unit counts kilograms. Throws an ExpressionFault, also if the weight can exceed `largest`. */
export function compileWeight<Facts>(
  text: string,
  vocabulary: Vocabulary<Facts>,
  largest: bigint,
): Weight<Facts> {
  const syntax = parseExpression(text)
  const quantity = new Checker(vocabulary).quantity(syntax)
  const { dimension } = quantity
  if (dimension !== 'weight' && dimension !== 'number')
    throw new ExpressionFault(
      syntax.at,
      `expected ${DIMENSION_TEXT.weight}, found ${DIMENSION_TEXT[dimension]}`,
    )
  requireWithin(quantity, { largest, what: 'weight', example: 'min(1000 kg, kg)' }, syntax)
  return { ...compiled(text, syntax, vocabulary), ...compiledQuantity(quantity, 1n) }
}

function compiledQuantity<Facts>(
  quantity: Quantity<Facts>,
  reserve: bigint,
): Pick<Amount<Facts>, 'denominator' | 'numerator'> {
  const { denominator } = quantity
  return { denominator, numerator: compileQuantity(quantity, denominator, reserve) }
}

function requireWithin(
  { max, denominator }: Quantity<never>,
  limit: { readonly largest: bigint; readonly what: string; readonly example: string },
  syntax: Syntax,
): void {
  if (max <= limit.largest * denominator) return
  const reached = rationalText({ numerator: max / denominator, denominator: 1n })
  throw new ExpressionFault(
    syntax.at,
    `the ${limit.what} could reach ${reached}; limit it with min(), as in ${limit.example}`,
  )
}

function compiled<Facts>(
  text: string,
  syntax: Syntax,
  { measures, lists }: Vocabulary<Facts>,
): Compiled<Facts> {
  return {
    text,
    syntax,
    measureOf: (name, index) =>
      measures.get(index === undefined ? name : (lists.get(name)?.[index - 1] ?? '')),
  }
}
