/**
 * The mark of a database that has been opened in production, which then takes no demo data. The previous version
 * ignores the table and may keep serving.
 */
import { type Kysely, sql } from 'kysely'

/** Creates the table with its only row, not marked: the first start in production marks it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `CREATE TABLE production_use (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    since timestamptz
  )`,
  'INSERT INTO production_use DEFAULT VALUES',
]
