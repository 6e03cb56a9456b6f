/**
 * Faults of a request, for all doors. Validation in core finds every fault in one pass and gives its path with the
 * field names of core (`from.country`, `parcels.0.weight`). Each door translates the path into its own field names.
 */

/** The path to a field, such as `['parcels', 0, 'weight']`. */
export type FieldPath = readonly (string | number)[]

/** The path of a field or entry of the value at `path`. Much faster than spreading, for the usual lengths. */
export function within(path: FieldPath, step: string | number): FieldPath {
  const [first, second] = path
  if (path.length === 1) return [first!, step]
  return path.length === 2 ? [first!, second!, step] : [...path, step]
}

/**
 * The paths of fields of the value at `path`, by field. For readers that make them once: most requests have no fault,
 * and new paths for every field would be a large part of the memory that reading takes.
 */
export function pathsWithin<Field extends string>(
  path: FieldPath,
  fields: readonly Field[],
): Readonly<Record<Field, FieldPath>> {
  // Every field has an entry.
  return Object.fromEntries(fields.map((field) => [field, within(path, field)])) as Record<Field, FieldPath>
}

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

/** `message` does not repeat the name of the field: "required for NONDOC". */
export type FieldProblem = {
  readonly path: FieldPath
  readonly code: FieldProblemCode
  readonly message: string
  /** A more helpful message, for doors whose texts are not fixed. REST shows `message`. */
  readonly advice?: string
}

/** The codes of all outcomes that are not a success (GraphQL enum `ProblemCode`). */
export type ProblemCode =
  | 'INVALID_INPUT'
  | 'UNCLASSIFIABLE'
  | 'NOT_FOUND'
  | 'OPTION_NOT_AVAILABLE'
  | 'IDEMPOTENCY_CONFLICT'
  | 'NOT_BOOKABLE'
  | 'CARRIER_REFUSED'
  | 'ALREADY_IN_TRANSIT'
  | 'CARRIER_UNAVAILABLE'
  | 'CARRIER_UNREACHABLE'

/** An invalid request, with all its faults. */
export type InputProblem = {
  readonly kind: 'InputProblem'
  readonly code: 'INVALID_INPUT' | 'UNCLASSIFIABLE'
  readonly message: string
  readonly retryable: false
  readonly fields: readonly FieldProblem[]
}

/** `fields` must not be empty. */
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
