/**
 * Stops calls that fail one after the other, and tries again with a single call after a pause that doubles. Calls
 * about a few parcels that a carrier cannot process do not open the circuit, however often they are repeated: many
 * different parcels have to fail without one success in between.
 */

/** The limits of a breaker. */
export type BreakerLimits = {
  /** How many different parcels have to fail in a row to open the circuit. */
  readonly parcels: number
  readonly firstPauseMs: number
  readonly longestPauseMs: number
}

/** The limits in the service. */
export const BREAKER_LIMITS: BreakerLimits = { parcels: 8, firstPauseMs: 2_000, longestPauseMs: 15_000 }

/**
 * `closed`: calls are sent. `open`: no call is sent. `half-open`: the pause is over, and the next call is the trial;
 * while it runs the state is `open` for all others. Success closes the circuit, failure opens it for a longer pause.
 */
export type CircuitState = 'closed' | 'open' | 'half-open'

/** A circuit breaker. Callers report the start and the end of every call. */
export type CircuitBreaker = {
  state(): CircuitState
  /** A call starts. While the state is `half-open`, this makes it the trial. */
  started(): void
  /** A call about `parcel` ended. True when its failure opened a closed circuit. */
  ended(parcel: string, failed: boolean): boolean
}

/** Opens a breaker whose circuit is closed; `now` is a monotonic clock in milliseconds. */
export function circuitBreaker(
  now: () => number = () => performance.now(),
  terms: BreakerLimits = BREAKER_LIMITS,
): CircuitBreaker {
  const failing = new Set<string>()
  let pauseMs = 0
  let openUntil: number | undefined
  let trialRuns = false

  const open = (): void => {
    pauseMs = Math.min(terms.longestPauseMs, pauseMs === 0 ? terms.firstPauseMs : pauseMs * 2)
    openUntil = now() + pauseMs
    trialRuns = false
  }
  const close = (): void => {
    failing.clear()
    pauseMs = 0
    openUntil = undefined
    trialRuns = false
  }
  return {
    state() {
      if (openUntil === undefined) return 'closed'
      return !trialRuns && now() >= openUntil ? 'half-open' : 'open'
    },
    started() {
      if (openUntil !== undefined) trialRuns = true
    },
    ended(parcel, failed) {
      if (!failed) {
        close()
        return false
      }
      if (openUntil !== undefined) {
        // Calls that started before the circuit opened fail here too. Only the trial extends the pause.
        if (trialRuns) open()
        return false
      }
      failing.add(parcel)
      if (failing.size < terms.parcels) return false
      open()
      return true
    },
  }
}
