import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { setAccount } from '../../../src/store/accounts/accounts.ts'
import { openCredentialStore } from '../../../src/store/accounts/credentials.ts'
import { revokeKey } from '../../../src/store/accounts/keys.ts'
import { RATE_BOOK, readRevision } from '../../../src/store/database/revision.ts'
import { resetDemo, resetDemoRateBook, seedDemo } from '../../../src/store/demo/reset.ts'
import { listContracts, setContract } from '../../../src/store/rate-cards/contracts.ts'
import { listFuelRates, setFuelRates, unsetFuelRate } from '../../../src/store/rate-cards/fuel.ts'
import {
  importRateCard,
  listRateCards,
  type NewRateCard,
  publishRateCard,
  withdrawRateCard,
} from '../../../src/store/rate-cards/versions.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let clone: ClonedDatabase
beforeAll(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterAll(() => clone.drop())

const DEMO: NewRateCard = {
  code: 'demo',
  name: 'Demo rate book',
  audience: 'everyone',
  validFrom: '2026-01-01',
  card: readDemoRateBook(),
}

const published = async () =>
  (await listRateCards(clone.db)).filter(({ status }) => status === 'published').map(({ version }) => version)

/** The demo data as far as callers and operators can see them. */
async function demonstration() {
  const shipments = await clone.db
    .selectFrom('shipment')
    .select(['shipment_id', 'state'])
    .orderBy('shipment_id')
    .execute()
  const key = await (await openCredentialStore(clone.db, { allowDemoKeys: true })).findKey('demo')
  const fuel = (await listFuelRates(clone.db)).map(({ enteredAt: _, ...rate }) => rate)
  const contracts = await listContracts(clone.db)
  const carriers = await clone.db.selectFrom('carrier').selectAll().orderBy('carrier_code').execute()
  return {
    shipments,
    caller: key?.caller,
    secrets: key?.secretDigests.length,
    versions: await published(),
    fuel,
    contracts,
    carriers,
  }
}

async function changeWhatIsSold(): Promise<void> {
  const { content, ...shared } = readDemoRateBook()
  const carriers = shared.carriers.map((row) => ({ ...row, name: `${row.name} & Sons` }))
  const dearer = content.prices.map((row) => ({ ...row, priceCents: row.priceCents + 100 }))
  const card = { ...shared, carriers, content: { ...content, prices: dearer } }
  await publishRateCard(clone.db, await importRateCard(clone.db, { ...DEMO, card }))
  await importRateCard(clone.db, DEMO)
  const [first] = shared.fuel
  await setFuelRates(clone.db, [{ ...first!, rateBps: first!.rateBps + 100 }])
  await setFuelRates(clone.db, [{ ...first!, validFrom: '2026-11-01', rateBps: 2000 }])
  await unsetFuelRate(clone.db, shared.fuel[1]!)
  const terms = { validFrom: '2026-01-01', freightBps: -1000, fuelBps: 0, hidden: false }
  await setContract(clone.db, { accountId: 'demo-shop', ...terms })
}

test('a reset of the demo restores accounts, keys, rate book and shipments', async () => {
  const beginning = await demonstration()
  await setAccount(clone.db, 'demo-shop', {
    accountName: 'Renamed',
    transitForm: 'range',
    priceBreakdown: false,
  })
  await revokeKey(clone.db, 'demo')
  await clone.db.deleteFrom('shipment').where('shipment_id', '=', 'demo-draft').execute()
  await changeWhatIsSold()
  expect(await demonstration()).not.toEqual(beginning)

  await seedDemo(clone.db)
  expect((await demonstration()).caller).toBeUndefined() // seeding does not change existing data
  await resetDemo(clone.db)
  expect(await demonstration()).toEqual(beginning)
  const drafts = (await listRateCards(clone.db)).filter(({ status }) => status === 'draft')
  expect(drafts).toEqual([])
})

test('events of demo data have numbers, so that a new client of GET /events does not get them', async () => {
  await resetDemo(clone.db)
  const events = await clone.db.selectFrom('account_event').select('sequence').execute()
  expect(events.length).toBeGreaterThan(0)
  expect(events.filter(({ sequence }) => sequence === null)).toEqual([])
})

test('a reset of an unchanged rate book does not change its revision', async () => {
  await resetDemoRateBook(clone.db)
  const revision = await readRevision(clone.db, RATE_BOOK)
  await resetDemoRateBook(clone.db)
  expect(await readRevision(clone.db, RATE_BOOK)).toBe(revision)
})

test('a reset restores the shipped dates, and publishes the shipped card if no version has its content', async () => {
  const later = await importRateCard(clone.db, { ...DEMO, validFrom: '2026-12-01' })
  await publishRateCard(clone.db, later)
  await resetDemoRateBook(clone.db)
  expect(await published()).toEqual(['demo@1'])

  await withdrawRateCard(clone.db, { code: 'demo', versionNo: 1 })
  await resetDemoRateBook(clone.db)
  expect(await published()).toEqual(['demo@1'])
})
