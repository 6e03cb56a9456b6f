/** Background work: cancels drafts that nobody booked, and removes their contents. See docs/limits.md#drafts. */
import type { Ports } from './ports/ports.ts'

/** Drafts in one statement, which holds their locks until its end. */
const BATCH = 500
/** Statements in one run. The next run continues. */
const BATCHES_MAX = 20

export async function expireDrafts({ shipments, draftTerms }: Pick<Ports, 'shipments' | 'draftTerms'>) {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1)
    if ((await shipments.expireDrafts(draftTerms.keptDays, BATCH)) < BATCH) return
}
