/** Commands for accounts, keys, migrations and demo data, and common behaviour: output, JSON and exit codes. */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runCommand } from '../../src/cli/program.ts'
import { ConfigError } from '../../src/config/config.ts'
import { openCredentialStore, secretMatcher } from '../../src/store/accounts/credentials.ts'
import { openTokenSecrets } from '../../src/store/accounts/token-secrets.ts'
import { OperatorError } from '../../src/store/database/database.ts'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../support/database/clone-database.ts'
import { runWaybill } from './run-waybill.ts'

const resetDemo = vi.hoisted(() => vi.fn())
vi.mock('../../src/store/demo/reset.ts', async (original) => ({ ...(await original<object>()), resetDemo }))

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase()
})
afterAll(() => cloned.drop())

async function waybill(
  words: string,
  database: Pick<ClonedDatabase, 'db' | 'source'> = cloned,
  production = false,
) {
  const { code, out, err } = await runWaybill(database, words, { production })
  return { code, out, err }
}

async function works(header: string): Promise<boolean> {
  const [keyId = '', secret = ''] = header.split('@')
  const key = await (await openCredentialStore(cloned.db)).findKey(keyId)
  return secretMatcher.matches(secret, key?.secretDigests ?? [])
}

describe('account', () => {
  test('is created, changed and listed', async () => {
    expect(await waybill("account create my-shop --name 'My Shop' --transit-form range")).toEqual({
      code: 0,
      out: 'Account my-shop created.',
      err: '',
    })
    expect(await waybill('account create my-shop --name Again')).toEqual({
      code: 1,
      out: '',
      err: 'waybill: account my-shop already exists',
    })
    expect(await waybill('account set my-shop --price-breakdown no --count-averages no --json')).toEqual({
      code: 0,
      out: '{"accountId":"my-shop"}',
      err: '',
    })
    expect((await waybill('account register my-shop VOEC 201.2345 --from 2026-01-01')).out).toBe(
      'Account my-shop is registered for VOEC with 2012345.',
    )
    expect((await waybill('account register no-shop VOEC 2012345')).err).toBe(
      'waybill: there is no account no-shop',
    )
    expect((await waybill('account registrations my-shop')).out).toMatch(/my-shop +VOEC +2012345 +2026-01-01/)
    expect((await waybill('account unregister my-shop VOEC')).code).toBe(0)
    expect((await waybill('account unregister my-shop VOEC')).err).toBe(
      'waybill: account my-shop has no registration for VOEC',
    )
    expect((await waybill('account set no-shop --name x')).err).toBe('waybill: there is no account no-shop')
    expect((await waybill('account list')).out).toMatch(
      /^ACCOUNT +NAME .*\n(.*\n)*my-shop +My Shop +range +no +no +20/,
    )
    const listed = JSON.parse((await waybill('account list --json')).out) as unknown[]
    expect(listed).toContainEqual(
      expect.objectContaining({
        accountId: 'my-shop',
        accountName: 'My Shop',
        transitForm: 'range',
        priceBreakdown: false,
        countAverages: false,
      }),
    )
  })
})

