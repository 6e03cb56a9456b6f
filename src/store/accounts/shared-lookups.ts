/**
 * Lookups by id that share statements. All ids that are requested at the same time go into one statement, at most one
 * statement runs at a time, and the number of waiting ids is bounded. A flood of random ids therefore costs a fixed
 * number of statements per second, however many requests it has.
 */
import { Overload } from '../database/outage.ts'

/** How lookups are shared. The defaults are those of the credential store. */
export type LookupTerms<Found> = {
  /** Reads the ids in one statement. Ids that are missing from the result do not exist. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, Found>>
  /** Ids per statement; 500. PostgreSQL finds 500 ids by index in about a millisecond. */
  readonly maxIds?: number
  /** Unknown ids that may wait; 2,000, which four statements answer. Further ones fail with `Overload`. */
  readonly maxWaiting?: number
  /** Minimum time between the starts of statements for unknown ids alone, in milliseconds; 100. */
  readonly spacingMs?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number
}

/** Lookups that share statements. */
export type SharedLookups<Found> = {
  /**
   * What has this id, or undefined. Requests for the same id share one answer, also while its statement is running.
   *
   * Known ids go first: their statement starts in the same turn of the event loop, or as soon as the running one has
   * ended. Their number is not limited here; the caller knows that it is bounded. Unknown ids join that statement if
   * there is room, or wait until `spacingMs` have passed since the last one started.
   *
   * Rejects with `Overload` when too many unknown ids are waiting, and with the error of `read`. A failure also
   * rejects every id that is still waiting: otherwise each of them could wait for another time-out.
   */
  find(id: string, isKnown: boolean): Promise<Found | undefined>
}

type Lookup<Found> = {
  readonly answer: Promise<Found | undefined>
  resolve(found: Found | undefined): void
  reject(error: unknown): void
}

/** Opens lookups with nothing waiting. They need no closing; a timer runs only while ids wait. */
export function shareLookups<Found>({
  read,
  maxIds = 500,
  maxWaiting = 2_000,
  spacingMs = 100,
  now = () => performance.now(),
}: LookupTerms<Found>): SharedLookups<Found> {
  const known = new Map<string, Lookup<Found>>()
  const unknown = new Map<string, Lookup<Found>>()
  let running = new Map<string, Lookup<Found>>()
  let startedAt = Number.NEGATIVE_INFINITY
  let soon: NodeJS.Immediate | undefined
  let later: NodeJS.Timeout | undefined

  const schedule = (): void => {
    if (running.size > 0) return
    if (known.size > 0) soon ??= setImmediate(run)
    else if (unknown.size > 0) later ??= setTimeout(run, Math.max(0, startedAt + spacingMs - now()))
  }

  const run = async (): Promise<void> => {
    clearImmediate(soon)
    clearTimeout(later)
    soon = undefined
    later = undefined
    running = take([known, unknown], maxIds)
    startedAt = now()
    try {
      const found = await read([...running.keys()])
      for (const [id, { resolve }] of running) resolve(found.get(id))
    } catch (error) {
      for (const lookups of [running, known, unknown]) {
        for (const { reject } of lookups.values()) reject(error)
        lookups.clear()
      }
    }
    running = new Map()
    schedule()
  }

  return {
    find(id, isKnown) {
      const shared = running.get(id) ?? known.get(id) ?? unknown.get(id)
      if (shared !== undefined) return shared.answer
      if (!isKnown && unknown.size >= maxWaiting)
        return Promise.reject(new Overload('too many unknown API keys are being looked up'))
      const lookup = openLookup<Found>()
      ;(isKnown ? known : unknown).set(id, lookup)
      schedule()
      return lookup.answer
    },
  }
}

function openLookup<Found>(): Lookup<Found> {
  let settle: Omit<Lookup<Found>, 'answer'> | undefined
  const answer = new Promise<Found | undefined>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // The executor of a promise has run when the constructor returns.
  return { answer, ...settle! }
}

/** Removes at most `max` entries, from the first queue first and in each the oldest first. */
function take<Entry>(queues: readonly Map<string, Entry>[], max: number): Map<string, Entry> {
  const taken = new Map<string, Entry>()
  for (const queue of queues)
    for (const [id, entry] of queue) {
      if (taken.size >= max) return taken
      taken.set(id, entry)
      queue.delete(id)
    }
  return taken
}
