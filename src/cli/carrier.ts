/**
 * `waybill carrier test`: tests the URLs and credentials of the carriers' settings file. Nothing is changed at the
 * carriers. See docs/carriers.md#test-the-settings.
 */
import type { Command } from 'commander'
import { type AccessReport, type AccessStep, isAccessFault, verdictText } from '../carriers/access-test.ts'
import { type ConfiguredCarriers, configuredCarriers } from '../carriers/configured-carriers.ts'
import { sendThroughProxy } from '../carriers/http-exchange.ts'
import { type Config, readConfig } from '../config/config.ts'
import { readConnectorNames } from '../store/shipments/operators/audit.ts'
import { configuredConnectors } from './connectors.ts'
import { code } from './terminal/arguments.ts'
import type { OpenDatabase, WithDatabase } from './terminal/database.ts'
import { CommandFailed, Refusal, refuseOnError } from './terminal/errors.ts'
import { announce, type Output, report, table } from './terminal/output.ts'

/** Adds `test` to `waybill carrier`. */
export function carrierCommands(carrier: Command, withDatabase: WithDatabase, output: Output): void {
  carrier
    .command('test')
    .description("test the carriers' URLs and credentials; nothing is changed at the carriers")
    .argument('[code]', 'the code of a carrier; default: all carriers of the settings file', code)
    .option('--json', 'print JSON')
    .action((carrierCode: string | undefined, { json }: { json?: boolean }) =>
      testCarriers(carrierCode, json, withDatabase, output),
    )
}

async function testCarriers(
  carrierCode: string | undefined,
  json: boolean | undefined,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  const config = readConfig()
  const configured = await withDatabase(({ db }) => openConfiguredCarriers(db, config))
  announce(output, json, 'Calling the carriers')
  const reports: AccessReport[] = []
  await configured.test(new AbortController().signal, (one) => reports.push(one), carrierCode)
  if (carrierCode !== undefined && reports.length === 0)
    throw new Refusal(`the settings have no credentials of carrier ${carrierCode}`)
  report(output, json, reports, reports.length === 0 ? [NO_SETTINGS] : linesOf(reports))
  if (reports.some(isAccessFault)) throw new CommandFailed()
}

const NO_SETTINGS = 'No carrier has settings: WAYBILL_CARRIERS is not set, or its file is empty.'

/** The carriers of the settings file, as the service opens them. Throws a Refusal if the file is faulty. */
export async function openConfiguredCarriers(
  db: OpenDatabase['db'],
  config: Config,
): Promise<ConfiguredCarriers> {
  sendThroughProxy(config.carrierProxy)
  const names = await readConnectorNames(db)
  const connectors = await configuredConnectors(config)
  return refuseOnError(() =>
    configuredCarriers((carrierCode) => names.get(carrierCode), { ...config, connectors }),
  )
}

function linesOf(reports: readonly AccessReport[]): string[] {
  const rows = reports.map((one) => [
    ...[one.carrierCode, one.accountId ?? '', one.connector, new URL(one.baseUrl).host],
    ...STEPS.map((step) => stepText(step, one)),
    verdictText(one),
  ])
  return [
    ...table(
      ['CARRIER', 'ACCOUNT', 'CONNECTOR', 'HOST', 'DNS', 'TCP', 'TLS', 'TOKEN', 'READ', 'VERDICT'],
      rows,
    ),
    ...reports.flatMap(({ carrierCode, accountId, detail }) =>
      detail === undefined ? [] : `${[carrierCode, accountId].filter(Boolean).join(', ')}: ${detail}`,
    ),
    ...reports
      .filter(({ isTestUrl }) => isTestUrl)
      .map(({ carrierCode }) => `warning: ${carrierCode} has a test interface of the carrier`),
  ]
}

const STEPS: readonly AccessStep[] = ['dns', 'connection', 'tls', 'token', 'read']

/** Steps before the failed one have succeeded, and those after it were not reached. */
function stepText(step: AccessStep, { failedAt, verdict, baseUrl, hasToken }: AccessReport): string {
  if (step === 'tls' && baseUrl.startsWith('http:')) return ''
  if (step === 'token' && !hasToken) return ''
  if (verdict === 'not_tested' || (step === 'read' && verdict === 'token_only')) return '-'
  if (failedAt === undefined) return 'ok'
  const distance = STEPS.indexOf(step) - STEPS.indexOf(failedAt)
  return distance < 0 ? 'ok' : distance === 0 ? 'failed' : '-'
}
