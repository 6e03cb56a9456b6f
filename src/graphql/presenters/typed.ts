/** Values that all presenters use: typed outcomes, money and weights. */
import { formatCents } from '../../core/money.ts'
import { formatKilograms } from '../../core/quantity.ts'
import type { Money, Weight } from '../generated.ts'

/** An outcome with `__typename` instead of `kind`. Distributes over unions. */
export type Typed<Outcome> = Outcome extends { readonly kind: infer Kind }
  ? Omit<Outcome, 'kind'> & { readonly __typename: Kind }
  : never

/**
 * Converts an outcome of core to its GraphQL type, which has the same name (docs/decisions/api.md#d1). The compiler then
 * checks its fields against the schema.
 */
export function typed<Outcome extends { readonly kind: string }>(outcome: Outcome): Typed<Outcome>
// A second signature, because the compiler does not resolve the conditional type `Typed` inside the function.
export function typed({ kind, ...rest }: { readonly kind: string }): object {
  return { __typename: kind, ...rest }
}

/** 1250 becomes EUR "12.50". */
export function presentMoney(cents: number): Money {
  return { amount: formatCents(cents), currency: 'EUR' }
}

/** 12400 becomes "12.4". */
export function presentWeight(grams: number): Weight {
  return { kilograms: formatKilograms(grams) }
}
