/** `waybill account …`: accounts and their settings and registrations. Their API keys are in key.ts. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { readRegistrationNumber, SELLER_SCHEMES } from '../../core/customs/seller-registration.ts'
import {
  type AccountChanges,
  createAccount,
  listAccounts,
  setAccount,
} from '../../store/accounts/accounts.ts'
import {
  addRegistration,
  listRegistrations,
  removeRegistrations,
} from '../../store/accounts/registrations.ts'
import { code, day, plainText } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal, UsageError } from '../terminal/errors.ts'
import { type Output, report, table } from '../terminal/output.ts'
import { accountMoveCommands } from './account-move.ts'

type JsonOption = { readonly json?: boolean }
type SettingOptions = AccountChanges & JsonOption
type RegisterOptions = JsonOption & { readonly from?: string; readonly until?: string }

/** Adds all commands to `waybill account`. */
export function accountCommands(account: Command, withDatabase: WithDatabase, output: Output): void {
  account
    .command('create')
    .description('create an account')
    .argument('<accountId>', '1 to 40 characters of a-z, 0-9 and -', code)
    .requiredOption('--name <name>', 'name of the account', plainText)
    .addOption(transitOption())
    .addOption(breakdownOption())
    .addOption(averagesOption())
    .option('--json', 'print JSON')
    .action(async (id: string, options: { name: string } & Omit<SettingOptions, 'accountName'>) => {
      const created = await withDatabase(({ db }) =>
        createAccount(db, id, { ...settingsOf(options), accountName: options.name }),
      )
      if (!created) throw new Refusal(`account ${id} already exists`)
      report(output, options.json, { accountId: id }, [`Account ${id} created.`])
    })

  account
    .command('list')
    .description('list all accounts')
    .option('--json', 'print JSON')
    .action(async ({ json }: JsonOption) => {
      const accounts = await withDatabase(({ db }) => listAccounts(db))
      const rows = accounts.map((row) => [
        row.accountId,
        row.accountName,
        row.transitForm,
        row.priceBreakdown ? 'yes' : 'no',
        row.countAverages ? 'yes' : 'no',
        row.createdAt,
      ])
      report(
        output,
        json,
        accounts,
        table(['ACCOUNT', 'NAME', 'TRANSIT', 'BREAKDOWN', 'AVERAGES', 'CREATED'], rows),
      )
    })

  account
    .command('set')
    .description("change an account's settings; takes effect within 5 seconds")
    .argument('<accountId>')
    .option('--name <name>', 'name of the account', plainText)
    .addOption(transitOption())
    .addOption(breakdownOption())
    .addOption(averagesOption())
    .option('--json', 'print JSON')
    .action(async (id: string, options: { name?: string } & Omit<SettingOptions, 'accountName'>) => {
      const name = options.name === undefined ? {} : { accountName: options.name }
      const found = await withDatabase(({ db }) => setAccount(db, id, { ...settingsOf(options), ...name }))
      if (!found) throw new Refusal(`there is no account ${id}`)
      report(output, options.json, { accountId: id }, [`Account ${id} changed.`])
    })

  registrationCommands(account, withDatabase, output)
  accountMoveCommands(account, withDatabase, output)
}

function registrationCommands(account: Command, withDatabase: WithDatabase, output: Output): void {
  account
    .command('register')
    .description('add a registration for a scheme under which the seller collects import taxes')
    .argument('<accountId>')
    .addArgument(new Argument('<scheme>', 'the scheme').choices(SELLER_SCHEMES))
    .argument('<number>', 'the registration number')
    .option('--from <day>', 'the first day on which it is valid', day)
    .option('--until <day>', 'the first day on which it is no longer valid', day)
    .option('--json', 'print JSON')
    .action(async (id: string, scheme: string, text: string, { from, until, json }: RegisterOptions) => {
      const read = readRegistrationNumber(scheme, text)
      if ('expected' in read) throw new UsageError(`number: expected ${read.expected}`)
      if (from !== undefined && until !== undefined && until <= from)
        throw new UsageError('--until must be after --from')
      const registration = { scheme, number: read.number, validFrom: from ?? null, validTo: until ?? null }
      const found = await withDatabase(({ db }) => addRegistration(db, id, registration))
      if (!found) throw new Refusal(`there is no account ${id}`)
      report(output, json, { accountId: id, ...registration }, [
        `Account ${id} is registered for ${scheme} with ${read.number}.`,
      ])
    })

  account
    .command('registrations')
    .description('list registrations for schemes under which the seller collects import taxes')
    .argument('[accountId]', 'default: all accounts')
    .option('--json', 'print JSON')
    .action(async (id: string | undefined, { json }: JsonOption) => {
      const found = await withDatabase(({ db }) => listRegistrations(db, id))
      const rows = found.map((row) => [
        ...[row.accountId, row.scheme, row.number, row.validFrom ?? '', row.validTo ?? ''],
      ])
      report(output, json, found, table(['ACCOUNT', 'SCHEME', 'NUMBER', 'FROM', 'UNTIL'], rows))
    })

  account
    .command('unregister')
    .description('remove the registrations of an account for a scheme')
    .argument('<accountId>')
    .argument('<scheme>')
    .option('--json', 'print JSON')
    .action(async (id: string, scheme: string, { json }: JsonOption) => {
      const found = await withDatabase(({ db }) => removeRegistrations(db, id, scheme))
      if (!found) throw new Refusal(`account ${id} has no registration for ${scheme}`)
      report(output, json, { accountId: id, scheme }, [
        `Account ${id} is no longer registered for ${scheme}.`,
      ])
    })
}

function settingsOf({ transitForm, priceBreakdown, countAverages }: SettingOptions): AccountChanges {
  return {
    ...(transitForm !== undefined && { transitForm }),
    ...(priceBreakdown !== undefined && { priceBreakdown }),
    ...(countAverages !== undefined && { countAverages }),
  }
}

function transitOption(): Option {
  return new Option(
    '--transit-form <form>',
    'transit times in REST responses: one number, or minimum and maximum',
  ).choices(['single', 'range'])
}

function breakdownOption(): Option {
  return new Option(
    '--price-breakdown <yes|no>',
    'whether REST rate options contain a price breakdown',
  ).argParser(yesOrNo)
}

function averagesOption(): Option {
  return new Option(
    '--count-averages <yes|no>',
    'whether average duties of groups of goods count in estimates, unless a request decides',
  ).argParser(yesOrNo)
}

function yesOrNo(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new InvalidArgumentError('Expected yes or no.')
  return text === 'yes'
}
