/**
 * Ended shipments that were written to an archive and deleted: what a repeated cancellation, an import and the audit of
 * the journal still have to know about them. See docs/growth.md#archive.
 */
import { LATER_LOCKS } from './034-growth-indexes.ts'

export const ARCHIVED_SHIPMENTS = [
  ...LATER_LOCKS,
  // What later migrations need. A weaker lock that 053 strengthens would be a deadlock with services that read a
  // shipment before they write it, and the indexes of this migration and the next one would be built again.
  `LOCK TABLE shipment, shipment_event, draft_key, cancel_attempt, lookup_report, carrier_scan
    IN ACCESS EXCLUSIVE MODE`,
  `LOCK TABLE attempt_decision IN SHARE ROW EXCLUSIVE MODE`,
  `CREATE TABLE archived_shipment (
    account_id text NOT NULL,
    shipment_id text NOT NULL,
    state text NOT NULL CHECK (state IN ('cancelled', 'in_transit')),
    cancelled_by text CHECK (cancelled_by IN ('draft', 'carrier', 'release')),
    -- It had a tracking number.
    was_booked boolean NOT NULL,
    archived_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, shipment_id),
    CHECK ((state = 'cancelled') = (cancelled_by IS NOT NULL))
  )`,
  // In the order of their last change. The id is for pages.
  `CREATE INDEX shipment_to_archive ON shipment ((coalesce(updated_at, created_at)), shipment_id)
    WHERE state IN ('cancelled', 'in_transit')`,
  // After a restore or a failover, the audit reads all drafts. There are few of them, because they expire.
  `CREATE INDEX shipment_drafts ON shipment (account_id, shipment_id) WHERE state = 'draft'`,
]
