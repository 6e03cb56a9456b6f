/** The turns of one request, shared by its resolvers. See docs/limits.md#fair-use-of-the-processor. */
import type { Turns } from '../../operations/ports/work.ts'

/**
 * graphql-js starts all resolvers of a request at the same time. `next` queues them in the order of the calls: each
 * waits for the ones before it, and for a new turn only if the turn is over by then. After the request is stopped,
 * pending and later calls reject with the error of `Turns.next`.
 */
export function queuedTurns(turns: Turns): Turns {
  let last: Promise<void> = Promise.resolve()
  return {
    over: () => turns.over(),
    next() {
      last = last.then(() => (turns.over() ? turns.next() : undefined))
      return last
    },
  }
}
