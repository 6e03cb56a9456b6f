/** Settings for graphql-codegen, for callers who write their own documents. */

/**
 * The option `scalars` of graphql-codegen. All scalars of the API are strings in JSON. `Decimal` is never converted to
 * a number, because numbers cannot represent every decimal exactly.
 */
export const codegenScalars = {
  Decimal: { input: 'string', output: 'string' },
  Date: { input: 'string', output: 'string' },
  DateTime: { input: 'string', output: 'string' },
  CountryCode: { input: 'string', output: 'string' },
} as const
