/**
 * Background work: cancels drafts that nobody booked, and removes their contents and old idempotency keys. See
 * docs/limits.md#drafts.
 */
import type { Ports } from './ports/ports.ts'

/** Rows in one statement, which holds their locks until its end. */
const BATCH = 500
/** Statements in one run. The next run continues. */
const BATCHES_MAX = 20

export async function expireDrafts({ shipments, draftTerms }: Pick<Ports, 'shipments' | 'draftTerms'>) {
  await inBatches(() => shipments.expireDrafts(draftTerms.keptDays, BATCH))
  await inBatches(() => shipments.expireDraftKeys(BATCH))
}

/** `expire` returns how many rows it has changed. */
async function inBatches(expire: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) if ((await expire()) < BATCH) return
}
