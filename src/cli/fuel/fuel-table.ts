/** `waybill fuel table …` and `waybill fuel show`: step tables of carriers, and the figures that follow from them. */
import { type Command, Option } from 'commander'
import type { Kysely } from 'kysely'
import { fuelDifferences, fuelOn } from '../../core/rate-card-review/difference/fuel-changes.ts'
import { fuelText } from '../../core/rating/explain/fuel.ts'
import {
  FUEL_PERIODS,
  type FuelInForce,
  type FuelPeriod,
  type FuelSources,
  type FuelTable,
  fuelInForce,
  indexText,
  MAX_LAG,
} from '../../core/rating/fuel/fuel-table.ts'
import type { FuelUnit } from '../../core/rating/rate-card.ts'
import { isFuelDay, readFuelSteps, stepSheet } from '../../reference/rate-cards/fuel-table-csv.ts'
import type { Database } from '../../store/database/database.ts'
import { RATE_BOOK, readRevision } from '../../store/database/revision.ts'
import { type FuelKey, refuseUnknownCarrier } from '../../store/rate-cards/fuel.ts'
import { readFuel, setFuelTable } from '../../store/rate-cards/fuel-tables.ts'
import { code as codeArgument, count, currentDay, day, plainText } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { ImportFaults, Refusal, reportFaults, UsageError } from '../terminal/errors.ts'
import { APPLIED_SOON, type Output, print, report, table } from '../terminal/output.ts'
import { readTableAt } from '../terminal/table-file.ts'
import { type ChangeOptions, changeCommand, confirmChanges, DRY_RUN, dayOptions } from './change.ts'

type TableOptions = ChangeOptions & {
  readonly from: string
  readonly code: string
  readonly index: string
  readonly every: FuelPeriod
  readonly lag: number
}

/** Adds `show` and `table` to `waybill fuel`. */
export function fuelTableCommands(fuel: Command, withDatabase: WithDatabase, output: Output): void {
  fuel
    .command('show')
    .description('show the fuel of a day: percentage or amount, index value and step')
    .argument('[carrier]', 'the code of a carrier')
    .option('--on <day>', 'the day (default: today)', day)
    .option('--json', 'print JSON')
    .action((carrier: string | undefined, { on, json }: { on?: string; json?: boolean }) =>
      withDatabase(({ db }) => show(db, carrier, on ?? currentDay(), json, output)),
    )
  const tables = fuel.command('table').description('step tables by which fuel follows an index')
  changeCommand(
    dayOptions(
      tables
        .command('set')
        .description('set the step table of a carrier from a day on; replaces the table of the same day')
        .argument('<carrier>', 'the code of the carrier', plainText)
        .argument(
          '<file>',
          'a CSV file or an Excel workbook with the columns at_least and below, or over and up_to; and rate_pct, per_parcel or per_kg',
        )
        .requiredOption('--index <code>', 'the code of the index, such as usgc-jet', codeArgument)
        .addOption(
          new Option('--every <period>', 'how often the figure changes')
            .choices([...FUEL_PERIODS])
            .makeOptionMandatory(),
        )
        .requiredOption('--lag <periods>', 'how many weeks or months earlier the index value is from', count),
    ),
  ).action((carrierCode: string, location: string, options: TableOptions) =>
    reportFaults(
      output,
      options.json,
      () => withDatabase(({ db }) => setTable(db, carrierCode, location, options, output)),
      '; nothing was written',
      'the file has',
    ),
  )
  changeCommand(
    dayOptions(
      tables
        .command('unset')
        .description('remove the table of a day, so that what applied before continues')
        .argument('<carrier>', 'the code of the carrier', plainText),
    ),
  ).action((carrierCode: string, { from, code, ...options }: TableOptions) =>
    withDatabase(({ db }) => unsetTable(db, { carrierCode, code, validFrom: from }, options, output)),
  )
  tables
    .command('list')
    .description('list the tables, newest first; with --json, also their steps')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => withDatabase(({ db }) => listTables(db, json, output)))
}

async function setTable(
  db: Kysely<Database>,
  carrierCode: string,
  location: string,
  { from, code, index, every, lag, ...options }: TableOptions,
  output: Output,
): Promise<void> {
  if (lag > MAX_LAG) throw new UsageError(`--lag: expected at most ${MAX_LAG}`)
  if (!isFuelDay(from)) throw new UsageError('--from: expected a day from 2000-01-01 to 2099-12-31')
  const { rows, faults, warnings } = readFuelSteps(readTableAt(location, stepSheet))
  if (rows === undefined) throw new ImportFaults(faults, warnings)
  await refuseUnknownCarrier(db, carrierCode)
  const key = { carrierCode, code, validFrom: from }
  await change(db, key, { indexCode: index, period: every, lag, ...rows }, options, output)
}

async function unsetTable(
  db: Kysely<Database>,
  key: FuelKey,
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const { tables } = await readFuel(db)
  if (!tables.some((other) => isFor(other, key)))
    throw new Refusal(`there is no fuel table ${key.carrierCode} ${key.code} from ${key.validFrom}`)
  await change(db, key, undefined, options, output)
}

function isFor(one: FuelKey, other: FuelKey): boolean {
  return one.carrierCode === other.carrierCode && one.code === other.code && one.validFrom === other.validFrom
}

