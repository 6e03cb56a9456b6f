/** The queue of one request for the event loop. See docs/limits.md#fair-use-of-the-processor. */
import type { Turns } from '../../operations/ports/work.ts'

/**
 * Waits until the next piece of work may start. graphql-js starts all resolvers of a request at the same time. `pause`
 * queues them in the order of the calls, and lets other requests run when the turn is over. After the request is
 * stopped, pending and later calls reject with the error of `Turns.next`.
 */
export type Pause = () => Promise<void>

export function createPause(turns: Turns): Pause {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => (turns.over() ? turns.next() : undefined))
    return last
  }
}
