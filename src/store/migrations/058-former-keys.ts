/**
 * Drops what only versions before 039 needed: unique indexes without the account, and triggers that set the account of
 * new rows. Afterwards each key of the tables of shipments has the account. See docs/distribution.md.
 */
export const FORMER_KEYS = [
  'LOCK TABLE shipment, shipment_event, cancel_attempt, lookup_report, carrier_scan IN ACCESS EXCLUSIVE MODE',
  'DROP INDEX shipment_former_key, cancel_attempt_former_key, lookup_report_former_key, carrier_scan_former_key',
  'DROP TRIGGER set_account ON shipment_event',
  'DROP TRIGGER set_account ON carrier_scan',
  'DROP FUNCTION set_account_of_shipment()',
]
