/**
 * Leaves a carrier alone that fails call after call, and tries it again with one call after a pause that doubles.
 * A few parcels that the carrier chokes on, however often they are asked about, are not the carrier: many different
 * ones must fail with not one success between them.
 */

/** The figures of a breaker. */
export type BreakerTerms = {
  /** Different parcels that fail in a row and open it. */
  readonly parcels: number
  readonly firstPauseMs: number
  readonly slowestPauseMs: number
}

/** What holds for every carrier. */
export const BREAKER_TERMS: BreakerTerms = { parcels: 8, firstPauseMs: 2_000, slowestPauseMs: 15_000 }

/** A breaker of one carrier. */
export type CircuitBreaker = {
  /** `closed`: calls go out. `open`: none does. `trial`: one may, its outcome decides; then `open` for the others. */
  standing(): 'closed' | 'open' | 'trial'
  /** A call goes out now; while on trial it is the one. */
  began(): void
  /** How a call about a parcel ended. True when this opened the circuit. */
  ended(parcel: string, failed: boolean): boolean
}

/** A closed breaker; `now` is a clock in milliseconds that never goes back. */
export function circuitBreaker(
  now: () => number = () => performance.now(),
  terms: BreakerTerms = BREAKER_TERMS,
): CircuitBreaker {
  const failing = new Set<string>()
  let pauseMs = 0
  let openUntil: number | undefined
  let trying = false

  const open = (): void => {
    pauseMs = Math.min(terms.slowestPauseMs, pauseMs === 0 ? terms.firstPauseMs : pauseMs * 2)
    openUntil = now() + pauseMs
    trying = false
  }
  const close = (): void => {
    failing.clear()
    pauseMs = 0
    openUntil = undefined
    trying = false
  }
  return {
    standing() {
      if (openUntil === undefined) return 'closed'
      return !trying && now() >= openUntil ? 'trial' : 'open'
    },
    began() {
      if (openUntil !== undefined) trying = true
    },
    ended(parcel, failed) {
      if (!failed) {
        close()
        return false
      }
      if (openUntil !== undefined) {
        // Calls that went out before it opened end here as well; only the trial prolongs the pause.
        if (trying) open()
        return false
      }
      failing.add(parcel)
      if (failing.size < terms.parcels) return false
      open()
      return true
    },
  }
}
