/**
 * The expression language of rate cards: conditions and amounts of surcharges. An expression is parsed, checked and
 * compiled once; what passes cannot fail afterwards. Language: docs/rate-card-expressions.md.
 */
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
  const { dimension, denominator, max } = quantity
  if (dimension !== 'number') {
    const found = DIMENSION_TEXT[dimension]
    throw new ExpressionFault(
      syntax.at,
      `expected an amount, which is a number without a unit, found ${found}`,
    )
  }
  if (max > largest * denominator) {
    const reached = rationalText({ numerator: max / denominator, denominator: 1n })
    const limit = `limit it with min(), as in min(560, 2.25 * billed_kg)`
    throw new ExpressionFault(syntax.at, `the amount could reach ${reached}; ${limit}`)
  }
  return {
    ...compiled(text, syntax, vocabulary),
    denominator,
    numerator: compileQuantity(quantity, denominator, reserve),
  }
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
