/** `waybill doctor`: what each check finds, its exit codes, and that it changes nothing. docs/operations.md#doctor */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { checkClock, checkReplication } from '../../src/cli/doctor/database.ts'
import { diagnose } from '../../src/cli/doctor/doctor.ts'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { readApplied } from '../../src/store/database/schema-check.ts'
import { markProductionUse } from '../../src/store/demo/reset.ts'
import { programArguments } from '../support/app/compiled-programs.ts'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../support/database/clone-database.ts'
import { urlOf } from '../support/database/test-server.ts'
import { certificatesFor, redisTlsProgram, startRedis } from '../support/limits/redis-server.ts'
import { runWaybill } from './run-waybill.ts'

/** Before the next edition of the most frequent sets of customs data is due, and a day after all. */
const [TODAY, LATER] = ['2026-10-20', '2036-10-20']

const folder = mkdtempSync(path.join(tmpdir(), 'waybill-doctor-'))
let clone: ClonedDatabase
let empty: ClonedDatabase
beforeAll(async () => {
  ;[clone, empty] = await Promise.all([cloneDatabase(), emptyDatabase()])
})
afterEach(() => vi.unstubAllEnvs())
afterAll(async () => {
  await Promise.all([clone.drop(), empty.drop()])
  rmSync(folder, { recursive: true })
})

function fileWith(name: string, text: string, mode = 0o600): string {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

const production = (extra: Record<string, string> = {}) => ({
  NODE_ENV: 'production',
  DATABASE_URL: urlOf(clone.source),
  // Other programs of this machine may use the default port.
  PORT: '0',
  ...extra,
})

const only = (check: string, findings: readonly Finding[]) =>
  findings.filter((finding) => finding.check === check)

test('has a line for each check of a healthy service', async () => {
  const environment = production({
    WAYBILL_JOURNAL: path.join(folder, 'journal.log'),
    WAYBILL_CARRIERS: fileWith('none.json', '{}'),
    WAYBILL_TOKEN_SECRET_FILE: fileWith('token', 's'.repeat(32)),
  })
  const findings = await diagnose(environment, TODAY)
  expect(findings.filter(({ check }) => check !== 'clock').map(({ check, state }) => [check, state])).toEqual(
    [
      ['version', 'ok'],
      ['settings', 'ok'],
      ['secret files', 'ok'],
      ['carriers', 'ok'],
      ['disk', expect.stringMatching(/ok|warning|problem/)],
      ['database', 'ok'],
      ['pooler', 'ok'],
      ['migrations', 'ok'],
      // The role of the tests is a superuser.
      ['rights', 'warning'],
      // The server of the tests may run without fsync.
      ['durability', expect.stringMatching(/ok|problem/)],
      ['replication', 'warning'],
      // Those of the tests have demo data.
      ['demo data', 'problem'],
      ['prices', 'ok'],
      ['customs data', expect.stringMatching(/ok|warning/)],
    ],
  )
  expect(only('clock', findings)).toHaveLength(1)
})

test('names customs data that are overdue', async () => {
  const [finding] = only('customs data', await diagnose(production(), LATER))
  expect(finding).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/\d+ of \d+ data sets.*\(due 20/),
  })
})

test('reports each fault of the settings, and nothing else', async () => {
  const findings = await diagnose({ ...production(), PORT: 'x', WAYBILL_COLOUR: 'red' })
  expect(findings.slice(1).map(({ check, state, message }) => [check, state, message])).toEqual([
    ['settings', 'problem', 'WAYBILL_COLOUR: unknown setting'],
    ['settings', 'problem', 'PORT: expected a whole number from 0 to 65535'],
  ])
})

test('warns of an external database outside production, and does not create an embedded one', async () => {
  const [external] = only('settings', await diagnose({ DATABASE_URL: urlOf(clone.source) }, TODAY))
  expect(external).toMatchObject({ state: 'warning', message: expect.stringContaining('NODE_ENV') })
  const dataDir = path.join(folder, 'no-data')
  const embedded = await diagnose({ DATA_DIR: dataDir })
  expect(embedded.at(-1)).toMatchObject({ check: 'database', state: 'warning' })
  expect(() => mkdirSync(dataDir)).not.toThrow()
})

test('reports a database that cannot be reached, without the password', async () => {
  const findings = await diagnose({
    ...production(),
    DATABASE_URL: 'postgres://u:canary@127.0.0.1:1/waybill',
  })
  expect(findings.at(-1)).toMatchObject({
    check: 'database',
    state: 'problem',
    message: expect.stringContaining('PostgreSQL at 127.0.0.1:1/waybill cannot be used'),
  })
  expect(JSON.stringify(findings)).not.toContain('canary')
})

