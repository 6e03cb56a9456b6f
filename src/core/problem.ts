/**
 * What is wrong with a request, modelled once for both doors. Core finds every fault in one pass and names it
 * by a path in core's own words (`from.country`, `parcels.0.weight`); each door spells the path its own way.
 */

/** Where in the request a fault lies, from the outside in: `['parcels', 0, 'weight']`. */
export type FieldPath = readonly (string | number)[]

/** Why a field was not accepted. */
export type FieldProblemCode =
  | 'REQUIRED'
  | 'WRONG_TYPE'
  | 'MALFORMED'
  | 'OUT_OF_RANGE'
  | 'TOO_LONG'
  | 'TOO_MANY'
  | 'UNKNOWN_VALUE'
  | 'CONFLICT'
  | 'UNCLASSIFIABLE'

/** One fault of one field; `message` is a clause without the field's name ("required for NONDOC"). */
export type FieldProblem = {
  readonly path: FieldPath
  readonly code: FieldProblemCode
  readonly message: string
}

/** The codes of every end that is not a success, shared by all operations (GraphQL enum `ProblemCode`). */
export type ProblemCode =
  | 'INVALID_INPUT'
  | 'UNCLASSIFIABLE'
  | 'NOT_FOUND'
  | 'OPTION_NOT_AVAILABLE'
  | 'NOT_BOOKABLE'
  | 'CARRIER_REFUSED'
  | 'ALREADY_IN_TRANSIT'
  | 'CARRIER_UNAVAILABLE'
  | 'CARRIER_UNREACHABLE'

/** A request that cannot be carried out as it stands: every fault, in the order of the request. */
export type InputProblem = {
  readonly kind: 'InputProblem'
  readonly code: 'INVALID_INPUT' | 'UNCLASSIFIABLE'
  readonly message: string
  readonly retryable: false
  readonly fields: readonly FieldProblem[]
}

/** Wraps the faults of a request (at least one). */
export function inputProblem(fields: readonly FieldProblem[]): InputProblem {
  const count = fields.length === 1 ? 'one field needs' : `${fields.length} fields need`
  return {
    kind: 'InputProblem',
    code: 'INVALID_INPUT',
    message: `The request was not accepted: ${count} attention`,
    retryable: false,
    fields,
  }
}
