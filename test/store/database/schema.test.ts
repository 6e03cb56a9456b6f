/**
 * Compares `docs/database-schema.sql` and `src/store/database/schema-columns.ts` with the schema that the migrations
 * create. "npm run schema" updates both files.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../../src/store/database/migrate.ts'
import { type ClonedDatabase, emptyDatabase } from '../../support/database/clone-database.ts'
import { dumpRequiredColumns, dumpSchema } from './schema-dump.ts'

/**
 * Columns and tables that this version does not use any more, as `table.column` or `table`. A later version removes
 * them (CONTRIBUTING.md, "Change the database schema").
 */
const RETIRED: readonly string[] = []

let empty: ClonedDatabase
beforeAll(async () => {
  empty = await emptyDatabase()
  await migrate(empty.source, { columns: {} })
})
afterAll(() => empty.drop())

test('the migrations create the schema in docs/database-schema.sql; "npm run schema" updates it', async () => {
  await expect(await dumpSchema(empty.db)).toMatchFileSnapshot('../../../docs/database-schema.sql')
})

test('the columns that the code needs are in schema-columns.ts; "npm run schema" updates it', async () => {
  const text = await dumpRequiredColumns(empty.db, RETIRED)
  await expect(text).toMatchFileSnapshot('../../../src/store/database/schema-columns.ts')
})
