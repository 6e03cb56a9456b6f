/**
 * A migrated temporary database for a campaign or a benchmark, on a temporary server or on the one that
 * TEST_DATABASE_URL names. It is removed when the work ends, fails or is interrupted.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../../src/store/database/migrate.ts'
import { startEmbeddedServer } from '../../src/store/embedded-postgres/server.ts'
import { makeThrowAwayFolder, removeLeftovers } from '../support/app/throw-away-folder.ts'
import { runStatements, sourceFor, type TestSource } from '../support/database/test-server.ts'

/** Options of the temporary server; a server that is given stays as it is. */
export type ScratchOptions = {
  /** True: commits wait for the disk, as in production. */
  readonly durable: boolean
  /** Parent of its folder; default: the folder of the tests, often in memory. */
  readonly place?: string
}

/** Clean-up steps, newest first: processes before their database, the database before its server. */
const toRemove: (() => Promise<void> | void)[] = []

/**
 * Registers a clean-up step, which runs once: when the returned function is called, at the end, or on an
 * interruption.
 */
export function removeAtTheEnd(remove: () => Promise<void> | void): () => Promise<void> {
  toRemove.unshift(remove)
  return async () => {
    const index = toRemove.indexOf(remove)
    if (index < 0) return
    toRemove.splice(index, 1)
    await remove()
  }
}

/** Runs `work` on a migrated database and returns its result. */
export async function withScratchDatabase<Result>(
  options: ScratchOptions,
  work: (source: TestSource) => Promise<Result>,
): Promise<Result> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void interrupted())
  try {
    const maintenance = await startServer(options)
    const name = `waybill_campaign_${randomBytes(6).toString('hex')}`
    await runStatements(maintenance, `create database "${name}" template template0 encoding 'UTF8'`)
    // A temporary server is removed with its databases.
    if (process.env['TEST_DATABASE_URL'])
      removeAtTheEnd(async () => {
        await runStatements(maintenance, `drop database if exists "${name}" with (force)`)
      })
    const source = sourceFor(maintenance, name)
    await migrate(source)
    return await work(source)
  } finally {
    await removeAll()
    if (stopping) process.exit(130)
  }
}

async function startServer({ durable, place }: ScratchOptions): Promise<TestSource> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return given
  removeLeftovers()
  const folder = makeThrowAwayFolder(place)
  removeAtTheEnd(() => rmSync(folder, { recursive: true, force: true }))
  // A subfolder, since a server that runs as `nobody` needs access to its parent.
  chmodSync(folder, 0o755)
  const server = await startEmbeddedServer({ dataDir: join(folder, 'data'), durable })
  removeAtTheEnd(() => server.stop())
  return server.connection
}

let stopping = false

async function interrupted(): Promise<void> {
  stopping = true
  // Errors after this are consequences of the clean-up.
  for (const failure of ['unhandledRejection', 'uncaughtException']) process.on(failure, () => {})
  await removeAll()
  process.exit(130)
}

let removing = Promise.resolve()

/** Runs the clean-up steps one after the other, also if an interruption and a failure come together. */
function removeAll(): Promise<void> {
  removing = removing.then(async () => {
    for (let remove = toRemove.shift(); remove !== undefined; remove = toRemove.shift()) {
      try {
        await remove()
      } catch (error) {
        if (!stopping) console.error(error)
      }
    }
  })
  return removing
}
