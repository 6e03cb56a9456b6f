/**
 * `waybill contract …`: what accounts have agreed. Decided here: an agreement says something, even if it is 0
 * (the narrowest decides alone, so that 0 for a product lifts what holds for its carrier), and one that hides
 * says nothing else.
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
import { signedPercentText } from '../terminal/difference-report.ts'
import { type Output, Refusal, report, table, UsageError } from '../terminal/output.ts'
import { newestPublished, TAKEN_OVER } from './status.ts'

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

/** Adds the commands `set`, `remove` and `list`. */
export function contractCommands(contract: Command, withDatabase: WithDatabase, output: Output): void {
  contract
    .command('set')
    .description('set what an account has agreed; it replaces what was set for the same scope and first day')
    .argument('<account>')
    .addOption(productOption())
    .addOption(carrierOption())
    .requiredOption('--from <day>', 'the first day it holds, such as 2026-12-01', day)
    .option('--to <day>', 'the first day it no longer holds', day)
    .option('--freight <percent>', 'added to the freight, such as -10 or +2.5', freightPercent)
    .option('--fuel <percent>', 'added to the fuel surcharge itself, such as -50', fuelPercent)
    .option('--hide', 'not offered to the account')
    .option('--card <code>', 'the rate card that prices instead', code)
    .option('--json', 'print JSON')
    .action((account: string, options: SetOptions) => set(account, options, withDatabase, output))

  contract
    .command('remove')
    .description('remove an agreement')
    .argument('<account>')
    .addOption(productOption())
    .addOption(carrierOption())
    .requiredOption('--from <day>', 'the first day of the agreement', day)
    .option('--json', 'print JSON')
    .action(async (account: string, options: ScopeOptions) => {
      const key = keyOf(account, options)
      const removed = await withDatabase(({ db }) => removeContract(db, key))
      if (!removed) throw new Refusal(`there is no contract of ${nameOf(key)}`)
      const lines = [`Removed the contract of ${nameOf(key)}. ${TAKEN_OVER}`]
      report(output, options.json, { ...key, removed }, lines)
    })

  contract
    .command('list')
    .description('list what accounts have agreed')
    .argument('[account]', 'only of this account')
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
    throw new UsageError('a contract says something: --freight, --fuel, --card or --hide')
  if (terms.length > 0 && hide === true)
    throw new UsageError('--hide goes alone: what is hidden has no price')
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
    `Set the contract of ${nameOf(row)}: ${termsText(row)}. ${TAKEN_OVER}`,
    ...(isUnpublished
      ? [`No version of ${card} is published yet: until then products keep their prices.`]
      : []),
  ])
}

function productOption(): Option {
  return new Option('--product <id>', 'for one product; else for all')
    .argParser(productId)
    .conflicts('carrier')
}

function carrierOption(): Option {
  return new Option('--carrier <code>', 'for the products of one carrier').argParser(plainText)
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
