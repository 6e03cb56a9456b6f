/** Kept estimates of accounts, and those that an operator compares with an invoice. See docs/kept-estimates.md. */
import { type Kysely, sql } from 'kysely'
import type { EstimateName } from '../../core/customs/invoice-comparison.ts'
import type { KeptEstimate } from '../../core/customs/kept-estimate.ts'
import type { EstimateStore } from '../../operations/ports/estimates.ts'
import { digest } from '../accounts/signature.ts'
import type { Database } from '../database/database.ts'
import { randomId } from '../database/random-id.ts'
import { type EstimateRow, estimateOf } from '../row-types/estimates.ts'

const COLUMNS = ['estimate_id', 'created_at', 'expires_at', 'shipment_id', 'reference', 'content'] as const
const RETURNED = sql`estimate_id, created_at, expires_at, shipment_id, reference, content`
const IS_KEPT = sql<boolean>`expires_at > clock_timestamp()`
/** As the check of the table. */
const ID_LENGTH = 22

export function estimateStore(db: Kysely<Database>): EstimateStore {
  return {
    async countEstimates(accountId, countedUpTo) {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::integer AS count FROM (
          SELECT 1 FROM kept_estimate WHERE account_id = ${accountId} LIMIT ${countedUpTo}
        ) AS counted`.execute(db)
      return rows[0]?.count ?? 0
    },

    async findEstimate(accountId, estimateId) {
      const row = await db
        .selectFrom('kept_estimate')
        .select(COLUMNS)
        .where('estimate_id', '=', estimateId)
        .where('account_id', '=', accountId)
        .where(IS_KEPT)
        .executeTakeFirst()
      return row && estimateOf(row)
    },

    async keyedEstimate(accountId, { key, input }) {
      const row = await db
        .selectFrom('kept_estimate')
        .select([...COLUMNS, 'input_digest'])
        .where('account_id', '=', accountId)
        .where('idempotency_key', '=', key)
        .where(IS_KEPT)
        .executeTakeFirst()
      if (row === undefined) return undefined
      return { estimate: estimateOf(row), isSameInput: row.input_digest?.equals(digest(input)) === true }
    },

    // The key of an expired estimate that is not deleted yet gets the new estimate.
    async insertEstimate(accountId, { snapshot, links, key }, keptDays) {
      const { rows } = await sql<EstimateRow>`
        INSERT INTO kept_estimate (estimate_id, account_id, expires_at, idempotency_key, input_digest,
            shipment_id, reference, content)
          VALUES (${randomId('est_', ID_LENGTH)}, ${accountId},
            clock_timestamp() + ${keptDays} * interval '1 day',
            ${key?.key ?? null}, ${key === undefined ? null : digest(key.input)},
            ${links.shipmentId ?? null}, ${links.reference ?? null}, ${JSON.stringify(snapshot)})
          ON CONFLICT (account_id, idempotency_key) DO UPDATE SET
              estimate_id = excluded.estimate_id, created_at = excluded.created_at,
              expires_at = excluded.expires_at, input_digest = excluded.input_digest,
              shipment_id = excluded.shipment_id, reference = excluded.reference, content = excluded.content
            WHERE kept_estimate.expires_at <= clock_timestamp()
          RETURNING ${RETURNED}`.execute(db)
      return rows[0] && estimateOf(rows[0])
    },

    async expireEstimates(limit) {
      const { rows } = await sql`
        WITH due AS (
          SELECT estimate_id FROM kept_estimate WHERE NOT ${IS_KEPT}
            ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        )
        DELETE FROM kept_estimate USING due WHERE kept_estimate.estimate_id = due.estimate_id
          RETURNING 1`.execute(db)
      return rows.length
    },
  }
}

/**
 * The newest kept estimate for each of these names that has one. With `accountId`, only those of this account; it is
 * required for references, which are not unique.
 */
export async function estimatesNamed(
  db: Kysely<Database>,
  by: EstimateName,
  names: readonly string[],
  accountId: string | undefined,
): Promise<ReadonlyMap<string, KeptEstimate>> {
  const rows = await db
    .selectFrom('kept_estimate')
    .distinctOn(by)
    .select(COLUMNS)
    .where(by, 'in', [...names])
    .where(IS_KEPT)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .orderBy(by)
    .orderBy('created_at', 'desc')
    .execute()
  return new Map(rows.map((row) => [row[by] ?? '', estimateOf(row)]))
}
