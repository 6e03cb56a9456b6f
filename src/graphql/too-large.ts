/** How an operation that exceeds a limit is refused: which limit, how much of it, and what is allowed. */
import { type ASTNode, GraphQLError } from 'graphql'

/** The code of every such refusal. */
export const TOO_LARGE = 'OPERATION_TOO_LARGE'

/**
 * A limit that is exceeded, as an error for the caller, or nothing. Counting may end where the limit is passed, so
 * `actual` may be lower than the whole. A fraction counts as a whole.
 */
export function excess(
  limit: string,
  actual: number,
  maximum: number,
  node?: ASTNode,
): readonly GraphQLError[] {
  if (actual <= maximum) return []
  const message = `The operation is too large: ${limit} ${actual}, the maximum is ${maximum}`
  const extensions = { code: TOO_LARGE, limit, actual, maximum, http: { status: 400 } }
  return [new GraphQLError(message, { ...(node !== undefined && { nodes: node }), extensions })]
}
