/**
 * Drafts whose booking may have been lost: the database has another lineage than the one in which they were last known to
 * have no booking (migrations/010-recovery-points.ts). Statements compare both, so that no time passes between the
 * promotion of a standby and the first draft that is treated so.
 */
import { type RawBuilder, sql } from 'kysely'
import type { SuspectDraft } from '../../core/shipments/booking.ts'

/**
 * The current lineage if the row of `shipment` has another one, otherwise NULL. For drafts only: the function takes a few
 * microseconds.
 */
export const SUSPECT_LINEAGE: RawBuilder<string | null> = sql<string | null>`(
  SELECT now.lineage FROM database_lineage() AS now (lineage)
    WHERE now.lineage <> coalesce(shipment.lineage,
      (SELECT first.lineage FROM recovery_point AS first ORDER BY first.recovery_id LIMIT 1)))`

/** Does not change the version: the draft is what it was. */
export function confirmDraftStatement({ accountId, shipmentId, lineage }: SuspectDraft): RawBuilder<unknown> {
  return sql`
    UPDATE shipment SET lineage = ${lineage}
      WHERE shipment_id = ${shipmentId} AND account_id = ${accountId} AND state = 'draft'`
}
