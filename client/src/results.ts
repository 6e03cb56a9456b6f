/** Helpers for results. Every operation that can fail returns a union; members that are not a success are problems. */
import { possibleTypes } from './generated.ts'

/** The `__typename` of the types that implement `Problem`. */
export type ProblemTypename = (typeof possibleTypes)['Problem'][number]

type Member = { readonly __typename: string }

/** The problems of a union. */
export type ProblemIn<Result extends Member> = Extract<Result, { readonly __typename: ProblemTypename }>

/** The members of a union that are a success. */
export type SuccessIn<Result extends Member> = Exclude<Result, { readonly __typename: ProblemTypename }>

const PROBLEMS: ReadonlySet<string> = /* @__PURE__ */ new Set(possibleTypes.Problem)

/** Whether a result is a problem. `CancellationPending` is one too. */
export function isProblem<Result extends Member>(result: Result): result is ProblemIn<Result> {
  return PROBLEMS.has(result.__typename)
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

/** Returns the result if it is a success. Otherwise throws a `ProblemError`. */
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
