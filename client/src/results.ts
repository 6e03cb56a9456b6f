/** Helpers for results. Every operation that can fail returns a union; members that are not a success are problems. */
import { type possibleTypes, successTypes } from './generated.ts'

/** The `__typename` of the types that implement `Problem`. */
export type ProblemTypename = (typeof possibleTypes)['Problem'][number]

/** The `__typename` of the results that are not problems. */
export type SuccessTypename = (typeof successTypes)[number]

type Member = { readonly __typename: string }

/** The problems of a union. */
export type ProblemIn<Result extends Member> = Exclude<Result, { readonly __typename: SuccessTypename }>

/** The members of a union that are not problems. */
export type SuccessIn<Result extends Member> = Extract<Result, { readonly __typename: SuccessTypename }>

const SUCCESSES: ReadonlySet<string> = /* @__PURE__ */ new Set(successTypes)

/**
 * Whether a result is a problem. A type that this version of the package does not know is one: a newer service may
 * return new problems. `CancellationPending` is none, because the cancellation continues.
 */
export function isProblem<Result extends Member>(result: Result): result is ProblemIn<Result> {
  return !SUCCESSES.has(result.__typename)
}

/** Thrown by `unwrap`. */
export class ProblemError<Problem extends Member = Member> extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem

  constructor(problem: Problem) {
    const { message } = problem as { readonly message?: unknown }
    super(typeof message === 'string' ? message : problem.__typename)
    this.problem = problem
  }
}

/** Returns the result if it is not a problem. Otherwise throws a `ProblemError`. */
export function unwrap<Result extends Member>(result: Result): SuccessIn<Result> {
  if (isProblem(result)) throw new ProblemError(result)
  // The compiler does not narrow a type parameter to the rest of the union.
  return result as SuccessIn<Result>
}

/**
 * For the end of a `switch` over `__typename`. The compiler reports an error if a case is missing. At run time it
 * throws, because a newer service may return types that this version of the package does not have.
 */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}

/**
 * For the end of a `switch` over an enum of a result. The compiler reports an error if a case is missing. At run time
 * it returns the value, because a newer service may return values that this version of the package does not have.
 */
export function unknownValue(value: never): string {
  return String(value)
}
