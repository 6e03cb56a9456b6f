/**
 * Numbers, reads and removes the events of accounts. A trigger records an event without a number (migrations/
 * 017-events.ts). Numbers are given to committed events only, so a reader that has read up to a number never misses an
 * event of a transaction that commits later. See docs/decisions/shipments.md#d290.
 */
import { type Kysely, type Selectable, sql } from 'kysely'
import { type AccountEvent, BEFORE_FIRST } from '../../core/shipments/event.ts'
import type { EventLog } from '../../operations/ports/events.ts'
import type { Database } from '../database/database.ts'

/** Notified with an account id when events of the account have been numbered. */
export const EVENT_CHANNEL = 'waybill_events'

const COLUMNS = [
  'sequence',
  'key',
  'type',
  'shipment_id',
  'occurred_at',
  'state',
  'tracking_number',
  'refusal_code',
] as const

type EventRow = Pick<Selectable<Database['account_event']>, (typeof COLUMNS)[number]>

export function eventLog(db: Kysely<Database>): EventLog {
  return {
    async newest(accountId) {
      const row = await db
        .selectFrom('account_event')
        .select(['sequence', 'key'])
        .where('account_id', '=', accountId)
        .where('sequence', 'is not', null)
        .orderBy('sequence', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.sequence == null ? BEFORE_FIRST : { sequence: row.sequence, key: row.key }
    },

    async holds(accountId, { sequence, key }) {
      const row = await db
        .selectFrom('account_event')
        .select('key')
        .where('account_id', '=', accountId)
        .where('sequence', '=', sequence)
        .executeTakeFirst()
      return row?.key === key
    },

    async after(accountId, sequence, limit) {
      const rows = await db
        .selectFrom('account_event')
        .select(COLUMNS)
        .where('account_id', '=', accountId)
        .where('sequence', '>', sequence)
        .orderBy('sequence')
        .limit(limit)
        .execute()
      return rows.map(eventOf)
    },
  }
}

function eventOf(row: EventRow): AccountEvent {
  return {
    sequence: row.sequence ?? 0,
    key: row.key,
    type: row.type,
    shipmentId: row.shipment_id,
    occurredAt: row.occurred_at.toISOString(),
    state: row.state,
    ...(row.tracking_number !== null && { trackingNumber: row.tracking_number }),
    ...(row.refusal_code !== null && { refusalCode: row.refusal_code }),
  }
}

/** Events that one statement numbers. */
const BATCH = 1_000

/**
 * Numbers the committed events, and notifies. Returns the accounts that have new numbers.
 *
 * The statement locks the events before it changes the heads. A second process that numbers at the same time waits for
 * these locks, and then skips the events, because they have a number. An event of a shipment is recorded under the lock
 * of the shipment, so a statement that sees it also sees the earlier events of that shipment: their numbers have the
 * same order. The heads are locked in the order of the accounts, which prevents deadlocks.
 */
export async function numberEvents(db: Kysely<Database>): Promise<ReadonlySet<string>> {
  const accounts = new Set<string>()
  for (;;) {
    const { rows } = await sql<{ account_id: string; added: number }>`
      WITH fresh AS MATERIALIZED (
        SELECT event_id, account_id FROM account_event WHERE sequence IS NULL
          ORDER BY event_id LIMIT ${BATCH} FOR UPDATE
      ), added AS (
        SELECT account_id, count(*) AS added FROM fresh GROUP BY account_id
      ), heads AS (
        INSERT INTO account_event_head AS head (account_id, sequence)
          SELECT account_id, added FROM added ORDER BY account_id
          ON CONFLICT (account_id) DO UPDATE SET sequence = head.sequence + excluded.sequence
          RETURNING account_id, sequence
      ), numbered AS (
        UPDATE account_event AS event SET sequence = heads.sequence - added.added + place.number
          FROM (SELECT account_id, event_id, row_number() OVER (PARTITION BY account_id ORDER BY event_id) AS number FROM fresh)
              AS place, added, heads
          WHERE event.account_id = place.account_id AND event.event_id = place.event_id
            AND added.account_id = event.account_id AND heads.account_id = event.account_id
      )
      SELECT account_id, added.added, pg_notify(${EVENT_CHANNEL}, account_id)
        FROM heads JOIN added USING (account_id)`.execute(db)
    for (const { account_id } of rows) accounts.add(account_id)
    if (rows.reduce((sum, { added }) => sum + added, 0) < BATCH) return accounts
  }
}

/** The highest number of each of the accounts that has events. */
export async function newestNumbers(
  db: Kysely<Database>,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ account_id: string; sequence: number }>`
    SELECT account_id, sequence FROM account_event_head WHERE account_id = ANY (${accountIds}::text[])`.execute(
    db,
  )
  return new Map(rows.map(({ account_id, sequence }) => [account_id, sequence]))
}

/** Events that one statement removes, and statements in one run. */
const REMOVED_MAX = 1_000
const REMOVALS_MAX = 20

/**
 * Removes old events, and leaves some for the next run if there are many. The newest event of an account stays, because
 * the account continues after it.
 */
export async function removeOldEvents(db: Kysely<Database>, keptDays: number): Promise<void> {
  for (let run = 0; run < REMOVALS_MAX; run += 1) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM account_event WHERE (account_id, event_id) IN (
        SELECT event.account_id, event.event_id FROM account_event AS event JOIN account_event_head AS head USING (account_id)
          WHERE event.occurred_at < clock_timestamp() - ${keptDays} * interval '1 day'
            AND event.sequence < head.sequence
          ORDER BY event.occurred_at LIMIT ${REMOVED_MAX} FOR UPDATE OF event SKIP LOCKED)`.execute(db)
    if (numAffectedRows < BigInt(REMOVED_MAX)) return
  }
}
