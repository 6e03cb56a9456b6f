/** A GraphQL document with the types of its result and its variables. */

/**
 * A document as text. At run time it is a plain string, so it works with every GraphQL client. The property only exists
 * for the compiler.
 */
export type TypedDocumentString<Result, Variables> = string & TypedDocument<Result, Variables>

/**
 * A document that `request` accepts: the documents of this package, and those that the client preset of graphql-codegen
 * generates with `documentMode: 'string'`.
 */
export type TypedDocument<Result, Variables> = {
  toString(): string
  readonly __apiType?: (variables: Variables) => Result
}
