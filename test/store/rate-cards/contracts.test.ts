/** Contracts of accounts: one per scope and first day. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ContractRow } from '../../../src/core/rating/contract.ts'
import { RATE_BOOK, readRevision } from '../../../src/store/database/revision.ts'
import { listContracts, removeContract, setContract } from '../../../src/store/rate-cards/contracts.ts'
import { loadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let clone: ClonedDatabase
beforeEach(async () => {
  clone = await cloneDatabase()
})
afterEach(() => clone.drop())

const GENERAL: ContractRow = {
  accountId: 'demo-shop',
  validFrom: '2026-01-01',
  freightBps: -500,
  fuelBps: 0,
  hidden: false,
}
const PRODUCT: ContractRow = { ...GENERAL, productId: 1201, fuelBps: -2500, validTo: '2027-01-01' }
const CARRIER: ContractRow = { ...GENERAL, carrierCode: 'rondeel', hidden: true, cardCode: 'demo' }

test('contracts are listed as they were set, the narrowest scope first', async () => {
  for (const row of [GENERAL, CARRIER, PRODUCT]) await setContract(clone.db, row)
  await setContract(clone.db, { ...GENERAL, accountId: 'other-shop' })
  expect(await listContracts(clone.db, 'demo-shop')).toEqual([PRODUCT, CARRIER, GENERAL])
  expect(await listContracts(clone.db)).toHaveLength(4)
  expect([...(await loadRateBook(clone.db)).contracts.keys()].sort()).toEqual(['demo-shop', 'other-shop'])
})

test('a contract for the same scope and first day replaces the first one', async () => {
  for (const row of [GENERAL, PRODUCT, CARRIER])
    for (const freightBps of [-500, 700]) await setContract(clone.db, { ...row, freightBps })
  expect((await listContracts(clone.db)).map(({ freightBps }) => freightBps)).toEqual([700, 700, 700])
  await setContract(clone.db, { ...GENERAL, validFrom: '2026-07-01' })
  expect((await listContracts(clone.db)).slice(2).map(({ validFrom }) => validFrom)).toEqual([
    '2026-07-01',
    '2026-01-01',
  ])
})

test('a contract is removed by its account, scope and first day', async () => {
  for (const row of [GENERAL, CARRIER, PRODUCT]) await setContract(clone.db, row)
  const revision = await readRevision(clone.db, RATE_BOOK)
  expect(await removeContract(clone.db, { ...GENERAL, validFrom: '2026-01-02' })).toBe(false)
  expect(await readRevision(clone.db, RATE_BOOK)).toBe(revision)
  expect(await removeContract(clone.db, GENERAL)).toBe(true)
  expect(await readRevision(clone.db, RATE_BOOK)).toBe(revision + 1)
  expect(await listContracts(clone.db)).toEqual([PRODUCT, CARRIER])
})

test('unknown accounts, products, carriers and cards are refused', async () => {
  const refused = (row: ContractRow) => expect(setContract(clone.db, row)).rejects
  await refused({ ...GENERAL, accountId: 'nobody' }).toThrow('there is no account nobody')
  await refused({ ...GENERAL, carrierCode: 'nobody' }).toThrow('there is no carrier nobody')
  await refused({ ...GENERAL, productId: 4711 }).toThrow('no rate card has a product 4711')
  await refused({ ...GENERAL, cardCode: 'nothing' }).toThrow('there is no rate card nothing')
  await refused({ ...PRODUCT, carrierCode: 'rondeel' }).toThrow(
    'for a product, for a carrier, or for everything',
  )
})

test('invalid figures are refused', async () => {
  const refused = (row: ContractRow) => expect(setContract(clone.db, row)).rejects.toThrow('check constraint')
  await refused({ ...GENERAL, freightBps: -10_000 })
  await refused({ ...GENERAL, freightBps: 100_001 })
  await refused({ ...GENERAL, fuelBps: -10_001 })
  await refused({ ...GENERAL, validTo: '2026-01-01' })
  await setContract(clone.db, { ...GENERAL, freightBps: -9999, fuelBps: -10_000 })
})

test('contracts are deleted with their account', async () => {
  await clone.db.insertInto('account').values({ account_id: 'brief', name: 'Brief' }).execute()
  await setContract(clone.db, { ...GENERAL, accountId: 'brief' })
  await clone.db.deleteFrom('account').where('account_id', '=', 'brief').execute()
  expect(await listContracts(clone.db)).toEqual([])
})
