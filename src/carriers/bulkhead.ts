/**
 * A bound on the calls that run at one carrier, so that a slow one takes sockets and memory of nobody else. Who finds
 * it full waits a moment in line; a burst at a fast carrier passes, one at a slow carrier is told that it is busy.
 */

/** The figures of a bulkhead. */
export type BulkheadTerms = {
  /** Calls at once. */
  readonly places: number
  /** How long to wait in line, in milliseconds. */
  readonly waitMs: number
}

/** What holds for every carrier: the wait is part of a lease (see CANCEL_TERMS). */
export const BULKHEAD_TERMS: BulkheadTerms = { places: 128, waitMs: 1_000 }

/** A bulkhead of one carrier. */
export type Bulkhead = {
  /** True when a place is taken, to be given back with `leave`; false when there was none in time. */
  enter(): Promise<boolean>
  leave(): void
  /** Places that are free, when nobody waits in line. */
  free(): number
}

/** An empty bulkhead. */
export function bulkhead({ places, waitMs }: BulkheadTerms = BULKHEAD_TERMS): Bulkhead {
  let running = 0
  const line: ((entered: boolean) => void)[] = []
  return {
    enter() {
      if (running < places) {
        running += 1
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const next = (entered: boolean): void => {
          clearTimeout(timer)
          resolve(entered)
        }
        const timer = setTimeout(() => {
          line.splice(line.indexOf(next), 1)
          resolve(false)
        }, waitMs)
        line.push(next)
      })
    },
    leave() {
      // Whoever is first in line takes over the place.
      const next = line.shift()
      if (next === undefined) running -= 1
      else next(true)
    },
    free: () => places - running,
  }
}
