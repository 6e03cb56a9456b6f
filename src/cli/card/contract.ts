/**
 * `waybill contract …`: prices agreed with accounts. A term that is not given is inherited. `set` and `remove` show
 * what reference parcels cost before and after the change, and ask before a price rises.
 * See docs/rate-cards.md#contracts.
 */
import { type Command, Option } from 'commander'
import type { Kysely } from 'kysely'
import { isRise, type PriceComparison } from '../../core/rate-card-review/difference/reference-prices.ts'
import { type ContractRow, scopeText } from '../../core/rating/contract.ts'
import type { Database } from '../../store/database/database.ts'
import { RATE_BOOK, readRevision } from '../../store/database/revision.ts'
import {
  type ContractKey,
  listContracts,
  refuseUnknownAccount,
  refuseUnknownParts,
  removeContract,
  setContract,
} from '../../store/rate-cards/contracts.ts'
import { listRateCards } from '../../store/rate-cards/versions.ts'
import {
  type Consent,
  code,
  confirmWarned,
  count,
  day,
  freightPercent,
  fuelPercent,
  LISTED_CHANGES,
  plainText,
  productId,
} from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal, UsageError } from '../terminal/errors.ts'
import { APPLIED_SOON, counted, type Output, print, report, table } from '../terminal/output.ts'
import { previewLines, pricesAfter, priceWarnings } from './contract-preview.ts'
import { signedPercentText } from './difference-report.ts'
import { newestPublished } from './versions.ts'

type ChangeOptions = Consent & {
  readonly product?: number
  readonly carrier?: string
  readonly from: string
  readonly changes: number
  readonly dryRun?: boolean
}

type SetOptions = ChangeOptions & {
  readonly to?: string | false
  readonly freight?: number
  readonly fuel?: number
  readonly hide?: boolean
  readonly card?: string | false
}

/** Adds `set`, `remove` and `list` to `waybill contract`. */
export function contractCommands(contract: Command, withDatabase: WithDatabase, output: Output): void {
  contract
    .command('set')
    .description('set terms of an account; terms that are not given are inherited')
    .argument('<account>')
    .addOption(productOption())
    .addOption(carrierOption())
    .requiredOption('--from <day>', 'first day on which it applies, such as 2026-12-01', day)
    .option('--to <day>', 'first day on which it no longer applies', day)
    .option('--no-to', 'apply without an end, although the contract has one')
    .option('--freight <percent>', 'change of the freight, such as -10 or +2.5', freightPercent)
    .option('--fuel <percent>', 'change of the fuel surcharge, such as -50', fuelPercent)
    .option('--hide', 'do not offer the products to the account')
    .option('--no-hide', 'offer the products, although the carrier or everything is hidden')
    .option('--card <code>', 'use the prices of this rate card instead', code)
    .option('--no-card', 'use the general prices, although the carrier or everything has another card')
    .addOption(changesOption())
    .option('--dry-run', 'show the change and write nothing')
    .option('--yes', 'do not ask for confirmation if a price rises')
    .option('--json', 'print JSON')
    .action((account: string, options: SetOptions) => set(account, options, withDatabase, output))

  contract
    .command('remove')
    .description('remove a contract')
    .argument('<account>')
    .addOption(productOption())
    .addOption(carrierOption())
    .requiredOption('--from <day>', 'first day of the contract', day)
    .addOption(changesOption())
    .option('--dry-run', 'show the change and write nothing')
    .option('--yes', 'do not ask for confirmation if a price rises')
    .option('--json', 'print JSON')
    .action((account: string, options: ChangeOptions) => remove(account, options, withDatabase, output))

  contract
    .command('list')
    .description('list contracts')
    .argument('[account]', 'only the contracts of this account')
    .option('--json', 'print JSON')
    .action(async (account: string | undefined, { json }: { json?: boolean }) => {
      const contracts = await withDatabase(async ({ db }) => {
        if (account !== undefined) await refuseUnknownAccount(db, account)
        return listContracts(db, account)
      })
      const heading = ['ACCOUNT', 'FOR', 'FROM', 'TO', 'FREIGHT', 'FUEL', 'OTHER']
      const rows = contracts.map((row) => [
        ...[row.accountId, scopeText(row), row.validFrom, row.validTo ?? ''],
        ...[row.freightBps, row.fuelBps].map((bps) => (bps === undefined ? '' : signedPercentText(bps))),
        otherTerms(row).join(', '),
      ])
      report(output, json, contracts, table(heading, rows, ['FREIGHT', 'FUEL']))
    })
}

async function set(
  account: string,
  options: SetOptions,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  checkTerms(options)
  const { freight, fuel, hide, card, to } = options
  const key = keyOf(account, options)
  const stated: ContractRow = {
    ...key,
    ...(typeof to === 'string' && { validTo: to }),
    ...(freight !== undefined && { freightBps: freight }),
    ...(fuel !== undefined && { fuelBps: fuel }),
    ...(hide !== undefined && { hidden: hide }),
    ...(card !== undefined && { cardCode: card === false ? null : card }),
  }
  await withDatabase(async ({ db }) => {
    const previewed = await readRevision(db, RATE_BOOK)
    await refuseUnknownParts(db, stated)
    const known = await listContracts(db, account)
    const replaced = known.find((row) => isFor(row, key))
    if (replaced === undefined && !statesTerm(stated))
      throw new Refusal(`there is no contract of ${nameOf(key)}`)
    const { validTo: oldEnd, ...kept }: ContractRow = replaced ?? stated
    const isKept = to === undefined && oldEnd !== undefined
    const row: ContractRow = { ...kept, ...(isKept && { validTo: oldEnd }), ...stated }
    const others = known.filter((other) => other !== replaced)
    const compared = await confirmedPrices(
      db,
      known,
      [...others, row],
      [row, ...(replaced === undefined ? [] : [replaced])],
      options,
      output,
    )
    if (options.dryRun !== true) await setContract(db, row, previewed)
    report(output, options.json, { ...row, dryRun: options.dryRun === true, ...compared }, [
      options.dryRun === true
        ? 'Dry run: nothing was written.'
        : `Set the contract of ${nameOf(row)}: ${termsText(row)}. ${APPLIED_SOON}`,
      ...(await unpublishedCardLines(db, row)),
    ])
  })
}

