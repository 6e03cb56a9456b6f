/** A database that an earlier commit created is refused at start and by commands, with advice on how to replace it. */

import { execFile } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { startEmbeddedServer } from '../../src/store/embedded-postgres/server.ts'
import { programArguments } from '../support/app/compiled-programs.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'
import { emptyDatabase } from '../support/database/clone-database.ts'
import { runStatements, type TestSource, urlOf } from '../support/database/test-server.ts'

const run = promisify(execFile)

/** As the migrations of an earlier commit left it. */
async function makeOld(source: TestSource): Promise<void> {
  await runStatements(
    source,
    'CREATE TABLE account (account_id text)',
    'CREATE TABLE kysely_migration (name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL)',
    `INSERT INTO kysely_migration VALUES ('0001-accounts', 'then'), ('0002-rate-book', 'then')`,
  )
}

test('a database on a server is refused at start and by `waybill migrate`', async () => {
  const { source, drop } = await emptyDatabase()
  await makeOld(source)
  const message =
    /This version of Waybill cannot use the database: it has migrations that this version does not include \(0001-accounts, 0002-rate-book\)\..*back it up, set DATABASE_URL to an empty one, and import your data again/
  const config = readConfig({ DATABASE_URL: urlOf(source), LOG_LEVEL: 'silent' })
  await expect(openApp(config)).rejects.toThrow(message)
  const command = run(process.execPath, [...programArguments('src/cli/waybill.ts'), 'migrate'], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    env: { ...process.env, DATABASE_URL: urlOf(source) },
  })
  await expect(command).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
  await expect(command).rejects.toMatchObject({ stderr: expect.stringMatching(/^waybill: .*\n$/) })
  await drop()
})

test('an embedded database is refused at start with the name of the folder to delete', async () => {
  const root = makeThrowAwayFolder()
  chmodSync(root, 0o755)
  const dataDir = path.join(root, 'data')
  const server = await startEmbeddedServer({ dataDir, durable: false })
  await makeOld(server.connection)
  await server.stop()
  const start = openApp(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }))
  await expect(start).rejects.toThrow(`To start with a new database, delete the folder ${dataDir}.`)
  rmSync(root, { recursive: true, force: true })
})
