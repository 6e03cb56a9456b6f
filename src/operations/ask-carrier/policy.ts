/** Times of a cancellation, in milliseconds. See docs/cancellation.md#times. */
import type { CancelTimes } from '../../core/shipments/cancellation.ts'

export type CancelPolicy = CancelTimes & {
  /**
   * Must exceed the sum of the longest call, lookup, settlement and both waits for a slot. Otherwise a second process
   * calls the carrier during the first call.
   */
  readonly leaseMs: number
  /** Longest age of a lease at which a request is sent, so that the carrier's answer arrives before the lease ends. */
  readonly sendWithinMs: number
  /** How long a final refusal is returned again without a new call. */
  readonly refusalMemoryMs: number
  /** Time limit of the lookup after a refusal that followed an unconfirmed send. */
  readonly lookupTimeoutMs: number
  /** Minimum age of a doubt before the refusal is trusted although lookups are inconclusive. */
  readonly trustRefusalAfterMs: number
  /** How long a caller waits. The work continues after that. */
  readonly deadlineMs: number
  /** How long the begin statement is repeated if its result is lost, even after the caller got "pending". */
  readonly recordWithinMs: number
}

export const CANCEL_POLICY: CancelPolicy = {
  leaseMs: 15_000,
  sendWithinMs: 6_000,
  refusalMemoryMs: 30_000,
  lookupTimeoutMs: 2_500,
  trustRefusalAfterMs: 900_000,
  verifyAfterMs: 60_000,
  verifyAcceptedAfterMs: 86_400_000,
  firstPartLookupMs: 60_000,
  partLookupMs: 3 * 3_600_000,
  deadlineMs: 12_000,
  callerWaitMs: 5_000,
  recordWithinMs: 120_000,
  firstPollMs: 15,
  slowestPollMs: 200,
}
