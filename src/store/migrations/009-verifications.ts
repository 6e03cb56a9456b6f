/**
 * What is known from a lookup alone and is verified by later ones, the alert about a partly cancelled shipment, and the
 * decisions of operators. See docs/cancellation.md.
 */
export const VERIFICATIONS = [
  `CREATE TABLE lookup_report (
    shipment_id text PRIMARY KEY REFERENCES shipment ON DELETE CASCADE,
    account_id text NOT NULL,
    carrier_code text NOT NULL,
    reported text NOT NULL CHECK (reported IN ('cancelled', 'scanned')),
    reported_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The number that was scanned. NULL if the lookups of all numbers said cancelled.
    carrier_ref text,
    -- When the numbers are next looked up. NULL: not again.
    verify_at timestamptz,
    lookups integer NOT NULL DEFAULT 0,
    -- What a later lookup said instead.
    contradiction text,
    contradicted_at timestamptz(3),
    CHECK ((reported = 'scanned') = (carrier_ref IS NOT NULL)),
    CHECK ((contradiction IS NULL) = (contradicted_at IS NULL))
  )`,
  // Due work starts with carrier and account, as in 003-shipments.ts.
  `CREATE INDEX lookup_report_to_verify ON lookup_report (carrier_code, account_id, verify_at)
    WHERE verify_at IS NOT NULL`,
  `CREATE INDEX lookup_report_contradicted ON lookup_report (contradicted_at) WHERE contradicted_at IS NOT NULL`,
  // When operators were alerted that the carrier cancelled only some of the parcels.
  `ALTER TABLE cancel_attempt ADD COLUMN partly_alerted_at timestamptz`,
  // Each decision stays, also if the shipment is deleted. The columns of cancel_attempt have only the last one.
  `CREATE TABLE attempt_decision (
    decision_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    attempt_id uuid NOT NULL,
    shipment_id text NOT NULL,
    account_id text NOT NULL,
    carrier_code text NOT NULL,
    decided_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    outcome text NOT NULL CHECK (outcome IN ('cancelled', 'refused')),
    -- The name that was given, and the user of the operating system. NULL if an older version did not record it.
    operator text NOT NULL CHECK (operator <> ''),
    system_user_name text,
    reason text NOT NULL CHECK (reason <> ''),
    -- It reverses the decision of another operator.
    is_reversal boolean NOT NULL DEFAULT false
  )`,
  `CREATE INDEX attempt_decision_of_attempt ON attempt_decision (attempt_id, decision_id)`,
  `CREATE INDEX attempt_decision_newest ON attempt_decision (decided_at)`,
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$`,
  `CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON attempt_decision
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
]
