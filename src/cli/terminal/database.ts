/** Opens the configured database for a command. */
import type { Kysely } from 'kysely'
import { readConfig } from '../../config/config.ts'
import type { Database } from '../../store/database/database.ts'
import { joinDatabaseHome } from '../../store/database/database-home.ts'
import { migrate } from '../../store/database/migrate.ts'
import { openDatabase } from '../../store/database/open.ts'
import { refuseUndeclaredPooler } from '../../store/database/pool/pooler.ts'
import { WHOLE_TABLES } from '../../store/database/pool/pools.ts'
import { noteRecovery } from '../../store/database/recovery-points.ts'

/** An open database with the schema of this version. */
export type OpenDatabase = {
  readonly db: Kysely<Database>
  /** The migrations that were applied when it was opened. */
  readonly migrated: readonly string[]
  /** Whether the process is configured for production, where the public demo secrets are refused. */
  readonly production: boolean
  /** Whether the configuration allows demo data in this database. */
  readonly demoData: boolean
}

/**
 * Opens the database, runs `use`, and closes the database again. `upgrades`: whether the schema of an external database
 * is upgraded. Default false, because a command of a newer version would upgrade it below running replicas.
 */
export type WithDatabase = <Result>(
  use: (database: OpenDatabase) => Promise<Result>,
  options?: { readonly upgrades: boolean },
) => Promise<Result>

/**
 * Opens the configured database without the time limits of the service, because a command may calculate for seconds
 * within a transaction. Does not wait for a database that is unavailable. An empty database, and an embedded one, get
 * the schema of this version. An embedded server that a running service has started is used; otherwise one is started
 * for the command.
 */
export const withDatabase: WithDatabase = async (use, { upgrades } = { upgrades: false }) => {
  const config = readConfig()
  const home = await joinDatabaseHome(config)
  try {
    await refuseUndeclaredPooler(home.source)
    const migrated = await migrate(home.source, {
      replacement: home.replacement,
      upgrades: upgrades || config.databaseUrl === undefined,
      onWait: (reason) => process.stderr.write(`waiting until the database can be migrated: ${reason}\n`),
    })
    const db = openDatabase(home.source, {
      ...WHOLE_TABLES,
      poolSize: 2,
      statementTimeoutMs: 0,
      applicationName: 'waybill cli',
    })
    try {
      if ((await noteRecovery(db)) !== undefined)
        process.stderr.write('the database continues from an earlier state; run waybill audit --log\n')
      return await use({ db, migrated, production: config.production, demoData: config.demoData })
    } finally {
      await db.destroy()
    }
  } finally {
    await home.close()
  }
}
