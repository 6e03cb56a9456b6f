/** Prepares the database before the service listens, and writes its events to the log. */
import type { FastifyBaseLogger } from 'fastify'
import { describeError } from '../http/masking.ts'
import { renameImportedSets } from '../store/customs/customs.ts'
import { migrate } from '../store/database/migrate.ts'
import { openDatabase } from '../store/database/open.ts'
import { refuseUndeclaredPooler } from '../store/database/pool/pooler.ts'
import { noteRecovery, type RecoveryPoint } from '../store/database/recovery-points.ts'
import { markProductionUse, seedDemo } from '../store/demo/reset.ts'
import type { Context } from './context.ts'

/** Migrates the database and loads data, without the time limits of the service. Can be repeated. */
export async function prepareDatabase({ config, home, log }: Context): Promise<void> {
  const { source, replacement } = home
  await refuseUndeclaredPooler(source)
  await migrate(source, {
    replacement,
    onWait: (reason) =>
      log.warn({ event: 'database.migration_waiting', reason }, 'waiting until the database can be migrated'),
  })
  const db = openDatabase(source, { poolSize: 2, statementTimeoutMs: 0, idleInTransactionMs: 0 })
  try {
    await renameImportedSets(db)
    if (config.demoData) await seedDemo(db)
    if (config.production) await markProductionUse(db)
    const point = await noteRecovery(db)
    if (point !== undefined) reportRecovery(log, point)
  } finally {
    await db.destroy()
  }
}

export function reportRecovery(log: FastifyBaseLogger, recovery: RecoveryPoint): void {
  log.warn(
    { event: 'database.recovered', recovery },
    'the database continues from an earlier state: confirmed changes may be lost; run waybill audit --log',
  )
}

export function reportSchema(log: FastifyBaseLogger, fault: string | undefined): void {
  if (fault === undefined) log.info({ event: 'schema.usable' }, 'the schema of the database is usable again')
  else
    log.error(
      { event: 'schema.unusable', fault },
      'the service is not ready: this version cannot use the database',
    )
}

export function reportLostConnections(log: FastifyBaseLogger): (error: Error) => void {
  return (error) =>
    log.warn(
      { event: 'database.connection_lost', error: describeError(error, []) },
      'a database connection was lost',
    )
}
