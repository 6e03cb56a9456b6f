/**
 * The cancellations, bookings and lookups that are running in this process. Concurrent requests for the same work
 * share one run, and a shutdown waits for all of it. See docs/cancellation.md#the-protocol.
 */

import { withTimeout } from './work.ts'

/** Work whose callers wait for a limited time. */
export type LimitedWork<Outcome> = {
  readonly outcome: Promise<Outcome>
  /** How long each caller waits, in milliseconds. */
  readonly limitMs: number
  /** The outcome for a caller whose time is over. `outcome` continues. */
  late(): Outcome
}

/** A registry of running work. Each process has one. */
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
    const outcome = started.outcome.finally(() => running.delete(key))
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
