/**
 * Counts the lookups with one set of credentials, so that they stay within the carrier's limits. Routine tracking is
 * spread over the day and leaves a reserve for lookups that decide a cancellation. Counts are kept per process and
 * start at 0 with it. See docs/carriers.md#tracking-and-quotas.
 */
import type { TrackingLimits } from '../connector.ts'

/** The part of the daily calls that routine tracking leaves to other lookups. */
const RESERVE = 0.2
/** Parcels that are counted separately. Further parcels are not limited. */
const PARCELS_MAX = 100_000
const DAY_MS = 86_400_000

/** Why no lookup may be sent. */
export const QUOTA_USED = "the carrier's quota of lookups is used up until 00:00 UTC"
export const PARCEL_QUOTA_USED = 'the carrier allows no further lookup of this parcel until 00:00 UTC'

export type LookupQuota = {
  /** How many calls routine tracking may make now. Infinity if the carrier has no limits. */
  room(): number
  /** True if the parcel may be looked up again today. */
  allows(carrierRef: string): boolean
  /** Counts a call, or returns why it may not be made. */
  take(purpose: 'routine' | 'decision', carrierRefs: readonly string[]): string | undefined
  /**
   * The carrier has rejected a routine call because of too many calls. Stops routine tracking if there is a daily
   * quota.
   */
  overrun(): void
}

/**
 * `onUsedUp` is called at most once a day, when routine tracking stops. `now` is the time in milliseconds since 1970,
 * because quotas reset at midnight.
 */
export function lookupQuota(
  { callsPerDay = Number.POSITIVE_INFINITY, perParcelPerDay, gapMs = 0 }: TrackingLimits,
  onUsedUp: (detail: string) => void,
  now: () => number = Date.now,
): LookupQuota {
  const routinePerDay =
    callsPerDay === Number.POSITIVE_INFINITY ? callsPerDay : Math.ceil(callsPerDay * (1 - RESERVE))
  const routineGapMs = Math.max(gapMs, DAY_MS / routinePerDay)
  const perParcel = new Map<string, number>()
  let day = 0
  let calls = 0
  let isUsedUp = false
  let lastRoutineAt = Number.NEGATIVE_INFINITY

  const startDay = (): void => {
    const today = Math.floor(now() / DAY_MS)
    if (today === day) return
    day = today
    calls = 0
    isUsedUp = false
    perParcel.clear()
  }
  const stop = (): void => {
    if (!isUsedUp) onUsedUp(`${calls} of ${callsPerDay} calls`)
    isUsedUp = true
  }
  const isParcelUsedUp = (carrierRef: string): boolean =>
    perParcelPerDay !== undefined && (perParcel.get(carrierRef) ?? 0) >= perParcelPerDay
  const count = (carrierRefs: readonly string[]): void => {
    calls += 1
    if (perParcelPerDay === undefined) return
    for (const carrierRef of carrierRefs)
      if (perParcel.size < PARCELS_MAX || perParcel.has(carrierRef))
        perParcel.set(carrierRef, (perParcel.get(carrierRef) ?? 0) + 1)
  }

  const room = (): number => {
    startDay()
    if (isUsedUp || calls >= routinePerDay) return 0
    if (routineGapMs === 0) return Number.POSITIVE_INFINITY
    const sinceLast = now() - lastRoutineAt
    // The clock may have been set back.
    return sinceLast >= routineGapMs || sinceLast < 0 ? 1 : 0
  }
  return {
    room,
    allows(carrierRef) {
      startDay()
      return !isParcelUsedUp(carrierRef)
    },
    take(purpose, carrierRefs) {
      startDay()
      if (carrierRefs.every(isParcelUsedUp)) return PARCEL_QUOTA_USED
      if (purpose === 'decision') {
        if (calls >= callsPerDay) return QUOTA_USED
      } else {
        if (room() === 0) return QUOTA_USED
        lastRoutineAt = now()
      }
      count(carrierRefs)
      if (calls >= routinePerDay) stop()
      return undefined
    },
    overrun() {
      if (callsPerDay === Number.POSITIVE_INFINITY) return
      startDay()
      stop()
    },
  }
}
