/**
 * The events of accounts: every change of a shipment that its account can follow. Triggers record them in the
 * transaction of the change, so that no statement can forget one, including those of an older version that still runs
 * during an upgrade. See docs/events.md and docs/decisions/shipments.md#d290.
 */
export const EVENTS = [
  // Rows outlive their shipment, so there is no foreign key.
  `CREATE TABLE account_event (
    event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id text NOT NULL,
    -- The number of the event among the events of its account. NULL until it is numbered, after its commit.
    sequence bigint,
    -- The random part of the public id. After a restore, another event can have the same number.
    key text NOT NULL DEFAULT substr(replace(gen_random_uuid()::text, '-', ''), 1, 12),
    shipment_id text NOT NULL,
    type text NOT NULL CHECK (type IN ('shipment.created', 'shipment.booked', 'shipment.not_booked',
      'shipment.in_transit', 'shipment.cancelled', 'shipment.expired', 'shipment.cancellation_pending',
      'shipment.cancellation_refused')),
    occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    -- The shipment right after the change.
    state text NOT NULL,
    tracking_number text,
    refusal_code text
  )`,
  `CREATE UNIQUE INDEX account_event_in_sequence ON account_event (account_id, sequence) WHERE sequence IS NOT NULL`,
  `CREATE INDEX account_event_not_numbered ON account_event (event_id) WHERE sequence IS NULL`,
  `CREATE INDEX account_event_oldest ON account_event (occurred_at)`,
  // The highest number of each account. Its lock makes the numbers of an account visible in their order.
  `CREATE TABLE account_event_head (
    account_id text PRIMARY KEY,
    sequence bigint NOT NULL
  )`,
  `CREATE FUNCTION record_shipment_event() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO account_event (account_id, shipment_id, type, state, tracking_number)
        VALUES (NEW.account_id, NEW.shipment_id,
          CASE WHEN TG_OP = 'INSERT' THEN 'shipment.created'
            WHEN NEW.state = OLD.state THEN 'shipment.not_booked'
            WHEN NEW.state = 'cancelled' AND OLD.parcel_rows > 0 AND NEW.parcel_rows = 0 THEN 'shipment.expired'
            ELSE 'shipment.' || NEW.state END,
          NEW.state, NEW.carrier_ref);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER record_creation AFTER INSERT ON shipment
    FOR EACH ROW EXECUTE FUNCTION record_shipment_event()`,
  // A booking that ends leaves a draft if the carrier did not accept it.
  `CREATE TRIGGER record_change AFTER UPDATE ON shipment
    FOR EACH ROW WHEN (OLD.state <> NEW.state
      OR (OLD.booking_until IS NOT NULL AND NEW.booking_until IS NULL AND NEW.state = 'draft'))
    EXECUTE FUNCTION record_shipment_event()`,
  // An attempt at a shipment that is already cancelled withdraws its booking, which changes nothing for the account.
  `CREATE FUNCTION record_attempt_event() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO account_event (account_id, shipment_id, type, state, tracking_number, refusal_code)
        SELECT account_id, shipment_id, 'shipment.cancellation_' || NEW.phase, state, carrier_ref, NEW.refusal_code
          FROM shipment WHERE shipment_id = NEW.shipment_id AND state <> 'cancelled';
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER record_begin AFTER INSERT ON cancel_attempt
    FOR EACH ROW WHEN (NEW.phase = 'pending') EXECUTE FUNCTION record_attempt_event()`,
  `CREATE TRIGGER record_refusal AFTER UPDATE ON cancel_attempt
    FOR EACH ROW WHEN (OLD.phase <> NEW.phase AND NEW.phase = 'refused') EXECUTE FUNCTION record_attempt_event()`,
]
