/**
 * How requests share the process: each works in short turns, and its API key is charged points before the work starts.
 * `http/` implements both; doors and operations only use them. Also the cancellations, bookings and lookups that are
 * running in this process: a shutdown waits for them. See docs/cancellation.md#the-protocol.
 */

/**
 * The turns of one request. A turn is a few milliseconds of uninterrupted work; turns are granted to API keys in
 * rotation, so the large requests of one key do not delay the small requests of another.
 */
export interface Turns {
  /** True when the current turn has used up its time; then call `await next()` before continuing. */
  over(): boolean
  /**
   * Resolves at the start of the next turn. Rejects with `RequestStopped` when the request has reached its deadline
   * or its client has disconnected.
   */
  next(): Promise<void>
}

/** The points that a caller's API key may still spend (see operations/points.ts). */
export interface Allowance {
  /**
   * Takes points; call it before the work that they pay for. Returns undefined if they were available. Otherwise takes
   * nothing and returns the number of seconds (at least 1) until they will be available.
   */
  charge(points: number): number | undefined
  /**
   * For expensive work, after `charge` and before the work: whether the points are available if other replicas are
   * asked. Undefined if there is nothing to ask. Resolves like `charge`; points that are not available are given back.
   * Never rejects.
   */
  confirm?(points: number): Promise<number | undefined> | undefined
  /** Takes points even if they are not available, for work that can no longer be refused. */
  overdraw(points: number): void
}

/** Thrown by a door when `charge` refuses the points. `retryAfterSeconds` is the result of `charge`. */
export class AllowanceExceeded extends Error {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super(`no points are left for ${retryAfterSeconds} s`)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Thrown by a door whose callers sign their requests, when the signature is not valid. */
export class NotSigned extends Error {}

/** Why `Turns.next` ended the work of a request. */
export type StopReason = 'deadline' | 'disconnected'

/** Thrown by `Turns.next` to end the work of a request. */
export class RequestStopped extends Error {
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(reason === 'deadline' ? 'the request took too long' : 'the client disconnected')
    this.reason = reason
  }
}

/** A turn that never ends, for work that delays no other request, such as a command or a test. */
export const UNLIMITED_TURNS: Turns = { over: () => false, next: () => Promise.resolve() }

/** The results of `work` for all items, in order. Other requests can run between two items. */
export async function inTurns<Item, Result>(
  items: Iterable<Item>,
  turns: Turns,
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    if (turns.over()) await turns.next()
    results.push(work(item))
  }
  return results
}

/** An allowance that never runs out, for tests. */
export const UNLIMITED_ALLOWANCE: Allowance = { charge: () => undefined, overdraw: () => {} }

/**
 * Like `work`, but rejects if there is no answer within `limitMs`. An answer that arrived while this process was busy
 * is in time.
 */
export function answeredWithin<Answer>(work: Promise<Answer>, limitMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${limitMs} ms`))
    // Timers run before what has arrived is read, and immediates after it.
    const timer = setTimeout(() => setImmediate(late), limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * The outcome of `work`, or of `late` when `work` has not ended within `limitMs`. `late` may throw. `work` is not
 * stopped; its later outcome is ignored.
 */
export function withTimeout<Outcome>(
  work: Promise<Outcome>,
  limitMs: number,
  late: () => Outcome,
): Promise<Outcome> {
  // One promise. `Promise.race` would create seven for each request.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late())
      } catch (error) {
        reject(error)
      }
    }, limitMs)
    work.then(
      (outcome) => {
        clearTimeout(timer)
        resolve(outcome)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/** Work whose callers wait for a limited time. */
export type LimitedWork<Outcome> = {
  readonly outcome: Promise<Outcome>
  /** How long each caller waits, in milliseconds. */
  readonly limitMs: number
  /** The outcome for a caller whose time is over. `outcome` continues. */
  late(): Outcome
}

/** A registry of running work. Concurrent requests for the same work share one run. Each process has one. */
export interface InFlight {
  /**
   * Starts `work`, or joins the run that is already registered under `key`. All callers get the same outcome or the
   * same error. The work continues when its callers disconnect. Use a key for one kind of work only, because the type
   * of the outcome is not checked.
   */
  run<Outcome>(key: string, work: () => Promise<Outcome>): Promise<Outcome>
  /** Like `run`. A caller who has waited for `limitMs` gets the outcome of `late`. */
  runWithLimit<Outcome>(key: string, start: () => LimitedWork<Outcome>): Promise<Outcome>
  /** Resolves when nothing is running, including work that starts during the wait. Never rejects. */
  drain(): Promise<void>
}

export function openInFlight(): InFlight {
  const running = new Map<string, LimitedWork<unknown>>()

  function join<Outcome>(key: string, start: () => LimitedWork<Outcome>): LimitedWork<Outcome> {
    const joined = running.get(key)
    if (joined !== undefined) return joined as LimitedWork<Outcome>
    const started = start()
    const outcome = started.outcome.then(
      (value) => {
        running.delete(key)
        return value
      },
      (error: unknown) => {
        running.delete(key)
        throw error
      },
    )
    const work: LimitedWork<Outcome> = { outcome, limitMs: started.limitMs, late: () => started.late() }
    running.set(key, work)
    return work
  }

  return {
    run: (key, work) => join(key, () => withoutLimit(work())).outcome,
    runWithLimit(key, start) {
      const { outcome, limitMs, late } = join(key, start)
      return withTimeout(outcome, limitMs, late)
    },
    async drain() {
      while (running.size > 0) await Promise.allSettled([...running.values()].map(({ outcome }) => outcome))
    },
  }
}

function withoutLimit<Outcome>(outcome: Promise<Outcome>): LimitedWork<Outcome> {
  return {
    outcome,
    limitMs: Number.POSITIVE_INFINITY,
    late() {
      throw new Error('this work has no limit')
    },
  }
}
