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
    // Reads only an index, with an entry for each estimate.
    async estimateUsage(accountId) {
      const { count, bytes } = await db
        .selectFrom('kept_estimate')
        .select((eb) => [
          eb.fn.countAll<number>().as('count'),
          sql<number>`coalesce(sum(content_bytes), 0)::bigint`.as('bytes'),
        ])
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return { count, bytes }
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
      const content = JSON.stringify(snapshot)
      const { rows } = await sql<EstimateRow>`
        INSERT INTO kept_estimate (estimate_id, account_id, expires_at, idempotency_key, input_digest,
            shipment_id, reference, content, content_bytes)
          VALUES (${randomId('est_', ID_LENGTH)}, ${accountId},
            clock_timestamp() + ${keptDays} * interval '1 day',
            ${key?.key ?? null}, ${key === undefined ? null : digest(key.input)},
            ${links.shipmentId ?? null}, ${links.reference ?? null}, ${content}, ${Buffer.byteLength(content)})
          ON CONFLICT (account_id, idempotency_key) DO UPDATE SET
              estimate_id = excluded.estimate_id, created_at = excluded.created_at,
              expires_at = excluded.expires_at, input_digest = excluded.input_digest,
              shipment_id = excluded.shipment_id, reference = excluded.reference,
              content = excluded.content, content_bytes = excluded.content_bytes
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

/** The newest kept estimates, of one account or of all. */
export async function newestEstimates(
  db: Kysely<Database>,
  count: number,
  accountId: string | undefined,
): Promise<readonly KeptEstimate[]> {
  const rows = await db
    .selectFrom('kept_estimate')
    .select(COLUMNS)
    .where(IS_KEPT)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('estimate_id')
    .limit(count)
    .execute()
  return rows.map(estimateOf)
}
