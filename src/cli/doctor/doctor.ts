/**
 * `waybill doctor`: checks the settings, the machine, the database and the data before a start, or beside a running
 * service. Changes nothing: unlike other commands it does not migrate the database. See docs/operations.md#doctor.
 */
import type { Command } from 'commander'
import { sql } from 'kysely'
import { type Config, ConfigError, readConfig } from '../../config/config.ts'
import { type DatabaseHome, joinDatabaseHome } from '../../store/database/database-home.ts'
import { openDatabase } from '../../store/database/open.ts'
import { isOutage } from '../../store/database/outage.ts'
import { hasCluster } from '../../store/embedded-postgres/data-folder.ts'
import { VERSION } from '../../version.ts'
import { currentDay } from '../terminal/arguments.ts'
import { CommandFailed } from '../terminal/errors.ts'
import { counted, type Output, report, table } from '../terminal/output.ts'
import { checkData } from './data.ts'
import { checkDatabase } from './database.ts'
import { type Finding, findingsOf, reasonOf } from './finding.ts'
import { checkCarriersFile, checkConnectorFiles, checkDisk, checkSecretFiles } from './machine.ts'
import { checkSharedLimits } from './shared-limits.ts'
import { checkClassifier, checkPorts, checkStartData, checkTrustedDocuments } from './start.ts'

/** Turns `command` into `waybill doctor`. */
export function doctorCommand(command: Command, output: Output): void {
  command
    .description('check settings, database, files and data; changes nothing')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await diagnose()
      report(output, json, findings, linesOf(findings))
      if (findings.some(({ state }) => state === 'problem')) throw new CommandFailed()
    })
}

function linesOf(findings: readonly Finding[]): string[] {
  const count = (wanted: Finding['state']) => findings.filter(({ state }) => state === wanted).length
  return [
    ...table(
      ['STATE', 'CHECK', 'FINDING'],
      findings.map(({ state, check, message, remedy }) => [
        state,
        check,
        remedy === undefined ? message : `${message}: ${remedy}`,
      ]),
    ),
    '',
    `${counted(count('problem'), 'problem')}, ${counted(count('warning'), 'warning')}.`,
  ]
}

/** All findings, in the order of the checks. `environment` is that of the process by default. `day` is 'YYYY-MM-DD'. */
export async function diagnose(
  environment?: Readonly<Record<string, string | undefined>>,
  day = currentDay(),
): Promise<readonly Finding[]> {
  const version = findingsOf('version').ok(`Waybill ${VERSION}, Node.js ${process.version}`)
  const { problem } = findingsOf('settings')
  try {
    const config = readConfig(environment)
    const store = await checkStore(config, day)
    const hasCarrierFaults = store.some(({ check }) => check === 'carriers')
    return [
      version,
      checkSettings(config),
      ...checkSecretFiles(config),
      // What contradicts the rate cards is found in the database.
      ...(hasCarrierFaults ? [] : [checkCarriersFile(config)]),
      ...(await checkConnectorFiles(config)),
      ...(await checkClassifier(config)),
      ...(await checkTrustedDocuments(config)),
      ...(await checkPorts(config)),
      ...checkDisk(config),
      ...(await checkSharedLimits(config)),
      ...store,
    ]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const faults = error.message.split('\n').slice(1)
    return [version, ...faults.map((fault) => problem(fault.trim(), 'see docs/configuration.md'))]
  }
}

function checkSettings({ production, databaseUrl }: Config): Finding {
  const { ok, warning } = findingsOf('settings')
  if (production) return ok('valid, for production')
  if (databaseUrl === undefined) return ok('valid, for development with the embedded database')
  return warning(
    'valid, but NODE_ENV is not production',
    'set NODE_ENV=production for this command and the service, unless this is a development database',
  )
}

async function checkStore(config: Config, day: string): Promise<readonly Finding[]> {
  const { warning, problem } = findingsOf('database')
  if (config.databaseUrl === undefined && !hasCluster(config.dataDir))
    return [warning(`there is no database in ${config.dataDir} yet`, 'the first start creates it')]
  const unusable = (what: string, error: unknown): Finding[] => [
    problem(`${what} cannot be used: ${reasonOf(error)}`, 'see docs/operations.md#doctor'),
  ]
  let home: DatabaseHome
  try {
    home = await joinDatabaseHome(config)
  } catch (error) {
    return unusable(`the database in ${config.dataDir}`, error)
  }
  const db = openDatabase(home.source, {
    poolSize: 2,
    connectionWaitMs: 5_000,
    statementTimeoutMs: 60_000,
    applicationName: 'waybill doctor',
  })
  try {
    // Tested by itself, because some connection errors, such as that of a missing password, have no error code.
    const fault = await sql`SELECT 1`.execute(db).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (fault !== undefined) return unusable(home.description, fault.error)
    const { findings, isMigrated } = await checkDatabase(db, home, config)
    if (!isMigrated) return findings
    return [...findings, ...(await checkStartData(db, config)), ...(await checkData(db, config, day))]
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (!isOutage(error) && typeof code !== 'string') throw error
    return unusable(home.description, error)
  } finally {
    await db.destroy()
    await home.close()
  }
}
