/**
 * `waybill margin …`: what is added to the cost of products that are sold at a margin. Commands that change margins
 * show what reference parcels cost before and after, ask before a price rises, and refuse prices below the cost. See
 * docs/rate-cards.md#buy-and-sell.
 */
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import { groupBy } from '../core/group-by.ts'
import { formatCents } from '../core/money.ts'
import { comparePrices, isRise } from '../core/rate-card-review/difference/reference-prices.ts'
import { type RateBook, withMargins } from '../core/rating/book/rate-book.ts'
import { euroText, percentText } from '../core/rating/explain/figure-text.ts'
import { type MarginRow, marginName } from '../core/rating/margin.ts'
import {
  endingText,
  type MarginReading,
  marginSheet,
  readMarginList,
  writeMarginList,
} from '../reference/rate-cards/margin-list-csv.ts'
import type { Database } from '../store/database/database.ts'
import { RATE_BOOK, readRevision } from '../store/database/revision.ts'
import { listMargins, readNames, replaceMargins } from '../store/rate-cards/margins.ts'
import { listPricedZones } from '../store/rate-cards/priced-zones.ts'
import { loadRateBook } from '../store/rate-cards/rate-book.ts'
import {
  belowCostLines,
  belowCostOption,
  exchangeRatesFor,
  pricesBelowCost,
  refuseBelowCost,
} from './card/below-cost.ts'
import { unpricedZones } from './card/unpriced-zones.ts'
import { type ConfirmOptions, changesOption } from './contract/change.ts'
import { notComparedWarnings, previewLines } from './contract/preview.ts'
import { confirmWarned, currentDay, incompleteComparisonOption } from './terminal/arguments.ts'
import type { WithDatabase } from './terminal/database.ts'
import { ImportFaults, Refusal, reportFaults, warningLines } from './terminal/errors.ts'
import { writeExport } from './terminal/export-file.ts'
import { APPLIED_SOON, counted, type Output, print, report, table } from './terminal/output.ts'
import { readTableAt } from './terminal/table-file.ts'

/** How many accounts' prices are compared, and on how many days. */
const [MAX_ACCOUNTS, MAX_DAYS] = [5, 6]
const EVERYONE = 'everyone'

/** Adds `import`, `list` and `export` to `waybill margin`. */
export function marginCommands(margin: Command, withDatabase: WithDatabase, output: Output): void {
  margin
    .command('import')
    .description('replace all margins by those of a CSV file or an Excel workbook')
    .argument('<file>')
    .addOption(changesOption())
    .addOption(belowCostOption())
    .addOption(incompleteComparisonOption())
    .option('--dry-run', 'show the change and write nothing')
    .option('--yes', 'do not ask for confirmation if a price rises')
    .option('--json', 'print JSON')
    .action((location: string, options: ConfirmOptions) =>
      reportFaults(
        output,
        options.json,
        () => withDatabase(({ db }) => importFile(db, location, options, output)),
        '; nothing was written',
        'the file has',
      ),
    )

  margin
    .command('list')
    .description('list the margins')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const margins = await withDatabase(({ db }) => listMargins(db))
      const rows = margins.map((row) => [marginName(row), row.validTo ?? '', termsText(row)])
      report(output, json, margins, table(['FOR', 'UNTIL', 'MARGIN'], rows))
    })

  margin
    .command('export')
    .description('write all margins to a CSV file, for margin import')
    .argument('<file>', 'the file, such as margins.csv')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const margins = await withDatabase(({ db }) => listMargins(db))
      writeExport(file, writeMarginList(margins))
      report(output, json, { file, margins: margins.length }, [
        `Wrote ${counted(margins.length, 'margin')} to ${file}.`,
      ])
    })
}

async function importFile(
  db: Kysely<Database>,
  location: string,
  options: ConfirmOptions,
  output: Output,
): Promise<void> {
  const reading = readMarginList(readTableAt(location, marginSheet))
  if (reading.rows === undefined) throw new ImportFaults(reading.faults, reading.warnings)
  await refuseUnknownNames(db, reading.rows, reading)
  const unpriced = unpricedZones(reading.rows, await listPricedZones(db, 'cost'), (index) =>
    reading.locate(index, 'zones'),
  )
  if (options.json !== true)
    for (const line of warningLines([...reading.warnings, ...unpriced])) output.error(line)
  await change(db, reading.rows, options, output)
}

/** Throws ImportFaults for accounts, carriers and products that do not exist. */
async function refuseUnknownNames(
  db: Kysely<Database>,
  rows: readonly MarginRow[],
  { locate, warnings }: MarginReading,
): Promise<void> {
  const { accounts, carriers, products } = await readNames(db)
  const faults = rows.flatMap(({ accountId, carrierCode, productId }, index) => [
    ...(accountId === undefined || accounts.has(accountId)
      ? []
      : [{ ...locate(index, 'accountId'), expected: 'the id of an account', found: accountId }]),
    ...(carrierCode === undefined || carriers.has(carrierCode)
      ? []
      : [{ ...locate(index, 'carrierCode'), expected: 'the code of a carrier', found: carrierCode }]),
    ...(productId === undefined || products.has(productId)
      ? []
      : [{ ...locate(index, 'productId'), expected: 'a product of a rate card', found: String(productId) }]),
  ])
  if (faults.length > 0) throw new ImportFaults(faults, warnings)
}

