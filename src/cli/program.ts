/**
 * The operator's commands, put together, and what each end of a command is as an exit code. Apart from the
 * entry so that tests run the very same commands on a database of their own.
 */
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { CustomsRefusal } from '../store/customs/publication.ts'
import { isOutage } from '../store/database/outage.ts'
import { CardRefusal } from '../store/rate-cards/versions.ts'
import { accountCommands, keyCommands } from './account.ts'
import { auditCommand } from './audit.ts'
import { compareCommands } from './card/compare.ts'
import { contractCommands } from './card/contract.ts'
import { fuelCommands } from './card/fuel.ts'
import { cardImportCommand } from './card/import.ts'
import { versionCommands } from './card/versions.ts'
import { classifyCommand } from './classify.ts'
import { withCustomsOf } from './customs/arguments.ts'
import { exportCommand } from './customs/export.ts'
import { customsImportCommand } from './customs/import.ts'
import { setCommands } from './customs/sets.ts'
import { demoCommands, migrateCommand } from './demo.ts'
import { sandboxCommand } from './sandbox.ts'
import { shipmentCommands } from './shipment.ts'
import type { WithDatabase } from './terminal/database.ts'
import { CommandFailed, type Output, printableOutput, Refusal, UsageError } from './terminal/output.ts'

/** Runs one command line (without node and script). Returns the exit code: see output.ts. */
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
    // Commander has written its own message; asking for help is no mistake.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof CommandFailed) return 1
    if (isOutage(error)) {
      output.complaint(`waybill: the database is out of reach: ${causeOf(error)}`)
      return 1
    }
    output.complaint(`waybill: ${error instanceof Error ? error.message : String(error)}`)
    if (error instanceof UsageError || error instanceof ConfigError) return 2
    const refusals = [Refusal, CardRefusal, CustomsRefusal]
    const isRefusal = refusals.some((refusal) => error instanceof refusal)
    if (!isRefusal && error instanceof Error && error.stack !== undefined) output.complaint(error.stack)
    return 1
  }
}

/** What an outage came from: the innermost message. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : causeOf(error.cause)
}

function program(withDatabase: WithDatabase, output: Output): Command {
  const root = new Command('waybill')
    .description(
      'operate a Waybill service: accounts, API keys, rate cards, fuel, contracts, shipments, audit, customs data, HS codes, database, demonstration, sandbox carrier',
    )
    .exitOverride()
    .showHelpAfterError('(add --help for how to use it)')
    .configureOutput({
      writeOut: (text) => output.line(text.trimEnd()),
      writeErr: (text) => output.complaint(text.trimEnd()),
    })
  accountCommands(root.command('account').description('accounts and their settings'), withDatabase, output)
  cardCommands(root.command('card').description('rate cards and their versions'), withDatabase, output)
  fuelCommands(root.command('fuel').description("the carriers' fuel percentages"), withDatabase, output)
  contractCommands(root.command('contract').description('what accounts have agreed'), withDatabase, output)
  shipmentCommands(root.command('shipment').description('shipments from elsewhere'), withDatabase, output)
  auditCommand(root.command('audit'), withDatabase, output)
  customsCommands(root.command('customs').description('the data of duties and taxes'), withDatabase, output)
  classifyCommand(root.command('classify'), output)
  keyCommands(root.command('key').description('API keys and their secrets'), withDatabase, output)
  migrateCommand(root.command('migrate'), withDatabase, output)
  demoCommands(root.command('demo').description('the demonstration data'), withDatabase, output)
  sandboxCommand(root.command('sandbox'), output)
  return root
}

// `waybill card …`: the rate cards that rates are quoted from. A version is imported as a draft, published,
// withdrawn; running services take each change over within seconds.

/** Adds the commands for rate cards. */
export function cardCommands(card: Command, withDatabase: WithDatabase, output: Output): void {
  compareCommands(card, withDatabase, output)
  cardImportCommand(card, withDatabase, output)
  versionCommands(card, withDatabase, output)
}

// `waybill customs …`: the data that duties and taxes are estimated from. A data set is imported as a draft, published
// above those that decide, withdrawn; running services take each change over within seconds.

/** Adds the commands for customs data. */
export function customsCommands(customs: Command, withDatabase: WithDatabase, output: Output): void {
  const withCustoms = withCustomsOf(withDatabase)
  customsImportCommand(customs, withCustoms, output)
  setCommands(customs, withCustoms, output)
  exportCommand(customs, withCustoms, output)
}
