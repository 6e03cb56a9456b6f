/**
 * What the amounts of a rate card are in euro without VAT, by the rules of docs/rate-cards.md#currency-and-vat. It uses
 * fractions and judges a conversion; it does not repeat the steps of the engine.
 */
import {
  compare,
  decimal,
  type Fraction,
  fraction,
  minus,
  over,
  plus,
  sum,
  times,
} from '../customs/fraction.ts'

export type OracleTerms = { readonly unitsPerEuro: string; readonly vatBps: number }

/** Exact euro cents without VAT. */
export function exactEuro(cents: number, { unitsPerEuro, vatBps }: OracleTerms): Fraction {
  const withoutVat = times(fraction(cents), fraction(10_000, 10_000 + vatBps))
  return over(withoutVat, decimal(unitsPerEuro))
}

/** The nearest integer; of two, the larger one. */
export function nearest(value: Fraction): number {
  return floor(plus(value, fraction(1, 2)))
}

function floor({ n, d }: Fraction): number {
  return Number(n >= 0n ? n / d : -((-n + d - 1n) / d))
}

/**
 * What is wrong with the euro amounts of the lines of a price; empty if nothing is. The lines must add up to the sum of
 * the exact amounts, rounded once. Each line is rounded down or up, and those with the largest remainders are rounded
 * up; of equal remainders, the earlier ones.
 */
export function conversionFaults(
  cardCents: readonly number[],
  euroCents: readonly number[],
  terms: OracleTerms,
): string[] {
  const exact = cardCents.map((cents) => exactEuro(cents, terms))
  const total = nearest(sum(exact))
  const added = euroCents.reduce((before, cents) => before + cents, 0)
  const faults = added === total ? [] : [`the lines add up to ${added}, not to ${total}`]
  const remainders = exact.map((value) => minus(value, fraction(floor(value))))
  const steps = euroCents.map((cents, index) => cents - floor(exact[index]!))
  steps.forEach((step, index) => {
    const isExact = remainders[index]!.n === 0n
    if (step !== 0 && (step !== 1 || isExact)) faults.push(`line ${index} differs from its exact amount`)
  })
  for (const [up, step] of steps.entries())
    for (const [down, other] of steps.entries()) {
      if (step !== 1 || other !== 0) continue
      const order = compare(remainders[up]!, remainders[down]!)
      if (order < 0 || (order === 0 && down < up))
        faults.push(`line ${up} is rounded up instead of line ${down}`)
    }
  return faults
}