/** Shows what new margins change, asks if a price rises, and writes them. Throws a Refusal if the answer is no. */
async function change(
  db: Kysely<Database>,
  margins: readonly MarginRow[],
  options: ConfirmOptions,
  output: Output,
): Promise<void> {
  const previewed = await readRevision(db, RATE_BOOK)
  const known = await listMargins(db)
  const { added, removed } = differenceOf(known, margins)
  const book = await loadRateBook(db)
  const after = withMargins(book, margins)
  const changed = [...added, ...removed]
  const { days, moreDays } = comparedDays(changed)
  const preview = { before: book, after, added, removed, days, moreDays }
  const { rises, notCompared } = await printChanges(db, preview, options, output)
  const belowCost = await pricesBelowCost(db, { before: book, after, days, cells: changed })
  const isDryRun = options.dryRun === true
  if (isDryRun) print(output, options.json, belowCostLines(belowCost, options.changes))
  else {
    const doubts = {
      warnings: rises === 0 ? [] : [`${counted(rises, 'product')} would cost more`],
      notCompared: [...refuseBelowCost(belowCost, options, output), ...notCompared],
    }
    const question =
      rises === 0 ? 'Change the margins all the same?' : `Raise the price of ${counted(rises, 'product')}?`
    if (!(await confirmWarned(output, options, doubts, question)))
      throw new Refusal('nothing was written: no margin changes')
    if (changed.length > 0) await replaceMargins(db, margins, previewed)
  }
  const result = {
    margins: margins.length,
    added: added.length,
    removed: removed.length,
    rises,
    dryRun: isDryRun,
  }
  report(output, options.json, { ...result, belowCost: belowCost.found }, [
    isDryRun
      ? 'Dry run: nothing was written.'
      : changed.length === 0
        ? 'No margin changes.'
        : `Set ${counted(margins.length, 'margin')}. ${APPLIED_SOON}`,
  ])
}

type MarginDifference = { readonly added: readonly MarginRow[]; readonly removed: readonly MarginRow[] }

/** A margin that changes is removed and added. */
function differenceOf(known: readonly MarginRow[], margins: readonly MarginRow[]): MarginDifference {
  const keyOf = (row: MarginRow): string => `${marginName(row)} ${row.validTo ?? ''} ${termsText(row)}`
  const [before, after] = [new Set(known.map(keyOf)), new Set(margins.map(keyOf))]
  return {
    added: margins.filter((row) => !before.has(keyOf(row))),
    removed: known.filter((row) => !after.has(keyOf(row))),
  }
}

/**
 * Today or the first day of the changed margins, and the later days on which one begins or ends. `moreDays`: how many
 * are left out.
 */
function comparedDays(changed: readonly MarginRow[]): {
  readonly days: readonly string[]
  readonly moreDays: number
} {
  const today = currentDay()
  const all = changed.flatMap(({ validFrom, validTo }) => [validFrom, validTo ?? validFrom])
  const later = all.filter((day) => day > today)
  const first = changed.some(({ validFrom }) => validFrom <= today) ? [today] : []
  const days = [...new Set([...first, ...later.sort()])]
  return { days: days.slice(0, MAX_DAYS), moreDays: Math.max(0, days.length - MAX_DAYS) }
}

/** Prints the changed margins and prices. Returns for how many products a price rises, and what was not compared. */
async function printChanges(
  db: Kysely<Database>,
  {
    before,
    after,
    added,
    removed,
    days,
    moreDays,
  }: MarginDifference &
    ReturnType<typeof comparedDays> & { readonly before: RateBook; readonly after: RateBook },
  { json, changes }: ConfirmOptions,
  output: Output,
): Promise<{ readonly rises: number; readonly notCompared: readonly string[] }> {
  const lines = [
    ...removed.map((row) => `- ${marginName(row)}: ${termsText(row)}`),
    ...added.map((row) => `+ ${marginName(row)}: ${termsText(row)}`),
  ]
  const more = lines.length - changes
  print(output, json, [
    `Margins: ${added.length} added, ${removed.length} removed`,
    ...lines.slice(0, changes),
    ...(more > 0 ? [`… and ${more} more (--changes ${lines.length} lists all)`] : []),
  ])
  const changed = groupBy([...added, ...removed], ({ accountId }) => accountId)
  const exchangeRates = await exchangeRatesFor(after, db)
  const notCompared: string[] = []
  const risen = new Set<number>()
  for (const [accountId, rows] of [...changed].slice(0, MAX_ACCOUNTS)) {
    const compared = comparePrices({
      before,
      after,
      accountId,
      scopes: rows,
      days,
      cells: rows,
      exchangeRates,
    })
    const account = accountId ?? EVERYONE
    print(output, json, previewLines(compared, account, changes))
    notCompared.push(...notComparedWarnings(compared))
    for (const price of compared.prices) if (isRise(price)) risen.add(price.productId)
  }
  const moreAccounts = changed.size - MAX_ACCOUNTS
  const leftOut = [
    ...(moreAccounts > 0 ? [`the prices of ${counted(moreAccounts, 'more account')} were not compared`] : []),
    ...(moreDays > 0 ? [`prices were not compared on ${counted(moreDays, 'later day')}`] : []),
  ]
  print(
    output,
    json,
    leftOut.map((warning) => `warning: ${warning}`),
  )
  return { rises: risen.size, notCompared: [...new Set([...notCompared, ...leftOut])] }
}

/** "12% + 0.50 EUR, at least 1.00 EUR, ending .95". */
function termsText({ percentBps, amountCents, minimumCents, endingCents }: MarginRow): string {
  return [
    percentText(percentBps) + (amountCents === 0 ? '' : ` + ${euroText(amountCents)}`),
    ...(minimumCents === 0 ? [] : [`at least ${formatCents(minimumCents)} EUR`]),
    ...(endingCents === undefined ? [] : [`ending ${endingText(endingCents)}`]),
  ].join(', ')
}
