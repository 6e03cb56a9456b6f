/** The terms of contracts as text, and the commands that list them: `waybill contract list`, `show` and `export`. */
import type { Command } from 'commander'
import { formatCents } from '../../core/money.ts'
import {
  type ContractRow,
  type DiscountRow,
  FREIGHT,
  scopeText,
  type TurnoverRow,
} from '../../core/rating/contract.ts'
import { euroText, kilogramsText } from '../../core/rating/explain/figure-text.ts'
import { cellText } from '../../core/rating/price-cell.ts'
import { writeDiscountList } from '../../reference/rate-cards/discount-list-csv.ts'
import {
  type ContractKey,
  listContracts,
  listTurnovers,
  refuseUnknownAccount,
} from '../../store/rate-cards/contracts.ts'
import { signedPercentText } from '../card/difference-report.ts'
import { day } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal } from '../terminal/errors.ts'
import { writeExport } from '../terminal/export-file.ts'
import { counted, type Output, report, table } from '../terminal/output.ts'
import { carrierOption, isFor, keyOf, nameOf, productOption, type ScopeOptions } from './scope.ts'

export function listCommands(contract: Command, withDatabase: WithDatabase, output: Output): void {
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

  contract
    .command('show')
    .description('show what is agreed with an account: contracts with their discounts, and turnovers')
    .argument('<account>')
    .option('--json', 'print JSON')
    .action(async (account: string, { json }: { json?: boolean }) => {
      const agreed = await withDatabase(async ({ db }) => {
        await refuseUnknownAccount(db, account)
        return { contracts: await listContracts(db, account), turnovers: await listTurnovers(db, account) }
      })
      report(output, json, agreed, [
        ...(agreed.contracts.length === 0
          ? [`${account} has no contract.`]
          : agreed.contracts.flatMap(contractLines)),
        ...turnoverLines(agreed.turnovers),
      ])
    })

  contract
    .command('export')
    .description('write the discounts of a contract to a CSV file, for contract set --discounts')
    .argument('<account>')
    .argument('<file>', 'the file, such as discounts.csv')
    .addOption(productOption())
    .addOption(carrierOption())
    .requiredOption('--from <day>', 'first day of the contract', day)
    .option('--json', 'print JSON')
    .action(async (account: string, file: string, options: ScopeOptions & { json?: boolean }) => {
      const key = keyOf(account, options)
      const { discounts = [] } = await withDatabase(async ({ db }) =>
        contractOf(await listContracts(db, account), key),
      )
      writeExport(file, writeDiscountList(discounts))
      report(output, options.json, { file, discounts: discounts.length }, [
        `Wrote ${counted(discounts.length, 'discount')} to ${file}.`,
      ])
    })
}

/** Throws a Refusal if there is no such contract. */
export function contractOf(contracts: readonly ContractRow[], key: ContractKey): ContractRow {
  const row = contracts.find((other) => isFor(other, key))
  if (row === undefined) throw new Refusal(`there is no contract of ${nameOf(key)}`)
  return row
}

function contractLines(row: ContractRow): string[] {
  const { validFrom, validTo, discounts = [] } = row
  const heading = `For ${scopeText(row)} from ${validFrom}${validTo === undefined ? '' : ` until ${validTo}`}`
  const terms = plainTerms(row)
  const rows = discounts.map((discount) => [
    discount.appliesTo === FREIGHT ? 'freight' : `surcharge ${discount.appliesTo}`,
    discount.zones === undefined
      ? 'all'
      : cellText({ overGrams: 0, zones: discount.zones }, kilogramsText).replace(/^zones? /, ''),
    weightText(discount),
    discount.turnoverCents === 0 ? '' : formatCents(discount.turnoverCents),
    signedPercentText(discount.bps),
  ])
  return [
    terms.length === 0 ? heading : `${heading}: ${terms.join(', ')}`,
    ...(rows.length === 0
      ? []
      : table(['DISCOUNT ON', 'ZONES', 'WEIGHT', 'TURNOVER FROM', 'CHANGE'], rows, [
          'TURNOVER FROM',
          'CHANGE',
        ]).map((line) => `  ${line}`)),
  ]
}

function weightText({ overGrams, upToGrams }: DiscountRow): string {
  return cellText({ overGrams, ...(upToGrams !== undefined && { upToGrams }) }, kilogramsText) || 'all'
}

function turnoverLines(turnovers: readonly TurnoverRow[]): string[] {
  return turnovers.map(
    ({ carrierCode, validFrom, turnoverCents }) =>
      `Turnover${carrierCode === undefined ? '' : ` with carrier ${carrierCode}`} from ${validFrom}: ${euroText(turnoverCents)}`,
  )
}

/** The terms that a row states. */
export function termsText(row: ContractRow): string {
  const { validTo } = row
  return [...plainTerms(row), ...(validTo === undefined ? [] : [`until ${validTo}`])].join(', ')
}

function plainTerms(row: ContractRow): string[] {
  const { freightBps, fuelBps } = row
  return [
    ...otherTerms(row),
    ...(freightBps === undefined ? [] : [`freight ${signedPercentText(freightBps)}`]),
    ...(fuelBps === undefined ? [] : [`fuel ${signedPercentText(fuelBps)}`]),
  ]
}

function otherTerms({ hidden, cardCode, minimumCents, discounts = [] }: ContractRow): string[] {
  return [
    ...(hidden === undefined ? [] : [hidden ? 'hidden' : 'offered']),
    ...(cardCode === undefined ? [] : [cardCode === null ? 'general card' : `card ${cardCode}`]),
    ...(minimumCents === undefined
      ? []
      : [minimumCents === 0 ? 'no minimum' : `minimum net charge ${formatCents(minimumCents)}`]),
    ...(discounts.length === 0 ? [] : [counted(discounts.length, 'discount')]),
  ]
}
