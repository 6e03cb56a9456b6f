/** `waybill key …`: API keys, their secrets and what they may do. See docs/operations.md#accounts-and-api-keys. */
import { type Command, InvalidArgumentError } from 'commander'
import { isDay } from '../../core/input.ts'
import { PUBLISHABLE_SCOPES, SCOPES, type Scope } from '../../operations/ports/key-rules.ts'
import {
  addSecret,
  createKey,
  createPublishableKey,
  type IssuedSecret,
  type KeyListing,
  type KeyProperties,
  limitKey,
  listKeys,
  type PublishableKeyProperties,
  renewCheckoutSecret,
  revokeKey,
  revokeSecret,
} from '../../store/accounts/keys.ts'
import { plainText } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal, UsageError } from '../terminal/errors.ts'
import { type Output, report, table } from '../terminal/output.ts'

type JsonOption = { readonly json?: boolean }

type CreateOptions = JsonOption & {
  readonly publishable?: boolean
  readonly origin?: readonly string[]
  readonly scope?: readonly Scope[]
  readonly limit?: number
  readonly totalLimit?: number
  readonly expires?: Date
  readonly label?: string
  readonly requireCheckoutToken?: boolean
}

/** Requests a minute from one address, for a publishable key without `--limit`. */
const ADDRESS_LIMIT = 60
const MAX_ORIGINS = 20

/**
 * Adds `create`, `rotate`, `limit`, `revoke` and `list` to `waybill key`. A secret is shown only when it is created.
 */
export function keyCommands(key: Command, withDatabase: WithDatabase, output: Output): void {
  createCommand(key, withDatabase, output)
  rotateCommand(key, withDatabase, output)
  limitCommand(key, withDatabase, output)
  key
    .command('revoke')
    .description('revoke a key or one of its secrets permanently; takes effect within 5 seconds')
    .argument('<keyId>')
    .option('--secret <secretId>', 'revoke only this secret; "key list" shows its number', wholeNumber)
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
    .description('list keys with what they may do, their last use, and the state of each secret')
    .argument('[accountId]', 'only the keys of this account')
    .option('--json', 'print JSON')
    .action(async (accountId: string | undefined, { json }: JsonOption) => {
      const keys = await withDatabase(({ db }) => listKeys(db, accountId))
      report(output, json, keys, table(LIST_HEADING, keys.flatMap(rowsOf)))
    })
}

function createCommand(key: Command, withDatabase: WithDatabase, output: Output): void {
  key
    .command('create')
    .description('create a key with its first secret, or a publishable key for web pages')
    .argument('<accountId>')
    .option('--publishable', 'a key without a secret, for web pages of the given origins')
    .option('--origin <origin>', 'an origin such as https://shop.example; can be repeated', addOrigin)
    .option('--scope <scope>', `what the key may do: ${SCOPES.join(', ')}; can be repeated`, addScope)
    .option('--limit <requests>', 'requests a minute; for a publishable key, from one address', wholeNumber)
    .option(
      '--total-limit <requests>',
      'requests a minute of a publishable key from all addresses',
      wholeNumber,
    )
    .option('--expires <day>', 'the last day (UTC) on which the key works, or a number of days: 90d', expiry)
    .option('--label <label>', 'what the key is for', label)
    .option('--require-checkout-token', 'refuse prices to a publishable key without a checkout token')
    .option('--json', 'print JSON')
    .action(async (accountId: string, options: CreateOptions) => {
      const noAccount = new Refusal(`there is no account ${accountId}`)
      if (options.publishable === true) {
        const properties = publishableProperties(options)
        const keyId = await withDatabase(({ db }) => createPublishableKey(db, accountId, properties))
        if (keyId === undefined) throw noAccount
        report(output, options.json, { keyId, header: keyId }, [
          `Key     ${keyId}`,
          `Header  X-PP-API: ${keyId}`,
          'The key is public. It works on pages of its origins only.',
        ])
        return
      }
      const properties = secretProperties(options)
      const issued = await withDatabase(({ db }) => createKey(db, accountId, properties))
      if (issued === undefined) throw noAccount
      reportSecret(output, options.json, issued)
    })
}

function rotateCommand(key: Command, withDatabase: WithDatabase, output: Output): void {
  key
    .command('rotate')
    .description(
      'add a secret to a key; existing secrets stay valid until they are revoked. ' +
        'For a publishable key: make its checkout tokens invalid',
    )
    .argument('<keyId>')
    .option('--json', 'print JSON')
    .action(async (keyId: string, { json }: JsonOption) => {
      const issued = await withDatabase(async ({ db }) =>
        (await renewCheckoutSecret(db, keyId)) ? 'renewed' : addSecret(db, keyId),
      )
      if (issued === undefined) throw new Refusal(`key ${keyId} does not exist or is revoked`)
      if (issued !== 'renewed') return reportSecret(output, json, issued)
      report(output, json, { keyId, checkoutTokensRevoked: true }, [
        `The checkout tokens of key ${keyId} become invalid within 5 seconds.`,
      ])
    })
}

