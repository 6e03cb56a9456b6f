/** Agreed codes in PostgreSQL and in memory, and the commands that keep them. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '../../../src/store/accounts/accounts.ts'
import {
  type AgreedCode,
  agreeCodes,
  listAgreedCodes,
  openAgreedCodes,
  removeAgreedCode,
} from '../../../src/store/accounts/agreed-codes.ts'
import { openCredentialStore } from '../../../src/store/accounts/credentials.ts'
import { createKey } from '../../../src/store/accounts/keys.ts'
import { emptyFolder, removeFolders } from '../../cli/card/card-folder.ts'
import { runWaybill } from '../../cli/run-waybill.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase()
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

let accounts = 0
/** Creates an account that only one test uses. */
async function newAccount(): Promise<string> {
  const accountId = `shop-${++accounts}`
  await createAccount(cloned.db, accountId, { accountName: accountId })
  return accountId
}

const agreed = (sku: string, code: string): AgreedCode => ({ sku, code, description: `goods ${sku}` })

describe('agreed codes', () => {
  test('are part of the caller, in the newest state', async () => {
    const accountId = await newAccount()
    const { keyId = '' } = (await createKey(cloned.db, accountId)) ?? {}
    const store = await openCredentialStore(cloned.db, { maxAgeMs: 0 })
    const read = async () => (await store.findKey(keyId))?.caller.agreedCodes?.()
    expect(await read()).toBeUndefined()
    expect(await agreeCodes(cloned.db, accountId, [agreed('A', '610910'), agreed('B', '640391')])).toBe(2)
    expect(await read()).toEqual(
      new Map([
        ['A', '610910'],
        ['B', '640391'],
      ]),
    )
    expect(await agreeCodes(cloned.db, accountId, [agreed('A', '610910'), agreed('B', '6403919000')])).toBe(1)
    expect((await read())?.get('B')).toBe('6403919000')
    expect(await removeAgreedCode(cloned.db, accountId, 'B')).toBe(true)
    expect(await removeAgreedCode(cloned.db, accountId, 'B')).toBe(false)
    expect(await read()).toEqual(new Map([['A', '610910']]))
    await store.close()
  })

  const revisionOf = async (accountId: string): Promise<number> => {
    const account = cloned.db.selectFrom('account').where('account_id', '=', accountId)
    return (await account.select('agreed_revision').executeTakeFirstOrThrow()).agreed_revision
  }

  test('are read once per revision, also by concurrent requests, and then from memory', async () => {
    const accountId = await newAccount()
    await agreeCodes(cloned.db, accountId, [agreed('A', '610910')])
    const first = await revisionOf(accountId)
    const codes = openAgreedCodes(cloned.db)
    const found = await Promise.all([codes.codesOf(accountId, first), codes.codesOf(accountId, first)])
    expect(found[0]).toBe(found[1])
    expect(codes.codesOf(accountId, first)).toBe(found[0])
    await agreeCodes(cloned.db, accountId, [agreed('A', '610990')])
    // The key of a request may bring an older revision for a few seconds.
    expect(codes.codesOf(accountId, first)).toBe(found[0])
    const second = await revisionOf(accountId)
    expect(await codes.codesOf(accountId, second)).toEqual(new Map([['A', '610990']]))
    const fresh = openAgreedCodes(cloned.db)
    expect(await fresh.codesOf(accountId, first)).toEqual(new Map([['A', '610990']]))
    expect(fresh.codesOf(accountId, first)).not.toBeInstanceOf(Promise)
  })

  test('are those of a database that continues from an earlier state', async () => {
    const accountId = await newAccount()
    await agreeCodes(cloned.db, accountId, [agreed('A', '610910')])
    const before = await revisionOf(accountId)
    await agreeCodes(cloned.db, accountId, [agreed('A', '610990')])
    const lost = await revisionOf(accountId)
    const codes = openAgreedCodes(cloned.db)
    expect((await codes.codesOf(accountId, lost)).get('A')).toBe('610990')
    await sql`UPDATE agreed_code SET hs_code = '610910' WHERE account_id = ${accountId}`.execute(cloned.db)
    await sql`UPDATE account SET agreed_revision = ${before} WHERE account_id = ${accountId}`.execute(
      cloned.db,
    )
    expect((await codes.codesOf(accountId, before)).get('A')).toBe('610910')
    // The next change has a revision that no process has seen.
    await agreeCodes(cloned.db, accountId, [agreed('A', '610520')])
    const next = await revisionOf(accountId)
    expect(next).toBeGreaterThan(lost)
    expect((await codes.codesOf(accountId, next)).get('A')).toBe('610520')
  })

  test('of the accounts that were used least recently leave the memory', async () => {
    const [one, other] = [await newAccount(), await newAccount()]
    for (const accountId of [one, other])
      await agreeCodes(cloned.db, accountId, [agreed('A', '610910'), agreed('B', '610910')])
    const [ofOne, ofOther] = [await revisionOf(one), await revisionOf(other)]
    const codes = openAgreedCodes(cloned.db, 4)
    await codes.codesOf(one, ofOne)
    await codes.codesOf(other, ofOther)
    expect(codes.codesOf(other, ofOther)).not.toBeInstanceOf(Promise)
    const again = codes.codesOf(one, ofOne)
    expect(again).toBeInstanceOf(Promise)
    expect((await again).size).toBe(2)
  })

  test('are limited per account: a change above the limit has no effect', async () => {
    const accountId = await newAccount()
    await agreeCodes(cloned.db, accountId, [agreed('A', '610910')], 2)
    const more = [agreed('B', '610910'), agreed('C', '610910')]
    await expect(agreeCodes(cloned.db, accountId, more, 2)).rejects.toThrow(
      `account ${accountId} would have 3 agreed codes; at most 2`,
    )
    expect((await listAgreedCodes(cloned.db, accountId)).map(({ sku }) => sku)).toEqual(['A'])
  })

  test('are removed with their account, and need one', async () => {
    const accountId = await newAccount()
    await agreeCodes(cloned.db, accountId, [agreed('A', '610910')])
    await sql`DELETE FROM account WHERE account_id = ${accountId}`.execute(cloned.db)
    expect(await listAgreedCodes(cloned.db, accountId)).toEqual([])
    expect(await agreeCodes(cloned.db, accountId, [agreed('A', '610910')])).toBeUndefined()
  })
})