describe('key', () => {
  test('is created, rotated and revoked', async () => {
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
      err: `waybill: key ${keyId} does not exist or is revoked`,
    })
    expect((await waybill('key list key-shop')).out).toMatch(/revoked 20/)
    expect((await waybill(`key rotate ${keyId}`)).code).toBe(1)
    expect((await waybill('key create no-shop')).err).toBe('waybill: there is no account no-shop')
  })

  test('has scopes, a label, a limit and an end, which the list shows', async () => {
    await waybill('account create scoped-shop --name x')
    const words =
      "--scope rates --scope duties --scope rates --limit 30 --expires 2999-01-31 --label 'Till 1'"
    expect((await waybill(`key create scoped-shop ${words}`)).code).toBe(0)
    const [listed] = JSON.parse((await waybill('key list scoped-shop --json')).out) as object[]
    expect(listed).toMatchObject({
      scopes: ['rates', 'duties'],
      requestsPerMinute: 30,
      // The last day on which it works.
      expiresAt: '2999-02-01T00:00:00.000Z',
      label: 'Till 1',
    })
    expect((await waybill('key list scoped-shop')).out).toMatch(
      /Till 1 +rates duties +30 +2999-02-01T00:00:00.000Z +never .* live$/,
    )
    const { keyId } = listed as { keyId: string }
    expect((await waybill(`key limit ${keyId} 5`)).out).toBe(`Key ${keyId} may make 5 requests a minute.`)
    expect((await waybill('key list scoped-shop')).out).toMatch(/Till 1 +rates duties +5 +2999/)
    expect((await waybill(`key limit ${keyId} 0`)).code).toBe(2)
    expect(await waybill('key limit no-key 5')).toEqual({
      code: 1,
      out: '',
      err: 'waybill: key no-key does not exist or is revoked',
    })
    await waybill('key create scoped-shop --expires 90d')
    const [, second] = JSON.parse((await waybill('key list scoped-shop --json')).out) as {
      expiresAt: string
    }[]
    const days = (Date.parse(second?.expiresAt ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(89.9)
    expect(days).toBeLessThanOrEqual(90)
  })

  test('can be publishable', async () => {
    await waybill('account create page-shop --name x')
    const words = '--publishable --origin https://shop.example --origin http://localhost:5173'
    const { code, out } = await waybill(`key create page-shop ${words} --total-limit 600`)
    expect(code).toBe(0)
    const keyId = /X-PP-API: (pk_\S+)$/m.exec(out)?.[1] ?? ''
    expect(out).not.toContain('Secret')
    const [listed] = JSON.parse((await waybill('key list page-shop --json')).out) as object[]
    expect(listed).toMatchObject({
      keyId,
      scopes: ['rates', 'duties'],
      requestsPerMinute: 600,
      publishable: {
        origins: ['https://shop.example', 'http://localhost:5173'],
        addressRequestsPerMinute: 60,
        needsCheckoutToken: false,
      },
      secrets: [],
    })
    expect((await waybill('key list page-shop')).out).toMatch(
      /pk_.* rates duties +https:\/\/shop.example http:\/\/localhost:5173 +60 per address, 600 +never +never .* live$/,
    )
    expect(await waybill(`key rotate ${keyId} --json`)).toEqual({
      code: 0,
      out: `{"keyId":"${keyId}","checkoutTokensRevoked":true}`,
      err: '',
    })
    await waybill(`key limit ${keyId} 7`)
    expect((await waybill('key list page-shop')).out).toContain('7 per address, 600')
    expect((await waybill(`key revoke ${keyId}`)).code).toBe(0)
    expect((await waybill('key list page-shop')).out).toMatch(/revoked 20/)
    expect((await waybill(`key limit ${keyId} 8`)).code).toBe(1)
    expect((await waybill(`key create no-shop ${words}`)).err).toBe('waybill: there is no account no-shop')
  })
})

test('migrate lists the migrations that it applied', async () => {
  const empty = await emptyDatabase()
  expect((await waybill('migrate', empty)).out).toMatch(/^Applied 001-accounts\.\n/)
  expect((await waybill('migrate', empty)).out).toBe('The schema is up to date.')
  expect((await waybill('migrate --json', empty)).out).toBe('{"applied":[]}')
  await empty.drop()
})

test('demo reset restores the demo data', async () => {
  expect(await waybill('demo reset')).toEqual({
    code: 0,
    out: 'The demo data is restored.',
    err: '',
  })
  expect(resetDemo).toHaveBeenCalledWith(cloned.db)
})