function limitCommand(key: Command, withDatabase: WithDatabase, output: Output): void {
  key
    .command('limit')
    .description(
      'change how many requests a minute a key may make; for a publishable key, from one address. ' +
        'Takes effect within 5 seconds',
    )
    .argument('<keyId>')
    .argument('<requests>', 'requests a minute', wholeNumber)
    .option('--json', 'print JSON')
    .action(async (keyId: string, requestsPerMinute: number, { json }: JsonOption) => {
      if (!(await withDatabase(({ db }) => limitKey(db, keyId, requestsPerMinute))))
        throw new Refusal(`key ${keyId} does not exist or is revoked`)
      report(output, json, { keyId, requestsPerMinute }, [
        `Key ${keyId} may make ${requestsPerMinute} requests a minute.`,
      ])
    })
}

function secretProperties(options: CreateOptions): KeyProperties {
  const onlyPublishable = (
    [
      ['--origin', options.origin],
      ['--total-limit', options.totalLimit],
      ['--require-checkout-token', options.requireCheckoutToken],
    ] as const
  ).find(([, value]) => value !== undefined)
  if (onlyPublishable !== undefined) throw new UsageError(`${onlyPublishable[0]} needs --publishable`)
  const { scope, limit, expires } = options
  return {
    ...(options.label !== undefined && { label: options.label }),
    ...(scope !== undefined && { scopes: scope }),
    ...(limit !== undefined && { requestsPerMinute: limit }),
    ...(expires !== undefined && { expiresAt: expires }),
  }
}

function publishableProperties(options: CreateOptions): PublishableKeyProperties {
  const { origin: origins = [], scope = PUBLISHABLE_SCOPES, limit = ADDRESS_LIMIT, totalLimit } = options
  if (origins.length === 0) throw new UsageError('--publishable needs at least one --origin')
  if (origins.length > MAX_ORIGINS) throw new UsageError(`at most ${MAX_ORIGINS} origins`)
  const allowed: readonly Scope[] = PUBLISHABLE_SCOPES
  const refused = scope.find((name) => !allowed.includes(name))
  if (refused !== undefined)
    throw new UsageError(`a publishable key cannot have the scope ${refused}, only ${allowed.join(' and ')}`)
  return {
    ...(options.label !== undefined && { label: options.label }),
    ...(totalLimit !== undefined && { requestsPerMinute: totalLimit }),
    ...(options.expires !== undefined && { expiresAt: options.expires }),
    scopes: scope,
    origins,
    addressRequestsPerMinute: limit,
    needsCheckoutToken: options.requireCheckoutToken === true,
  }
}

const ABOUT_HEADING = ['ACCOUNT', 'KEY', 'LABEL', 'SCOPES', 'ORIGINS', 'LIMIT', 'EXPIRES', 'LAST USED']
const LIST_HEADING = [...ABOUT_HEADING, 'SECRET', 'CREATED', 'STATE']

/** One row for each secret, and one for a publishable key. */
function rowsOf(key: KeyListing): string[][] {
  const { publishable } = key
  const perAddress = publishable && `${publishable.addressRequestsPerMinute} per address`
  const about = [
    key.accountId,
    key.keyId,
    key.label ?? '',
    key.scopes?.join(' ') ?? 'all',
    publishable?.origins.join(' ') ?? '',
    [perAddress, key.requestsPerMinute].filter((limit) => limit !== undefined).join(', '),
    key.expiresAt ?? 'never',
    key.lastUsedAt ?? 'never',
  ]
  const isExpired = key.expiresAt !== undefined && new Date(key.expiresAt) <= new Date()
  const stateOf = (revokedAt: string | undefined): string =>
    revokedAt === undefined ? (isExpired ? 'expired' : 'live') : `revoked ${revokedAt}`
  if (publishable !== undefined) return [[...about, '', key.createdAt, stateOf(key.revokedAt)]]
  return key.secrets.map((secret) => [
    ...about,
    String(secret.secretId),
    secret.createdAt,
    stateOf(key.revokedAt ?? secret.revokedAt),
  ])
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

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number above 0.')
  return Number(text)
}

function addOrigin(text: string, previous: readonly string[] = []): readonly string[] {
  if (!/^https?:[^*]+$/.test(text) || !URL.canParse(text) || new URL(text).origin !== text)
    throw new InvalidArgumentError('Expected scheme, host and port only, such as https://shop.example.')
  return previous.includes(text) ? previous : [...previous, text]
}

function addScope(text: string, previous: readonly Scope[] = []): readonly Scope[] {
  const scope = SCOPES.find((name) => name === text)
  if (scope === undefined) throw new InvalidArgumentError(`Expected one of ${SCOPES.join(', ')}.`)
  return previous.includes(scope) ? previous : [...previous, scope]
}

const DAY_MS = 86_400_000

/** The end of a day, or of a number of days from now. */
function expiry(text: string): Date {
  const [, days] = /^([1-9]\d{0,3})d$/.exec(text) ?? []
  if (days !== undefined) return new Date(Date.now() + Number(days) * DAY_MS)
  if (!isDay(text)) throw new InvalidArgumentError('Expected a day such as 2027-01-31, or days such as 90d.')
  const end = new Date(Date.parse(`${text}T00:00:00Z`) + DAY_MS)
  if (end.getTime() <= Date.now()) throw new InvalidArgumentError('The day is over.')
  return end
}

const MAX_LABEL_LENGTH = 100

function label(text: string): string {
  const name = plainText(text)
  if (name.length > MAX_LABEL_LENGTH)
    throw new InvalidArgumentError(`At most ${MAX_LABEL_LENGTH} characters.`)
  return name
}
