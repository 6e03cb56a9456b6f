import { describe, expect, test } from 'vitest'
import { ConfigError, describeConfig, readConfig } from '../src/config.ts'

describe('the configuration', () => {
  test('of an empty environment runs the demo on port 4000 with the embedded server', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 4000,
      databaseUrl: undefined,
      demoData: true,
      playground: true,
    })
  })

  test('with an external database has no demo data by default', () => {
    const external = { DATABASE_URL: 'postgres://waybill@db/waybill' }
    for (const environment of [external, { ...external, NODE_ENV: 'development' }]) {
      expect(readConfig(environment).demoData).toBe(false)
      expect(readConfig({ ...environment, WAYBILL_DEMO_DATA: '' }).demoData).toBe(false)
      expect(readConfig({ ...environment, WAYBILL_DEMO_DATA: 'true' }).demoData).toBe(true)
    }
  })

  test('reads the secrets of option tokens, and does not describe them', () => {
    const [newest, previous] = ['n'.repeat(32), 'p'.repeat(32)]
    expect(readConfig({})).toMatchObject({ tokenSecrets: [], optionTokenMinutes: 30 })
    expect(describeConfig(readConfig({}))).toMatchObject({ tokenSecrets: 'database' })
    const config = readConfig({ WAYBILL_TOKEN_SECRET: `${newest}, ${previous}` })
    expect(config.tokenSecrets).toEqual([newest, previous])
    expect(describeConfig(config)).toMatchObject({ tokenSecrets: '***' })
    expect(JSON.stringify(describeConfig(config))).not.toContain(newest)
  })

  test.each([
    'short',
    `${'n'.repeat(32)},short`,
    `${'n'.repeat(32)},`,
    Array(3).fill('n'.repeat(32)).join(),
  ])('refuses the secret "%s" without printing it', (secret) => {
    expect(() => readConfig({ WAYBILL_TOKEN_SECRET: secret })).toThrow(/WAYBILL_TOKEN_SECRET: expected one/)
    expect(() => readConfig({ WAYBILL_TOKEN_SECRET: secret })).not.toThrow(secret)
  })

  const EXTERNAL = 'postgres://waybill@db/waybill'
  test.each([
    ['the embedded database', {}, true],
    ['the embedded database on every address', { HOST: '0.0.0.0' }, true],
    ['an external database', { DATABASE_URL: EXTERNAL }, true],
    ['an external database on localhost', { DATABASE_URL: EXTERNAL, HOST: 'localhost' }, true],
    ['an external database on ::1', { DATABASE_URL: EXTERNAL, HOST: '::1' }, true],
    ['an external database on 127.0.0.2', { DATABASE_URL: EXTERNAL, HOST: '127.0.0.2' }, true],
    ['an external database on every address', { DATABASE_URL: EXTERNAL, HOST: '0.0.0.0' }, false],
    ['an external database on every IPv6 address', { DATABASE_URL: EXTERNAL, HOST: '::' }, false],
    [
      'an external database on a name like a loopback address',
      { DATABASE_URL: EXTERNAL, HOST: '127.example' },
      false,
    ],
  ])('with %s has the default for playground, introspection and documentation', (_what, environment, isOn) => {
    expect(readConfig(environment)).toMatchObject({ playground: isOn, introspection: isOn, docs: isOn })
    const other = String(!isOn)
    const asked = { WAYBILL_PLAYGROUND: other, WAYBILL_INTROSPECTION: other, WAYBILL_DOCS: other }
    expect(readConfig({ ...environment, ...asked })).toMatchObject({
      playground: !isOn,
      introspection: !isOn,
      docs: !isOn,
    })
  })

  test('in production has neither demo data nor playground', () => {
    const config = readConfig({ NODE_ENV: 'production', DATABASE_URL: 'postgres://waybill@db/waybill' })
    expect(config).toMatchObject({
      production: true,
      demoData: false,
      playground: false,
      introspection: false,
    })
  })

  test.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '0x10'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://localhost/waybill'],
    ['NODE_ENV', 'prod'],
    ['WAYBILL_PLAYGROUND', 'maybe'],
    ['WAYBILL_RATE_LIMIT_PER_MINUTE', '0'],
    ['WAYBILL_NO_SUCH_SETTING', '1'],
    ['WAYBILL_TRUSTED_PROXIES', '10.0.0.1,proxy'],
    ['WAYBILL_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['WAYBILL_TRUSTED_PROXIES', '10.0.0.0/'],
    ['WAYBILL_CORS_ORIGINS', 'shop.example'],
    ['WAYBILL_CORS_ORIGINS', 'https://shop.example/'],
    ['WAYBILL_CORS_ORIGINS', 'https://*.example'],
    ['WAYBILL_CORS_ORIGINS', '*'],
    ['WAYBILL_CORS_ORIGINS', 'null'],
    ['HOST', 'no host'],
  ])('refuses %s=%s by name', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => readConfig({ [name]: value })).toThrow(name)
  })

  test('needs a manifest to accept trusted documents only', () => {
    const only = { WAYBILL_TRUSTED_DOCUMENTS_ONLY: 'true' }
    expect(() => readConfig(only)).toThrow('WAYBILL_TRUSTED_DOCUMENTS_ONLY: needs WAYBILL_TRUSTED_DOCUMENTS')
    expect(readConfig({ ...only, WAYBILL_TRUSTED_DOCUMENTS: 'm.json' }).trustedDocuments).toEqual({
      path: 'm.json',
      isExclusive: true,
    })
    expect(readConfig({}).trustedDocuments).toBeUndefined()
  })

  test('with a transaction pooler neither names statements nor listens', () => {
    const pooled = { DATABASE_URL: EXTERNAL, WAYBILL_POOLER: 'transaction' }
    expect(readConfig(pooled)).toMatchObject({
      transactionPooler: true,
      namedStatements: false,
      listen: false,
    })
    expect(readConfig({ ...pooled, WAYBILL_NAMED_STATEMENTS: 'true' }).namedStatements).toBe(true)
    expect(() => readConfig({ ...pooled, WAYBILL_LISTEN: 'true' })).toThrow('WAYBILL_LISTEN')
    expect(() => readConfig({ WAYBILL_POOLER: 'transaction' })).toThrow('WAYBILL_POOLER')
  })

  test('accepts addresses and ranges of proxies', () => {
    const { trustedProxies } = readConfig({ WAYBILL_TRUSTED_PROXIES: '10.0.0.0/8, ::1, fd00::/128' })
    expect(trustedProxies).toEqual(['10.0.0.0/8', '::1', 'fd00::/128'])
  })

  test('accepts origins of web pages', () => {
    const { corsOrigins } = readConfig({
      WAYBILL_CORS_ORIGINS: 'https://shop.example, http://localhost:5173',
    })
    expect(corsOrigins).toEqual(['https://shop.example', 'http://localhost:5173'])
    expect(readConfig({}).corsOrigins).toEqual([])
  })

  test('names every fault at once', () => {
    const faults = /PORT(.|\n)*LOG_LEVEL|LOG_LEVEL(.|\n)*PORT/
    expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(faults)
  })

  test('refuses demo data in production', () => {
    const environment = { NODE_ENV: 'production', WAYBILL_DEMO_DATA: 'true' }
    expect(() => readConfig(environment)).toThrow('WAYBILL_DEMO_DATA')
  })

  test('treats an empty variable as missing', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toEqual(readConfig({}))
  })

  test('is logged without the password of the database', () => {
    const shown = JSON.stringify(
      describeConfig(readConfig({ DATABASE_URL: 'postgres://u:canary@h/db?password=canary' })),
    )
    expect(shown).not.toContain('canary')
    expect(shown).toContain('postgres://u:***@h/db')
  })
})
