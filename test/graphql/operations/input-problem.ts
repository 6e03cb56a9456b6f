/** A request that was not accepted, and the selection that reads it. */
import type { InputProblem } from '../../../src/core/problem.ts'

export const PROBLEM = '... on InputProblem { code message retryable fields { path code message } }'

/** One missing field. */
export function faultAt(...path: (string | number)[]): InputProblem {
  return {
    kind: 'InputProblem',
    code: 'INVALID_INPUT',
    message: 'The request was not accepted',
    retryable: false,
    fields: [{ path, code: 'REQUIRED', message: 'required' }],
  }
}
