/**
 * Compares `docs/database-schema.sql` and `src/store/database/schema-columns.ts` with the schema that the migrations
 * create. "npm run schema" updates both files.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  AREA_CLASSES,
  PRICING_BASES,
  PRODUCT_RECIPIENTS,
  SCOPES,
  SURCHARGE_METHODS,
  SURCHARGE_PHASES,
} from '../../../src/core/rating/rate-card.ts'
import { PARCEL_TYPES } from '../../../src/core/rating/request.ts'
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

test.each([
  ['area', 'area_class', AREA_CLASSES],
  ['area_transit', 'area_class', AREA_CLASSES],
  ['product', 'parcel_type', PARCEL_TYPES],
  ['product', 'pricing_basis', PRICING_BASES],
  ['product', 'recipient', PRODUCT_RECIPIENTS],
  ['product', 'scope', SCOPES],
  ['surcharge', 'method', SURCHARGE_METHODS],
  ['surcharge', 'phase', SURCHARGE_PHASES],
])('the check of the column %s.%s accepts the words of core', async (table, column, words) => {
  const schema = await dumpSchema(empty.db)
  const [, accepted = ''] = new RegExp(`${table}_${column}_check CHECK .*ARRAY\\[(.*)\\]`).exec(schema) ?? []
  expect(accepted.split(', ')).toEqual(words.map((word) => `'${word}'::text`))
})
