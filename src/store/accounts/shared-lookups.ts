/**
 * Lookups by id that share statements. Concurrent lookups go into one statement, at most one statement runs at a time,
 * and the number of waiting ids is bounded. A flood of random ids therefore causes a fixed number of statements per
 * second.
 */
import { Overload } from '../database/outage.ts'

export type LookupTerms<Found> = {
  /** Reads the ids in one statement. Ids that are missing from the result do not exist. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, Found>>
  /** Ids per statement; default 500, which PostgreSQL finds by index in about a millisecond. */
  readonly maxIds?: number
  /** Unknown ids that can wait; default 2,000 (four statements). More are rejected with `Overload`. */
  readonly maxWaiting?: number
  /** Minimum interval between statements for unknown ids only; default 100 milliseconds. */
  readonly spacingMs?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number
}

export type SharedLookups<Found> = {
  /**
   * The value with this id, or undefined. Concurrent lookups of the same id share one result.
   *
   * Known ids come first: their statement starts in the same turn of the event loop, or when the running one ends. The
   * caller has to bound their number. Unknown ids join that statement if there is room. Otherwise they wait until
   * `spacingMs` have passed since the start of the previous statement.
   *
   * Rejects with `Overload` if too many unknown ids are waiting, and with the error of `read`. An error also rejects
   * all waiting ids, so that they do not wait for another timeout each.
   */
  find(id: string, isKnown: boolean): Promise<Found | undefined>
}

type Lookup<Found> = {
  readonly answer: Promise<Found | undefined>
  resolve(found: Found | undefined): void
  reject(error: unknown): void
}

/** Needs no closing: a timer runs only while ids wait. */
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
        return Promise.reject(new Overload('too many lookups of unknown API keys'))
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
  // The constructor of a promise has run its executor.
  return { answer, ...settle! }
}

/** Removes at most `max` entries: earlier queues first, then older entries. */
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
