/** Names with control characters are refused by every command and file that stores names, and escaped when printed. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPlainText } from '../../src/core/input.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { emptyFolder, removeFolders } from './card/card-folder.ts'
import { runWaybill } from './run-waybill.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string) => runWaybill(cloned, words)

/** Clears the screen, forges a row and reverses the reading direction. */
const FORGED = 'x\u001b[2J\nadmin  Root\u202e'
const REFUSED = /It must be text on one line without control characters\./

describe('a name with control characters is refused', () => {
  test.each([
    `account create forged --name '${FORGED}'`,
    `account set demo-shop --name '${FORGED}'`,
    `card import nowhere --code x --valid-from 2026-01-01 --name '${FORGED}'`,
    `fuel set '${FORGED}' 12 --from 2026-01-01`,
    `fuel set rondeel 12 --from 2026-01-01 --code '${FORGED}'`,
    `fuel unset '${FORGED}' --from 2026-01-01`,
    `contract set demo-shop --carrier '${FORGED}' --from 2026-01-01 --freight -5`,
    `customs import x.csv --set x --title '${FORGED}'`,
    `customs import x.csv --set x --source '${FORGED}'`,
  ])('by the command %j', async (words) => {
    const { code, out, err } = await waybill(words)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(REFUSED)
    expect(err.split('\n').every(isPlainText)).toBe(true)
  })

  test('as is one of more than 500 characters', async () => {
    const { code, err } = await waybill(`account create long --name ${'x'.repeat(501)}`)
    expect([code, err]).toEqual([2, expect.stringContaining('It must be at most 500 characters.')])
  })

  test('in a shipment file', async () => {
    const file = path.join(await emptyFolder(), 'shipments.csv')
    const header =
      'shipment_id,account,carrier,carrier_ref,product_id,state,from_country,from_city,to_country,price'
    await writeFile(file, `${header}\ns-1,acme,rondeel,R1,1201,booked,NL,"Gro\u001bningen",DE,5\n`)
    const { code, err } = await waybill(`shipment import '${file}'`)
    expect(code).toBe(1)
    expect(err).toContain(
      'row 2, column from_city: expected text on one line without control characters, found "Gro\\u001bningen"',
    )
  })

  test('in a customs file, except for line breaks in notes', async () => {
    const file = path.join(await emptyFolder(), 'rates.csv')
    const rows = (kind: string, note: string) =>
      writeFile(file, `jurisdiction,rate_percent,kind,note\nEE,24,"${kind}","${note}"\n`)
    const dryRun = `customs import '${file}' --set mine --format tax-rates --dry-run`
    await rows('standard', 'two\nlines')
    expect(await waybill(dryRun)).toMatchObject({ code: 0, err: '' })
    await rows('standard', 'a\u001bnote')
    expect((await waybill(dryRun)).err).toContain(
      'column note: expected text without control characters, found "a\\u001bnote"',
    )
    await rows('stand\nard', '')
    expect((await waybill(dryRun)).err).toContain(
      'column kind: expected text on one line without control characters',
    )
  })

  test('as the name of a file that is stored with a data set', async () => {
    const file = path.join(await emptyFolder(), 'r\u001bates.csv')
    await writeFile(file, 'jurisdiction,rate_percent\nEE,24\n')
    const { code, err } = await waybill(`customs import '${file}' --set mine --dry-run`)
    expect([code, err]).toEqual([
      2,
      'waybill: the names of the files are stored with the set: together they must be text on one line without control characters',
    ])
  })
})

describe('a stored name', () => {
  test('is escaped in a listing, and unchanged in JSON', async () => {
    await waybill('account create old-shop --name Old')
    await sql`UPDATE account SET name = ${FORGED} WHERE account_id = 'old-shop'`.execute(cloned.db)
    const listed = (await waybill('account list')).out.split('\n')
    const row = listed.find((line) => line.startsWith('old-shop'))
    expect(row).toContain('x\\u001b[2J\\nadmin  Root\\u202e ')
    expect(listed.filter((line) => line.startsWith('admin'))).toEqual([])
    // Columns are aligned.
    expect(row?.indexOf(' single ')).toBe(listed[0]!.indexOf(' TRANSIT'))
    const accounts = JSON.parse((await waybill('account list --json')).out) as { accountName: string }[]
    expect(accounts.map(({ accountName }) => accountName)).toContain(FORGED)
  })

  test('of a column in a file is escaped in messages', async () => {
    const folder = await emptyFolder()
    await writeFile(path.join(folder, 'rates.csv'), `product_id,"ev\u001b[31mil\u202e"\n1,2\n`)
    const { err } = await waybill(`card validate '${folder}'`)
    expect(err).toContain('column ev\\u001b[31mil\\u202e')
    expect(err.split('\n').every(isPlainText)).toBe(true)
  })
})
