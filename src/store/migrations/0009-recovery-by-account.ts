/**
 * Indexes for recovery by carrier and account. Accounts can have their own carrier credentials, with a circuit of their
 * own, so the sweeper claims the work of each account separately, however much of another account is due.
 */
import { type Kysely, sql } from 'kysely'

/** Replaces the indexes by carrier. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `DROP INDEX cancel_attempt_due`,
  `CREATE INDEX cancel_attempt_due ON cancel_attempt (carrier_code, account_id, next_try_at)
    WHERE phase = 'pending'`,
  `DROP INDEX cancel_attempt_to_verify`,
  `CREATE INDEX cancel_attempt_to_verify ON cancel_attempt (carrier_code, account_id, verify_at)
    WHERE verify_at IS NOT NULL`,
  `DROP INDEX shipment_booking_due`,
  `CREATE INDEX shipment_booking_due ON shipment (carrier_code, account_id, booking_until)
    WHERE booking_until IS NOT NULL`,
  `DROP INDEX shipment_to_track`,
  `CREATE INDEX shipment_to_track ON shipment (carrier_code, account_id, next_track_at)
    WHERE state = 'booked'`,
]
