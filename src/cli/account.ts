/** `waybill account …`: the accounts that call, and how they want their REST answers. */
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
import { type Output, Refusal, report, table } from './terminal/output.ts'

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

// `waybill key …`: API keys and their secrets. A secret is shown once, when it is made.

type JsonOption = { readonly json?: boolean }

/** Adds the commands `create`, `rotate`, `revoke` and `list`. */
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
    .description('add a secret to a key; the others work until they are revoked')
    .argument('<keyId>')
    .option('--json', 'print JSON')
    .action(async (keyId: string, { json }: JsonOption) => {
      const issued = await withDatabase(({ db }) => addSecret(db, keyId))
      if (issued === undefined) throw new Refusal(`there is no live key ${keyId}`)
      reportSecret(output, json, issued)
    })

  key
    .command('revoke')
    .description('revoke a key, or one of its secrets; for good, and in force within 5 seconds')
    .argument('<keyId>')
    .option('--secret <secretId>', 'only this secret (see "key list")', secretNumber)
    .option('--json', 'print JSON')
    .action(async (keyId: string, { secret, json }: JsonOption & { secret?: number }) => {
      const what = secret === undefined ? `key ${keyId}` : `secret ${secret} of key ${keyId}`
      const revoked = await withDatabase(({ db }) =>
        secret === undefined ? revokeKey(db, keyId) : revokeSecret(db, keyId, secret),
      )
      if (!revoked) throw new Refusal(`there is no live ${what}`)
      const result = { keyId, ...(secret !== undefined && { secretId: secret }), revoked: true }
      report(output, json, result, [`Revoked ${what}.`])
    })

  key
    .command('list')
    .description('list keys and their secrets, without what the secrets are')
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
    'The secret is not kept and cannot be shown again.',
  ])
}

function secretNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It is a whole number.')
  return Number(text)
}
