/** The database of the operator's commands: the one that the service is configured for. */
import type { Kysely } from 'kysely'
import { readConfig } from '../../config.ts'
import type { Database } from '../../store/database/database.ts'
import { joinDatabaseHome } from '../../store/database/database-home.ts'
import { migrate } from '../../store/database/migrate.ts'
import { openDatabase } from '../../store/database/open.ts'

/** An open database at this version's schema. */
export type OpenDatabase = {
  readonly db: Kysely<Database>
  /** The migrations that opening it ran. */
  readonly migrated: readonly string[]
  /** True where public secrets must not get in. */
  readonly production: boolean
  /** Whether the service would have demo data in this database. */
  readonly demoData: boolean
}

/** Opens the database, runs `use` on it, and closes it whatever happens. */
export type WithDatabase = <Result>(use: (database: OpenDatabase) => Promise<Result>) => Promise<Result>

/**
 * The configured database, migrated, without the service's time limits. An embedded one that a running service holds is
 * joined; otherwise it is started for the command.
 */
export const withDatabase: WithDatabase = async (use) => {
  const config = readConfig()
  const home = await joinDatabaseHome(config)
  try {
    const migrated = await migrate(home.source)
    const db = openDatabase(home.source, {
      poolSize: 2,
      statementTimeoutMs: 0,
      applicationName: 'waybill cli',
    })
    try {
      return await use({ db, migrated, production: config.production, demoData: config.demoData })
    } finally {
      await db.destroy()
    }
  } finally {
    await home.close()
  }
}