describe('the commands', () => {
  async function fileOf(...lines: readonly string[]): Promise<string> {
    const file = path.join(await emptyFolder(), 'reviewed.csv')
    await writeFile(file, `${lines.join('\n')}\n`)
    return file
  }
  const waybill = (words: string) => runWaybill(cloned, words)

  test('keep, list and remove codes, and fill in a file for review', async () => {
    const accountId = await newAccount()
    const file = await fileOf(
      'sku,description,agreed_code',
      'A1,t-shirt,6109.10',
      'A2,boots,',
      'A3,cap,65050090',
    )
    const agree = await waybill(`classify agree '${file}' --account ${accountId}`)
    expect(agree).toMatchObject({
      code: 0,
      out: `Account ${accountId} has agreed on 2 codes of ${file}; 2 of them are new or changed.`,
    })
    const list = await waybill(`classify agreed --account ${accountId} --json`)
    expect(JSON.parse(list.out)).toMatchObject([
      { sku: 'A1', code: '610910', description: 't-shirt' },
      { sku: 'A3', code: '65050090', description: 'cap' },
    ])
    const goods = await fileOf('sku,description', 'A3,asdfgh', 'A2,asdfgh')
    const target = path.join(path.dirname(goods), 'review.csv')
    await waybill(`classify --in '${goods}' --out '${target}' --account ${accountId}`)
    const { out } = await waybill(`classify agree '${target}' --account ${accountId} --json`)
    expect(JSON.parse(out)).toEqual({ accountId, codes: 1, changed: 0 })
    expect((await waybill(`classify withdraw A3 --account ${accountId}`)).out).toBe(
      `Account ${accountId} has no agreed code for A3 any more.`,
    )
    expect((await waybill(`classify agreed --account ${accountId}`)).out).toMatch(/^SKU +CODE.*\nA1 +610910 /)
    expect((await waybill(`classify withdraw A3 --account ${accountId}`)).err).toBe(
      `waybill: account ${accountId} has no agreed code for A3`,
    )
  })

  test('refuse a file with its faults', async () => {
    const accountId = await newAccount()
    const file = await fileOf(
      'sku,agreed_code',
      ',610910',
      'B,6109',
      'C,999999',
      'D,610910',
      'D,610990',
      `${'x'.repeat(71)},610910`,
      'E\u0000,610910',
    )
    const { code, err } = await waybill(`classify agree '${file}' --account ${accountId}`)
    expect(code).toBe(1)
    expect(err.match(/row \d, column \w+: expected [^,\n]*/g)).toEqual([
      'row 2, column sku: expected the number of the product',
      expect.stringMatching(
        /^row 3, column agreed_code: expected an HS code or commodity code of 6 to 10 digits/,
      ),
      expect.stringMatching(/^row 4, column agreed_code: expected an HS code/),
      'row 6, column agreed_code: expected 610910',
      'row 7, column sku: expected a text that must have at most 70 characters',
      'row 8, column sku: expected a text that must not contain control characters',
    ])
    expect(await listAgreedCodes(cloned.db, accountId)).toEqual([])
    const other = await fileOf('description,agreed_code')
    expect((await waybill(`classify agree '${other}' --account ${accountId}`)).err).toMatch(/a column "sku"/)
  })

  test('refuse an unknown account', async () => {
    const file = await fileOf('sku,agreed_code', 'A,610910')
    expect((await waybill(`classify agree '${file}' --account nobody`)).err).toBe(
      'waybill: there is no account nobody',
    )
  })
})
