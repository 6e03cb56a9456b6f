/** The webhook store of the service: claims endpoints with new events, and records deliveries. See docs/webhooks.md. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ClaimedEndpoint, Delivery, WebhookStore } from '../../operations/ports/webhooks.ts'
import type { Database } from '../database/database.ts'
import { isNotMoved } from '../database/moved-accounts.ts'
import { inMs } from '../database/times.ts'

export function webhookStore(db: Kysely<Database>): WebhookStore {
  return {
    async claim(limit, leaseMs) {
      const { rows } = await sql<ClaimedEndpoint & { types: ClaimedEndpoint['types'] | null }>`
        UPDATE webhook_endpoint AS endpoint SET lease_until = ${inMs(leaseMs)}, fence = endpoint.fence + 1
          WHERE endpoint_id IN (
            SELECT due.endpoint_id FROM webhook_endpoint AS due JOIN account_event_head AS head USING (account_id)
              WHERE due.disabled_at IS NULL AND due.next_try_at <= clock_timestamp()
                AND due.lease_until <= clock_timestamp() AND due.sequence < head.sequence
                AND ${isNotMoved('due')}
              ORDER BY due.next_try_at LIMIT ${limit} FOR UPDATE OF due SKIP LOCKED)
          RETURNING endpoint_id AS "endpointId", account_id AS "accountId", url, types,
            CASE WHEN old_secret_until > clock_timestamp() THEN ARRAY[secret, old_secret] ELSE ARRAY[secret] END AS secrets,
            sequence, failures, fence`.execute(db)
      return rows.map(({ types, ...row }) => ({ ...row, types: types ?? undefined }))
    },

    async delivered(endpoint, delivery, leaseMs) {
      const { rows } = await sql`
        WITH moved AS (
          UPDATE webhook_endpoint SET sequence = ${delivery.sequence}, failures = 0, failing_since = NULL,
              lease_until = ${inMs(leaseMs)}
            WHERE ${isLeased(endpoint)} RETURNING endpoint_id
        ) ${logged('moved', delivery)}`.execute(db)
      return rows.length > 0
    },

    async failed(endpoint, delivery, { retryInMs, giveUpAfterMs }) {
      const { rows } = await sql<{ is_disabled: boolean }>`
        WITH moved AS (
          UPDATE webhook_endpoint SET failures = failures + 1,
              failing_since = coalesce(failing_since, clock_timestamp()),
              next_try_at = ${inMs(retryInMs)}, lease_until = clock_timestamp(),
              disabled_at = CASE WHEN failing_since < ${inMs(-giveUpAfterMs)} THEN clock_timestamp() END
            WHERE ${isLeased(endpoint)} RETURNING endpoint_id, disabled_at IS NOT NULL AS is_disabled
        ), logged AS (${logged('moved', delivery)})
        SELECT is_disabled FROM moved`.execute(db)
      const [row] = rows
      return row === undefined ? 'lost' : row.is_disabled ? 'disabled' : 'recorded'
    },

    async release(endpoint, sequence) {
      const { numAffectedRows = 0n } = await sql`
        UPDATE webhook_endpoint SET sequence = ${sequence}, lease_until = clock_timestamp()
          WHERE ${isLeased(endpoint)}`.execute(db)
      return numAffectedRows > 0n
    },

    async removeOld(keptDays, limit) {
      await sql`
        DELETE FROM webhook_delivery WHERE delivery_id IN (
          SELECT delivery_id FROM webhook_delivery WHERE at < clock_timestamp() - ${keptDays} * interval '1 day'
            ORDER BY at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
    },
  }
}

function isLeased({ endpointId, fence }: ClaimedEndpoint): RawBuilder<boolean> {
  return sql<boolean>`endpoint_id = ${endpointId} AND fence = ${fence} AND disabled_at IS NULL`
}

function logged(from: string, { sequence, durationMs, status, failure }: Delivery): RawBuilder<unknown> {
  return sql`INSERT INTO webhook_delivery (endpoint_id, sequence, duration_ms, status, failure)
    SELECT endpoint_id, ${sequence}::bigint, ${durationMs}::integer, ${status ?? null}::integer, ${failure ?? null}::text
      FROM ${sql.table(from)} RETURNING delivery_id`
}
