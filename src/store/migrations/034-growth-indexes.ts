/**
 * What keeps a round of the sweeper and the audit cheap however many shipments there are: indexes by due time, a narrow
 * table of lookups, and indexes of what the audit lists. See docs/growth.md.
 */

/**
 * What later migrations change or reference besides shipments. It is locked before a migration that takes long: if one
 * of these locks came afterwards and were not available, for example because a rate book is being read, all of it would
 * be rolled back and repeated, while requests wait.
 */
export const LATER_LOCKS = [
  'LOCK TABLE carrier, account, rate_card_version IN SHARE ROW EXCLUSIVE MODE',
  `LOCK TABLE rate_card, contract, product, surcharge, service, price_terms, zone_price, fuel_rate
    IN ACCESS EXCLUSIVE MODE`,
  'LOCK TABLE carrier_token IN ACCESS EXCLUSIVE MODE',
  `LOCK TABLE account_registration, agreed_code, api_key, api_secret, kept_estimate, webhook_endpoint
    IN SHARE ROW EXCLUSIVE MODE`,
]

export const GROWTH_INDEXES = [
  ...LATER_LOCKS,
  // All that this migration and the next ones change, in the order in which services lock them. A weaker lock on
  // `shipment` that 035 strengthens would be a deadlock with services that read a shipment before they write it, and
  // these statements would be repeated as long as 035 waits.
  `LOCK TABLE shipment, shipment_event, draft_key, cancel_attempt, lookup_report, carrier_scan, account_event,
    attempt_decision, carrier_call IN ACCESS EXCLUSIVE MODE`,
  // When the parcels of a shipment are next looked up. A row of its own, because a lookup would otherwise rewrite the
  // wide row of the shipment with an entry in each of its indexes. Triggers add and remove the rows, so an older
  // version that runs during an upgrade schedules lookups here, too.
  `CREATE TABLE lookup_schedule (
    account_id text NOT NULL,
    shipment_id text NOT NULL,
    carrier_code text NOT NULL,
    -- 'infinity': not any more.
    due_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, shipment_id)
  ) WITH (autovacuum_vacuum_scale_factor = 0.05)`,
  `CREATE FUNCTION schedule_lookups() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.state <> 'booked' THEN
        DELETE FROM lookup_schedule WHERE account_id = NEW.account_id AND shipment_id = NEW.shipment_id;
      ELSE
        INSERT INTO lookup_schedule (account_id, shipment_id, carrier_code, due_at)
          VALUES (NEW.account_id, NEW.shipment_id, NEW.carrier_code, NEW.next_track_at)
          ON CONFLICT (account_id, shipment_id) DO UPDATE SET due_at = excluded.due_at;
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER schedule_new AFTER INSERT ON shipment
    FOR EACH ROW WHEN (NEW.state = 'booked') EXECUTE FUNCTION schedule_lookups()`,
  // A change of next_track_at is a request to look a booked parcel up then.
  `CREATE TRIGGER schedule_change AFTER UPDATE ON shipment
    FOR EACH ROW WHEN ((OLD.state = 'booked') <> (NEW.state = 'booked')
      OR (NEW.state = 'booked' AND OLD.next_track_at <> NEW.next_track_at))
    EXECUTE FUNCTION schedule_lookups()`,
  `INSERT INTO lookup_schedule (account_id, shipment_id, carrier_code, due_at)
    SELECT account_id, shipment_id, carrier_code, next_track_at FROM shipment WHERE state = 'booked'`,
  // Of one account, as in 003-shipments.ts, and of all accounts of a carrier.
  `CREATE INDEX lookup_schedule_of_account ON lookup_schedule (carrier_code, account_id, due_at)`,
  `CREATE INDEX lookup_schedule_due ON lookup_schedule (carrier_code, due_at) INCLUDE (account_id)`,
  `CREATE INDEX cancel_attempt_next ON cancel_attempt (carrier_code, next_try_at) INCLUDE (account_id)
    WHERE phase = 'pending'`,
  `CREATE INDEX cancel_attempt_next_verification ON cancel_attempt (carrier_code, verify_at) INCLUDE (account_id)
    WHERE verify_at IS NOT NULL`,
  `CREATE INDEX lookup_report_next ON lookup_report (carrier_code, verify_at) INCLUDE (account_id)
    WHERE verify_at IS NOT NULL`,

  // What the audit lists.
  `CREATE INDEX cancel_attempt_anomaly ON cancel_attempt (coalesce(settled_at, begun_at)) WHERE anomaly IS NOT NULL`,
  `CREATE INDEX cancel_attempt_by_operator ON cancel_attempt (operator_at) WHERE operator_at IS NOT NULL`,
  `CREATE INDEX carrier_scan_unmatched_oldest ON carrier_scan (received_at) WHERE shipment_id IS NULL`,
  // Shipments that were scanned although they are cancelled, with the time of the first such scan.
  `CREATE TABLE scan_anomaly (
    account_id text NOT NULL,
    shipment_id text NOT NULL,
    carrier_code text NOT NULL,
    at timestamptz(3) NOT NULL,
    PRIMARY KEY (account_id, shipment_id)
  )`,
  `CREATE INDEX scan_anomaly_newest ON scan_anomaly (at)`,
  `CREATE FUNCTION record_scan_anomaly() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO scan_anomaly (account_id, shipment_id, carrier_code, at)
        SELECT account_id, shipment_id, carrier_code, NEW.received_at
          FROM shipment WHERE shipment_id = NEW.shipment_id AND state = 'cancelled'
        ON CONFLICT (account_id, shipment_id) DO UPDATE SET at = least(scan_anomaly.at, excluded.at);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER record_new_anomaly AFTER INSERT ON carrier_scan
    FOR EACH ROW WHEN (NEW.shipment_id IS NOT NULL) EXECUTE FUNCTION record_scan_anomaly()`,
  `CREATE TRIGGER record_matched_anomaly AFTER UPDATE ON carrier_scan
    FOR EACH ROW WHEN (OLD.shipment_id IS NULL AND NEW.shipment_id IS NOT NULL) EXECUTE FUNCTION record_scan_anomaly()`,
  // No foreign keys: they would refer to the key of shipment, which does not have the account.
  `CREATE FUNCTION forget_shipment() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM lookup_schedule WHERE account_id = OLD.account_id AND shipment_id = OLD.shipment_id;
      DELETE FROM scan_anomaly WHERE account_id = OLD.account_id AND shipment_id = OLD.shipment_id;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER forget AFTER DELETE ON shipment FOR EACH ROW EXECUTE FUNCTION forget_shipment()`,
  // The audit lists the last seven days. Older rows would make the migration read all scans and shipments.
  `INSERT INTO scan_anomaly (account_id, shipment_id, carrier_code, at)
    SELECT shipment.account_id, shipment.shipment_id, shipment.carrier_code, min(scan.received_at)
      FROM carrier_scan AS scan JOIN shipment USING (shipment_id)
      WHERE scan.received_at > clock_timestamp() - interval '30 days' AND shipment.state = 'cancelled'
      GROUP BY shipment.shipment_id`,
]