test('does not migrate an empty database, and reports that there are no prices after the migrations', async () => {
  const environment = production({ DATABASE_URL: urlOf(empty.source) })
  const before = await diagnose(environment)
  expect(only('migrations', before)).toMatchObject([{ state: 'warning', message: 'the database is empty' }])
  expect(only('prices', before)).toEqual([])
  expect(await readApplied(empty.db)).toBeUndefined()
  await migrate(empty.source)
  const after = await diagnose(environment)
  expect(only('migrations', after)).toMatchObject([{ state: 'ok' }])
  expect(only('prices', after)).toMatchObject([
    { state: 'problem', message: expect.stringMatching(/^no rate card/) },
  ])
  await sql`DELETE FROM kysely_migration WHERE name = (SELECT max(name) FROM kysely_migration)`.execute(
    empty.db,
  )
  expect(only('migrations', await diagnose(environment))).toMatchObject([
    { state: 'warning', message: expect.stringMatching(/^1 migration pending: \d{3}-/) },
  ])
  await sql`ALTER TABLE kysely_migration RENAME COLUMN name TO name_before`.execute(empty.db)
  expect(only('database', await diagnose(environment))).toMatchObject([{ state: 'problem' }])
})

test('says what a role may not do', async () => {
  const role = `waybill_doctor_${randomBytes(6).toString('hex')}`
  await sql`CREATE ROLE ${sql.id(role)} LOGIN PASSWORD 'canary'`.execute(clone.db)
  try {
    const url = new URL(urlOf(clone.source))
    url.username = role
    url.password = 'canary'
    const environment = production({ DATABASE_URL: url.href })
    // Without any right the list of migrations cannot be read.
    expect((await diagnose(environment)).at(-1)).toMatchObject({ check: 'database', state: 'problem' })
    await sql`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${sql.id(role)}`.execute(clone.db)
    const rights = only('rights', await diagnose(environment))
    expect(rights).toMatchObject([
      { state: 'problem', message: expect.stringContaining('cannot read and write') },
      { state: 'warning', message: expect.stringContaining('cannot create tables') },
    ])
  } finally {
    await sql`DROP OWNED BY ${sql.id(role)}`.execute(clone.db)
    await sql`DROP ROLE ${sql.id(role)}`.execute(clone.db)
  }
})

test('finds files that others can read, a faulty settings file, and a folder that is missing', async () => {
  const findings = await diagnose(
    production({
      WAYBILL_TOKEN_SECRET_FILE: fileWith('open-token', 's'.repeat(32), 0o644),
      WAYBILL_CARRIERS: fileWith('open.json', '{}', 0o644),
      WAYBILL_JOURNAL: path.join(folder, 'missing', 'journal.log'),
    }),
    TODAY,
  )
  expect(only('secret files', findings)).toMatchObject([
    { state: 'warning', message: expect.stringContaining('open-token') },
  ])
  expect(only('carriers', findings)).toMatchObject([
    { state: 'problem', message: expect.stringContaining('0644') },
  ])
  expect(only('disk', findings)).toMatchObject([
    { state: 'problem', message: expect.stringMatching(/cannot be written in .*missing: ENOENT/) },
  ])
})

test('finds a settings file that contradicts the rate cards, or names a test interface', async () => {
  const settings = {
    nobody: { baseUrl: 'https://x.example' },
    rondeel: { baseUrl: 'http://x.example', credentials: {} },
  }
  const environment = production({ WAYBILL_CARRIERS: fileWith('faulty.json', JSON.stringify(settings)) })
  const found = only('carriers', await diagnose(environment, TODAY))
  expect(found.map(({ state, message }) => [state, message])).toEqual([
    ['problem', 'nobody: no rate card has this carrier'],
    ['problem', expect.stringMatching(/^rondeel\.baseUrl: http would send the credentials unencrypted/)],
  ])
  const one = fileWith('one.json', '{"rondeel":{"baseUrl":"https://x.example"}}')
  expect(only('carriers', await diagnose(production({ WAYBILL_CARRIERS: one }), TODAY))).toEqual([
    expect.objectContaining({ state: 'ok', message: expect.stringContaining('has 1 carrier; ') }),
  ])
})

