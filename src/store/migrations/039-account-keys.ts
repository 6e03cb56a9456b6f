/**
 * The account in the keys of everything that belongs to a shipment, so that the tables can be partitioned by account.
 * See docs/distribution.md.
 *
 * In each key the id comes first: then its index also serves statements that know only the id, which are those of
 * operators and of the former version.
 */
import { LATER_LOCKS } from './034-growth-indexes.ts'

const ENDED_BY_SHIPMENT = ['cancel_attempt', 'shipment_event', 'carrier_scan', 'lookup_report', 'draft_key']

/**
 * Unique indexes without the account, by table. Statements of the former version insert ON CONFLICT with their columns,
 * and find shipments by their ids alone, so ids are unique over all accounts as long as it can run. 058 drops them.
 */
const FORMER_KEYS = {
  shipment: 'shipment_former_key',
  cancel_attempt: 'cancel_attempt_former_key',
  lookup_report: 'lookup_report_former_key',
  carrier_scan: 'carrier_scan_former_key',
} as const

/** Sets the account in rows that the former version inserts or updates. 058 drops them. */
const FORMER_TRIGGERS = { shipment_event: 'set_account', carrier_scan: 'set_account' } as const

function primaryKey(table: string, ...columns: readonly string[]): string {
  return `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey, ADD PRIMARY KEY (${columns.join(', ')}, account_id)`
}

export const ACCOUNT_KEYS = [
  ...LATER_LOCKS,
  // All tables that are changed, before the first change: afterwards this migration never waits for a statement that
  // waits for it.
  `LOCK TABLE shipment, shipment_event, draft_key, cancel_attempt, lookup_report, carrier_scan, account_event,
    attempt_decision, carrier_call IN ACCESS EXCLUSIVE MODE`,
  ...ENDED_BY_SHIPMENT.map((table) => `ALTER TABLE ${table} DROP CONSTRAINT ${table}_shipment_id_fkey`),

  'ALTER TABLE shipment_event ADD COLUMN account_id text',
  // '' as long as no shipment with the number is known. The account of a scan is that of its shipment.
  `ALTER TABLE carrier_scan ADD COLUMN account_id text NOT NULL DEFAULT '',
    -- How often it was received. PostgreSQL cannot tell for a partitioned table whether a row was inserted or updated.
    ADD COLUMN receipts integer NOT NULL DEFAULT 1`,
  // Rows are changed faster without indexes, which are created again below.
  'ALTER TABLE shipment_event DROP CONSTRAINT shipment_event_pkey',
  'ALTER TABLE carrier_scan DROP CONSTRAINT carrier_scan_pkey',
  `DROP INDEX shipment_event_of_shipment, shipment_event_cancelled_once, carrier_scan_of_shipment,
    carrier_scan_unmatched, carrier_scan_unmatched_oldest`,
  ...['shipment_event', 'carrier_scan'].map(
    (table) => `UPDATE ${table} SET account_id = shipment.account_id
      FROM shipment WHERE shipment.shipment_id = ${table}.shipment_id`,
  ),

  primaryKey('shipment', 'shipment_id'),
  primaryKey('cancel_attempt', 'attempt_id'),
  primaryKey('lookup_report', 'shipment_id'),
  primaryKey('account_event', 'event_id'),
  primaryKey('attempt_decision', 'decision_id'),
  primaryKey('carrier_call', 'call_id'),
  `ALTER TABLE draft_key DROP CONSTRAINT draft_key_shipment_id_key, ADD UNIQUE (shipment_id, account_id)`,
  `ALTER INDEX cancel_attempt_one_open RENAME TO ${FORMER_KEYS.cancel_attempt}`,
  `CREATE UNIQUE INDEX cancel_attempt_one_open ON cancel_attempt (shipment_id, account_id) WHERE phase = 'pending'`,
  'ALTER TABLE shipment_event ADD PRIMARY KEY (event_id, account_id)',
  'CREATE INDEX shipment_event_of_shipment ON shipment_event (shipment_id, event_id)',
  `CREATE UNIQUE INDEX shipment_event_cancelled_once
    ON shipment_event (shipment_id, account_id) WHERE to_state = 'cancelled'`,
  'ALTER TABLE carrier_scan ADD PRIMARY KEY (carrier_code, carrier_ref, event_id, account_id)',
  'CREATE INDEX carrier_scan_of_shipment ON carrier_scan (shipment_id, occurred_at)',
  'CREATE INDEX carrier_scan_unmatched ON carrier_scan (carrier_ref) WHERE shipment_id IS NULL',
  'CREATE INDEX carrier_scan_unmatched_oldest ON carrier_scan (received_at) WHERE shipment_id IS NULL',
  `CREATE UNIQUE INDEX ${FORMER_KEYS.shipment} ON shipment (shipment_id)`,
  `CREATE UNIQUE INDEX ${FORMER_KEYS.lookup_report} ON lookup_report (shipment_id)`,
  `CREATE UNIQUE INDEX ${FORMER_KEYS.carrier_scan} ON carrier_scan (carrier_code, carrier_ref, event_id)`,
  ...ENDED_BY_SHIPMENT.map(
    (table) => `ALTER TABLE ${table} ADD FOREIGN KEY (account_id, shipment_id)
      REFERENCES shipment (account_id, shipment_id) ON DELETE CASCADE`,
  ),

  `CREATE FUNCTION set_account_of_shipment() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      SELECT account_id INTO NEW.account_id FROM shipment WHERE shipment_id = NEW.shipment_id;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER ${FORMER_TRIGGERS.shipment_event} BEFORE INSERT ON shipment_event
    FOR EACH ROW WHEN (NEW.account_id IS NULL) EXECUTE FUNCTION set_account_of_shipment()`,
  `CREATE TRIGGER ${FORMER_TRIGGERS.carrier_scan} BEFORE INSERT OR UPDATE ON carrier_scan
    FOR EACH ROW WHEN (NEW.shipment_id IS NOT NULL AND NEW.account_id = '')
    EXECUTE FUNCTION set_account_of_shipment()`,
  // As in 035-deliveries.ts and 034-growth-indexes.ts, with the account.
  `CREATE OR REPLACE FUNCTION record_attempt_event() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO account_event (account_id, shipment_id, type, state, tracking_number, refusal_code)
        SELECT account_id, shipment_id, 'shipment.cancellation_' || NEW.phase,
            CASE WHEN delivered_at IS NOT NULL THEN 'delivered' ELSE state END, carrier_ref, NEW.refusal_code
          FROM shipment
          WHERE account_id = NEW.account_id AND shipment_id = NEW.shipment_id AND state <> 'cancelled';
      RETURN NULL;
    END $$`,
  `CREATE OR REPLACE FUNCTION record_scan_anomaly() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO scan_anomaly (account_id, shipment_id, carrier_code, at)
        SELECT account_id, shipment_id, carrier_code, NEW.received_at
          FROM shipment
          WHERE account_id = NEW.account_id AND shipment_id = NEW.shipment_id AND state = 'cancelled'
        ON CONFLICT (account_id, shipment_id) DO UPDATE SET at = least(scan_anomaly.at, excluded.at);
      RETURN NULL;
    END $$`,
]
