/** The operator's commands on a database of their own: output, JSON, exit codes. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runCommand } from '../../src/cli/program.ts'
import { openCredentialStore, secretMatcher } from '../../src/store/credentials.ts'
import { migrate } from '../../src/store/migrate.ts'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../support/clone-database.ts'

const resetDemo = vi.hoisted(() => vi.fn())
vi.mock('../../src/store/demo/reset.ts', () => ({ resetDemo }))

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase()
})
afterAll(() => cloned.drop())

async function waybill(
  words: string,
  { db, source }: Pick<ClonedDatabase, 'db' | 'source'> = cloned,
  production = false,
) {
  const out: string[] = []
  const err: string[] = []
  const output = {
    line: (text: string) => void out.push(text),
    complaint: (text: string) => void err.push(text),
  }
  const split = [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const code = await runCommand(
    split,
    async (use) => use({ db, migrated: await migrate(source), production }),
    output,
  )
  return { code, out: out.join('\n'), err: err.join('\n') }
}

async function works(header: string): Promise<boolean> {
  const [keyId = '', secret = ''] = header.split('@')
  const key = await openCredentialStore(cloned.db).findKey(keyId)
  return secretMatcher.matches(secret, key?.secretDigests ?? [])
}

describe('account', () => {
  test('create, set, list', async () => {
    expect(await waybill("account create my-shop --name 'My Shop' --transit-form range")).toEqual({
      code: 0,
      out: 'Account my-shop created.',
      err: '',
    })
    expect(await waybill('account create my-shop --name Again')).toEqual({
      code: 1,
      out: '',
      err: 'waybill: there is an account my-shop already',
    })
    expect(await waybill('account set my-shop --price-breakdown no --json')).toEqual({
      code: 0,
      out: '{"accountId":"my-shop"}',
      err: '',
    })
    expect((await waybill('account set no-shop --name x')).err).toBe('waybill: there is no account no-shop')
    expect((await waybill('account list')).out).toMatch(
      /^ACCOUNT +NAME .*\n(.*\n)*my-shop +My Shop +range +no +20/,
    )
    const listed = JSON.parse((await waybill('account list --json')).out) as unknown[]
    expect(listed).toContainEqual(
      expect.objectContaining({
        accountId: 'my-shop',
        accountName: 'My Shop',
        transitForm: 'range',
        priceBreakdown: false,
      }),
    )
  })
})

describe('key', () => {
  test('create, rotate, revoke', async () => {
    await waybill('account create key-shop --name x')
    const created = await waybill('key create key-shop')
    expect(created.code).toBe(0)
    const header = /X-PP-API: (\S+)$/m.exec(created.out)?.[1] ?? ''
    expect(await works(header)).toBe(true)
    const [keyId = ''] = header.split('@')

    const rotated = JSON.parse((await waybill(`key rotate ${keyId} --json`)).out) as {
      header: string
      secretId: number
    }
    expect([await works(header), await works(rotated.header)]).toEqual([true, true])

    const listed = await waybill('key list key-shop')
    expect(listed.out.split('\n')).toHaveLength(3)
    expect(listed.out).not.toContain(header.split('@')[1])

    expect((await waybill(`key revoke ${keyId} --secret ${rotated.secretId}`)).out).toBe(
      `Revoked secret ${rotated.secretId} of key ${keyId}.`,
    )
    expect([await works(header), await works(rotated.header)]).toEqual([true, false])
    expect(await waybill(`key revoke ${keyId} --json`)).toEqual({
      code: 0,
      out: `{"keyId":"${keyId}","revoked":true}`,
      err: '',
    })
    expect(await works(header)).toBe(false)
    expect(await waybill(`key revoke ${keyId}`)).toEqual({
      code: 1,
      out: '',
      err: `waybill: there is no live key ${keyId}`,
    })
    expect((await waybill('key list key-shop')).out).toMatch(/revoked 20/)
    expect((await waybill(`key rotate ${keyId}`)).code).toBe(1)
    expect((await waybill('key create no-shop')).err).toBe('waybill: there is no account no-shop')
  })
})

test('migrate says what it did', async () => {
  const empty = await emptyDatabase()
  expect((await waybill('migrate', empty)).out).toMatch(/^Applied 0001-accounts\.\n/)
  expect((await waybill('migrate', empty)).out).toBe('Nothing to do.')
  expect((await waybill('migrate --json', empty)).out).toBe('{"applied":[]}')
  await empty.drop()
})

test('demo reset resets the demonstration', async () => {
  expect(await waybill('demo reset')).toEqual({
    code: 0,
    out: 'The demonstration is back at its beginning.',
    err: '',
  })
  expect(resetDemo).toHaveBeenCalledWith(cloned.db)
})

describe('a command line that makes no sense is 2, with a hint', () => {
  test.each([
    ['', /Usage: waybill/],
    ['acount', /unknown command 'acount'/],
    ['account create x', /required option '--name/],
    ['account create Has_Capitals --name x', /1 to 40 of a-z/],
    ['account set x --transit-form both', /Allowed choices are single, range/],
    ['account set x --price-breakdown maybe', /yes or no/],
    ['key revoke', /missing required argument 'keyId'/],
    ['key revoke k --secret one', /whole number/],
    ['account list --jason', /unknown option '--jason'/],
  ])('%s', async (words, message) => {
    const { code, err } = await waybill(words)
    expect(err).toMatch(message)
    expect(code).toBe(2)
  })
})

test('asking for help is no mistake', async () => {
  expect(await waybill('--help')).toMatchObject({ code: 0, err: '' })
  expect((await waybill('key create --help')).out).toContain('create a key with its first secret')
})

test('a fault is 1, with where it came from', async () => {
  const { code, err } = await waybill('account list', { ...cloned, db: {} as ClonedDatabase['db'] })
  expect(code).toBe(1)
  expect(err).toMatch(/^waybill: .*\n.*\n +at /s)
})

describe('card', () => {
  const folder = path.resolve(import.meta.dirname, '../../src/reference/demo-rate-book')
  const card = "--code demo --name 'Winter prices' --valid-from 2026-12-01"

  test('publish, list', async () => {
    const published = await waybill(`card publish '${folder}' ${card}`)
    expect(published).toMatchObject({ code: 0, err: '' })
    expect(published.out).toMatch(/^Published demo@2\./)
    expect((await waybill('card list')).out).toMatch(/demo@2 +Winter prices +published +2026-12-01/)
  })

  test('publish names file, row and column of a fault and writes nothing', async () => {
    const broken = await mkdtemp(path.join(tmpdir(), 'waybill-card-'))
    await cp(folder, broken, { recursive: true })
    const lanes = path.join(broken, 'lane_zone.csv')
    await writeFile(lanes, (await readFile(lanes, 'utf8')).replace('G1,G2,2', 'G1,G2,two'))
    expect(
      await waybill(`card publish '${broken}' --code broken --name Broken --valid-from 2026-12-01`),
    ).toEqual({
      code: 1,
      out: '',
      err: 'waybill: lane_zone.csv, row 4, column zone: expected a number with at most 0 decimals, got "two"',
    })
    expect((await waybill('card list')).out).not.toContain('broken')
    await rm(broken, { recursive: true })
  })

  test('publish refuses a day that is none, a missing folder, an empty name', async () => {
    expect((await waybill(`card publish '${folder}' --code a --name b --valid-from 2026-02-30`)).code).toBe(2)
    expect((await waybill(`card publish /no/such/folder ${card}`)).code).toBe(1)
    expect((await waybill(`card publish '${folder}' --code a --name '' --valid-from 2026-12-01`)).code).toBe(
      2,
    )
  })
})

test('demo reset is refused in production', async () => {
  expect(await waybill('demo reset', cloned, true)).toEqual({
    code: 1,
    out: '',
    err: 'waybill: the demo secrets are public, so production refuses them',
  })
})