describe('judges', () => {
  test.each([
    [0, 'ok'],
    [-1_999, 'ok'],
    [2_000, 'warning'],
    [-59_999, 'warning'],
    [60_000, 'problem'],
  ])('a clock that is %d ms ahead', (aheadMs, state) => {
    expect(checkClock(aheadMs).state).toBe(state)
  })

  test.each([
    ['no synchronous standby', '', 'on', 0, 'warning'],
    ['commits that do not wait', 's1', 'local', 1, 'warning'],
    ['standbys that the role cannot see', 's1', 'on', null, 'warning'],
    ['a standby that is not connected', 'ANY 1 (s1, s2)', 'on', 0, 'problem'],
    ['a standby that is connected', 's1', 'on', 1, 'ok'],
    ['one standby where two are required', 'FIRST 2 (s1, s2)', 'on', 1, 'problem'],
    ['two standbys where two are required', '2 (s1, s2, s3)', 'on', 2, 'ok'],
  ])('%s', (_what, synchronousStandbys, synchronousCommit, waitedForStandbys, state) => {
    expect(checkReplication({ synchronousStandbys, synchronousCommit, waitedForStandbys }).state).toBe(state)
  })
})

test('prints a table or JSON, and exits with 1 if there is a problem', async () => {
  for (const [name, value] of Object.entries(
    production({ WAYBILL_JOURNAL: path.join(folder, 'missing', 'j') }),
  ))
    vi.stubEnv(name, value)
  const { code, out } = await runWaybill(clone, 'doctor')
  expect([code, out]).toEqual([1, expect.stringMatching(/^STATE +CHECK +FINDING\nok +version +Waybill /)])
  expect(out).toMatch(/\d+ problems?, \d+ warnings?\.$/)
  const json = await runWaybill(clone, 'doctor --json')
  expect(JSON.parse(json.out)).toContainEqual(expect.objectContaining({ check: 'disk', state: 'problem' }))
  expect(json.code).toBe(1)
})

test('names the connectors of files, and a file that cannot be used', async () => {
  const file = path.resolve(import.meta.dirname, '../../examples/connector-royal-mail/royal-mail.mjs')
  expect(only('connectors', await diagnose(production({ WAYBILL_CONNECTORS: file }), TODAY))).toMatchObject([
    { state: 'ok', message: 'WAYBILL_CONNECTORS adds royal-mail' },
  ])
  const faulty = await diagnose(production({ WAYBILL_CONNECTORS: `${file}, none.mjs` }), TODAY)
  expect(only('connectors', faulty)).toMatchObject([
    { state: 'problem', message: 'the connector none.mjs cannot be loaded: there is no such file' },
  ])
})

test('names a server of shared limits that cannot be used, without its password', async () => {
  const limits = (url: string, more = {}) => production({ WAYBILL_SHARED_LIMITS: url, ...more })
  const found = async (environment: Record<string, string>) =>
    only('shared limits', await diagnose(environment, TODAY))
  expect(await found(production())).toEqual([])
  expect(await found(limits('postgres'))).toEqual([])
  const [lost, ...others] = await found(limits('redis://:geheim@127.0.0.1:1'))
  expect([others, lost?.state, JSON.stringify(lost).includes('geheim')]).toEqual([[], 'warning', false])
  expect(lost?.message).toMatch(/^the server 127\.0\.0\.1:1 cannot be used, .*ECONNREFUSED/)
})

test.skipIf(redisTlsProgram === undefined)('tests the certificate of a server of shared limits', async () => {
  const certificates = certificatesFor(path.join(folder, 'tls'))
  const server = await startRedis({ certificates, password: 'geheim' })
  const check = async (more: Record<string, string>) => {
    const url = server.url.replace('//', '//:geheim@')
    return only('shared limits', await diagnose(production({ WAYBILL_SHARED_LIMITS: url, ...more }), TODAY))
  }
  const { host } = new URL(server.url)
  expect(await check({ WAYBILL_SHARED_LIMITS_CA: certificates.ca })).toEqual([
    { check: 'shared limits', state: 'ok', message: `the server ${host}, with TLS, can be used` },
  ])
  expect(await check({})).toMatchObject([
    { state: 'warning', message: expect.stringMatching(/with TLS, cannot be used, .*certificate/) },
  ])
  await server.kill()
})

