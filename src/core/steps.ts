/** Long computations in steps, so that a service can answer requests between them. */

/** A computation that can be interrupted at each `yield`. A step should take a few milliseconds at most. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Rows that a loop should process in one step. */
export const ROWS_PER_STEP = 10_000

/** Runs all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Like `mapValues`, with at least one step for each value. */
export function* mapValuesInSteps<Key, From, To>(
  map: ReadonlyMap<Key, From>,
  change: (value: From) => Steps<To>,
): Steps<ReadonlyMap<Key, To>> {
  const changed = new Map<Key, To>()
  for (const [key, value] of map) {
    changed.set(key, yield* change(value))
    yield
  }
  return changed
}
