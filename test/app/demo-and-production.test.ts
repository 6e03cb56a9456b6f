/** Demo data and production services on one database. docs/operations.md#production-databases */

import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { type App, openApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { createKey } from '../../src/store/accounts/keys.ts'
import { seedDemoAccounts } from '../../src/store/demo/accounts.ts'
import { markProductionUse } from '../../src/store/demo/reset.ts'
import { programArguments } from '../support/app/compiled-programs.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { urlOf } from '../support/database/test-server.ts'

const run = promisify(execFile)
/** The environment of an operator's shell without NODE_ENV=production. */
const shell = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(WAYBILL_|NODE_ENV|VITEST)/.test(name)),
)

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

async function clonedDatabase(): Promise<ClonedDatabase> {
  const clone = await cloneDatabase({ statementTimeoutMs: 0 })
  toClose.push(clone.drop)
  return clone
}

async function openOn(clone: ClonedDatabase, environment: Readonly<Record<string, string>>): Promise<App> {
  const app = await openApp(
    readConfig({
      DATABASE_URL: urlOf(clone.source),
      LOG_LEVEL: 'silent',
      WAYBILL_LAME_DUCK_MS: '0',
      ...environment,
    }),
  )
  toClose.push(app.close)
  return app
}

async function statusOf(app: App, credentials: string): Promise<number> {
  const { statusCode } = await app.server.inject({
    method: 'POST',
    url: '/partners-api/v1/rates',
    headers: { 'x-pp-api': credentials, 'content-type': 'application/json' },
    payload: '{}',
  })
  return statusCode
}

const DEMO_KEYS = ['demo@demo-secret', 'other@other-secret']

describe('a production service', () => {
  test('refuses demo secrets, whatever a shell does while it runs', async () => {
    const clone = await clonedDatabase()
    await clone.db.deleteFrom('api_secret').execute()
    const issued = await createKey(clone.db, 'demo-shop')
    const app = await openOn(clone, { NODE_ENV: 'production' })
    expect(await statusOf(app, `${issued?.keyId}@${issued?.secret}`)).toBe(400)

    const reset = run(
      process.execPath,
      [...programArguments('src/cli/waybill.ts'), 'demo', 'reset', '--yes'],
      {
        cwd: path.resolve(import.meta.dirname, '../..'),
        env: { ...shell, DATABASE_URL: urlOf(clone.source) },
      },
    )
    await expect(reset).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^waybill: demo data is refused because the database was used in production/,
      ),
    })
    for (const key of DEMO_KEYS) expect(await statusOf(app, key)).toBe(401)

    // With SQL, which bypasses every check.
    await seedDemoAccounts(clone.db)
    for (const key of DEMO_KEYS) expect(await statusOf(app, key)).toBe(401)
    await expect(openOn(clone, { NODE_ENV: 'production' })).rejects.toThrow('it contains demo accounts')
  }, 60_000)

  test('marks the database, so that other services refuse to load demo data', async () => {
    const clone = await clonedDatabase()
    await clone.db.deleteFrom('api_secret').execute()
    await markProductionUse(clone.db)
    await expect(openOn(clone, { WAYBILL_DEMO_DATA: 'true' })).rejects.toThrow('was used in production')
    expect(await clone.db.selectFrom('api_secret').selectAll().execute()).toEqual([])
  }, 60_000)
})

describe('an external database without NODE_ENV', () => {
  test('is not seeded', async () => {
    const clone = await clonedDatabase()
    await clone.db.deleteFrom('api_secret').execute()
    const app = await openOn(clone, {})
    expect(await clone.db.selectFrom('api_secret').selectAll().execute()).toEqual([])
    for (const key of DEMO_KEYS) expect(await statusOf(app, key)).toBe(401)
  }, 60_000)

  test('does not accept demo keys of an earlier version', async () => {
    const app = await openOn(await clonedDatabase(), {})
    for (const key of DEMO_KEYS) expect(await statusOf(app, key)).toBe(401)
  }, 60_000)
})