function checkTerms({ freight, fuel, hide, card, from, to }: SetOptions): void {
  const terms = [freight, fuel, card].filter((term) => term !== undefined)
  if (terms.length === 0 && hide === undefined && to === undefined)
    throw new UsageError('a contract needs --freight, --fuel, --card or --hide')
  if (terms.length > 0 && hide === true)
    throw new UsageError('--hide cannot be combined with --freight, --fuel or --card')
  if (typeof to === 'string' && to <= from) throw new UsageError('--to must be after --from')
}

function statesTerm({ freightBps, fuelBps, hidden, cardCode }: ContractRow): boolean {
  return [freightBps, fuelBps, hidden, cardCode].some((term) => term !== undefined)
}

async function unpublishedCardLines(db: Kysely<Database>, { cardCode }: ContractRow): Promise<string[]> {
  if (cardCode == null || newestPublished(await listRateCards(db, cardCode)) !== undefined) return []
  return [`No version of ${cardCode} is published yet. Until one is, the products keep their current prices.`]
}

async function remove(
  account: string,
  options: ChangeOptions,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  const key = keyOf(account, options)
  await withDatabase(async ({ db }) => {
    const previewed = await readRevision(db, RATE_BOOK)
    const known = await listContracts(db, account)
    const row = known.find((other) => isFor(other, key))
    const missing = `there is no contract of ${nameOf(key)}`
    if (row === undefined) throw new Refusal(missing)
    const others = known.filter((other) => other !== row)
    const compared = await confirmedPrices(db, known, others, [row], options, output)
    const removed = options.dryRun !== true
    if (removed && !(await removeContract(db, key, previewed))) throw new Refusal(missing)
    report(output, options.json, { ...key, removed, ...compared }, [
      removed ? `Removed the contract of ${nameOf(key)}. ${APPLIED_SOON}` : 'Dry run: nothing was written.',
    ])
  })
}

/**
 * Prints the prices that the change of `rows` changes, and asks if one rises or a product was not compared. Throws a
 * Refusal if the answer is no.
 */
async function confirmedPrices(
  db: Kysely<Database>,
  known: readonly ContractRow[],
  changed: readonly ContractRow[],
  rows: readonly [ContractRow, ...ContractRow[]],
  options: ChangeOptions,
  output: Output,
): Promise<PriceComparison> {
  const [{ accountId }] = rows
  const compared = await pricesAfter(db, known, changed, rows)
  print(output, options.json, previewLines(compared, accountId, options.changes))
  if (options.dryRun === true) return compared
  const rises = compared.prices.filter(isRise).length
  const question =
    rises === 0 ? 'Change the contract all the same?' : `Raise the price of ${counted(rises, 'product')}?`
  if (!(await confirmWarned(output, options, priceWarnings(compared, accountId), question)))
    throw new Refusal(`nothing was written: the contract of ${accountId} does not change`)
  return compared
}

function changesOption(): Option {
  return new Option('--changes <number>', 'how many changed prices to list')
    .argParser(count)
    .default(LISTED_CHANGES)
}

function productOption(): Option {
  return new Option('--product <id>', 'only for this product (default: for all)')
    .argParser(productId)
    .conflicts('carrier')
}

function carrierOption(): Option {
  return new Option('--carrier <code>', 'only for the products of this carrier').argParser(plainText)
}

function keyOf(
  accountId: string,
  { product, carrier, from }: Pick<ChangeOptions, 'product' | 'carrier' | 'from'>,
): ContractKey {
  return {
    accountId,
    ...(product !== undefined && { productId: product }),
    ...(carrier !== undefined && { carrierCode: carrier }),
    validFrom: from,
  }
}

function isFor(row: ContractKey, key: ContractKey): boolean {
  return (
    row.productId === key.productId && row.carrierCode === key.carrierCode && row.validFrom === key.validFrom
  )
}

function nameOf(key: ContractKey): string {
  return `${key.accountId} for ${scopeText(key)} from ${key.validFrom}`
}

/** The terms that a row states. */
function termsText(row: ContractRow): string {
  const { freightBps, fuelBps, validTo } = row
  return [
    ...otherTerms(row),
    ...(freightBps === undefined ? [] : [`freight ${signedPercentText(freightBps)}`]),
    ...(fuelBps === undefined ? [] : [`fuel ${signedPercentText(fuelBps)}`]),
    ...(validTo === undefined ? [] : [`until ${validTo}`]),
  ].join(', ')
}

function otherTerms({ hidden, cardCode }: ContractRow): string[] {
  return [
    ...(hidden === undefined ? [] : [hidden ? 'hidden' : 'offered']),
    ...(cardCode === undefined ? [] : [cardCode === null ? 'general card' : `card ${cardCode}`]),
  ]
}
