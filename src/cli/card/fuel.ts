/**
 * `waybill fuel …`: the dated percentages of fuel surcharges, which change without a new rate card. Commands show the
 * percentage before and after, and ask before a large change and a change of past days.
 */
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import {
  type FuelChange,
  fuelChanges,
  fuelChangeText,
  fuelRemoval,
  fuelWarnings,
} from '../../core/rate-card-review/difference/fuel-changes.ts'
import { percentText } from '../../core/rating/explain/figure-text.ts'
import type { FuelRate } from '../../core/rating/rate-card.ts'
import { type FuelListReading, fuelSheet, readFuelList } from '../../reference/rate-cards/fuel-list-csv.ts'
import type { Database } from '../../store/database/database.ts'
import { RATE_BOOK, readRevision } from '../../store/database/revision.ts'
import {
  listFuelRates,
  listFuelSurcharges,
  refuseUnknownCarrier,
  setFuelRates,
  unsetFuelRate,
} from '../../store/rate-cards/fuel.ts'
import { readConnectorNames } from '../../store/shipments/audit.ts'
import { type Consent, confirmWarned, currentDay, day, percent, plainText } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { ImportFaults, Refusal, reportFaults } from '../terminal/errors.ts'
import { APPLIED_SOON, counted, type Output, print, report, table } from '../terminal/output.ts'
import { readTableAt } from '../terminal/table-file.ts'

type ChangeOptions = Consent & { readonly dryRun?: boolean }
type FuelOptions = ChangeOptions & { readonly from: string; readonly code: string }

/** Adds `set`, `import`, `unset` and `list` to `waybill fuel`. */
export function fuelCommands(fuel: Command, withDatabase: WithDatabase, output: Output): void {
  changeCommand(
    dayOptions(
      fuel
        .command('set')
        .description('set the percentage from a day on; replaces the percentage of the same day')
        .argument('<carrier>', 'the code of the carrier', plainText)
        .argument('<percent>', 'such as 14.5', percent),
    ),
  ).action((carrierCode: string, rateBps: number, { from, code, ...options }: FuelOptions) =>
    withDatabase(async ({ db }) => {
      await refuseUnknownCarrier(db, carrierCode)
      await change(db, [{ carrierCode, code, validFrom: from, rateBps }], options, output)
    }),
  )

  changeCommand(
    fuel
      .command('import')
      .description('set the percentages of a CSV file, all or none')
      .argument('<file>', 'with the columns of fuel.csv: carrier_code, code, valid_from, rate_pct'),
  ).action((location: string, options: ChangeOptions) =>
    reportFaults(
      output,
      options.json,
      () => withDatabase(({ db }) => importFile(db, location, options, output)),
      '; nothing was written',
      'the file has',
    ),
  )

  changeCommand(
    dayOptions(
      fuel
        .command('unset')
        .description('remove the percentage of a day, so that the previous one continues to apply')
        .argument('<carrier>', 'the code of the carrier', plainText),
    ),
  ).action((carrierCode: string, { from, code, ...options }: FuelOptions) =>
    withDatabase(({ db }) => unset(db, { carrierCode, code, validFrom: from }, options, output)),
  )

  fuel
    .command('list')
    .description('list the percentages, newest first')
    .argument('[carrier]', 'the code of a carrier')
    .option('--json', 'print JSON')
    .action(async (carrier: string | undefined, { json }: { json?: boolean }) => {
      const rates = await withDatabase(async ({ db }) => {
        if (carrier !== undefined) await refuseUnknownCarrier(db, carrier)
        return listFuelRates(db, carrier)
      })
      const rows = rates.map((rate) => [
        ...[rate.carrierCode, rate.code, rate.validFrom, percentText(rate.rateBps), rate.enteredAt],
      ])
      report(output, json, rates, table(['CARRIER', 'CODE', 'FROM', 'PERCENT', 'ENTERED'], rows, ['PERCENT']))
    })
}

