/** Counts the attempts to cancel whose outcome is unknown, for metrics. See docs/metrics.md. */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/database.ts'

export type OpenAttempts = {
  readonly byAge: Readonly<Record<'under_1m' | 'under_15m' | 'under_1d' | 'over_1d', number>>
  /** 0 if there is none. */
  readonly oldestSeconds: number
}

/** Reads only the index of open attempts, which is small. */
export async function countOpenAttempts(db: Kysely<Database>): Promise<OpenAttempts> {
  const { rows } = await sql<OpenAttempts['byAge'] & { oldest: number | null }>`
    WITH open AS (
      SELECT extract(epoch FROM clock_timestamp() - begun_at)::float8 AS age
        FROM cancel_attempt WHERE phase = 'pending'
    )
    SELECT count(*) FILTER (WHERE age < 60) AS under_1m,
           count(*) FILTER (WHERE age >= 60 AND age < 900) AS under_15m,
           count(*) FILTER (WHERE age >= 900 AND age < 86400) AS under_1d,
           count(*) FILTER (WHERE age >= 86400) AS over_1d,
           max(age) AS oldest
      FROM open
  `.execute(db)
  const { oldest, ...byAge } = rows[0] ?? { under_1m: 0, under_15m: 0, under_1d: 0, over_1d: 0, oldest: null }
  return { byAge, oldestSeconds: Math.max(0, oldest ?? 0) }
}
