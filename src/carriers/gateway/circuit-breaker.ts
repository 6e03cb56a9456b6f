/**
 * Circuit breaker: stops calls to a carrier after consecutive failures for several different parcels. After a pause it
 * allows one trial call; each failed trial doubles the pause. Repeated failures for a few parcels do not open the
 * circuit, unless the carrier rejects the credentials.
 * See docs/cancellation.md#protection-against-broken-carriers.
 */

export type BreakerLimits = {
  /** How many different parcels have to fail in a row to open the circuit. */
  readonly parcels: number
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** The same pauses if the carrier rejects the credentials. */
  readonly firstRejectionPauseMs: number
  readonly longestRejectionPauseMs: number
}

export const BREAKER_LIMITS: BreakerLimits = {
  parcels: 8,
  firstPauseMs: 2_000,
  longestPauseMs: 15_000,
  firstRejectionPauseMs: 60_000,
  longestRejectionPauseMs: 900_000,
}

/**
 * How a call ended. `failed`: an outage or overload, which counts once per parcel. `rejected`: the carrier rejects the
 * credentials, which counts for every call. `pauseMs`: the carrier accepts no calls during this time, so the circuit
 * opens at once.
 */
export type CallEnd =
  | { readonly kind: 'ok' | 'failed' | 'rejected' }
  | { readonly kind: 'paused'; readonly pauseMs: number }

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
  /** The call about `parcel` ended. Returns true if that opened a closed circuit. */
  ended(parcel: string, end: CallEnd): boolean
  /** The call is not made. If it was to be the trial, the next call takes its place. */
  dropped(): void
}

/** `now` is a monotonic clock in milliseconds. */
export function circuitBreaker(
  now: () => number = () => performance.now(),
  limits: BreakerLimits = BREAKER_LIMITS,
): CircuitBreaker {
  const failing = new Set<string>()
  /** Calls since the last success that failed because of the credentials. */
  let rejected = 0
  let pauseMs = 0
  let openUntil: number | undefined
  /** The end of a pause that the carrier asked for. Successes of earlier calls do not end it. */
  let pausedUntil = Number.NEGATIVE_INFINITY
  let trialRuns = false

  const open = (isRejection: boolean): void => {
    pauseMs = nextPauseMs(pauseMs, isRejection, limits)
    openUntil = Math.max(now() + pauseMs, pausedUntil)
    trialRuns = false
  }
  const pause = (forMs: number): boolean => {
    const wasClosed = openUntil === undefined
    pausedUntil = Math.max(pausedUntil, now() + forMs)
    openUntil = Math.max(openUntil ?? 0, pausedUntil)
    trialRuns = false
    return wasClosed
  }
  const close = (): void => {
    if (now() < pausedUntil) return
    failing.clear()
    rejected = 0
    pauseMs = 0
    openUntil = undefined
    trialRuns = false
  }
  const fail = (parcel: string, isRejection: boolean): boolean => {
    if (openUntil !== undefined) {
      // Calls that started before the circuit opened may fail now. Only the trial extends the pause.
      if (trialRuns) open(isRejection)
      return false
    }
    if (isRejection) rejected += 1
    else failing.add(parcel)
    if (failing.size + rejected < limits.parcels) return false
    open(isRejection)
    return true
  }
  const ended = (parcel: string, end: CallEnd): boolean => {
    if (end.kind === 'paused') return pause(end.pauseMs)
    if (end.kind !== 'ok') return fail(parcel, end.kind === 'rejected')
    close()
    return false
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

/** `pauseMs` is the length of the previous pause, or 0. */
function nextPauseMs(pauseMs: number, isRejection: boolean, limits: BreakerLimits): number {
  const { firstPauseMs, longestPauseMs, firstRejectionPauseMs, longestRejectionPauseMs } = limits
  const first = isRejection ? firstRejectionPauseMs : firstPauseMs
  const longest = isRejection ? longestRejectionPauseMs : longestPauseMs
  return Math.min(longest, Math.max(first, pauseMs * 2))
}
