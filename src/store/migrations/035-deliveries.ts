/**
 * Deliveries: a shipment in transit whose parcels are all delivered. See docs/cancellation.md#states-of-a-shipment.
 *
 * `state` stays in_transit, which is what an older version that runs during an upgrade knows, and what a cancellation
 * has to know. The shipment is shown as delivered if `delivered_at` is set.
 */
export const DELIVERIES = [
  // By the carrier's clock: the last delivery of its parcels.
  `ALTER TABLE shipment ADD COLUMN delivered_at timestamptz(3)`,
  `ALTER TABLE shipment ADD CHECK (delivered_at IS NULL OR state = 'in_transit') NOT VALID`,
  `ALTER TABLE carrier_scan ADD COLUMN is_delivery boolean NOT NULL DEFAULT false`,
  // Those that are not delivered yet, for lists. Almost all others in this state are delivered.
  `CREATE INDEX shipment_newest_moving ON shipment (account_id, created_at DESC, shipment_id DESC)
    WHERE state = 'in_transit' AND delivered_at IS NULL`,

  // Parcels in transit are looked up until they are delivered. Those of before this migration are not.
  `ALTER TABLE lookup_schedule ADD COLUMN in_transit boolean NOT NULL DEFAULT false,
    ADD COLUMN since timestamptz NOT NULL DEFAULT clock_timestamp()`,
  `CREATE OR REPLACE FUNCTION schedule_lookups() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.state = 'booked' THEN
        INSERT INTO lookup_schedule (account_id, shipment_id, carrier_code, due_at)
          VALUES (NEW.account_id, NEW.shipment_id, NEW.carrier_code, NEW.next_track_at)
          ON CONFLICT (account_id, shipment_id) DO UPDATE SET due_at = excluded.due_at;
      ELSIF NEW.state = 'in_transit' AND NEW.delivered_at IS NULL THEN
        INSERT INTO lookup_schedule (account_id, shipment_id, carrier_code, due_at, in_transit, since)
          VALUES (NEW.account_id, NEW.shipment_id, NEW.carrier_code, clock_timestamp() + interval '1 day', true,
            clock_timestamp())
          ON CONFLICT (account_id, shipment_id) DO UPDATE SET due_at = excluded.due_at, in_transit = true,
            since = excluded.since;
      ELSE
        DELETE FROM lookup_schedule WHERE account_id = NEW.account_id AND shipment_id = NEW.shipment_id;
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE OR REPLACE TRIGGER schedule_new AFTER INSERT ON shipment
    FOR EACH ROW WHEN (NEW.state = 'booked' OR (NEW.state = 'in_transit' AND NEW.delivered_at IS NULL))
    EXECUTE FUNCTION schedule_lookups()`,
  `CREATE OR REPLACE TRIGGER schedule_change AFTER UPDATE ON shipment
    FOR EACH ROW WHEN (OLD.state <> NEW.state OR (OLD.delivered_at IS NULL) <> (NEW.delivered_at IS NULL)
      OR (NEW.state = 'booked' AND OLD.next_track_at <> NEW.next_track_at))
    EXECUTE FUNCTION schedule_lookups()`,

  `ALTER TABLE account_event DROP CONSTRAINT account_event_type_check`,
  // Not checked for the rows that exist: each has one of the types of before.
  `ALTER TABLE account_event ADD CHECK (type IN ('shipment.created', 'shipment.booked', 'shipment.not_booked',
    'shipment.in_transit', 'shipment.delivered', 'shipment.cancelled', 'shipment.expired',
    'shipment.cancellation_pending', 'shipment.cancellation_refused')) NOT VALID`,
  `CREATE OR REPLACE FUNCTION record_shipment_event() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO account_event (account_id, shipment_id, type, state, tracking_number)
        VALUES (NEW.account_id, NEW.shipment_id,
          CASE WHEN TG_OP = 'INSERT' THEN 'shipment.created'
            WHEN NEW.delivered_at IS NOT NULL THEN 'shipment.delivered'
            WHEN NEW.state = OLD.state THEN 'shipment.not_booked'
            WHEN NEW.state = 'cancelled' AND OLD.parcel_rows > 0 AND NEW.parcel_rows = 0 THEN 'shipment.expired'
            ELSE 'shipment.' || NEW.state END,
          CASE WHEN NEW.delivered_at IS NOT NULL THEN 'delivered' ELSE NEW.state END, NEW.carrier_ref);
      RETURN NULL;
    END $$`,
  // An attempt can end after the delivery.
  `CREATE OR REPLACE FUNCTION record_attempt_event() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO account_event (account_id, shipment_id, type, state, tracking_number, refusal_code)
        SELECT account_id, shipment_id, 'shipment.cancellation_' || NEW.phase,
            CASE WHEN delivered_at IS NOT NULL THEN 'delivered' ELSE state END, carrier_ref, NEW.refusal_code
          FROM shipment WHERE shipment_id = NEW.shipment_id AND state <> 'cancelled';
      RETURN NULL;
    END $$`,
  `CREATE OR REPLACE TRIGGER record_change AFTER UPDATE ON shipment
    FOR EACH ROW WHEN (OLD.state <> NEW.state OR (OLD.delivered_at IS NULL AND NEW.delivered_at IS NOT NULL)
      OR (OLD.booking_until IS NOT NULL AND NEW.booking_until IS NULL AND NEW.state = 'draft'))
    EXECUTE FUNCTION record_shipment_event()`,
  `CREATE OR REPLACE TRIGGER set_updated_at BEFORE UPDATE ON shipment
    FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state OR OLD.carrier_ref IS DISTINCT FROM NEW.carrier_ref
      OR OLD.parcel_refs IS DISTINCT FROM NEW.parcel_refs OR OLD.cancelled_refs IS DISTINCT FROM NEW.cancelled_refs
      OR OLD.cancel_refused_at IS DISTINCT FROM NEW.cancel_refused_at
      OR OLD.delivered_at IS DISTINCT FROM NEW.delivered_at)
    EXECUTE FUNCTION set_shipment_updated_at()`,
]
