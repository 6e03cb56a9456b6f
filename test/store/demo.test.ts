import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDemoRateBook } from '../../src/reference/rate-card-csv.ts'
import { revokeKey, setAccount } from '../../src/store/accounts.ts'
import { openCredentialStore } from '../../src/store/credentials.ts'
import { resetDemo, seedDemo } from '../../src/store/demo/reset.ts'
import { listRateCards, publishRateCard } from '../../src/store/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/clone-database.ts'

let clone: ClonedDatabase
beforeAll(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterAll(() => clone.drop())

/** What a reader of the demonstration can see of it. */
async function demonstration() {
  const shipments = await clone.db
    .selectFrom('shipment')
    .select(['shipment_id', 'state'])
    .orderBy('shipment_id')
    .execute()
  const key = await openCredentialStore(clone.db).findKey('demo')
  const versions = (await listRateCards(clone.db)).map(({ version, name }) => ({ version, name }))
  return { shipments, caller: key?.caller, secrets: key?.secretDigests.length, versions }
}

test('a reset puts accounts, keys, rate book and shipments back to their beginning', async () => {
  const beginning = await demonstration()
  await setAccount(clone.db, 'demo-shop', {
    accountName: 'Renamed',
    transitForm: 'range',
    priceBreakdown: false,
  })
  await revokeKey(clone.db, 'demo')
  await clone.db.deleteFrom('shipment').where('shipment_id', '=', 'demo-draft').execute()
  const folder = readDemoRateBook()
  await publishRateCard(clone.db, { code: 'demo', name: 'Demo rate book', validFrom: '2026-01-01', folder })
  expect(await demonstration()).not.toEqual(beginning)

  await seedDemo(clone.db)
  expect((await demonstration()).caller).toBeUndefined() // seeding changes nothing that is there
  await resetDemo(clone.db)
  expect(await demonstration()).toEqual(beginning)
})
