/**
 * `waybill contract …`: prices agreed with accounts. A term that is not given is inherited. `set` and `remove` show
 * what reference parcels cost before and after the change, and ask before a price rises.
 * See docs/rate-cards.md#contracts.
 */
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import type { ContractRow } from '../../core/rating/contract.ts'
import {
  type DiscountReading,
  discountSheet,
  readDiscountList,
} from '../../reference/rate-cards/discount-list-csv.ts'
import type { Database } from '../../store/database/database.ts'
import { RATE_BOOK, readRevision } from '../../store/database/revision.ts'
import {
  type ContractKey,
  listContracts,
  listTurnovers,
  refuseUnknownParts,
  removeContract,
  setContract,
} from '../../store/rate-cards/contracts.ts'
import { listPricedZones } from '../../store/rate-cards/priced-zones.ts'
import { listRateCards } from '../../store/rate-cards/versions.ts'
import { belowCostOption } from '../card/below-cost.ts'
import { unpricedZones } from '../card/unpriced-zones.ts'
import { newestPublished } from '../card/versions.ts'
import {
  code,
  currentDay,
  day,
  freightPercent,
  fuelPercent,
  incompleteComparisonOption,
  minimumAmount,
} from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { ImportFaults, Refusal, reportFaults, UsageError, warningLines } from '../terminal/errors.ts'
import { APPLIED_SOON, type Output, print, report } from '../terminal/output.ts'
import { readTableAt } from '../terminal/table-file.ts'
import { type ConfirmOptions, changesOption, confirmedPrices } from './change.ts'
import { carrierOption, isFor, keyOf, nameOf, productOption, type ScopeOptions } from './scope.ts'
import { contractOf, listCommands, termsText } from './terms.ts'
import { turnoverCommand } from './turnover.ts'

type ChangeOptions = ConfirmOptions & ScopeOptions

type SetOptions = ChangeOptions & {
  readonly to?: string | false
  readonly freight?: number
  readonly discounts?: string | false
  readonly minimum?: number
  readonly fuel?: number
  readonly hide?: boolean
  readonly card?: string | false
}

/** Adds the commands to `waybill contract`. */
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
    .option('--discounts <file>', 'discounts by zone, weight and turnover: a CSV file or an Excel workbook')
    .option('--no-discounts', 'remove the discounts, so that they are inherited')
    .option(
      '--minimum <amount>',
      'least freight after the discount, in the currency of the card; 0: none',
      minimumAmount,
    )
    .option('--fuel <percent>', 'change of the fuel surcharge, such as -50', fuelPercent)
    .option('--hide', 'do not offer the products to the account')
    .option('--no-hide', 'offer the products, although the carrier or everything is hidden')
    .option('--card <code>', 'use the prices of this rate card instead', code)
    .option('--no-card', 'use the general prices, although the carrier or everything has another card')
    .addOption(changesOption())
    .addOption(belowCostOption())
    .addOption(incompleteComparisonOption())
    .option('--dry-run', 'show the change and write nothing')
    .option('--yes', 'do not ask for confirmation if a price rises')
    .option('--json', 'print JSON')
    .action((account: string, options: SetOptions) =>
      reportFaults(
        output,
        options.json,
        () => set(account, options, withDatabase, output),
        '; nothing was written',
        'the file has',
      ),
    )

  contract
    .command('remove')
    .description('remove a contract')
    .argument('<account>')
    .addOption(productOption())
    .addOption(carrierOption())
    .requiredOption('--from <day>', 'first day of the contract', day)
    .addOption(changesOption())
    .addOption(belowCostOption())
    .addOption(incompleteComparisonOption())
    .option('--dry-run', 'show the change and write nothing')
    .option('--yes', 'do not ask for confirmation if a price rises')
    .option('--json', 'print JSON')
    .action((account: string, options: ChangeOptions) => remove(account, options, withDatabase, output))

  listCommands(contract, withDatabase, output)
  turnoverCommand(contract, withDatabase, output)
}

