/**
 * Background work: cancels drafts that nobody booked, and removes their contents, old idempotency keys, expired
 * estimates, and old scans of unknown parcels. Erases personal data of old shipments. See docs/limits.md#drafts and
 * docs/growth.md#what-is-kept.
 */
import type { Ports } from '../ports/ports.ts'

/** Rows in one statement, which holds their locks until its end. */
const BATCH = 500
/** Statements in one run. The next run continues. */
const BATCHES_MAX = 20

type ExpirePorts = Pick<Ports, 'shipments' | 'draftTerms' | 'estimates'>

export async function expireDrafts({ shipments, draftTerms, estimates }: ExpirePorts) {
  await inBatches(() => shipments.expireDrafts(draftTerms.keptDays, BATCH))
  await inBatches(() => shipments.expireDraftKeys(BATCH))
  await inBatches(() => estimates.expireEstimates(BATCH))
}

/** `afterDays` 0: nothing is erased. */
export async function eraseOld({ recovery }: Pick<Ports, 'recovery'>, afterDays: number): Promise<void> {
  if (afterDays > 0) await inBatches(() => recovery.eraseShipments(afterDays, BATCH))
}

/** Scans of parcels that are not booked here are kept for so long, because their booking may be recorded later. */
export const UNMATCHED_SCAN_MS = 30 * 86_400_000

/** Returns how many scans were deleted. */
export async function forgetOldScans({ tracking }: Pick<Ports, 'tracking'>): Promise<number> {
  return inBatches(() => tracking.forgetUnmatchedScans(UNMATCHED_SCAN_MS, BATCH))
}

/** `expire` returns how many rows it has changed. Returns the sum. */
async function inBatches(expire: () => Promise<number>): Promise<number> {
  let sum = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const changed = await expire()
    sum += changed
    if (changed < BATCH) break
  }
  return sum
}
