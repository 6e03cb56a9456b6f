import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rootCertificates } from 'node:tls'
import { Client } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, describeConfig, readConfig } from '../../src/config/config.ts'

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

describe('the URL of the database', () => {
  // What a password does to a URL that it is pasted into.
  test.each([
    'p@ss/w:rd?x',
    'canary/1@x',
    '5432/canary',
    'canary?x',
    'canary#1',
    'canary%zz',
    'canary%',
    'a@canary/b@c',
  ])('with the unencoded password "%s" is refused without showing a part of it', (password) => {
    const environment = { DATABASE_URL: `postgres://waybill:${password}@postgres:5432/waybill` }
    let message = ''
    try {
      readConfig(environment)
    } catch (error) {
      message = error instanceof ConfigError ? error.message : ''
    }
    expect(message).toContain('DATABASE_URL: ')
    expect(message).toContain('PGPASSWORD')
    for (const part of ['canary', 'ss/w', 'p@ss', 'postgres:5432']) expect(message).not.toContain(part)
  })

  test.each([
    'a,b',
    'a:5432,b:5432',
    'u:p@a,b,c',
    'u@10.0.0.11:5432,10.0.0.12',
  ])('with the hosts %s is refused, because the driver accepts only one', (hosts) => {
    for (const end of ['', '/waybill', '/waybill?target_session_attrs=read-write'])
      expect(() => readConfig({ DATABASE_URL: `postgres://${hosts}${end}` })).toThrow(
        'DATABASE_URL: names several hosts',
      )
  })

  test('may have a comma in the password', () => {
    expect(connection({ DATABASE_URL: 'postgres://u:p,q@h:1/d' })).toMatchObject({
      host: 'h',
      password: 'p,q',
    })
  })

  /** What the driver connects with. */
  const connection = (environment: Record<string, string>) => {
    const { host, port, user, password, database } = new Client(readConfig(environment).databaseUrl)
    return { host, port, user, password, database }
  }

  test('takes the parts that it leaves out from PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE', () => {
    const parts = { PGHOST: 'db', PGPORT: '6432', PGUSER: 'way@bill', PGDATABASE: 'my base%1' }
    const password = 'p@ss/w:rd?x#%zz é'
    expect(connection({ DATABASE_URL: 'postgres://', ...parts, PGPASSWORD: password })).toEqual({
      ...{ host: 'db', port: 6432, user: 'way@bill', password, database: 'my base%1' },
    })
    const whole = { DATABASE_URL: 'postgres://u:p@h:1/d' }
    expect(connection({ ...whole, ...parts, PGPASSWORD: password })).toEqual({
      ...{ host: 'h', port: 1, user: 'u', password: 'p', database: 'd' },
    })
    expect(connection({ DATABASE_URL: 'postgres://u@h/d', PGPASSWORD: password })).toMatchObject({
      password,
      host: 'h',
    })
    expect(connection({ DATABASE_URL: 'postgres://', PGHOST: '::1', PGUSER: 'u' }).host).toBe('::1')
    expect(connection({ DATABASE_URL: 'postgres://', PGHOST: '/run/pg', PGUSER: 'u' }).host).toBe('/run/pg')
    const described = JSON.stringify(describeConfig(readConfig({ ...whole, ...parts, PGPASSWORD: 'canary' })))
    expect(described).not.toContain('canary')
  })

  test('is not made of these variables alone', () => {
    expect(readConfig({ PGHOST: 'db', PGUSER: 'u' })).toEqual(readConfig({}))
  })
})

describe('a secret in a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waybill-secrets-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const fileWith = (text: string): string => {
    const file = path.join(folder, `secret-${text.length}`)
    writeFileSync(file, text)
    return file
  }

  test.each([
    ['DATABASE_URL', 'postgres://u:p@h/d'],
    ['WAYBILL_TOKEN_SECRET', 'n'.repeat(32)],
    ['HTTPS_PROXY', 'http://u:p@proxy:3128'],
    ['WAYBILL_CLASSIFIER_KEY', 'key'],
    ['WAYBILL_SHARED_LIMITS', 'redis://:p@limits.example'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=k'],
    ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'api-key=k'],
  ])('is read as %s, without the line break at its end', (name, value) => {
    const { secretFiles, ...config } = readConfig({ [`${name}_FILE`]: fileWith(`${value}\n`) })
    const { secretFiles: none, ...plain } = readConfig({ [name]: value })
    expect(config).toEqual(plain)
    expect(none).toEqual([])
    expect(secretFiles).toEqual([{ setting: `${name}_FILE`, path: expect.stringContaining(folder) }])
  })

  test('is the key of a collector, in headers for requests to it', () => {
    const url = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
    const config = readConfig({
      ...{
        ...url,
        OTEL_EXPORTER_OTLP_HEADERS_FILE: fileWith('api-key=canary, authorization = Bearer%20a=b,\n'),
      },
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'api-key=canary2',
    })
    expect(config.traces).toEqual({ headers: { 'api-key': 'canary2', authorization: 'Bearer a=b' } })
    expect(describeConfig(config)).toMatchObject({ traces: true })
    expect(JSON.stringify(describeConfig(config))).not.toContain('canary')
    expect(readConfig(url).traces).toEqual({ headers: {} })
    for (const fault of ['canary', '=canary', 'a b=canary', 'a=%canary', 'a=canary%0A']) {
      const read = () => readConfig({ ...url, OTEL_EXPORTER_OTLP_HEADERS: fault })
      expect(read, fault).toThrow('OTEL_EXPORTER_OTLP_HEADERS: expected name=value, separated by commas')
      expect(read, fault).not.toThrow('canary')
    }
  })

  test('is the password of the database', () => {
    const environment = { DATABASE_URL: 'postgres://u@h/d', PGPASSWORD_FILE: fileWith('p@ss\n') }
    expect(readConfig(environment).databaseUrl).toBe('postgres://u:p%40ss@h/d')
  })

  test('is refused beside the variable, if it cannot be read, and if it is empty', () => {
    const both = { PGPASSWORD: 'canary', PGPASSWORD_FILE: fileWith('canary2') }
    expect(() => readConfig(both)).toThrow('PGPASSWORD, PGPASSWORD_FILE: only one of them can be set')
    expect(() => readConfig(both)).not.toThrow('canary')
    const missing = path.join(folder, 'missing')
    expect(() => readConfig({ DATABASE_URL_FILE: missing })).toThrow(
      `DATABASE_URL_FILE: the file ${missing} cannot be read: ENOENT`,
    )
    expect(() => readConfig({ DATABASE_URL_FILE: fileWith('') })).toThrow('is empty')
    expect(() => readConfig({ WAYBILL_CARRIERS_FILE: missing })).toThrow('WAYBILL_CARRIERS_FILE: unknown')
  })
})