describe('finds what stops a start:', () => {
  test('demo secrets in production, and demo data in a database of production', async () => {
    const database = await cloneDatabase()
    const found = async (environment: Record<string, string>) =>
      only('demo data', await diagnose({ ...environment, DATABASE_URL: urlOf(database.source) }, TODAY))
    try {
      expect(await found(production())).toMatchObject([
        { state: 'problem', message: expect.stringMatching(/^production refuses this database/) },
      ])
      const development = { PORT: '0', WAYBILL_DEMO_DATA: 'true' }
      expect(await found(development)).toMatchObject([{ state: 'ok', message: 'loaded at start' }])
      await database.db.deleteFrom('api_secret').execute()
      expect(await found(production())).toMatchObject([{ state: 'ok', message: 'none is loaded' }])
      await markProductionUse(database.db)
      expect(await found(development)).toMatchObject([
        { state: 'problem', message: expect.stringMatching(/^demo data is refused/) },
      ])
      expect(await found(production())).toMatchObject([{ state: 'ok' }])
    } finally {
      await database.drop()
    }
  })

  test('a classifier that cannot be loaded, or fails when it is opened', async () => {
    const found = async (file: string) =>
      only('classifier', await diagnose(production({ WAYBILL_CLASSIFIER: file }), TODAY))
    expect(await found('/nonexist.mjs')).toMatchObject([
      { state: 'problem', message: expect.stringMatching(/nonexist\.mjs cannot be loaded/) },
    ])
    const fails = fileWith('fails.mjs', "export default () => { throw new Error('no model') }")
    expect(await found(fails)).toMatchObject([{ state: 'problem', message: 'no model' }])
    const good = fileWith('good.mjs', 'export default (builtIn) => builtIn')
    expect(await found(good)).toMatchObject([{ state: 'ok', message: `${good} can be used` }])
  })

  test('a classifier with a timer does not keep the command running', async () => {
    const file = fileWith('alive.mjs', 'setInterval(() => {}, 1e6); export default (builtIn) => builtIn')
    const environment = production({ WAYBILL_CLASSIFIER: file })
    const child = spawn(process.execPath, [...programArguments('src/cli/waybill.ts'), 'doctor'], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
    expect(printed).toContain(`${file} can be used`)
  })

  test('trusted documents that cannot be used', async () => {
    const found = async (manifest: string) => {
      const file = fileWith('documents.json', manifest)
      const findings = await diagnose(production({ WAYBILL_TRUSTED_DOCUMENTS: file }), TODAY)
      return only('trusted documents', findings)
    }
    expect(await found('{"a": "{ nothing }"}')).toMatchObject([
      { state: 'problem', message: expect.stringMatching(/document a: Cannot query field "nothing"/) },
    ])
    expect(await found('{"a": "{ __typename }"}')).toMatchObject([{ state: 'ok' }])
  })

  test('a secret for tokens that is missing, and a journal that is a folder', async () => {
    const database = await cloneDatabase()
    await database.db.deleteFrom('token_secret').execute()
    const environment = production({ DATABASE_URL: urlOf(database.source), WAYBILL_JOURNAL: folder })
    const findings = await diagnose(environment, TODAY)
    await database.drop()
    expect(only('tokens', findings)).toMatchObject([{ state: 'problem' }])
    expect(only('disk', findings)).toMatchObject([
      { state: 'problem', message: `the journal cannot be written: ${folder} is a folder` },
    ])
  })

  test('a port of another program, and an address of another machine', async () => {
    let reply = 'other'
    const server = createServer((_, response) => response.end(reply))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const found = async (environment: Record<string, string>) =>
      only('ports', await diagnose(production({ HOST: '127.0.0.1', ...environment }), TODAY))
    const PORT = String(port)
    expect(await found({ PORT })).toMatchObject([
      { state: 'problem', message: `port ${port} of the service is used by another program` },
    ])
    reply = '{"status":"alive"}'
    expect(await found({ PORT })).toMatchObject([{ state: 'ok' }])
    expect(await found({ PORT, WAYBILL_METRICS_PORT: PORT })).toMatchObject([
      { state: 'problem', message: `the service and its metrics have the same port ${port}` },
    ])
    await new Promise((resolve) => server.close(resolve))
    expect(await found({ PORT })).toMatchObject([{ state: 'ok' }])
    const other = { WAYBILL_METRICS_PORT: PORT, WAYBILL_METRICS_HOST: '127.0.0.2' }
    expect(await found({ PORT, ...other })).toMatchObject([{ state: 'ok' }, { state: 'ok' }])
    expect(await found({ PORT, ...other, HOST: '0.0.0.0' })).toMatchObject([{ state: 'problem' }])
    expect(await found({ PORT, HOST: '192.0.2.1' })).toMatchObject([
      { state: 'problem', message: expect.stringContaining('EADDRNOTAVAIL') },
    ])
  })
})
