/**
 * Set-up of a test run: compiled programs, and a temporary server, started by the product's launcher (or the one that
 * TEST_DATABASE_URL names), with a migrated template database and demo data. With TEST_PARTITIONED its tables are
 * partitioned by account. Everything is removed at the end, also after a failure.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { shippedCustoms } from '../../../src/reference/customs.ts'
import { loadLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { seedDemo } from '../../../src/store/demo/reset.ts'
import { startEmbeddedServer } from '../../../src/store/embedded-postgres/server.ts'
import { COMPILED_FOLDER, compilePrograms } from '../app/compiled-programs.ts'
import { makeThrowAwayFolder, removeLeftovers, throwAwayPlaces } from '../app/throw-away-folder.ts'
import { partitionByAccount } from './partition.ts'
import { dropDatabases, runStatements, sourceFor, type TestServer, type TestSource } from './test-server.ts'

/** Vitest calls this before the first test file, and the returned function after the last one. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  removeLeftovers()
  const programs = makeThrowAwayFolder(tmpdir())
  process.env[COMPILED_FOLDER] = programs
  const removePrograms = () => rmSync(programs, { recursive: true, force: true })
  try {
    await compilePrograms(programs)
    // Stored in node_modules/.cache, so that the workers only read them.
    shippedCustoms()
    loadLexicon()
    const stopServer = await setUpServer(project)
    return () => stopServer().finally(removePrograms)
  } catch (error) {
    removePrograms()
    throw error
  }
}

async function setUpServer(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer()
  const testServer: TestServer = {
    maintenance: server.maintenance,
    prefix: `waybill_test_${randomBytes(4).toString('hex')}`,
  }
  const tearDown = async () => {
    try {
      if (!server.throwAway) await dropDatabases(testServer)
    } finally {
      await server.stop()
    }
  }
  try {
    await makeTemplate(testServer)
    project.provide('testServer', testServer)
    return tearDown
  } catch (error) {
    await tearDown()
    throw error
  }
}

interface RunningServer {
  readonly maintenance: TestSource
  readonly throwAway: boolean
  stop(): Promise<void>
}

async function startServer(): Promise<RunningServer> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { maintenance: given, throwAway: false, stop: async () => {} }
  const [first = tmpdir(), ...others] = throwAwayPlaces()
  // A file system in memory may forbid running programs. This matters if PostgreSQL must be copied there.
  return others.reduce(
    (started, place) => started.catch(() => startThrowAwayServer(place)),
    startThrowAwayServer(first),
  )
}

async function startThrowAwayServer(place: string): Promise<RunningServer> {
  const folder = makeThrowAwayFolder(place)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    // A server that runs as `nobody` needs access to the parent folder.
    chmodSync(folder, 0o755)
    const server = await startEmbeddedServer({ dataDir: join(folder, 'data'), durable: false })
    const stop = () => server.stop().finally(remove)
    return { maintenance: server.connection, throwAway: true, stop }
  } catch (error) {
    remove()
    throw error
  }
}

async function makeTemplate({ maintenance, prefix }: TestServer): Promise<void> {
  const name = `${prefix}_template`
  // Uses the server's default sort order, because Waybill must work with any.
  await runStatements(maintenance, `create database "${name}" template template0 encoding 'UTF8'`)
  const source = sourceFor(maintenance, name)
  await migrate(source)
  const db = openDatabase(source, { statementTimeoutMs: 0 })
  try {
    await seedDemo(db)
  } finally {
    await db.destroy()
  }
  if (process.env['TEST_PARTITIONED'] !== undefined) await partitionByAccount(source)
}
