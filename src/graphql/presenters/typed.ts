/** Core outcomes carry `kind`, GraphQL wants `__typename`: the two are always the same word. */
import { formatCents } from '../../core/money.ts'
import { formatKilograms } from '../../core/quantity.ts'
import type { Money, Weight } from '../generated.ts'

/** An outcome with `__typename` instead of `kind`, member by member of its union. */
export type Typed<Outcome> = Outcome extends { readonly kind: infer Kind }
  ? Omit<Outcome, 'kind'> & { readonly __typename: Kind }
  : never

/** Names the GraphQL type of an outcome. The compiler then holds each of its fields against the schema. */
export function typed<Outcome extends { readonly kind: string }>({ kind, ...rest }: Outcome): Typed<Outcome> {
  // A conditional type over a type parameter stays unresolved inside the function, hence the one cast.
  return { __typename: kind, ...rest } as unknown as Typed<Outcome>
}

// How figures go out: exact decimals as text.

/** Cents as money in euro: 1250 is "12.50". */
export function presentMoney(cents: number): Money {
  return { amount: formatCents(cents), currency: 'EUR' }
}

/** Grams as kilograms: 12400 is "12.4". */
export function presentWeight(grams: number): Weight {
  return { kilograms: formatKilograms(grams) }
}
