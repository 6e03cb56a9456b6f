/** The database of the operator's commands: the one that the service is configured for. */
import type { Kysely } from 'kysely'
import { readConfig } from '../config.ts'
import type { Database } from '../store/database.ts'
import { joinDatabaseHome } from '../store/database-home.ts'
import { type DatabaseSource, openDatabase } from '../store/open.ts'

/** An open database, and where it is (for what needs a connection of its own). */
export type OpenDatabase = { readonly db: Kysely<Database>; readonly source: DatabaseSource }

/** Opens the database, runs `use` on it, and closes it whatever happens. */
export type WithDatabase = <Result>(use: (database: OpenDatabase) => Promise<Result>) => Promise<Result>

/**
 * The configured database, without the service's time limits. An embedded one that a running service holds is
 * joined; otherwise it is started for the command.
 */
export const withDatabase: WithDatabase = async (use) => {
  const config = readConfig()
  const home = await joinDatabaseHome(config)
  const db = openDatabase(home.source, { poolSize: 2, statementTimeoutMs: 0, applicationName: 'waybill cli' })
  try {
    return await use({ db, source: home.source })
  } finally {
    await db.destroy()
    await home.close()
  }
}
