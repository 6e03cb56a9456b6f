/** `waybill account …`: accounts and their settings. Their API keys are in key.ts. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type AccountChanges, createAccount, listAccounts, setAccount } from '../store/accounts/accounts.ts'
import { code, plainText } from './terminal/arguments.ts'
import type { WithDatabase } from './terminal/database.ts'
import { Refusal } from './terminal/errors.ts'
import { type Output, report, table } from './terminal/output.ts'

type JsonOption = { readonly json?: boolean }
type SettingOptions = AccountChanges & JsonOption

/** Adds `create`, `list` and `set` to `waybill account`. */
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
