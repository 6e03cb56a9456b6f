/** A database whose schema does not match the code: refused at start, and noticed by `/readyz` of a running service. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type App, openApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { runStatements } from '../support/database/test-server.ts'

let clone: ClonedDatabase
let app: App | undefined
let log: string[]
beforeEach(async () => {
  clone = await cloneDatabase()
  log = []
})
afterEach(async () => {
  await app?.close()
  app = undefined
  await clone.drop()
})

async function start(): Promise<App> {
  const config = readConfig({ WAYBILL_TRACK_MINUTES: '0' })
  const database = { source: clone.source, description: 'a test database', close: async () => {} }
  const stream = { write: (line: string) => void log.push(line) }
  app = await openApp(config, { database, log: { level: 'error', stream } })
  return app
}

test('a database without a column that the code needs is refused at start', async () => {
  await runStatements(clone.source, 'ALTER TABLE cancel_attempt DROP COLUMN carrier_code')
  await expect(start()).rejects.toThrow(
    'This version of Waybill cannot use the database: its schema differs from the one that the migrations create: ' +
      'the column cancel_attempt.carrier_code is missing.',
  )
})

test('a running service is not ready on a schema that only newer versions can use, and logs the reason', async () => {
  const { server } = await start()
  expect((await server.inject('/readyz')).statusCode).toBe(200)
  await runStatements(clone.source, `INSERT INTO kysely_migration VALUES ('999-next', 'now', '999-next')`)
  // The previous result is reused for half a second.
  await new Promise((resolve) => setTimeout(resolve, 600))
  const answer = await server.inject('/readyz')
  expect([answer.statusCode, answer.json()]).toEqual([503, { status: 'not ready' }])
  expect(log).toEqual([expect.stringContaining('a newer version has applied the migration 999-next')])
})
