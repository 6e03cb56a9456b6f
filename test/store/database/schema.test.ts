/** Compares `docs/database-schema.sql` with the schema that the migrations create. */
import { expect, test } from 'vitest'
import { migrate } from '../../../src/store/database/migrate.ts'
import { emptyDatabase } from '../../support/database/clone-database.ts'
import { dumpSchema } from './schema-dump.ts'

test('the migrations create the schema in docs/database-schema.sql; "npm run schema" updates it', async () => {
  const empty = await emptyDatabase()
  await migrate(empty.source)
  const schema = await dumpSchema(empty.db)
  await empty.drop()
  await expect(schema).toMatchFileSnapshot('../../../docs/database-schema.sql')
})