/** Shows what a table changes, asks if necessary, and sets it. Without terms, removes the table of the day. */
async function change(
  db: Kysely<Database>,
  key: FuelKey,
  terms: Omit<FuelTable, keyof FuelKey> | undefined,
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const previewed = await readRevision(db, RATE_BOOK)
  const before = await readFuel(db)
  const others = before.tables.filter((other) => !isFor(other, key))
  const after = { ...before, tables: terms === undefined ? others : [...others, { ...key, ...terms }] }
  const { changes, unknownFrom } = compareFuel(before, after)
  print(
    output,
    options.json,
    unknownFrom.map((line) => `${line}: enter the values of the index`),
  )
  await confirmChanges(db, changes, (trx) => setFuelTable(trx, key, terms, previewed), options, output)
  if (options.dryRun !== true) await setFuelTable(db, key, terms, previewed)
  report(output, options.json, { changes, unknownFrom, dryRun: options.dryRun === true }, [
    options.dryRun === true
      ? DRY_RUN
      : `${terms === undefined ? 'Removed' : 'Set'} the fuel table ${key.carrierCode} ${key.code} from ${key.validFrom}. ${APPLIED_SOON}`,
  ])
}

/**
 * What changes, without the later days whose index values nobody knows yet. `unknownFrom` says from which day on they
 * are missing: "Fuel rondeel FUEL is not known from 2026-12-21 on".
 */
export function compareFuel(
  before: FuelSources,
  after: FuelSources,
): { readonly changes: ReturnType<typeof fuelDifferences>; readonly unknownFrom: readonly string[] } {
  const [was, becomes] = [fuelInForce(before), fuelInForce(after)]
  const isUnknown = ({ missing, index }: FuelInForce): boolean => missing !== undefined && index === undefined
  const wasUnknown = was.filter(isUnknown)
  // A day in the past that had a figure is a change, which has to be confirmed.
  const hadFigure = (figure: FuelInForce): boolean =>
    figure.validFrom <= currentDay() && fuelOn(was, figure, figure.validFrom)?.rateBps !== undefined
  const unknown = becomes.filter((figure) => isUnknown(figure) && !hadFigure(figure))
  // A value that is kept for the weeks after it announces nothing.
  const isKept = (key: FuelKey): boolean =>
    fuelOn(was, key, key.validFrom)?.missing !== undefined &&
    fuelOn(becomes, key, key.validFrom)?.index?.keptSince !== undefined
  const newlyUnknown = unknown.filter((figure) => !wasUnknown.some((other) => isFor(other, figure)))
  return {
    changes: fuelDifferences(was, becomes).filter(
      (entry) => !isKept(entry) && !unknown.some((figure) => isFor(figure, entry)),
    ),
    unknownFrom: newlyUnknown.map(
      ({ carrierCode, code, validFrom }) => `Fuel ${carrierCode} ${code} is not known from ${validFrom} on`,
    ),
  }
}

async function show(
  db: Kysely<Database>,
  carrier: string | undefined,
  on: string,
  json: boolean | undefined,
  output: Output,
): Promise<void> {
  if (carrier !== undefined) await refuseUnknownCarrier(db, carrier)
  const figures = fuelInForce(await readFuel(db)).filter(
    ({ carrierCode }) => carrier === undefined || carrierCode === carrier,
  )
  const keys = new Map(figures.map((figure) => [JSON.stringify([figure.carrierCode, figure.code]), figure]))
  const found = [...keys.values()].flatMap((key) => fuelOn(figures, key, on) ?? [])
  const rows = found.map((figure) => [
    ...[figure.carrierCode, figure.code, figure.validFrom, fuelText(figure)],
    ...[indexCell(figure), figure.index?.step ?? '', remarkOf(figure)],
  ])
  report(output, json, found, [
    `Fuel on ${on}:`,
    ...table(['CARRIER', 'CODE', 'FROM', 'FUEL', 'INDEX VALUE', 'STEP', 'REMARK'], rows, ['FUEL']),
  ])
}

function indexCell({ index }: FuelInForce): string {
  return index === undefined ? '' : `${index.indexCode} ${indexText(index.valueE4)} of ${index.day}`
}

function remarkOf({ missing, index }: FuelInForce): string {
  if (missing !== undefined) return `not offered: ${missing}`
  return index?.keptSince === undefined ? '' : `kept: the value of ${index.keptSince} is missing`
}

async function listTables(db: Kysely<Database>, json: boolean | undefined, output: Output): Promise<void> {
  const { tables } = await readFuel(db)
  const rows = tables.map(({ carrierCode, code, validFrom, indexCode, period, lag, per, steps }) => [
    ...[carrierCode, code, validFrom, indexCode, `every ${period}`, `${lag} before`],
    ...[unitText(per), String(steps.length)],
  ])
  const heading = ['CARRIER', 'CODE', 'FROM', 'INDEX', 'CHANGES', 'LAG', 'FIGURE', 'STEPS']
  report(output, json, tables, table(heading, rows, ['STEPS']))
}

function unitText(per: FuelUnit | undefined): string {
  return per === undefined ? 'percent' : `per ${per}`
}
