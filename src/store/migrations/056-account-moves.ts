/**
 * Accounts that are moved to another cell (docs/distribution.md#move-an-account): while one is moved, nothing is
 * written for it. Triggers refuse it, so that no statement of any process, operator or version can be forgotten. They
 * cost every changed row about 20 µs, so they are enabled only while an account is closed: see
 * store/moves/refusal-triggers.ts.
 */

/** What of each table is refused. Old rows may be deleted, because both cells delete them. */
const REFUSED: Readonly<Record<string, string>> = {
  account: 'INSERT OR UPDATE OR DELETE',
  account_registration: 'INSERT OR UPDATE OR DELETE',
  agreed_code: 'INSERT OR UPDATE OR DELETE',
  // Not `last_used_at`, which is written for many keys together.
  api_key: `INSERT OR DELETE OR UPDATE OF key_id, account_id, revoked_at, label, scopes, requests_per_minute, expires_at,
    origins, address_requests_per_minute, checkout_secret, needs_checkout_token`,
  api_secret: 'INSERT OR UPDATE OR DELETE',
  contract: 'INSERT OR UPDATE OR DELETE',
  contract_discount: 'INSERT OR UPDATE OR DELETE',
  contract_turnover: 'INSERT OR UPDATE OR DELETE',
  margin: 'INSERT OR UPDATE OR DELETE',
  shipment: 'INSERT OR UPDATE OR DELETE',
  draft_key: 'INSERT OR UPDATE',
  cancel_attempt: 'INSERT OR UPDATE',
  attempt_decision: 'INSERT',
  carrier_scan: 'INSERT OR UPDATE',
  lookup_report: 'INSERT OR UPDATE',
  shipment_correction: 'INSERT OR UPDATE',
  archived_shipment: 'INSERT OR UPDATE',
  kept_estimate: 'INSERT OR UPDATE',
  webhook_endpoint: 'INSERT OR UPDATE OR DELETE',
}

export const ACCOUNT_MOVES = [
  `LOCK TABLE account, contract, contract_discount, contract_turnover, margin, account_registration, agreed_code,
    api_key, api_secret, kept_estimate, webhook_endpoint, shipment, draft_key, cancel_attempt, lookup_report,
    carrier_scan, attempt_decision, shipment_correction, archived_shipment IN SHARE ROW EXCLUSIVE MODE`,
  // 'leaving': exported, and may still stay. 'left': belongs to the other cell. 'arriving': not open yet, and imported
  // if it has a digest.
  `CREATE TABLE account_move (
    account_id text NOT NULL PRIMARY KEY,
    move_id uuid NOT NULL,
    role text NOT NULL CHECK (role IN ('leaving', 'left', 'arriving')),
    begun_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    -- SHA-256 of the files, in hexadecimal. An export can be repeated.
    digests text[] NOT NULL DEFAULT '{}',
    -- Only in the cell that the account leaves: what opens it in the other one. That cell has its SHA-256.
    release_code text,
    release_digest text NOT NULL,
    -- The import that the account goes to, because a file can be imported in several cells. In the cell that the
    -- account leaves, '' means none; null: not known yet.
    import_id text,
    -- An account that arrives had left this cell before, and has left again if its import is discarded.
    had_left boolean NOT NULL DEFAULT false
  )`,
  // What was opened here. A file of an earlier stay must not be imported again: its code is known.
  `CREATE TABLE account_arrival (
    move_id uuid NOT NULL PRIMARY KEY,
    account_id text NOT NULL,
    opened_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
  )`,
  // The query for the move sees what was committed when the row is written, but not in a transaction with one snapshot.
  // The setting names the account that the transaction itself moves.
  `CREATE FUNCTION refuse_while_moved() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      changed record;
      moved text;
    BEGIN
      IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
        RAISE EXCEPTION 'an account is being moved to another cell, and this transaction cannot see which'
          USING ERRCODE = 'WB001', HINT = 'Use READ COMMITTED, or repeat the request later.';
      END IF;
      IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
      IF TG_TABLE_NAME = 'api_secret' THEN
        SELECT account_id INTO moved FROM api_key WHERE key_id = changed.key_id;
      ELSIF TG_TABLE_NAME = 'contract_discount' THEN
        SELECT account_id INTO moved FROM contract WHERE contract_id = changed.contract_id;
      ELSE
        moved := changed.account_id;
      END IF;
      IF current_setting('waybill.moved_account', true) IS DISTINCT FROM moved
          AND EXISTS (SELECT FROM account_move WHERE account_id = moved) THEN
        RAISE EXCEPTION 'account % is being moved to another cell', moved USING ERRCODE = 'WB001',
          HINT = 'Repeat the request later.';
      END IF;
      RETURN NULL;
    END $$`,
  // Not BEFORE: PostgreSQL locks each changed row for such a trigger, also if it is disabled.
  ...Object.entries(REFUSED).map(
    ([table, changes]) => `CREATE TRIGGER refuse_while_moved AFTER ${changes} ON ${table}
    FOR EACH ROW EXECUTE FUNCTION refuse_while_moved()`,
  ),
  ...Object.keys(REFUSED).map((table) => `ALTER TABLE ${table} DISABLE TRIGGER refuse_while_moved`),
]
