/**
 * Circuit breaker: stops calls to a carrier after consecutive failures for several different parcels. After a pause it
 * allows one trial call; each failed trial doubles the pause. Repeated failures for a few parcels do not open the
 * circuit.
 * See docs/cancellation.md#protection-against-broken-carriers.
 */

export type BreakerLimits = {
  /** How many different parcels have to fail in a row to open the circuit. */
  readonly parcels: number
  readonly firstPauseMs: number
  readonly longestPauseMs: number
}

export const BREAKER_LIMITS: BreakerLimits = { parcels: 8, firstPauseMs: 2_000, longestPauseMs: 15_000 }

/**
 * `closed`: calls are sent. `open`: no call is sent. `halfOpen`: the pause is over, and the next call is the trial.
 * While the trial runs, the state is `open`. A successful trial closes the circuit, a failed one opens it for a longer
 * pause.
 */
export type CircuitState = 'closed' | 'open' | 'halfOpen'

/** Report every call: `begin` it, and then either `ended` or `dropped`. */
export type CircuitBreaker = {
  state(): CircuitState
  /** A call is about to start. In the state `halfOpen` it becomes the trial. */
  begin(): BreakerCall
}

export type BreakerCall = {
  /** The call about `parcel` ended. Returns true if its failure opened a closed circuit. */
  ended(parcel: string, failed: boolean): boolean
  /** The call is not made. If it was to be the trial, the next call takes its place. */
  dropped(): void
}

/** `now` is a monotonic clock in milliseconds. */
export function circuitBreaker(
  now: () => number = () => performance.now(),
  limits: BreakerLimits = BREAKER_LIMITS,
): CircuitBreaker {
  const failing = new Set<string>()
  let pauseMs = 0
  let openUntil: number | undefined
  let trialRuns = false

  const open = (): void => {
    pauseMs = Math.min(limits.longestPauseMs, pauseMs === 0 ? limits.firstPauseMs : pauseMs * 2)
    openUntil = now() + pauseMs
    trialRuns = false
  }
  const close = (): void => {
    failing.clear()
    pauseMs = 0
    openUntil = undefined
    trialRuns = false
  }
  const ended = (parcel: string, failed: boolean): boolean => {
    if (!failed) {
      close()
      return false
    }
    if (openUntil !== undefined) {
      // Calls that started before the circuit opened may fail now. Only the trial extends the pause.
      if (trialRuns) open()
      return false
    }
    failing.add(parcel)
    if (failing.size < limits.parcels) return false
    open()
    return true
  }
  return {
    state() {
      if (openUntil === undefined) return 'closed'
      return !trialRuns && now() >= openUntil ? 'halfOpen' : 'open'
    },
    begin() {
      const isTrial = openUntil !== undefined
      if (isTrial) trialRuns = true
      return {
        ended,
        dropped() {
          if (isTrial) trialRuns = false
        },
      }
    },
  }
}
