/**
 * `waybill card validate`, `diff`, `export`: looking at rate cards without changing any. The database is opened
 * only for what is read from it.
 */

import { readdirSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import { type FuelRate, versionText } from '../../core/rating/rate-card.ts'
import { writeRateCard } from '../../reference/rate-cards/rate-card-csv.ts'
import type { Database } from '../../store/database/database.ts'
import { listFuelRates } from '../../store/rate-cards/fuel.ts'
import type { VersionName } from '../../store/rate-cards/versions.ts'
import { count, versionName } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import {
  differenceBetween,
  differenceLines,
  differenceValue,
  LISTED_CHANGES,
  nameOfTable,
} from '../terminal/difference-report.ts'
import { writeExports } from '../terminal/export-file.ts'
import { reportingFaults, warningLines } from '../terminal/faults.ts'
import { announce, type Output, Refusal, report, table, UsageError } from '../terminal/output.ts'
import {
  type CardSource,
  cardSource,
  checkCard,
  type LoadedCard,
  readCardFiles,
  readCardVersion,
  readPricesOn,
  rowCounts,
} from './source.ts'

type BaseOptions = { readonly base?: VersionName; readonly json?: boolean }
type DiffOptions = BaseOptions & { readonly changes: number }

/** Adds the commands. */
export function compareCommands(card: Command, withDatabase: WithDatabase, output: Output): void {
  const reading = openReader(withDatabase)
  card
    .command('validate')
    .description('check a rate card; nothing is written')
    .argument(
      '<card>',
      'a folder or zip of CSV files, a CSV file of prices alone, or a version such as demo@2',
    )
    .option('--base <version>', 'what a CSV file of prices alone builds on', versionName)
    .option('--json', 'print JSON')
    .action((word: string, { base, json }: BaseOptions) =>
      reportingFaults(output, json, () => validate(word, base, json, reading, output)),
    )

  card
    .command('diff')
    .description('show what changes from one rate card to another')
    .argument('<old>', 'a folder, a zip, a CSV file of prices alone, or a version such as demo@1')
    .argument('<new>', 'the same')
    .option('--base <version>', 'what a CSV file of prices alone builds on; else the other card', versionName)
    .option('--changes <number>', 'how many changes to list', count, LISTED_CHANGES)
    .option('--json', 'print JSON')
    .action((before: string, after: string, options: DiffOptions) =>
      reportingFaults(output, options.json, () => diff(before, after, options, reading, output)),
    )

  card
    .command('export')
    .description('write a version as CSV files, with the fuel percentages in force')
    .argument('<version>', 'such as demo@2', versionName)
    .argument('<folder>', 'a new or empty folder')
    .option('--json', 'print JSON')
    .action((version: VersionName, folder: string, { json }: { json?: boolean }) =>
      exportVersion(version, folder, json, withDatabase, output),
    )
}

/** Reads cards; opens the database only if one of `sources` needs it. */
type Reading = <Result>(
  sources: readonly CardSource[],
  use: (
    read: (source: CardSource, base: LoadedCard | undefined) => Promise<LoadedCard>,
    fuelInForce: () => Promise<readonly FuelRate[]>,
  ) => Promise<Result>,
) => Promise<Result>

function openReader(withDatabase: WithDatabase): Reading {
  return (sources, use) => {
    const readWith = (db: Kysely<Database> | undefined) => async (source: CardSource, base?: LoadedCard) => {
      switch (source.kind) {
        case 'files':
          return readCardFiles(source.location)
        case 'price-list':
          if (base === undefined)
            throw new UsageError(`${source.location} has prices alone: --base names the version it builds on`)
          return readPricesOn(base, source.location)
        case 'version':
          return readCardVersion(db!, source.version)
      }
    }
    if (!sources.some(({ kind }) => kind === 'version')) return use(readWith(undefined), async () => [])
    return withDatabase(({ db }) => use(readWith(db), () => listFuelRates(db)))
  }
}

function baseSource(base: VersionName | undefined): CardSource | undefined {
  return base === undefined ? undefined : { kind: 'version', version: base }
}

async function validate(
  word: string,
  base: VersionName | undefined,
  json: boolean | undefined,
  reading: Reading,
  output: Output,
): Promise<void> {
  const source = cardSource(word)
  if (base !== undefined && source.kind !== 'price-list')
    throw new UsageError('--base is for a CSV file of prices alone')
  const below = baseSource(base)
  const sources = [source, ...(below ? [below] : [])]
  const { card, warnings } = await reading(sources, async (read, fuelInForce) => {
    const loaded = await read(source, below && (await read(below, undefined)))
    return checkCard(loaded, await fuelInForce())
  })
  const rows = rowCounts(card)
  const lines = [
    ...table(
      ['TABLE', 'ROWS'],
      Object.entries(rows).map(([name, number]) => [nameOfTable(name), String(number)]),
      ['ROWS'],
    ),
    ...warningLines(warnings),
    'The card holds together.',
  ]
  report(output, json, { faults: [], warnings, rows }, lines)
}

async function diff(
  before: string,
  after: string,
  { base, changes, json }: DiffOptions,
  reading: Reading,
  output: Output,
): Promise<void> {
  const [left, right] = [cardSource(before), cardSource(after)]
  const below = baseSource(base)
  if (below !== undefined && left.kind !== 'price-list' && right.kind !== 'price-list')
    throw new UsageError('--base is for a CSV file of prices alone')
  announce(output, json, `Comparing ${before} with ${after}`)
  const difference = await reading([left, right, ...(below ? [below] : [])], async (read) => {
    const base = below && (await read(below, undefined))
    if (left.kind === 'price-list') {
      const later = right.kind === 'price-list' ? undefined : await read(right, undefined)
      const earlier = await read(left, base ?? later)
      return differenceBetween(earlier, later ?? (await read(right, base ?? earlier)))
    }
    const earlier = await read(left, undefined)
    return differenceBetween(earlier, await read(right, base ?? earlier))
  })
  report(output, json, differenceValue(difference, changes), differenceLines(difference, changes))
}

async function exportVersion(
  version: VersionName,
  folder: string,
  json: boolean | undefined,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isDirectory()) throw new Refusal(`${folder} is not a folder`)
  if (stats !== undefined && readdirSync(folder).length > 0) throw new Refusal(`${folder} is not empty`)
  const { card, fuel } = await withDatabase(async ({ db }) => {
    const { card } = await readCardVersion(db, version)
    return { card, fuel: await listFuelRates(db) }
  })
  const carriers = new Set(card.carriers.map(({ code }) => code))
  const files = writeRateCard({ ...card, fuel: fuel.filter((rate) => carriers.has(rate.carrierCode)) })
  writeExports(folder, files)
  const name = versionText(version)
  report(output, json, { version: name, folder, files: [...files.keys()] }, [
    `Wrote ${name} to ${folder}: ${[...files.keys()].join(', ')}.`,
  ])
}
