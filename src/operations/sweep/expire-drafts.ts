/**
 * Background work: cancels drafts that nobody booked, and removes their contents, old idempotency keys and expired
 * estimates. Erases personal data of old shipments. See docs/limits.md#drafts, docs/kept-estimates.md and
 * docs/growth.md#erasure.
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

/** `expire` returns how many rows it has changed. */
async function inBatches(expire: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) if ((await expire()) < BATCH) return
}
