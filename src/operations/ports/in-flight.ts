/**
 * The cancellations, bookings and lookups that are running in this process. Concurrent requests for the same work
 * share one run, and a shutdown waits for all of it. See docs/cancellation.md#the-protocol.
 */

/** A registry of running work. Each process has one. */
export interface InFlight {
  /**
   * Starts `work`, or joins the run that is already registered under `key`. All callers get the same outcome or the
   * same error. The work continues when its callers disconnect. Use a key for one kind of work only, because the type
   * of the outcome is not checked.
   */
  run<Outcome>(key: string, work: () => Promise<Outcome>): Promise<Outcome>
  /** Resolves when nothing is running, including work that starts during the wait. Never rejects. */
  drain(): Promise<void>
}

export function openInFlight(): InFlight {
  const running = new Map<string, Promise<unknown>>()
  return {
    run<Outcome>(key: string, work: () => Promise<Outcome>): Promise<Outcome> {
      const joined = running.get(key)
      if (joined !== undefined) return joined as Promise<Outcome>
      const started = work().finally(() => running.delete(key))
      running.set(key, started)
      return started
    },
    async drain() {
      while (running.size > 0) await Promise.allSettled(running.values())
    },
  }
}
