/** The check of `/readyz`: a database that was replaced or changed under a running service. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { schemaMonitor } from '../../../src/store/database/schema-check.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { runStatements } from '../../support/database/test-server.ts'

let clone: ClonedDatabase
let now = 0
let reports: (string | undefined)[] = []
beforeEach(async () => {
  clone = await cloneDatabase()
  now = 0
  reports = []
})
afterEach(() => clone.drop())

const openMonitor = () =>
  schemaMonitor(clone.db, { onChange: (fault) => reports.push(fault), now: () => now })
const change = (...statements: string[]) => runStatements(clone.source, ...statements)
const insert = (name: string, compatibleFrom: string) =>
  change(`INSERT INTO kysely_migration VALUES ('${name}', 'now', '${compatibleFrom}')`)

test('is ready on the schema of this version, without a report', async () => {
  const isReady = openMonitor()
  expect([await isReady(), await isReady()]).toEqual([true, true])
  expect(reports).toEqual([])
})

test('stays ready when a newer version applies a compatible migration', async () => {
  const isReady = openMonitor()
  await isReady()
  await insert('999-compatible', '004-customs')
  expect(await isReady()).toBe(true)
})

test('is not ready after a migration that is not compatible, and reports it once', async () => {
  const isReady = openMonitor()
  await isReady()
  await insert('999-next', '999-next')
  expect([await isReady(), await isReady()]).toEqual([false, false])
  expect(reports).toEqual([expect.stringContaining('a newer version has applied the migration 999-next')])
  await change(`DELETE FROM kysely_migration WHERE name = '999-next'`)
  expect(await isReady()).toBe(true)
  expect(reports[1]).toBeUndefined()
})

test('is not ready when a backup from before a migration was restored', async () => {
  const isReady = openMonitor()
  await isReady()
  await change(`DELETE FROM kysely_migration WHERE name >= '005'`)
  expect(await isReady()).toBe(false)
  expect(reports).toEqual(['it lacks the migration 005-cancellation'])
})

test('is not ready when the list of migrations is gone', async () => {
  const isReady = openMonitor()
  await isReady()
  await change('DROP TABLE kysely_migration')
  expect(await isReady()).toBe(false)
})

test('notices a missing column within a minute, and at once when the list of migrations is another one', async () => {
  const isReady = openMonitor()
  await isReady()
  await change('ALTER TABLE cancel_attempt RENAME COLUMN promised TO owed')
  now = 59_999
  expect(await isReady()).toBe(true)
  now = 60_000
  expect([await isReady(), await isReady()]).toEqual([false, false])
  expect(reports).toEqual([
    'its schema differs from the one that the migrations create: the column cancel_attempt.promised is missing',
  ])
  await change('ALTER TABLE cancel_attempt RENAME COLUMN owed TO promised')
  expect(await isReady()).toBe(true)
  await change(
    'ALTER TABLE cancel_attempt ALTER sends TYPE bigint',
    `UPDATE kysely_migration SET timestamp = 'restored'`,
  )
  expect(await isReady()).toBe(false)
})

test('fails while the database does not answer', async () => {
  const isReady = openMonitor()
  await isReady()
  await clone.db.destroy()
  await expect(isReady()).rejects.toThrow()
})
