/**
 * A migrated database of its own for a campaign or a benchmark: on a throw-away server through the product's launcher,
 * or on the one TEST_DATABASE_URL names. It goes when the work ends, fails, or is interrupted.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../../src/store/database/migrate.ts'
import type { DatabaseSource } from '../../src/store/database/open.ts'
import { startEmbeddedServer } from '../../src/store/embedded-postgres/server.ts'
import { makeThrowAwayFolder, removeLeftovers } from '../support/app/throw-away-folder.ts'
import { runStatements, sourceFor } from '../support/database/test-server.ts'

/** How the throw-away server runs; a given one is as it is. */
export type ScratchOptions = {
  /** True: commits wait for the disk, as in production. */
  readonly durable: boolean
  /** Where its folder is made; the place of tests, often memory, when left out. */
  readonly place?: string
}

/** What has to go, newest first: processes before their database, the database before its server. */
const toRemove: (() => Promise<void> | void)[] = []

/** Has `remove` run once, at the latest when the process is interrupted; the result runs it now. */
export function removeAtTheEnd(remove: () => Promise<void> | void): () => Promise<void> {
  toRemove.unshift(remove)
  return async () => {
    const place = toRemove.indexOf(remove)
    if (place < 0) return
    toRemove.splice(place, 1)
    await remove()
  }
}

/** Runs `work` on a fresh migrated database and answers what it answers. */
export async function withScratchDatabase<End>(
  options: ScratchOptions,
  work: (source: DatabaseSource) => Promise<End>,
): Promise<End> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void interrupted())
  try {
    const maintenance = await startServer(options)
    const name = `waybill_campaign_${randomBytes(6).toString('hex')}`
    await runStatements(maintenance, `create database "${name}" template template0 encoding 'UTF8'`)
    // On a throw-away server it goes with the server.
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

async function startServer({ durable, place }: ScratchOptions): Promise<DatabaseSource> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return given
  removeLeftovers()
  const folder = makeThrowAwayFolder(place)
  removeAtTheEnd(() => rmSync(folder, { recursive: true, force: true }))
  // In a folder of its own below: one that others may pass, for a server that runs as nobody.
  chmodSync(folder, 0o755)
  const server = await startEmbeddedServer({ dataDir: join(folder, 'data'), durable })
  removeAtTheEnd(() => server.stop())
  return server.connection
}

let stopping = false

async function interrupted(): Promise<void> {
  stopping = true
  // What fails from now on fails because something was taken away from it.
  for (const failure of ['unhandledRejection', 'uncaughtException']) process.on(failure, () => {})
  await removeAll()
  process.exit(130)
}

let removing = Promise.resolve()

/** One after the other, also when the work fails because an interruption has just taken something away from it. */
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
