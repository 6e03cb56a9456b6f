/**
 * `waybill card validate`, `diff` and `export`: commands that read rate cards and change nothing. `validate` and `diff`
 * open the database only if one of the cards is a version, or `--base` is given.
 */
import { readdirSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import { versionText } from '../../core/rating/card-version.ts'
import { type FuelInForce, fuelInForce } from '../../core/rating/fuel/fuel-table.ts'
import type { RateCardImport } from '../../core/rating/rate-card.ts'
import { figureText, MAX_TABLE_ROWS } from '../../reference/import/import-limits.ts'
import { writeRateCard } from '../../reference/rate-cards/rate-card-csv.ts'
import { writeCardWorkbook } from '../../reference/rate-cards/rate-card-workbook.ts'
import type { Database } from '../../store/database/database.ts'
import { listFuelRates } from '../../store/rate-cards/fuel.ts'
import { readFuel } from '../../store/rate-cards/fuel-tables.ts'
import type { VersionName } from '../../store/rate-cards/versions.ts'
import { configuredConnectors } from '../connectors.ts'
import { count, LISTED_CHANGES, versionName } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal, reportFaults, warningLines } from '../terminal/errors.ts'
import { writeExport, writeExports } from '../terminal/export-file.ts'
import { announce, type Output, report, table, tableLabel } from '../terminal/output.ts'
import { isWorkbook } from '../terminal/table-file.ts'
import { differenceBetween, differenceLines, differenceValue } from './difference-report.ts'
import { openLoadedCard } from './opened-card.ts'
import {
  type CardSource,
  cardSource,
  checkCard,
  LAYOUT_OPTION,
  type LoadedCard,
  readCard,
  readCardVersion,
  refuseUnusedBase,
  rowCounts,
} from './source.ts'

type BaseOptions = { readonly base?: VersionName; readonly layout?: string; readonly json?: boolean }
type DiffOptions = BaseOptions & { readonly changes: number }

/** Adds the commands to `waybill card`. */
export function compareCommands(card: Command, withDatabase: WithDatabase, output: Output): void {
  const withReader = openReader(withDatabase)
  card
    .command('validate')
    .description('check a rate card without writing it')
    .argument('<card>', 'a workbook, a folder or zip of CSV files, a price list, or a version such as demo@2')
    .option('--base <version>', 'the version that a price list builds on', versionName)
    .option('--layout <file>', LAYOUT_OPTION)
    .option('--json', 'print JSON')
    .action((word: string, options: BaseOptions) =>
      reportFaults(output, options.json, () => validate(word, options, withReader, output)),
    )

  card
    .command('diff')
    .description('show the differences between two rate cards')
    .argument('<old>', 'a workbook, a folder or zip of CSV files, a price list, or a version such as demo@1')
    .argument('<new>', 'as above')
    .option(
      '--base <version>',
      'the version that a price list builds on (default: the other card)',
      versionName,
    )
    .option('--layout <file>', `${LAYOUT_OPTION}; of the second card`)
    .option('--changes <number>', 'how many changes to list', count, LISTED_CHANGES)
    .option('--json', 'print JSON')
    .action((before: string, after: string, options: DiffOptions) =>
      reportFaults(output, options.json, () => diff(before, after, options, withReader, output)),
    )

  card
    .command('export')
    .description('write a version and the fuel percentages in force as CSV files or an Excel workbook')
    .argument('<version>', 'such as demo@2', versionName)
    .argument('<target>', 'a new or empty folder, or a new file such as prices.xlsx')
    .option('--json', 'print JSON')
    .action((version: VersionName, target: string, { json }: { json?: boolean }) =>
      exportVersion(version, target, json, withDatabase, output),
    )
}

/** Runs `use` with functions that read cards. Opens the database only if one of `sources` is a version. */
type WithReader = <Result>(
  sources: readonly CardSource[],
  use: (
    read: (source: CardSource, base: LoadedCard | undefined) => Promise<LoadedCard>,
    fuelInForce: () => Promise<readonly FuelInForce[]>,
  ) => Promise<Result>,
) => Promise<Result>

