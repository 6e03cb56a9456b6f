/**
 * `waybill contract …`: prices agreed with accounts. Only the contract with the narrowest scope applies to a product,
 * so a contract with 0% for a product overrides the percentage for its carrier. See docs/rate-cards.md#contracts.
 */
import { type Command, Option } from 'commander'
import { type ContractRow, scopeText } from '../../core/rating/contract.ts'
import {
  type ContractKey,
  listContracts,
  refuseUnknownAccount,
  removeContract,
  setContract,
} from '../../store/rate-cards/contracts.ts'
import { listRateCards } from '../../store/rate-cards/versions.ts'
import { code, day, freightPercent, fuelPercent, plainText, productId } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal, UsageError } from '../terminal/errors.ts'
import { APPLIED_SOON, type Output, report, table } from '../terminal/output.ts'
import { signedPercentText } from './difference-report.ts'
import { newestPublished } from './versions.ts'

type ScopeOptions = {
  readonly product?: number
  readonly carrier?: string
  readonly from: string
  readonly json?: boolean
}

type SetOptions = ScopeOptions & {
  readonly to?: string
  readonly freight?: number
  readonly fuel?: number
  readonly hide?: boolean
  readonly card?: string
}

/** Adds `set`, `remove` and `list` to `waybill contract`. */
export function contractCommands(contract: Command, withDatabase: WithDatabase, output: Output): void {
  contract
    .command('set')
    .description('set a contract of an account; replaces the one with the same scope and first day')
    .argument('<account>')
    .addOption(productOption())
    .addOption(carrierOption())
    .requiredOption('--from <day>', 'first day on which it applies, such as 2026-12-01', day)
    .option('--to <day>', 'first day on which it no longer applies', day)
    .option('--freight <percent>', 'change of the freight, such as -10 or +2.5', freightPercent)
    .option('--fuel <percent>', 'change of the fuel surcharge, such as -50', fuelPercent)
    .option('--hide', 'do not offer the products to the account')
    .option('--card <code>', 'use the prices of this rate card instead', code)
    .option('--json', 'print JSON')
    .action((account: string, options: SetOptions) => set(account, options, withDatabase, output))

  contract
    .command('remove')
    .description('remove a contract')
    .argument('<account>')
    .addOption(productOption())
    .addOption(carrierOption())
    .requiredOption('--from <day>', 'first day of the contract', day)
    .option('--json', 'print JSON')
    .action(async (account: string, options: ScopeOptions) => {
      const key = keyOf(account, options)
      const removed = await withDatabase(({ db }) => removeContract(db, key))
      if (!removed) throw new Refusal(`there is no contract of ${nameOf(key)}`)
      const lines = [`Removed the contract of ${nameOf(key)}. ${APPLIED_SOON}`]
      report(output, options.json, { ...key, removed }, lines)
    })

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
        ...[signedPercentText(row.freightBps), signedPercentText(row.fuelBps)],
        row.hidden ? 'hidden' : row.cardCode === undefined ? '' : `card ${row.cardCode}`,
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
  const { freight, fuel, hide, card, from, to } = options
  const terms = [freight, fuel, card].filter((term) => term !== undefined)
  if (terms.length === 0 && hide !== true)
    throw new UsageError('a contract needs --freight, --fuel, --card or --hide')
  if (terms.length > 0 && hide === true)
    throw new UsageError('--hide cannot be combined with --freight, --fuel or --card')
  if (to !== undefined && to <= from) throw new UsageError('--to must be after --from')
  const row: ContractRow = {
    ...keyOf(account, options),
    ...(to !== undefined && { validTo: to }),
    freightBps: freight ?? 0,
    fuelBps: fuel ?? 0,
    hidden: hide === true,
    ...(card !== undefined && { cardCode: card }),
  }
  const isUnpublished = await withDatabase(async ({ db }) => {
    await setContract(db, row)
    return card !== undefined && newestPublished(await listRateCards(db, card)) === undefined
  })
  report(output, options.json, row, [
    `Set the contract of ${nameOf(row)}: ${termsText(row)}. ${APPLIED_SOON}`,
    ...(isUnpublished
      ? [`No version of ${card} is published yet. Until one is, the products keep their current prices.`]
      : []),
  ])
}

function productOption(): Option {
  return new Option('--product <id>', 'only for this product (default: for all)')
    .argParser(productId)
    .conflicts('carrier')
}

function carrierOption(): Option {
  return new Option('--carrier <code>', 'only for the products of this carrier').argParser(plainText)
}

function keyOf(accountId: string, { product, carrier, from }: ScopeOptions): ContractKey {
  return {
    accountId,
    ...(product !== undefined && { productId: product }),
    ...(carrier !== undefined && { carrierCode: carrier }),
    validFrom: from,
  }
}

function nameOf(key: ContractKey): string {
  return `${key.accountId} for ${scopeText(key)} from ${key.validFrom}`
}

function termsText({ freightBps, fuelBps, hidden, cardCode, validTo }: ContractRow): string {
  const until = validTo === undefined ? '' : `, until ${validTo}`
  if (hidden) return `hidden${until}`
  const price = cardCode === undefined ? '' : `priced by card ${cardCode}, `
  return `${price}freight ${signedPercentText(freightBps)}, fuel ${signedPercentText(fuelBps)}${until}`
}
