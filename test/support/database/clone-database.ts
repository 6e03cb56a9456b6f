/** A database for one test file: a clone of the migrated template with demo data. */
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { inject } from 'vitest'
import type { Database } from '../../../src/store/database/database.ts'
import { type OpenOptions, openDatabase } from '../../../src/store/database/open.ts'
import { WHOLE_TABLES } from '../../../src/store/database/pool/pools.ts'
import { runStatements, sourceFor, type TestSource } from './test-server.ts'

/** `source` opens another connection to the clone, as a second process would. */
export interface ClonedDatabase {
  readonly db: Kysely<Database>
  readonly source: TestSource
  /** Closes `db` and drops the database, even if it has other connections. */
  drop(): Promise<void>
}

/**
 * Clones the template and opens the clone with the given settings. The default limits are long, because the service's
 * own would end statements and transactions of a test while other tests occupy the processor.
 * Call it in `beforeAll` and `drop` in `afterAll`. Remaining clones are dropped at the end of the run.
 */
export async function cloneDatabase(options: OpenOptions = {}): Promise<ClonedDatabase> {
  return cloneOf('template', options)
}

/** An empty database, for tests of migrations. */
export async function emptyDatabase(options: OpenOptions = {}): Promise<ClonedDatabase> {
  return cloneOf(undefined, options)
}

async function cloneOf(template: string | undefined, options: OpenOptions): Promise<ClonedDatabase> {
  const { maintenance, prefix } = inject('testServer')
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  // Copying the files takes half the time of PostgreSQL's default, which writes each page to the log.
  const from =
    template === undefined ? `template0 encoding 'UTF8'` : `"${prefix}_${template}" strategy file_copy`
  await runStatements(maintenance, `create database "${name}" template ${from}`)
  const source = sourceFor(maintenance, name)
  const db = openDatabase(source, { ...WHOLE_TABLES, ...options })
  return {
    db,
    source,
    async drop() {
      await db.destroy()
      await runStatements(maintenance, `drop database if exists "${name}" with (force)`)
    },
  }
}