function openReader(withDatabase: WithDatabase): WithReader {
  return (sources, use) => {
    const readWith = (db: Kysely<Database> | undefined) => (source: CardSource, base?: LoadedCard) =>
      readCard(db, source, base)
    if (!sources.some(({ kind }) => kind === 'version')) return use(readWith(undefined), async () => [])
    return withDatabase(({ db }) => use(readWith(db), async () => fuelInForce(await readFuel(db))))
  }
}

function baseSource(base: VersionName | undefined): CardSource | undefined {
  return base === undefined ? undefined : { kind: 'version', version: base }
}

async function validate(
  word: string,
  { base, layout, json }: BaseOptions,
  withReader: WithReader,
  output: Output,
): Promise<void> {
  const source = cardSource(word, layout)
  refuseUnusedBase(base, source)
  const baseCard = baseSource(base)
  const sources = [source, ...(baseCard ? [baseCard] : [])]
  const connectors = await configuredConnectors()
  const { card, warnings } = await withReader(sources, async (read, fuelInForce) => {
    const loaded = await read(source, baseCard && (await read(baseCard, undefined)))
    return checkCard(loaded, connectors, await fuelInForce())
  })
  const rows = rowCounts(card)
  const lines = [
    ...table(
      ['TABLE', 'ROWS'],
      Object.entries(rows).map(([name, number]) => [tableLabel(name), String(number)]),
      ['ROWS'],
    ),
    ...warningLines(warnings),
    'The rate card is valid.',
  ]
  report(output, json, { faults: [], warnings, rows }, lines)
}

async function diff(
  before: string,
  after: string,
  { base, layout, changes, json }: DiffOptions,
  withReader: WithReader,
  output: Output,
): Promise<void> {
  const [left, right] = [cardSource(before), cardSource(after, layout)]
  const baseCard = baseSource(base)
  refuseUnusedBase(base, left, right)
  announce(output, json, `Comparing ${before} with ${after}`)
  const between = (earlier: LoadedCard, later: LoadedCard) =>
    differenceBetween(openLoadedCard(earlier), openLoadedCard(later), changes)
  const difference = await withReader([left, right, ...(baseCard ? [baseCard] : [])], async (read) => {
    const base = baseCard && (await read(baseCard, undefined))
    if (left.kind === 'price-list') {
      const later = right.kind === 'price-list' ? undefined : await read(right, undefined)
      const earlier = await read(left, base ?? later)
      return between(earlier, later ?? (await read(right, base ?? earlier)))
    }
    const earlier = await read(left, undefined)
    return between(earlier, await read(right, base ?? earlier))
  })
  report(output, json, differenceValue(difference, changes), differenceLines(difference, changes))
}

async function exportVersion(
  version: VersionName,
  target: string,
  json: boolean | undefined,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  refuseTarget(target)
  const { card, fuel } = await withDatabase(async ({ db }) => {
    const { card } = await readCardVersion(db, version)
    return { card, fuel: await listFuelRates(db) }
  })
  const carriers = new Set(card.carriers.map(({ code }) => code))
  const exported = { ...card, fuel: fuel.filter((rate) => carriers.has(rate.carrierCode)) }
  const name = versionText(version)
  if (isWorkbook(target)) {
    refuseLarge(name, exported)
    writeExport(target, await writeCardWorkbook(exported))
    report(output, json, { version: name, file: target }, [`Wrote ${name} to ${target}.`])
    return
  }
  const files = writeRateCard(exported)
  writeExports(target, files)
  report(output, json, { version: name, folder: target, files: [...files.keys()] }, [
    `Wrote ${name} to ${target}: ${[...files.keys()].join(', ')}.`,
  ])
}

function refuseTarget(target: string): void {
  const stats = statSync(target, { throwIfNoEntry: false })
  if (stats === undefined) return
  if (isWorkbook(target)) throw new Refusal(`${target} already exists`)
  if (!stats.isDirectory()) throw new Refusal(`${target} is not a folder`)
  if (readdirSync(target).length > 0) throw new Refusal(`${target} is not empty`)
}

/** A larger workbook could not be imported. */
function refuseLarge(name: string, card: RateCardImport): void {
  const rows = Object.values(rowCounts(card)).reduce((sum, count) => sum + count + 1, 0)
  if (rows <= MAX_TABLE_ROWS) return
  const limit = `a workbook may have at most ${figureText(MAX_TABLE_ROWS)}`
  throw new Refusal(`${name} has ${figureText(rows)} rows, and ${limit}: export it to a folder`)
}
