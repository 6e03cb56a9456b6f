/** `waybill account …`: the accounts that call, and how they want their REST answers. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type AccountChanges, createAccount, listAccounts, setAccount } from '../store/accounts.ts'
import { code, plainText } from './arguments.ts'
import type { WithDatabase } from './database.ts'
import { type Output, Refusal, report, table } from './output.ts'

type SettingOptions = AccountChanges & { readonly json?: boolean }

/** Adds the commands `create`, `list` and `set`. */
export function accountCommands(account: Command, withDatabase: WithDatabase, output: Output): void {
  account
    .command('create')
    .description('create an account')
    .argument('<accountId>', 'its id: 1 to 40 of a-z, 0-9 and -', code)
    .requiredOption('--name <name>', 'the name of the account', plainText)
    .addOption(transitOption())
    .addOption(breakdownOption())
    .option('--json', 'print JSON')
    .action(async (id: string, options: { name: string } & Omit<SettingOptions, 'accountName'>) => {
      const created = await withDatabase(({ db }) =>
        createAccount(db, id, { ...settingsOf(options), accountName: options.name }),
      )
      if (!created) throw new Refusal(`there is an account ${id} already`)
      report(output, options.json, { accountId: id }, [`Account ${id} created.`])
    })

  account
    .command('list')
    .description('list all accounts')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const accounts = await withDatabase(({ db }) => listAccounts(db))
      const rows = accounts.map((one) => [
        one.accountId,
        one.accountName,
        one.transitForm,
        one.priceBreakdown ? 'yes' : 'no',
        one.createdAt,
      ])
      report(output, json, accounts, table(['ACCOUNT', 'NAME', 'TRANSIT', 'BREAKDOWN', 'CREATED'], rows))
    })

  account
    .command('set')
    .description("change an account's settings; in force within 5 seconds")
    .argument('<accountId>')
    .option('--name <name>', 'the name of the account', plainText)
    .addOption(transitOption())
    .addOption(breakdownOption())
    .option('--json', 'print JSON')
    .action(async (id: string, options: { name?: string } & Omit<SettingOptions, 'accountName'>) => {
      const name = options.name === undefined ? {} : { accountName: options.name }
      const found = await withDatabase(({ db }) => setAccount(db, id, { ...settingsOf(options), ...name }))
      if (!found) throw new Refusal(`there is no account ${id}`)
      report(output, options.json, { accountId: id }, [`Account ${id} set.`])
    })
}

function settingsOf({ transitForm, priceBreakdown }: SettingOptions): AccountChanges {
  return {
    ...(transitForm !== undefined && { transitForm }),
    ...(priceBreakdown !== undefined && { priceBreakdown }),
  }
}

function transitOption(): Option {
  return new Option(
    '--transit-form <form>',
    'transit times in REST answers: a single field, or the pair of minimum and maximum',
  ).choices(['single', 'range'])
}

function breakdownOption(): Option {
  return new Option(
    '--price-breakdown <yes|no>',
    'whether REST rate options carry a price breakdown',
  ).argParser((text) => {
    if (text !== 'yes' && text !== 'no') throw new InvalidArgumentError('yes or no is allowed.')
    return text === 'yes'
  })
}
