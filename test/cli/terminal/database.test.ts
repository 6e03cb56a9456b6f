/** The database session of a command: its time limits, and a schema of an earlier version. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { withDatabase } from '../../../src/cli/terminal/database.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { urlOf } from '../../support/database/test-server.ts'

let clone: ClonedDatabase
beforeAll(async () => {
  clone = await cloneDatabase()
  vi.stubEnv('DATABASE_URL', urlOf(clone.source))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await clone.drop()
})

test('a command may calculate for a minute within a transaction, and its statements have no limit', async () => {
  const { rows } = await withDatabase(({ db }) =>
    sql`select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`.execute(db),
  )
  expect(rows).toEqual([{ statement: '0', idle: '1min' }])
})

test('only a command that says so upgrades a database of the operator', async () => {
  const { rows } = await sql<{ name: string }>`
    DELETE FROM kysely_migration WHERE name = (SELECT max(name) FROM kysely_migration) RETURNING name`.execute(
    clone.db,
  )
  await expect(withDatabase(async () => 'opened')).rejects.toThrow(
    `The database lacks migrations of this version: ${rows[0]?.name}. Apply them with`,
  )
})
