/** Commands for rate cards that fail: exit code and message. Nothing is written. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { runWaybill } from '../run-waybill.ts'
import { DEMO_FOLDER } from './card-folder.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterAll(() => cloned.drop())

const IMPORT = `card import '${DEMO_FOLDER}' --code new --name New --valid-from 2026-12-01`
const NO_TERMINAL = 'waybill: cannot ask for confirmation without a terminal: add --yes to confirm'

test.each([
  [`${IMPORT} --publish`, 2, NO_TERMINAL],
  [`${IMPORT} --publish --json`, 2, 'waybill: cannot ask for confirmation with --json: add --yes to confirm'],
  ['card publish demo@1', 2, NO_TERMINAL],
  ['card withdraw demo@1', 2, NO_TERMINAL],
  ['card rollback demo', 2, NO_TERMINAL],
  [`${IMPORT} --base demo@1`, 2, 'waybill: --base can only be used with a price list'],
  [`card validate '${DEMO_FOLDER}' --base demo@1`, 2, 'waybill: --base can only be used with a price list'],
  [
    `card diff demo@1 '${DEMO_FOLDER}' --base demo@1`,
    2,
    'waybill: --base can only be used with a price list',
  ],
  [
    'card import demo@1 --code new --name New --valid-from 2026-12-01',
    2,
    /expected a workbook, a folder, a zip or a price list, not a version/,
  ],
  [`${IMPORT} --valid-to 2026-12-01`, 2, 'waybill: --valid-to must be after --valid-from'],
  [`card import '${DEMO_FOLDER}' --code new --name New --valid-from 2026-02-30`, 2, /Expected a day such as/],
  [`card import '${DEMO_FOLDER}' --code new --name '' --valid-from 2026-12-01`, 2, /must not be empty/],
  [
    `card import '${DEMO_FOLDER}' --code New --name New --valid-from 2026-12-01`,
    2,
    /1 to 40 characters of a-z/,
  ],
  [`card import '${DEMO_FOLDER}' --code new --name New`, 2, /required option '--valid-from/],
  [`${IMPORT} --changes many`, 2, /whole number/],
  ['card publish demo', 2, /Expected a version such as demo@2/],
  ['card rollback demo --to other@1 --yes', 2, 'waybill: --to names a version of other, not of demo'],
  ['card rollback demo --to zero --yes', 2, /Expected a version such as/],
  [`card publish '${DEMO_FOLDER}'`, 2, /Expected a version such as/],
  [
    'card import /no/such/folder --code new --name New --valid-from 2026-12-01',
    1,
    /\/no\/such\/folder does not exist/,
  ],
  ['card import /no/such.csv --code demo --valid-from 2026-12-01', 1, 'waybill: /no/such.csv does not exist'],
  ['card validate package.json', 1, 'waybill: package.json is neither a folder nor a zip'],
  ['card publish demo@1 --yes', 1, 'waybill: demo@1 is published, not a draft'],
  ['card publish demo@9 --yes', 1, 'waybill: there is no demo@9'],
  ['card publish none@1 --yes', 1, 'waybill: there is no rate card none'],
  ['card withdraw demo@9 --yes', 1, 'waybill: there is no demo@9'],
  [
    'card rollback demo --yes',
    1,
    'waybill: demo has no earlier published version: name a withdrawn one with --to',
  ],
  ['card rollback demo --to 1 --yes', 1, 'waybill: demo@1 is already the newest published version'],
  ['card rollback demo --to 9 --yes', 1, 'waybill: there is no demo@9'],
  ['card discard demo@1', 1, 'waybill: demo@1 is published: only drafts can be discarded'],
  ['card discard demo@9', 1, 'waybill: there is no demo@9'],
  ['card list none', 1, 'waybill: there is no rate card none'],
  ['card diff demo@1 demo@9', 1, 'waybill: there is no demo@9'],
  ['card export demo@9 /tmp/waybill-never', 1, 'waybill: there is no demo@9'],
])('refuses `%s`', async (words, code, message) => {
  const ran = await runWaybill(cloned, words)
  expect(ran).toMatchObject({ code, out: '' })
  expect(ran.err).toMatch(message)
  expect(ran.err).not.toMatch(/\n +at /)
  const listed = await runWaybill(cloned, 'card list --json')
  expect(JSON.parse(listed.out)).toMatchObject([{ version: 'demo@1', status: 'published' }])
})