describe('invalid arguments exit with 2 and a hint', () => {
  test.each([
    ['', /Usage: waybill/],
    ['acount', /unknown command 'acount'/],
    ['account create x', /required option '--name/],
    ['account create Has_Capitals --name x', /1 to 40 characters of a-z/],
    ['account set x --transit-form both', /Allowed choices are single, range/],
    ['account set x --price-breakdown maybe', /yes or no/],
    ['account set x --count-averages maybe', /yes or no/],
    ['account register x VAT 1', /Allowed choices are IOSS/],
    ['account register x VOEC 1', /number: expected a number such as 2012345/],
    ['account register x VOEC 2012345 --from 2026-02-01 --until 2026-01-01', /--until must be after/],
    ['key revoke', /missing required argument 'keyId'/],
    ['key revoke k --secret one', /whole number/],
    [
      'key create x --scope shipment',
      /Expected one of rates, duties, shipments:read, shipments:write, cancel/,
    ],
    ['key create x --publishable', /--publishable needs at least one --origin/],
    ['key create x --publishable --origin https://shop.example/', /scheme, host and port only/],
    ['key create x --publishable --origin shop.example', /scheme, host and port only/],
    ['key create x --publishable --origin https://*.example', /scheme, host and port only/],
    ['key create x --publishable --origin null', /scheme, host and port only/],
    ['key create x --publishable --origin https://a.example --scope cancel', /cannot have the scope cancel/],
    ['key create x --origin https://shop.example', /--origin needs --publishable/],
    ['key create x --require-checkout-token', /--require-checkout-token needs --publishable/],
    ['key create x --total-limit 5', /--total-limit needs --publishable/],
    ['key create x --limit 0', /whole number above 0/],
    ['key create x --expires 2020-01-31', /The day is over/],
    ['key create x --expires soon', /a day such as 2027-01-31, or days such as 90d/],
    ['account list --jason', /unknown option '--jason'/],
  ])('%s', async (words, message) => {
    const { code, err } = await waybill(words)
    expect(err).toMatch(message)
    expect(code).toBe(2)
  })
})

test('--help exits with 0', async () => {
  expect(await waybill('--help')).toMatchObject({ code: 0, err: '' })
  expect((await waybill('key create --help')).out).toContain('create a key with its first secret')
})

test('a bug exits with 1 and prints its stack', async () => {
  const { code, err } = await waybill('account list', { ...cloned, db: {} as ClonedDatabase['db'] })
  expect(code).toBe(1)
  expect(err).toMatch(/^waybill: .*\n.*\n +at /s)
})

describe('demo reset where demo data is off', () => {
  const off = { demoData: false }

  test('is refused, with and without --json', async () => {
    resetDemo.mockClear()
    for (const words of ['demo reset', 'demo reset --json']) {
      const { code, out, err } = await runWaybill(cloned, words, off)
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toMatch(/^waybill: demo data is off for this database.*WAYBILL_DEMO_DATA=true.*--yes/)
    }
    expect(resetDemo).not.toHaveBeenCalled()
  })

  test('is carried out with --yes', async () => {
    expect(await runWaybill(cloned, 'demo reset --yes --json', off)).toMatchObject({
      code: 0,
      out: '{"reset":true}',
    })
    expect(resetDemo).toHaveBeenCalledWith(cloned.db)
  })

  test('is refused in production, even with --yes', async () => {
    expect((await runWaybill(cloned, 'demo reset --yes', { production: true })).code).toBe(1)
  })
})

test('demo reset is refused in one line if the database is marked for production', async () => {
  resetDemo.mockRejectedValueOnce(new OperatorError('this database takes no demo data'))
  expect(await waybill('demo reset')).toEqual({
    code: 1,
    out: '',
    err: 'waybill: this database takes no demo data',
  })
})

test('demo reset is refused in production', async () => {
  expect(await waybill('demo reset', cloned, true)).toEqual({
    code: 1,
    out: '',
    err: 'waybill: demo data is refused in production, because its secrets are public',
  })
})

describe('a command that cannot reach its database', () => {
  const out: string[] = []
  const err: string[] = []
  const output = {
    line: (text: string) => void out.push(text),
    error: (text: string) => void err.push(text),
  }

  test('prints one line', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })
    const code = await runCommand(
      ['card', 'list'],
      () => Promise.reject(new Error('the database cannot be migrated', { cause: away })),
      output,
    )
    expect({ code, out, err }).toEqual({
      code: 1,
      out: [],
      err: ['waybill: cannot reach the database: connect ECONNREFUSED 127.0.0.1:1'],
    })
  })

  test('names a setting that is refused, and exits with 2', async () => {
    err.length = 0
    const code = await runCommand(
      ['card', 'list'],
      () => Promise.reject(new ConfigError('The configuration was refused:\n  WAYBILL_FOO: unknown setting')),
      output,
    )
    expect({ code, err }).toEqual({
      code: 2,
      err: ['waybill: The configuration was refused:\n  WAYBILL_FOO: unknown setting'],
    })
  })
})

test('token rotate adds a secret, with which new tokens are signed', async () => {
  const secrets = async () => (await openTokenSecrets(cloned.db)).current()
  const [first] = await secrets()
  expect(await waybill('token rotate')).toEqual({
    code: 0,
    out: [
      'Secret 2 signs new tokens within a minute.',
      'Tokens of secret 1 stay valid until the next rotation, those of older secrets are not valid.',
    ].join('\n'),
    err: '',
  })
  const [second, previous] = await secrets()
  expect(previous).toEqual(first)
  expect(await waybill('token rotate --json')).toMatchObject({ code: 0, out: '{"secretNo":3}' })
  expect((await secrets())[1]).toEqual(second)
})
