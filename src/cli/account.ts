/** `waybill account …` and `waybill key …`: accounts, their settings, and their API keys. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  type AccountChanges,
  addSecret,
  createAccount,
  createKey,
  type IssuedSecret,
  type KeyListing,
  listAccounts,
  listKeys,
  revokeKey,
  revokeSecret,
  setAccount,
} from '../store/accounts/accounts.ts'
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

/** Adds `create`, `rotate`, `revoke` and `list` to `waybill key`. A secret is shown only when it is created. */
export function keyCommands(key: Command, withDatabase: WithDatabase, output: Output): void {
  key
    .command('create')
    .description('create a key with its first secret')
    .argument('<accountId>')
    .option('--json', 'print JSON')
    .action(async (accountId: string, { json }: JsonOption) => {
      const issued = await withDatabase(({ db }) => createKey(db, accountId))
      if (issued === undefined) throw new Refusal(`there is no account ${accountId}`)
      reportSecret(output, json, issued)
    })

  key
    .command('rotate')
    .description('add a secret to a key; existing secrets stay valid until they are revoked')
    .argument('<keyId>')
    .option('--json', 'print JSON')
    .action(async (keyId: string, { json }: JsonOption) => {
      const issued = await withDatabase(({ db }) => addSecret(db, keyId))
      if (issued === undefined) throw new Refusal(`key ${keyId} does not exist or is revoked`)
      reportSecret(output, json, issued)
    })

  key
    .command('revoke')
    .description('revoke a key or one of its secrets permanently; takes effect within 5 seconds')
    .argument('<keyId>')
    .option('--secret <secretId>', 'revoke only this secret; "key list" shows its number', secretNumber)
    .option('--json', 'print JSON')
    .action(async (keyId: string, { secret, json }: JsonOption & { secret?: number }) => {
      const what = secret === undefined ? `key ${keyId}` : `secret ${secret} of key ${keyId}`
      const revoked = await withDatabase(({ db }) =>
        secret === undefined ? revokeKey(db, keyId) : revokeSecret(db, keyId, secret),
      )
      if (!revoked) throw new Refusal(`${what} does not exist or is revoked`)
      const result = { keyId, ...(secret !== undefined && { secretId: secret }), revoked: true }
      report(output, json, result, [`Revoked ${what}.`])
    })

  key
    .command('list')
    .description('list keys with the number and state of each secret')
    .argument('[accountId]', 'only the keys of this account')
    .option('--json', 'print JSON')
    .action(async (accountId: string | undefined, { json }: JsonOption) => {
      const keys = await withDatabase(({ db }) => listKeys(db, accountId))
      report(
        output,
        json,
        keys,
        table(['ACCOUNT', 'KEY', 'SECRET', 'CREATED', 'STATE'], keys.flatMap(rowsOf)),
      )
    })
}

function rowsOf(key: KeyListing): string[][] {
  return key.secrets.map((secret) => {
    const revokedAt = key.revokedAt ?? secret.revokedAt
    const state = revokedAt === undefined ? 'live' : `revoked ${revokedAt}`
    return [key.accountId, key.keyId, String(secret.secretId), secret.createdAt, state]
  })
}

function reportSecret(output: Output, json: boolean | undefined, issued: IssuedSecret): void {
  const header = `${issued.keyId}@${issued.secret}`
  report(output, json, { ...issued, header }, [
    `Key     ${issued.keyId}`,
    `Secret  ${issued.secret}  (no. ${issued.secretId})`,
    `Header  X-PP-API: ${header}`,
    'The secret is not stored and cannot be shown again.',
  ])
}

function secretNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.')
  return Number(text)
}