function dayOptions(command: Command): Command {
  return command
    .requiredOption('--from <day>', 'first day on which it applies, such as 2026-12-01', day)
    .option('--code <code>', 'the code of the fuel surcharge', plainText, 'FUEL')
}

function changeCommand(command: Command): Command {
  return command
    .option('--dry-run', 'show the change and write nothing')
    .option('--yes', 'do not ask for confirmation of a large change or of past days')
    .option('--json', 'print JSON')
}

async function importFile(
  db: Kysely<Database>,
  location: string,
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const reading = readFuelList(readTableAt(location, fuelSheet))
  if (reading.rows === undefined) throw new ImportFaults(reading.faults, reading.warnings)
  refuseUnknownCarriers(reading.rows, reading, new Set((await readConnectorNames(db)).keys()))
  await change(db, reading.rows, options, output)
}

function refuseUnknownCarriers(
  rows: readonly FuelRate[],
  { locate, warnings }: FuelListReading,
  carriers: ReadonlySet<string>,
): void {
  const faults = rows.flatMap(({ carrierCode }, index) =>
    carriers.has(carrierCode)
      ? []
      : { ...locate(index, 'carrierCode'), expected: 'the code of a carrier', found: carrierCode },
  )
  if (faults.length > 0) throw new ImportFaults(faults, warnings)
}

/** Shows what new percentages change, asks if necessary, and sets them. Throws a Refusal if the answer is no. */
async function change(
  db: Kysely<Database>,
  rates: readonly FuelRate[],
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const previewed = await readRevision(db, RATE_BOOK)
  const changes = fuelChanges(await listFuelRates(db), rates)
  await confirmChanges(db, changes, options, output)
  if (options.dryRun !== true) await setFuelRates(db, rates, previewed)
  const changed = changes.filter(({ beforeBps, afterBps }) => beforeBps !== afterBps).length
  report(output, options.json, { changes, dryRun: options.dryRun === true }, [
    options.dryRun === true
      ? DRY_RUN
      : changed === 0
        ? 'No percentage changes.'
        : `Set ${counted(changed, 'percentage')}. ${APPLIED_SOON}`,
  ])
}

async function unset(
  db: Kysely<Database>,
  key: Omit<FuelRate, 'rateBps'>,
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const { carrierCode, code, validFrom } = key
  const previewed = await readRevision(db, RATE_BOOK)
  const rates = await listFuelRates(db, carrierCode)
  const rate = rates.find((other) => other.code === code && other.validFrom === validFrom)
  const missing = `there is no fuel percentage ${carrierCode} ${code} from ${validFrom}`
  if (rate === undefined) throw new Refusal(missing)
  const removal = fuelRemoval(rates, { ...key, rateBps: rate.rateBps })
  await confirmChanges(db, [removal], options, output)
  const removed = options.dryRun !== true
  if (removed && !(await unsetFuelRate(db, key, previewed))) throw new Refusal(missing)
  report(output, options.json, { ...removal, removed }, [
    removed ? `Removed fuel ${carrierCode} ${code} from ${validFrom}. ${APPLIED_SOON}` : DRY_RUN,
  ])
}

const DRY_RUN = 'Dry run: nothing was written.'

async function confirmChanges(
  db: Kysely<Database>,
  changes: readonly FuelChange[],
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const surcharges = await listFuelSurcharges(db)
  const warnings = changes.flatMap((entry) => fuelWarnings(entry, currentDay(), surcharges))
  print(output, options.json, [
    ...changes.map(
      (entry) => `Fuel ${entry.carrierCode} ${entry.code} from ${entry.validFrom}: ${fuelChangeText(entry)}`,
    ),
    ...warnings.map((warning) => `warning: ${warning}`),
  ])
  if (options.dryRun === true) return
  if (!(await confirmWarned(output, options, warnings, 'Change it all the same?')))
    throw new Refusal('nothing was written: no fuel percentage changes')
}
