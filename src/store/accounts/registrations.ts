/**
 * The registrations of accounts for schemes under which sellers collect import taxes. Requests read them with their API
 * key (credentials.ts). See docs/import-schemes.md#registrations.
 */
import { type Kysely, sql } from 'kysely'
import type { SellerRegistration } from '../../core/customs/seller-registration.ts'
import type { Database } from '../database/database.ts'

type Db = Kysely<Database>

/**
 * Adds a registration, or replaces the one of the same scheme and first day. False if the account does not exist. Takes
 * effect in all processes within 5 seconds.
 */
export async function addRegistration(
  db: Db,
  accountId: string,
  { scheme, number, validFrom, validTo }: SellerRegistration,
): Promise<boolean> {
  const { rows } = await sql<{ readonly account_id: string }>`
    INSERT INTO account_registration (account_id, scheme, number, valid_from, valid_to)
    SELECT account_id, ${scheme}, ${number}, ${validFrom}::date, ${validTo}::date
    FROM account WHERE account_id = ${accountId}
    ON CONFLICT (account_id, scheme, valid_from)
      DO UPDATE SET number = EXCLUDED.number, valid_to = EXCLUDED.valid_to
    RETURNING account_id`.execute(db)
  return rows.length > 0
}

/** Removes all registrations of an account for a scheme. False if there is none. */
export async function removeRegistrations(db: Db, accountId: string, scheme: string): Promise<boolean> {
  const removed = await db
    .deleteFrom('account_registration')
    .where('account_id', '=', accountId)
    .where('scheme', '=', scheme)
    .returning('scheme')
    .execute()
  return removed.length > 0
}

export type ListedRegistration = SellerRegistration & { readonly accountId: string }

/** Ordered by account, scheme and first day; of one account if `accountId` is given. */
export async function listRegistrations(db: Db, accountId?: string): Promise<ListedRegistration[]> {
  const { rows } = await sql<ListedRegistration>`
    SELECT account_id AS "accountId", scheme, number, valid_from::text AS "validFrom", valid_to::text AS "validTo"
    FROM account_registration
    WHERE ${accountId ?? null}::text IS NULL OR account_id = ${accountId ?? null}
    ORDER BY account_id, scheme, valid_from NULLS FIRST`.execute(db)
  return rows
}

/** The registrations of the account in the statement, as a column; null if there are none. */
export const REGISTRATIONS = sql<SellerRegistration[] | null>`(
  SELECT json_agg(json_build_object('scheme', scheme, 'number', number, 'validFrom', valid_from, 'validTo', valid_to))
  FROM account_registration WHERE account_registration.account_id = account.account_id)`
