/** Core outcomes carry `kind`, GraphQL wants `__typename`: the two are always the same word. */

/** An outcome with `__typename` instead of `kind`, member by member of its union. */
export type Typed<Outcome> = Outcome extends { readonly kind: infer Kind }
  ? Omit<Outcome, 'kind'> & { readonly __typename: Kind }
  : never

/** Names the GraphQL type of an outcome. The compiler then holds each of its fields against the schema. */
export function typed<Outcome extends { readonly kind: string }>({ kind, ...rest }: Outcome): Typed<Outcome> {
  // A conditional type over a type parameter stays unresolved inside the function, hence the one cast.
  return { __typename: kind, ...rest } as unknown as Typed<Outcome>
}
