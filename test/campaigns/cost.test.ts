/** A short run of `npm run test:cost`: few documents over a few large shipments, without limits on time. */
import { buildASTSchema, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { readTypeDefinitions } from '../../src/graphql/schema-files.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { emptyDatabase } from '../support/database/clone-database.ts'
import { fixedDocuments, randomDocuments } from './cost/documents.ts'
import { measure } from './cost/run.ts'
import { store } from './cost/stored.ts'

test('documents over large shipments are charged, and answered or refused', async () => {
  const database = await emptyDatabase()
  try {
    await migrate(database.source)
    const stored = await store(database.source, { keys: 24, large: 10, long: 3, small: 10 })
    const schema = buildASTSchema(readTypeDefinitions())
    const documents = [...fixedDocuments(stored), ...randomDocuments(schema, stored, 13, 4)]
    for (const { label, query } of documents) expect(validate(schema, parse(query)), label).toEqual([])
    const figures = await measure({
      ...{ source: database.source, program: 'source', documents, warmUp: [], keys: stored.keys },
      ...{ times: { min: 1, max: 1 }, endsAt: Number.POSITIVE_INFINITY },
    })
    expect(figures).toHaveLength(documents.length)
    for (const { label, statuses, points } of figures) {
      expect([200, 400, 503], label).toContain(statuses[0])
      expect(points, label).toBeGreaterThanOrEqual(1)
    }
    const large = figures.find(({ label }) => label === 'all large, count')
    // About 200 KB each.
    expect(large?.points).toBeGreaterThan(20)
  } finally {
    await database.drop()
  }
}, 180_000)
