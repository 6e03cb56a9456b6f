/** Checks of the database server: version, pooler, migrations, rights, clock, durability and replication. */
import type { Kysely } from 'kysely'
import type { Config } from '../../config/config.ts'
import { type Database, OperatorError } from '../../store/database/database.ts'
import type { DatabaseHome } from '../../store/database/database-home.ts'
import { clockDifferenceMs, readServerFacts, type ServerFacts } from '../../store/database/diagnosis.ts'
import { durabilityFaults } from '../../store/database/open.ts'
import { refuseUndeclaredPooler } from '../../store/database/pool/pooler.ts'
import { columnFault, listFault, readApplied } from '../../store/database/schema-check.ts'
import { MIGRATIONS } from '../../store/migrations/index.ts'
import { counted } from '../terminal/output.ts'
import { type Finding, findingsOf, firstOf } from './finding.ts'

export type DatabaseReport = {
  readonly findings: readonly Finding[]
  /** Whether the tables can be read: all migrations have been applied. */
  readonly isMigrated: boolean
}

/** Throws the errors of the connection. */
export async function checkDatabase(
  db: Kysely<Database>,
  home: DatabaseHome,
  config: Config,
): Promise<DatabaseReport> {
  const facts = await readServerFacts(db)
  const version = checkVersion(facts, home)
  if (version.state === 'problem') return { findings: [version], isMigrated: false }
  const migrations = await checkMigrations(db)
  return {
    findings: [
      version,
      await checkPooler(home, config),
      migrations,
      ...checkRights(facts, migrations.state !== 'ok'),
      checkClock(await clockDifferenceMs(db)),
      await checkDurability(db),
      // The embedded server has no standby. Its page says what it is for.
      ...(config.databaseUrl === undefined ? [] : [checkReplication(facts)]),
    ],
    isMigrated: migrations.state === 'ok',
  }
}

const OLDEST_VERSION = 15

function checkVersion({ version, versionNumber, isStandby }: ServerFacts, home: DatabaseHome): Finding {
  const { ok, problem } = findingsOf('database')
  const message = `PostgreSQL ${version}, ${home.description}`
  if (versionNumber < OLDEST_VERSION * 10_000)
    return problem(message, `use PostgreSQL ${OLDEST_VERSION} or later`)
  if (isStandby) return problem(`${message}, is a standby`, 'let DATABASE_URL name the primary server')
  return ok(message)
}

async function checkPooler({ source }: DatabaseHome, config: Config): Promise<Finding> {
  const { ok, problem } = findingsOf('pooler')
  try {
    await refuseUndeclaredPooler(source)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return problem(error.message, 'see docs/operations.md#connection-poolers')
  }
  return ok(config.transactionPooler ? 'a transaction pooler, as configured' : 'no transaction pooler')
}

async function checkMigrations(db: Kysely<Database>): Promise<Finding> {
  const { ok, warning, problem } = findingsOf('migrations')
  const names = Object.keys(MIGRATIONS)
  const applied = await readApplied(db)
  if (applied === undefined)
    return warning('the database is empty', 'the first start migrates it, or run waybill migrate')
  const missing = names.filter((name) => !applied.some((migration) => migration.name === name))
  const fault = listFault(applied, names) ?? (missing.length === 0 ? await columnFault(db) : undefined)
  if (fault !== undefined)
    return problem(`this version cannot use the database: ${fault}`, 'see docs/production.md#upgrade')
  return missing.length === 0
    ? ok(`all ${names.length} migrations have been applied`)
    : warning(
        `${counted(missing.length, 'migration')} pending: ${firstOf(missing)}`,
        'the next start applies them, or run waybill migrate',
      )
}

/** `needsChanges`: migrations are pending. */
function checkRights(facts: ServerFacts, needsChanges: boolean): Finding[] {
  const { ok, warning, problem } = findingsOf('rights')
  const { role, schema, deniedTables, foreignTables } = facts
  const findings: Finding[] = []
  if (deniedTables.length > 0)
    findings.push(
      problem(
        `${role} cannot read and write ${firstOf(deniedTables)}`,
        `grant SELECT, INSERT, UPDATE and DELETE on them to ${role}`,
      ),
    )
  const isBound = !facts.canCreateTables || foreignTables.length > 0
  if (isBound) {
    const message = facts.canCreateTables
      ? `${role} does not own ${firstOf(foreignTables)}, so it cannot migrate them`
      : `${role} cannot create tables in ${schema ?? 'any schema'}`
    const remedy = 'run the service or waybill migrate as the owner of the database'
    findings.push(needsChanges ? problem(message, remedy) : warning(message, `${remedy} at the next upgrade`))
  }
  if (facts.isSuperuser && findings.length === 0)
    findings.push(warning(`${role} is a superuser`, 'use a role that owns only the database of Waybill'))
  return findings.length > 0 ? findings : [ok(`${role} can use and migrate the tables`)]
}

/** Signed scan events, the validity of tokens and day limits of prices depend on the clock of this machine. */
const CLOCK_MS = { warning: 2_000, problem: 60_000 }

export function checkClock(aheadMs: number): Finding {
  const { ok, warning, problem } = findingsOf('clock')
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1)
  const message = `this machine is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the database`
  const remedy = 'synchronize both clocks, for example with chrony'
  if (Math.abs(aheadMs) >= CLOCK_MS.problem) return problem(message, remedy)
  return Math.abs(aheadMs) >= CLOCK_MS.warning ? warning(message, remedy) : ok(message)
}

async function checkDurability(db: Kysely<Database>): Promise<Finding> {
  const { ok, problem } = findingsOf('durability')
  const [fault] = await durabilityFaults(db)
  return fault === undefined ? ok('fsync and full_page_writes are on') : problem(fault, 'turn it on')
}

/** See docs/operations.md#durability-and-standbys. */
export function checkReplication({
  synchronousStandbys,
  synchronousCommit,
  waitedForStandbys,
}: Pick<ServerFacts, 'synchronousStandbys' | 'synchronousCommit' | 'waitedForStandbys'>): Finding {
  const { ok, warning, problem } = findingsOf('replication')
  if (synchronousStandbys.trim() === '')
    return warning(
      'no synchronous standby is configured: a failover can lose confirmed cancellations',
      'set synchronous_standby_names, or keep the journal on another machine',
    )
  if (synchronousCommit === 'local')
    return warning(
      'synchronous_commit is local: commits do not wait for the synchronous standby',
      'set synchronous_commit to on for the role and the database',
    )
  if (waitedForStandbys === null)
    return warning(
      `synchronous_standby_names is ${synchronousStandbys}; this role cannot see whether a standby is connected`,
      'GRANT pg_monitor to the role',
    )
  const required = requiredStandbys(synchronousStandbys)
  return waitedForStandbys < required
    ? problem(
        `${waitedForStandbys} of ${counted(required, 'required standby', 'required standbys')} in synchronous_standby_names (${synchronousStandbys}) are connected, so commits wait`,
        'start the standbys, or require fewer in synchronous_standby_names',
      )
    : ok(`${counted(waitedForStandbys, 'synchronous standby', 'synchronous standbys')} connected`)
}

/** "FIRST 2 (a, b)", "ANY 2 (a, b)" and "2 (a, b)" require two; a list of names requires one. */
function requiredStandbys(names: string): number {
  const [, number = '1'] = /^(?:FIRST |ANY )?(\d+) ?\(/i.exec(names.trim()) ?? []
  return Number(number)
}