async function set(
  account: string,
  options: SetOptions,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  checkTerms(options)
  const key = keyOf(account, options)
  const reading = typeof options.discounts === 'string' ? readDiscounts(options.discounts) : undefined
  const stated: ContractRow = { ...key, ...statedTerms(options, reading) }
  await withDatabase(async ({ db }) => {
    const previewed = await readRevision(db, RATE_BOOK)
    await refuseUnknownParts(db, stated)
    if (options.json !== true)
      for (const line of await discountWarnings(db, stated, reading)) output.error(line)
    const [known, turnovers] = [await listContracts(db, account), await listTurnovers(db, account)]
    const replaced = known.find((row) => isFor(row, key))
    if (replaced === undefined && !statesTerm(stated))
      throw new Refusal(`there is no contract of ${nameOf(key)}`)
    const row = changedRow(replaced ?? stated, stated, options)
    if (!statesTerm(row))
      throw new Refusal(`the contract of ${nameOf(key)} would state nothing: remove it instead`)
    if (stated.validFrom < currentDay())
      print(output, options.json, [`warning: ${stated.validFrom} is in the past: the terms apply at once`])
    const others = known.filter((other) => other !== replaced)
    const compared = await confirmedPrices(
      db,
      {
        before: { contracts: known, turnovers },
        after: { contracts: [...others, row], turnovers },
        rows: [row, ...(replaced === undefined ? [] : [replaced])],
      },
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

function statedTerms(
  options: SetOptions,
  reading: DiscountReading | undefined,
): Omit<ContractRow, keyof ContractKey> {
  const { freight, minimum, fuel, hide, card, to } = options
  return {
    ...(typeof to === 'string' && { validTo: to }),
    ...(freight !== undefined && { freightBps: freight }),
    ...(reading?.rows !== undefined && { discounts: reading.rows }),
    ...(minimum !== undefined && { minimumCents: minimum }),
    ...(fuel !== undefined && { fuelBps: fuel }),
    ...(hide !== undefined && { hidden: hide }),
    ...(card !== undefined && { cardCode: card === false ? null : card }),
  }
}

/** Throws ImportFaults. */
function readDiscounts(location: string): DiscountReading {
  const reading = readDiscountList(readTableAt(location, discountSheet))
  if (reading.rows === undefined) throw new ImportFaults(reading.faults, reading.warnings)
  return reading
}

/** What is unusual about a file of discounts. */
async function discountWarnings(
  db: Kysely<Database>,
  { productId, carrierCode }: ContractRow,
  reading: DiscountReading | undefined,
): Promise<string[]> {
  if (reading?.rows === undefined) return []
  const scope = {
    ...(productId !== undefined && { productId }),
    ...(carrierCode !== undefined && { carrierCode }),
  }
  const rows = reading.rows.map(({ zones }) => ({ ...scope, ...(zones !== undefined && { zones }) }))
  const unpriced = unpricedZones(rows, await listPricedZones(db, 'sell'), (index) =>
    reading.locate(index, 'zones'),
  )
  return warningLines([...reading.warnings, ...unpriced])
}

/** A contract with the terms of `stated`. The terms and the end that are not given stay. */
function changedRow(old: ContractRow, stated: ContractRow, { to, discounts }: SetOptions): ContractRow {
  const { validTo: oldEnd, discounts: oldDiscounts, ...kept } = old
  return {
    ...kept,
    ...(to === undefined && oldEnd !== undefined && { validTo: oldEnd }),
    ...(discounts === undefined && oldDiscounts !== undefined && { discounts: oldDiscounts }),
    ...stated,
  }
}

function checkTerms({ freight, discounts, minimum, fuel, hide, card, from, to }: SetOptions): void {
  const terms = [freight, discounts, minimum, fuel, card].filter((term) => term !== undefined)
  if (terms.length === 0 && hide === undefined && to === undefined)
    throw new UsageError('a contract needs --freight, --discounts, --minimum, --fuel, --card or --hide')
  if (terms.length > 0 && hide === true)
    throw new UsageError('--hide cannot be combined with --freight, --discounts, --minimum, --fuel or --card')
  if (typeof to === 'string' && to <= from) throw new UsageError('--to must be after --from')
}

function statesTerm(row: ContractRow): boolean {
  const { freightBps, discounts, minimumCents, fuelBps, hidden, cardCode } = row
  return [freightBps, discounts, minimumCents, fuelBps, hidden, cardCode].some((term) => term !== undefined)
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
    const [known, turnovers] = [await listContracts(db, account), await listTurnovers(db, account)]
    const row = contractOf(known, key)
    const others = known.filter((other) => other !== row)
    const compared = await confirmedPrices(
      db,
      { before: { contracts: known, turnovers }, after: { contracts: others, turnovers }, rows: [row] },
      options,
      output,
    )
    const removed = options.dryRun !== true
    if (removed && !(await removeContract(db, key, previewed)))
      throw new Refusal(`there is no contract of ${nameOf(key)}`)
    report(output, options.json, { ...key, removed, ...compared }, [
      removed ? `Removed the contract of ${nameOf(key)}. ${APPLIED_SOON}` : 'Dry run: nothing was written.',
    ])
  })
}
