/** The commands of `waybill` and their exit codes. Tests pass their own database. */
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config/config.ts'
import { OperatorError } from '../store/database/database.ts'
import { ACCOUNT_IS_MOVED, isOutage } from '../store/database/outage.ts'
import { VERSION } from '../version.ts'
import { accountCommands } from './account/account.ts'
import { keyCommands } from './account/key.ts'
import { compareCommands } from './card/compare.ts'
import { cardImportCommand } from './card/import.ts'
import { versionCommands } from './card/versions.ts'
import { carrierCommands } from './carrier.ts'
import { classifyCommand } from './classify.ts'
import { connectorCommands } from './connector.ts'
import { contractCommands } from './contract/contract.ts'
import { compareCommand } from './customs/compare.ts'
import { coverageCommand } from './customs/coverage.ts'
import { exportCommand } from './customs/export.ts'
import { customsImportCommand } from './customs/import.ts'
import { setCommands } from './customs/sets.ts'
import { tryCommand } from './customs/try.ts'
import { databaseCommands, demoCommands, migrateCommand } from './database.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { fuelCommands } from './fuel/fuel.ts'
import { fuelIndexCommands } from './fuel/fuel-index.ts'
import { fuelTableCommands } from './fuel/fuel-table.ts'
import { marginCommands } from './margin.ts'
import { quoteCommand } from './quote.ts'
import { sandboxCommand } from './sandbox.ts'
import { archiveCommand } from './shipment/archive.ts'
import { attemptCommands } from './shipment/attempt.ts'
import { auditCommand } from './shipment/audit.ts'
import { shipmentCommands } from './shipment/shipment.ts'
import type { WithDatabase } from './terminal/database.ts'
import { CommandFailed, Refusal, UsageError } from './terminal/errors.ts'
import { type Output, printableOutput } from './terminal/output.ts'
import { tokenCommands } from './token.ts'
import { webhookCommands } from './webhook.ts'

/**
 * Runs one command. `words` are its arguments, without node and script. Returns the exit code: 0 success, 1 failure,
 * 2 invalid arguments or configuration.
 */
export async function runCommand(
  words: readonly string[],
  withDatabase: WithDatabase,
  to: Output,
): Promise<number> {
  const output = printableOutput(to)
  try {
    await program(withDatabase, output).parseAsync([...words], { from: 'user' })
    return 0
  } catch (error) {
    return reportError(error, output)
  }
}

/** Prints an error unless it has been printed already, and returns the exit code. */
function reportError(error: unknown, output: Output): number {
  // Commander has printed its own message; `--help` ends with an error of exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof CommandFailed) return 1
  if ((error as { code?: unknown }).code === ACCOUNT_IS_MOVED) {
    output.error(`waybill: ${innermostMessage(error)}`)
    return 1
  }
  if (isOutage(error)) {
    output.error(`waybill: cannot reach the database: ${innermostMessage(error)}`)
    return 1
  }
  output.error(`waybill: ${error instanceof Error ? error.message : String(error)}`)
  if (error instanceof UsageError || error instanceof ConfigError) return 2
  const isRefusal = error instanceof Refusal || error instanceof OperatorError
  if (!isRefusal && error instanceof Error && error.stack !== undefined) output.error(error.stack)
  return 1
}

function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : innermostMessage(error.cause)
}

function program(withDatabase: WithDatabase, output: Output): Command {
  const root = new Command('waybill')
    .description(
      'operate a Waybill service: accounts, API keys, option tokens, webhooks, rate cards, fuel, contracts, margins, prices with their cost, shipments, cancellation attempts, carriers, connectors, audit, archive, customs data, HS codes, checks before a start, database, demo data, sandbox carrier',
    )
    .version(VERSION, '--version', 'print the version')
    .exitOverride()
    // `waybill classify` has options, and subcommands with options of the same names.
    .enablePositionalOptions()
    .showHelpAfterError('(add --help for usage)')
    .configureOutput({
      writeOut: (text) => output.line(text.trimEnd()),
      writeErr: (text) => output.error(text.trimEnd()),
    })
  accountCommands(root.command('account').description('accounts and their settings'), withDatabase, output)
  addCardCommands(root.command('card').description('rate cards and their versions'), withDatabase, output)
  addFuelCommands(root.command('fuel').description('fuel percentages of carriers'), withDatabase, output)
  contractCommands(root.command('contract').description('contracts of accounts'), withDatabase, output)
  marginCommands(root.command('margin').description('margins on the cost of products'), withDatabase, output)
  quoteCommand(root.command('quote'), withDatabase, output)
  shipmentCommands(
    root.command('shipment').description('shipments booked in other systems'),
    withDatabase,
    output,
  )
  attemptCommands(root.command('attempt').description('attempts to cancel shipments'), withDatabase, output)
  carrierCommands(root.command('carrier').description('the settings of carriers'), withDatabase, output)
  connectorCommands(root.command('connector').description('connectors of your own'), output)
  auditCommand(root.command('audit'), withDatabase, output)
  archiveCommand(root.command('archive'), withDatabase, output)
  addCustomsCommands(root.command('customs').description('data for duties and taxes'), withDatabase, output)
  classifyCommand(root.command('classify'), withDatabase, output)
  keyCommands(root.command('key').description('API keys and their secrets'), withDatabase, output)
  tokenCommands(root.command('token').description('the secret of option tokens'), withDatabase, output)
  webhookCommands(
    root.command('webhook').description('endpoints that events are sent to'),
    withDatabase,
    output,
  )
  doctorCommand(root.command('doctor'), output)
  migrateCommand(root.command('migrate'), withDatabase, output)
  databaseCommands(root.command('database').description('restores of the database'), withDatabase, output)
  demoCommands(root.command('demo').description('demo data'), withDatabase, output)
  sandboxCommand(root.command('sandbox'), output)
  return root
}

function addCardCommands(card: Command, withDatabase: WithDatabase, output: Output): void {
  compareCommands(card, withDatabase, output)
  cardImportCommand(card, withDatabase, output)
  versionCommands(card, withDatabase, output)
}

function addFuelCommands(fuel: Command, withDatabase: WithDatabase, output: Output): void {
  fuelCommands(fuel, withDatabase, output)
  fuelTableCommands(fuel, withDatabase, output)
  fuelIndexCommands(fuel, withDatabase, output)
}

function addCustomsCommands(customs: Command, withDatabase: WithDatabase, output: Output): void {
  customsImportCommand(customs, withDatabase, output)
  setCommands(customs, withDatabase, output)
  tryCommand(customs, withDatabase, output)
  coverageCommand(customs, withDatabase, output)
  compareCommand(customs, withDatabase, output)
  exportCommand(customs, withDatabase, output)
}
