/** Counts what replicas have spent, in an unlogged table of the database. See docs/limits.md#shared-limits. */
import { type Kysely, sql } from 'kysely'
import {
  SPENDING_SLOT_SECONDS,
  SPENDING_SLOTS,
  type SpendingStore,
  type SpentUnits,
} from '../../operations/ports/spending.ts'
import { compiledStatement } from '../database/compiled-statement.ts'
import type { Database } from '../database/database.ts'

const REMOVE_EVERY_MS = 15_000
/** Rows in one statement, so that it ends within its time limit. */
const REMOVED_AT_ONCE = 20_000

/** `db` is a pool of its own with one connection, so that nothing waits behind an exchange. `close` destroys it. */
export function postgresSpending(
  db: Kysely<Database>,
  now: () => number = () => performance.now(),
): SpendingStore {
  let removedAt = now()
  return {
    async exchange(spendings) {
      const found = await exchangeUnits(db, {
        names: spendings.map(({ name }) => name),
        units: spendings.map(({ units }) => units),
      })
      if (now() - removedAt > REMOVE_EVERY_MS) {
        removedAt = now()
        // A failure is not reported: the removal is tried again later, and exchanges report a lost database.
        removeOldSpendings(db).catch(() => {})
      }
      return byName(found)
    },
    close: () => db.destroy(),
  }
}

type Row = SpentUnits & { readonly name: string }

function byName(rows: readonly Row[]): ReadonlyMap<string, readonly SpentUnits[]> {
  const names = new Map<string, SpentUnits[]>()
  for (const { name, ageMs, units } of rows) {
    const known = names.get(name)
    if (known === undefined) names.set(name, [{ ageMs, units }])
    else known.push({ ageMs, units })
  }
  return names
}

/**
 * The rows are written in the order of their names, so that two processes do not wait for each other. The statement
 * does not see its own changes: the row that it wrote comes from `added`, the others from the table.
 */
const exchangeUnits = compiledStatement<
  { readonly names: readonly string[]; readonly units: readonly number[] },
  Row
>(
  ['names', 'units'],
  ({ names, units }) => sql<Row>`
  WITH moment AS MATERIALIZED (SELECT extract(epoch FROM clock_timestamp())::float8 AS seconds),
  current_slot AS MATERIALIZED (
    SELECT seconds, floor(seconds / ${sql.lit(SPENDING_SLOT_SECONDS)})::bigint AS slot FROM moment
  ),
  given AS MATERIALIZED (SELECT * FROM unnest(${names}::text[], ${units}::integer[]) AS given (name, units)),
  added AS (
    INSERT INTO shared_spending (name, slot, units)
      SELECT given.name, current_slot.slot, given.units FROM given CROSS JOIN current_slot
      WHERE given.units <> 0 ORDER BY given.name
    ON CONFLICT (name, slot) DO UPDATE SET units = shared_spending.units + excluded.units
    RETURNING name, slot, units
  ),
  known AS (
    SELECT name, slot, units FROM added
    UNION ALL
    SELECT shared_spending.name, shared_spending.slot, shared_spending.units
      FROM given CROSS JOIN current_slot
      JOIN shared_spending ON shared_spending.name = given.name
        AND shared_spending.slot > current_slot.slot - ${sql.lit(SPENDING_SLOTS)}
        -- The clock of the server may have been ahead.
        AND shared_spending.slot <= current_slot.slot
      WHERE NOT EXISTS (
        SELECT FROM added WHERE added.name = shared_spending.name AND added.slot = shared_spending.slot
      )
  )
  SELECT known.name, known.units,
    greatest(0, (seconds - (known.slot + 1) * ${sql.lit(SPENDING_SLOT_SECONDS)}) * 1000)::float8 AS "ageMs"
    FROM known CROSS JOIN current_slot`,
)

/** Returns how many rows were removed. */
export async function removeOldSpendings(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql`
    WITH old AS (
      SELECT name, slot FROM shared_spending
        WHERE slot <= floor(extract(epoch FROM clock_timestamp()) / ${SPENDING_SLOT_SECONDS}) - ${SPENDING_SLOTS}
        ORDER BY slot LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED
    )
    DELETE FROM shared_spending USING old
      WHERE shared_spending.name = old.name AND shared_spending.slot = old.slot RETURNING 1`.execute(db)
  return rows.length
}
