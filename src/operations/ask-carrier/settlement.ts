/** Records a carrier's answer, even while the store fails for a while. */
import type { Ports } from '../ports/ports.ts'
import { CANCEL_POLICY } from './policy.ts'

/** Pauses between the tries to record a carrier's answer; the last one repeats. */
const SETTLE_PAUSES_MS = [50, 400, 1_000]

/**
 * Records a carrier's answer. While the store fails, it tries again for a lease (`CANCEL_POLICY.leaseMs`), because only
 * this process has the answer. `settlement` must be safe to repeat: the second refusal or release of one ticket changes
 * nothing.
 */
export async function settleWithRetries<Result>(
  { sleep }: Pick<Ports, 'sleep'>,
  settlement: () => Promise<Result>,
): Promise<Result> {
  let waitedMs = 0
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await settlement()
    } catch (error) {
      if (waitedMs >= CANCEL_POLICY.leaseMs) throw error
    }
    const pauseMs = SETTLE_PAUSES_MS[Math.min(attempt, SETTLE_PAUSES_MS.length - 1)] ?? 0
    waitedMs += pauseMs
    await sleep(pauseMs)
  }
}
