/** `waybill margin import` says on how many days it compared no prices, before it asks and in a dry run. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { fileOf, removeFolders } from './card/card-folder.ts'
import { runWaybill } from './run-waybill.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

test.each(['', '--dry-run'])('warns of days on which prices were not compared: %j', async (option) => {
  const header =
    'account,carrier_code,product_id,zones,over_kg,up_to_kg,margin_pct,margin_eur,min_margin_eur,ending,valid_from,valid_to'
  const days = Array.from({ length: 8 }, (_, at) => `demo-shop,,1201,,,,90,,,,204${at}-01-01,`)
  const { out } = await runWaybill(
    cloned,
    `margin import '${await fileOf('margins.csv', header, ...days)}' ${option}`,
  )
  expect(out).toMatch(/^warning: prices were not compared on 2 later days$/m)
})
