/** Commands that ask for confirmation, while another operator changes the rate book. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATE_BOOK, readRevision } from '../../../src/store/database/revision.ts'
import { setContract } from '../../../src/store/rate-cards/contracts.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { runWaybill, type Setting } from '../run-waybill.ts'
import { demoFolderWith, removeFolders } from './card-folder.ts'

let cloned: ClonedDatabase
let folder: string
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
  folder = await demoFolderWith(['rates.csv', '1201,3,KG,2,5,14.25', '1201,3,KG,2,5,15.25'])
  const draft = `card import '${folder}' --code demo --force`
  await waybill(`${draft} --valid-from 2041-01-01 --publish --yes`)
  await waybill(`${draft} --valid-from 2042-01-01`)
  await waybill('contract set other-shop --from 2026-01-01 --product 1201 --freight -5')
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string, setting?: Setting) => runWaybill(cloned, words, setting)

/** Another operator sets a contract until the answer is given. */
async function answerLate(): Promise<string> {
  await setContract(cloned.db, {
    accountId: 'demo-shop',
    carrierCode: 'hanzo',
    validFrom: '2045-01-01',
    fuelBps: 0,
  })
  return 'y'
}

test.each([
  'contract set demo-shop --from 2026-01-01 --product 1201 --freight 5',
  'contract remove other-shop --from 2026-01-01 --product 1201',
  'fuel set rondeel 102.5 --from 2032-01-05',
  'fuel unset rondeel --from 2026-01-01',
  'card publish demo@3',
  'card withdraw demo@2',
  'card rollback demo',
  `card import 'FOLDER' --code demo --valid-from 2043-01-01 --force --publish`,
])('does not change what was not shown: %s', async (words) => {
  const before = await readRevision(cloned.db, RATE_BOOK)
  const ran = await waybill(words.replace('FOLDER', folder), { answer: answerLate })
  expect(ran).toMatchObject({ code: 1, asked: [expect.any(String)] })
  expect(ran.err).toMatch(/^waybill: the rate book has changed meanwhile; repeat the command/)
  // Only the other operator has changed it.
  expect(await readRevision(cloned.db, RATE_BOOK)).toBe(before + 1)
})
