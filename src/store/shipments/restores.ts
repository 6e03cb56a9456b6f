/**
 * Restores and failovers: suspect drafts, and what an audit reads and repairs (docs/audit.md#repair-from-the-log). The
 * booking of a draft may have been lost if the database has another lineage than the one in which the draft was last
 * known to have no booking (migrations/010-recovery-points.ts). Statements compare both, so that no time passes between
 * the promotion of a standby and the first draft that is treated so.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SuspectDraft } from '../../core/shipments/cancellation.ts'
import type { LoggedAttempt, NamedShipment, RestoreStore } from '../../operations/ports/recovery.ts'
import type { Database } from '../database/database.ts'
import { isNotMoved } from '../database/moved-accounts.ts'

/**
 * The current lineage if the row of `shipment` has another one, otherwise NULL. For drafts only: the function takes a
 * few microseconds.
 */
export const SUSPECT_LINEAGE: RawBuilder<string | null> = sql<string | null>`(
  SELECT now.lineage FROM database_lineage() AS now (lineage)
    WHERE now.lineage <> coalesce(shipment.lineage,
      (SELECT first.lineage FROM recovery_point AS first ORDER BY first.recovery_id LIMIT 1)))`

export function restoreStore(db: Kysely<Database>): RestoreStore {
  return {
    async archived(shipments) {
      const { rows } = await sql<{ accountId: string; shipmentId: string }>`
        SELECT named.account_id AS "accountId", named.shipment_id AS "shipmentId" FROM unnest(
            ${shipments.map(({ accountId }) => accountId)}::text[],
            ${shipments.map(({ shipmentId }) => shipmentId)}::text[]
          ) AS named (account_id, shipment_id)
          WHERE NOT ${isNotMoved('named')} OR EXISTS (SELECT 1 FROM archived_shipment AS archived
            WHERE archived.account_id = named.account_id AND archived.shipment_id = named.shipment_id
              AND archived.was_booked)`.execute(db)
      return rows
    },

    async suspectDraftsAfter(place, size) {
      const { rows } = await suspectDrafts(place, size).execute(db)
      return rows.map(({ id, account, carrier, lineage }) => ({
        shipmentId: id,
        accountId: account,
        carrierCode: carrier,
        lineage,
      }))
    },

    async missingAttempts(attempts) {
      const { rows } = await sql<{ attempt_id: string }>`
        SELECT given.attempt_id::text AS attempt_id FROM unnest(
            ${attempts.map(({ attemptId }) => attemptId)}::uuid[],
            ${attempts.map(({ accountId }) => accountId)}::text[],
            ${attempts.map(({ shipmentId }) => shipmentId)}::text[],
            ${attempts.map(({ at }) => at)}::timestamptz[]
          ) AS given (attempt_id, account_id, shipment_id, at)
          WHERE ${isMissing('given', sql`given.account_id`)}`.execute(db)
      const missing = new Set(rows.map((row) => row.attempt_id))
      return attempts.filter(({ attemptId }) => missing.has(attemptId))
    },

    async reopenAttempt(attempt) {
      const { rows } = await reopenStatement(attempt).execute(db)
      return rows.length > 0
    },
  }
}

/** Reads drafts only, by an index. A draft that is being booked is asked for by its booking. */
export function suspectDrafts(
  { accountId, shipmentId }: NamedShipment,
  size: number,
): RawBuilder<{ id: string; account: string; carrier: string; lineage: string }> {
  return sql`
    SELECT shipment_id AS id, account_id AS account, carrier_code AS carrier, suspect_lineage AS lineage
      FROM (
        SELECT shipment_id, account_id, carrier_code, ${SUSPECT_LINEAGE} AS suspect_lineage FROM shipment
          WHERE state = 'draft' AND booking_until IS NULL
            AND ${isNotMoved('shipment')} AND (account_id, shipment_id) > (${accountId}::text, ${shipmentId}::text)
      ) AS draft
      WHERE suspect_lineage IS NOT NULL ORDER BY account_id, shipment_id LIMIT ${size}`
}

/**
 * The attempt does not exist, none was opened for the shipment at its time or later, the shipment is not archived, and
 * the account is not moved.
 */
function isMissing(attempt: 'given' | 'locked', accountId: RawBuilder<unknown>): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${attempt}.${name}`)
  return sql<boolean>`NOT EXISTS (SELECT 1 FROM cancel_attempt AS known
      WHERE known.account_id = ${accountId} AND (known.attempt_id = ${column('attempt_id')}
        OR (known.shipment_id = ${column('shipment_id')} AND known.begun_at >= ${column('at')})))
    AND NOT EXISTS (SELECT 1 FROM archived_shipment AS archived
      WHERE archived.account_id = ${accountId} AND archived.shipment_id = ${column('shipment_id')})
    AND ${isNotMoved(attempt)}`
}

/**
 * The lost send counts as the first one, so that a refusal of the next is verified by a lookup. The attempt has the age
 * that it had.
 */
function reopenStatement({ attemptId, accountId, shipmentId, at }: LoggedAttempt): RawBuilder<unknown> {
  return sql`
    WITH locked AS (
      SELECT shipment_id, account_id, carrier_code, ${attemptId}::uuid AS attempt_id, ${at}::timestamptz AS at
        FROM shipment
        WHERE shipment_id = ${shipmentId} AND account_id = ${accountId} AND state = 'booked' FOR UPDATE
    )
    INSERT INTO cancel_attempt (attempt_id, shipment_id, account_id, carrier_code, begun_at, lease_until, next_try_at,
        promised, last_cause)
      SELECT attempt_id, shipment_id, account_id, carrier_code, at, clock_timestamp(), clock_timestamp(), true,
          'opened again from the log'
        FROM locked WHERE ${isMissing('locked', sql`${accountId}`)}
      ON CONFLICT DO NOTHING
      RETURNING attempt_id`
}

/** Does not change the version: the draft is what it was. */
export function confirmDraftStatement({ accountId, shipmentId, lineage }: SuspectDraft): RawBuilder<unknown> {
  return sql`
    UPDATE shipment SET lineage = ${lineage}
      WHERE shipment_id = ${shipmentId} AND account_id = ${accountId} AND state = 'draft'`
}