test('the proxy for carriers is described without its password', () => {
  const config = readConfig({ https_proxy: 'http://u:canary@proxy:3128', no_proxy: 'a.example' })
  expect(config.carrierProxy).toEqual({ url: 'http://u:canary@proxy:3128/', exceptHosts: 'a.example' })
  expect(JSON.stringify(describeConfig(config))).not.toContain('canary')
  const withToken = describeConfig(readConfig({ HTTPS_PROXY: 'http://canary-token@proxy:3128' }))
  expect(withToken).toMatchObject({ carrierProxy: { url: 'http://***@proxy:3128/' } })
  for (const url of ['proxy:3128', 'socks5://proxy:1', 'http://proxy/path'])
    expect(() => readConfig({ HTTPS_PROXY: url })).toThrow('HTTPS_PROXY: expected http://host:port')
})

test('the certificates for the server of shared limits are read, and need a URL with TLS', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waybill-config-'))
  const [file, other, none] = ['ca.pem', 'other.pem', 'none.pem'].map((name) => path.join(folder, name))
  const [certificate = ''] = rootCertificates
  writeFileSync(file!, certificate)
  writeFileSync(other!, 'x')
  const url = 'rediss://:canary@limits.example:6380/1'
  const settings = { WAYBILL_SHARED_LIMITS: url, WAYBILL_SHARED_LIMITS_CA: file! }
  const config = readConfig(settings)
  expect(config.sharedLimits).toEqual({ kind: 'redis', url, ca: certificate })
  expect(describeConfig(config)).toMatchObject({ sharedLimits: 'rediss://:***@limits.example:6380/1' })
  for (const unencrypted of ['redis://limits.example', 'postgres', ''])
    expect(() => readConfig({ ...settings, WAYBILL_SHARED_LIMITS: unencrypted })).toThrow(
      'WAYBILL_SHARED_LIMITS_CA: needs a URL with rediss:// in WAYBILL_SHARED_LIMITS',
    )
  for (const [given, fault] of [
    [none!, 'cannot be read: ENOENT'],
    [other!, 'has no certificate in PEM'],
  ] as const)
    expect(() => readConfig({ ...settings, WAYBILL_SHARED_LIMITS_CA: given })).toThrow(
      `WAYBILL_SHARED_LIMITS_CA: the file ${given} ${fault}`,
    )
  rmSync(folder, { recursive: true })
})

describe('the model of `waybill classify`', () => {
  const MODEL = { WAYBILL_CLASSIFIER_MODEL: 'm' }

  test('has a URL of https, or of this machine', () => {
    for (const url of ['https://models.example/v1', 'http://127.0.0.1:8080/v1', 'http://[::1]:1'])
      expect(readConfig({ ...MODEL, WAYBILL_CLASSIFIER_URL: url }).classifierModel).toMatchObject({ url })
    for (const url of ['http://models.example/v1', 'https://key@models.example', 'ftp://localhost', 'text'])
      expect(() => readConfig({ ...MODEL, WAYBILL_CLASSIFIER_URL: url })).toThrow(
        'WAYBILL_CLASSIFIER_URL: expected',
      )
  })

  test('needs a URL and a name', () => {
    expect(() => readConfig(MODEL)).toThrow('both or none')
    expect(() => readConfig({ WAYBILL_CLASSIFIER_URL: 'https://models.example' })).toThrow('both or none')
  })

  test('has a key that is not logged', () => {
    const config = readConfig({
      ...MODEL,
      WAYBILL_CLASSIFIER_URL: 'https://models.example',
      WAYBILL_CLASSIFIER_KEY: 'sesame',
    })
    expect(config.classifierModel?.key).toBe('sesame')
    expect(JSON.stringify(describeConfig(config))).not.toContain('sesame')
  })
})
